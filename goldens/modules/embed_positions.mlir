module @embed {
  util.global private @embed.weight = #flow.parameter.named<"model"::"embed.weight"> : tensor<96x32xbf16>
  util.global private @positions.weight = #flow.parameter.named<"model"::"positions.weight"> : tensor<64x32xbf16>
  func.func public @embed(
    %tokens: tensor<16xi32>,
    %position: tensor<16xi32>
  ) -> (
    tensor<16x32xf32> // y
  ) {
    %embed.weight = util.global.load @embed.weight : tensor<96x32xbf16>
    %positions.weight = util.global.load @positions.weight : tensor<64x32xbf16>
    %gather_rows = "stablehlo.gather"(%embed.weight, %tokens) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<96x32xbf16>, tensor<16xi32>) -> tensor<16x32xbf16>
    %convert = stablehlo.convert %gather_rows : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %gather_rows.1 = "stablehlo.gather"(%positions.weight, %position) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<64x32xbf16>, tensor<16xi32>) -> tensor<16x32xbf16>
    %convert.1 = stablehlo.convert %gather_rows.1 : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %add = stablehlo.add %convert, %convert.1 : tensor<16x32xf32>
    return
      %add
      :
      tensor<16x32xf32>
  }
}
