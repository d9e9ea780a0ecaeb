package progress

import (
	"fmt"
	"strings"
	"time"
)

// running is "weights 120.0/269.1 MB 45% 84 MB/s 2s left".
func (s *Stage) running(now time.Time) string {
	var b strings.Builder
	elapsed := now.Sub(s.start)
	b.WriteString(s.name)
	switch {
	case s.total > 0 && s.unit == Bytes:
		fmt.Fprintf(&b, " %.1f/%.1f MB %d%%", mb(s.count), mb(s.total), min(100, 100*s.count/s.total))
	case s.total > 0:
		fmt.Fprintf(&b, " %d/%d", s.count, s.total)
	case s.unit == Bytes && s.count > 0:
		fmt.Fprintf(&b, " %.1f MB", mb(s.count))
	case s.count > 0:
		fmt.Fprintf(&b, " %d", s.count)
	}
	if s.count > 0 && s.unit == Bytes && elapsed >= time.Second {
		fmt.Fprintf(&b, " %.0f MB/s", mb(s.count)/elapsed.Seconds())
	}
	// A rate from less than a second says little, and nothing is left to say at the end.
	if s.count > 0 && s.count < s.total && elapsed >= time.Second {
		left := time.Duration(float64(elapsed) / float64(s.count) * float64(s.total-s.count))
		fmt.Fprintf(&b, " %s left", Duration(left))
	} else if elapsed >= time.Second {
		fmt.Fprintf(&b, " %s", Duration(elapsed))
	}
	return b.String()
}

// finished is "weights: 269.1 MB in 3.2s (84 MB/s), detail".
func (s *Stage) finished(now time.Time, detail string) string {
	var b strings.Builder
	elapsed := now.Sub(s.start)
	b.WriteString(s.name)
	b.WriteString(":")
	switch {
	case s.unit == Bytes && s.count > 0:
		fmt.Fprintf(&b, " %.1f MB", mb(s.count))
	case s.count > 0:
		fmt.Fprintf(&b, " %d", s.count)
	default:
		b.WriteString(" done")
	}
	fmt.Fprintf(&b, " in %s", Duration(elapsed))
	if s.unit == Bytes && s.count > 0 && elapsed >= 100*time.Millisecond {
		fmt.Fprintf(&b, " (%.0f MB/s)", mb(s.count)/elapsed.Seconds())
	}
	if detail != "" {
		b.WriteString(", " + detail)
	}
	return b.String()
}

func mb(n int64) float64 { return float64(n) / 1e6 }

// Duration prints a time for people: "0.4s", "12s", "3m05s", "2h10m".
func Duration(d time.Duration) string {
	switch {
	case d < 9950*time.Millisecond:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d.Round(time.Second) < time.Minute:
		return fmt.Sprintf("%.0fs", d.Seconds())
	case d.Round(time.Second) < time.Hour:
		d = d.Round(time.Second)
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
}
