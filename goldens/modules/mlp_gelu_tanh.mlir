module @mlp {
  util.global private @layers.0.mlp.gate.weight = #flow.parameter.named<"model"::"layers.0.mlp.gate.weight"> : tensor<48x32xbf16>
  util.global private @layers.0.mlp.up.weight = #flow.parameter.named<"model"::"layers.0.mlp.up.weight"> : tensor<48x32xbf16>
  util.global private @layers.0.mlp.down.weight = #flow.parameter.named<"model"::"layers.0.mlp.down.weight"> : tensor<32x48xbf16>
  func.func public @mlp(
    %x: tensor<16x32xf32>
  ) -> (
    tensor<16x32xf32> // y
  ) {
    %layers.0.mlp.gate.weight = util.global.load @layers.0.mlp.gate.weight : tensor<48x32xbf16>
    %layers.0.mlp.up.weight = util.global.load @layers.0.mlp.up.weight : tensor<48x32xbf16>
    %layers.0.mlp.down.weight = util.global.load @layers.0.mlp.down.weight : tensor<32x48xbf16>
    %mlp.gate.convert = stablehlo.convert %layers.0.mlp.gate.weight : (tensor<48x32xbf16>) -> tensor<48x32xf32>
    %mlp.gate.dot = stablehlo.dot_general %x, %mlp.gate.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<48x32xf32>) -> tensor<16x48xf32>
    %mlp.mul = stablehlo.multiply %mlp.gate.dot, %mlp.gate.dot : tensor<16x48xf32>
    %mlp.mul.1 = stablehlo.multiply %mlp.mul, %mlp.gate.dot : tensor<16x48xf32>
    %mlp.const = stablehlo.constant dense<0.044715> : tensor<16x48xf32>
    %mlp.mul.2 = stablehlo.multiply %mlp.mul.1, %mlp.const : tensor<16x48xf32>
    %mlp.add = stablehlo.add %mlp.gate.dot, %mlp.mul.2 : tensor<16x48xf32>
    %mlp.const.1 = stablehlo.constant dense<0.7978846> : tensor<16x48xf32>
    %mlp.mul.3 = stablehlo.multiply %mlp.add, %mlp.const.1 : tensor<16x48xf32>
    %mlp.const.2 = stablehlo.constant dense<0.5> : tensor<16x48xf32>
    %mlp.mul.4 = stablehlo.multiply %mlp.gate.dot, %mlp.const.2 : tensor<16x48xf32>
    %mlp.tanh = stablehlo.tanh %mlp.mul.3 : tensor<16x48xf32>
    %mlp.const.3 = stablehlo.constant dense<1.0> : tensor<16x48xf32>
    %mlp.add.1 = stablehlo.add %mlp.tanh, %mlp.const.3 : tensor<16x48xf32>
    %mlp.mul.5 = stablehlo.multiply %mlp.mul.4, %mlp.add.1 : tensor<16x48xf32>
    %mlp.up.convert = stablehlo.convert %layers.0.mlp.up.weight : (tensor<48x32xbf16>) -> tensor<48x32xf32>
    %mlp.up.dot = stablehlo.dot_general %x, %mlp.up.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<48x32xf32>) -> tensor<16x48xf32>
    %mlp.mul.6 = stablehlo.multiply %mlp.mul.5, %mlp.up.dot : tensor<16x48xf32>
    %mlp.down.convert = stablehlo.convert %layers.0.mlp.down.weight : (tensor<32x48xbf16>) -> tensor<32x48xf32>
    %mlp.down.dot = stablehlo.dot_general %mlp.mul.6, %mlp.down.convert, contracting_dims = [1] x [1] : (tensor<16x48xf32>, tensor<32x48xf32>) -> tensor<16x32xf32>
    return
      %mlp.down.dot
      :
      tensor<16x32xf32>
  }
}
