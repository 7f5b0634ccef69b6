package search

import "iter"

// Record is what a search remembers of a question, in a form that can be kept and given
// to another search of the same game.
type Record struct {
	Question Question
	// Yes and No are proof numbers. Where Yes is 0 the answer is yes, where No is 0 it is
	// no, and this is certain; otherwise they are estimates.
	Yes, No uint32
	// Length orders proofs: see [Step].
	Length uint32
	// Work is the number of positions visited to find this out.
	Work uint32
}

// Verdict returns the answer that the record holds.
func (r Record) Verdict() Verdict { return verdictOf(numbers{r.Yes, r.No}) }

// Records yields what the search remembers, as far as at least so many positions were
// visited for it. It may be used while a question is being decided.
func (s *Search) Records(work uint32) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		s.table.all(func(e entry) bool {
			if e.work < work {
				return true
			}
			return yield(Record{Question: e.question, Yes: e.numbers.yes, No: e.numbers.no, Length: e.length, Work: e.work})
		})
	}
}

// Restore makes the search remember a record. Answers in it are believed.
func (s *Search) Restore(r Record) {
	s.table.store(entry{question: r.Question, numbers: numbers{r.Yes, r.No}, length: r.Length, work: r.Work})
}
