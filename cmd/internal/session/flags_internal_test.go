package session

import (
	"testing"
)

func TestByteSize(t *testing.T) {
	for text, want := range map[string]ByteSize{
		"1": 1, "1073741824": 1 << 30, "100B": 100, "8GiB": 8 << 30, "500MB": 500_000_000, "1.5kB": 1500, "0.5TiB": 1 << 39,
		"8gib": 8 << 30, "16EB": 16_000_000_000_000_000_000,
	} {
		var got ByteSize
		if err := got.Set(text); err != nil || got != want {
			t.Errorf("Set(%q): got %d, error %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", " ", "0", "0GB", "0.1B", "-1", "+1", "1.5", "8G", "8g", "8Gi", "8 GiB", "8GiB ", "1,000", "1e9", "GiB", "8GiBB", "8XB", "1..5kB",
		"17EiB", "0x10", "NaN", "∞", "٣GB", "eight",
	} {
		got := ByteSize(7)
		if err := got.Set(text); err == nil || got != 7 {
			t.Errorf("Set(%q): got %d, want an error and no change", text, got)
		}
	}
}
