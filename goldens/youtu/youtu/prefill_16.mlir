module @prefill_16 {
  util.global private @rope.cos = #flow.parameter.named<"model"::"rope.cos"> : tensor<64x4xf32>
  util.global private @rope.sin = #flow.parameter.named<"model"::"rope.sin"> : tensor<64x4xf32>
  util.global private @embed.weight = #flow.parameter.named<"model"::"embed.weight"> : tensor<8x64x32xbf16>
  util.global private @layers.0.attn_norm.weight = #flow.parameter.named<"model"::"layers.0.attn_norm.weight"> : tensor<64xbf16>
  util.global private @layers.0.attn.q_a.weight = #flow.parameter.named<"model"::"layers.0.attn.q_a.weight"> : tensor<5x64x8xbf16>
  util.global private @layers.0.attn.q_a.bias = #flow.parameter.named<"model"::"layers.0.attn.q_a.bias"> : tensor<40xbf16>
  util.global private @layers.0.attn.q_a_norm.weight = #flow.parameter.named<"model"::"layers.0.attn.q_a_norm.weight"> : tensor<40xbf16>
  util.global private @layers.0.attn.q_b.weight = #flow.parameter.named<"model"::"layers.0.attn.q_b.weight"> : tensor<3x40x32xbf16>
  util.global private @layers.0.attn.k_up.weight = #flow.parameter.named<"model"::"layers.0.attn.k_up.weight"> : tensor<4x16x32xbf16>
  util.global private @layers.0.attn.kv_a.weight = #flow.parameter.named<"model"::"layers.0.attn.kv_a.weight"> : tensor<5x64x8xbf16>
  util.global private @layers.0.attn.kv_a.bias = #flow.parameter.named<"model"::"layers.0.attn.kv_a.bias"> : tensor<40xbf16>
  util.global private @layers.0.attn.kv_a_norm.weight = #flow.parameter.named<"model"::"layers.0.attn.kv_a_norm.weight"> : tensor<32xbf16>
  util.global private @layers.0.attn.v_up.weight = #flow.parameter.named<"model"::"layers.0.attn.v_up.weight"> : tensor<4x1x32x16xbf16>
  util.global private @layers.0.attn.o.weight = #flow.parameter.named<"model"::"layers.0.attn.o.weight"> : tensor<2x64x32xbf16>
  util.global private @layers.0.attn.o.bias = #flow.parameter.named<"model"::"layers.0.attn.o.bias"> : tensor<64xbf16>
  util.global private @layers.0.mlp_norm.weight = #flow.parameter.named<"model"::"layers.0.mlp_norm.weight"> : tensor<64xbf16>
  util.global private @layers.0.mlp.gate.weight = #flow.parameter.named<"model"::"layers.0.mlp.gate.weight"> : tensor<3x64x32xbf16>
  util.global private @layers.0.mlp.up.weight = #flow.parameter.named<"model"::"layers.0.mlp.up.weight"> : tensor<3x64x32xbf16>
  util.global private @layers.0.mlp.down.weight = #flow.parameter.named<"model"::"layers.0.mlp.down.weight"> : tensor<2x96x32xbf16>
  util.global private @norm.weight = #flow.parameter.named<"model"::"norm.weight"> : tensor<64xbf16>
  func.func public @prefill_16(
    %tokens: tensor<16xi32>,
    %start: tensor<1xi32>,
    %length: tensor<1xi32>,
    %kv_0_k: tensor<79x1x40xf32> {tf.aliasing_output = 2 : i32} // kv.0.k
  ) -> (
    tensor<1xi32>, // next_id
    tensor<256xf32>, // logits
    tensor<79x1x40xf32> // kv.0.k
  ) {
    %rope.cos = util.global.load @rope.cos : tensor<64x4xf32>
    %rope.sin = util.global.load @rope.sin : tensor<64x4xf32>
    %embed.weight = util.global.load @embed.weight : tensor<8x64x32xbf16>
    %layers.0.attn_norm.weight = util.global.load @layers.0.attn_norm.weight : tensor<64xbf16>
    %layers.0.attn.q_a.weight = util.global.load @layers.0.attn.q_a.weight : tensor<5x64x8xbf16>
    %layers.0.attn.q_a.bias = util.global.load @layers.0.attn.q_a.bias : tensor<40xbf16>
    %layers.0.attn.q_a_norm.weight = util.global.load @layers.0.attn.q_a_norm.weight : tensor<40xbf16>
    %layers.0.attn.q_b.weight = util.global.load @layers.0.attn.q_b.weight : tensor<3x40x32xbf16>
    %layers.0.attn.k_up.weight = util.global.load @layers.0.attn.k_up.weight : tensor<4x16x32xbf16>
    %layers.0.attn.kv_a.weight = util.global.load @layers.0.attn.kv_a.weight : tensor<5x64x8xbf16>
    %layers.0.attn.kv_a.bias = util.global.load @layers.0.attn.kv_a.bias : tensor<40xbf16>
    %layers.0.attn.kv_a_norm.weight = util.global.load @layers.0.attn.kv_a_norm.weight : tensor<32xbf16>
    %layers.0.attn.v_up.weight = util.global.load @layers.0.attn.v_up.weight : tensor<4x1x32x16xbf16>
    %layers.0.attn.o.weight = util.global.load @layers.0.attn.o.weight : tensor<2x64x32xbf16>
    %layers.0.attn.o.bias = util.global.load @layers.0.attn.o.bias : tensor<64xbf16>
    %layers.0.mlp_norm.weight = util.global.load @layers.0.mlp_norm.weight : tensor<64xbf16>
    %layers.0.mlp.gate.weight = util.global.load @layers.0.mlp.gate.weight : tensor<3x64x32xbf16>
    %layers.0.mlp.up.weight = util.global.load @layers.0.mlp.up.weight : tensor<3x64x32xbf16>
    %layers.0.mlp.down.weight = util.global.load @layers.0.mlp.down.weight : tensor<2x96x32xbf16>
    %norm.weight = util.global.load @norm.weight : tensor<64xbf16>
    %$add_f32 = stablehlo.constant dense<0.0> : tensor<f32>
    %$max_f32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %$min_i32 = stablehlo.constant dense<2147483647> : tensor<i32>
    %iota = stablehlo.iota dim = 0 : tensor<16xi32>
    %broadcast = stablehlo.broadcast_in_dim %start, dims = [0] : (tensor<1xi32>) -> tensor<16xi32>
    %add = stablehlo.add %iota, %broadcast : tensor<16xi32>
    %const = stablehlo.constant dense<1> : tensor<1xi32>
    %sub = stablehlo.subtract %length, %const : tensor<1xi32>
    %rope.gather_rows = "stablehlo.gather"(%rope.cos, %add) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<64x4xf32>, tensor<16xi32>) -> tensor<16x4xf32>
    %rope.gather_rows.1 = "stablehlo.gather"(%rope.sin, %add) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<64x4xf32>, tensor<16xi32>) -> tensor<16x4xf32>
    %mask.iota = stablehlo.iota dim = 1 : tensor<16x64xi32>
    %mask.broadcast = stablehlo.broadcast_in_dim %add, dims = [0] : (tensor<16xi32>) -> tensor<16x64xi32>
    %mask.le = stablehlo.compare LE, %mask.iota, %mask.broadcast : (tensor<16x64xi32>, tensor<16x64xi32>) -> tensor<16x64xi1>
    %embed.const = stablehlo.constant dense<32> : tensor<16xi32>
    %embed.div = stablehlo.divide %tokens, %embed.const : tensor<16xi32>
    %embed.gather_rows = "stablehlo.gather"(%embed.weight, %embed.div) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64, 32>}> : (tensor<8x64x32xbf16>, tensor<16xi32>) -> tensor<16x64x32xbf16>
    %embed.convert = stablehlo.convert %embed.gather_rows : (tensor<16x64x32xbf16>) -> tensor<16x64x32xf32>
    %embed.iota = stablehlo.iota dim = 2 : tensor<16x64x32xi32>
    %embed.rem = stablehlo.remainder %tokens, %embed.const : tensor<16xi32>
    %embed.broadcast = stablehlo.broadcast_in_dim %embed.rem, dims = [0] : (tensor<16xi32>) -> tensor<16x64x32xi32>
    %embed.eq = stablehlo.compare EQ, %embed.iota, %embed.broadcast : (tensor<16x64x32xi32>, tensor<16x64x32xi32>) -> tensor<16x64x32xi1>
    %embed.const.1 = stablehlo.constant dense<0.0> : tensor<16x64x32xf32>
    %embed.select = stablehlo.select %embed.eq, %embed.convert, %embed.const.1 : tensor<16x64x32xi1>, tensor<16x64x32xf32>
    %embed.reduce_add = stablehlo.reduce(%embed.select init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<16x64x32xf32>, tensor<f32>) -> tensor<16x64xf32>
    %layers.0.attn_norm.mul = stablehlo.multiply %embed.reduce_add, %embed.reduce_add : tensor<16x64xf32>
    %layers.0.attn_norm.reduce_add = stablehlo.reduce(%layers.0.attn_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
    %layers.0.attn_norm.const = stablehlo.constant dense<64.0> : tensor<16xf32>
    %layers.0.attn_norm.div = stablehlo.divide %layers.0.attn_norm.reduce_add, %layers.0.attn_norm.const : tensor<16xf32>
    %layers.0.attn_norm.const.1 = stablehlo.constant dense<0.001> : tensor<16xf32>
    %layers.0.attn_norm.add = stablehlo.add %layers.0.attn_norm.div, %layers.0.attn_norm.const.1 : tensor<16xf32>
    %layers.0.attn_norm.rsqrt = stablehlo.rsqrt %layers.0.attn_norm.add : tensor<16xf32>
    %layers.0.attn_norm.broadcast = stablehlo.broadcast_in_dim %layers.0.attn_norm.rsqrt, dims = [0] : (tensor<16xf32>) -> tensor<16x64xf32>
    %layers.0.attn_norm.mul.1 = stablehlo.multiply %embed.reduce_add, %layers.0.attn_norm.broadcast : tensor<16x64xf32>
    %layers.0.attn_norm.convert = stablehlo.convert %layers.0.attn_norm.weight : (tensor<64xbf16>) -> tensor<64xf32>
    %layers.0.attn_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn_norm.convert, dims = [1] : (tensor<64xf32>) -> tensor<16x64xf32>
    %layers.0.attn_norm.mul.2 = stablehlo.multiply %layers.0.attn_norm.mul.1, %layers.0.attn_norm.broadcast.1 : tensor<16x64xf32>
    %layers.0.attn.q_a.convert = stablehlo.convert %layers.0.attn.q_a.weight : (tensor<5x64x8xbf16>) -> tensor<5x64x8xf32>
    %layers.0.attn.q_a.broadcast = stablehlo.broadcast_in_dim %layers.0.attn_norm.mul.2, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<5x16x64xf32>
    %layers.0.attn.q_a.dot = stablehlo.dot_general %layers.0.attn.q_a.broadcast, %layers.0.attn.q_a.convert, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x16x64xf32>, tensor<5x64x8xf32>) -> tensor<5x16x8xf32>
    %layers.0.attn.q_a.transpose = stablehlo.transpose %layers.0.attn.q_a.dot, dims = [1, 0, 2] : (tensor<5x16x8xf32>) -> tensor<16x5x8xf32>
    %layers.0.attn.q_a.reshape = stablehlo.reshape %layers.0.attn.q_a.transpose : (tensor<16x5x8xf32>) -> tensor<16x40xf32>
    %layers.0.attn.q_a.convert.1 = stablehlo.convert %layers.0.attn.q_a.bias : (tensor<40xbf16>) -> tensor<40xf32>
    %layers.0.attn.q_a.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.q_a.convert.1, dims = [1] : (tensor<40xf32>) -> tensor<16x40xf32>
    %layers.0.attn.q_a.add = stablehlo.add %layers.0.attn.q_a.reshape, %layers.0.attn.q_a.broadcast.1 : tensor<16x40xf32>
    %layers.0.attn.q_a_norm.mul = stablehlo.multiply %layers.0.attn.q_a.add, %layers.0.attn.q_a.add : tensor<16x40xf32>
    %layers.0.attn.q_a_norm.reduce_add = stablehlo.reduce(%layers.0.attn.q_a_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<16x40xf32>, tensor<f32>) -> tensor<16xf32>
    %layers.0.attn.q_a_norm.const = stablehlo.constant dense<40.0> : tensor<16xf32>
    %layers.0.attn.q_a_norm.div = stablehlo.divide %layers.0.attn.q_a_norm.reduce_add, %layers.0.attn.q_a_norm.const : tensor<16xf32>
    %layers.0.attn.q_a_norm.const.1 = stablehlo.constant dense<1.0e-06> : tensor<16xf32>
    %layers.0.attn.q_a_norm.add = stablehlo.add %layers.0.attn.q_a_norm.div, %layers.0.attn.q_a_norm.const.1 : tensor<16xf32>
    %layers.0.attn.q_a_norm.rsqrt = stablehlo.rsqrt %layers.0.attn.q_a_norm.add : tensor<16xf32>
    %layers.0.attn.q_a_norm.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.q_a_norm.rsqrt, dims = [0] : (tensor<16xf32>) -> tensor<16x40xf32>
    %layers.0.attn.q_a_norm.mul.1 = stablehlo.multiply %layers.0.attn.q_a.add, %layers.0.attn.q_a_norm.broadcast : tensor<16x40xf32>
    %layers.0.attn.q_a_norm.convert = stablehlo.convert %layers.0.attn.q_a_norm.weight : (tensor<40xbf16>) -> tensor<40xf32>
    %layers.0.attn.q_a_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.q_a_norm.convert, dims = [1] : (tensor<40xf32>) -> tensor<16x40xf32>
    %layers.0.attn.q_a_norm.mul.2 = stablehlo.multiply %layers.0.attn.q_a_norm.mul.1, %layers.0.attn.q_a_norm.broadcast.1 : tensor<16x40xf32>
    %layers.0.attn.q_b.convert = stablehlo.convert %layers.0.attn.q_b.weight : (tensor<3x40x32xbf16>) -> tensor<3x40x32xf32>
    %layers.0.attn.q_b.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.q_a_norm.mul.2, dims = [1, 2] : (tensor<16x40xf32>) -> tensor<3x16x40xf32>
    %layers.0.attn.q_b.dot = stablehlo.dot_general %layers.0.attn.q_b.broadcast, %layers.0.attn.q_b.convert, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x16x40xf32>, tensor<3x40x32xf32>) -> tensor<3x16x32xf32>
    %layers.0.attn.q_b.transpose = stablehlo.transpose %layers.0.attn.q_b.dot, dims = [1, 0, 2] : (tensor<3x16x32xf32>) -> tensor<16x3x32xf32>
    %layers.0.attn.reshape = stablehlo.reshape %layers.0.attn.q_b.transpose : (tensor<16x3x32xf32>) -> tensor<16x4x24xf32>
    %layers.0.attn.slice = stablehlo.slice %layers.0.attn.reshape [0:16, 0:4, 16:24] : (tensor<16x4x24xf32>) -> tensor<16x4x8xf32>
    %layers.0.attn.reshape.1 = stablehlo.reshape %layers.0.attn.slice : (tensor<16x4x8xf32>) -> tensor<16x4x4x2xf32>
    %layers.0.attn.iota = stablehlo.iota dim = 3 : tensor<16x4x4x2xi32>
    %layers.0.attn.const = stablehlo.constant dense<0> : tensor<16x4x4x2xi32>
    %layers.0.attn.eq = stablehlo.compare EQ, %layers.0.attn.iota, %layers.0.attn.const : (tensor<16x4x4x2xi32>, tensor<16x4x4x2xi32>) -> tensor<16x4x4x2xi1>
    %layers.0.attn.broadcast = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 2] : (tensor<16x4xf32>) -> tensor<16x4x4x2xf32>
    %layers.0.attn.reverse = stablehlo.reverse %layers.0.attn.reshape.1, dims = [3] : tensor<16x4x4x2xf32>
    %layers.0.attn.neg = stablehlo.negate %layers.0.attn.broadcast : tensor<16x4x4x2xf32>
    %layers.0.attn.select = stablehlo.select %layers.0.attn.eq, %layers.0.attn.neg, %layers.0.attn.broadcast : tensor<16x4x4x2xi1>, tensor<16x4x4x2xf32>
    %layers.0.attn.mul = stablehlo.multiply %layers.0.attn.reverse, %layers.0.attn.select : tensor<16x4x4x2xf32>
    %layers.0.attn.broadcast.1 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 2] : (tensor<16x4xf32>) -> tensor<16x4x4x2xf32>
    %layers.0.attn.mul.1 = stablehlo.multiply %layers.0.attn.reshape.1, %layers.0.attn.broadcast.1 : tensor<16x4x4x2xf32>
    %layers.0.attn.add = stablehlo.add %layers.0.attn.mul.1, %layers.0.attn.mul : tensor<16x4x4x2xf32>
    %layers.0.attn.reshape.2 = stablehlo.reshape %layers.0.attn.add : (tensor<16x4x4x2xf32>) -> tensor<16x4x8xf32>
    %layers.0.attn.slice.1 = stablehlo.slice %layers.0.attn.reshape [0:16, 0:4, 0:16] : (tensor<16x4x24xf32>) -> tensor<16x4x16xf32>
    %layers.0.attn.k_up.convert = stablehlo.convert %layers.0.attn.k_up.weight : (tensor<4x16x32xbf16>) -> tensor<4x16x32xf32>
    %layers.0.attn.k_up.dot = stablehlo.dot_general %layers.0.attn.slice.1, %layers.0.attn.k_up.convert, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<16x4x16xf32>, tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
    %layers.0.attn.k_up.transpose = stablehlo.transpose %layers.0.attn.k_up.dot, dims = [1, 0, 2] : (tensor<4x16x32xf32>) -> tensor<16x4x32xf32>
    %layers.0.attn.concat = stablehlo.concatenate %layers.0.attn.k_up.transpose, %layers.0.attn.reshape.2, dim = 2 : (tensor<16x4x32xf32>, tensor<16x4x8xf32>) -> tensor<16x4x40xf32>
    %layers.0.attn.kv_a.convert = stablehlo.convert %layers.0.attn.kv_a.weight : (tensor<5x64x8xbf16>) -> tensor<5x64x8xf32>
    %layers.0.attn.kv_a.broadcast = stablehlo.broadcast_in_dim %layers.0.attn_norm.mul.2, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<5x16x64xf32>
    %layers.0.attn.kv_a.dot = stablehlo.dot_general %layers.0.attn.kv_a.broadcast, %layers.0.attn.kv_a.convert, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x16x64xf32>, tensor<5x64x8xf32>) -> tensor<5x16x8xf32>
    %layers.0.attn.kv_a.transpose = stablehlo.transpose %layers.0.attn.kv_a.dot, dims = [1, 0, 2] : (tensor<5x16x8xf32>) -> tensor<16x5x8xf32>
    %layers.0.attn.kv_a.reshape = stablehlo.reshape %layers.0.attn.kv_a.transpose : (tensor<16x5x8xf32>) -> tensor<16x40xf32>
    %layers.0.attn.kv_a.convert.1 = stablehlo.convert %layers.0.attn.kv_a.bias : (tensor<40xbf16>) -> tensor<40xf32>
    %layers.0.attn.kv_a.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.kv_a.convert.1, dims = [1] : (tensor<40xf32>) -> tensor<16x40xf32>
    %layers.0.attn.kv_a.add = stablehlo.add %layers.0.attn.kv_a.reshape, %layers.0.attn.kv_a.broadcast.1 : tensor<16x40xf32>
    %layers.0.attn.slice.2 = stablehlo.slice %layers.0.attn.kv_a.add [0:16, 0:32] : (tensor<16x40xf32>) -> tensor<16x32xf32>
    %layers.0.attn.kv_a_norm.mul = stablehlo.multiply %layers.0.attn.slice.2, %layers.0.attn.slice.2 : tensor<16x32xf32>
    %layers.0.attn.kv_a_norm.reduce_add = stablehlo.reduce(%layers.0.attn.kv_a_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %layers.0.attn.kv_a_norm.const = stablehlo.constant dense<32.0> : tensor<16xf32>
    %layers.0.attn.kv_a_norm.div = stablehlo.divide %layers.0.attn.kv_a_norm.reduce_add, %layers.0.attn.kv_a_norm.const : tensor<16xf32>
    %layers.0.attn.kv_a_norm.const.1 = stablehlo.constant dense<1.0e-06> : tensor<16xf32>
    %layers.0.attn.kv_a_norm.add = stablehlo.add %layers.0.attn.kv_a_norm.div, %layers.0.attn.kv_a_norm.const.1 : tensor<16xf32>
    %layers.0.attn.kv_a_norm.rsqrt = stablehlo.rsqrt %layers.0.attn.kv_a_norm.add : tensor<16xf32>
    %layers.0.attn.kv_a_norm.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.kv_a_norm.rsqrt, dims = [0] : (tensor<16xf32>) -> tensor<16x32xf32>
    %layers.0.attn.kv_a_norm.mul.1 = stablehlo.multiply %layers.0.attn.slice.2, %layers.0.attn.kv_a_norm.broadcast : tensor<16x32xf32>
    %layers.0.attn.kv_a_norm.convert = stablehlo.convert %layers.0.attn.kv_a_norm.weight : (tensor<32xbf16>) -> tensor<32xf32>
    %layers.0.attn.kv_a_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.kv_a_norm.convert, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %layers.0.attn.kv_a_norm.mul.2 = stablehlo.multiply %layers.0.attn.kv_a_norm.mul.1, %layers.0.attn.kv_a_norm.broadcast.1 : tensor<16x32xf32>
    %layers.0.attn.slice.3 = stablehlo.slice %layers.0.attn.kv_a.add [0:16, 32:40] : (tensor<16x40xf32>) -> tensor<16x8xf32>
    %layers.0.attn.reshape.3 = stablehlo.reshape %layers.0.attn.slice.3 : (tensor<16x8xf32>) -> tensor<16x1x4x2xf32>
    %layers.0.attn.iota.1 = stablehlo.iota dim = 3 : tensor<16x1x4x2xi32>
    %layers.0.attn.const.1 = stablehlo.constant dense<0> : tensor<16x1x4x2xi32>
    %layers.0.attn.eq.1 = stablehlo.compare EQ, %layers.0.attn.iota.1, %layers.0.attn.const.1 : (tensor<16x1x4x2xi32>, tensor<16x1x4x2xi32>) -> tensor<16x1x4x2xi1>
    %layers.0.attn.broadcast.2 = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 2] : (tensor<16x4xf32>) -> tensor<16x1x4x2xf32>
    %layers.0.attn.reverse.1 = stablehlo.reverse %layers.0.attn.reshape.3, dims = [3] : tensor<16x1x4x2xf32>
    %layers.0.attn.neg.1 = stablehlo.negate %layers.0.attn.broadcast.2 : tensor<16x1x4x2xf32>
    %layers.0.attn.select.1 = stablehlo.select %layers.0.attn.eq.1, %layers.0.attn.neg.1, %layers.0.attn.broadcast.2 : tensor<16x1x4x2xi1>, tensor<16x1x4x2xf32>
    %layers.0.attn.mul.2 = stablehlo.multiply %layers.0.attn.reverse.1, %layers.0.attn.select.1 : tensor<16x1x4x2xf32>
    %layers.0.attn.broadcast.3 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 2] : (tensor<16x4xf32>) -> tensor<16x1x4x2xf32>
    %layers.0.attn.mul.3 = stablehlo.multiply %layers.0.attn.reshape.3, %layers.0.attn.broadcast.3 : tensor<16x1x4x2xf32>
    %layers.0.attn.add.1 = stablehlo.add %layers.0.attn.mul.3, %layers.0.attn.mul.2 : tensor<16x1x4x2xf32>
    %layers.0.attn.reshape.4 = stablehlo.reshape %layers.0.attn.add.1 : (tensor<16x1x4x2xf32>) -> tensor<16x1x8xf32>
    %layers.0.attn.reshape.5 = stablehlo.reshape %layers.0.attn.kv_a_norm.mul.2 : (tensor<16x32xf32>) -> tensor<16x1x32xf32>
    %layers.0.attn.concat.1 = stablehlo.concatenate %layers.0.attn.reshape.5, %layers.0.attn.reshape.4, dim = 2 : (tensor<16x1x32xf32>, tensor<16x1x8xf32>) -> tensor<16x1x40xf32>
    %layers.0.attn.scatter_rows = "stablehlo.scatter"(%kv_0_k, %add, %layers.0.attn.concat.1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<79x1x40xf32>, tensor<16xi32>, tensor<16x1x40xf32>) -> tensor<79x1x40xf32>
    %layers.0.attn.slice.4 = stablehlo.slice %layers.0.attn.scatter_rows [0:64, 0:1, 0:40] : (tensor<79x1x40xf32>) -> tensor<64x1x40xf32>
    %layers.0.attn.reshape.6 = stablehlo.reshape %layers.0.attn.concat : (tensor<16x4x40xf32>) -> tensor<16x1x4x40xf32>
    %layers.0.attn.dot = stablehlo.dot_general %layers.0.attn.reshape.6, %layers.0.attn.slice.4, batching_dims = [1] x [1], contracting_dims = [3] x [2] : (tensor<16x1x4x40xf32>, tensor<64x1x40xf32>) -> tensor<1x16x4x64xf32>
    %layers.0.attn.const.2 = stablehlo.constant dense<0.25191098> : tensor<1x16x4x64xf32>
    %layers.0.attn.mul.4 = stablehlo.multiply %layers.0.attn.dot, %layers.0.attn.const.2 : tensor<1x16x4x64xf32>
    %layers.0.attn.broadcast.4 = stablehlo.broadcast_in_dim %mask.le, dims = [1, 3] : (tensor<16x64xi1>) -> tensor<1x16x4x64xi1>
    %layers.0.attn.const.3 = stablehlo.constant dense<-1.0e+30> : tensor<1x16x4x64xf32>
    %layers.0.attn.select.2 = stablehlo.select %layers.0.attn.broadcast.4, %layers.0.attn.mul.4, %layers.0.attn.const.3 : tensor<1x16x4x64xi1>, tensor<1x16x4x64xf32>
    %layers.0.attn.reduce_max = stablehlo.reduce(%layers.0.attn.select.2 init: %$max_f32) applies stablehlo.maximum across dimensions = [3] : (tensor<1x16x4x64xf32>, tensor<f32>) -> tensor<1x16x4xf32>
    %layers.0.attn.broadcast.5 = stablehlo.broadcast_in_dim %layers.0.attn.reduce_max, dims = [0, 1, 2] : (tensor<1x16x4xf32>) -> tensor<1x16x4x64xf32>
    %layers.0.attn.sub = stablehlo.subtract %layers.0.attn.select.2, %layers.0.attn.broadcast.5 : tensor<1x16x4x64xf32>
    %layers.0.attn.exp = stablehlo.exponential %layers.0.attn.sub : tensor<1x16x4x64xf32>
    %layers.0.attn.reduce_add = stablehlo.reduce(%layers.0.attn.exp init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<1x16x4x64xf32>, tensor<f32>) -> tensor<1x16x4xf32>
    %layers.0.attn.broadcast.6 = stablehlo.broadcast_in_dim %layers.0.attn.reduce_add, dims = [0, 1, 2] : (tensor<1x16x4xf32>) -> tensor<1x16x4x64xf32>
    %layers.0.attn.div = stablehlo.divide %layers.0.attn.exp, %layers.0.attn.broadcast.6 : tensor<1x16x4x64xf32>
    %layers.0.attn.dot.1 = stablehlo.dot_general %layers.0.attn.div, %layers.0.attn.slice.4, batching_dims = [0] x [1], contracting_dims = [3] x [0] : (tensor<1x16x4x64xf32>, tensor<64x1x40xf32>) -> tensor<1x16x4x40xf32>
    %layers.0.attn.transpose = stablehlo.transpose %layers.0.attn.dot.1, dims = [1, 0, 2, 3] : (tensor<1x16x4x40xf32>) -> tensor<16x1x4x40xf32>
    %layers.0.attn.reshape.7 = stablehlo.reshape %layers.0.attn.transpose : (tensor<16x1x4x40xf32>) -> tensor<16x4x40xf32>
    %layers.0.attn.slice.5 = stablehlo.slice %layers.0.attn.reshape.7 [0:16, 0:4, 0:32] : (tensor<16x4x40xf32>) -> tensor<16x4x32xf32>
    %layers.0.attn.v_up.convert = stablehlo.convert %layers.0.attn.v_up.weight : (tensor<4x1x32x16xbf16>) -> tensor<4x1x32x16xf32>
    %layers.0.attn.v_up.transpose = stablehlo.transpose %layers.0.attn.slice.5, dims = [1, 0, 2] : (tensor<16x4x32xf32>) -> tensor<4x16x32xf32>
    %layers.0.attn.v_up.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.v_up.transpose, dims = [0, 2, 3] : (tensor<4x16x32xf32>) -> tensor<4x1x16x32xf32>
    %layers.0.attn.v_up.dot = stablehlo.dot_general %layers.0.attn.v_up.broadcast, %layers.0.attn.v_up.convert, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<4x1x16x32xf32>, tensor<4x1x32x16xf32>) -> tensor<4x1x16x16xf32>
    %layers.0.attn.v_up.transpose.1 = stablehlo.transpose %layers.0.attn.v_up.dot, dims = [2, 0, 1, 3] : (tensor<4x1x16x16xf32>) -> tensor<16x4x1x16xf32>
    %layers.0.attn.v_up.reshape = stablehlo.reshape %layers.0.attn.v_up.transpose.1 : (tensor<16x4x1x16xf32>) -> tensor<16x64xf32>
    %layers.0.attn.o.convert = stablehlo.convert %layers.0.attn.o.weight : (tensor<2x64x32xbf16>) -> tensor<2x64x32xf32>
    %layers.0.attn.o.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.v_up.reshape, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<2x16x64xf32>
    %layers.0.attn.o.dot = stablehlo.dot_general %layers.0.attn.o.broadcast, %layers.0.attn.o.convert, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x16x64xf32>, tensor<2x64x32xf32>) -> tensor<2x16x32xf32>
    %layers.0.attn.o.transpose = stablehlo.transpose %layers.0.attn.o.dot, dims = [1, 0, 2] : (tensor<2x16x32xf32>) -> tensor<16x2x32xf32>
    %layers.0.attn.o.reshape = stablehlo.reshape %layers.0.attn.o.transpose : (tensor<16x2x32xf32>) -> tensor<16x64xf32>
    %layers.0.attn.o.convert.1 = stablehlo.convert %layers.0.attn.o.bias : (tensor<64xbf16>) -> tensor<64xf32>
    %layers.0.attn.o.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.o.convert.1, dims = [1] : (tensor<64xf32>) -> tensor<16x64xf32>
    %layers.0.attn.o.add = stablehlo.add %layers.0.attn.o.reshape, %layers.0.attn.o.broadcast.1 : tensor<16x64xf32>
    %layers.0.add = stablehlo.add %embed.reduce_add, %layers.0.attn.o.add : tensor<16x64xf32>
    %layers.0.mlp_norm.mul = stablehlo.multiply %layers.0.add, %layers.0.add : tensor<16x64xf32>
    %layers.0.mlp_norm.reduce_add = stablehlo.reduce(%layers.0.mlp_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
    %layers.0.mlp_norm.const = stablehlo.constant dense<64.0> : tensor<16xf32>
    %layers.0.mlp_norm.div = stablehlo.divide %layers.0.mlp_norm.reduce_add, %layers.0.mlp_norm.const : tensor<16xf32>
    %layers.0.mlp_norm.const.1 = stablehlo.constant dense<0.001> : tensor<16xf32>
    %layers.0.mlp_norm.add = stablehlo.add %layers.0.mlp_norm.div, %layers.0.mlp_norm.const.1 : tensor<16xf32>
    %layers.0.mlp_norm.rsqrt = stablehlo.rsqrt %layers.0.mlp_norm.add : tensor<16xf32>
    %layers.0.mlp_norm.broadcast = stablehlo.broadcast_in_dim %layers.0.mlp_norm.rsqrt, dims = [0] : (tensor<16xf32>) -> tensor<16x64xf32>
    %layers.0.mlp_norm.mul.1 = stablehlo.multiply %layers.0.add, %layers.0.mlp_norm.broadcast : tensor<16x64xf32>
    %layers.0.mlp_norm.convert = stablehlo.convert %layers.0.mlp_norm.weight : (tensor<64xbf16>) -> tensor<64xf32>
    %layers.0.mlp_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.mlp_norm.convert, dims = [1] : (tensor<64xf32>) -> tensor<16x64xf32>
    %layers.0.mlp_norm.mul.2 = stablehlo.multiply %layers.0.mlp_norm.mul.1, %layers.0.mlp_norm.broadcast.1 : tensor<16x64xf32>
    %layers.0.mlp.gate.convert = stablehlo.convert %layers.0.mlp.gate.weight : (tensor<3x64x32xbf16>) -> tensor<3x64x32xf32>
    %layers.0.mlp.gate.broadcast = stablehlo.broadcast_in_dim %layers.0.mlp_norm.mul.2, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<3x16x64xf32>
    %layers.0.mlp.gate.dot = stablehlo.dot_general %layers.0.mlp.gate.broadcast, %layers.0.mlp.gate.convert, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x16x64xf32>, tensor<3x64x32xf32>) -> tensor<3x16x32xf32>
    %layers.0.mlp.gate.transpose = stablehlo.transpose %layers.0.mlp.gate.dot, dims = [1, 0, 2] : (tensor<3x16x32xf32>) -> tensor<16x3x32xf32>
    %layers.0.mlp.gate.reshape = stablehlo.reshape %layers.0.mlp.gate.transpose : (tensor<16x3x32xf32>) -> tensor<16x96xf32>
    %layers.0.mlp.logistic = stablehlo.logistic %layers.0.mlp.gate.reshape : tensor<16x96xf32>
    %layers.0.mlp.mul = stablehlo.multiply %layers.0.mlp.gate.reshape, %layers.0.mlp.logistic : tensor<16x96xf32>
    %layers.0.mlp.up.convert = stablehlo.convert %layers.0.mlp.up.weight : (tensor<3x64x32xbf16>) -> tensor<3x64x32xf32>
    %layers.0.mlp.up.broadcast = stablehlo.broadcast_in_dim %layers.0.mlp_norm.mul.2, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<3x16x64xf32>
    %layers.0.mlp.up.dot = stablehlo.dot_general %layers.0.mlp.up.broadcast, %layers.0.mlp.up.convert, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x16x64xf32>, tensor<3x64x32xf32>) -> tensor<3x16x32xf32>
    %layers.0.mlp.up.transpose = stablehlo.transpose %layers.0.mlp.up.dot, dims = [1, 0, 2] : (tensor<3x16x32xf32>) -> tensor<16x3x32xf32>
    %layers.0.mlp.up.reshape = stablehlo.reshape %layers.0.mlp.up.transpose : (tensor<16x3x32xf32>) -> tensor<16x96xf32>
    %layers.0.mlp.mul.1 = stablehlo.multiply %layers.0.mlp.mul, %layers.0.mlp.up.reshape : tensor<16x96xf32>
    %layers.0.mlp.down.convert = stablehlo.convert %layers.0.mlp.down.weight : (tensor<2x96x32xbf16>) -> tensor<2x96x32xf32>
    %layers.0.mlp.down.broadcast = stablehlo.broadcast_in_dim %layers.0.mlp.mul.1, dims = [1, 2] : (tensor<16x96xf32>) -> tensor<2x16x96xf32>
    %layers.0.mlp.down.dot = stablehlo.dot_general %layers.0.mlp.down.broadcast, %layers.0.mlp.down.convert, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x16x96xf32>, tensor<2x96x32xf32>) -> tensor<2x16x32xf32>
    %layers.0.mlp.down.transpose = stablehlo.transpose %layers.0.mlp.down.dot, dims = [1, 0, 2] : (tensor<2x16x32xf32>) -> tensor<16x2x32xf32>
    %layers.0.mlp.down.reshape = stablehlo.reshape %layers.0.mlp.down.transpose : (tensor<16x2x32xf32>) -> tensor<16x64xf32>
    %layers.0.add.1 = stablehlo.add %layers.0.add, %layers.0.mlp.down.reshape : tensor<16x64xf32>
    %head.gather_rows = "stablehlo.gather"(%layers.0.add.1, %sub) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<16x64xf32>, tensor<1xi32>) -> tensor<1x64xf32>
    %head.mul = stablehlo.multiply %head.gather_rows, %head.gather_rows : tensor<1x64xf32>
    %head.reduce_add = stablehlo.reduce(%head.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64xf32>, tensor<f32>) -> tensor<1xf32>
    %head.const = stablehlo.constant dense<64.0> : tensor<1xf32>
    %head.div = stablehlo.divide %head.reduce_add, %head.const : tensor<1xf32>
    %head.const.1 = stablehlo.constant dense<0.001> : tensor<1xf32>
    %head.add = stablehlo.add %head.div, %head.const.1 : tensor<1xf32>
    %head.rsqrt = stablehlo.rsqrt %head.add : tensor<1xf32>
    %head.broadcast = stablehlo.broadcast_in_dim %head.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x64xf32>
    %head.mul.1 = stablehlo.multiply %head.gather_rows, %head.broadcast : tensor<1x64xf32>
    %head.convert = stablehlo.convert %norm.weight : (tensor<64xbf16>) -> tensor<64xf32>
    %head.broadcast.1 = stablehlo.broadcast_in_dim %head.convert, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %head.mul.2 = stablehlo.multiply %head.mul.1, %head.broadcast.1 : tensor<1x64xf32>
    %head.convert.1 = stablehlo.convert %embed.weight : (tensor<8x64x32xbf16>) -> tensor<8x64x32xf32>
    %head.reshape = stablehlo.reshape %head.mul.2 : (tensor<1x64xf32>) -> tensor<64xf32>
    %head.broadcast.2 = stablehlo.broadcast_in_dim %head.reshape, dims = [1] : (tensor<64xf32>) -> tensor<8x64x32xf32>
    %head.mul.3 = stablehlo.multiply %head.broadcast.2, %head.convert.1 : tensor<8x64x32xf32>
    %head.reduce_add.1 = stablehlo.reduce(%head.mul.3 init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<8x64x32xf32>, tensor<f32>) -> tensor<8x32xf32>
    %head.reshape.1 = stablehlo.reshape %head.reduce_add.1 : (tensor<8x32xf32>) -> tensor<1x256xf32>
    %head.argmax$max = stablehlo.reduce(%head.reshape.1 init: %$max_f32) applies stablehlo.maximum across dimensions = [1] : (tensor<1x256xf32>, tensor<f32>) -> tensor<1xf32>
    %head.argmax$bound = stablehlo.broadcast_in_dim %head.argmax$max, dims = [0] : (tensor<1xf32>) -> tensor<1x256xf32>
    %head.argmax$hit = stablehlo.compare EQ, %head.reshape.1, %head.argmax$bound : (tensor<1x256xf32>, tensor<1x256xf32>) -> tensor<1x256xi1>
    %head.argmax$nan = stablehlo.compare NE, %head.reshape.1, %head.reshape.1 : (tensor<1x256xf32>, tensor<1x256xf32>) -> tensor<1x256xi1>
    %head.argmax$any = stablehlo.or %head.argmax$hit, %head.argmax$nan : tensor<1x256xi1>
    %head.argmax$index = stablehlo.iota dim = 1 : tensor<1x256xi32>
    %head.argmax$never = stablehlo.constant dense<2147483647> : tensor<1x256xi32>
    %head.argmax$hits = stablehlo.select %head.argmax$any, %head.argmax$index, %head.argmax$never : tensor<1x256xi1>, tensor<1x256xi32>
    %head.argmax = stablehlo.reduce(%head.argmax$hits init: %$min_i32) applies stablehlo.minimum across dimensions = [1] : (tensor<1x256xi32>, tensor<i32>) -> tensor<1xi32>
    %head.reshape.2 = stablehlo.reshape %head.reduce_add.1 : (tensor<8x32xf32>) -> tensor<256xf32>
    return
      %head.argmax,
      %head.reshape.2,
      %layers.0.attn.scatter_rows
      :
      tensor<1xi32>,
      tensor<256xf32>,
      tensor<79x1x40xf32>
  }
}
