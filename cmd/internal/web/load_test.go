package web_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"bohnenspiel/cmd/internal/web"
	"bohnenspiel/solver/game"
)

// someDiagrams returns positions of a layer, drawn at random with a fixed seed. The
// side to move has beans.
func someDiagrams(n, beans int) []game.Diagram {
	random := rand.New(rand.NewPCG(1, 2))
	all := make([]game.Diagram, 0, n)
	for len(all) < n {
		pits := make([]int, 12)
		for range beans {
			pits[random.IntN(len(pits))]++
		}
		d := game.Diagram{Width: 6, Rows: [2]game.Row{game.RowOf(pits[:6]...), game.RowOf(pits[6:]...)}, Stores: [2]int{30, 30}}
		if d.Position().Mover != 0 {
			all = append(all, d)
		}
	}
	return all
}

// BenchmarkPositionOnServer answers positions of 12 beans whose blocks are in the
// cache, without a network: what a request takes on the server.
func BenchmarkPositionOnServer(b *testing.B) {
	s := newServer(b, web.Options{})
	targets := make([]string, 0, 500)
	for _, d := range someDiagrams(cap(targets), 12) {
		targets = append(targets, "/v1/bohnenspiel?position="+d.String())
	}
	for _, target := range targets {
		wantAnswer(b, s, target)
	}
	for i := 0; b.Loop(); i++ {
		wantAnswer(b, s, targets[i%len(targets)])
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}

func wantAnswer(b *testing.B, s http.Handler, target string) {
	b.Helper()
	if head, text := ask(b, s, http.MethodGet, target, ""); head.StatusCode != http.StatusOK || !strings.HasPrefix(text, `{"position":"`) {
		b.Fatalf("%s: status %d, %s", target, head.StatusCode, text)
	}
}

// BenchmarkPositionOverHTTP asks for positions of 12 beans over connections that stay
// open, with clients in the same process: both ends share the processors.
func BenchmarkPositionOverHTTP(b *testing.B) {
	for _, set := range []struct {
		name      string
		positions int
	}{{"few", 100}, {"many", 20_000}} {
		b.Run("positions="+set.name, func(b *testing.B) {
			address := start(b, web.Options{})
			diagrams := someDiagrams(set.positions, 12)
			transport := &http.Transport{MaxIdleConnsPerHost: 8 * runtime.GOMAXPROCS(0), DisableCompression: true}
			defer transport.CloseIdleConnections()
			client := &http.Client{Transport: transport}
			b.SetParallelism(8)
			before := cpuSeconds(b, client, address)
			b.RunParallel(func(pb *testing.PB) {
				for i := rand.IntN(len(diagrams)); pb.Next(); i++ {
					d := diagrams[i%len(diagrams)]
					r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, fmt.Sprintf("http://%s/v1/bohnenspiel?position=%v", address, d), http.NoBody)
					if err != nil {
						b.Error(err)
						return
					}
					response, err := client.Do(r)
					if err != nil {
						b.Error(err)
						return
					}
					text, err := io.ReadAll(response.Body)
					_ = response.Body.Close() // it has been read
					if err != nil || response.StatusCode != http.StatusOK || !strings.Contains(string(text), `"score":`) {
						b.Errorf("status %d, %s, %v", response.StatusCode, text, err)
						return
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
			b.ReportMetric(float64(b.N)/(cpuSeconds(b, client, address)-before), "requests/CPU-s")
		})
	}
}

// cpuSeconds returns the processor time of this process, clients included, as the
// server tells it.
func cpuSeconds(b *testing.B, client *http.Client, address string) float64 {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, "http://"+address+"/metrics", http.NoBody)
	if err != nil {
		b.Fatal(err)
	}
	response, err := client.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }() // it is read to its end
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^process_cpu_seconds_total (\S+)$`).FindSubmatch(text)
	if found == nil {
		b.Skip("this system does not tell processor time")
	}
	seconds, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		b.Fatal(err)
	}
	return seconds
}
