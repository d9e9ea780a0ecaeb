module @moe {
  util.global private @layers.0.moe.router.weight = #flow.parameter.named<"model"::"layers.0.moe.router.weight"> : tensor<8x32xbf16>
  util.global private @layers.0.moe.experts.gate.weight = #flow.parameter.named<"model"::"layers.0.moe.experts.gate.weight"> : tensor<8x24x32xbf16>
  util.global private @layers.0.moe.experts.up.weight = #flow.parameter.named<"model"::"layers.0.moe.experts.up.weight"> : tensor<8x24x32xbf16>
  util.global private @layers.0.moe.experts.down.weight = #flow.parameter.named<"model"::"layers.0.moe.experts.down.weight"> : tensor<8x32x24xbf16>
  util.global private @layers.0.moe.shared.gate.weight = #flow.parameter.named<"model"::"layers.0.moe.shared.gate.weight"> : tensor<40x32xbf16>
  util.global private @layers.0.moe.shared.gate.bias = #flow.parameter.named<"model"::"layers.0.moe.shared.gate.bias"> : tensor<40xbf16>
  util.global private @layers.0.moe.shared.up.weight = #flow.parameter.named<"model"::"layers.0.moe.shared.up.weight"> : tensor<40x32xbf16>
  util.global private @layers.0.moe.shared.up.bias = #flow.parameter.named<"model"::"layers.0.moe.shared.up.bias"> : tensor<40xbf16>
  util.global private @layers.0.moe.shared.down.weight = #flow.parameter.named<"model"::"layers.0.moe.shared.down.weight"> : tensor<32x40xbf16>
  util.global private @layers.0.moe.shared.down.bias = #flow.parameter.named<"model"::"layers.0.moe.shared.down.bias"> : tensor<32xbf16>
  func.func public @moe(
    %x: tensor<16x32xf32>
  ) -> (
    tensor<16x32xf32> // y
  ) {
    %layers.0.moe.router.weight = util.global.load @layers.0.moe.router.weight : tensor<8x32xbf16>
    %layers.0.moe.experts.gate.weight = util.global.load @layers.0.moe.experts.gate.weight : tensor<8x24x32xbf16>
    %layers.0.moe.experts.up.weight = util.global.load @layers.0.moe.experts.up.weight : tensor<8x24x32xbf16>
    %layers.0.moe.experts.down.weight = util.global.load @layers.0.moe.experts.down.weight : tensor<8x32x24xbf16>
    %layers.0.moe.shared.gate.weight = util.global.load @layers.0.moe.shared.gate.weight : tensor<40x32xbf16>
    %layers.0.moe.shared.gate.bias = util.global.load @layers.0.moe.shared.gate.bias : tensor<40xbf16>
    %layers.0.moe.shared.up.weight = util.global.load @layers.0.moe.shared.up.weight : tensor<40x32xbf16>
    %layers.0.moe.shared.up.bias = util.global.load @layers.0.moe.shared.up.bias : tensor<40xbf16>
    %layers.0.moe.shared.down.weight = util.global.load @layers.0.moe.shared.down.weight : tensor<32x40xbf16>
    %layers.0.moe.shared.down.bias = util.global.load @layers.0.moe.shared.down.bias : tensor<32xbf16>
    %$max_f32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %$add_f32 = stablehlo.constant dense<0.0> : tensor<f32>
    %$add_i32 = stablehlo.constant dense<0> : tensor<i32>
    %moe.router.convert = stablehlo.convert %layers.0.moe.router.weight : (tensor<8x32xbf16>) -> tensor<8x32xf32>
    %moe.router.dot = stablehlo.dot_general %x, %moe.router.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<8x32xf32>) -> tensor<16x8xf32>
    %moe.router.reduce_max = stablehlo.reduce(%moe.router.dot init: %$max_f32) applies stablehlo.maximum across dimensions = [1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
    %moe.router.broadcast = stablehlo.broadcast_in_dim %moe.router.reduce_max, dims = [0] : (tensor<16xf32>) -> tensor<16x8xf32>
    %moe.router.sub = stablehlo.subtract %moe.router.dot, %moe.router.broadcast : tensor<16x8xf32>
    %moe.router.exp = stablehlo.exponential %moe.router.sub : tensor<16x8xf32>
    %moe.router.reduce_add = stablehlo.reduce(%moe.router.exp init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
    %moe.router.broadcast.1 = stablehlo.broadcast_in_dim %moe.router.reduce_add, dims = [0] : (tensor<16xf32>) -> tensor<16x8xf32>
    %moe.router.div = stablehlo.divide %moe.router.exp, %moe.router.broadcast.1 : tensor<16x8xf32>
    %moe.router.broadcast.2 = stablehlo.broadcast_in_dim %moe.router.div, dims = [0, 1] : (tensor<16x8xf32>) -> tensor<16x8x8xf32>
    %moe.router.broadcast.3 = stablehlo.broadcast_in_dim %moe.router.div, dims = [0, 2] : (tensor<16x8xf32>) -> tensor<16x8x8xf32>
    %moe.router.iota = stablehlo.iota dim = 2 : tensor<16x8x8xi32>
    %moe.router.iota.1 = stablehlo.iota dim = 1 : tensor<16x8x8xi32>
    %moe.router.lt = stablehlo.compare LT, %moe.router.iota, %moe.router.iota.1 : (tensor<16x8x8xi32>, tensor<16x8x8xi32>) -> tensor<16x8x8xi1>
    %moe.router.gt = stablehlo.compare GT, %moe.router.broadcast.3, %moe.router.broadcast.2 : (tensor<16x8x8xf32>, tensor<16x8x8xf32>) -> tensor<16x8x8xi1>
    %moe.router.eq = stablehlo.compare EQ, %moe.router.broadcast.3, %moe.router.broadcast.2 : (tensor<16x8x8xf32>, tensor<16x8x8xf32>) -> tensor<16x8x8xi1>
    %moe.router.and = stablehlo.and %moe.router.lt, %moe.router.eq : tensor<16x8x8xi1>
    %moe.router.or = stablehlo.or %moe.router.gt, %moe.router.and : tensor<16x8x8xi1>
    %moe.router.convert.1 = stablehlo.convert %moe.router.or : (tensor<16x8x8xi1>) -> tensor<16x8x8xi32>
    %moe.router.reduce_add.1 = stablehlo.reduce(%moe.router.convert.1 init: %$add_i32) applies stablehlo.add across dimensions = [2] : (tensor<16x8x8xi32>, tensor<i32>) -> tensor<16x8xi32>
    %moe.router.broadcast.4 = stablehlo.broadcast_in_dim %moe.router.reduce_add.1, dims = [0, 2] : (tensor<16x8xi32>) -> tensor<16x2x8xi32>
    %moe.router.iota.2 = stablehlo.iota dim = 1 : tensor<16x2x8xi32>
    %moe.router.eq.1 = stablehlo.compare EQ, %moe.router.broadcast.4, %moe.router.iota.2 : (tensor<16x2x8xi32>, tensor<16x2x8xi32>) -> tensor<16x2x8xi1>
    %moe.router.broadcast.5 = stablehlo.broadcast_in_dim %moe.router.div, dims = [0, 2] : (tensor<16x8xf32>) -> tensor<16x2x8xf32>
    %moe.router.const = stablehlo.constant dense<0.0> : tensor<16x2x8xf32>
    %moe.router.select = stablehlo.select %moe.router.eq.1, %moe.router.broadcast.5, %moe.router.const : tensor<16x2x8xi1>, tensor<16x2x8xf32>
    %moe.router.reduce_add.2 = stablehlo.reduce(%moe.router.select init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<16x2x8xf32>, tensor<f32>) -> tensor<16x2xf32>
    %moe.experts.iota = stablehlo.iota dim = 2 : tensor<16x2x8xi32>
    %moe.experts.const = stablehlo.constant dense<0> : tensor<16x2x8xi32>
    %moe.experts.select = stablehlo.select %moe.router.eq.1, %moe.experts.iota, %moe.experts.const : tensor<16x2x8xi1>, tensor<16x2x8xi32>
    %moe.experts.reduce_add = stablehlo.reduce(%moe.experts.select init: %$add_i32) applies stablehlo.add across dimensions = [2] : (tensor<16x2x8xi32>, tensor<i32>) -> tensor<16x2xi32>
    %moe.experts.sort.reshape = stablehlo.reshape %moe.experts.reduce_add : (tensor<16x2xi32>) -> tensor<32xi32>
    %moe.experts.sort.neg = stablehlo.negate %moe.experts.sort.reshape : tensor<32xi32>
    %moe.experts.sort.broadcast = stablehlo.broadcast_in_dim %moe.experts.sort.neg, dims = [0] : (tensor<32xi32>) -> tensor<32x32xi32>
    %moe.experts.sort.broadcast.1 = stablehlo.broadcast_in_dim %moe.experts.sort.neg, dims = [1] : (tensor<32xi32>) -> tensor<32x32xi32>
    %moe.experts.sort.iota = stablehlo.iota dim = 1 : tensor<32x32xi32>
    %moe.experts.sort.iota.1 = stablehlo.iota dim = 0 : tensor<32x32xi32>
    %moe.experts.sort.lt = stablehlo.compare LT, %moe.experts.sort.iota, %moe.experts.sort.iota.1 : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi1>
    %moe.experts.sort.gt = stablehlo.compare GT, %moe.experts.sort.broadcast.1, %moe.experts.sort.broadcast : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi1>
    %moe.experts.sort.eq = stablehlo.compare EQ, %moe.experts.sort.broadcast.1, %moe.experts.sort.broadcast : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi1>
    %moe.experts.sort.and = stablehlo.and %moe.experts.sort.lt, %moe.experts.sort.eq : tensor<32x32xi1>
    %moe.experts.sort.or = stablehlo.or %moe.experts.sort.gt, %moe.experts.sort.and : tensor<32x32xi1>
    %moe.experts.sort.convert = stablehlo.convert %moe.experts.sort.or : (tensor<32x32xi1>) -> tensor<32x32xi32>
    %moe.experts.sort.reduce_add = stablehlo.reduce(%moe.experts.sort.convert init: %$add_i32) applies stablehlo.add across dimensions = [1] : (tensor<32x32xi32>, tensor<i32>) -> tensor<32xi32>
    %moe.experts.sort.broadcast.2 = stablehlo.broadcast_in_dim %moe.experts.sort.reduce_add, dims = [1] : (tensor<32xi32>) -> tensor<32x32xi32>
    %moe.experts.sort.iota.2 = stablehlo.iota dim = 0 : tensor<32x32xi32>
    %moe.experts.sort.eq.1 = stablehlo.compare EQ, %moe.experts.sort.broadcast.2, %moe.experts.sort.iota.2 : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi1>
    %moe.experts.sort.iota.3 = stablehlo.iota dim = 1 : tensor<32x32xi32>
    %moe.experts.sort.const = stablehlo.constant dense<0> : tensor<32x32xi32>
    %moe.experts.sort.select = stablehlo.select %moe.experts.sort.eq.1, %moe.experts.sort.iota.3, %moe.experts.sort.const : tensor<32x32xi1>, tensor<32x32xi32>
    %moe.experts.sort.reduce_add.1 = stablehlo.reduce(%moe.experts.sort.select init: %$add_i32) applies stablehlo.add across dimensions = [1] : (tensor<32x32xi32>, tensor<i32>) -> tensor<32xi32>
    %moe.experts.sort.const.1 = stablehlo.constant dense<2> : tensor<32xi32>
    %moe.experts.sort.div = stablehlo.divide %moe.experts.sort.reduce_add.1, %moe.experts.sort.const.1 : tensor<32xi32>
    %moe.experts.sort.gather_rows = "stablehlo.gather"(%x, %moe.experts.sort.div) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<16x32xf32>, tensor<32xi32>) -> tensor<32x32xf32>
    %moe.experts.sort.gather_rows.1 = "stablehlo.gather"(%moe.experts.sort.reshape, %moe.experts.sort.reduce_add.1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %moe.experts.sort.reshape.1 = stablehlo.reshape %moe.experts.sort.gather_rows.1 : (tensor<32xi32>) -> tensor<32x1xi32>
    %moe.experts.gate.gather_rows = "stablehlo.gather"(%layers.0.moe.experts.gate.weight, %moe.experts.sort.reshape.1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24, 32>}> : (tensor<8x24x32xbf16>, tensor<32x1xi32>) -> tensor<32x1x24x32xbf16>
    %moe.experts.gate.convert = stablehlo.convert %moe.experts.gate.gather_rows : (tensor<32x1x24x32xbf16>) -> tensor<32x1x24x32xf32>
    %moe.experts.gate.broadcast = stablehlo.broadcast_in_dim %moe.experts.sort.gather_rows, dims = [0, 3] : (tensor<32x32xf32>) -> tensor<32x1x24x32xf32>
    %moe.experts.gate.mul = stablehlo.multiply %moe.experts.gate.convert, %moe.experts.gate.broadcast : tensor<32x1x24x32xf32>
    %moe.experts.gate.reduce_add = stablehlo.reduce(%moe.experts.gate.mul init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<32x1x24x32xf32>, tensor<f32>) -> tensor<32x1x24xf32>
    %moe.experts.up.gather_rows = "stablehlo.gather"(%layers.0.moe.experts.up.weight, %moe.experts.sort.reshape.1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24, 32>}> : (tensor<8x24x32xbf16>, tensor<32x1xi32>) -> tensor<32x1x24x32xbf16>
    %moe.experts.up.convert = stablehlo.convert %moe.experts.up.gather_rows : (tensor<32x1x24x32xbf16>) -> tensor<32x1x24x32xf32>
    %moe.experts.up.broadcast = stablehlo.broadcast_in_dim %moe.experts.sort.gather_rows, dims = [0, 3] : (tensor<32x32xf32>) -> tensor<32x1x24x32xf32>
    %moe.experts.up.mul = stablehlo.multiply %moe.experts.up.convert, %moe.experts.up.broadcast : tensor<32x1x24x32xf32>
    %moe.experts.up.reduce_add = stablehlo.reduce(%moe.experts.up.mul init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<32x1x24x32xf32>, tensor<f32>) -> tensor<32x1x24xf32>
    %moe.experts.logistic = stablehlo.logistic %moe.experts.gate.reduce_add : tensor<32x1x24xf32>
    %moe.experts.mul = stablehlo.multiply %moe.experts.gate.reduce_add, %moe.experts.logistic : tensor<32x1x24xf32>
    %moe.experts.mul.1 = stablehlo.multiply %moe.experts.mul, %moe.experts.up.reduce_add : tensor<32x1x24xf32>
    %moe.experts.down.gather_rows = "stablehlo.gather"(%layers.0.moe.experts.down.weight, %moe.experts.sort.reshape.1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32, 24>}> : (tensor<8x32x24xbf16>, tensor<32x1xi32>) -> tensor<32x1x32x24xbf16>
    %moe.experts.down.convert = stablehlo.convert %moe.experts.down.gather_rows : (tensor<32x1x32x24xbf16>) -> tensor<32x1x32x24xf32>
    %moe.experts.down.broadcast = stablehlo.broadcast_in_dim %moe.experts.mul.1, dims = [0, 1, 3] : (tensor<32x1x24xf32>) -> tensor<32x1x32x24xf32>
    %moe.experts.down.mul = stablehlo.multiply %moe.experts.down.convert, %moe.experts.down.broadcast : tensor<32x1x32x24xf32>
    %moe.experts.down.reduce_add = stablehlo.reduce(%moe.experts.down.mul init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<32x1x32x24xf32>, tensor<f32>) -> tensor<32x1x32xf32>
    %moe.experts.sort.reshape.2 = stablehlo.reshape %moe.experts.down.reduce_add : (tensor<32x1x32xf32>) -> tensor<32x32xf32>
    %moe.experts.sort.reshape.3 = stablehlo.reshape %moe.experts.sort.reduce_add : (tensor<32xi32>) -> tensor<16x2xi32>
    %moe.experts.sort.gather_rows.2 = "stablehlo.gather"(%moe.experts.sort.reshape.2, %moe.experts.sort.reshape.3) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<32x32xf32>, tensor<16x2xi32>) -> tensor<16x2x32xf32>
    %moe.experts.broadcast = stablehlo.broadcast_in_dim %moe.router.reduce_add.2, dims = [0, 1] : (tensor<16x2xf32>) -> tensor<16x2x32xf32>
    %moe.experts.mul.2 = stablehlo.multiply %moe.experts.sort.gather_rows.2, %moe.experts.broadcast : tensor<16x2x32xf32>
    %moe.experts.reduce_add.1 = stablehlo.reduce(%moe.experts.mul.2 init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<16x2x32xf32>, tensor<f32>) -> tensor<16x32xf32>
    %moe.shared.gate.convert = stablehlo.convert %layers.0.moe.shared.gate.weight : (tensor<40x32xbf16>) -> tensor<40x32xf32>
    %moe.shared.gate.dot = stablehlo.dot_general %x, %moe.shared.gate.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<40x32xf32>) -> tensor<16x40xf32>
    %moe.shared.gate.convert.1 = stablehlo.convert %layers.0.moe.shared.gate.bias : (tensor<40xbf16>) -> tensor<40xf32>
    %moe.shared.gate.broadcast = stablehlo.broadcast_in_dim %moe.shared.gate.convert.1, dims = [1] : (tensor<40xf32>) -> tensor<16x40xf32>
    %moe.shared.gate.add = stablehlo.add %moe.shared.gate.dot, %moe.shared.gate.broadcast : tensor<16x40xf32>
    %moe.shared.logistic = stablehlo.logistic %moe.shared.gate.add : tensor<16x40xf32>
    %moe.shared.mul = stablehlo.multiply %moe.shared.gate.add, %moe.shared.logistic : tensor<16x40xf32>
    %moe.shared.up.convert = stablehlo.convert %layers.0.moe.shared.up.weight : (tensor<40x32xbf16>) -> tensor<40x32xf32>
    %moe.shared.up.dot = stablehlo.dot_general %x, %moe.shared.up.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<40x32xf32>) -> tensor<16x40xf32>
    %moe.shared.up.convert.1 = stablehlo.convert %layers.0.moe.shared.up.bias : (tensor<40xbf16>) -> tensor<40xf32>
    %moe.shared.up.broadcast = stablehlo.broadcast_in_dim %moe.shared.up.convert.1, dims = [1] : (tensor<40xf32>) -> tensor<16x40xf32>
    %moe.shared.up.add = stablehlo.add %moe.shared.up.dot, %moe.shared.up.broadcast : tensor<16x40xf32>
    %moe.shared.mul.1 = stablehlo.multiply %moe.shared.mul, %moe.shared.up.add : tensor<16x40xf32>
    %moe.shared.down.convert = stablehlo.convert %layers.0.moe.shared.down.weight : (tensor<32x40xbf16>) -> tensor<32x40xf32>
    %moe.shared.down.dot = stablehlo.dot_general %moe.shared.mul.1, %moe.shared.down.convert, contracting_dims = [1] x [1] : (tensor<16x40xf32>, tensor<32x40xf32>) -> tensor<16x32xf32>
    %moe.shared.down.convert.1 = stablehlo.convert %layers.0.moe.shared.down.bias : (tensor<32xbf16>) -> tensor<32xf32>
    %moe.shared.down.broadcast = stablehlo.broadcast_in_dim %moe.shared.down.convert.1, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %moe.shared.down.add = stablehlo.add %moe.shared.down.dot, %moe.shared.down.broadcast : tensor<16x32xf32>
    %moe.add = stablehlo.add %moe.experts.reduce_add.1, %moe.shared.down.add : tensor<16x32xf32>
    return
      %moe.add
      :
      tensor<16x32xf32>
  }
}
