package hal

// processorData is what dispatches may look at to choose code for the CPU.
func processorData() (words [8]uint64) {
	for _, f := range features() {
		if f.have {
			words[0] |= 1 << f.bit
		}
	}
	return words
}

func lookupFeature(name string) (int64, bool) {
	for _, f := range features() {
		if f.name == name {
			return boolean(f.have), true
		}
	}
	return 0, false
}
