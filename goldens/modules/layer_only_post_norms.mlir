module @layer {
  util.global private @rope.cos = #flow.parameter.named<"model"::"rope.cos"> : tensor<64x8xf32>
  util.global private @rope.sin = #flow.parameter.named<"model"::"rope.sin"> : tensor<64x8xf32>
  util.global private @layers.0.attn.q.weight = #flow.parameter.named<"model"::"layers.0.attn.q.weight"> : tensor<64x32xbf16>
  util.global private @layers.0.attn.k.weight = #flow.parameter.named<"model"::"layers.0.attn.k.weight"> : tensor<32x32xbf16>
  util.global private @layers.0.attn.v.weight = #flow.parameter.named<"model"::"layers.0.attn.v.weight"> : tensor<32x32xbf16>
  util.global private @layers.0.attn.o.weight = #flow.parameter.named<"model"::"layers.0.attn.o.weight"> : tensor<32x64xbf16>
  util.global private @layers.0.attn_post_norm.weight = #flow.parameter.named<"model"::"layers.0.attn_post_norm.weight"> : tensor<32xbf16>
  util.global private @layers.0.mlp.gate.weight = #flow.parameter.named<"model"::"layers.0.mlp.gate.weight"> : tensor<48x32xbf16>
  util.global private @layers.0.mlp.up.weight = #flow.parameter.named<"model"::"layers.0.mlp.up.weight"> : tensor<48x32xbf16>
  util.global private @layers.0.mlp.down.weight = #flow.parameter.named<"model"::"layers.0.mlp.down.weight"> : tensor<32x48xbf16>
  util.global private @layers.0.mlp_post_norm.weight = #flow.parameter.named<"model"::"layers.0.mlp_post_norm.weight"> : tensor<32xbf16>
  func.func public @layer(
    %position: tensor<16xi32>,
    %kv_0_k: tensor<79x2x16xf32> {tf.aliasing_output = 1 : i32}, // kv.0.k
    %kv_0_v: tensor<79x2x16xf32> {tf.aliasing_output = 2 : i32}, // kv.0.v
    %x: tensor<16x32xf32>
  ) -> (
    tensor<16x32xf32>, // y
    tensor<79x2x16xf32>, // kv.0.k
    tensor<79x2x16xf32> // kv.0.v
  ) {
    %rope.cos = util.global.load @rope.cos : tensor<64x8xf32>
    %rope.sin = util.global.load @rope.sin : tensor<64x8xf32>
    %layers.0.attn.q.weight = util.global.load @layers.0.attn.q.weight : tensor<64x32xbf16>
    %layers.0.attn.k.weight = util.global.load @layers.0.attn.k.weight : tensor<32x32xbf16>
    %layers.0.attn.v.weight = util.global.load @layers.0.attn.v.weight : tensor<32x32xbf16>
    %layers.0.attn.o.weight = util.global.load @layers.0.attn.o.weight : tensor<32x64xbf16>
    %layers.0.attn_post_norm.weight = util.global.load @layers.0.attn_post_norm.weight : tensor<32xbf16>
    %layers.0.mlp.gate.weight = util.global.load @layers.0.mlp.gate.weight : tensor<48x32xbf16>
    %layers.0.mlp.up.weight = util.global.load @layers.0.mlp.up.weight : tensor<48x32xbf16>
    %layers.0.mlp.down.weight = util.global.load @layers.0.mlp.down.weight : tensor<32x48xbf16>
    %layers.0.mlp_post_norm.weight = util.global.load @layers.0.mlp_post_norm.weight : tensor<32xbf16>
    %$max_f32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %$add_f32 = stablehlo.constant dense<0.0> : tensor<f32>
    %rope.gather_rows = "stablehlo.gather"(%rope.cos, %position) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<16xi32>) -> tensor<16x8xf32>
    %rope.gather_rows.1 = "stablehlo.gather"(%rope.sin, %position) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<16xi32>) -> tensor<16x8xf32>
    %mask.iota = stablehlo.iota dim = 1 : tensor<16x64xi32>
    %mask.broadcast = stablehlo.broadcast_in_dim %position, dims = [0] : (tensor<16xi32>) -> tensor<16x64xi32>
    %mask.le = stablehlo.compare LE, %mask.iota, %mask.broadcast : (tensor<16x64xi32>, tensor<16x64xi32>) -> tensor<16x64xi1>
    %layers.0.attn.q.convert = stablehlo.convert %layers.0.attn.q.weight : (tensor<64x32xbf16>) -> tensor<64x32xf32>
    %layers.0.attn.q.dot = stablehlo.dot_general %x, %layers.0.attn.q.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<64x32xf32>) -> tensor<16x64xf32>
    %layers.0.attn.reshape = stablehlo.reshape %layers.0.attn.q.dot : (tensor<16x64xf32>) -> tensor<16x4x2x8xf32>
    %layers.0.attn.iota = stablehlo.iota dim = 2 : tensor<16x4x2x8xi32>
    %layers.0.attn.const = stablehlo.constant dense<0> : tensor<16x4x2x8xi32>
    %layers.0.attn.eq = stablehlo.compare EQ, %layers.0.attn.iota, %layers.0.attn.const : (tensor<16x4x2x8xi32>, tensor<16x4x2x8xi32>) -> tensor<16x4x2x8xi1>
    %layers.0.attn.broadcast = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 3] : (tensor<16x8xf32>) -> tensor<16x4x2x8xf32>
    %layers.0.attn.reverse = stablehlo.reverse %layers.0.attn.reshape, dims = [2] : tensor<16x4x2x8xf32>
    %layers.0.attn.neg = stablehlo.negate %layers.0.attn.broadcast : tensor<16x4x2x8xf32>
    %layers.0.attn.select = stablehlo.select %layers.0.attn.eq, %layers.0.attn.neg, %layers.0.attn.broadcast : tensor<16x4x2x8xi1>, tensor<16x4x2x8xf32>
    %layers.0.attn.mul = stablehlo.multiply %layers.0.attn.reverse, %layers.0.attn.select : tensor<16x4x2x8xf32>
    %layers.0.attn.broadcast.1 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 3] : (tensor<16x8xf32>) -> tensor<16x4x2x8xf32>
    %layers.0.attn.mul.1 = stablehlo.multiply %layers.0.attn.reshape, %layers.0.attn.broadcast.1 : tensor<16x4x2x8xf32>
    %layers.0.attn.add = stablehlo.add %layers.0.attn.mul.1, %layers.0.attn.mul : tensor<16x4x2x8xf32>
    %layers.0.attn.k.convert = stablehlo.convert %layers.0.attn.k.weight : (tensor<32x32xbf16>) -> tensor<32x32xf32>
    %layers.0.attn.k.dot = stablehlo.dot_general %x, %layers.0.attn.k.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %layers.0.attn.reshape.1 = stablehlo.reshape %layers.0.attn.k.dot : (tensor<16x32xf32>) -> tensor<16x2x2x8xf32>
    %layers.0.attn.iota.1 = stablehlo.iota dim = 2 : tensor<16x2x2x8xi32>
    %layers.0.attn.const.1 = stablehlo.constant dense<0> : tensor<16x2x2x8xi32>
    %layers.0.attn.eq.1 = stablehlo.compare EQ, %layers.0.attn.iota.1, %layers.0.attn.const.1 : (tensor<16x2x2x8xi32>, tensor<16x2x2x8xi32>) -> tensor<16x2x2x8xi1>
    %layers.0.attn.broadcast.2 = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 3] : (tensor<16x8xf32>) -> tensor<16x2x2x8xf32>
    %layers.0.attn.reverse.1 = stablehlo.reverse %layers.0.attn.reshape.1, dims = [2] : tensor<16x2x2x8xf32>
    %layers.0.attn.neg.1 = stablehlo.negate %layers.0.attn.broadcast.2 : tensor<16x2x2x8xf32>
    %layers.0.attn.select.1 = stablehlo.select %layers.0.attn.eq.1, %layers.0.attn.neg.1, %layers.0.attn.broadcast.2 : tensor<16x2x2x8xi1>, tensor<16x2x2x8xf32>
    %layers.0.attn.mul.2 = stablehlo.multiply %layers.0.attn.reverse.1, %layers.0.attn.select.1 : tensor<16x2x2x8xf32>
    %layers.0.attn.broadcast.3 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 3] : (tensor<16x8xf32>) -> tensor<16x2x2x8xf32>
    %layers.0.attn.mul.3 = stablehlo.multiply %layers.0.attn.reshape.1, %layers.0.attn.broadcast.3 : tensor<16x2x2x8xf32>
    %layers.0.attn.add.1 = stablehlo.add %layers.0.attn.mul.3, %layers.0.attn.mul.2 : tensor<16x2x2x8xf32>
    %layers.0.attn.reshape.2 = stablehlo.reshape %layers.0.attn.add.1 : (tensor<16x2x2x8xf32>) -> tensor<16x2x16xf32>
    %layers.0.attn.v.convert = stablehlo.convert %layers.0.attn.v.weight : (tensor<32x32xbf16>) -> tensor<32x32xf32>
    %layers.0.attn.v.dot = stablehlo.dot_general %x, %layers.0.attn.v.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %layers.0.attn.reshape.3 = stablehlo.reshape %layers.0.attn.v.dot : (tensor<16x32xf32>) -> tensor<16x2x16xf32>
    %layers.0.attn.scatter_rows = "stablehlo.scatter"(%kv_0_k, %position, %layers.0.attn.reshape.2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<79x2x16xf32>, tensor<16xi32>, tensor<16x2x16xf32>) -> tensor<79x2x16xf32>
    %layers.0.attn.scatter_rows.1 = "stablehlo.scatter"(%kv_0_v, %position, %layers.0.attn.reshape.3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<79x2x16xf32>, tensor<16xi32>, tensor<16x2x16xf32>) -> tensor<79x2x16xf32>
    %layers.0.attn.slice = stablehlo.slice %layers.0.attn.scatter_rows [0:64, 0:2, 0:16] : (tensor<79x2x16xf32>) -> tensor<64x2x16xf32>
    %layers.0.attn.slice.1 = stablehlo.slice %layers.0.attn.scatter_rows.1 [0:64, 0:2, 0:16] : (tensor<79x2x16xf32>) -> tensor<64x2x16xf32>
    %layers.0.attn.reshape.4 = stablehlo.reshape %layers.0.attn.add : (tensor<16x4x2x8xf32>) -> tensor<16x2x2x16xf32>
    %layers.0.attn.dot = stablehlo.dot_general %layers.0.attn.reshape.4, %layers.0.attn.slice, batching_dims = [1] x [1], contracting_dims = [3] x [2] : (tensor<16x2x2x16xf32>, tensor<64x2x16xf32>) -> tensor<2x16x2x64xf32>
    %layers.0.attn.const.2 = stablehlo.constant dense<0.25> : tensor<2x16x2x64xf32>
    %layers.0.attn.mul.4 = stablehlo.multiply %layers.0.attn.dot, %layers.0.attn.const.2 : tensor<2x16x2x64xf32>
    %layers.0.attn.broadcast.4 = stablehlo.broadcast_in_dim %mask.le, dims = [1, 3] : (tensor<16x64xi1>) -> tensor<2x16x2x64xi1>
    %layers.0.attn.const.3 = stablehlo.constant dense<-1.0e+30> : tensor<2x16x2x64xf32>
    %layers.0.attn.select.2 = stablehlo.select %layers.0.attn.broadcast.4, %layers.0.attn.mul.4, %layers.0.attn.const.3 : tensor<2x16x2x64xi1>, tensor<2x16x2x64xf32>
    %layers.0.attn.reduce_max = stablehlo.reduce(%layers.0.attn.select.2 init: %$max_f32) applies stablehlo.maximum across dimensions = [3] : (tensor<2x16x2x64xf32>, tensor<f32>) -> tensor<2x16x2xf32>
    %layers.0.attn.broadcast.5 = stablehlo.broadcast_in_dim %layers.0.attn.reduce_max, dims = [0, 1, 2] : (tensor<2x16x2xf32>) -> tensor<2x16x2x64xf32>
    %layers.0.attn.sub = stablehlo.subtract %layers.0.attn.select.2, %layers.0.attn.broadcast.5 : tensor<2x16x2x64xf32>
    %layers.0.attn.exp = stablehlo.exponential %layers.0.attn.sub : tensor<2x16x2x64xf32>
    %layers.0.attn.reduce_add = stablehlo.reduce(%layers.0.attn.exp init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x64xf32>, tensor<f32>) -> tensor<2x16x2xf32>
    %layers.0.attn.broadcast.6 = stablehlo.broadcast_in_dim %layers.0.attn.reduce_add, dims = [0, 1, 2] : (tensor<2x16x2xf32>) -> tensor<2x16x2x64xf32>
    %layers.0.attn.div = stablehlo.divide %layers.0.attn.exp, %layers.0.attn.broadcast.6 : tensor<2x16x2x64xf32>
    %layers.0.attn.dot.1 = stablehlo.dot_general %layers.0.attn.div, %layers.0.attn.slice.1, batching_dims = [0] x [1], contracting_dims = [3] x [0] : (tensor<2x16x2x64xf32>, tensor<64x2x16xf32>) -> tensor<2x16x2x16xf32>
    %layers.0.attn.transpose = stablehlo.transpose %layers.0.attn.dot.1, dims = [1, 0, 2, 3] : (tensor<2x16x2x16xf32>) -> tensor<16x2x2x16xf32>
    %layers.0.attn.reshape.5 = stablehlo.reshape %layers.0.attn.transpose : (tensor<16x2x2x16xf32>) -> tensor<16x64xf32>
    %layers.0.attn.o.convert = stablehlo.convert %layers.0.attn.o.weight : (tensor<32x64xbf16>) -> tensor<32x64xf32>
    %layers.0.attn.o.dot = stablehlo.dot_general %layers.0.attn.reshape.5, %layers.0.attn.o.convert, contracting_dims = [1] x [1] : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
    %layers.0.attn_post_norm.mul = stablehlo.multiply %layers.0.attn.o.dot, %layers.0.attn.o.dot : tensor<16x32xf32>
    %layers.0.attn_post_norm.reduce_add = stablehlo.reduce(%layers.0.attn_post_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %layers.0.attn_post_norm.const = stablehlo.constant dense<32.0> : tensor<16xf32>
    %layers.0.attn_post_norm.div = stablehlo.divide %layers.0.attn_post_norm.reduce_add, %layers.0.attn_post_norm.const : tensor<16xf32>
    %layers.0.attn_post_norm.const.1 = stablehlo.constant dense<1.0e-05> : tensor<16xf32>
    %layers.0.attn_post_norm.add = stablehlo.add %layers.0.attn_post_norm.div, %layers.0.attn_post_norm.const.1 : tensor<16xf32>
    %layers.0.attn_post_norm.rsqrt = stablehlo.rsqrt %layers.0.attn_post_norm.add : tensor<16xf32>
    %layers.0.attn_post_norm.broadcast = stablehlo.broadcast_in_dim %layers.0.attn_post_norm.rsqrt, dims = [0] : (tensor<16xf32>) -> tensor<16x32xf32>
    %layers.0.attn_post_norm.mul.1 = stablehlo.multiply %layers.0.attn.o.dot, %layers.0.attn_post_norm.broadcast : tensor<16x32xf32>
    %layers.0.attn_post_norm.convert = stablehlo.convert %layers.0.attn_post_norm.weight : (tensor<32xbf16>) -> tensor<32xf32>
    %layers.0.attn_post_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn_post_norm.convert, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %layers.0.attn_post_norm.mul.2 = stablehlo.multiply %layers.0.attn_post_norm.mul.1, %layers.0.attn_post_norm.broadcast.1 : tensor<16x32xf32>
    %layers.0.add = stablehlo.add %x, %layers.0.attn_post_norm.mul.2 : tensor<16x32xf32>
    %layers.0.mlp.gate.convert = stablehlo.convert %layers.0.mlp.gate.weight : (tensor<48x32xbf16>) -> tensor<48x32xf32>
    %layers.0.mlp.gate.dot = stablehlo.dot_general %layers.0.add, %layers.0.mlp.gate.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<48x32xf32>) -> tensor<16x48xf32>
    %layers.0.mlp.logistic = stablehlo.logistic %layers.0.mlp.gate.dot : tensor<16x48xf32>
    %layers.0.mlp.mul = stablehlo.multiply %layers.0.mlp.gate.dot, %layers.0.mlp.logistic : tensor<16x48xf32>
    %layers.0.mlp.up.convert = stablehlo.convert %layers.0.mlp.up.weight : (tensor<48x32xbf16>) -> tensor<48x32xf32>
    %layers.0.mlp.up.dot = stablehlo.dot_general %layers.0.add, %layers.0.mlp.up.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<48x32xf32>) -> tensor<16x48xf32>
    %layers.0.mlp.mul.1 = stablehlo.multiply %layers.0.mlp.mul, %layers.0.mlp.up.dot : tensor<16x48xf32>
    %layers.0.mlp.down.convert = stablehlo.convert %layers.0.mlp.down.weight : (tensor<32x48xbf16>) -> tensor<32x48xf32>
    %layers.0.mlp.down.dot = stablehlo.dot_general %layers.0.mlp.mul.1, %layers.0.mlp.down.convert, contracting_dims = [1] x [1] : (tensor<16x48xf32>, tensor<32x48xf32>) -> tensor<16x32xf32>
    %layers.0.mlp_post_norm.mul = stablehlo.multiply %layers.0.mlp.down.dot, %layers.0.mlp.down.dot : tensor<16x32xf32>
    %layers.0.mlp_post_norm.reduce_add = stablehlo.reduce(%layers.0.mlp_post_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %layers.0.mlp_post_norm.const = stablehlo.constant dense<32.0> : tensor<16xf32>
    %layers.0.mlp_post_norm.div = stablehlo.divide %layers.0.mlp_post_norm.reduce_add, %layers.0.mlp_post_norm.const : tensor<16xf32>
    %layers.0.mlp_post_norm.const.1 = stablehlo.constant dense<1.0e-05> : tensor<16xf32>
    %layers.0.mlp_post_norm.add = stablehlo.add %layers.0.mlp_post_norm.div, %layers.0.mlp_post_norm.const.1 : tensor<16xf32>
    %layers.0.mlp_post_norm.rsqrt = stablehlo.rsqrt %layers.0.mlp_post_norm.add : tensor<16xf32>
    %layers.0.mlp_post_norm.broadcast = stablehlo.broadcast_in_dim %layers.0.mlp_post_norm.rsqrt, dims = [0] : (tensor<16xf32>) -> tensor<16x32xf32>
    %layers.0.mlp_post_norm.mul.1 = stablehlo.multiply %layers.0.mlp.down.dot, %layers.0.mlp_post_norm.broadcast : tensor<16x32xf32>
    %layers.0.mlp_post_norm.convert = stablehlo.convert %layers.0.mlp_post_norm.weight : (tensor<32xbf16>) -> tensor<32xf32>
    %layers.0.mlp_post_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.mlp_post_norm.convert, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %layers.0.mlp_post_norm.mul.2 = stablehlo.multiply %layers.0.mlp_post_norm.mul.1, %layers.0.mlp_post_norm.broadcast.1 : tensor<16x32xf32>
    %layers.0.add.1 = stablehlo.add %layers.0.add, %layers.0.mlp_post_norm.mul.2 : tensor<16x32xf32>
    return
      %layers.0.add.1,
      %layers.0.attn.scatter_rows,
      %layers.0.attn.scatter_rows.1
      :
      tensor<16x32xf32>,
      tensor<79x2x16xf32>,
      tensor<79x2x16xf32>
  }
}
