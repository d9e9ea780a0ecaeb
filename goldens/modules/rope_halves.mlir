module @rope {
  util.global private @rope.cos = #flow.parameter.named<"model"::"rope.cos"> : tensor<64x8xf32>
  util.global private @rope.sin = #flow.parameter.named<"model"::"rope.sin"> : tensor<64x8xf32>
  func.func public @rope(
    %position: tensor<16xi32>,
    %x: tensor<16x4x16xf32>
  ) -> (
    tensor<16x4x16xf32> // y
  ) {
    %rope.cos = util.global.load @rope.cos : tensor<64x8xf32>
    %rope.sin = util.global.load @rope.sin : tensor<64x8xf32>
    %rope.gather_rows = "stablehlo.gather"(%rope.cos, %position) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<16xi32>) -> tensor<16x8xf32>
    %rope.gather_rows.1 = "stablehlo.gather"(%rope.sin, %position) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<16xi32>) -> tensor<16x8xf32>
    %reshape = stablehlo.reshape %x : (tensor<16x4x16xf32>) -> tensor<16x4x2x8xf32>
    %iota = stablehlo.iota dim = 2 : tensor<16x4x2x8xi32>
    %const = stablehlo.constant dense<0> : tensor<16x4x2x8xi32>
    %eq = stablehlo.compare EQ, %iota, %const : (tensor<16x4x2x8xi32>, tensor<16x4x2x8xi32>) -> tensor<16x4x2x8xi1>
    %broadcast = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 3] : (tensor<16x8xf32>) -> tensor<16x4x2x8xf32>
    %reverse = stablehlo.reverse %reshape, dims = [2] : tensor<16x4x2x8xf32>
    %neg = stablehlo.negate %broadcast : tensor<16x4x2x8xf32>
    %select = stablehlo.select %eq, %neg, %broadcast : tensor<16x4x2x8xi1>, tensor<16x4x2x8xf32>
    %mul = stablehlo.multiply %reverse, %select : tensor<16x4x2x8xf32>
    %broadcast.1 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 3] : (tensor<16x8xf32>) -> tensor<16x4x2x8xf32>
    %mul.1 = stablehlo.multiply %reshape, %broadcast.1 : tensor<16x4x2x8xf32>
    %add = stablehlo.add %mul.1, %mul : tensor<16x4x2x8xf32>
    %reshape.1 = stablehlo.reshape %add : (tensor<16x4x2x8xf32>) -> tensor<16x4x16xf32>
    return
      %reshape.1
      :
      tensor<16x4x16xf32>
  }
}
