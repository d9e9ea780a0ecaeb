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
    %mlp.const = stablehlo.constant dense<1.0> : tensor<16x48xf32>
    %mlp.abs = stablehlo.abs %mlp.gate.dot : tensor<16x48xf32>
    %mlp.const.1 = stablehlo.constant dense<0.23164189> : tensor<16x48xf32>
    %mlp.mul = stablehlo.multiply %mlp.abs, %mlp.const.1 : tensor<16x48xf32>
    %mlp.add = stablehlo.add %mlp.const, %mlp.mul : tensor<16x48xf32>
    %mlp.div = stablehlo.divide %mlp.const, %mlp.add : tensor<16x48xf32>
    %mlp.const.2 = stablehlo.constant dense<0.5307027> : tensor<16x48xf32>
    %mlp.const.3 = stablehlo.constant dense<-0.72657603> : tensor<16x48xf32>
    %mlp.mul.1 = stablehlo.multiply %mlp.const.2, %mlp.div : tensor<16x48xf32>
    %mlp.add.1 = stablehlo.add %mlp.mul.1, %mlp.const.3 : tensor<16x48xf32>
    %mlp.const.4 = stablehlo.constant dense<0.7107069> : tensor<16x48xf32>
    %mlp.mul.2 = stablehlo.multiply %mlp.add.1, %mlp.div : tensor<16x48xf32>
    %mlp.add.2 = stablehlo.add %mlp.mul.2, %mlp.const.4 : tensor<16x48xf32>
    %mlp.const.5 = stablehlo.constant dense<-0.14224836> : tensor<16x48xf32>
    %mlp.mul.3 = stablehlo.multiply %mlp.add.2, %mlp.div : tensor<16x48xf32>
    %mlp.add.3 = stablehlo.add %mlp.mul.3, %mlp.const.5 : tensor<16x48xf32>
    %mlp.const.6 = stablehlo.constant dense<0.1274148> : tensor<16x48xf32>
    %mlp.mul.4 = stablehlo.multiply %mlp.add.3, %mlp.div : tensor<16x48xf32>
    %mlp.add.4 = stablehlo.add %mlp.mul.4, %mlp.const.6 : tensor<16x48xf32>
    %mlp.mul.5 = stablehlo.multiply %mlp.add.4, %mlp.div : tensor<16x48xf32>
    %mlp.mul.6 = stablehlo.multiply %mlp.abs, %mlp.abs : tensor<16x48xf32>
    %mlp.const.7 = stablehlo.constant dense<-0.5> : tensor<16x48xf32>
    %mlp.mul.7 = stablehlo.multiply %mlp.mul.6, %mlp.const.7 : tensor<16x48xf32>
    %mlp.exp = stablehlo.exponential %mlp.mul.7 : tensor<16x48xf32>
    %mlp.mul.8 = stablehlo.multiply %mlp.mul.5, %mlp.exp : tensor<16x48xf32>
    %mlp.const.8 = stablehlo.constant dense<0.0> : tensor<16x48xf32>
    %mlp.lt = stablehlo.compare LT, %mlp.gate.dot, %mlp.const.8 : (tensor<16x48xf32>, tensor<16x48xf32>) -> tensor<16x48xi1>
    %mlp.sub = stablehlo.subtract %mlp.const, %mlp.mul.8 : tensor<16x48xf32>
    %mlp.select = stablehlo.select %mlp.lt, %mlp.mul.8, %mlp.sub : tensor<16x48xi1>, tensor<16x48xf32>
    %mlp.mul.9 = stablehlo.multiply %mlp.gate.dot, %mlp.select : tensor<16x48xf32>
    %mlp.up.convert = stablehlo.convert %layers.0.mlp.up.weight : (tensor<48x32xbf16>) -> tensor<48x32xf32>
    %mlp.up.dot = stablehlo.dot_general %x, %mlp.up.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<48x32xf32>) -> tensor<16x48xf32>
    %mlp.mul.10 = stablehlo.multiply %mlp.mul.9, %mlp.up.dot : tensor<16x48xf32>
    %mlp.down.convert = stablehlo.convert %layers.0.mlp.down.weight : (tensor<32x48xbf16>) -> tensor<32x48xf32>
    %mlp.down.dot = stablehlo.dot_general %mlp.mul.10, %mlp.down.convert, contracting_dims = [1] x [1] : (tensor<16x48xf32>, tensor<32x48xf32>) -> tensor<16x32xf32>
    return
      %mlp.down.dot
      :
      tensor<16x32xf32>
  }
}
