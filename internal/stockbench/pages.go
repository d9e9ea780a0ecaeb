package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// hugePages says how much of a file this process has mapped, and how much of that
// in huge pages, in bytes; zeros where the system does not tell. Whether the page
// cache holds a bundle in huge pages decides a tenth or two of the time of a decode
// step with one thread.
func hugePages(path string) (huge, mapped int64) {
	path, err := filepath.EvalSymlinks(path)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return 0, 0
	}
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return 0, 0
	}
	defer f.Close()
	within := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		key, value, _ := strings.Cut(line, ":")
		if strings.Contains(key, "-") { // the head of a mapping: addresses, rights, device, inode, path
			within = strings.HasSuffix(line, " "+path)
			continue
		}
		if !within {
			continue
		}
		kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		switch {
		case err != nil:
		case key == "FilePmdMapped":
			huge += kb << 10
		case key == "Rss":
			mapped += kb << 10
		}
	}
	return huge, mapped
}
