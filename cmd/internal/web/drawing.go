package web

import (
	"fmt"
	"html/template"
	"math"
	"strings"
)

// bean is where a bean lies in a drawing: its middle, its half axes, and the angle in
// degrees by which it is turned.
type bean struct {
	X, Y, Long, Short, Turn float64
}

// The drawings of a pit and a store. A pit is a square of side pitSide that a circle
// fills; a store is upright.
const (
	pitSide     = 100
	storeWidth  = 60
	storeHeight = 200
	mostInPit   = 24 // beans that are drawn; the number beside tells all
	mostInStore = 72
)

// beansInPit returns how n beans lie in a pit: in up to three rings. More than
// mostInPit are not drawn.
func beansInPit(n int) []bean {
	n = min(n, mostInPit)
	var counts []int // beans of each ring, the inner first
	var radii []float64
	long := 6.4
	switch {
	case n == 0:
		return nil
	case n == 1:
		counts, radii, long = []int{1}, []float64{0}, 11
	case n <= 5:
		counts, radii, long = []int{n}, []float64{11 + 2.4*float64(n)}, 10.5
	case n <= 8:
		counts, radii, long = []int{1, n - 1}, []float64{0, 27}, 9.5
	case n <= 12:
		counts, radii, long = []int{3, n - 3}, []float64{12, 31}, 8.4
	case n <= 17:
		counts, radii, long = []int{1, 5, n - 6}, []float64{0, 17, 34}, 7.2
	default:
		counts, radii = []int{2, 8, n - 10}, []float64{7, 21, 36}
	}
	var all []bean
	for ring, count := range counts {
		for i := range count {
			around := 2*math.Pi*float64(i)/float64(count) + 0.5*float64(ring) + 0.35*float64(n)
			all = append(all, bean{
				X:    pitSide/2 + radii[ring]*math.Cos(around),
				Y:    pitSide/2 + radii[ring]*math.Sin(around),
				Long: long, Short: 0.72 * long,
				Turn: math.Mod(float64(137*len(all)+31*n), 360),
			})
		}
	}
	return all
}

// beansInStore returns how the first n beans lie in a store, from the bottom up.
// Those of fewer beans lie in the same places.
func beansInStore(n int) []bean {
	const columns, side, end = 4, 12, 19 // beans in a row, and how far they stay from the edges
	const across = (storeWidth - 2*side) / (columns - 1.0)
	const up = (storeHeight - 2*end) / (mostInStore/columns - 1.0)
	all := make([]bean, 0, mostInStore)
	for i := range min(n, mostInStore) {
		all = append(all, bean{
			X:    side + across*float64(i%columns),
			Y:    storeHeight - end - up*float64(i/columns),
			Long: 6, Short: 4.2,
			Turn: math.Mod(float64(137*i), 180),
		})
	}
	return all
}

// drawBeans returns beans as SVG. Those from number shown on are there, but do not
// show.
func drawBeans(beans []bean, shown int) template.HTML {
	var text strings.Builder
	for i, b := range beans {
		off := ""
		if i >= shown {
			off = ` class="off"`
		}
		fmt.Fprintf(&text, `<ellipse cx="%.0f" cy="%.0f" rx="%.3g" ry="%.2g" transform="rotate(%.0f %.0f %.0f)"%s/>`,
			b.X, b.Y, b.Long, b.Short, b.Turn, b.X, b.Y, off)
	}
	return template.HTML(text.String()) // numbers only
}

// drawPit returns the beans of a pit.
func drawPit(beans int) template.HTML { return drawBeans(beansInPit(beans), mostInPit) }

// drawStore returns places for mostInStore beans, of which the first show.
func drawStore(beans int) template.HTML { return drawBeans(beansInStore(mostInStore), beans) }

// drawSymbols returns a symbol for each number of beans in a pit: p0, p1 and so on.
func drawSymbols() template.HTML {
	var text strings.Builder
	for n := range mostInPit + 1 {
		fmt.Fprintf(&text, `<symbol id="p%d" viewBox="0 0 %d %d">%s</symbol>`, n, pitSide, pitSide, drawPit(n))
	}
	return template.HTML(text.String()) // numbers only
}
