package ir

import (
	"testing"
)

func TestRMSNormPrints(t *testing.T) {
	b := New("norm")
	x := b.Arg("x", "x", T(F32, 2, 4))
	n := b.At("layers.0").At("attn_norm")
	w := n.Convert(n.Param("layers.0.attn_norm.weight", T(BF16, 4)), F32)
	sum := n.Reduce(ReduceAdd, n.Mul(x, x), 1)
	mean := n.Mul(sum, n.SplatLike(sum, 0.25))
	r := n.Rsqrt(n.Add(mean, n.SplatLike(mean, 1e-5)))
	y := n.Mul(n.Mul(x, n.Broadcast(r, []int{2, 4}, 0)), n.Broadcast(w, []int{2, 4}, 1))
	b.Result("y", y)
	g, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	const want = `graph norm
  %x : f32[2,4] = arg {role=x}
  %layers.0.attn_norm.weight : bf16[4] = param {key=layers.0.attn_norm.weight}
  %layers.0.attn_norm.convert : f32[4] = convert %layers.0.attn_norm.weight
  %layers.0.attn_norm.mul : f32[2,4] = mul %x, %x
  %layers.0.attn_norm.reduce_add : f32[2] = reduce_add %layers.0.attn_norm.mul {dims=[1]}
  %layers.0.attn_norm.const : f32[2] = const {0.25}
  %layers.0.attn_norm.mul.1 : f32[2] = mul %layers.0.attn_norm.reduce_add, %layers.0.attn_norm.const
  %layers.0.attn_norm.const.1 : f32[2] = const {1e-05}
  %layers.0.attn_norm.add : f32[2] = add %layers.0.attn_norm.mul.1, %layers.0.attn_norm.const.1
  %layers.0.attn_norm.rsqrt : f32[2] = rsqrt %layers.0.attn_norm.add
  %layers.0.attn_norm.broadcast : f32[2,4] = broadcast %layers.0.attn_norm.rsqrt {dims=[0]}
  %layers.0.attn_norm.mul.2 : f32[2,4] = mul %x, %layers.0.attn_norm.broadcast
  %layers.0.attn_norm.broadcast.1 : f32[2,4] = broadcast %layers.0.attn_norm.convert {dims=[1]}
  %layers.0.attn_norm.mul.3 : f32[2,4] = mul %layers.0.attn_norm.mul.2, %layers.0.attn_norm.broadcast.1
  result y = %layers.0.attn_norm.mul.3
`
	if got := g.String(); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestFirstErrorSticks(t *testing.T) {
	b := New("g")
	x := b.Arg("x", "x", T(F32, 4, 64))
	w := b.Param("w", T(F32, 8, 65))
	q := b.At("layers.7.attn.q")
	y := q.Exp(q.Dot(x, w, DotGeneral{LHSContract: []int{1}, RHSContract: []int{1}}))
	b.At("later").Add(y, x)
	b.Result("y", y)
	_, err := b.Finish()
	const want = "layers.7.attn.q: dot: contracting sizes differ: dimension 1 of f32[4,64] and 1 of f32[8,65]"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}
