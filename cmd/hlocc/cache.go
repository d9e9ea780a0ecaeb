package main

import (
	"time"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/internal/compile"
)

func cacheCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "cache",
		Usage: "show and clean the cache of compiled modules",
		Action: func(c *cli.Context) error {
			return usage("", "give `hlocc cache path`, `hlocc cache ls` or `hlocc cache gc`", "what about the cache?")
		},
		Subcommands: []*cli.Command{
			{
				Name: "path", Usage: "print the cache's folder",
				Description: examples("Prints the folder: $HLOCC_CACHE, else one in the user's cache folder.", "hlocc cache path"),
				Flags:       []cli.Flag{jsonFlag()},
				Action:      action(e, runCachePath),
			},
			{
				Name: "ls", Usage: "list the modules in the cache",
				Description: examples("Lists the modules, the most recently used first.", "hlocc cache ls", "hlocc cache ls --json"),
				Flags:       []cli.Flag{jsonFlag()},
				Action:      action(e, runCacheList),
			},
			{
				Name: "gc", Usage: "remove modules that were not used for long",
				Description: examples("Removes modules, those first that were not used for longest, until the limits hold, and what interrupted\n"+
					"builds left. 0 means no limit.", "hlocc cache gc", "hlocc cache gc --max-age 24h --max-size 500 --dry-run"),
				Flags: []cli.Flag{
					&cli.DurationFlag{Name: "max-age", Value: compile.DefaultGC.MaxAge, Usage: "remove what was not used for this `TIME`"},
					&cli.Int64Flag{Name: "max-size", Value: compile.DefaultGC.MaxBytes / 1e6, Usage: "keep at most `MB` megabytes"},
					&cli.BoolFlag{Name: "dry-run", Usage: "only say what would be removed", DisableDefaultText: true},
					jsonFlag(),
				},
				Action: action(e, runCacheGC),
			},
		},
	}
}

func runCachePath(c *cli.Context, e *env) error {
	if _, err := positional(c); err != nil {
		return err
	}
	dir, err := compile.DefaultCacheDir()
	if err != nil {
		return err
	}
	if e.json {
		return e.printJSON(map[string]string{"path": dir})
	}
	e.printf("%s\n", dir)
	return nil
}

func runCacheList(c *cli.Context, e *env) error {
	if _, err := positional(c); err != nil {
		return err
	}
	cache, err := openCache()
	if err != nil {
		return err
	}
	entries, err := cache.Entries()
	if err != nil {
		return err
	}
	if e.json {
		return e.printJSON(map[string]any{"path": cache.Dir(), "entries": append([]compile.Entry{}, entries...)})
	}
	var total int64
	for _, m := range entries {
		total += m.Size
		e.printf("%s  %9s  %s  %-12s %s\n", m.Key[:min(12, len(m.Key))], size(m.Size), m.LastUse.Format(time.DateTime), m.Target, m.Graph)
	}
	e.printf("%d modules, %s, in %s\n", len(entries), size(total), cache.Dir())
	return nil
}

func runCacheGC(c *cli.Context, e *env) error {
	if _, err := positional(c); err != nil {
		return err
	}
	o := compile.GCOptions{MaxAge: c.Duration("max-age"), MaxBytes: c.Int64("max-size") * 1e6, DryRun: c.Bool("dry-run")}
	if o.MaxAge < 0 || o.MaxBytes < 0 {
		return usage("", "give 0 or more", "a limit of the cache cannot be negative")
	}
	cache, err := openCache()
	if err != nil {
		return err
	}
	r, err := cache.GC(o)
	if err != nil {
		return err
	}
	if e.json {
		return e.printJSON(r)
	}
	verb := "removed"
	if o.DryRun {
		verb = "would remove"
	}
	e.printf("%s %d modules (%s), %d are left (%s)\n", verb, r.Removed, size(r.RemovedBytes), r.Kept, size(r.KeptBytes))
	return nil
}
