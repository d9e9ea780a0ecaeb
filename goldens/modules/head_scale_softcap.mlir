module @head {
  util.global private @norm.weight = #flow.parameter.named<"model"::"norm.weight"> : tensor<32xbf16>
  util.global private @head.weight = #flow.parameter.named<"model"::"head.weight"> : tensor<96x32xbf16>
  func.func public @head(
    %x: tensor<16x32xf32>
  ) -> (
    tensor<16x96xf32> // y
  ) {
    %norm.weight = util.global.load @norm.weight : tensor<32xbf16>
    %head.weight = util.global.load @head.weight : tensor<96x32xbf16>
    %$add_f32 = stablehlo.constant dense<0.0> : tensor<f32>
    %mul = stablehlo.multiply %x, %x : tensor<16x32xf32>
    %reduce_add = stablehlo.reduce(%mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %const = stablehlo.constant dense<32.0> : tensor<16xf32>
    %div = stablehlo.divide %reduce_add, %const : tensor<16xf32>
    %const.1 = stablehlo.constant dense<1.0e-05> : tensor<16xf32>
    %add = stablehlo.add %div, %const.1 : tensor<16xf32>
    %rsqrt = stablehlo.rsqrt %add : tensor<16xf32>
    %broadcast = stablehlo.broadcast_in_dim %rsqrt, dims = [0] : (tensor<16xf32>) -> tensor<16x32xf32>
    %mul.1 = stablehlo.multiply %x, %broadcast : tensor<16x32xf32>
    %convert = stablehlo.convert %norm.weight : (tensor<32xbf16>) -> tensor<32xf32>
    %broadcast.1 = stablehlo.broadcast_in_dim %convert, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %mul.2 = stablehlo.multiply %mul.1, %broadcast.1 : tensor<16x32xf32>
    %convert.1 = stablehlo.convert %head.weight : (tensor<96x32xbf16>) -> tensor<96x32xf32>
    %dot = stablehlo.dot_general %mul.2, %convert.1, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<96x32xf32>) -> tensor<16x96xf32>
    %const.2 = stablehlo.constant dense<0.0625> : tensor<16x96xf32>
    %mul.3 = stablehlo.multiply %dot, %const.2 : tensor<16x96xf32>
    %const.3 = stablehlo.constant dense<30.0> : tensor<16x96xf32>
    %div.1 = stablehlo.divide %mul.3, %const.3 : tensor<16x96xf32>
    %tanh = stablehlo.tanh %div.1 : tensor<16x96xf32>
    %const.4 = stablehlo.constant dense<30.0> : tensor<16x96xf32>
    %mul.4 = stablehlo.multiply %tanh, %const.4 : tensor<16x96xf32>
    return
      %mul.4
      :
      tensor<16x96xf32>
  }
}
