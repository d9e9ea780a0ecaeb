package compile

import (
	"context"
	"time"
)

// lock waits for the right to compute an entry, so that two builds that want the
// same module do not both compile it. Where files cannot be locked it returns at
// once: the work is then done twice, with the same result.
func (c *Cache) lock(ctx context.Context, key string) (*fileLock, error) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if l, ok := tryLock(c.path("lock", key)); ok {
			return l, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-tick.C:
		}
	}
}
