package held

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// InOrder computes n results on workers at once and hands them to take in the order
// of their numbers, one by one, while later ones are being computed. There are four
// results a worker; once taken, a result is used for another number, so it may own
// buffers that compute fills anew.
//
// It returns the first error of compute or take, or the context's.
func InOrder[T any](ctx context.Context, workers, n int, compute, take func(number int, result *T) error) error {
	type job struct {
		number int
		result T
		done   chan error
	}
	group, ctx := errgroup.WithContext(ctx)
	depth := 4 * workers
	free := make(chan *job, depth)
	for range depth {
		free <- &job{done: make(chan error, 1)}
	}
	todo := make(chan *job)           // to the workers
	ordered := make(chan *job, depth) // to take, in order
	group.Go(func() error {
		defer close(todo)
		defer close(ordered)
		for number := range n {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case j := <-free:
				j.number = number
				ordered <- j // has room for all jobs
				select {
				case <-ctx.Done():
					return ctx.Err()
				case todo <- j:
				}
			}
		}
		return nil
	})
	for range workers {
		group.Go(func() error {
			for j := range todo {
				j.done <- compute(j.number, &j.result)
			}
			return nil
		})
	}
	group.Go(func() error {
		for j := range ordered {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case err := <-j.done:
				if err != nil {
					return err
				}
			}
			if err := take(j.number, &j.result); err != nil {
				return err
			}
			free <- j
		}
		return nil
	})
	return group.Wait()
}
