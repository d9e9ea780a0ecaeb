package safetensors

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/strictjson"
)

// The file names of a checkpoint, as Hugging Face writes them.
const (
	SingleName = "model.safetensors"
	IndexName  = "model.safetensors.index.json"
)

const (
	maxIndex  = 100_000_000 // bytes of an index file
	maxShards = 4096
)

// Index says which shard holds which tensor.
type Index struct {
	Shards []string          // file names, sorted, each once
	Map    map[string]string // tensor name -> file name
}

// ParseIndex reads the text of a model.safetensors.index.json. Shard names must
// be plain file names: an index must not reach outside its own directory.
func ParseIndex(text []byte) (*Index, error) {
	x := &Index{}
	d := strictjson.NewDecoder(text)
	shards := map[string]struct{}{}
	err := d.Object(func(key string, _ int) error {
		switch key {
		case "weight_map":
			x.Map = map[string]string{}
			return d.Object(func(name string, offset int) error {
				file, err := d.String()
				if err != nil {
					return err
				}
				if name == "" || name == metadataKey {
					return d.Errorf(offset, "tensor name %s is not allowed", quote(name))
				}
				if why := badShardName(file); why != "" {
					return &diag.Error{Kind: diag.BadInput, Code: "index_shard_name", Where: "weight_map." + name,
						Message: "shard name " + why, Want: "a file name that ends in .safetensors, in the same directory", Found: quote(file)}
				}
				if _, ok := shards[file]; !ok && len(shards) == maxShards {
					return d.Errorf(offset, "more than %d shards", maxShards)
				}
				shards[file] = struct{}{}
				x.Map[name] = file
				return nil
			})
		case "metadata":
			if d.Kind() == strictjson.Null {
				return d.Null()
			}
			// Informational: total_size is wrong in many published checkpoints.
			return d.Object(func(string, int) error { return d.Skip() })
		}
		return d.Skip()
	})
	if err == nil {
		err = d.End()
	}
	if err != nil {
		if syntax, ok := errors.AsType[*strictjson.SyntaxError](err); ok {
			return nil, &diag.Error{Kind: diag.BadInput, Code: "index_json", Where: fmt.Sprintf("%d:%d", syntax.Line, syntax.Column), Message: syntax.Msg}
		}
		return nil, err
	}
	if len(x.Map) == 0 {
		return nil, &diag.Error{Kind: diag.BadInput, Code: "index_json", Where: "weight_map", Message: "missing or empty",
			Want: "an object that maps tensor names to shard files"}
	}
	for file := range shards {
		x.Shards = append(x.Shards, file)
	}
	sort.Strings(x.Shards)
	return x, nil
}

func badShardName(s string) string {
	switch {
	case strings.ContainsAny(s, "/\\:\x00"):
		return "contains a path"
	case !strings.HasSuffix(s, ".safetensors") || s == ".safetensors":
		return "has another extension"
	case len(s) > 255:
		return "is too long"
	}
	return ""
}
