module @mlp {
  util.global private @layers.0.mlp.up.weight = #flow.parameter.named<"model"::"layers.0.mlp.up.weight"> : tensor<48x32xbf16>
  util.global private @layers.0.mlp.down.weight = #flow.parameter.named<"model"::"layers.0.mlp.down.weight"> : tensor<32x48xbf16>
  func.func public @mlp(
    %x: tensor<16x32xf32>
  ) -> (
    tensor<16x32xf32> // y
  ) {
    %layers.0.mlp.up.weight = util.global.load @layers.0.mlp.up.weight : tensor<48x32xbf16>
    %layers.0.mlp.down.weight = util.global.load @layers.0.mlp.down.weight : tensor<32x48xbf16>
    %mlp.up.convert = stablehlo.convert %layers.0.mlp.up.weight : (tensor<48x32xbf16>) -> tensor<48x32xf32>
    %mlp.up.dot = stablehlo.dot_general %x, %mlp.up.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<48x32xf32>) -> tensor<16x48xf32>
    %mlp.const = stablehlo.constant dense<0.0> : tensor<16x48xf32>
    %mlp.max = stablehlo.maximum %mlp.up.dot, %mlp.const : tensor<16x48xf32>
    %mlp.mul = stablehlo.multiply %mlp.max, %mlp.max : tensor<16x48xf32>
    %mlp.down.convert = stablehlo.convert %layers.0.mlp.down.weight : (tensor<32x48xbf16>) -> tensor<32x48xf32>
    %mlp.down.dot = stablehlo.dot_general %mlp.mul, %mlp.down.convert, contracting_dims = [1] x [1] : (tensor<16x48xf32>, tensor<32x48xf32>) -> tensor<16x32xf32>
    return
      %mlp.down.dot
      :
      tensor<16x32xf32>
  }
}
