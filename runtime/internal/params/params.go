// Package params gives compiled programs their parameters: named ranges of
// bytes that live outside the program, such as weights.
package params

// Source provides parameters.
type Source interface {
	// Parameter gives the bytes of a parameter, nil if there is none of that
	// name; an error is for one that exists and cannot be had.
	//
	// The bytes must not change, must outlive every program that was loaded
	// with the Source, and must be aligned to 64 bytes: compiled code reads
	// them in place.
	Parameter(scope, key string) ([]byte, error)
}

// Sink is a Source whose parameters programs may write to.
type Sink interface {
	Source
	// WriteParameter gives the bytes of a parameter for writing, nil if there
	// is none of that name.
	WriteParameter(scope, key string) ([]byte, error)
}

// Map is a Source in memory, by scope and key.
type Map map[string]map[string][]byte

// Parameter implements Source.
func (m Map) Parameter(scope, key string) ([]byte, error) { return m[scope][key], nil }

// Add sets a parameter.
func (m Map) Add(scope, key string, data []byte) {
	if m[scope] == nil {
		m[scope] = map[string][]byte{}
	}
	m[scope][key] = data
}

// Set is several sources as one; the first that has a parameter gives it.
type Set []Source

// Parameter implements Source.
func (s Set) Parameter(scope, key string) ([]byte, error) {
	for _, src := range s {
		if data, err := src.Parameter(scope, key); data != nil || err != nil {
			return data, err
		}
	}
	return nil, nil
}
