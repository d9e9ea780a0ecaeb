module @moe {
  util.global private @layers.0.moe.router.weight = #flow.parameter.named<"model"::"layers.0.moe.router.weight"> : tensor<8x32xbf16>
  util.global private @layers.0.moe.experts.gate.weight = #flow.parameter.named<"model"::"layers.0.moe.experts.gate.weight"> : tensor<8x24x32xbf16>
  util.global private @layers.0.moe.experts.up.weight = #flow.parameter.named<"model"::"layers.0.moe.experts.up.weight"> : tensor<8x24x32xbf16>
  util.global private @layers.0.moe.experts.down.weight = #flow.parameter.named<"model"::"layers.0.moe.experts.down.weight"> : tensor<8x32x24xbf16>
  func.func public @moe(
    %x: tensor<1x32xf32>
  ) -> (
    tensor<1x32xf32> // y
  ) {
    %layers.0.moe.router.weight = util.global.load @layers.0.moe.router.weight : tensor<8x32xbf16>
    %layers.0.moe.experts.gate.weight = util.global.load @layers.0.moe.experts.gate.weight : tensor<8x24x32xbf16>
    %layers.0.moe.experts.up.weight = util.global.load @layers.0.moe.experts.up.weight : tensor<8x24x32xbf16>
    %layers.0.moe.experts.down.weight = util.global.load @layers.0.moe.experts.down.weight : tensor<8x32x24xbf16>
    %$add_i32 = stablehlo.constant dense<0> : tensor<i32>
    %$add_f32 = stablehlo.constant dense<0.0> : tensor<f32>
    %$max_f32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %moe.router.convert = stablehlo.convert %layers.0.moe.router.weight : (tensor<8x32xbf16>) -> tensor<8x32xf32>
    %moe.router.dot = stablehlo.dot_general %x, %moe.router.convert, contracting_dims = [1] x [1] : (tensor<1x32xf32>, tensor<8x32xf32>) -> tensor<1x8xf32>
    %moe.router.broadcast = stablehlo.broadcast_in_dim %moe.router.dot, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x8xf32>
    %moe.router.broadcast.1 = stablehlo.broadcast_in_dim %moe.router.dot, dims = [0, 2] : (tensor<1x8xf32>) -> tensor<1x8x8xf32>
    %moe.router.iota = stablehlo.iota dim = 2 : tensor<1x8x8xi32>
    %moe.router.iota.1 = stablehlo.iota dim = 1 : tensor<1x8x8xi32>
    %moe.router.lt = stablehlo.compare LT, %moe.router.iota, %moe.router.iota.1 : (tensor<1x8x8xi32>, tensor<1x8x8xi32>) -> tensor<1x8x8xi1>
    %moe.router.gt = stablehlo.compare GT, %moe.router.broadcast.1, %moe.router.broadcast : (tensor<1x8x8xf32>, tensor<1x8x8xf32>) -> tensor<1x8x8xi1>
    %moe.router.eq = stablehlo.compare EQ, %moe.router.broadcast.1, %moe.router.broadcast : (tensor<1x8x8xf32>, tensor<1x8x8xf32>) -> tensor<1x8x8xi1>
    %moe.router.and = stablehlo.and %moe.router.lt, %moe.router.eq : tensor<1x8x8xi1>
    %moe.router.or = stablehlo.or %moe.router.gt, %moe.router.and : tensor<1x8x8xi1>
    %moe.router.convert.1 = stablehlo.convert %moe.router.or : (tensor<1x8x8xi1>) -> tensor<1x8x8xi32>
    %moe.router.reduce_add = stablehlo.reduce(%moe.router.convert.1 init: %$add_i32) applies stablehlo.add across dimensions = [2] : (tensor<1x8x8xi32>, tensor<i32>) -> tensor<1x8xi32>
    %moe.router.broadcast.2 = stablehlo.broadcast_in_dim %moe.router.reduce_add, dims = [0, 2] : (tensor<1x8xi32>) -> tensor<1x2x8xi32>
    %moe.router.iota.2 = stablehlo.iota dim = 1 : tensor<1x2x8xi32>
    %moe.router.eq.1 = stablehlo.compare EQ, %moe.router.broadcast.2, %moe.router.iota.2 : (tensor<1x2x8xi32>, tensor<1x2x8xi32>) -> tensor<1x2x8xi1>
    %moe.router.broadcast.3 = stablehlo.broadcast_in_dim %moe.router.dot, dims = [0, 2] : (tensor<1x8xf32>) -> tensor<1x2x8xf32>
    %moe.router.const = stablehlo.constant dense<0.0> : tensor<1x2x8xf32>
    %moe.router.select = stablehlo.select %moe.router.eq.1, %moe.router.broadcast.3, %moe.router.const : tensor<1x2x8xi1>, tensor<1x2x8xf32>
    %moe.router.reduce_add.1 = stablehlo.reduce(%moe.router.select init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<1x2x8xf32>, tensor<f32>) -> tensor<1x2xf32>
    %moe.router.reduce_max = stablehlo.reduce(%moe.router.reduce_add.1 init: %$max_f32) applies stablehlo.maximum across dimensions = [1] : (tensor<1x2xf32>, tensor<f32>) -> tensor<1xf32>
    %moe.router.broadcast.4 = stablehlo.broadcast_in_dim %moe.router.reduce_max, dims = [0] : (tensor<1xf32>) -> tensor<1x2xf32>
    %moe.router.sub = stablehlo.subtract %moe.router.reduce_add.1, %moe.router.broadcast.4 : tensor<1x2xf32>
    %moe.router.exp = stablehlo.exponential %moe.router.sub : tensor<1x2xf32>
    %moe.router.reduce_add.2 = stablehlo.reduce(%moe.router.exp init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x2xf32>, tensor<f32>) -> tensor<1xf32>
    %moe.router.broadcast.5 = stablehlo.broadcast_in_dim %moe.router.reduce_add.2, dims = [0] : (tensor<1xf32>) -> tensor<1x2xf32>
    %moe.router.div = stablehlo.divide %moe.router.exp, %moe.router.broadcast.5 : tensor<1x2xf32>
    %moe.experts.iota = stablehlo.iota dim = 2 : tensor<1x2x8xi32>
    %moe.experts.const = stablehlo.constant dense<0> : tensor<1x2x8xi32>
    %moe.experts.select = stablehlo.select %moe.router.eq.1, %moe.experts.iota, %moe.experts.const : tensor<1x2x8xi1>, tensor<1x2x8xi32>
    %moe.experts.reduce_add = stablehlo.reduce(%moe.experts.select init: %$add_i32) applies stablehlo.add across dimensions = [2] : (tensor<1x2x8xi32>, tensor<i32>) -> tensor<1x2xi32>
    %moe.experts.gate.gather_rows = "stablehlo.gather"(%layers.0.moe.experts.gate.weight, %moe.experts.reduce_add) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24, 32>}> : (tensor<8x24x32xbf16>, tensor<1x2xi32>) -> tensor<1x2x24x32xbf16>
    %moe.experts.gate.convert = stablehlo.convert %moe.experts.gate.gather_rows : (tensor<1x2x24x32xbf16>) -> tensor<1x2x24x32xf32>
    %moe.experts.gate.broadcast = stablehlo.broadcast_in_dim %x, dims = [0, 3] : (tensor<1x32xf32>) -> tensor<1x2x24x32xf32>
    %moe.experts.gate.mul = stablehlo.multiply %moe.experts.gate.convert, %moe.experts.gate.broadcast : tensor<1x2x24x32xf32>
    %moe.experts.gate.reduce_add = stablehlo.reduce(%moe.experts.gate.mul init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<1x2x24x32xf32>, tensor<f32>) -> tensor<1x2x24xf32>
    %moe.experts.up.gather_rows = "stablehlo.gather"(%layers.0.moe.experts.up.weight, %moe.experts.reduce_add) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24, 32>}> : (tensor<8x24x32xbf16>, tensor<1x2xi32>) -> tensor<1x2x24x32xbf16>
    %moe.experts.up.convert = stablehlo.convert %moe.experts.up.gather_rows : (tensor<1x2x24x32xbf16>) -> tensor<1x2x24x32xf32>
    %moe.experts.up.broadcast = stablehlo.broadcast_in_dim %x, dims = [0, 3] : (tensor<1x32xf32>) -> tensor<1x2x24x32xf32>
    %moe.experts.up.mul = stablehlo.multiply %moe.experts.up.convert, %moe.experts.up.broadcast : tensor<1x2x24x32xf32>
    %moe.experts.up.reduce_add = stablehlo.reduce(%moe.experts.up.mul init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<1x2x24x32xf32>, tensor<f32>) -> tensor<1x2x24xf32>
    %moe.experts.logistic = stablehlo.logistic %moe.experts.gate.reduce_add : tensor<1x2x24xf32>
    %moe.experts.mul = stablehlo.multiply %moe.experts.gate.reduce_add, %moe.experts.logistic : tensor<1x2x24xf32>
    %moe.experts.mul.1 = stablehlo.multiply %moe.experts.mul, %moe.experts.up.reduce_add : tensor<1x2x24xf32>
    %moe.experts.down.gather_rows = "stablehlo.gather"(%layers.0.moe.experts.down.weight, %moe.experts.reduce_add) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32, 24>}> : (tensor<8x32x24xbf16>, tensor<1x2xi32>) -> tensor<1x2x32x24xbf16>
    %moe.experts.down.convert = stablehlo.convert %moe.experts.down.gather_rows : (tensor<1x2x32x24xbf16>) -> tensor<1x2x32x24xf32>
    %moe.experts.down.broadcast = stablehlo.broadcast_in_dim %moe.experts.mul.1, dims = [0, 1, 3] : (tensor<1x2x24xf32>) -> tensor<1x2x32x24xf32>
    %moe.experts.down.mul = stablehlo.multiply %moe.experts.down.convert, %moe.experts.down.broadcast : tensor<1x2x32x24xf32>
    %moe.experts.down.reduce_add = stablehlo.reduce(%moe.experts.down.mul init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<1x2x32x24xf32>, tensor<f32>) -> tensor<1x2x32xf32>
    %moe.experts.broadcast = stablehlo.broadcast_in_dim %moe.router.div, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<1x2x32xf32>
    %moe.experts.mul.2 = stablehlo.multiply %moe.experts.down.reduce_add, %moe.experts.broadcast : tensor<1x2x32xf32>
    %moe.experts.reduce_add.1 = stablehlo.reduce(%moe.experts.mul.2 init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x2x32xf32>, tensor<f32>) -> tensor<1x32xf32>
    return
      %moe.experts.reduce_add.1
      :
      tensor<1x32xf32>
  }
}
