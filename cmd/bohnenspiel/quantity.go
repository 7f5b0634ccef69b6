package main

import (
	"fmt"
	"strconv"
	"time"
)

// count prints a whole number with commas between thousands, such as 6,015,626.
func count(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// signed prints a number of beans with its sign, such as +4; 0 has none.
func signed(n int64) string {
	switch {
	case n > 0:
		return "+" + count(uint64(n))
	case n < 0:
		return "-" + count(-uint64(n))
	default:
		return "0"
	}
}

// things prints a number with its noun, in the plural unless it is one.
func things(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// percent prints part as a share of whole, such as 27.3%.
func percent(part, whole uint64) string {
	if whole == 0 {
		return "0.0%"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(whole))
}

// portion prints a fraction from 0 to 1, such as 63% or 2.5%.
func portion(fraction float64) string {
	if fraction < 0.0995 {
		return fmt.Sprintf("%.1f%%", 100*fraction)
	}
	return fmt.Sprintf("%.0f%%", 100*fraction)
}

// size prints a number of bytes in decimal units, such as 12.4 MB.
func size(bytes uint64) string {
	if bytes < 1000 {
		return fmt.Sprintf("%d B", bytes)
	}
	value, unit := scale(float64(bytes))
	return fmt.Sprintf("%s %sB", value, unit)
}

// rate prints a speed, such as 4.13 M positions/s.
func rate(positions uint64, took time.Duration) string {
	if took <= 0 {
		return "- positions/s"
	}
	value, unit := scale(float64(positions) / took.Seconds())
	if unit != "" {
		unit += " "
	}
	return fmt.Sprintf("%s %spositions/s", value, unit)
}

// scale divides a value by the decimal prefix that suits it.
func scale(value float64) (digits, prefix string) {
	for _, prefix = range []string{"", "k", "M", "G"} {
		if value < 999.5 {
			return threeDigits(value), prefix
		}
		value /= 1000
	}
	return threeDigits(value), "T"
}

func threeDigits(value float64) string {
	switch {
	case value < 9.995:
		return fmt.Sprintf("%.2f", value)
	case value < 99.95:
		return fmt.Sprintf("%.1f", value)
	default:
		return fmt.Sprintf("%.0f", value)
	}
}

// span prints a time in the units a person would use, such as 2 min 5 s.
func span(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
	default:
		return fmt.Sprintf("%d d %d h", int(d.Hours())/24, int(d.Hours())%24)
	}
}

// roughly prints a time that is only a guess, such as 95 s or 12 min.
func roughly(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 48*time.Hour:
		return fmt.Sprintf("%.0f h", d.Hours())
	default:
		return fmt.Sprintf("%.0f d", d.Hours()/24)
	}
}
