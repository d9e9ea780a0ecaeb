module @attn {
  util.global private @rope.cos = #flow.parameter.named<"model"::"rope.cos"> : tensor<64x8xf32>
  util.global private @rope.sin = #flow.parameter.named<"model"::"rope.sin"> : tensor<64x8xf32>
  util.global private @layers.0.attn.q.weight = #flow.parameter.named<"model"::"layers.0.attn.q.weight"> : tensor<64x32xbf16>
  util.global private @layers.0.attn.q_norm.weight = #flow.parameter.named<"model"::"layers.0.attn.q_norm.weight"> : tensor<16xbf16>
  util.global private @layers.0.attn.q_norm.bias = #flow.parameter.named<"model"::"layers.0.attn.q_norm.bias"> : tensor<16xbf16>
  util.global private @layers.0.attn.k.weight = #flow.parameter.named<"model"::"layers.0.attn.k.weight"> : tensor<32x32xbf16>
  util.global private @layers.0.attn.k_norm.weight = #flow.parameter.named<"model"::"layers.0.attn.k_norm.weight"> : tensor<16xbf16>
  util.global private @layers.0.attn.k_norm.bias = #flow.parameter.named<"model"::"layers.0.attn.k_norm.bias"> : tensor<16xbf16>
  util.global private @layers.0.attn.v.weight = #flow.parameter.named<"model"::"layers.0.attn.v.weight"> : tensor<32x32xbf16>
  util.global private @layers.0.attn.o.weight = #flow.parameter.named<"model"::"layers.0.attn.o.weight"> : tensor<32x64xbf16>
  func.func public @attn(
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
    %layers.0.attn.q_norm.weight = util.global.load @layers.0.attn.q_norm.weight : tensor<16xbf16>
    %layers.0.attn.q_norm.bias = util.global.load @layers.0.attn.q_norm.bias : tensor<16xbf16>
    %layers.0.attn.k.weight = util.global.load @layers.0.attn.k.weight : tensor<32x32xbf16>
    %layers.0.attn.k_norm.weight = util.global.load @layers.0.attn.k_norm.weight : tensor<16xbf16>
    %layers.0.attn.k_norm.bias = util.global.load @layers.0.attn.k_norm.bias : tensor<16xbf16>
    %layers.0.attn.v.weight = util.global.load @layers.0.attn.v.weight : tensor<32x32xbf16>
    %layers.0.attn.o.weight = util.global.load @layers.0.attn.o.weight : tensor<32x64xbf16>
    %$add_f32 = stablehlo.constant dense<0.0> : tensor<f32>
    %$max_f32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %rope.gather_rows = "stablehlo.gather"(%rope.cos, %position) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<16xi32>) -> tensor<16x8xf32>
    %rope.gather_rows.1 = "stablehlo.gather"(%rope.sin, %position) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<16xi32>) -> tensor<16x8xf32>
    %mask.iota = stablehlo.iota dim = 1 : tensor<16x64xi32>
    %mask.broadcast = stablehlo.broadcast_in_dim %position, dims = [0] : (tensor<16xi32>) -> tensor<16x64xi32>
    %mask.le = stablehlo.compare LE, %mask.iota, %mask.broadcast : (tensor<16x64xi32>, tensor<16x64xi32>) -> tensor<16x64xi1>
    %attn.q.convert = stablehlo.convert %layers.0.attn.q.weight : (tensor<64x32xbf16>) -> tensor<64x32xf32>
    %attn.q.dot = stablehlo.dot_general %x, %attn.q.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<64x32xf32>) -> tensor<16x64xf32>
    %attn.reshape = stablehlo.reshape %attn.q.dot : (tensor<16x64xf32>) -> tensor<16x4x16xf32>
    %attn.reduce_add = stablehlo.reduce(%attn.reshape init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<16x4x16xf32>, tensor<f32>) -> tensor<16x4xf32>
    %attn.const = stablehlo.constant dense<16.0> : tensor<16x4xf32>
    %attn.div = stablehlo.divide %attn.reduce_add, %attn.const : tensor<16x4xf32>
    %attn.broadcast = stablehlo.broadcast_in_dim %attn.div, dims = [0, 1] : (tensor<16x4xf32>) -> tensor<16x4x16xf32>
    %attn.sub = stablehlo.subtract %attn.reshape, %attn.broadcast : tensor<16x4x16xf32>
    %attn.mul = stablehlo.multiply %attn.sub, %attn.sub : tensor<16x4x16xf32>
    %attn.reduce_add.1 = stablehlo.reduce(%attn.mul init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<16x4x16xf32>, tensor<f32>) -> tensor<16x4xf32>
    %attn.const.1 = stablehlo.constant dense<16.0> : tensor<16x4xf32>
    %attn.div.1 = stablehlo.divide %attn.reduce_add.1, %attn.const.1 : tensor<16x4xf32>
    %attn.const.2 = stablehlo.constant dense<1.0e-06> : tensor<16x4xf32>
    %attn.add = stablehlo.add %attn.div.1, %attn.const.2 : tensor<16x4xf32>
    %attn.rsqrt = stablehlo.rsqrt %attn.add : tensor<16x4xf32>
    %attn.broadcast.1 = stablehlo.broadcast_in_dim %attn.rsqrt, dims = [0, 1] : (tensor<16x4xf32>) -> tensor<16x4x16xf32>
    %attn.mul.1 = stablehlo.multiply %attn.sub, %attn.broadcast.1 : tensor<16x4x16xf32>
    %attn.convert = stablehlo.convert %layers.0.attn.q_norm.weight : (tensor<16xbf16>) -> tensor<16xf32>
    %attn.broadcast.2 = stablehlo.broadcast_in_dim %attn.convert, dims = [2] : (tensor<16xf32>) -> tensor<16x4x16xf32>
    %attn.mul.2 = stablehlo.multiply %attn.mul.1, %attn.broadcast.2 : tensor<16x4x16xf32>
    %attn.convert.1 = stablehlo.convert %layers.0.attn.q_norm.bias : (tensor<16xbf16>) -> tensor<16xf32>
    %attn.broadcast.3 = stablehlo.broadcast_in_dim %attn.convert.1, dims = [2] : (tensor<16xf32>) -> tensor<16x4x16xf32>
    %attn.add.1 = stablehlo.add %attn.mul.2, %attn.broadcast.3 : tensor<16x4x16xf32>
    %attn.reshape.1 = stablehlo.reshape %attn.add.1 : (tensor<16x4x16xf32>) -> tensor<16x4x2x8xf32>
    %attn.iota = stablehlo.iota dim = 2 : tensor<16x4x2x8xi32>
    %attn.const.3 = stablehlo.constant dense<0> : tensor<16x4x2x8xi32>
    %attn.eq = stablehlo.compare EQ, %attn.iota, %attn.const.3 : (tensor<16x4x2x8xi32>, tensor<16x4x2x8xi32>) -> tensor<16x4x2x8xi1>
    %attn.broadcast.4 = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 3] : (tensor<16x8xf32>) -> tensor<16x4x2x8xf32>
    %attn.reverse = stablehlo.reverse %attn.reshape.1, dims = [2] : tensor<16x4x2x8xf32>
    %attn.neg = stablehlo.negate %attn.broadcast.4 : tensor<16x4x2x8xf32>
    %attn.select = stablehlo.select %attn.eq, %attn.neg, %attn.broadcast.4 : tensor<16x4x2x8xi1>, tensor<16x4x2x8xf32>
    %attn.mul.3 = stablehlo.multiply %attn.reverse, %attn.select : tensor<16x4x2x8xf32>
    %attn.broadcast.5 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 3] : (tensor<16x8xf32>) -> tensor<16x4x2x8xf32>
    %attn.mul.4 = stablehlo.multiply %attn.reshape.1, %attn.broadcast.5 : tensor<16x4x2x8xf32>
    %attn.add.2 = stablehlo.add %attn.mul.4, %attn.mul.3 : tensor<16x4x2x8xf32>
    %attn.k.convert = stablehlo.convert %layers.0.attn.k.weight : (tensor<32x32xbf16>) -> tensor<32x32xf32>
    %attn.k.dot = stablehlo.dot_general %x, %attn.k.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %attn.reshape.2 = stablehlo.reshape %attn.k.dot : (tensor<16x32xf32>) -> tensor<16x2x16xf32>
    %attn.reduce_add.2 = stablehlo.reduce(%attn.reshape.2 init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<16x2x16xf32>, tensor<f32>) -> tensor<16x2xf32>
    %attn.const.4 = stablehlo.constant dense<16.0> : tensor<16x2xf32>
    %attn.div.2 = stablehlo.divide %attn.reduce_add.2, %attn.const.4 : tensor<16x2xf32>
    %attn.broadcast.6 = stablehlo.broadcast_in_dim %attn.div.2, dims = [0, 1] : (tensor<16x2xf32>) -> tensor<16x2x16xf32>
    %attn.sub.1 = stablehlo.subtract %attn.reshape.2, %attn.broadcast.6 : tensor<16x2x16xf32>
    %attn.mul.5 = stablehlo.multiply %attn.sub.1, %attn.sub.1 : tensor<16x2x16xf32>
    %attn.reduce_add.3 = stablehlo.reduce(%attn.mul.5 init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<16x2x16xf32>, tensor<f32>) -> tensor<16x2xf32>
    %attn.const.5 = stablehlo.constant dense<16.0> : tensor<16x2xf32>
    %attn.div.3 = stablehlo.divide %attn.reduce_add.3, %attn.const.5 : tensor<16x2xf32>
    %attn.const.6 = stablehlo.constant dense<1.0e-06> : tensor<16x2xf32>
    %attn.add.3 = stablehlo.add %attn.div.3, %attn.const.6 : tensor<16x2xf32>
    %attn.rsqrt.1 = stablehlo.rsqrt %attn.add.3 : tensor<16x2xf32>
    %attn.broadcast.7 = stablehlo.broadcast_in_dim %attn.rsqrt.1, dims = [0, 1] : (tensor<16x2xf32>) -> tensor<16x2x16xf32>
    %attn.mul.6 = stablehlo.multiply %attn.sub.1, %attn.broadcast.7 : tensor<16x2x16xf32>
    %attn.convert.2 = stablehlo.convert %layers.0.attn.k_norm.weight : (tensor<16xbf16>) -> tensor<16xf32>
    %attn.broadcast.8 = stablehlo.broadcast_in_dim %attn.convert.2, dims = [2] : (tensor<16xf32>) -> tensor<16x2x16xf32>
    %attn.mul.7 = stablehlo.multiply %attn.mul.6, %attn.broadcast.8 : tensor<16x2x16xf32>
    %attn.convert.3 = stablehlo.convert %layers.0.attn.k_norm.bias : (tensor<16xbf16>) -> tensor<16xf32>
    %attn.broadcast.9 = stablehlo.broadcast_in_dim %attn.convert.3, dims = [2] : (tensor<16xf32>) -> tensor<16x2x16xf32>
    %attn.add.4 = stablehlo.add %attn.mul.7, %attn.broadcast.9 : tensor<16x2x16xf32>
    %attn.reshape.3 = stablehlo.reshape %attn.add.4 : (tensor<16x2x16xf32>) -> tensor<16x2x2x8xf32>
    %attn.iota.1 = stablehlo.iota dim = 2 : tensor<16x2x2x8xi32>
    %attn.const.7 = stablehlo.constant dense<0> : tensor<16x2x2x8xi32>
    %attn.eq.1 = stablehlo.compare EQ, %attn.iota.1, %attn.const.7 : (tensor<16x2x2x8xi32>, tensor<16x2x2x8xi32>) -> tensor<16x2x2x8xi1>
    %attn.broadcast.10 = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 3] : (tensor<16x8xf32>) -> tensor<16x2x2x8xf32>
    %attn.reverse.1 = stablehlo.reverse %attn.reshape.3, dims = [2] : tensor<16x2x2x8xf32>
    %attn.neg.1 = stablehlo.negate %attn.broadcast.10 : tensor<16x2x2x8xf32>
    %attn.select.1 = stablehlo.select %attn.eq.1, %attn.neg.1, %attn.broadcast.10 : tensor<16x2x2x8xi1>, tensor<16x2x2x8xf32>
    %attn.mul.8 = stablehlo.multiply %attn.reverse.1, %attn.select.1 : tensor<16x2x2x8xf32>
    %attn.broadcast.11 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 3] : (tensor<16x8xf32>) -> tensor<16x2x2x8xf32>
    %attn.mul.9 = stablehlo.multiply %attn.reshape.3, %attn.broadcast.11 : tensor<16x2x2x8xf32>
    %attn.add.5 = stablehlo.add %attn.mul.9, %attn.mul.8 : tensor<16x2x2x8xf32>
    %attn.reshape.4 = stablehlo.reshape %attn.add.5 : (tensor<16x2x2x8xf32>) -> tensor<16x2x16xf32>
    %attn.v.convert = stablehlo.convert %layers.0.attn.v.weight : (tensor<32x32xbf16>) -> tensor<32x32xf32>
    %attn.v.dot = stablehlo.dot_general %x, %attn.v.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %attn.reshape.5 = stablehlo.reshape %attn.v.dot : (tensor<16x32xf32>) -> tensor<16x2x16xf32>
    %attn.scatter_rows = "stablehlo.scatter"(%kv_0_k, %position, %attn.reshape.4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<79x2x16xf32>, tensor<16xi32>, tensor<16x2x16xf32>) -> tensor<79x2x16xf32>
    %attn.scatter_rows.1 = "stablehlo.scatter"(%kv_0_v, %position, %attn.reshape.5) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<79x2x16xf32>, tensor<16xi32>, tensor<16x2x16xf32>) -> tensor<79x2x16xf32>
    %attn.slice = stablehlo.slice %attn.scatter_rows [0:64, 0:2, 0:16] : (tensor<79x2x16xf32>) -> tensor<64x2x16xf32>
    %attn.slice.1 = stablehlo.slice %attn.scatter_rows.1 [0:64, 0:2, 0:16] : (tensor<79x2x16xf32>) -> tensor<64x2x16xf32>
    %attn.reshape.6 = stablehlo.reshape %attn.add.2 : (tensor<16x4x2x8xf32>) -> tensor<16x2x2x16xf32>
    %attn.dot = stablehlo.dot_general %attn.reshape.6, %attn.slice, batching_dims = [1] x [1], contracting_dims = [3] x [2] : (tensor<16x2x2x16xf32>, tensor<64x2x16xf32>) -> tensor<2x16x2x64xf32>
    %attn.const.8 = stablehlo.constant dense<0.25> : tensor<2x16x2x64xf32>
    %attn.mul.10 = stablehlo.multiply %attn.dot, %attn.const.8 : tensor<2x16x2x64xf32>
    %attn.broadcast.12 = stablehlo.broadcast_in_dim %mask.le, dims = [1, 3] : (tensor<16x64xi1>) -> tensor<2x16x2x64xi1>
    %attn.const.9 = stablehlo.constant dense<-1.0e+30> : tensor<2x16x2x64xf32>
    %attn.select.2 = stablehlo.select %attn.broadcast.12, %attn.mul.10, %attn.const.9 : tensor<2x16x2x64xi1>, tensor<2x16x2x64xf32>
    %attn.reduce_max = stablehlo.reduce(%attn.select.2 init: %$max_f32) applies stablehlo.maximum across dimensions = [3] : (tensor<2x16x2x64xf32>, tensor<f32>) -> tensor<2x16x2xf32>
    %attn.broadcast.13 = stablehlo.broadcast_in_dim %attn.reduce_max, dims = [0, 1, 2] : (tensor<2x16x2xf32>) -> tensor<2x16x2x64xf32>
    %attn.sub.2 = stablehlo.subtract %attn.select.2, %attn.broadcast.13 : tensor<2x16x2x64xf32>
    %attn.exp = stablehlo.exponential %attn.sub.2 : tensor<2x16x2x64xf32>
    %attn.reduce_add.4 = stablehlo.reduce(%attn.exp init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x64xf32>, tensor<f32>) -> tensor<2x16x2xf32>
    %attn.broadcast.14 = stablehlo.broadcast_in_dim %attn.reduce_add.4, dims = [0, 1, 2] : (tensor<2x16x2xf32>) -> tensor<2x16x2x64xf32>
    %attn.div.4 = stablehlo.divide %attn.exp, %attn.broadcast.14 : tensor<2x16x2x64xf32>
    %attn.dot.1 = stablehlo.dot_general %attn.div.4, %attn.slice.1, batching_dims = [0] x [1], contracting_dims = [3] x [0] : (tensor<2x16x2x64xf32>, tensor<64x2x16xf32>) -> tensor<2x16x2x16xf32>
    %attn.transpose = stablehlo.transpose %attn.dot.1, dims = [1, 0, 2, 3] : (tensor<2x16x2x16xf32>) -> tensor<16x2x2x16xf32>
    %attn.reshape.7 = stablehlo.reshape %attn.transpose : (tensor<16x2x2x16xf32>) -> tensor<16x64xf32>
    %attn.o.convert = stablehlo.convert %layers.0.attn.o.weight : (tensor<32x64xbf16>) -> tensor<32x64xf32>
    %attn.o.dot = stablehlo.dot_general %attn.reshape.7, %attn.o.convert, contracting_dims = [1] x [1] : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
    return
      %attn.o.dot,
      %attn.scatter_rows,
      %attn.scatter_rows.1
      :
      tensor<16x32xf32>,
      tensor<79x2x16xf32>,
      tensor<79x2x16xf32>
  }
}
