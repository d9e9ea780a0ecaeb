//go:build !linux

package main

// evict does nothing, so that a cold start is not measured.
func evict(string) error { return nil }

// cached does not know and says more than any bound.
func cached(string) (int64, error) { return 1 << 62, nil }
