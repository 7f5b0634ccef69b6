package session

import (
	"path/filepath"
	"testing"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/solver/game"
)

func TestBuildCommand(t *testing.T) {
	for _, c := range []struct {
		o     Options
		rules game.Rules
		width int
		beans int
		want  string
	}{
		{Options{}, game.Bohnenspiel, 6, 18, "bohnenspiel build --beans 18"},
		{Options{Dir: "/data/tables"}, game.Bohnenspiel, 6, 18, "bohnenspiel build --db /data/tables --beans 18"},
		{Options{Dir: "Jo's tables"}, game.Mangala, 5, 7, `bohnenspiel build --db 'Jo'\''s tables' --rules mangala --width 5 --parity odd --beans 7`},
	} {
		g, err := game.New(c.rules, c.width)
		if err != nil {
			t.Fatal(err)
		}
		if got := BuildCommand(&c.o, g, c.beans); got != c.want {
			t.Errorf("buildCommand(%+v, %v 2×%d, %d): got %q, want %q", c.o, c.rules, c.width, c.beans, got, c.want)
		}
	}
}

func TestDataDirectory(t *testing.T) {
	root := t.TempDir() // absolute on any system
	home := filepath.Join(root, "home")
	for _, c := range []struct {
		name   string
		system string
		env    map[string]string
		want   string
	}{
		{"linux", "linux", map[string]string{"HOME": home}, filepath.Join(home, ".local", "share")},
		{"linux with XDG_DATA_HOME", "linux", map[string]string{"HOME": home, "XDG_DATA_HOME": root}, root},
		{"linux with a relative XDG_DATA_HOME", "linux", map[string]string{"HOME": home, "XDG_DATA_HOME": "data"}, filepath.Join(home, ".local", "share")},
		{"linux with nothing", "linux", nil, ""},
		{"mac", "darwin", map[string]string{"HOME": home, "XDG_DATA_HOME": root}, filepath.Join(home, "Library", "Application Support")},
		{"mac with nothing", "darwin", nil, ""},
		{"windows", "windows", map[string]string{"HOME": home, "LocalAppData": root}, root},
		{"windows with nothing", "windows", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := DataDirectory(console.Console{Getenv: func(name string) string { return c.env[name] }}, c.system)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
