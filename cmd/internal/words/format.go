package words

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"bohnenspiel/tablebase/build"
)

// Count prints a whole number with commas between thousands, such as 6,015,626.
func Count(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Signed prints a number of beans with its sign, such as +4; 0 has none.
func Signed[N ~int | ~int8 | ~int64](n N) string {
	switch {
	case n > 0:
		return "+" + Count(uint64(n))
	case n < 0:
		return "-" + Count(-uint64(n))
	default:
		return "0"
	}
}

// Things prints a number with its noun, in the plural unless it is one.
func Things[N ~int | ~uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Count(uint64(n)) + " " + noun + "s"
}

// Share returns part as a fraction of whole, and 0 of nothing.
func Share(part, whole uint64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// Percent prints part as a share of whole, such as 27.3%.
func Percent(part, whole uint64) string {
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(max(whole, 1)))
}

// Portion prints a fraction from 0 to 1, such as 63% or 2.5%.
func Portion(fraction float64) string {
	if fraction < 0.0995 {
		return fmt.Sprintf("%.1f%%", 100*fraction)
	}
	return fmt.Sprintf("%.0f%%", 100*fraction)
}

// Size prints a number of bytes in decimal units, such as 12.4 MB.
func Size(bytes uint64) string {
	if bytes < 1000 {
		return fmt.Sprintf("%d B", bytes)
	}
	value, unit := Scale(float64(bytes))
	return fmt.Sprintf("%s %sB", value, unit)
}

// Rate prints a speed, such as 4.13 M positions/s.
func Rate(positions uint64, took time.Duration) string {
	if took <= 0 {
		return "- positions/s"
	}
	value, unit := Scale(float64(positions) / took.Seconds())
	if unit != "" {
		unit += " "
	}
	return fmt.Sprintf("%s %spositions/s", value, unit)
}

// Scale divides a value by the decimal prefix that suits it.
func Scale(value float64) (digits, prefix string) {
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

// Seconds returns a time that is given as a number of seconds.
func Seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

// Span prints a time in the units a person would use, such as 2 min 5 s.
func Span(d time.Duration) string {
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

// Roughly prints a time that is only a guess, such as 95 s or 12 min.
func Roughly(d time.Duration) string {
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

// Costs says in words what a build takes.
func Costs(cost build.Cost) string {
	meanwhile := ""
	if cost.Kept > 0 {
		meanwhile = fmt.Sprintf(" (%s more meanwhile)", Size(cost.Kept))
	}
	return fmt.Sprintf("about %s, %s of disk%s and %s of memory", Span(cost.Time), Size(cost.Bytes), meanwhile, Size(cost.Memory))
}

// LayersAre names some layers as the subject of a sentence, such as
// "layers 0, 2, …, 16 are".
func LayersAre(beans []int) string {
	if len(beans) == 1 {
		return LayerList(beans) + " is"
	}
	return LayerList(beans) + " are"
}

// LayerList names some layers, given in ascending order. Long series with equal
// steps are cut short.
func LayerList(beans []int) string {
	words := make([]string, len(beans))
	equal := len(beans) > 4
	for i, n := range beans {
		words[i] = fmt.Sprint(n)
		equal = equal && (i < 2 || n-beans[i-1] == beans[1]-beans[0])
	}
	if equal {
		words = []string{words[0], words[1], "…", words[len(words)-1]}
	}
	noun := "layers "
	if len(beans) == 1 {
		noun = "layer "
	}
	return noun + strings.Join(words, ", ")
}

// MoveNumber returns the number of a move: of its pit, or 0 for a pass, which has none.
func MoveNumber(pit *int) int {
	if pit == nil {
		return 0
	}
	return *pit
}

// MoveName returns the name of a move by its number: a pit, or 0 for a pass.
func MoveName(number int) string {
	if number == 0 {
		return "pass"
	}
	return strconv.Itoa(number)
}

// PitList names pits, such as "2, 3 and 6".
func PitList(pits []int) string {
	words := make([]string, len(pits))
	for i, pit := range pits {
		words[i] = fmt.Sprint(pit)
	}
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Quote makes a word of the shell.
func Quote(word string) string {
	if !strings.ContainsAny(word, " \t\n'\"\\$`&|;<>()*?[]#~!{}") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Table sets cells in columns that are aligned to the right.
type Table struct {
	text   strings.Builder
	writer *tabwriter.Writer
}

// NewTable returns a table without rows.
func NewTable() *Table {
	t := &Table{}
	t.writer = tabwriter.NewWriter(&t.text, 0, 0, 2, ' ', tabwriter.AlignRight)
	return t
}

// Row adds a row of cells.
func (t *Table) Row(cells ...string) {
	// Writes to a string builder do not fail.
	_, _ = t.writer.Write([]byte(strings.Join(cells, "\t") + "\t\n"))
}

// String returns the table without blanks at the ends of lines.
func (t *Table) String() string {
	_ = t.writer.Flush() // as in row
	lines := strings.Split(t.text.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// Mapped returns what f makes of each element.
func Mapped[A, B any](all []A, f func(A) B) []B {
	result := make([]B, len(all))
	for i, one := range all {
		result[i] = f(one)
	}
	return result
}
