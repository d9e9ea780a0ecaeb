package ir

import "fmt"

// An Error says where in the model a graph cannot be built and why. It is what
// a wrong size in a model's description leads to. Wrong calls of this package
// (a nil operand, a value of another graph, a name that is not an identifier)
// are mistakes in the program and panic instead.
type Error struct {
	Graph string // name of the graph
	Loc   string // location in the model, "" for the graph as a whole
	Op    string // operation, "" if none
	Err   error
}

func (e *Error) Error() string {
	s := ""
	if e.Loc != "" {
		s = e.Loc + ": "
	} else if e.Graph != "" {
		s = "graph " + e.Graph + ": "
	}
	if e.Op != "" {
		s += e.Op + ": "
	}
	return s + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// misuse stops the program at a mistake of its own.
func misuse(loc, format string, a ...any) {
	msg := fmt.Sprintf(format, a...)
	if loc != "" {
		msg = loc + ": " + msg
	}
	panic("ir: BUG: " + msg)
}
