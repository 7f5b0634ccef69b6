package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/proof"
)

func newVersionCommand(c console.Console, shared *session.Options) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program and of the formats it reads",
		Long: `version prints the version and commit that the program was built from, the Go
version, and the format versions that it reads and writes.`,
		Example: `  bohnenspiel version`,
		Args:    session.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			info, _ := debug.ReadBuildInfo()
			v := versionOf(info)
			if shared.JSON {
				return console.PrintJSON(c, v)
			}
			return c.Print(v.String())
		},
	}
}

// version is what the program knows of its own making. Its JSON form is what
// "version --json" prints.
type version struct {
	Version  string  `json:"version"`
	Commit   *string `json:"commit"`   // null if unknown
	Modified bool    `json:"modified"` // whether files differed from the commit
	Go       string  `json:"go"`
	Platform string  `json:"platform"`
	Formats  []int   `json:"formats"` // database formats that it reads
	// Archives and Certificates are the formats of exported files and of certificates that
	// it reads.
	Archives     []int `json:"archives"`
	Certificates []int `json:"certificates"`
}

// versionOf reads the build information, which may be nil.
func versionOf(info *debug.BuildInfo) version {
	v := version{
		Version:  "(unknown)",
		Go:       runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Formats:  []int{format.Version},
		Archives: []int{format.ArchiveVersion}, Certificates: []int{proof.CertificateVersion},
	}
	if info == nil {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			v.Commit = &setting.Value
		case "vcs.modified":
			v.Modified = setting.Value == "true"
		}
	}
	return v
}

// String returns the version in three lines. What lies in or beside a database, such as
// depths, kept bounds and the state of builds and searches, has its version.
func (v version) String() string {
	commit := ""
	if v.Commit != nil {
		commit = ", commit " + *v.Commit
	}
	if v.Modified {
		commit += " with changes"
	}
	return fmt.Sprintf("bohnenspiel %s%s\n%s %s\nreads and writes database format %d, export format %d, certificate format %d\n",
		v.Version, commit, v.Go, v.Platform, v.Formats[0], v.Archives[0], v.Certificates[0])
}
