package web

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the numbers at /metrics, in the format of Prometheus.
type metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec
	seconds   *prometheus.HistogramVec
	working   prometheus.Gauge
	positions prometheus.Counter
	panics    prometheus.Counter
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bohnenspiel_requests_total", Help: "Requests answered, by route and HTTP status.",
		}, []string{"route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "bohnenspiel_request_seconds", Help: "Time from the header of a request to the end of its answer, by route.",
			Buckets: []float64{.00005, .0001, .0002, .0005, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10},
		}, []string{"route"}),
		working: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "bohnenspiel_requests_working", Help: "Requests that are worked on.",
		}),
		positions: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "bohnenspiel_positions_total", Help: "Positions looked up.",
		}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "bohnenspiel_panics_total", Help: "Requests whose handler panicked.",
		}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.working, m.positions, m.panics,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// handler prints all numbers.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// count takes account of a request. A route is a pattern of the server, not an address,
// so there are few.
func (m *metrics) count(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}
