package web

import (
	"fmt"
	"strconv"
	"strings"
)

// count prints a whole number with marks between thousands: 6,015,626, in German
// 6.015.626.
func count(n uint64, language string) string {
	mark := ","
	if language == german {
		mark = "."
	}
	digits := strconv.FormatUint(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + mark + digits[i:]
	}
	return digits
}

// percent prints part as a share of whole: 27.3%, in German 27,3 %.
func percent(part, whole uint64, language string) string {
	share := 0.0
	if whole > 0 {
		share = 100 * float64(part) / float64(whole)
	}
	if language == german {
		return strings.Replace(fmt.Sprintf("%.1f\u00a0%%", share), ".", ",", 1)
	}
	return fmt.Sprintf("%.1f%%", share)
}

// signed prints a number of beans with its sign, +4 or −4; 0 has none.
func signed(n int) string {
	switch {
	case n > 0:
		return fmt.Sprintf("+%d", n)
	case n < 0:
		return fmt.Sprintf("−%d", -n)
	default:
		return "0"
	}
}

// lossStep returns the shade in which a number of lost beans is shown, from 0 for none
// to 4 for many.
func lossStep(lost int) int {
	switch {
	case lost == 0:
		return 0
	case lost <= 2:
		return 1
	case lost <= 4:
		return 2
	case lost <= 8:
		return 3
	default:
		return 4
	}
}
