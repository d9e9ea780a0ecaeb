module @attn {
  util.global private @rope.cos = #flow.parameter.named<"model"::"rope.cos"> : tensor<64x2xf32>
  util.global private @rope.sin = #flow.parameter.named<"model"::"rope.sin"> : tensor<64x2xf32>
  util.global private @layers.0.attn.q_a.weight = #flow.parameter.named<"model"::"layers.0.attn.q_a.weight"> : tensor<14x32xbf16>
  util.global private @layers.0.attn.q_a_norm.weight = #flow.parameter.named<"model"::"layers.0.attn.q_a_norm.weight"> : tensor<14xbf16>
  util.global private @layers.0.attn.q_b.weight = #flow.parameter.named<"model"::"layers.0.attn.q_b.weight"> : tensor<64x14xbf16>
  util.global private @layers.0.attn.k_up.weight = #flow.parameter.named<"model"::"layers.0.attn.k_up.weight"> : tensor<4x12x20xbf16>
  util.global private @layers.0.attn.kv_a.weight = #flow.parameter.named<"model"::"layers.0.attn.kv_a.weight"> : tensor<24x32xbf16>
  util.global private @layers.0.attn.kv_a_norm.weight = #flow.parameter.named<"model"::"layers.0.attn.kv_a_norm.weight"> : tensor<20xbf16>
  util.global private @layers.0.attn.v_up.weight = #flow.parameter.named<"model"::"layers.0.attn.v_up.weight"> : tensor<4x10x20xbf16>
  util.global private @layers.0.attn.o.weight = #flow.parameter.named<"model"::"layers.0.attn.o.weight"> : tensor<32x40xbf16>
  func.func public @attn(
    %position: tensor<1xi32>,
    %kv_0_k: tensor<79x1x24xf32> {tf.aliasing_output = 1 : i32}, // kv.0.k
    %x: tensor<1x32xf32>
  ) -> (
    tensor<1x32xf32>, // y
    tensor<79x1x24xf32> // kv.0.k
  ) {
    %rope.cos = util.global.load @rope.cos : tensor<64x2xf32>
    %rope.sin = util.global.load @rope.sin : tensor<64x2xf32>
    %layers.0.attn.q_a.weight = util.global.load @layers.0.attn.q_a.weight : tensor<14x32xbf16>
    %layers.0.attn.q_a_norm.weight = util.global.load @layers.0.attn.q_a_norm.weight : tensor<14xbf16>
    %layers.0.attn.q_b.weight = util.global.load @layers.0.attn.q_b.weight : tensor<64x14xbf16>
    %layers.0.attn.k_up.weight = util.global.load @layers.0.attn.k_up.weight : tensor<4x12x20xbf16>
    %layers.0.attn.kv_a.weight = util.global.load @layers.0.attn.kv_a.weight : tensor<24x32xbf16>
    %layers.0.attn.kv_a_norm.weight = util.global.load @layers.0.attn.kv_a_norm.weight : tensor<20xbf16>
    %layers.0.attn.v_up.weight = util.global.load @layers.0.attn.v_up.weight : tensor<4x10x20xbf16>
    %layers.0.attn.o.weight = util.global.load @layers.0.attn.o.weight : tensor<32x40xbf16>
    %$add_f32 = stablehlo.constant dense<0.0> : tensor<f32>
    %$max_f32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %rope.gather_rows = "stablehlo.gather"(%rope.cos, %position) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<64x2xf32>, tensor<1xi32>) -> tensor<1x2xf32>
    %rope.gather_rows.1 = "stablehlo.gather"(%rope.sin, %position) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<64x2xf32>, tensor<1xi32>) -> tensor<1x2xf32>
    %mask.iota = stablehlo.iota dim = 1 : tensor<1x64xi32>
    %mask.broadcast = stablehlo.broadcast_in_dim %position, dims = [0] : (tensor<1xi32>) -> tensor<1x64xi32>
    %mask.le = stablehlo.compare LE, %mask.iota, %mask.broadcast : (tensor<1x64xi32>, tensor<1x64xi32>) -> tensor<1x64xi1>
    %attn.q_a.convert = stablehlo.convert %layers.0.attn.q_a.weight : (tensor<14x32xbf16>) -> tensor<14x32xf32>
    %attn.q_a.dot = stablehlo.dot_general %x, %attn.q_a.convert, contracting_dims = [1] x [1] : (tensor<1x32xf32>, tensor<14x32xf32>) -> tensor<1x14xf32>
    %attn.q_a_norm.mul = stablehlo.multiply %attn.q_a.dot, %attn.q_a.dot : tensor<1x14xf32>
    %attn.q_a_norm.reduce_add = stablehlo.reduce(%attn.q_a_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x14xf32>, tensor<f32>) -> tensor<1xf32>
    %attn.q_a_norm.const = stablehlo.constant dense<14.0> : tensor<1xf32>
    %attn.q_a_norm.div = stablehlo.divide %attn.q_a_norm.reduce_add, %attn.q_a_norm.const : tensor<1xf32>
    %attn.q_a_norm.const.1 = stablehlo.constant dense<1.0e-06> : tensor<1xf32>
    %attn.q_a_norm.add = stablehlo.add %attn.q_a_norm.div, %attn.q_a_norm.const.1 : tensor<1xf32>
    %attn.q_a_norm.rsqrt = stablehlo.rsqrt %attn.q_a_norm.add : tensor<1xf32>
    %attn.q_a_norm.broadcast = stablehlo.broadcast_in_dim %attn.q_a_norm.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x14xf32>
    %attn.q_a_norm.mul.1 = stablehlo.multiply %attn.q_a.dot, %attn.q_a_norm.broadcast : tensor<1x14xf32>
    %attn.q_a_norm.convert = stablehlo.convert %layers.0.attn.q_a_norm.weight : (tensor<14xbf16>) -> tensor<14xf32>
    %attn.q_a_norm.broadcast.1 = stablehlo.broadcast_in_dim %attn.q_a_norm.convert, dims = [1] : (tensor<14xf32>) -> tensor<1x14xf32>
    %attn.q_a_norm.mul.2 = stablehlo.multiply %attn.q_a_norm.mul.1, %attn.q_a_norm.broadcast.1 : tensor<1x14xf32>
    %attn.q_b.convert = stablehlo.convert %layers.0.attn.q_b.weight : (tensor<64x14xbf16>) -> tensor<64x14xf32>
    %attn.q_b.dot = stablehlo.dot_general %attn.q_a_norm.mul.2, %attn.q_b.convert, contracting_dims = [1] x [1] : (tensor<1x14xf32>, tensor<64x14xf32>) -> tensor<1x64xf32>
    %attn.reshape = stablehlo.reshape %attn.q_b.dot : (tensor<1x64xf32>) -> tensor<1x4x16xf32>
    %attn.slice = stablehlo.slice %attn.reshape [0:1, 0:4, 12:16] : (tensor<1x4x16xf32>) -> tensor<1x4x4xf32>
    %attn.reshape.1 = stablehlo.reshape %attn.slice : (tensor<1x4x4xf32>) -> tensor<1x4x2x2xf32>
    %attn.iota = stablehlo.iota dim = 2 : tensor<1x4x2x2xi32>
    %attn.const = stablehlo.constant dense<0> : tensor<1x4x2x2xi32>
    %attn.eq = stablehlo.compare EQ, %attn.iota, %attn.const : (tensor<1x4x2x2xi32>, tensor<1x4x2x2xi32>) -> tensor<1x4x2x2xi1>
    %attn.broadcast = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 3] : (tensor<1x2xf32>) -> tensor<1x4x2x2xf32>
    %attn.reverse = stablehlo.reverse %attn.reshape.1, dims = [2] : tensor<1x4x2x2xf32>
    %attn.neg = stablehlo.negate %attn.broadcast : tensor<1x4x2x2xf32>
    %attn.select = stablehlo.select %attn.eq, %attn.neg, %attn.broadcast : tensor<1x4x2x2xi1>, tensor<1x4x2x2xf32>
    %attn.mul = stablehlo.multiply %attn.reverse, %attn.select : tensor<1x4x2x2xf32>
    %attn.broadcast.1 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 3] : (tensor<1x2xf32>) -> tensor<1x4x2x2xf32>
    %attn.mul.1 = stablehlo.multiply %attn.reshape.1, %attn.broadcast.1 : tensor<1x4x2x2xf32>
    %attn.add = stablehlo.add %attn.mul.1, %attn.mul : tensor<1x4x2x2xf32>
    %attn.reshape.2 = stablehlo.reshape %attn.add : (tensor<1x4x2x2xf32>) -> tensor<1x4x4xf32>
    %attn.slice.1 = stablehlo.slice %attn.reshape [0:1, 0:4, 0:12] : (tensor<1x4x16xf32>) -> tensor<1x4x12xf32>
    %attn.k_up.convert = stablehlo.convert %layers.0.attn.k_up.weight : (tensor<4x12x20xbf16>) -> tensor<4x12x20xf32>
    %attn.k_up.reshape = stablehlo.reshape %attn.slice.1 : (tensor<1x4x12xf32>) -> tensor<4x12xf32>
    %attn.k_up.broadcast = stablehlo.broadcast_in_dim %attn.k_up.reshape, dims = [0, 1] : (tensor<4x12xf32>) -> tensor<4x12x20xf32>
    %attn.k_up.mul = stablehlo.multiply %attn.k_up.broadcast, %attn.k_up.convert : tensor<4x12x20xf32>
    %attn.k_up.reduce_add = stablehlo.reduce(%attn.k_up.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<4x12x20xf32>, tensor<f32>) -> tensor<4x20xf32>
    %attn.k_up.reshape.1 = stablehlo.reshape %attn.k_up.reduce_add : (tensor<4x20xf32>) -> tensor<1x4x20xf32>
    %attn.concat = stablehlo.concatenate %attn.k_up.reshape.1, %attn.reshape.2, dim = 2 : (tensor<1x4x20xf32>, tensor<1x4x4xf32>) -> tensor<1x4x24xf32>
    %attn.kv_a.convert = stablehlo.convert %layers.0.attn.kv_a.weight : (tensor<24x32xbf16>) -> tensor<24x32xf32>
    %attn.kv_a.dot = stablehlo.dot_general %x, %attn.kv_a.convert, contracting_dims = [1] x [1] : (tensor<1x32xf32>, tensor<24x32xf32>) -> tensor<1x24xf32>
    %attn.slice.2 = stablehlo.slice %attn.kv_a.dot [0:1, 0:20] : (tensor<1x24xf32>) -> tensor<1x20xf32>
    %attn.kv_a_norm.mul = stablehlo.multiply %attn.slice.2, %attn.slice.2 : tensor<1x20xf32>
    %attn.kv_a_norm.reduce_add = stablehlo.reduce(%attn.kv_a_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x20xf32>, tensor<f32>) -> tensor<1xf32>
    %attn.kv_a_norm.const = stablehlo.constant dense<20.0> : tensor<1xf32>
    %attn.kv_a_norm.div = stablehlo.divide %attn.kv_a_norm.reduce_add, %attn.kv_a_norm.const : tensor<1xf32>
    %attn.kv_a_norm.const.1 = stablehlo.constant dense<1.0e-06> : tensor<1xf32>
    %attn.kv_a_norm.add = stablehlo.add %attn.kv_a_norm.div, %attn.kv_a_norm.const.1 : tensor<1xf32>
    %attn.kv_a_norm.rsqrt = stablehlo.rsqrt %attn.kv_a_norm.add : tensor<1xf32>
    %attn.kv_a_norm.broadcast = stablehlo.broadcast_in_dim %attn.kv_a_norm.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x20xf32>
    %attn.kv_a_norm.mul.1 = stablehlo.multiply %attn.slice.2, %attn.kv_a_norm.broadcast : tensor<1x20xf32>
    %attn.kv_a_norm.convert = stablehlo.convert %layers.0.attn.kv_a_norm.weight : (tensor<20xbf16>) -> tensor<20xf32>
    %attn.kv_a_norm.broadcast.1 = stablehlo.broadcast_in_dim %attn.kv_a_norm.convert, dims = [1] : (tensor<20xf32>) -> tensor<1x20xf32>
    %attn.kv_a_norm.mul.2 = stablehlo.multiply %attn.kv_a_norm.mul.1, %attn.kv_a_norm.broadcast.1 : tensor<1x20xf32>
    %attn.slice.3 = stablehlo.slice %attn.kv_a.dot [0:1, 20:24] : (tensor<1x24xf32>) -> tensor<1x4xf32>
    %attn.reshape.3 = stablehlo.reshape %attn.slice.3 : (tensor<1x4xf32>) -> tensor<1x1x2x2xf32>
    %attn.iota.1 = stablehlo.iota dim = 2 : tensor<1x1x2x2xi32>
    %attn.const.1 = stablehlo.constant dense<0> : tensor<1x1x2x2xi32>
    %attn.eq.1 = stablehlo.compare EQ, %attn.iota.1, %attn.const.1 : (tensor<1x1x2x2xi32>, tensor<1x1x2x2xi32>) -> tensor<1x1x2x2xi1>
    %attn.broadcast.2 = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 3] : (tensor<1x2xf32>) -> tensor<1x1x2x2xf32>
    %attn.reverse.1 = stablehlo.reverse %attn.reshape.3, dims = [2] : tensor<1x1x2x2xf32>
    %attn.neg.1 = stablehlo.negate %attn.broadcast.2 : tensor<1x1x2x2xf32>
    %attn.select.1 = stablehlo.select %attn.eq.1, %attn.neg.1, %attn.broadcast.2 : tensor<1x1x2x2xi1>, tensor<1x1x2x2xf32>
    %attn.mul.2 = stablehlo.multiply %attn.reverse.1, %attn.select.1 : tensor<1x1x2x2xf32>
    %attn.broadcast.3 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 3] : (tensor<1x2xf32>) -> tensor<1x1x2x2xf32>
    %attn.mul.3 = stablehlo.multiply %attn.reshape.3, %attn.broadcast.3 : tensor<1x1x2x2xf32>
    %attn.add.1 = stablehlo.add %attn.mul.3, %attn.mul.2 : tensor<1x1x2x2xf32>
    %attn.reshape.4 = stablehlo.reshape %attn.add.1 : (tensor<1x1x2x2xf32>) -> tensor<1x1x4xf32>
    %attn.reshape.5 = stablehlo.reshape %attn.kv_a_norm.mul.2 : (tensor<1x20xf32>) -> tensor<1x1x20xf32>
    %attn.concat.1 = stablehlo.concatenate %attn.reshape.5, %attn.reshape.4, dim = 2 : (tensor<1x1x20xf32>, tensor<1x1x4xf32>) -> tensor<1x1x24xf32>
    %attn.scatter_rows = "stablehlo.scatter"(%kv_0_k, %position, %attn.concat.1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<79x1x24xf32>, tensor<1xi32>, tensor<1x1x24xf32>) -> tensor<79x1x24xf32>
    %attn.slice.4 = stablehlo.slice %attn.scatter_rows [0:64, 0:1, 0:24] : (tensor<79x1x24xf32>) -> tensor<64x1x24xf32>
    %attn.reshape.6 = stablehlo.reshape %attn.concat : (tensor<1x4x24xf32>) -> tensor<1x1x4x24xf32>
    %attn.dot = stablehlo.dot_general %attn.reshape.6, %attn.slice.4, batching_dims = [1] x [1], contracting_dims = [3] x [2] : (tensor<1x1x4x24xf32>, tensor<64x1x24xf32>) -> tensor<1x1x4x64xf32>
    %attn.const.2 = stablehlo.constant dense<0.25> : tensor<1x1x4x64xf32>
    %attn.mul.4 = stablehlo.multiply %attn.dot, %attn.const.2 : tensor<1x1x4x64xf32>
    %attn.broadcast.4 = stablehlo.broadcast_in_dim %mask.le, dims = [1, 3] : (tensor<1x64xi1>) -> tensor<1x1x4x64xi1>
    %attn.const.3 = stablehlo.constant dense<-1.0e+30> : tensor<1x1x4x64xf32>
    %attn.select.2 = stablehlo.select %attn.broadcast.4, %attn.mul.4, %attn.const.3 : tensor<1x1x4x64xi1>, tensor<1x1x4x64xf32>
    %attn.reduce_max = stablehlo.reduce(%attn.select.2 init: %$max_f32) applies stablehlo.maximum across dimensions = [3] : (tensor<1x1x4x64xf32>, tensor<f32>) -> tensor<1x1x4xf32>
    %attn.broadcast.5 = stablehlo.broadcast_in_dim %attn.reduce_max, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<1x1x4x64xf32>
    %attn.sub = stablehlo.subtract %attn.select.2, %attn.broadcast.5 : tensor<1x1x4x64xf32>
    %attn.exp = stablehlo.exponential %attn.sub : tensor<1x1x4x64xf32>
    %attn.reduce_add = stablehlo.reduce(%attn.exp init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<1x1x4x64xf32>, tensor<f32>) -> tensor<1x1x4xf32>
    %attn.broadcast.6 = stablehlo.broadcast_in_dim %attn.reduce_add, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<1x1x4x64xf32>
    %attn.div = stablehlo.divide %attn.exp, %attn.broadcast.6 : tensor<1x1x4x64xf32>
    %attn.dot.1 = stablehlo.dot_general %attn.div, %attn.slice.4, batching_dims = [0] x [1], contracting_dims = [3] x [0] : (tensor<1x1x4x64xf32>, tensor<64x1x24xf32>) -> tensor<1x1x4x24xf32>
    %attn.transpose = stablehlo.transpose %attn.dot.1, dims = [1, 0, 2, 3] : (tensor<1x1x4x24xf32>) -> tensor<1x1x4x24xf32>
    %attn.reshape.7 = stablehlo.reshape %attn.transpose : (tensor<1x1x4x24xf32>) -> tensor<1x4x24xf32>
    %attn.slice.5 = stablehlo.slice %attn.reshape.7 [0:1, 0:4, 0:20] : (tensor<1x4x24xf32>) -> tensor<1x4x20xf32>
    %attn.v_up.convert = stablehlo.convert %layers.0.attn.v_up.weight : (tensor<4x10x20xbf16>) -> tensor<4x10x20xf32>
    %attn.v_up.dot = stablehlo.dot_general %attn.slice.5, %attn.v_up.convert, batching_dims = [1] x [0], contracting_dims = [2] x [2] : (tensor<1x4x20xf32>, tensor<4x10x20xf32>) -> tensor<4x1x10xf32>
    %attn.v_up.transpose = stablehlo.transpose %attn.v_up.dot, dims = [1, 0, 2] : (tensor<4x1x10xf32>) -> tensor<1x4x10xf32>
    %attn.v_up.reshape = stablehlo.reshape %attn.v_up.transpose : (tensor<1x4x10xf32>) -> tensor<1x40xf32>
    %attn.o.convert = stablehlo.convert %layers.0.attn.o.weight : (tensor<32x40xbf16>) -> tensor<32x40xf32>
    %attn.o.dot = stablehlo.dot_general %attn.v_up.reshape, %attn.o.convert, contracting_dims = [1] x [1] : (tensor<1x40xf32>, tensor<32x40xf32>) -> tensor<1x32xf32>
    return
      %attn.o.dot,
      %attn.scatter_rows
      :
      tensor<1x32xf32>,
      tensor<79x1x24xf32>
  }
}
