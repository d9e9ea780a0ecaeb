module @mlp {
  util.global private @layers.0.mlp.up.weight = #flow.parameter.named<"model"::"layers.0.mlp.up.weight"> : tensor<48x32xbf16>
  util.global private @layers.0.mlp.up.bias = #flow.parameter.named<"model"::"layers.0.mlp.up.bias"> : tensor<48xbf16>
  util.global private @layers.0.mlp.down.weight = #flow.parameter.named<"model"::"layers.0.mlp.down.weight"> : tensor<32x48xbf16>
  util.global private @layers.0.mlp.down.bias = #flow.parameter.named<"model"::"layers.0.mlp.down.bias"> : tensor<32xbf16>
  func.func public @mlp(
    %x: tensor<16x32xf32>
  ) -> (
    tensor<16x32xf32> // y
  ) {
    %layers.0.mlp.up.weight = util.global.load @layers.0.mlp.up.weight : tensor<48x32xbf16>
    %layers.0.mlp.up.bias = util.global.load @layers.0.mlp.up.bias : tensor<48xbf16>
    %layers.0.mlp.down.weight = util.global.load @layers.0.mlp.down.weight : tensor<32x48xbf16>
    %layers.0.mlp.down.bias = util.global.load @layers.0.mlp.down.bias : tensor<32xbf16>
    %mlp.up.convert = stablehlo.convert %layers.0.mlp.up.weight : (tensor<48x32xbf16>) -> tensor<48x32xf32>
    %mlp.up.dot = stablehlo.dot_general %x, %mlp.up.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<48x32xf32>) -> tensor<16x48xf32>
    %mlp.up.convert.1 = stablehlo.convert %layers.0.mlp.up.bias : (tensor<48xbf16>) -> tensor<48xf32>
    %mlp.up.broadcast = stablehlo.broadcast_in_dim %mlp.up.convert.1, dims = [1] : (tensor<48xf32>) -> tensor<16x48xf32>
    %mlp.up.add = stablehlo.add %mlp.up.dot, %mlp.up.broadcast : tensor<16x48xf32>
    %mlp.mul = stablehlo.multiply %mlp.up.add, %mlp.up.add : tensor<16x48xf32>
    %mlp.mul.1 = stablehlo.multiply %mlp.mul, %mlp.up.add : tensor<16x48xf32>
    %mlp.const = stablehlo.constant dense<0.044715> : tensor<16x48xf32>
    %mlp.mul.2 = stablehlo.multiply %mlp.mul.1, %mlp.const : tensor<16x48xf32>
    %mlp.add = stablehlo.add %mlp.up.add, %mlp.mul.2 : tensor<16x48xf32>
    %mlp.const.1 = stablehlo.constant dense<0.7978846> : tensor<16x48xf32>
    %mlp.mul.3 = stablehlo.multiply %mlp.add, %mlp.const.1 : tensor<16x48xf32>
    %mlp.const.2 = stablehlo.constant dense<0.5> : tensor<16x48xf32>
    %mlp.mul.4 = stablehlo.multiply %mlp.up.add, %mlp.const.2 : tensor<16x48xf32>
    %mlp.tanh = stablehlo.tanh %mlp.mul.3 : tensor<16x48xf32>
    %mlp.const.3 = stablehlo.constant dense<1.0> : tensor<16x48xf32>
    %mlp.add.1 = stablehlo.add %mlp.tanh, %mlp.const.3 : tensor<16x48xf32>
    %mlp.mul.5 = stablehlo.multiply %mlp.mul.4, %mlp.add.1 : tensor<16x48xf32>
    %mlp.down.convert = stablehlo.convert %layers.0.mlp.down.weight : (tensor<32x48xbf16>) -> tensor<32x48xf32>
    %mlp.down.dot = stablehlo.dot_general %mlp.mul.5, %mlp.down.convert, contracting_dims = [1] x [1] : (tensor<16x48xf32>, tensor<32x48xf32>) -> tensor<16x32xf32>
    %mlp.down.convert.1 = stablehlo.convert %layers.0.mlp.down.bias : (tensor<32xbf16>) -> tensor<32xf32>
    %mlp.down.broadcast = stablehlo.broadcast_in_dim %mlp.down.convert.1, dims = [1] : (tensor<32xf32>) -> tensor<16x32xf32>
    %mlp.down.add = stablehlo.add %mlp.down.dot, %mlp.down.broadcast : tensor<16x32xf32>
    return
      %mlp.down.add
      :
      tensor<16x32xf32>
  }
}
