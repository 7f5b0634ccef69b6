package search

import "slices"

// An answer that leans on frames says: "if the forcers of these questions fail, this
// one fails too". All of them have the same forcer, as only quiet moves lie between.
// It may be used as long as the frames are on the path. What becomes of it is settled
// when the last of them, the one that is deepest, leaves the path:
//
//   - its forcer has failed, leaning on nothing: so the answer leans on one frame less;
//     if that was all, it holds everywhere;
//   - its forcer has failed, leaning on other frames: the answer leans on those instead;
//   - anything else: the answer is forgotten.

// close takes the last frame off the path. It stores what was found, in the table
// where it holds everywhere, else among the assumed answers, and settles the answers
// that lean on the frame. Result leans on the frame itself no more afterwards.
func (w *worker) close(f *frame, result *outcome, work uint32) {
	w.depth--
	self := w.depth
	result.leans = without(result.leans, self)
	// A forcer who fails gives the answer of endless play.
	failed := !result.numbers.open() && (result.numbers.yes == 0) == f.question.endless()
	for _, q := range f.lent {
		o, ok := w.assumed[q]
		delete(w.assumed, q)
		if !ok || !failed {
			continue
		}
		o.leans = union(without(o.leans, self), result.leans)
		w.keep(q, o, 1)
	}
	if failed {
		result.length = 0
	}
	w.keep(f.question, *result, work)
}

// keep stores what was found out about a question that is not on the path.
func (w *worker) keep(q Question, o outcome, work uint32) {
	if len(o.leans) == 0 {
		w.search.table.store(entry{question: q, numbers: o.numbers, length: o.length, work: work})
		return
	}
	last := w.frames[o.leans[len(o.leans)-1]]
	last.lent = append(last.lent, q)
	w.assumed[q] = o
}

// without returns an ascending list without one of its elements. It may return the
// list, and changes nothing.
func without(list []int, element int) []int {
	at, ok := slices.BinarySearch(list, element)
	if !ok {
		return list
	}
	return slices.Concat(list[:at], list[at+1:])
}

// union returns the elements of two ascending lists, each once. It may return one of
// the lists, and changes nothing.
func union(a, b []int) []int {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
