module @decode {
  util.global private @rope.cos = #flow.parameter.named<"model"::"rope.cos"> : tensor<64x8xf32>
  util.global private @rope.sin = #flow.parameter.named<"model"::"rope.sin"> : tensor<64x8xf32>
  util.global private @embed.weight = #flow.parameter.named<"model"::"embed.weight"> : tensor<8x64x32xbf16>
  util.global private @layers.0.attn_norm.weight = #flow.parameter.named<"model"::"layers.0.attn_norm.weight"> : tensor<64xbf16>
  util.global private @layers.0.attn.q.weight = #flow.parameter.named<"model"::"layers.0.attn.q.weight"> : tensor<2x64x32xbf16>
  util.global private @layers.0.attn.q.bias = #flow.parameter.named<"model"::"layers.0.attn.q.bias"> : tensor<64xbf16>
  util.global private @layers.0.attn.k.weight = #flow.parameter.named<"model"::"layers.0.attn.k.weight"> : tensor<1x64x32xbf16>
  util.global private @layers.0.attn.k.bias = #flow.parameter.named<"model"::"layers.0.attn.k.bias"> : tensor<32xbf16>
  util.global private @layers.0.attn.v.weight = #flow.parameter.named<"model"::"layers.0.attn.v.weight"> : tensor<1x64x32xbf16>
  util.global private @layers.0.attn.v.bias = #flow.parameter.named<"model"::"layers.0.attn.v.bias"> : tensor<32xbf16>
  util.global private @layers.0.attn.o.weight = #flow.parameter.named<"model"::"layers.0.attn.o.weight"> : tensor<2x64x32xbf16>
  util.global private @layers.0.attn.o.bias = #flow.parameter.named<"model"::"layers.0.attn.o.bias"> : tensor<64xbf16>
  util.global private @layers.0.mlp_norm.weight = #flow.parameter.named<"model"::"layers.0.mlp_norm.weight"> : tensor<64xbf16>
  util.global private @layers.0.mlp.gate.weight = #flow.parameter.named<"model"::"layers.0.mlp.gate.weight"> : tensor<3x64x16xbf16>
  util.global private @layers.0.mlp.gate.bias = #flow.parameter.named<"model"::"layers.0.mlp.gate.bias"> : tensor<48xbf16>
  util.global private @layers.0.mlp.up.weight = #flow.parameter.named<"model"::"layers.0.mlp.up.weight"> : tensor<3x64x16xbf16>
  util.global private @layers.0.mlp.up.bias = #flow.parameter.named<"model"::"layers.0.mlp.up.bias"> : tensor<48xbf16>
  util.global private @layers.0.mlp.down.weight = #flow.parameter.named<"model"::"layers.0.mlp.down.weight"> : tensor<2x48x32xbf16>
  util.global private @layers.0.mlp.down.bias = #flow.parameter.named<"model"::"layers.0.mlp.down.bias"> : tensor<64xbf16>
  util.global private @layers.1.attn_norm.weight = #flow.parameter.named<"model"::"layers.1.attn_norm.weight"> : tensor<64xbf16>
  util.global private @layers.1.attn.q.weight = #flow.parameter.named<"model"::"layers.1.attn.q.weight"> : tensor<2x64x32xbf16>
  util.global private @layers.1.attn.q.bias = #flow.parameter.named<"model"::"layers.1.attn.q.bias"> : tensor<64xbf16>
  util.global private @layers.1.attn.k.weight = #flow.parameter.named<"model"::"layers.1.attn.k.weight"> : tensor<1x64x32xbf16>
  util.global private @layers.1.attn.k.bias = #flow.parameter.named<"model"::"layers.1.attn.k.bias"> : tensor<32xbf16>
  util.global private @layers.1.attn.v.weight = #flow.parameter.named<"model"::"layers.1.attn.v.weight"> : tensor<1x64x32xbf16>
  util.global private @layers.1.attn.v.bias = #flow.parameter.named<"model"::"layers.1.attn.v.bias"> : tensor<32xbf16>
  util.global private @layers.1.attn.o.weight = #flow.parameter.named<"model"::"layers.1.attn.o.weight"> : tensor<2x64x32xbf16>
  util.global private @layers.1.attn.o.bias = #flow.parameter.named<"model"::"layers.1.attn.o.bias"> : tensor<64xbf16>
  util.global private @layers.1.mlp_norm.weight = #flow.parameter.named<"model"::"layers.1.mlp_norm.weight"> : tensor<64xbf16>
  util.global private @layers.1.moe.router.weight = #flow.parameter.named<"model"::"layers.1.moe.router.weight"> : tensor<5x64xbf16>
  util.global private @layers.1.moe.correction = #flow.parameter.named<"model"::"layers.1.moe.correction"> : tensor<5xbf16>
  util.global private @layers.1.moe.experts.gate.weight = #flow.parameter.named<"model"::"layers.1.moe.experts.gate.weight"> : tensor<5x1x64x16xbf16>
  util.global private @layers.1.moe.experts.up.weight = #flow.parameter.named<"model"::"layers.1.moe.experts.up.weight"> : tensor<5x1x64x16xbf16>
  util.global private @layers.1.moe.experts.down.weight = #flow.parameter.named<"model"::"layers.1.moe.experts.down.weight"> : tensor<5x4x16x16xbf16>
  util.global private @layers.1.moe.shared.gate.weight = #flow.parameter.named<"model"::"layers.1.moe.shared.gate.weight"> : tensor<1x64x32xbf16>
  util.global private @layers.1.moe.shared.gate.bias = #flow.parameter.named<"model"::"layers.1.moe.shared.gate.bias"> : tensor<32xbf16>
  util.global private @layers.1.moe.shared.up.weight = #flow.parameter.named<"model"::"layers.1.moe.shared.up.weight"> : tensor<1x64x32xbf16>
  util.global private @layers.1.moe.shared.up.bias = #flow.parameter.named<"model"::"layers.1.moe.shared.up.bias"> : tensor<32xbf16>
  util.global private @layers.1.moe.shared.down.weight = #flow.parameter.named<"model"::"layers.1.moe.shared.down.weight"> : tensor<2x32x32xbf16>
  util.global private @layers.1.moe.shared.down.bias = #flow.parameter.named<"model"::"layers.1.moe.shared.down.bias"> : tensor<64xbf16>
  util.global private @norm.weight = #flow.parameter.named<"model"::"norm.weight"> : tensor<64xbf16>
  util.global private @head.weight = #flow.parameter.named<"model"::"head.weight"> : tensor<8x64x32xbf16>
  util.global private @head.bias = #flow.parameter.named<"model"::"head.bias"> : tensor<256xbf16>
  func.func public @decode(
    %token: tensor<1xi32>,
    %position: tensor<1xi32>,
    %kv_0_k: tensor<79x2x16xf32> {tf.aliasing_output = 2 : i32}, // kv.0.k
    %kv_0_v: tensor<79x2x16xf32> {tf.aliasing_output = 3 : i32}, // kv.0.v
    %kv_1_k: tensor<79x2x16xf32> {tf.aliasing_output = 4 : i32}, // kv.1.k
    %kv_1_v: tensor<79x2x16xf32> {tf.aliasing_output = 5 : i32} // kv.1.v
  ) -> (
    tensor<1xi32>, // next_id
    tensor<256xf32>, // logits
    tensor<79x2x16xf32>, // kv.0.k
    tensor<79x2x16xf32>, // kv.0.v
    tensor<79x2x16xf32>, // kv.1.k
    tensor<79x2x16xf32> // kv.1.v
  ) {
    %rope.cos = util.global.load @rope.cos : tensor<64x8xf32>
    %rope.sin = util.global.load @rope.sin : tensor<64x8xf32>
    %embed.weight = util.global.load @embed.weight : tensor<8x64x32xbf16>
    %layers.0.attn_norm.weight = util.global.load @layers.0.attn_norm.weight : tensor<64xbf16>
    %layers.0.attn.q.weight = util.global.load @layers.0.attn.q.weight : tensor<2x64x32xbf16>
    %layers.0.attn.q.bias = util.global.load @layers.0.attn.q.bias : tensor<64xbf16>
    %layers.0.attn.k.weight = util.global.load @layers.0.attn.k.weight : tensor<1x64x32xbf16>
    %layers.0.attn.k.bias = util.global.load @layers.0.attn.k.bias : tensor<32xbf16>
    %layers.0.attn.v.weight = util.global.load @layers.0.attn.v.weight : tensor<1x64x32xbf16>
    %layers.0.attn.v.bias = util.global.load @layers.0.attn.v.bias : tensor<32xbf16>
    %layers.0.attn.o.weight = util.global.load @layers.0.attn.o.weight : tensor<2x64x32xbf16>
    %layers.0.attn.o.bias = util.global.load @layers.0.attn.o.bias : tensor<64xbf16>
    %layers.0.mlp_norm.weight = util.global.load @layers.0.mlp_norm.weight : tensor<64xbf16>
    %layers.0.mlp.gate.weight = util.global.load @layers.0.mlp.gate.weight : tensor<3x64x16xbf16>
    %layers.0.mlp.gate.bias = util.global.load @layers.0.mlp.gate.bias : tensor<48xbf16>
    %layers.0.mlp.up.weight = util.global.load @layers.0.mlp.up.weight : tensor<3x64x16xbf16>
    %layers.0.mlp.up.bias = util.global.load @layers.0.mlp.up.bias : tensor<48xbf16>
    %layers.0.mlp.down.weight = util.global.load @layers.0.mlp.down.weight : tensor<2x48x32xbf16>
    %layers.0.mlp.down.bias = util.global.load @layers.0.mlp.down.bias : tensor<64xbf16>
    %layers.1.attn_norm.weight = util.global.load @layers.1.attn_norm.weight : tensor<64xbf16>
    %layers.1.attn.q.weight = util.global.load @layers.1.attn.q.weight : tensor<2x64x32xbf16>
    %layers.1.attn.q.bias = util.global.load @layers.1.attn.q.bias : tensor<64xbf16>
    %layers.1.attn.k.weight = util.global.load @layers.1.attn.k.weight : tensor<1x64x32xbf16>
    %layers.1.attn.k.bias = util.global.load @layers.1.attn.k.bias : tensor<32xbf16>
    %layers.1.attn.v.weight = util.global.load @layers.1.attn.v.weight : tensor<1x64x32xbf16>
    %layers.1.attn.v.bias = util.global.load @layers.1.attn.v.bias : tensor<32xbf16>
    %layers.1.attn.o.weight = util.global.load @layers.1.attn.o.weight : tensor<2x64x32xbf16>
    %layers.1.attn.o.bias = util.global.load @layers.1.attn.o.bias : tensor<64xbf16>
    %layers.1.mlp_norm.weight = util.global.load @layers.1.mlp_norm.weight : tensor<64xbf16>
    %layers.1.moe.router.weight = util.global.load @layers.1.moe.router.weight : tensor<5x64xbf16>
    %layers.1.moe.correction = util.global.load @layers.1.moe.correction : tensor<5xbf16>
    %layers.1.moe.experts.gate.weight = util.global.load @layers.1.moe.experts.gate.weight : tensor<5x1x64x16xbf16>
    %layers.1.moe.experts.up.weight = util.global.load @layers.1.moe.experts.up.weight : tensor<5x1x64x16xbf16>
    %layers.1.moe.experts.down.weight = util.global.load @layers.1.moe.experts.down.weight : tensor<5x4x16x16xbf16>
    %layers.1.moe.shared.gate.weight = util.global.load @layers.1.moe.shared.gate.weight : tensor<1x64x32xbf16>
    %layers.1.moe.shared.gate.bias = util.global.load @layers.1.moe.shared.gate.bias : tensor<32xbf16>
    %layers.1.moe.shared.up.weight = util.global.load @layers.1.moe.shared.up.weight : tensor<1x64x32xbf16>
    %layers.1.moe.shared.up.bias = util.global.load @layers.1.moe.shared.up.bias : tensor<32xbf16>
    %layers.1.moe.shared.down.weight = util.global.load @layers.1.moe.shared.down.weight : tensor<2x32x32xbf16>
    %layers.1.moe.shared.down.bias = util.global.load @layers.1.moe.shared.down.bias : tensor<64xbf16>
    %norm.weight = util.global.load @norm.weight : tensor<64xbf16>
    %head.weight = util.global.load @head.weight : tensor<8x64x32xbf16>
    %head.bias = util.global.load @head.bias : tensor<256xbf16>
    %$add_f32 = stablehlo.constant dense<0.0> : tensor<f32>
    %$max_f32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %$add_i32 = stablehlo.constant dense<0> : tensor<i32>
    %$min_i32 = stablehlo.constant dense<2147483647> : tensor<i32>
    %rope.gather_rows = "stablehlo.gather"(%rope.cos, %position) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<1xi32>) -> tensor<1x8xf32>
    %rope.gather_rows.1 = "stablehlo.gather"(%rope.sin, %position) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<1xi32>) -> tensor<1x8xf32>
    %mask.iota = stablehlo.iota dim = 1 : tensor<1x64xi32>
    %mask.broadcast = stablehlo.broadcast_in_dim %position, dims = [0] : (tensor<1xi32>) -> tensor<1x64xi32>
    %mask.le = stablehlo.compare LE, %mask.iota, %mask.broadcast : (tensor<1x64xi32>, tensor<1x64xi32>) -> tensor<1x64xi1>
    %embed.const = stablehlo.constant dense<32> : tensor<1xi32>
    %embed.div = stablehlo.divide %token, %embed.const : tensor<1xi32>
    %embed.gather_rows = "stablehlo.gather"(%embed.weight, %embed.div) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64, 32>}> : (tensor<8x64x32xbf16>, tensor<1xi32>) -> tensor<1x64x32xbf16>
    %embed.convert = stablehlo.convert %embed.gather_rows : (tensor<1x64x32xbf16>) -> tensor<1x64x32xf32>
    %embed.iota = stablehlo.iota dim = 2 : tensor<1x64x32xi32>
    %embed.rem = stablehlo.remainder %token, %embed.const : tensor<1xi32>
    %embed.broadcast = stablehlo.broadcast_in_dim %embed.rem, dims = [0] : (tensor<1xi32>) -> tensor<1x64x32xi32>
    %embed.eq = stablehlo.compare EQ, %embed.iota, %embed.broadcast : (tensor<1x64x32xi32>, tensor<1x64x32xi32>) -> tensor<1x64x32xi1>
    %embed.const.1 = stablehlo.constant dense<0.0> : tensor<1x64x32xf32>
    %embed.select = stablehlo.select %embed.eq, %embed.convert, %embed.const.1 : tensor<1x64x32xi1>, tensor<1x64x32xf32>
    %embed.reduce_add = stablehlo.reduce(%embed.select init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<1x64x32xf32>, tensor<f32>) -> tensor<1x64xf32>
    %layers.0.attn_norm.mul = stablehlo.multiply %embed.reduce_add, %embed.reduce_add : tensor<1x64xf32>
    %layers.0.attn_norm.reduce_add = stablehlo.reduce(%layers.0.attn_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.0.attn_norm.const = stablehlo.constant dense<64.0> : tensor<1xf32>
    %layers.0.attn_norm.div = stablehlo.divide %layers.0.attn_norm.reduce_add, %layers.0.attn_norm.const : tensor<1xf32>
    %layers.0.attn_norm.const.1 = stablehlo.constant dense<0.001> : tensor<1xf32>
    %layers.0.attn_norm.add = stablehlo.add %layers.0.attn_norm.div, %layers.0.attn_norm.const.1 : tensor<1xf32>
    %layers.0.attn_norm.rsqrt = stablehlo.rsqrt %layers.0.attn_norm.add : tensor<1xf32>
    %layers.0.attn_norm.broadcast = stablehlo.broadcast_in_dim %layers.0.attn_norm.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x64xf32>
    %layers.0.attn_norm.mul.1 = stablehlo.multiply %embed.reduce_add, %layers.0.attn_norm.broadcast : tensor<1x64xf32>
    %layers.0.attn_norm.convert = stablehlo.convert %layers.0.attn_norm.weight : (tensor<64xbf16>) -> tensor<64xf32>
    %layers.0.attn_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn_norm.convert, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %layers.0.attn_norm.mul.2 = stablehlo.multiply %layers.0.attn_norm.mul.1, %layers.0.attn_norm.broadcast.1 : tensor<1x64xf32>
    %layers.0.attn.q.convert = stablehlo.convert %layers.0.attn.q.weight : (tensor<2x64x32xbf16>) -> tensor<2x64x32xf32>
    %layers.0.attn.q.reshape = stablehlo.reshape %layers.0.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<64xf32>
    %layers.0.attn.q.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.q.reshape, dims = [1] : (tensor<64xf32>) -> tensor<2x64x32xf32>
    %layers.0.attn.q.mul = stablehlo.multiply %layers.0.attn.q.broadcast, %layers.0.attn.q.convert : tensor<2x64x32xf32>
    %layers.0.attn.q.reduce_add = stablehlo.reduce(%layers.0.attn.q.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<2x64x32xf32>, tensor<f32>) -> tensor<2x32xf32>
    %layers.0.attn.q.reshape.1 = stablehlo.reshape %layers.0.attn.q.reduce_add : (tensor<2x32xf32>) -> tensor<1x64xf32>
    %layers.0.attn.q.convert.1 = stablehlo.convert %layers.0.attn.q.bias : (tensor<64xbf16>) -> tensor<64xf32>
    %layers.0.attn.q.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.q.convert.1, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %layers.0.attn.q.add = stablehlo.add %layers.0.attn.q.reshape.1, %layers.0.attn.q.broadcast.1 : tensor<1x64xf32>
    %layers.0.attn.reshape = stablehlo.reshape %layers.0.attn.q.add : (tensor<1x64xf32>) -> tensor<1x4x8x2xf32>
    %layers.0.attn.iota = stablehlo.iota dim = 3 : tensor<1x4x8x2xi32>
    %layers.0.attn.const = stablehlo.constant dense<0> : tensor<1x4x8x2xi32>
    %layers.0.attn.eq = stablehlo.compare EQ, %layers.0.attn.iota, %layers.0.attn.const : (tensor<1x4x8x2xi32>, tensor<1x4x8x2xi32>) -> tensor<1x4x8x2xi1>
    %layers.0.attn.broadcast = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 2] : (tensor<1x8xf32>) -> tensor<1x4x8x2xf32>
    %layers.0.attn.reverse = stablehlo.reverse %layers.0.attn.reshape, dims = [3] : tensor<1x4x8x2xf32>
    %layers.0.attn.neg = stablehlo.negate %layers.0.attn.broadcast : tensor<1x4x8x2xf32>
    %layers.0.attn.select = stablehlo.select %layers.0.attn.eq, %layers.0.attn.neg, %layers.0.attn.broadcast : tensor<1x4x8x2xi1>, tensor<1x4x8x2xf32>
    %layers.0.attn.mul = stablehlo.multiply %layers.0.attn.reverse, %layers.0.attn.select : tensor<1x4x8x2xf32>
    %layers.0.attn.broadcast.1 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 2] : (tensor<1x8xf32>) -> tensor<1x4x8x2xf32>
    %layers.0.attn.mul.1 = stablehlo.multiply %layers.0.attn.reshape, %layers.0.attn.broadcast.1 : tensor<1x4x8x2xf32>
    %layers.0.attn.add = stablehlo.add %layers.0.attn.mul.1, %layers.0.attn.mul : tensor<1x4x8x2xf32>
    %layers.0.attn.k.convert = stablehlo.convert %layers.0.attn.k.weight : (tensor<1x64x32xbf16>) -> tensor<1x64x32xf32>
    %layers.0.attn.k.reshape = stablehlo.reshape %layers.0.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<64xf32>
    %layers.0.attn.k.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.k.reshape, dims = [1] : (tensor<64xf32>) -> tensor<1x64x32xf32>
    %layers.0.attn.k.mul = stablehlo.multiply %layers.0.attn.k.broadcast, %layers.0.attn.k.convert : tensor<1x64x32xf32>
    %layers.0.attn.k.reduce_add = stablehlo.reduce(%layers.0.attn.k.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64x32xf32>, tensor<f32>) -> tensor<1x32xf32>
    %layers.0.attn.k.convert.1 = stablehlo.convert %layers.0.attn.k.bias : (tensor<32xbf16>) -> tensor<32xf32>
    %layers.0.attn.k.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.k.convert.1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %layers.0.attn.k.add = stablehlo.add %layers.0.attn.k.reduce_add, %layers.0.attn.k.broadcast.1 : tensor<1x32xf32>
    %layers.0.attn.reshape.1 = stablehlo.reshape %layers.0.attn.k.add : (tensor<1x32xf32>) -> tensor<1x2x8x2xf32>
    %layers.0.attn.iota.1 = stablehlo.iota dim = 3 : tensor<1x2x8x2xi32>
    %layers.0.attn.const.1 = stablehlo.constant dense<0> : tensor<1x2x8x2xi32>
    %layers.0.attn.eq.1 = stablehlo.compare EQ, %layers.0.attn.iota.1, %layers.0.attn.const.1 : (tensor<1x2x8x2xi32>, tensor<1x2x8x2xi32>) -> tensor<1x2x8x2xi1>
    %layers.0.attn.broadcast.2 = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 2] : (tensor<1x8xf32>) -> tensor<1x2x8x2xf32>
    %layers.0.attn.reverse.1 = stablehlo.reverse %layers.0.attn.reshape.1, dims = [3] : tensor<1x2x8x2xf32>
    %layers.0.attn.neg.1 = stablehlo.negate %layers.0.attn.broadcast.2 : tensor<1x2x8x2xf32>
    %layers.0.attn.select.1 = stablehlo.select %layers.0.attn.eq.1, %layers.0.attn.neg.1, %layers.0.attn.broadcast.2 : tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>
    %layers.0.attn.mul.2 = stablehlo.multiply %layers.0.attn.reverse.1, %layers.0.attn.select.1 : tensor<1x2x8x2xf32>
    %layers.0.attn.broadcast.3 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 2] : (tensor<1x8xf32>) -> tensor<1x2x8x2xf32>
    %layers.0.attn.mul.3 = stablehlo.multiply %layers.0.attn.reshape.1, %layers.0.attn.broadcast.3 : tensor<1x2x8x2xf32>
    %layers.0.attn.add.1 = stablehlo.add %layers.0.attn.mul.3, %layers.0.attn.mul.2 : tensor<1x2x8x2xf32>
    %layers.0.attn.reshape.2 = stablehlo.reshape %layers.0.attn.add.1 : (tensor<1x2x8x2xf32>) -> tensor<1x2x16xf32>
    %layers.0.attn.v.convert = stablehlo.convert %layers.0.attn.v.weight : (tensor<1x64x32xbf16>) -> tensor<1x64x32xf32>
    %layers.0.attn.v.reshape = stablehlo.reshape %layers.0.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<64xf32>
    %layers.0.attn.v.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.v.reshape, dims = [1] : (tensor<64xf32>) -> tensor<1x64x32xf32>
    %layers.0.attn.v.mul = stablehlo.multiply %layers.0.attn.v.broadcast, %layers.0.attn.v.convert : tensor<1x64x32xf32>
    %layers.0.attn.v.reduce_add = stablehlo.reduce(%layers.0.attn.v.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64x32xf32>, tensor<f32>) -> tensor<1x32xf32>
    %layers.0.attn.v.convert.1 = stablehlo.convert %layers.0.attn.v.bias : (tensor<32xbf16>) -> tensor<32xf32>
    %layers.0.attn.v.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.v.convert.1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %layers.0.attn.v.add = stablehlo.add %layers.0.attn.v.reduce_add, %layers.0.attn.v.broadcast.1 : tensor<1x32xf32>
    %layers.0.attn.reshape.3 = stablehlo.reshape %layers.0.attn.v.add : (tensor<1x32xf32>) -> tensor<1x2x16xf32>
    %layers.0.attn.scatter_rows = "stablehlo.scatter"(%kv_0_k, %position, %layers.0.attn.reshape.2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<79x2x16xf32>, tensor<1xi32>, tensor<1x2x16xf32>) -> tensor<79x2x16xf32>
    %layers.0.attn.scatter_rows.1 = "stablehlo.scatter"(%kv_0_v, %position, %layers.0.attn.reshape.3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<79x2x16xf32>, tensor<1xi32>, tensor<1x2x16xf32>) -> tensor<79x2x16xf32>
    %layers.0.attn.slice = stablehlo.slice %layers.0.attn.scatter_rows [0:64, 0:2, 0:16] : (tensor<79x2x16xf32>) -> tensor<64x2x16xf32>
    %layers.0.attn.slice.1 = stablehlo.slice %layers.0.attn.scatter_rows.1 [0:64, 0:2, 0:16] : (tensor<79x2x16xf32>) -> tensor<64x2x16xf32>
    %layers.0.attn.reshape.4 = stablehlo.reshape %layers.0.attn.add : (tensor<1x4x8x2xf32>) -> tensor<1x2x2x16xf32>
    %layers.0.attn.dot = stablehlo.dot_general %layers.0.attn.reshape.4, %layers.0.attn.slice, batching_dims = [1] x [1], contracting_dims = [3] x [2] : (tensor<1x2x2x16xf32>, tensor<64x2x16xf32>) -> tensor<2x1x2x64xf32>
    %layers.0.attn.const.2 = stablehlo.constant dense<0.25> : tensor<2x1x2x64xf32>
    %layers.0.attn.mul.4 = stablehlo.multiply %layers.0.attn.dot, %layers.0.attn.const.2 : tensor<2x1x2x64xf32>
    %layers.0.attn.broadcast.4 = stablehlo.broadcast_in_dim %mask.le, dims = [1, 3] : (tensor<1x64xi1>) -> tensor<2x1x2x64xi1>
    %layers.0.attn.const.3 = stablehlo.constant dense<-1.0e+30> : tensor<2x1x2x64xf32>
    %layers.0.attn.select.2 = stablehlo.select %layers.0.attn.broadcast.4, %layers.0.attn.mul.4, %layers.0.attn.const.3 : tensor<2x1x2x64xi1>, tensor<2x1x2x64xf32>
    %layers.0.attn.reduce_max = stablehlo.reduce(%layers.0.attn.select.2 init: %$max_f32) applies stablehlo.maximum across dimensions = [3] : (tensor<2x1x2x64xf32>, tensor<f32>) -> tensor<2x1x2xf32>
    %layers.0.attn.broadcast.5 = stablehlo.broadcast_in_dim %layers.0.attn.reduce_max, dims = [0, 1, 2] : (tensor<2x1x2xf32>) -> tensor<2x1x2x64xf32>
    %layers.0.attn.sub = stablehlo.subtract %layers.0.attn.select.2, %layers.0.attn.broadcast.5 : tensor<2x1x2x64xf32>
    %layers.0.attn.exp = stablehlo.exponential %layers.0.attn.sub : tensor<2x1x2x64xf32>
    %layers.0.attn.reduce_add = stablehlo.reduce(%layers.0.attn.exp init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<2x1x2x64xf32>, tensor<f32>) -> tensor<2x1x2xf32>
    %layers.0.attn.broadcast.6 = stablehlo.broadcast_in_dim %layers.0.attn.reduce_add, dims = [0, 1, 2] : (tensor<2x1x2xf32>) -> tensor<2x1x2x64xf32>
    %layers.0.attn.div = stablehlo.divide %layers.0.attn.exp, %layers.0.attn.broadcast.6 : tensor<2x1x2x64xf32>
    %layers.0.attn.dot.1 = stablehlo.dot_general %layers.0.attn.div, %layers.0.attn.slice.1, batching_dims = [0] x [1], contracting_dims = [3] x [0] : (tensor<2x1x2x64xf32>, tensor<64x2x16xf32>) -> tensor<2x1x2x16xf32>
    %layers.0.attn.transpose = stablehlo.transpose %layers.0.attn.dot.1, dims = [1, 0, 2, 3] : (tensor<2x1x2x16xf32>) -> tensor<1x2x2x16xf32>
    %layers.0.attn.o.convert = stablehlo.convert %layers.0.attn.o.weight : (tensor<2x64x32xbf16>) -> tensor<2x64x32xf32>
    %layers.0.attn.o.reshape = stablehlo.reshape %layers.0.attn.transpose : (tensor<1x2x2x16xf32>) -> tensor<64xf32>
    %layers.0.attn.o.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.o.reshape, dims = [1] : (tensor<64xf32>) -> tensor<2x64x32xf32>
    %layers.0.attn.o.mul = stablehlo.multiply %layers.0.attn.o.broadcast, %layers.0.attn.o.convert : tensor<2x64x32xf32>
    %layers.0.attn.o.reduce_add = stablehlo.reduce(%layers.0.attn.o.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<2x64x32xf32>, tensor<f32>) -> tensor<2x32xf32>
    %layers.0.attn.o.reshape.1 = stablehlo.reshape %layers.0.attn.o.reduce_add : (tensor<2x32xf32>) -> tensor<1x64xf32>
    %layers.0.attn.o.convert.1 = stablehlo.convert %layers.0.attn.o.bias : (tensor<64xbf16>) -> tensor<64xf32>
    %layers.0.attn.o.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.o.convert.1, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %layers.0.attn.o.add = stablehlo.add %layers.0.attn.o.reshape.1, %layers.0.attn.o.broadcast.1 : tensor<1x64xf32>
    %layers.0.add = stablehlo.add %embed.reduce_add, %layers.0.attn.o.add : tensor<1x64xf32>
    %layers.0.mlp_norm.mul = stablehlo.multiply %layers.0.add, %layers.0.add : tensor<1x64xf32>
    %layers.0.mlp_norm.reduce_add = stablehlo.reduce(%layers.0.mlp_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.0.mlp_norm.const = stablehlo.constant dense<64.0> : tensor<1xf32>
    %layers.0.mlp_norm.div = stablehlo.divide %layers.0.mlp_norm.reduce_add, %layers.0.mlp_norm.const : tensor<1xf32>
    %layers.0.mlp_norm.const.1 = stablehlo.constant dense<0.001> : tensor<1xf32>
    %layers.0.mlp_norm.add = stablehlo.add %layers.0.mlp_norm.div, %layers.0.mlp_norm.const.1 : tensor<1xf32>
    %layers.0.mlp_norm.rsqrt = stablehlo.rsqrt %layers.0.mlp_norm.add : tensor<1xf32>
    %layers.0.mlp_norm.broadcast = stablehlo.broadcast_in_dim %layers.0.mlp_norm.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x64xf32>
    %layers.0.mlp_norm.mul.1 = stablehlo.multiply %layers.0.add, %layers.0.mlp_norm.broadcast : tensor<1x64xf32>
    %layers.0.mlp_norm.convert = stablehlo.convert %layers.0.mlp_norm.weight : (tensor<64xbf16>) -> tensor<64xf32>
    %layers.0.mlp_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.mlp_norm.convert, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %layers.0.mlp_norm.mul.2 = stablehlo.multiply %layers.0.mlp_norm.mul.1, %layers.0.mlp_norm.broadcast.1 : tensor<1x64xf32>
    %layers.0.mlp.gate.convert = stablehlo.convert %layers.0.mlp.gate.weight : (tensor<3x64x16xbf16>) -> tensor<3x64x16xf32>
    %layers.0.mlp.gate.reshape = stablehlo.reshape %layers.0.mlp_norm.mul.2 : (tensor<1x64xf32>) -> tensor<64xf32>
    %layers.0.mlp.gate.broadcast = stablehlo.broadcast_in_dim %layers.0.mlp.gate.reshape, dims = [1] : (tensor<64xf32>) -> tensor<3x64x16xf32>
    %layers.0.mlp.gate.mul = stablehlo.multiply %layers.0.mlp.gate.broadcast, %layers.0.mlp.gate.convert : tensor<3x64x16xf32>
    %layers.0.mlp.gate.reduce_add = stablehlo.reduce(%layers.0.mlp.gate.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<3x64x16xf32>, tensor<f32>) -> tensor<3x16xf32>
    %layers.0.mlp.gate.reshape.1 = stablehlo.reshape %layers.0.mlp.gate.reduce_add : (tensor<3x16xf32>) -> tensor<1x48xf32>
    %layers.0.mlp.gate.convert.1 = stablehlo.convert %layers.0.mlp.gate.bias : (tensor<48xbf16>) -> tensor<48xf32>
    %layers.0.mlp.gate.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.mlp.gate.convert.1, dims = [1] : (tensor<48xf32>) -> tensor<1x48xf32>
    %layers.0.mlp.gate.add = stablehlo.add %layers.0.mlp.gate.reshape.1, %layers.0.mlp.gate.broadcast.1 : tensor<1x48xf32>
    %layers.0.mlp.logistic = stablehlo.logistic %layers.0.mlp.gate.add : tensor<1x48xf32>
    %layers.0.mlp.mul = stablehlo.multiply %layers.0.mlp.gate.add, %layers.0.mlp.logistic : tensor<1x48xf32>
    %layers.0.mlp.up.convert = stablehlo.convert %layers.0.mlp.up.weight : (tensor<3x64x16xbf16>) -> tensor<3x64x16xf32>
    %layers.0.mlp.up.reshape = stablehlo.reshape %layers.0.mlp_norm.mul.2 : (tensor<1x64xf32>) -> tensor<64xf32>
    %layers.0.mlp.up.broadcast = stablehlo.broadcast_in_dim %layers.0.mlp.up.reshape, dims = [1] : (tensor<64xf32>) -> tensor<3x64x16xf32>
    %layers.0.mlp.up.mul = stablehlo.multiply %layers.0.mlp.up.broadcast, %layers.0.mlp.up.convert : tensor<3x64x16xf32>
    %layers.0.mlp.up.reduce_add = stablehlo.reduce(%layers.0.mlp.up.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<3x64x16xf32>, tensor<f32>) -> tensor<3x16xf32>
    %layers.0.mlp.up.reshape.1 = stablehlo.reshape %layers.0.mlp.up.reduce_add : (tensor<3x16xf32>) -> tensor<1x48xf32>
    %layers.0.mlp.up.convert.1 = stablehlo.convert %layers.0.mlp.up.bias : (tensor<48xbf16>) -> tensor<48xf32>
    %layers.0.mlp.up.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.mlp.up.convert.1, dims = [1] : (tensor<48xf32>) -> tensor<1x48xf32>
    %layers.0.mlp.up.add = stablehlo.add %layers.0.mlp.up.reshape.1, %layers.0.mlp.up.broadcast.1 : tensor<1x48xf32>
    %layers.0.mlp.mul.1 = stablehlo.multiply %layers.0.mlp.mul, %layers.0.mlp.up.add : tensor<1x48xf32>
    %layers.0.mlp.down.convert = stablehlo.convert %layers.0.mlp.down.weight : (tensor<2x48x32xbf16>) -> tensor<2x48x32xf32>
    %layers.0.mlp.down.reshape = stablehlo.reshape %layers.0.mlp.mul.1 : (tensor<1x48xf32>) -> tensor<48xf32>
    %layers.0.mlp.down.broadcast = stablehlo.broadcast_in_dim %layers.0.mlp.down.reshape, dims = [1] : (tensor<48xf32>) -> tensor<2x48x32xf32>
    %layers.0.mlp.down.mul = stablehlo.multiply %layers.0.mlp.down.broadcast, %layers.0.mlp.down.convert : tensor<2x48x32xf32>
    %layers.0.mlp.down.reduce_add = stablehlo.reduce(%layers.0.mlp.down.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<2x48x32xf32>, tensor<f32>) -> tensor<2x32xf32>
    %layers.0.mlp.down.reshape.1 = stablehlo.reshape %layers.0.mlp.down.reduce_add : (tensor<2x32xf32>) -> tensor<1x64xf32>
    %layers.0.mlp.down.convert.1 = stablehlo.convert %layers.0.mlp.down.bias : (tensor<64xbf16>) -> tensor<64xf32>
    %layers.0.mlp.down.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.mlp.down.convert.1, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %layers.0.mlp.down.add = stablehlo.add %layers.0.mlp.down.reshape.1, %layers.0.mlp.down.broadcast.1 : tensor<1x64xf32>
    %layers.0.add.1 = stablehlo.add %layers.0.add, %layers.0.mlp.down.add : tensor<1x64xf32>
    %layers.1.attn_norm.mul = stablehlo.multiply %layers.0.add.1, %layers.0.add.1 : tensor<1x64xf32>
    %layers.1.attn_norm.reduce_add = stablehlo.reduce(%layers.1.attn_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.1.attn_norm.const = stablehlo.constant dense<64.0> : tensor<1xf32>
    %layers.1.attn_norm.div = stablehlo.divide %layers.1.attn_norm.reduce_add, %layers.1.attn_norm.const : tensor<1xf32>
    %layers.1.attn_norm.const.1 = stablehlo.constant dense<0.001> : tensor<1xf32>
    %layers.1.attn_norm.add = stablehlo.add %layers.1.attn_norm.div, %layers.1.attn_norm.const.1 : tensor<1xf32>
    %layers.1.attn_norm.rsqrt = stablehlo.rsqrt %layers.1.attn_norm.add : tensor<1xf32>
    %layers.1.attn_norm.broadcast = stablehlo.broadcast_in_dim %layers.1.attn_norm.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x64xf32>
    %layers.1.attn_norm.mul.1 = stablehlo.multiply %layers.0.add.1, %layers.1.attn_norm.broadcast : tensor<1x64xf32>
    %layers.1.attn_norm.convert = stablehlo.convert %layers.1.attn_norm.weight : (tensor<64xbf16>) -> tensor<64xf32>
    %layers.1.attn_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.attn_norm.convert, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %layers.1.attn_norm.mul.2 = stablehlo.multiply %layers.1.attn_norm.mul.1, %layers.1.attn_norm.broadcast.1 : tensor<1x64xf32>
    %layers.1.attn.q.convert = stablehlo.convert %layers.1.attn.q.weight : (tensor<2x64x32xbf16>) -> tensor<2x64x32xf32>
    %layers.1.attn.q.reshape = stablehlo.reshape %layers.1.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<64xf32>
    %layers.1.attn.q.broadcast = stablehlo.broadcast_in_dim %layers.1.attn.q.reshape, dims = [1] : (tensor<64xf32>) -> tensor<2x64x32xf32>
    %layers.1.attn.q.mul = stablehlo.multiply %layers.1.attn.q.broadcast, %layers.1.attn.q.convert : tensor<2x64x32xf32>
    %layers.1.attn.q.reduce_add = stablehlo.reduce(%layers.1.attn.q.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<2x64x32xf32>, tensor<f32>) -> tensor<2x32xf32>
    %layers.1.attn.q.reshape.1 = stablehlo.reshape %layers.1.attn.q.reduce_add : (tensor<2x32xf32>) -> tensor<1x64xf32>
    %layers.1.attn.q.convert.1 = stablehlo.convert %layers.1.attn.q.bias : (tensor<64xbf16>) -> tensor<64xf32>
    %layers.1.attn.q.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.attn.q.convert.1, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %layers.1.attn.q.add = stablehlo.add %layers.1.attn.q.reshape.1, %layers.1.attn.q.broadcast.1 : tensor<1x64xf32>
    %layers.1.attn.reshape = stablehlo.reshape %layers.1.attn.q.add : (tensor<1x64xf32>) -> tensor<1x4x8x2xf32>
    %layers.1.attn.iota = stablehlo.iota dim = 3 : tensor<1x4x8x2xi32>
    %layers.1.attn.const = stablehlo.constant dense<0> : tensor<1x4x8x2xi32>
    %layers.1.attn.eq = stablehlo.compare EQ, %layers.1.attn.iota, %layers.1.attn.const : (tensor<1x4x8x2xi32>, tensor<1x4x8x2xi32>) -> tensor<1x4x8x2xi1>
    %layers.1.attn.broadcast = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 2] : (tensor<1x8xf32>) -> tensor<1x4x8x2xf32>
    %layers.1.attn.reverse = stablehlo.reverse %layers.1.attn.reshape, dims = [3] : tensor<1x4x8x2xf32>
    %layers.1.attn.neg = stablehlo.negate %layers.1.attn.broadcast : tensor<1x4x8x2xf32>
    %layers.1.attn.select = stablehlo.select %layers.1.attn.eq, %layers.1.attn.neg, %layers.1.attn.broadcast : tensor<1x4x8x2xi1>, tensor<1x4x8x2xf32>
    %layers.1.attn.mul = stablehlo.multiply %layers.1.attn.reverse, %layers.1.attn.select : tensor<1x4x8x2xf32>
    %layers.1.attn.broadcast.1 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 2] : (tensor<1x8xf32>) -> tensor<1x4x8x2xf32>
    %layers.1.attn.mul.1 = stablehlo.multiply %layers.1.attn.reshape, %layers.1.attn.broadcast.1 : tensor<1x4x8x2xf32>
    %layers.1.attn.add = stablehlo.add %layers.1.attn.mul.1, %layers.1.attn.mul : tensor<1x4x8x2xf32>
    %layers.1.attn.k.convert = stablehlo.convert %layers.1.attn.k.weight : (tensor<1x64x32xbf16>) -> tensor<1x64x32xf32>
    %layers.1.attn.k.reshape = stablehlo.reshape %layers.1.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<64xf32>
    %layers.1.attn.k.broadcast = stablehlo.broadcast_in_dim %layers.1.attn.k.reshape, dims = [1] : (tensor<64xf32>) -> tensor<1x64x32xf32>
    %layers.1.attn.k.mul = stablehlo.multiply %layers.1.attn.k.broadcast, %layers.1.attn.k.convert : tensor<1x64x32xf32>
    %layers.1.attn.k.reduce_add = stablehlo.reduce(%layers.1.attn.k.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64x32xf32>, tensor<f32>) -> tensor<1x32xf32>
    %layers.1.attn.k.convert.1 = stablehlo.convert %layers.1.attn.k.bias : (tensor<32xbf16>) -> tensor<32xf32>
    %layers.1.attn.k.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.attn.k.convert.1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %layers.1.attn.k.add = stablehlo.add %layers.1.attn.k.reduce_add, %layers.1.attn.k.broadcast.1 : tensor<1x32xf32>
    %layers.1.attn.reshape.1 = stablehlo.reshape %layers.1.attn.k.add : (tensor<1x32xf32>) -> tensor<1x2x8x2xf32>
    %layers.1.attn.iota.1 = stablehlo.iota dim = 3 : tensor<1x2x8x2xi32>
    %layers.1.attn.const.1 = stablehlo.constant dense<0> : tensor<1x2x8x2xi32>
    %layers.1.attn.eq.1 = stablehlo.compare EQ, %layers.1.attn.iota.1, %layers.1.attn.const.1 : (tensor<1x2x8x2xi32>, tensor<1x2x8x2xi32>) -> tensor<1x2x8x2xi1>
    %layers.1.attn.broadcast.2 = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 2] : (tensor<1x8xf32>) -> tensor<1x2x8x2xf32>
    %layers.1.attn.reverse.1 = stablehlo.reverse %layers.1.attn.reshape.1, dims = [3] : tensor<1x2x8x2xf32>
    %layers.1.attn.neg.1 = stablehlo.negate %layers.1.attn.broadcast.2 : tensor<1x2x8x2xf32>
    %layers.1.attn.select.1 = stablehlo.select %layers.1.attn.eq.1, %layers.1.attn.neg.1, %layers.1.attn.broadcast.2 : tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>
    %layers.1.attn.mul.2 = stablehlo.multiply %layers.1.attn.reverse.1, %layers.1.attn.select.1 : tensor<1x2x8x2xf32>
    %layers.1.attn.broadcast.3 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 2] : (tensor<1x8xf32>) -> tensor<1x2x8x2xf32>
    %layers.1.attn.mul.3 = stablehlo.multiply %layers.1.attn.reshape.1, %layers.1.attn.broadcast.3 : tensor<1x2x8x2xf32>
    %layers.1.attn.add.1 = stablehlo.add %layers.1.attn.mul.3, %layers.1.attn.mul.2 : tensor<1x2x8x2xf32>
    %layers.1.attn.reshape.2 = stablehlo.reshape %layers.1.attn.add.1 : (tensor<1x2x8x2xf32>) -> tensor<1x2x16xf32>
    %layers.1.attn.v.convert = stablehlo.convert %layers.1.attn.v.weight : (tensor<1x64x32xbf16>) -> tensor<1x64x32xf32>
    %layers.1.attn.v.reshape = stablehlo.reshape %layers.1.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<64xf32>
    %layers.1.attn.v.broadcast = stablehlo.broadcast_in_dim %layers.1.attn.v.reshape, dims = [1] : (tensor<64xf32>) -> tensor<1x64x32xf32>
    %layers.1.attn.v.mul = stablehlo.multiply %layers.1.attn.v.broadcast, %layers.1.attn.v.convert : tensor<1x64x32xf32>
    %layers.1.attn.v.reduce_add = stablehlo.reduce(%layers.1.attn.v.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64x32xf32>, tensor<f32>) -> tensor<1x32xf32>
    %layers.1.attn.v.convert.1 = stablehlo.convert %layers.1.attn.v.bias : (tensor<32xbf16>) -> tensor<32xf32>
    %layers.1.attn.v.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.attn.v.convert.1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %layers.1.attn.v.add = stablehlo.add %layers.1.attn.v.reduce_add, %layers.1.attn.v.broadcast.1 : tensor<1x32xf32>
    %layers.1.attn.reshape.3 = stablehlo.reshape %layers.1.attn.v.add : (tensor<1x32xf32>) -> tensor<1x2x16xf32>
    %layers.1.attn.scatter_rows = "stablehlo.scatter"(%kv_1_k, %position, %layers.1.attn.reshape.2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<79x2x16xf32>, tensor<1xi32>, tensor<1x2x16xf32>) -> tensor<79x2x16xf32>
    %layers.1.attn.scatter_rows.1 = "stablehlo.scatter"(%kv_1_v, %position, %layers.1.attn.reshape.3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<79x2x16xf32>, tensor<1xi32>, tensor<1x2x16xf32>) -> tensor<79x2x16xf32>
    %layers.1.attn.slice = stablehlo.slice %layers.1.attn.scatter_rows [0:64, 0:2, 0:16] : (tensor<79x2x16xf32>) -> tensor<64x2x16xf32>
    %layers.1.attn.slice.1 = stablehlo.slice %layers.1.attn.scatter_rows.1 [0:64, 0:2, 0:16] : (tensor<79x2x16xf32>) -> tensor<64x2x16xf32>
    %layers.1.attn.reshape.4 = stablehlo.reshape %layers.1.attn.add : (tensor<1x4x8x2xf32>) -> tensor<1x2x2x16xf32>
    %layers.1.attn.dot = stablehlo.dot_general %layers.1.attn.reshape.4, %layers.1.attn.slice, batching_dims = [1] x [1], contracting_dims = [3] x [2] : (tensor<1x2x2x16xf32>, tensor<64x2x16xf32>) -> tensor<2x1x2x64xf32>
    %layers.1.attn.const.2 = stablehlo.constant dense<0.25> : tensor<2x1x2x64xf32>
    %layers.1.attn.mul.4 = stablehlo.multiply %layers.1.attn.dot, %layers.1.attn.const.2 : tensor<2x1x2x64xf32>
    %layers.1.attn.broadcast.4 = stablehlo.broadcast_in_dim %mask.le, dims = [1, 3] : (tensor<1x64xi1>) -> tensor<2x1x2x64xi1>
    %layers.1.attn.const.3 = stablehlo.constant dense<-1.0e+30> : tensor<2x1x2x64xf32>
    %layers.1.attn.select.2 = stablehlo.select %layers.1.attn.broadcast.4, %layers.1.attn.mul.4, %layers.1.attn.const.3 : tensor<2x1x2x64xi1>, tensor<2x1x2x64xf32>
    %layers.1.attn.reduce_max = stablehlo.reduce(%layers.1.attn.select.2 init: %$max_f32) applies stablehlo.maximum across dimensions = [3] : (tensor<2x1x2x64xf32>, tensor<f32>) -> tensor<2x1x2xf32>
    %layers.1.attn.broadcast.5 = stablehlo.broadcast_in_dim %layers.1.attn.reduce_max, dims = [0, 1, 2] : (tensor<2x1x2xf32>) -> tensor<2x1x2x64xf32>
    %layers.1.attn.sub = stablehlo.subtract %layers.1.attn.select.2, %layers.1.attn.broadcast.5 : tensor<2x1x2x64xf32>
    %layers.1.attn.exp = stablehlo.exponential %layers.1.attn.sub : tensor<2x1x2x64xf32>
    %layers.1.attn.reduce_add = stablehlo.reduce(%layers.1.attn.exp init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<2x1x2x64xf32>, tensor<f32>) -> tensor<2x1x2xf32>
    %layers.1.attn.broadcast.6 = stablehlo.broadcast_in_dim %layers.1.attn.reduce_add, dims = [0, 1, 2] : (tensor<2x1x2xf32>) -> tensor<2x1x2x64xf32>
    %layers.1.attn.div = stablehlo.divide %layers.1.attn.exp, %layers.1.attn.broadcast.6 : tensor<2x1x2x64xf32>
    %layers.1.attn.dot.1 = stablehlo.dot_general %layers.1.attn.div, %layers.1.attn.slice.1, batching_dims = [0] x [1], contracting_dims = [3] x [0] : (tensor<2x1x2x64xf32>, tensor<64x2x16xf32>) -> tensor<2x1x2x16xf32>
    %layers.1.attn.transpose = stablehlo.transpose %layers.1.attn.dot.1, dims = [1, 0, 2, 3] : (tensor<2x1x2x16xf32>) -> tensor<1x2x2x16xf32>
    %layers.1.attn.o.convert = stablehlo.convert %layers.1.attn.o.weight : (tensor<2x64x32xbf16>) -> tensor<2x64x32xf32>
    %layers.1.attn.o.reshape = stablehlo.reshape %layers.1.attn.transpose : (tensor<1x2x2x16xf32>) -> tensor<64xf32>
    %layers.1.attn.o.broadcast = stablehlo.broadcast_in_dim %layers.1.attn.o.reshape, dims = [1] : (tensor<64xf32>) -> tensor<2x64x32xf32>
    %layers.1.attn.o.mul = stablehlo.multiply %layers.1.attn.o.broadcast, %layers.1.attn.o.convert : tensor<2x64x32xf32>
    %layers.1.attn.o.reduce_add = stablehlo.reduce(%layers.1.attn.o.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<2x64x32xf32>, tensor<f32>) -> tensor<2x32xf32>
    %layers.1.attn.o.reshape.1 = stablehlo.reshape %layers.1.attn.o.reduce_add : (tensor<2x32xf32>) -> tensor<1x64xf32>
    %layers.1.attn.o.convert.1 = stablehlo.convert %layers.1.attn.o.bias : (tensor<64xbf16>) -> tensor<64xf32>
    %layers.1.attn.o.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.attn.o.convert.1, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %layers.1.attn.o.add = stablehlo.add %layers.1.attn.o.reshape.1, %layers.1.attn.o.broadcast.1 : tensor<1x64xf32>
    %layers.1.add = stablehlo.add %layers.0.add.1, %layers.1.attn.o.add : tensor<1x64xf32>
    %layers.1.mlp_norm.mul = stablehlo.multiply %layers.1.add, %layers.1.add : tensor<1x64xf32>
    %layers.1.mlp_norm.reduce_add = stablehlo.reduce(%layers.1.mlp_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.1.mlp_norm.const = stablehlo.constant dense<64.0> : tensor<1xf32>
    %layers.1.mlp_norm.div = stablehlo.divide %layers.1.mlp_norm.reduce_add, %layers.1.mlp_norm.const : tensor<1xf32>
    %layers.1.mlp_norm.const.1 = stablehlo.constant dense<0.001> : tensor<1xf32>
    %layers.1.mlp_norm.add = stablehlo.add %layers.1.mlp_norm.div, %layers.1.mlp_norm.const.1 : tensor<1xf32>
    %layers.1.mlp_norm.rsqrt = stablehlo.rsqrt %layers.1.mlp_norm.add : tensor<1xf32>
    %layers.1.mlp_norm.broadcast = stablehlo.broadcast_in_dim %layers.1.mlp_norm.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x64xf32>
    %layers.1.mlp_norm.mul.1 = stablehlo.multiply %layers.1.add, %layers.1.mlp_norm.broadcast : tensor<1x64xf32>
    %layers.1.mlp_norm.convert = stablehlo.convert %layers.1.mlp_norm.weight : (tensor<64xbf16>) -> tensor<64xf32>
    %layers.1.mlp_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.mlp_norm.convert, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %layers.1.mlp_norm.mul.2 = stablehlo.multiply %layers.1.mlp_norm.mul.1, %layers.1.mlp_norm.broadcast.1 : tensor<1x64xf32>
    %layers.1.moe.router.convert = stablehlo.convert %layers.1.moe.router.weight : (tensor<5x64xbf16>) -> tensor<5x64xf32>
    %layers.1.moe.router.dot = stablehlo.dot_general %layers.1.mlp_norm.mul.2, %layers.1.moe.router.convert, contracting_dims = [1] x [1] : (tensor<1x64xf32>, tensor<5x64xf32>) -> tensor<1x5xf32>
    %layers.1.moe.router.reduce_max = stablehlo.reduce(%layers.1.moe.router.dot init: %$max_f32) applies stablehlo.maximum across dimensions = [1] : (tensor<1x5xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.1.moe.router.broadcast = stablehlo.broadcast_in_dim %layers.1.moe.router.reduce_max, dims = [0] : (tensor<1xf32>) -> tensor<1x5xf32>
    %layers.1.moe.router.sub = stablehlo.subtract %layers.1.moe.router.dot, %layers.1.moe.router.broadcast : tensor<1x5xf32>
    %layers.1.moe.router.exp = stablehlo.exponential %layers.1.moe.router.sub : tensor<1x5xf32>
    %layers.1.moe.router.reduce_add = stablehlo.reduce(%layers.1.moe.router.exp init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x5xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.1.moe.router.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.moe.router.reduce_add, dims = [0] : (tensor<1xf32>) -> tensor<1x5xf32>
    %layers.1.moe.router.div = stablehlo.divide %layers.1.moe.router.exp, %layers.1.moe.router.broadcast.1 : tensor<1x5xf32>
    %layers.1.moe.router.convert.1 = stablehlo.convert %layers.1.moe.correction : (tensor<5xbf16>) -> tensor<5xf32>
    %layers.1.moe.router.broadcast.2 = stablehlo.broadcast_in_dim %layers.1.moe.router.convert.1, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %layers.1.moe.router.add = stablehlo.add %layers.1.moe.router.div, %layers.1.moe.router.broadcast.2 : tensor<1x5xf32>
    %layers.1.moe.router.broadcast.3 = stablehlo.broadcast_in_dim %layers.1.moe.router.add, dims = [0, 1] : (tensor<1x5xf32>) -> tensor<1x5x5xf32>
    %layers.1.moe.router.broadcast.4 = stablehlo.broadcast_in_dim %layers.1.moe.router.add, dims = [0, 2] : (tensor<1x5xf32>) -> tensor<1x5x5xf32>
    %layers.1.moe.router.iota = stablehlo.iota dim = 2 : tensor<1x5x5xi32>
    %layers.1.moe.router.iota.1 = stablehlo.iota dim = 1 : tensor<1x5x5xi32>
    %layers.1.moe.router.lt = stablehlo.compare LT, %layers.1.moe.router.iota, %layers.1.moe.router.iota.1 : (tensor<1x5x5xi32>, tensor<1x5x5xi32>) -> tensor<1x5x5xi1>
    %layers.1.moe.router.gt = stablehlo.compare GT, %layers.1.moe.router.broadcast.4, %layers.1.moe.router.broadcast.3 : (tensor<1x5x5xf32>, tensor<1x5x5xf32>) -> tensor<1x5x5xi1>
    %layers.1.moe.router.eq = stablehlo.compare EQ, %layers.1.moe.router.broadcast.4, %layers.1.moe.router.broadcast.3 : (tensor<1x5x5xf32>, tensor<1x5x5xf32>) -> tensor<1x5x5xi1>
    %layers.1.moe.router.and = stablehlo.and %layers.1.moe.router.lt, %layers.1.moe.router.eq : tensor<1x5x5xi1>
    %layers.1.moe.router.or = stablehlo.or %layers.1.moe.router.gt, %layers.1.moe.router.and : tensor<1x5x5xi1>
    %layers.1.moe.router.convert.2 = stablehlo.convert %layers.1.moe.router.or : (tensor<1x5x5xi1>) -> tensor<1x5x5xi32>
    %layers.1.moe.router.reduce_add.1 = stablehlo.reduce(%layers.1.moe.router.convert.2 init: %$add_i32) applies stablehlo.add across dimensions = [2] : (tensor<1x5x5xi32>, tensor<i32>) -> tensor<1x5xi32>
    %layers.1.moe.router.broadcast.5 = stablehlo.broadcast_in_dim %layers.1.moe.router.reduce_add.1, dims = [0, 2] : (tensor<1x5xi32>) -> tensor<1x3x5xi32>
    %layers.1.moe.router.iota.2 = stablehlo.iota dim = 1 : tensor<1x3x5xi32>
    %layers.1.moe.router.eq.1 = stablehlo.compare EQ, %layers.1.moe.router.broadcast.5, %layers.1.moe.router.iota.2 : (tensor<1x3x5xi32>, tensor<1x3x5xi32>) -> tensor<1x3x5xi1>
    %layers.1.moe.router.broadcast.6 = stablehlo.broadcast_in_dim %layers.1.moe.router.div, dims = [0, 2] : (tensor<1x5xf32>) -> tensor<1x3x5xf32>
    %layers.1.moe.router.const = stablehlo.constant dense<0.0> : tensor<1x3x5xf32>
    %layers.1.moe.router.select = stablehlo.select %layers.1.moe.router.eq.1, %layers.1.moe.router.broadcast.6, %layers.1.moe.router.const : tensor<1x3x5xi1>, tensor<1x3x5xf32>
    %layers.1.moe.router.reduce_add.2 = stablehlo.reduce(%layers.1.moe.router.select init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<1x3x5xf32>, tensor<f32>) -> tensor<1x3xf32>
    %layers.1.moe.router.reduce_add.3 = stablehlo.reduce(%layers.1.moe.router.reduce_add.2 init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x3xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.1.moe.router.const.1 = stablehlo.constant dense<0.8> : tensor<1xf32>
    %layers.1.moe.router.max = stablehlo.maximum %layers.1.moe.router.reduce_add.3, %layers.1.moe.router.const.1 : tensor<1xf32>
    %layers.1.moe.router.broadcast.7 = stablehlo.broadcast_in_dim %layers.1.moe.router.max, dims = [0] : (tensor<1xf32>) -> tensor<1x3xf32>
    %layers.1.moe.router.div.1 = stablehlo.divide %layers.1.moe.router.reduce_add.2, %layers.1.moe.router.broadcast.7 : tensor<1x3xf32>
    %layers.1.moe.experts.iota = stablehlo.iota dim = 2 : tensor<1x3x5xi32>
    %layers.1.moe.experts.const = stablehlo.constant dense<0> : tensor<1x3x5xi32>
    %layers.1.moe.experts.select = stablehlo.select %layers.1.moe.router.eq.1, %layers.1.moe.experts.iota, %layers.1.moe.experts.const : tensor<1x3x5xi1>, tensor<1x3x5xi32>
    %layers.1.moe.experts.reduce_add = stablehlo.reduce(%layers.1.moe.experts.select init: %$add_i32) applies stablehlo.add across dimensions = [2] : (tensor<1x3x5xi32>, tensor<i32>) -> tensor<1x3xi32>
    %layers.1.moe.experts.gate.broadcast = stablehlo.broadcast_in_dim %layers.1.moe.experts.reduce_add, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<1x3x1xi32>
    %layers.1.moe.experts.gate.reshape = stablehlo.reshape %layers.1.moe.experts.gate.weight : (tensor<5x1x64x16xbf16>) -> tensor<5x64x16xbf16>
    %layers.1.moe.experts.gate.iota = stablehlo.iota dim = 2 : tensor<1x3x1xi32>
    %layers.1.moe.experts.gate.add = stablehlo.add %layers.1.moe.experts.gate.broadcast, %layers.1.moe.experts.gate.iota : tensor<1x3x1xi32>
    %layers.1.moe.experts.gate.gather_rows = "stablehlo.gather"(%layers.1.moe.experts.gate.reshape, %layers.1.moe.experts.gate.add) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64, 16>}> : (tensor<5x64x16xbf16>, tensor<1x3x1xi32>) -> tensor<1x3x1x64x16xbf16>
    %layers.1.moe.experts.gate.convert = stablehlo.convert %layers.1.moe.experts.gate.gather_rows : (tensor<1x3x1x64x16xbf16>) -> tensor<1x3x1x64x16xf32>
    %layers.1.moe.experts.gate.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.mlp_norm.mul.2, dims = [0, 3] : (tensor<1x64xf32>) -> tensor<1x3x1x64x16xf32>
    %layers.1.moe.experts.gate.mul = stablehlo.multiply %layers.1.moe.experts.gate.convert, %layers.1.moe.experts.gate.broadcast.1 : tensor<1x3x1x64x16xf32>
    %layers.1.moe.experts.gate.reduce_add = stablehlo.reduce(%layers.1.moe.experts.gate.mul init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<1x3x1x64x16xf32>, tensor<f32>) -> tensor<1x3x1x16xf32>
    %layers.1.moe.experts.gate.reshape.1 = stablehlo.reshape %layers.1.moe.experts.gate.reduce_add : (tensor<1x3x1x16xf32>) -> tensor<1x3x16xf32>
    %layers.1.moe.experts.up.broadcast = stablehlo.broadcast_in_dim %layers.1.moe.experts.reduce_add, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<1x3x1xi32>
    %layers.1.moe.experts.up.reshape = stablehlo.reshape %layers.1.moe.experts.up.weight : (tensor<5x1x64x16xbf16>) -> tensor<5x64x16xbf16>
    %layers.1.moe.experts.up.iota = stablehlo.iota dim = 2 : tensor<1x3x1xi32>
    %layers.1.moe.experts.up.add = stablehlo.add %layers.1.moe.experts.up.broadcast, %layers.1.moe.experts.up.iota : tensor<1x3x1xi32>
    %layers.1.moe.experts.up.gather_rows = "stablehlo.gather"(%layers.1.moe.experts.up.reshape, %layers.1.moe.experts.up.add) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64, 16>}> : (tensor<5x64x16xbf16>, tensor<1x3x1xi32>) -> tensor<1x3x1x64x16xbf16>
    %layers.1.moe.experts.up.convert = stablehlo.convert %layers.1.moe.experts.up.gather_rows : (tensor<1x3x1x64x16xbf16>) -> tensor<1x3x1x64x16xf32>
    %layers.1.moe.experts.up.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.mlp_norm.mul.2, dims = [0, 3] : (tensor<1x64xf32>) -> tensor<1x3x1x64x16xf32>
    %layers.1.moe.experts.up.mul = stablehlo.multiply %layers.1.moe.experts.up.convert, %layers.1.moe.experts.up.broadcast.1 : tensor<1x3x1x64x16xf32>
    %layers.1.moe.experts.up.reduce_add = stablehlo.reduce(%layers.1.moe.experts.up.mul init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<1x3x1x64x16xf32>, tensor<f32>) -> tensor<1x3x1x16xf32>
    %layers.1.moe.experts.up.reshape.1 = stablehlo.reshape %layers.1.moe.experts.up.reduce_add : (tensor<1x3x1x16xf32>) -> tensor<1x3x16xf32>
    %layers.1.moe.experts.logistic = stablehlo.logistic %layers.1.moe.experts.gate.reshape.1 : tensor<1x3x16xf32>
    %layers.1.moe.experts.mul = stablehlo.multiply %layers.1.moe.experts.gate.reshape.1, %layers.1.moe.experts.logistic : tensor<1x3x16xf32>
    %layers.1.moe.experts.mul.1 = stablehlo.multiply %layers.1.moe.experts.mul, %layers.1.moe.experts.up.reshape.1 : tensor<1x3x16xf32>
    %layers.1.moe.experts.down.broadcast = stablehlo.broadcast_in_dim %layers.1.moe.experts.reduce_add, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<1x3x4xi32>
    %layers.1.moe.experts.down.const = stablehlo.constant dense<4> : tensor<1x3x4xi32>
    %layers.1.moe.experts.down.mul = stablehlo.multiply %layers.1.moe.experts.down.broadcast, %layers.1.moe.experts.down.const : tensor<1x3x4xi32>
    %layers.1.moe.experts.down.reshape = stablehlo.reshape %layers.1.moe.experts.down.weight : (tensor<5x4x16x16xbf16>) -> tensor<20x16x16xbf16>
    %layers.1.moe.experts.down.iota = stablehlo.iota dim = 2 : tensor<1x3x4xi32>
    %layers.1.moe.experts.down.add = stablehlo.add %layers.1.moe.experts.down.mul, %layers.1.moe.experts.down.iota : tensor<1x3x4xi32>
    %layers.1.moe.experts.down.gather_rows = "stablehlo.gather"(%layers.1.moe.experts.down.reshape, %layers.1.moe.experts.down.add) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16, 16>}> : (tensor<20x16x16xbf16>, tensor<1x3x4xi32>) -> tensor<1x3x4x16x16xbf16>
    %layers.1.moe.experts.down.convert = stablehlo.convert %layers.1.moe.experts.down.gather_rows : (tensor<1x3x4x16x16xbf16>) -> tensor<1x3x4x16x16xf32>
    %layers.1.moe.experts.down.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.moe.experts.mul.1, dims = [0, 1, 3] : (tensor<1x3x16xf32>) -> tensor<1x3x4x16x16xf32>
    %layers.1.moe.experts.down.mul.1 = stablehlo.multiply %layers.1.moe.experts.down.convert, %layers.1.moe.experts.down.broadcast.1 : tensor<1x3x4x16x16xf32>
    %layers.1.moe.experts.down.reduce_add = stablehlo.reduce(%layers.1.moe.experts.down.mul.1 init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<1x3x4x16x16xf32>, tensor<f32>) -> tensor<1x3x4x16xf32>
    %layers.1.moe.experts.down.reshape.1 = stablehlo.reshape %layers.1.moe.experts.down.reduce_add : (tensor<1x3x4x16xf32>) -> tensor<1x3x64xf32>
    %layers.1.moe.experts.broadcast = stablehlo.broadcast_in_dim %layers.1.moe.router.div.1, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<1x3x64xf32>
    %layers.1.moe.experts.mul.2 = stablehlo.multiply %layers.1.moe.experts.down.reshape.1, %layers.1.moe.experts.broadcast : tensor<1x3x64xf32>
    %layers.1.moe.experts.reduce_add.1 = stablehlo.reduce(%layers.1.moe.experts.mul.2 init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x3x64xf32>, tensor<f32>) -> tensor<1x64xf32>
    %layers.1.moe.shared.gate.convert = stablehlo.convert %layers.1.moe.shared.gate.weight : (tensor<1x64x32xbf16>) -> tensor<1x64x32xf32>
    %layers.1.moe.shared.gate.reshape = stablehlo.reshape %layers.1.mlp_norm.mul.2 : (tensor<1x64xf32>) -> tensor<64xf32>
    %layers.1.moe.shared.gate.broadcast = stablehlo.broadcast_in_dim %layers.1.moe.shared.gate.reshape, dims = [1] : (tensor<64xf32>) -> tensor<1x64x32xf32>
    %layers.1.moe.shared.gate.mul = stablehlo.multiply %layers.1.moe.shared.gate.broadcast, %layers.1.moe.shared.gate.convert : tensor<1x64x32xf32>
    %layers.1.moe.shared.gate.reduce_add = stablehlo.reduce(%layers.1.moe.shared.gate.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64x32xf32>, tensor<f32>) -> tensor<1x32xf32>
    %layers.1.moe.shared.gate.convert.1 = stablehlo.convert %layers.1.moe.shared.gate.bias : (tensor<32xbf16>) -> tensor<32xf32>
    %layers.1.moe.shared.gate.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.moe.shared.gate.convert.1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %layers.1.moe.shared.gate.add = stablehlo.add %layers.1.moe.shared.gate.reduce_add, %layers.1.moe.shared.gate.broadcast.1 : tensor<1x32xf32>
    %layers.1.moe.shared.logistic = stablehlo.logistic %layers.1.moe.shared.gate.add : tensor<1x32xf32>
    %layers.1.moe.shared.mul = stablehlo.multiply %layers.1.moe.shared.gate.add, %layers.1.moe.shared.logistic : tensor<1x32xf32>
    %layers.1.moe.shared.up.convert = stablehlo.convert %layers.1.moe.shared.up.weight : (tensor<1x64x32xbf16>) -> tensor<1x64x32xf32>
    %layers.1.moe.shared.up.reshape = stablehlo.reshape %layers.1.mlp_norm.mul.2 : (tensor<1x64xf32>) -> tensor<64xf32>
    %layers.1.moe.shared.up.broadcast = stablehlo.broadcast_in_dim %layers.1.moe.shared.up.reshape, dims = [1] : (tensor<64xf32>) -> tensor<1x64x32xf32>
    %layers.1.moe.shared.up.mul = stablehlo.multiply %layers.1.moe.shared.up.broadcast, %layers.1.moe.shared.up.convert : tensor<1x64x32xf32>
    %layers.1.moe.shared.up.reduce_add = stablehlo.reduce(%layers.1.moe.shared.up.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64x32xf32>, tensor<f32>) -> tensor<1x32xf32>
    %layers.1.moe.shared.up.convert.1 = stablehlo.convert %layers.1.moe.shared.up.bias : (tensor<32xbf16>) -> tensor<32xf32>
    %layers.1.moe.shared.up.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.moe.shared.up.convert.1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %layers.1.moe.shared.up.add = stablehlo.add %layers.1.moe.shared.up.reduce_add, %layers.1.moe.shared.up.broadcast.1 : tensor<1x32xf32>
    %layers.1.moe.shared.mul.1 = stablehlo.multiply %layers.1.moe.shared.mul, %layers.1.moe.shared.up.add : tensor<1x32xf32>
    %layers.1.moe.shared.down.convert = stablehlo.convert %layers.1.moe.shared.down.weight : (tensor<2x32x32xbf16>) -> tensor<2x32x32xf32>
    %layers.1.moe.shared.down.reshape = stablehlo.reshape %layers.1.moe.shared.mul.1 : (tensor<1x32xf32>) -> tensor<32xf32>
    %layers.1.moe.shared.down.broadcast = stablehlo.broadcast_in_dim %layers.1.moe.shared.down.reshape, dims = [1] : (tensor<32xf32>) -> tensor<2x32x32xf32>
    %layers.1.moe.shared.down.mul = stablehlo.multiply %layers.1.moe.shared.down.broadcast, %layers.1.moe.shared.down.convert : tensor<2x32x32xf32>
    %layers.1.moe.shared.down.reduce_add = stablehlo.reduce(%layers.1.moe.shared.down.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<2x32x32xf32>, tensor<f32>) -> tensor<2x32xf32>
    %layers.1.moe.shared.down.reshape.1 = stablehlo.reshape %layers.1.moe.shared.down.reduce_add : (tensor<2x32xf32>) -> tensor<1x64xf32>
    %layers.1.moe.shared.down.convert.1 = stablehlo.convert %layers.1.moe.shared.down.bias : (tensor<64xbf16>) -> tensor<64xf32>
    %layers.1.moe.shared.down.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.moe.shared.down.convert.1, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %layers.1.moe.shared.down.add = stablehlo.add %layers.1.moe.shared.down.reshape.1, %layers.1.moe.shared.down.broadcast.1 : tensor<1x64xf32>
    %layers.1.moe.add = stablehlo.add %layers.1.moe.experts.reduce_add.1, %layers.1.moe.shared.down.add : tensor<1x64xf32>
    %layers.1.add.1 = stablehlo.add %layers.1.add, %layers.1.moe.add : tensor<1x64xf32>
    %head.mul = stablehlo.multiply %layers.1.add.1, %layers.1.add.1 : tensor<1x64xf32>
    %head.reduce_add = stablehlo.reduce(%head.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64xf32>, tensor<f32>) -> tensor<1xf32>
    %head.const = stablehlo.constant dense<64.0> : tensor<1xf32>
    %head.div = stablehlo.divide %head.reduce_add, %head.const : tensor<1xf32>
    %head.const.1 = stablehlo.constant dense<0.001> : tensor<1xf32>
    %head.add = stablehlo.add %head.div, %head.const.1 : tensor<1xf32>
    %head.rsqrt = stablehlo.rsqrt %head.add : tensor<1xf32>
    %head.broadcast = stablehlo.broadcast_in_dim %head.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x64xf32>
    %head.mul.1 = stablehlo.multiply %layers.1.add.1, %head.broadcast : tensor<1x64xf32>
    %head.convert = stablehlo.convert %norm.weight : (tensor<64xbf16>) -> tensor<64xf32>
    %head.broadcast.1 = stablehlo.broadcast_in_dim %head.convert, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %head.mul.2 = stablehlo.multiply %head.mul.1, %head.broadcast.1 : tensor<1x64xf32>
    %head.convert.1 = stablehlo.convert %head.weight : (tensor<8x64x32xbf16>) -> tensor<8x64x32xf32>
    %head.reshape = stablehlo.reshape %head.mul.2 : (tensor<1x64xf32>) -> tensor<64xf32>
    %head.broadcast.2 = stablehlo.broadcast_in_dim %head.reshape, dims = [1] : (tensor<64xf32>) -> tensor<8x64x32xf32>
    %head.mul.3 = stablehlo.multiply %head.broadcast.2, %head.convert.1 : tensor<8x64x32xf32>
    %head.reduce_add.1 = stablehlo.reduce(%head.mul.3 init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<8x64x32xf32>, tensor<f32>) -> tensor<8x32xf32>
    %head.reshape.1 = stablehlo.reshape %head.reduce_add.1 : (tensor<8x32xf32>) -> tensor<1x256xf32>
    %head.convert.2 = stablehlo.convert %head.bias : (tensor<256xbf16>) -> tensor<256xf32>
    %head.broadcast.3 = stablehlo.broadcast_in_dim %head.convert.2, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
    %head.add.1 = stablehlo.add %head.reshape.1, %head.broadcast.3 : tensor<1x256xf32>
    %head.argmax$max = stablehlo.reduce(%head.add.1 init: %$max_f32) applies stablehlo.maximum across dimensions = [1] : (tensor<1x256xf32>, tensor<f32>) -> tensor<1xf32>
    %head.argmax$bound = stablehlo.broadcast_in_dim %head.argmax$max, dims = [0] : (tensor<1xf32>) -> tensor<1x256xf32>
    %head.argmax$hit = stablehlo.compare EQ, %head.add.1, %head.argmax$bound : (tensor<1x256xf32>, tensor<1x256xf32>) -> tensor<1x256xi1>
    %head.argmax$nan = stablehlo.compare NE, %head.add.1, %head.add.1 : (tensor<1x256xf32>, tensor<1x256xf32>) -> tensor<1x256xi1>
    %head.argmax$any = stablehlo.or %head.argmax$hit, %head.argmax$nan : tensor<1x256xi1>
    %head.argmax$index = stablehlo.iota dim = 1 : tensor<1x256xi32>
    %head.argmax$never = stablehlo.constant dense<2147483647> : tensor<1x256xi32>
    %head.argmax$hits = stablehlo.select %head.argmax$any, %head.argmax$index, %head.argmax$never : tensor<1x256xi1>, tensor<1x256xi32>
    %head.argmax = stablehlo.reduce(%head.argmax$hits init: %$min_i32) applies stablehlo.minimum across dimensions = [1] : (tensor<1x256xi32>, tensor<i32>) -> tensor<1xi32>
    %head.reshape.2 = stablehlo.reshape %head.add.1 : (tensor<1x256xf32>) -> tensor<256xf32>
    return
      %head.argmax,
      %head.reshape.2,
      %layers.0.attn.scatter_rows,
      %layers.0.attn.scatter_rows.1,
      %layers.1.attn.scatter_rows,
      %layers.1.attn.scatter_rows.1
      :
      tensor<1xi32>,
      tensor<256xf32>,
      tensor<79x2x16xf32>,
      tensor<79x2x16xf32>,
      tensor<79x2x16xf32>,
      tensor<79x2x16xf32>
  }
}
