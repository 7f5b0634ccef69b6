package words

import (
	"math"
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0", 999: "999", 1000: "1,000", 6015626: "6,015,626", math.MaxUint64: "18,446,744,073,709,551,615",
	} {
		if got := Count(n); got != want {
			t.Errorf("count(%d): got %q, want %q", n, got, want)
		}
	}
}

func TestSigned(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 4: "+4", -1234: "-1,234", math.MinInt64: "-9,223,372,036,854,775,808"} {
		if got := Signed(n); got != want {
			t.Errorf("signed(%d): got %q, want %q", n, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0 B", 999: "999 B", 1000: "1.00 kB", 9994: "9.99 kB", 9996: "10.0 kB", 99_960: "100 kB", 999_499: "999 kB",
		999_600: "1.00 MB", 2_698_711: "2.70 MB", 1_250_000_000: "1.25 GB", 3_000_000_000_000: "3.00 TB",
	} {
		if got := Size(n); got != want {
			t.Errorf("size(%d): got %q, want %q", n, got, want)
		}
	}
}

func TestRate(t *testing.T) {
	for _, c := range []struct {
		positions uint64
		took      time.Duration
		want      string
	}{
		{1000, 0, "- positions/s"},
		{1, time.Second, "1.00 positions/s"},
		{84_672_315, 4 * time.Second, "21.2 M positions/s"},
	} {
		if got := Rate(c.positions, c.took); got != c.want {
			t.Errorf("rate(%d, %v): got %q, want %q", c.positions, c.took, got, c.want)
		}
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                                "0 ms",
		999 * time.Millisecond:           "999 ms",
		4200 * time.Millisecond:          "4.2 s",
		59*time.Second + 900*1000*1000:   "59 s",
		125 * time.Second:                "2 min 5 s",
		3*time.Hour + 25*time.Minute + 1: "3 h 25 min",
		100 * time.Hour:                  "4 d 4 h",
	} {
		if got := Span(d); got != want {
			t.Errorf("span(%v): got %q, want %q", d, got, want)
		}
	}
}

func TestPortion(t *testing.T) {
	for fraction, want := range map[float64]string{0: "0.0%", 0.0149: "1.5%", 0.0996: "10%", 0.634: "63%", 1: "100%"} {
		if got := Portion(fraction); got != want {
			t.Errorf("portion(%v): got %q, want %q", fraction, got, want)
		}
	}
}

func TestRoughly(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 s", 1600 * time.Millisecond: "2 s", 119 * time.Second: "119 s", 125 * time.Second: "2 min", 119 * time.Minute: "119 min",
		2*time.Hour + 40*time.Minute: "3 h", 60 * time.Hour: "2 d",
	} {
		if got := Roughly(d); got != want {
			t.Errorf("roughly(%v): got %q, want %q", d, got, want)
		}
	}
}

func TestLayerList(t *testing.T) {
	for _, c := range []struct {
		beans []int
		want  string
	}{
		{[]int{4}, "layer 4"},
		{[]int{0, 2, 4, 6}, "layers 0, 2, 4, 6"},
		{[]int{0, 2, 4, 6, 8}, "layers 0, 2, …, 8"},
		{[]int{3, 4, 5, 6, 7}, "layers 3, 4, …, 7"},
		{[]int{0, 2, 4, 6, 10}, "layers 0, 2, 4, 6, 10"},
	} {
		if got := LayerList(c.beans); got != c.want {
			t.Errorf("layerList(%v): got %q, want %q", c.beans, got, c.want)
		}
	}
}
