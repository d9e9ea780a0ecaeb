module @mlp {
  util.global private @layers.0.mlp.up.weight = #flow.parameter.named<"model"::"layers.0.mlp.up.weight"> : tensor<48x32xbf16>
  util.global private @layers.0.mlp.alpha_p = #flow.parameter.named<"model"::"layers.0.mlp.alpha_p"> : tensor<1xbf16>
  util.global private @layers.0.mlp.alpha_n = #flow.parameter.named<"model"::"layers.0.mlp.alpha_n"> : tensor<1xbf16>
  util.global private @layers.0.mlp.down.weight = #flow.parameter.named<"model"::"layers.0.mlp.down.weight"> : tensor<32x48xbf16>
  func.func public @mlp(
    %x: tensor<16x32xf32>
  ) -> (
    tensor<16x32xf32> // y
  ) {
    %layers.0.mlp.up.weight = util.global.load @layers.0.mlp.up.weight : tensor<48x32xbf16>
    %layers.0.mlp.alpha_p = util.global.load @layers.0.mlp.alpha_p : tensor<1xbf16>
    %layers.0.mlp.alpha_n = util.global.load @layers.0.mlp.alpha_n : tensor<1xbf16>
    %layers.0.mlp.down.weight = util.global.load @layers.0.mlp.down.weight : tensor<32x48xbf16>
    %mlp.up.convert = stablehlo.convert %layers.0.mlp.up.weight : (tensor<48x32xbf16>) -> tensor<48x32xf32>
    %mlp.up.dot = stablehlo.dot_general %x, %mlp.up.convert, contracting_dims = [1] x [1] : (tensor<16x32xf32>, tensor<48x32xf32>) -> tensor<16x48xf32>
    %mlp.convert = stablehlo.convert %layers.0.mlp.alpha_p : (tensor<1xbf16>) -> tensor<1xf32>
    %mlp.const = stablehlo.constant dense<0.0> : tensor<1xf32>
    %mlp.max = stablehlo.maximum %mlp.convert, %mlp.const : tensor<1xf32>
    %mlp.const.1 = stablehlo.constant dense<1.0> : tensor<1xf32>
    %mlp.abs = stablehlo.abs %mlp.convert : tensor<1xf32>
    %mlp.neg = stablehlo.negate %mlp.abs : tensor<1xf32>
    %mlp.exp = stablehlo.exponential %mlp.neg : tensor<1xf32>
    %mlp.add = stablehlo.add %mlp.const.1, %mlp.exp : tensor<1xf32>
    %mlp.log = stablehlo.log %mlp.add : tensor<1xf32>
    %mlp.add.1 = stablehlo.add %mlp.max, %mlp.log : tensor<1xf32>
    %mlp.convert.1 = stablehlo.convert %layers.0.mlp.alpha_n : (tensor<1xbf16>) -> tensor<1xf32>
    %mlp.const.2 = stablehlo.constant dense<0.0> : tensor<1xf32>
    %mlp.max.1 = stablehlo.maximum %mlp.convert.1, %mlp.const.2 : tensor<1xf32>
    %mlp.const.3 = stablehlo.constant dense<1.0> : tensor<1xf32>
    %mlp.abs.1 = stablehlo.abs %mlp.convert.1 : tensor<1xf32>
    %mlp.neg.1 = stablehlo.negate %mlp.abs.1 : tensor<1xf32>
    %mlp.exp.1 = stablehlo.exponential %mlp.neg.1 : tensor<1xf32>
    %mlp.add.2 = stablehlo.add %mlp.const.3, %mlp.exp.1 : tensor<1xf32>
    %mlp.log.1 = stablehlo.log %mlp.add.2 : tensor<1xf32>
    %mlp.add.3 = stablehlo.add %mlp.max.1, %mlp.log.1 : tensor<1xf32>
    %mlp.const.4 = stablehlo.constant dense<0.5> : tensor<1xf32>
    %mlp.add.4 = stablehlo.add %mlp.add.3, %mlp.const.4 : tensor<1xf32>
    %mlp.reshape = stablehlo.reshape %mlp.add.1 : (tensor<1xf32>) -> tensor<f32>
    %mlp.broadcast = stablehlo.broadcast_in_dim %mlp.reshape, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %mlp.mul = stablehlo.multiply %mlp.up.dot, %mlp.up.dot : tensor<16x48xf32>
    %mlp.mul.1 = stablehlo.multiply %mlp.broadcast, %mlp.mul : tensor<16x48xf32>
    %mlp.reshape.1 = stablehlo.reshape %mlp.add.4 : (tensor<1xf32>) -> tensor<f32>
    %mlp.broadcast.1 = stablehlo.broadcast_in_dim %mlp.reshape.1, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %mlp.const.5 = stablehlo.constant dense<-1.0e-06> : tensor<16x48xf32>
    %mlp.min = stablehlo.minimum %mlp.up.dot, %mlp.const.5 : tensor<16x48xf32>
    %mlp.const.6 = stablehlo.constant dense<0.5> : tensor<16x48xf32>
    %mlp.mul.2 = stablehlo.multiply %mlp.min, %mlp.const.6 : tensor<16x48xf32>
    %mlp.tanh = stablehlo.tanh %mlp.mul.2 : tensor<16x48xf32>
    %mlp.exp.2 = stablehlo.exponential %mlp.min : tensor<16x48xf32>
    %mlp.const.7 = stablehlo.constant dense<1.0> : tensor<16x48xf32>
    %mlp.add.5 = stablehlo.add %mlp.exp.2, %mlp.const.7 : tensor<16x48xf32>
    %mlp.mul.3 = stablehlo.multiply %mlp.tanh, %mlp.add.5 : tensor<16x48xf32>
    %mlp.sub = stablehlo.subtract %mlp.mul.3, %mlp.up.dot : tensor<16x48xf32>
    %mlp.mul.4 = stablehlo.multiply %mlp.broadcast.1, %mlp.sub : tensor<16x48xf32>
    %mlp.const.8 = stablehlo.constant dense<0.0> : tensor<16x48xf32>
    %mlp.gt = stablehlo.compare GT, %mlp.up.dot, %mlp.const.8 : (tensor<16x48xf32>, tensor<16x48xf32>) -> tensor<16x48xi1>
    %mlp.select = stablehlo.select %mlp.gt, %mlp.mul.1, %mlp.mul.4 : tensor<16x48xi1>, tensor<16x48xf32>
    %mlp.const.9 = stablehlo.constant dense<0.5> : tensor<16x48xf32>
    %mlp.mul.5 = stablehlo.multiply %mlp.up.dot, %mlp.const.9 : tensor<16x48xf32>
    %mlp.add.6 = stablehlo.add %mlp.select, %mlp.mul.5 : tensor<16x48xf32>
    %mlp.down.convert = stablehlo.convert %layers.0.mlp.down.weight : (tensor<32x48xbf16>) -> tensor<32x48xf32>
    %mlp.down.dot = stablehlo.dot_general %mlp.add.6, %mlp.down.convert, contracting_dims = [1] x [1] : (tensor<16x48xf32>, tensor<32x48xf32>) -> tensor<16x32xf32>
    return
      %mlp.down.dot
      :
      tensor<16x32xf32>
  }
}
