package build

import (
	"testing"

	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/oracle"
	"github.com/hlocc/hlocc/lower/decoder"
)

// batchSlots is the batch that the tests of fixtures build.
const batchSlots = 3

// A raggedRun feeds the cases of an oracle to the slots of a batch: slot 0 starts at
// once, slot 1 two steps later, slot 2 never has a token. Slot 1 pauses in the middle.
//
// Where the length of a sequence makes a difference to all of it, slot 0 is long from
// the start and slot 1 stays short.
type raggedRun struct {
	cases    [2][]int32
	expected [2]int // tokens that the sequence is said to get
	done     [2]int
	active   [2]bool
}

// newRaggedRun makes the sequences; lengths up to short are all alike, 0 if all are.
func newRaggedRun(o *oracle.Oracle, context, short int) *raggedRun {
	var r raggedRun
	for slot := range r.cases {
		c := o.Cases[min(slot, len(o.Cases)-1)]
		r.cases[slot] = append(append([]int32{}, c.Prompt...), c.New...)
	}
	if len(o.Cases) == 1 { // another sequence: slots that mix their rows must not go unseen
		r.cases[1] = r.cases[1][3:]
	}
	length := context
	if short == 0 {
		length = min(length, 20) // further than every window of the fixtures
	}
	for slot, c := range r.cases {
		r.cases[slot] = c[:min(len(c), length)]
	}
	if short > 0 {
		r.cases[1] = r.cases[1][:min(len(r.cases[1]), short)]
		r.expected[0] = len(r.cases[0])
	}
	return &r
}

// inputs are the tokens and positions of a step; idle slots have any token, at
// the position behind the context.
func (r *raggedRun) inputs(step, context int) (tokens, positions, extents []int32) {
	extents = make([]int32, batchSlots)
	tokens, positions = []int32{17, 17, 17}, []int32{int32(context), int32(context), int32(context)}
	for slot := range r.cases {
		r.active[slot] = r.done[slot] < len(r.cases[slot]) && (slot == 0 || step >= 2 && step != 7)
		if r.active[slot] {
			tokens[slot], positions[slot] = r.cases[slot][r.done[slot]], int32(r.done[slot])
			extents[slot] = max(positions[slot]+1, int32(r.expected[slot]))
		}
	}
	return tokens, positions, extents
}

// check holds the rows of the active slots against those of single sequences.
func (r *raggedRun) check(t *testing.T, step int, single [2]*Reference, next []int32, logits []float32) {
	t.Helper()
	vocab := len(logits) / batchSlots
	for slot := range r.cases {
		if !r.active[slot] {
			continue
		}
		id, row, err := single[slot].Step(t.Context(), r.cases[slot][r.done[slot]])
		if err != nil {
			t.Fatal(err)
		}
		r.done[slot]++
		// One row and several may be summed in different orders.
		limit := oracle.RowTolerance(row) / 10
		d, _ := maxDifference(row, logits[slot*vocab:(slot+1)*vocab])
		if !(d <= limit) || float64(row[id]-row[next[slot]]) > 2*limit {
			t.Fatalf("step %d, slot %d: token %d, alone %d; logits differ by %g", step, slot, next[slot], id, d)
		}
	}
}

func (r *raggedRun) finished() bool {
	return r.done[0] == len(r.cases[0]) && r.done[1] == len(r.cases[1])
}

// Every row of a ragged batch is what its sequence gives alone, whatever other
// slots hold: on the interpreter, for every fixture. Package runtime has the test of
// compiled code.
func TestBatchOnInterpreter(t *testing.T) {
	for _, name := range fixtures.Names(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, o, options := openFixture(t, name)
			options.Slots = []int{batchSlots}
			plan, err := NewPlan(m, options)
			if err != nil {
				t.Fatal(err)
			}
			batch, run := NewReference(m, plan), newRaggedRun(o, plan.Context, decoder.Switch(m.Spec, plan.Context))
			single := [2]*Reference{NewReference(m, plan), NewReference(m, plan)}
			for slot, r := range single {
				r.Expect(run.expected[slot])
			}
			g := plan.Graphs[len(plan.Graphs)-1]
			for step := 0; !run.finished(); step++ {
				tokens, positions, extents := run.inputs(step, plan.Context)
				next, logits, err := batch.Batch(t.Context(), g, tokens, positions, extents)
				if err != nil {
					t.Fatal(err)
				}
				run.check(t, step, single, next, logits)
			}
		})
	}
}
