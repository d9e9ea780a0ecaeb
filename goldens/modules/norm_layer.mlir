module @norm {
  util.global private @norm.weight = #flow.parameter.named<"model"::"norm.weight"> : tensor<32xbf16>
  util.global private @norm.bias = #flow.parameter.named<"model"::"norm.bias"> : tensor<32xbf16>
  func.func public @norm(
    %x: tensor<16x32xf32>
  ) -> (
    tensor<16x32xf32> // y
  ) {
    %norm.weight = util.global.load @norm.weight : tensor<32xbf16>
    %norm.bias = util.global.load @norm.bias : tensor<32xbf16>
    %$add_f32 = stablehlo.constant dense<0.0> : tensor<f32>
    %reduce_add = stablehlo.reduce(%x init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %const = stablehlo.constant dense<32.0> : tensor<16xf32>
    %div = stablehlo.divide %reduce_add, %const : tensor<16xf32>
    %broadcast = stablehlo.broadcast_in_dim %div, dims = [0] : (tensor<16xf32>) -> tensor<16x32xf32>
    %sub = stablehlo.subtract %x, %broadcast : tensor<16x32xf32>
    %mul = stablehlo.multiply %sub, %sub : tensor<16x32xf32>
    %reduce_add.1 = stablehlo.reduce(%mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %const.1 = stablehlo.constant dense<32.0> : tensor<16xf32>
    %div.1 = stablehlo.divide %reduce_add.1, %const.1 : tensor<16xf32>
    %const.2 = stablehlo.constant dense<1.0e-05> : tensor<16xf32>
    %add = stablehlo.add %div.1, %const.2 : tensor<16xf32>
    %rsqrt = stablehlo.rsqrt %add : tensor<16xf32>
    %broadcast.1 = stablehlo.broadcast_in_dim %rsqrt, dims = [0] : (tensor<16xf32>) -> tensor<16x32xf32>
    %mul.1 = stablehlo.multiply %sub, %broadcast.1 : tensor<16x32xf32>
    %convert = stablehlo.convert %norm.weight : (tensor<32xbf16>) -> tensor<32xf32>
    %broadcast.2 = stablehlo.broadcast_in_dim %convert, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %mul.2 = stablehlo.multiply %mul.1, %broadcast.2 : tensor<16x32xf32>
    %convert.1 = stablehlo.convert %norm.bias : (tensor<32xbf16>) -> tensor<32xf32>
    %broadcast.3 = stablehlo.broadcast_in_dim %convert.1, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %add.1 = stablehlo.add %mul.2, %broadcast.3 : tensor<16x32xf32>
    return
      %add.1
      :
      tensor<16x32xf32>
  }
}
