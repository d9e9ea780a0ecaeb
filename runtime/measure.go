package runtime

import "time"

// KernelTime is the time that all calls of one function of the compiled code took, or of
// one kind of copy. With several threads it is the time until the thread that called
// the model had got past it.
type KernelTime struct {
	Name  string
	Calls int64
	Time  time.Duration
}

// TakeProfile says what the calls since the last TakeProfile spent their time on, the
// most first; nothing unless Options.Profile is set. What is missing to the time of
// the calls was spent between the functions.
func (m *Model) TakeProfile() []KernelTime { return m.device.profile() }

// MemoryProbe measures how fast the threads of a model read memory: what decoding,
// which reads all weights for every token, is to be compared with.
type MemoryProbe struct{ p prober }

// NewMemoryProbe allocates and touches size bytes; they should be many times the
// processor's caches. Close the probe before the model.
func (m *Model) NewMemoryProbe(size int64) (*MemoryProbe, error) {
	p, err := m.device.probe(size)
	if err != nil {
		return nil, err
	}
	return &MemoryProbe{p}, nil
}

// Run reads all of the memory once, with all threads of the model, and gives the bytes
// per second.
func (p *MemoryProbe) Run() (float64, error) { return p.p.Run() }

// Close gives the memory back.
func (p *MemoryProbe) Close() { p.p.Close() }
