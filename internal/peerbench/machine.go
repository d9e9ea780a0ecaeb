package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// A machine is where figures come from. What the system does not tell is empty.
type machine struct {
	CPU        string  `json:"cpu"`
	CPUs       int     `json:"cpus"`
	MemoryGB   float64 `json:"memory_gb"`
	Kernel     string  `json:"kernel"`
	LoadBefore string  `json:"load_average_before"`
	LoadAfter  string  `json:"load_average_after,omitempty"`
}

func thisMachine() machine {
	m := machine{CPU: field("/proc/cpuinfo", "model name"), CPUs: runtime.NumCPU(), LoadBefore: loadAverage()}
	if kb, err := strconv.ParseFloat(strings.TrimSuffix(field("/proc/meminfo", "MemTotal"), " kB"), 64); err == nil {
		m.MemoryGB = kb * 1024 / 1e9
	}
	if b, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		m.Kernel, _, _ = strings.Cut(strings.TrimSpace(string(b)), "-") // the rest names a build of one host
	}
	return m
}

func (m machine) String() string {
	s := fmt.Sprintf("%s, %d CPUs, %.0f GB, Linux %s, load average %s", m.CPU, m.CPUs, m.MemoryGB, m.Kernel, m.LoadBefore)
	if m.LoadAfter != "" {
		s += " before and " + m.LoadAfter + " after"
	}
	return s
}

// field gives the value of the first line "name : value" of a file.
func field(path, name string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(b)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// loadAverage is that of the last minute.
func loadAverage() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(b), " ")
	return first
}
