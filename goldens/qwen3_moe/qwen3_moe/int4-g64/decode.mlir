module @decode {
  util.global private @rope.cos = #flow.parameter.named<"model"::"rope.cos"> : tensor<64x16xf32>
  util.global private @rope.sin = #flow.parameter.named<"model"::"rope.sin"> : tensor<64x16xf32>
  util.global private @embed.weight.q = #flow.parameter.named<"model"::"embed.weight.q"> : tensor<16x1x16x16x4xi8>
  util.global private @embed.weight.scale = #flow.parameter.named<"model"::"embed.weight.scale"> : tensor<16x1x16xf16>
  util.global private @embed.weight.offset = #flow.parameter.named<"model"::"embed.weight.offset"> : tensor<16x1x16xf16>
  util.global private @layers.0.attn_norm.weight = #flow.parameter.named<"model"::"layers.0.attn_norm.weight"> : tensor<64xf32>
  util.global private @layers.0.attn.qkv.weight.q = #flow.parameter.named<"model"::"layers.0.attn.qkv.weight.q"> : tensor<16x1x8x16x4xi8>
  util.global private @layers.0.attn.qkv.weight.scale = #flow.parameter.named<"model"::"layers.0.attn.qkv.weight.scale"> : tensor<16x1x16xf16>
  util.global private @layers.0.attn.qkv.weight.offset = #flow.parameter.named<"model"::"layers.0.attn.qkv.weight.offset"> : tensor<16x1x16xf16>
  util.global private @layers.0.attn.q_norm.weight = #flow.parameter.named<"model"::"layers.0.attn.q_norm.weight"> : tensor<32xf32>
  util.global private @layers.0.attn.k_norm.weight = #flow.parameter.named<"model"::"layers.0.attn.k_norm.weight"> : tensor<32xf32>
  util.global private @layers.0.attn.o.weight.q = #flow.parameter.named<"model"::"layers.0.attn.o.weight.q"> : tensor<4x2x8x16x4xi8>
  util.global private @layers.0.attn.o.weight.scale = #flow.parameter.named<"model"::"layers.0.attn.o.weight.scale"> : tensor<4x2x16xf16>
  util.global private @layers.0.attn.o.weight.offset = #flow.parameter.named<"model"::"layers.0.attn.o.weight.offset"> : tensor<4x2x16xf16>
  util.global private @layers.0.mlp_norm.weight = #flow.parameter.named<"model"::"layers.0.mlp_norm.weight"> : tensor<64xf32>
  util.global private @layers.0.mlp.gate_up.weight.q = #flow.parameter.named<"model"::"layers.0.mlp.gate_up.weight.q"> : tensor<8x1x8x16x4xi8>
  util.global private @layers.0.mlp.gate_up.weight.scale = #flow.parameter.named<"model"::"layers.0.mlp.gate_up.weight.scale"> : tensor<8x1x16xf16>
  util.global private @layers.0.mlp.gate_up.weight.offset = #flow.parameter.named<"model"::"layers.0.mlp.gate_up.weight.offset"> : tensor<8x1x16xf16>
  util.global private @layers.0.mlp.down.weight.q = #flow.parameter.named<"model"::"layers.0.mlp.down.weight.q"> : tensor<4x1x8x16x4xi8>
  util.global private @layers.0.mlp.down.weight.scale = #flow.parameter.named<"model"::"layers.0.mlp.down.weight.scale"> : tensor<4x1x16xf16>
  util.global private @layers.0.mlp.down.weight.offset = #flow.parameter.named<"model"::"layers.0.mlp.down.weight.offset"> : tensor<4x1x16xf16>
  util.global private @layers.1.attn_norm.weight = #flow.parameter.named<"model"::"layers.1.attn_norm.weight"> : tensor<64xf32>
  util.global private @layers.1.attn.qkv.weight.q = #flow.parameter.named<"model"::"layers.1.attn.qkv.weight.q"> : tensor<16x1x8x16x4xi8>
  util.global private @layers.1.attn.qkv.weight.scale = #flow.parameter.named<"model"::"layers.1.attn.qkv.weight.scale"> : tensor<16x1x16xf16>
  util.global private @layers.1.attn.qkv.weight.offset = #flow.parameter.named<"model"::"layers.1.attn.qkv.weight.offset"> : tensor<16x1x16xf16>
  util.global private @layers.1.attn.q_norm.weight = #flow.parameter.named<"model"::"layers.1.attn.q_norm.weight"> : tensor<32xf32>
  util.global private @layers.1.attn.k_norm.weight = #flow.parameter.named<"model"::"layers.1.attn.k_norm.weight"> : tensor<32xf32>
  util.global private @layers.1.attn.o.weight.q = #flow.parameter.named<"model"::"layers.1.attn.o.weight.q"> : tensor<4x2x8x16x4xi8>
  util.global private @layers.1.attn.o.weight.scale = #flow.parameter.named<"model"::"layers.1.attn.o.weight.scale"> : tensor<4x2x16xf16>
  util.global private @layers.1.attn.o.weight.offset = #flow.parameter.named<"model"::"layers.1.attn.o.weight.offset"> : tensor<4x2x16xf16>
  util.global private @layers.1.mlp_norm.weight = #flow.parameter.named<"model"::"layers.1.mlp_norm.weight"> : tensor<64xf32>
  util.global private @layers.1.moe.router.weight = #flow.parameter.named<"model"::"layers.1.moe.router.weight"> : tensor<4x64xbf16>
  util.global private @layers.1.moe.experts.gate_up.weight.q = #flow.parameter.named<"model"::"layers.1.moe.experts.gate_up.weight.q"> : tensor<4x4x1x8x16x4xi8>
  util.global private @layers.1.moe.experts.gate_up.weight.scale = #flow.parameter.named<"model"::"layers.1.moe.experts.gate_up.weight.scale"> : tensor<4x4x1x16xf16>
  util.global private @layers.1.moe.experts.gate_up.weight.offset = #flow.parameter.named<"model"::"layers.1.moe.experts.gate_up.weight.offset"> : tensor<4x4x1x16xf16>
  util.global private @layers.1.moe.experts.down.weight = #flow.parameter.named<"model"::"layers.1.moe.experts.down.weight"> : tensor<4x4x32x16xbf16>
  util.global private @norm.weight = #flow.parameter.named<"model"::"norm.weight"> : tensor<64xf32>
  util.global private @head.weight.q = #flow.parameter.named<"model"::"head.weight.q"> : tensor<16x1x16x16x4xi8>
  util.global private @head.weight.scale = #flow.parameter.named<"model"::"head.weight.scale"> : tensor<16x1x16xf16>
  util.global private @head.weight.offset = #flow.parameter.named<"model"::"head.weight.offset"> : tensor<16x1x16xf16>
  func.func public @decode(
    %token: tensor<1xi32>,
    %position: tensor<1xi32>,
    %kv_0_k: tensor<79x2x32xf32> {tf.aliasing_output = 2 : i32}, // kv.0.k
    %kv_0_v: tensor<79x2x32xf32> {tf.aliasing_output = 3 : i32}, // kv.0.v
    %kv_1_k: tensor<79x2x32xf32> {tf.aliasing_output = 4 : i32}, // kv.1.k
    %kv_1_v: tensor<79x2x32xf32> {tf.aliasing_output = 5 : i32} // kv.1.v
  ) -> (
    tensor<1xi32>, // next_id
    tensor<256xf32>, // logits
    tensor<79x2x32xf32>, // kv.0.k
    tensor<79x2x32xf32>, // kv.0.v
    tensor<79x2x32xf32>, // kv.1.k
    tensor<79x2x32xf32> // kv.1.v
  ) {
    %rope.cos = util.global.load @rope.cos : tensor<64x16xf32>
    %rope.sin = util.global.load @rope.sin : tensor<64x16xf32>
    %embed.weight.q$i8 = util.global.load @embed.weight.q : tensor<16x1x16x16x4xi8>
    %embed.weight.scale = util.global.load @embed.weight.scale : tensor<16x1x16xf16>
    %embed.weight.offset = util.global.load @embed.weight.offset : tensor<16x1x16xf16>
    %layers.0.attn_norm.weight = util.global.load @layers.0.attn_norm.weight : tensor<64xf32>
    %layers.0.attn.qkv.weight.q$i8 = util.global.load @layers.0.attn.qkv.weight.q : tensor<16x1x8x16x4xi8>
    %layers.0.attn.qkv.weight.scale = util.global.load @layers.0.attn.qkv.weight.scale : tensor<16x1x16xf16>
    %layers.0.attn.qkv.weight.offset = util.global.load @layers.0.attn.qkv.weight.offset : tensor<16x1x16xf16>
    %layers.0.attn.q_norm.weight = util.global.load @layers.0.attn.q_norm.weight : tensor<32xf32>
    %layers.0.attn.k_norm.weight = util.global.load @layers.0.attn.k_norm.weight : tensor<32xf32>
    %layers.0.attn.o.weight.q$i8 = util.global.load @layers.0.attn.o.weight.q : tensor<4x2x8x16x4xi8>
    %layers.0.attn.o.weight.scale = util.global.load @layers.0.attn.o.weight.scale : tensor<4x2x16xf16>
    %layers.0.attn.o.weight.offset = util.global.load @layers.0.attn.o.weight.offset : tensor<4x2x16xf16>
    %layers.0.mlp_norm.weight = util.global.load @layers.0.mlp_norm.weight : tensor<64xf32>
    %layers.0.mlp.gate_up.weight.q$i8 = util.global.load @layers.0.mlp.gate_up.weight.q : tensor<8x1x8x16x4xi8>
    %layers.0.mlp.gate_up.weight.scale = util.global.load @layers.0.mlp.gate_up.weight.scale : tensor<8x1x16xf16>
    %layers.0.mlp.gate_up.weight.offset = util.global.load @layers.0.mlp.gate_up.weight.offset : tensor<8x1x16xf16>
    %layers.0.mlp.down.weight.q$i8 = util.global.load @layers.0.mlp.down.weight.q : tensor<4x1x8x16x4xi8>
    %layers.0.mlp.down.weight.scale = util.global.load @layers.0.mlp.down.weight.scale : tensor<4x1x16xf16>
    %layers.0.mlp.down.weight.offset = util.global.load @layers.0.mlp.down.weight.offset : tensor<4x1x16xf16>
    %layers.1.attn_norm.weight = util.global.load @layers.1.attn_norm.weight : tensor<64xf32>
    %layers.1.attn.qkv.weight.q$i8 = util.global.load @layers.1.attn.qkv.weight.q : tensor<16x1x8x16x4xi8>
    %layers.1.attn.qkv.weight.scale = util.global.load @layers.1.attn.qkv.weight.scale : tensor<16x1x16xf16>
    %layers.1.attn.qkv.weight.offset = util.global.load @layers.1.attn.qkv.weight.offset : tensor<16x1x16xf16>
    %layers.1.attn.q_norm.weight = util.global.load @layers.1.attn.q_norm.weight : tensor<32xf32>
    %layers.1.attn.k_norm.weight = util.global.load @layers.1.attn.k_norm.weight : tensor<32xf32>
    %layers.1.attn.o.weight.q$i8 = util.global.load @layers.1.attn.o.weight.q : tensor<4x2x8x16x4xi8>
    %layers.1.attn.o.weight.scale = util.global.load @layers.1.attn.o.weight.scale : tensor<4x2x16xf16>
    %layers.1.attn.o.weight.offset = util.global.load @layers.1.attn.o.weight.offset : tensor<4x2x16xf16>
    %layers.1.mlp_norm.weight = util.global.load @layers.1.mlp_norm.weight : tensor<64xf32>
    %layers.1.moe.router.weight = util.global.load @layers.1.moe.router.weight : tensor<4x64xbf16>
    %layers.1.moe.experts.gate_up.weight.q$i8 = util.global.load @layers.1.moe.experts.gate_up.weight.q : tensor<4x4x1x8x16x4xi8>
    %layers.1.moe.experts.gate_up.weight.scale = util.global.load @layers.1.moe.experts.gate_up.weight.scale : tensor<4x4x1x16xf16>
    %layers.1.moe.experts.gate_up.weight.offset = util.global.load @layers.1.moe.experts.gate_up.weight.offset : tensor<4x4x1x16xf16>
    %layers.1.moe.experts.down.weight = util.global.load @layers.1.moe.experts.down.weight : tensor<4x4x32x16xbf16>
    %norm.weight = util.global.load @norm.weight : tensor<64xf32>
    %head.weight.q$i8 = util.global.load @head.weight.q : tensor<16x1x16x16x4xi8>
    %head.weight.scale = util.global.load @head.weight.scale : tensor<16x1x16xf16>
    %head.weight.offset = util.global.load @head.weight.offset : tensor<16x1x16xf16>
    %embed.weight.q = stablehlo.bitcast_convert %embed.weight.q$i8 : (tensor<16x1x16x16x4xi8>) -> tensor<16x1x16x16x4xui8>
    %layers.0.attn.qkv.weight.q = stablehlo.bitcast_convert %layers.0.attn.qkv.weight.q$i8 : (tensor<16x1x8x16x4xi8>) -> tensor<16x1x8x16x4xui8>
    %layers.0.attn.o.weight.q = stablehlo.bitcast_convert %layers.0.attn.o.weight.q$i8 : (tensor<4x2x8x16x4xi8>) -> tensor<4x2x8x16x4xui8>
    %layers.0.mlp.gate_up.weight.q = stablehlo.bitcast_convert %layers.0.mlp.gate_up.weight.q$i8 : (tensor<8x1x8x16x4xi8>) -> tensor<8x1x8x16x4xui8>
    %layers.0.mlp.down.weight.q = stablehlo.bitcast_convert %layers.0.mlp.down.weight.q$i8 : (tensor<4x1x8x16x4xi8>) -> tensor<4x1x8x16x4xui8>
    %layers.1.attn.qkv.weight.q = stablehlo.bitcast_convert %layers.1.attn.qkv.weight.q$i8 : (tensor<16x1x8x16x4xi8>) -> tensor<16x1x8x16x4xui8>
    %layers.1.attn.o.weight.q = stablehlo.bitcast_convert %layers.1.attn.o.weight.q$i8 : (tensor<4x2x8x16x4xi8>) -> tensor<4x2x8x16x4xui8>
    %layers.1.moe.experts.gate_up.weight.q = stablehlo.bitcast_convert %layers.1.moe.experts.gate_up.weight.q$i8 : (tensor<4x4x1x8x16x4xi8>) -> tensor<4x4x1x8x16x4xui8>
    %head.weight.q = stablehlo.bitcast_convert %head.weight.q$i8 : (tensor<16x1x16x16x4xi8>) -> tensor<16x1x16x16x4xui8>
    %$add_u8 = stablehlo.constant dense<0> : tensor<ui8>
    %$add_f32 = stablehlo.constant dense<0.0> : tensor<f32>
    %$max_f32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %$add_i32 = stablehlo.constant dense<0> : tensor<i32>
    %$min_i32 = stablehlo.constant dense<2147483647> : tensor<i32>
    %rope.gather_rows = "stablehlo.gather"(%rope.cos, %position) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<64x16xf32>, tensor<1xi32>) -> tensor<1x16xf32>
    %rope.gather_rows.1 = "stablehlo.gather"(%rope.sin, %position) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<64x16xf32>, tensor<1xi32>) -> tensor<1x16xf32>
    %mask.iota = stablehlo.iota dim = 1 : tensor<1x64xi32>
    %mask.broadcast = stablehlo.broadcast_in_dim %position, dims = [0] : (tensor<1xi32>) -> tensor<1x64xi32>
    %mask.le = stablehlo.compare LE, %mask.iota, %mask.broadcast : (tensor<1x64xi32>, tensor<1x64xi32>) -> tensor<1x64xi1>
    %embed.const = stablehlo.constant dense<16> : tensor<1xi32>
    %embed.div = stablehlo.divide %token, %embed.const : tensor<1xi32>
    %embed.rem = stablehlo.remainder %token, %embed.const : tensor<1xi32>
    %embed.gather_rows = "stablehlo.gather"(%embed.weight.q, %embed.div) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 16, 16, 4>}> : (tensor<16x1x16x16x4xui8>, tensor<1xi32>) -> tensor<1x1x16x16x4xui8>
    %embed.iota = stablehlo.iota dim = 3 : tensor<1x1x16x16x4xi32>
    %embed.broadcast = stablehlo.broadcast_in_dim %embed.rem, dims = [0] : (tensor<1xi32>) -> tensor<1x1x16x16x4xi32>
    %embed.eq = stablehlo.compare EQ, %embed.iota, %embed.broadcast : (tensor<1x1x16x16x4xi32>, tensor<1x1x16x16x4xi32>) -> tensor<1x1x16x16x4xi1>
    %embed.const.1 = stablehlo.constant dense<0> : tensor<1x1x16x16x4xui8>
    %embed.select = stablehlo.select %embed.eq, %embed.gather_rows, %embed.const.1 : tensor<1x1x16x16x4xi1>, tensor<1x1x16x16x4xui8>
    %embed.reduce_add = stablehlo.reduce(%embed.select init: %$add_u8) applies stablehlo.add across dimensions = [3] : (tensor<1x1x16x16x4xui8>, tensor<ui8>) -> tensor<1x1x16x4xui8>
    %embed.convert = stablehlo.convert %embed.reduce_add : (tensor<1x1x16x4xui8>) -> tensor<1x1x16x4xf32>
    %embed.reshape = stablehlo.reshape %embed.convert : (tensor<1x1x16x4xf32>) -> tensor<1x1x64xf32>
    %embed.gather_rows.1 = "stablehlo.gather"(%embed.weight.scale, %embed.div) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 16>}> : (tensor<16x1x16xf16>, tensor<1xi32>) -> tensor<1x1x16xf16>
    %embed.convert.1 = stablehlo.convert %embed.gather_rows.1 : (tensor<1x1x16xf16>) -> tensor<1x1x16xf32>
    %embed.iota.1 = stablehlo.iota dim = 2 : tensor<1x1x16xi32>
    %embed.broadcast.1 = stablehlo.broadcast_in_dim %embed.rem, dims = [0] : (tensor<1xi32>) -> tensor<1x1x16xi32>
    %embed.eq.1 = stablehlo.compare EQ, %embed.iota.1, %embed.broadcast.1 : (tensor<1x1x16xi32>, tensor<1x1x16xi32>) -> tensor<1x1x16xi1>
    %embed.const.2 = stablehlo.constant dense<0.0> : tensor<1x1x16xf32>
    %embed.select.1 = stablehlo.select %embed.eq.1, %embed.convert.1, %embed.const.2 : tensor<1x1x16xi1>, tensor<1x1x16xf32>
    %embed.reduce_add.1 = stablehlo.reduce(%embed.select.1 init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<1x1xf32>
    %embed.broadcast.2 = stablehlo.broadcast_in_dim %embed.reduce_add.1, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x1x64xf32>
    %embed.mul = stablehlo.multiply %embed.reshape, %embed.broadcast.2 : tensor<1x1x64xf32>
    %embed.gather_rows.2 = "stablehlo.gather"(%embed.weight.offset, %embed.div) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 16>}> : (tensor<16x1x16xf16>, tensor<1xi32>) -> tensor<1x1x16xf16>
    %embed.convert.2 = stablehlo.convert %embed.gather_rows.2 : (tensor<1x1x16xf16>) -> tensor<1x1x16xf32>
    %embed.iota.2 = stablehlo.iota dim = 2 : tensor<1x1x16xi32>
    %embed.broadcast.3 = stablehlo.broadcast_in_dim %embed.rem, dims = [0] : (tensor<1xi32>) -> tensor<1x1x16xi32>
    %embed.eq.2 = stablehlo.compare EQ, %embed.iota.2, %embed.broadcast.3 : (tensor<1x1x16xi32>, tensor<1x1x16xi32>) -> tensor<1x1x16xi1>
    %embed.const.3 = stablehlo.constant dense<0.0> : tensor<1x1x16xf32>
    %embed.select.2 = stablehlo.select %embed.eq.2, %embed.convert.2, %embed.const.3 : tensor<1x1x16xi1>, tensor<1x1x16xf32>
    %embed.reduce_add.2 = stablehlo.reduce(%embed.select.2 init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<1x1xf32>
    %embed.broadcast.4 = stablehlo.broadcast_in_dim %embed.reduce_add.2, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x1x64xf32>
    %embed.add = stablehlo.add %embed.mul, %embed.broadcast.4 : tensor<1x1x64xf32>
    %embed.reshape.1 = stablehlo.reshape %embed.add : (tensor<1x1x64xf32>) -> tensor<1x64xf32>
    %layers.0.attn_norm.mul = stablehlo.multiply %embed.reshape.1, %embed.reshape.1 : tensor<1x64xf32>
    %layers.0.attn_norm.reduce_add = stablehlo.reduce(%layers.0.attn_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.0.attn_norm.const = stablehlo.constant dense<64.0> : tensor<1xf32>
    %layers.0.attn_norm.div = stablehlo.divide %layers.0.attn_norm.reduce_add, %layers.0.attn_norm.const : tensor<1xf32>
    %layers.0.attn_norm.const.1 = stablehlo.constant dense<0.001> : tensor<1xf32>
    %layers.0.attn_norm.add = stablehlo.add %layers.0.attn_norm.div, %layers.0.attn_norm.const.1 : tensor<1xf32>
    %layers.0.attn_norm.rsqrt = stablehlo.rsqrt %layers.0.attn_norm.add : tensor<1xf32>
    %layers.0.attn_norm.broadcast = stablehlo.broadcast_in_dim %layers.0.attn_norm.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x64xf32>
    %layers.0.attn_norm.mul.1 = stablehlo.multiply %embed.reshape.1, %layers.0.attn_norm.broadcast : tensor<1x64xf32>
    %layers.0.attn_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn_norm.weight, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %layers.0.attn_norm.mul.2 = stablehlo.multiply %layers.0.attn_norm.mul.1, %layers.0.attn_norm.broadcast.1 : tensor<1x64xf32>
    %layers.0.attn.qkv.convert = stablehlo.convert %layers.0.attn.qkv.weight.scale : (tensor<16x1x16xf16>) -> tensor<16x1x16xf32>
    %layers.0.attn.qkv.convert.1 = stablehlo.convert %layers.0.attn.qkv.weight.offset : (tensor<16x1x16xf16>) -> tensor<16x1x16xf32>
    %layers.0.attn.qkv.reshape = stablehlo.reshape %layers.0.attn.qkv.weight.q : (tensor<16x1x8x16x4xui8>) -> tensor<1x16x1x8x16x4xui8>
    %layers.0.attn.qkv.reshape.1 = stablehlo.reshape %layers.0.attn.qkv.convert : (tensor<16x1x16xf32>) -> tensor<1x16x1x16xf32>
    %layers.0.attn.qkv.reshape.2 = stablehlo.reshape %layers.0.attn.qkv.convert.1 : (tensor<16x1x16xf32>) -> tensor<1x16x1x16xf32>
    %layers.0.attn.qkv.const = stablehlo.constant dense<15> : tensor<1x16x1x8x16x4xui8>
    %layers.0.attn.qkv.and = stablehlo.and %layers.0.attn.qkv.reshape, %layers.0.attn.qkv.const : tensor<1x16x1x8x16x4xui8>
    %layers.0.attn.qkv.convert.2 = stablehlo.convert %layers.0.attn.qkv.and : (tensor<1x16x1x8x16x4xui8>) -> tensor<1x16x1x8x16x4xf32>
    %layers.0.attn.qkv.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.qkv.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x16x1x16xf32>) -> tensor<1x16x1x8x16x4xf32>
    %layers.0.attn.qkv.mul = stablehlo.multiply %layers.0.attn.qkv.convert.2, %layers.0.attn.qkv.broadcast : tensor<1x16x1x8x16x4xf32>
    %layers.0.attn.qkv.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.qkv.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x16x1x16xf32>) -> tensor<1x16x1x8x16x4xf32>
    %layers.0.attn.qkv.add = stablehlo.add %layers.0.attn.qkv.mul, %layers.0.attn.qkv.broadcast.1 : tensor<1x16x1x8x16x4xf32>
    %layers.0.attn.qkv.const.1 = stablehlo.constant dense<4> : tensor<1x16x1x8x16x4xui8>
    %layers.0.attn.qkv.shr = stablehlo.shift_right_logical %layers.0.attn.qkv.reshape, %layers.0.attn.qkv.const.1 : tensor<1x16x1x8x16x4xui8>
    %layers.0.attn.qkv.convert.3 = stablehlo.convert %layers.0.attn.qkv.shr : (tensor<1x16x1x8x16x4xui8>) -> tensor<1x16x1x8x16x4xf32>
    %layers.0.attn.qkv.broadcast.2 = stablehlo.broadcast_in_dim %layers.0.attn.qkv.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x16x1x16xf32>) -> tensor<1x16x1x8x16x4xf32>
    %layers.0.attn.qkv.mul.1 = stablehlo.multiply %layers.0.attn.qkv.convert.3, %layers.0.attn.qkv.broadcast.2 : tensor<1x16x1x8x16x4xf32>
    %layers.0.attn.qkv.broadcast.3 = stablehlo.broadcast_in_dim %layers.0.attn.qkv.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x16x1x16xf32>) -> tensor<1x16x1x8x16x4xf32>
    %layers.0.attn.qkv.add.1 = stablehlo.add %layers.0.attn.qkv.mul.1, %layers.0.attn.qkv.broadcast.3 : tensor<1x16x1x8x16x4xf32>
    %layers.0.attn.qkv.reshape.3 = stablehlo.reshape %layers.0.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.0.attn.qkv.slice = stablehlo.slice %layers.0.attn.qkv.reshape.3 [0:1, 0:1, 0:1, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.0.attn.qkv.reshape.4 = stablehlo.reshape %layers.0.attn.qkv.slice : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.0.attn.qkv.broadcast.4 = stablehlo.broadcast_in_dim %layers.0.attn.qkv.reshape.4, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x16x1x8x16x4xf32>
    %layers.0.attn.qkv.mul.2 = stablehlo.multiply %layers.0.attn.qkv.add, %layers.0.attn.qkv.broadcast.4 : tensor<1x16x1x8x16x4xf32>
    %layers.0.attn.qkv.reshape.5 = stablehlo.reshape %layers.0.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.0.attn.qkv.slice.1 = stablehlo.slice %layers.0.attn.qkv.reshape.5 [0:1, 0:1, 1:2, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.0.attn.qkv.reshape.6 = stablehlo.reshape %layers.0.attn.qkv.slice.1 : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.0.attn.qkv.broadcast.5 = stablehlo.broadcast_in_dim %layers.0.attn.qkv.reshape.6, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x16x1x8x16x4xf32>
    %layers.0.attn.qkv.mul.3 = stablehlo.multiply %layers.0.attn.qkv.add.1, %layers.0.attn.qkv.broadcast.5 : tensor<1x16x1x8x16x4xf32>
    %layers.0.attn.qkv.add.2 = stablehlo.add %layers.0.attn.qkv.mul.2, %layers.0.attn.qkv.mul.3 : tensor<1x16x1x8x16x4xf32>
    %layers.0.attn.qkv.reduce_add = stablehlo.reduce(%layers.0.attn.qkv.add.2 init: %$add_f32) applies stablehlo.add across dimensions = [2, 3, 5] : (tensor<1x16x1x8x16x4xf32>, tensor<f32>) -> tensor<1x16x16xf32>
    %layers.0.attn.qkv.reshape.7 = stablehlo.reshape %layers.0.attn.qkv.reduce_add : (tensor<1x16x16xf32>) -> tensor<1x256xf32>
    %layers.0.attn.q.slice = stablehlo.slice %layers.0.attn.qkv.reshape.7 [0:1, 0:128] : (tensor<1x256xf32>) -> tensor<1x128xf32>
    %layers.0.attn.reshape = stablehlo.reshape %layers.0.attn.q.slice : (tensor<1x128xf32>) -> tensor<1x4x32xf32>
    %layers.0.attn.mul = stablehlo.multiply %layers.0.attn.reshape, %layers.0.attn.reshape : tensor<1x4x32xf32>
    %layers.0.attn.reduce_add = stablehlo.reduce(%layers.0.attn.mul init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<1x4x32xf32>, tensor<f32>) -> tensor<1x4xf32>
    %layers.0.attn.const = stablehlo.constant dense<32.0> : tensor<1x4xf32>
    %layers.0.attn.div = stablehlo.divide %layers.0.attn.reduce_add, %layers.0.attn.const : tensor<1x4xf32>
    %layers.0.attn.const.1 = stablehlo.constant dense<0.001> : tensor<1x4xf32>
    %layers.0.attn.add = stablehlo.add %layers.0.attn.div, %layers.0.attn.const.1 : tensor<1x4xf32>
    %layers.0.attn.rsqrt = stablehlo.rsqrt %layers.0.attn.add : tensor<1x4xf32>
    %layers.0.attn.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.rsqrt, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4x32xf32>
    %layers.0.attn.mul.1 = stablehlo.multiply %layers.0.attn.reshape, %layers.0.attn.broadcast : tensor<1x4x32xf32>
    %layers.0.attn.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.q_norm.weight, dims = [2] : (tensor<32xf32>) -> tensor<1x4x32xf32>
    %layers.0.attn.mul.2 = stablehlo.multiply %layers.0.attn.mul.1, %layers.0.attn.broadcast.1 : tensor<1x4x32xf32>
    %layers.0.attn.reshape.1 = stablehlo.reshape %layers.0.attn.mul.2 : (tensor<1x4x32xf32>) -> tensor<1x4x2x16xf32>
    %layers.0.attn.iota = stablehlo.iota dim = 2 : tensor<1x4x2x16xi32>
    %layers.0.attn.const.2 = stablehlo.constant dense<0> : tensor<1x4x2x16xi32>
    %layers.0.attn.eq = stablehlo.compare EQ, %layers.0.attn.iota, %layers.0.attn.const.2 : (tensor<1x4x2x16xi32>, tensor<1x4x2x16xi32>) -> tensor<1x4x2x16xi1>
    %layers.0.attn.broadcast.2 = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 3] : (tensor<1x16xf32>) -> tensor<1x4x2x16xf32>
    %layers.0.attn.reverse = stablehlo.reverse %layers.0.attn.reshape.1, dims = [2] : tensor<1x4x2x16xf32>
    %layers.0.attn.neg = stablehlo.negate %layers.0.attn.broadcast.2 : tensor<1x4x2x16xf32>
    %layers.0.attn.select = stablehlo.select %layers.0.attn.eq, %layers.0.attn.neg, %layers.0.attn.broadcast.2 : tensor<1x4x2x16xi1>, tensor<1x4x2x16xf32>
    %layers.0.attn.mul.3 = stablehlo.multiply %layers.0.attn.reverse, %layers.0.attn.select : tensor<1x4x2x16xf32>
    %layers.0.attn.broadcast.3 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 3] : (tensor<1x16xf32>) -> tensor<1x4x2x16xf32>
    %layers.0.attn.mul.4 = stablehlo.multiply %layers.0.attn.reshape.1, %layers.0.attn.broadcast.3 : tensor<1x4x2x16xf32>
    %layers.0.attn.add.1 = stablehlo.add %layers.0.attn.mul.4, %layers.0.attn.mul.3 : tensor<1x4x2x16xf32>
    %layers.0.attn.k.slice = stablehlo.slice %layers.0.attn.qkv.reshape.7 [0:1, 128:192] : (tensor<1x256xf32>) -> tensor<1x64xf32>
    %layers.0.attn.reshape.2 = stablehlo.reshape %layers.0.attn.k.slice : (tensor<1x64xf32>) -> tensor<1x2x32xf32>
    %layers.0.attn.mul.5 = stablehlo.multiply %layers.0.attn.reshape.2, %layers.0.attn.reshape.2 : tensor<1x2x32xf32>
    %layers.0.attn.reduce_add.1 = stablehlo.reduce(%layers.0.attn.mul.5 init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<1x2x32xf32>, tensor<f32>) -> tensor<1x2xf32>
    %layers.0.attn.const.3 = stablehlo.constant dense<32.0> : tensor<1x2xf32>
    %layers.0.attn.div.1 = stablehlo.divide %layers.0.attn.reduce_add.1, %layers.0.attn.const.3 : tensor<1x2xf32>
    %layers.0.attn.const.4 = stablehlo.constant dense<0.001> : tensor<1x2xf32>
    %layers.0.attn.add.2 = stablehlo.add %layers.0.attn.div.1, %layers.0.attn.const.4 : tensor<1x2xf32>
    %layers.0.attn.rsqrt.1 = stablehlo.rsqrt %layers.0.attn.add.2 : tensor<1x2xf32>
    %layers.0.attn.broadcast.4 = stablehlo.broadcast_in_dim %layers.0.attn.rsqrt.1, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<1x2x32xf32>
    %layers.0.attn.mul.6 = stablehlo.multiply %layers.0.attn.reshape.2, %layers.0.attn.broadcast.4 : tensor<1x2x32xf32>
    %layers.0.attn.broadcast.5 = stablehlo.broadcast_in_dim %layers.0.attn.k_norm.weight, dims = [2] : (tensor<32xf32>) -> tensor<1x2x32xf32>
    %layers.0.attn.mul.7 = stablehlo.multiply %layers.0.attn.mul.6, %layers.0.attn.broadcast.5 : tensor<1x2x32xf32>
    %layers.0.attn.reshape.3 = stablehlo.reshape %layers.0.attn.mul.7 : (tensor<1x2x32xf32>) -> tensor<1x2x2x16xf32>
    %layers.0.attn.iota.1 = stablehlo.iota dim = 2 : tensor<1x2x2x16xi32>
    %layers.0.attn.const.5 = stablehlo.constant dense<0> : tensor<1x2x2x16xi32>
    %layers.0.attn.eq.1 = stablehlo.compare EQ, %layers.0.attn.iota.1, %layers.0.attn.const.5 : (tensor<1x2x2x16xi32>, tensor<1x2x2x16xi32>) -> tensor<1x2x2x16xi1>
    %layers.0.attn.broadcast.6 = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 3] : (tensor<1x16xf32>) -> tensor<1x2x2x16xf32>
    %layers.0.attn.reverse.1 = stablehlo.reverse %layers.0.attn.reshape.3, dims = [2] : tensor<1x2x2x16xf32>
    %layers.0.attn.neg.1 = stablehlo.negate %layers.0.attn.broadcast.6 : tensor<1x2x2x16xf32>
    %layers.0.attn.select.1 = stablehlo.select %layers.0.attn.eq.1, %layers.0.attn.neg.1, %layers.0.attn.broadcast.6 : tensor<1x2x2x16xi1>, tensor<1x2x2x16xf32>
    %layers.0.attn.mul.8 = stablehlo.multiply %layers.0.attn.reverse.1, %layers.0.attn.select.1 : tensor<1x2x2x16xf32>
    %layers.0.attn.broadcast.7 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 3] : (tensor<1x16xf32>) -> tensor<1x2x2x16xf32>
    %layers.0.attn.mul.9 = stablehlo.multiply %layers.0.attn.reshape.3, %layers.0.attn.broadcast.7 : tensor<1x2x2x16xf32>
    %layers.0.attn.add.3 = stablehlo.add %layers.0.attn.mul.9, %layers.0.attn.mul.8 : tensor<1x2x2x16xf32>
    %layers.0.attn.reshape.4 = stablehlo.reshape %layers.0.attn.add.3 : (tensor<1x2x2x16xf32>) -> tensor<1x2x32xf32>
    %layers.0.attn.v.slice = stablehlo.slice %layers.0.attn.qkv.reshape.7 [0:1, 192:256] : (tensor<1x256xf32>) -> tensor<1x64xf32>
    %layers.0.attn.reshape.5 = stablehlo.reshape %layers.0.attn.v.slice : (tensor<1x64xf32>) -> tensor<1x2x32xf32>
    %layers.0.attn.scatter_rows = "stablehlo.scatter"(%kv_0_k, %position, %layers.0.attn.reshape.4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<79x2x32xf32>, tensor<1xi32>, tensor<1x2x32xf32>) -> tensor<79x2x32xf32>
    %layers.0.attn.scatter_rows.1 = "stablehlo.scatter"(%kv_0_v, %position, %layers.0.attn.reshape.5) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<79x2x32xf32>, tensor<1xi32>, tensor<1x2x32xf32>) -> tensor<79x2x32xf32>
    %layers.0.attn.slice = stablehlo.slice %layers.0.attn.scatter_rows [0:64, 0:2, 0:32] : (tensor<79x2x32xf32>) -> tensor<64x2x32xf32>
    %layers.0.attn.slice.1 = stablehlo.slice %layers.0.attn.scatter_rows.1 [0:64, 0:2, 0:32] : (tensor<79x2x32xf32>) -> tensor<64x2x32xf32>
    %layers.0.attn.reshape.6 = stablehlo.reshape %layers.0.attn.add.1 : (tensor<1x4x2x16xf32>) -> tensor<1x2x2x32xf32>
    %layers.0.attn.dot = stablehlo.dot_general %layers.0.attn.reshape.6, %layers.0.attn.slice, batching_dims = [1] x [1], contracting_dims = [3] x [2] : (tensor<1x2x2x32xf32>, tensor<64x2x32xf32>) -> tensor<2x1x2x64xf32>
    %layers.0.attn.const.6 = stablehlo.constant dense<0.17677669> : tensor<2x1x2x64xf32>
    %layers.0.attn.mul.10 = stablehlo.multiply %layers.0.attn.dot, %layers.0.attn.const.6 : tensor<2x1x2x64xf32>
    %layers.0.attn.broadcast.8 = stablehlo.broadcast_in_dim %mask.le, dims = [1, 3] : (tensor<1x64xi1>) -> tensor<2x1x2x64xi1>
    %layers.0.attn.const.7 = stablehlo.constant dense<-1.0e+30> : tensor<2x1x2x64xf32>
    %layers.0.attn.select.2 = stablehlo.select %layers.0.attn.broadcast.8, %layers.0.attn.mul.10, %layers.0.attn.const.7 : tensor<2x1x2x64xi1>, tensor<2x1x2x64xf32>
    %layers.0.attn.reduce_max = stablehlo.reduce(%layers.0.attn.select.2 init: %$max_f32) applies stablehlo.maximum across dimensions = [3] : (tensor<2x1x2x64xf32>, tensor<f32>) -> tensor<2x1x2xf32>
    %layers.0.attn.broadcast.9 = stablehlo.broadcast_in_dim %layers.0.attn.reduce_max, dims = [0, 1, 2] : (tensor<2x1x2xf32>) -> tensor<2x1x2x64xf32>
    %layers.0.attn.sub = stablehlo.subtract %layers.0.attn.select.2, %layers.0.attn.broadcast.9 : tensor<2x1x2x64xf32>
    %layers.0.attn.exp = stablehlo.exponential %layers.0.attn.sub : tensor<2x1x2x64xf32>
    %layers.0.attn.reduce_add.2 = stablehlo.reduce(%layers.0.attn.exp init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<2x1x2x64xf32>, tensor<f32>) -> tensor<2x1x2xf32>
    %layers.0.attn.broadcast.10 = stablehlo.broadcast_in_dim %layers.0.attn.reduce_add.2, dims = [0, 1, 2] : (tensor<2x1x2xf32>) -> tensor<2x1x2x64xf32>
    %layers.0.attn.div.2 = stablehlo.divide %layers.0.attn.exp, %layers.0.attn.broadcast.10 : tensor<2x1x2x64xf32>
    %layers.0.attn.dot.1 = stablehlo.dot_general %layers.0.attn.div.2, %layers.0.attn.slice.1, batching_dims = [0] x [1], contracting_dims = [3] x [0] : (tensor<2x1x2x64xf32>, tensor<64x2x32xf32>) -> tensor<2x1x2x32xf32>
    %layers.0.attn.transpose = stablehlo.transpose %layers.0.attn.dot.1, dims = [1, 0, 2, 3] : (tensor<2x1x2x32xf32>) -> tensor<1x2x2x32xf32>
    %layers.0.attn.o.convert = stablehlo.convert %layers.0.attn.o.weight.scale : (tensor<4x2x16xf16>) -> tensor<4x2x16xf32>
    %layers.0.attn.o.convert.1 = stablehlo.convert %layers.0.attn.o.weight.offset : (tensor<4x2x16xf16>) -> tensor<4x2x16xf32>
    %layers.0.attn.o.reshape = stablehlo.reshape %layers.0.attn.o.weight.q : (tensor<4x2x8x16x4xui8>) -> tensor<1x4x2x8x16x4xui8>
    %layers.0.attn.o.reshape.1 = stablehlo.reshape %layers.0.attn.o.convert : (tensor<4x2x16xf32>) -> tensor<1x4x2x16xf32>
    %layers.0.attn.o.reshape.2 = stablehlo.reshape %layers.0.attn.o.convert.1 : (tensor<4x2x16xf32>) -> tensor<1x4x2x16xf32>
    %layers.0.attn.o.const = stablehlo.constant dense<15> : tensor<1x4x2x8x16x4xui8>
    %layers.0.attn.o.and = stablehlo.and %layers.0.attn.o.reshape, %layers.0.attn.o.const : tensor<1x4x2x8x16x4xui8>
    %layers.0.attn.o.convert.2 = stablehlo.convert %layers.0.attn.o.and : (tensor<1x4x2x8x16x4xui8>) -> tensor<1x4x2x8x16x4xf32>
    %layers.0.attn.o.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.o.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x4x2x16xf32>) -> tensor<1x4x2x8x16x4xf32>
    %layers.0.attn.o.mul = stablehlo.multiply %layers.0.attn.o.convert.2, %layers.0.attn.o.broadcast : tensor<1x4x2x8x16x4xf32>
    %layers.0.attn.o.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.o.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x4x2x16xf32>) -> tensor<1x4x2x8x16x4xf32>
    %layers.0.attn.o.add = stablehlo.add %layers.0.attn.o.mul, %layers.0.attn.o.broadcast.1 : tensor<1x4x2x8x16x4xf32>
    %layers.0.attn.o.const.1 = stablehlo.constant dense<4> : tensor<1x4x2x8x16x4xui8>
    %layers.0.attn.o.shr = stablehlo.shift_right_logical %layers.0.attn.o.reshape, %layers.0.attn.o.const.1 : tensor<1x4x2x8x16x4xui8>
    %layers.0.attn.o.convert.3 = stablehlo.convert %layers.0.attn.o.shr : (tensor<1x4x2x8x16x4xui8>) -> tensor<1x4x2x8x16x4xf32>
    %layers.0.attn.o.broadcast.2 = stablehlo.broadcast_in_dim %layers.0.attn.o.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x4x2x16xf32>) -> tensor<1x4x2x8x16x4xf32>
    %layers.0.attn.o.mul.1 = stablehlo.multiply %layers.0.attn.o.convert.3, %layers.0.attn.o.broadcast.2 : tensor<1x4x2x8x16x4xf32>
    %layers.0.attn.o.broadcast.3 = stablehlo.broadcast_in_dim %layers.0.attn.o.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x4x2x16xf32>) -> tensor<1x4x2x8x16x4xf32>
    %layers.0.attn.o.add.1 = stablehlo.add %layers.0.attn.o.mul.1, %layers.0.attn.o.broadcast.3 : tensor<1x4x2x8x16x4xf32>
    %layers.0.attn.o.reshape.3 = stablehlo.reshape %layers.0.attn.transpose : (tensor<1x2x2x32xf32>) -> tensor<1x2x2x8x4xf32>
    %layers.0.attn.o.slice = stablehlo.slice %layers.0.attn.o.reshape.3 [0:1, 0:2, 0:1, 0:8, 0:4] : (tensor<1x2x2x8x4xf32>) -> tensor<1x2x1x8x4xf32>
    %layers.0.attn.o.reshape.4 = stablehlo.reshape %layers.0.attn.o.slice : (tensor<1x2x1x8x4xf32>) -> tensor<1x2x8x4xf32>
    %layers.0.attn.o.broadcast.4 = stablehlo.broadcast_in_dim %layers.0.attn.o.reshape.4, dims = [0, 2, 3, 5] : (tensor<1x2x8x4xf32>) -> tensor<1x4x2x8x16x4xf32>
    %layers.0.attn.o.mul.2 = stablehlo.multiply %layers.0.attn.o.add, %layers.0.attn.o.broadcast.4 : tensor<1x4x2x8x16x4xf32>
    %layers.0.attn.o.reshape.5 = stablehlo.reshape %layers.0.attn.transpose : (tensor<1x2x2x32xf32>) -> tensor<1x2x2x8x4xf32>
    %layers.0.attn.o.slice.1 = stablehlo.slice %layers.0.attn.o.reshape.5 [0:1, 0:2, 1:2, 0:8, 0:4] : (tensor<1x2x2x8x4xf32>) -> tensor<1x2x1x8x4xf32>
    %layers.0.attn.o.reshape.6 = stablehlo.reshape %layers.0.attn.o.slice.1 : (tensor<1x2x1x8x4xf32>) -> tensor<1x2x8x4xf32>
    %layers.0.attn.o.broadcast.5 = stablehlo.broadcast_in_dim %layers.0.attn.o.reshape.6, dims = [0, 2, 3, 5] : (tensor<1x2x8x4xf32>) -> tensor<1x4x2x8x16x4xf32>
    %layers.0.attn.o.mul.3 = stablehlo.multiply %layers.0.attn.o.add.1, %layers.0.attn.o.broadcast.5 : tensor<1x4x2x8x16x4xf32>
    %layers.0.attn.o.add.2 = stablehlo.add %layers.0.attn.o.mul.2, %layers.0.attn.o.mul.3 : tensor<1x4x2x8x16x4xf32>
    %layers.0.attn.o.reduce_add = stablehlo.reduce(%layers.0.attn.o.add.2 init: %$add_f32) applies stablehlo.add across dimensions = [2, 3, 5] : (tensor<1x4x2x8x16x4xf32>, tensor<f32>) -> tensor<1x4x16xf32>
    %layers.0.attn.o.reshape.7 = stablehlo.reshape %layers.0.attn.o.reduce_add : (tensor<1x4x16xf32>) -> tensor<1x64xf32>
    %layers.0.add = stablehlo.add %embed.reshape.1, %layers.0.attn.o.reshape.7 : tensor<1x64xf32>
    %layers.0.mlp_norm.mul = stablehlo.multiply %layers.0.add, %layers.0.add : tensor<1x64xf32>
    %layers.0.mlp_norm.reduce_add = stablehlo.reduce(%layers.0.mlp_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.0.mlp_norm.const = stablehlo.constant dense<64.0> : tensor<1xf32>
    %layers.0.mlp_norm.div = stablehlo.divide %layers.0.mlp_norm.reduce_add, %layers.0.mlp_norm.const : tensor<1xf32>
    %layers.0.mlp_norm.const.1 = stablehlo.constant dense<0.001> : tensor<1xf32>
    %layers.0.mlp_norm.add = stablehlo.add %layers.0.mlp_norm.div, %layers.0.mlp_norm.const.1 : tensor<1xf32>
    %layers.0.mlp_norm.rsqrt = stablehlo.rsqrt %layers.0.mlp_norm.add : tensor<1xf32>
    %layers.0.mlp_norm.broadcast = stablehlo.broadcast_in_dim %layers.0.mlp_norm.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x64xf32>
    %layers.0.mlp_norm.mul.1 = stablehlo.multiply %layers.0.add, %layers.0.mlp_norm.broadcast : tensor<1x64xf32>
    %layers.0.mlp_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.mlp_norm.weight, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %layers.0.mlp_norm.mul.2 = stablehlo.multiply %layers.0.mlp_norm.mul.1, %layers.0.mlp_norm.broadcast.1 : tensor<1x64xf32>
    %layers.0.mlp.gate_up.convert = stablehlo.convert %layers.0.mlp.gate_up.weight.scale : (tensor<8x1x16xf16>) -> tensor<8x1x16xf32>
    %layers.0.mlp.gate_up.convert.1 = stablehlo.convert %layers.0.mlp.gate_up.weight.offset : (tensor<8x1x16xf16>) -> tensor<8x1x16xf32>
    %layers.0.mlp.gate_up.reshape = stablehlo.reshape %layers.0.mlp.gate_up.weight.q : (tensor<8x1x8x16x4xui8>) -> tensor<1x8x1x8x16x4xui8>
    %layers.0.mlp.gate_up.reshape.1 = stablehlo.reshape %layers.0.mlp.gate_up.convert : (tensor<8x1x16xf32>) -> tensor<1x8x1x16xf32>
    %layers.0.mlp.gate_up.reshape.2 = stablehlo.reshape %layers.0.mlp.gate_up.convert.1 : (tensor<8x1x16xf32>) -> tensor<1x8x1x16xf32>
    %layers.0.mlp.gate_up.const = stablehlo.constant dense<15> : tensor<1x8x1x8x16x4xui8>
    %layers.0.mlp.gate_up.and = stablehlo.and %layers.0.mlp.gate_up.reshape, %layers.0.mlp.gate_up.const : tensor<1x8x1x8x16x4xui8>
    %layers.0.mlp.gate_up.convert.2 = stablehlo.convert %layers.0.mlp.gate_up.and : (tensor<1x8x1x8x16x4xui8>) -> tensor<1x8x1x8x16x4xf32>
    %layers.0.mlp.gate_up.broadcast = stablehlo.broadcast_in_dim %layers.0.mlp.gate_up.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x8x1x16xf32>) -> tensor<1x8x1x8x16x4xf32>
    %layers.0.mlp.gate_up.mul = stablehlo.multiply %layers.0.mlp.gate_up.convert.2, %layers.0.mlp.gate_up.broadcast : tensor<1x8x1x8x16x4xf32>
    %layers.0.mlp.gate_up.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.mlp.gate_up.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x8x1x16xf32>) -> tensor<1x8x1x8x16x4xf32>
    %layers.0.mlp.gate_up.add = stablehlo.add %layers.0.mlp.gate_up.mul, %layers.0.mlp.gate_up.broadcast.1 : tensor<1x8x1x8x16x4xf32>
    %layers.0.mlp.gate_up.const.1 = stablehlo.constant dense<4> : tensor<1x8x1x8x16x4xui8>
    %layers.0.mlp.gate_up.shr = stablehlo.shift_right_logical %layers.0.mlp.gate_up.reshape, %layers.0.mlp.gate_up.const.1 : tensor<1x8x1x8x16x4xui8>
    %layers.0.mlp.gate_up.convert.3 = stablehlo.convert %layers.0.mlp.gate_up.shr : (tensor<1x8x1x8x16x4xui8>) -> tensor<1x8x1x8x16x4xf32>
    %layers.0.mlp.gate_up.broadcast.2 = stablehlo.broadcast_in_dim %layers.0.mlp.gate_up.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x8x1x16xf32>) -> tensor<1x8x1x8x16x4xf32>
    %layers.0.mlp.gate_up.mul.1 = stablehlo.multiply %layers.0.mlp.gate_up.convert.3, %layers.0.mlp.gate_up.broadcast.2 : tensor<1x8x1x8x16x4xf32>
    %layers.0.mlp.gate_up.broadcast.3 = stablehlo.broadcast_in_dim %layers.0.mlp.gate_up.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x8x1x16xf32>) -> tensor<1x8x1x8x16x4xf32>
    %layers.0.mlp.gate_up.add.1 = stablehlo.add %layers.0.mlp.gate_up.mul.1, %layers.0.mlp.gate_up.broadcast.3 : tensor<1x8x1x8x16x4xf32>
    %layers.0.mlp.gate_up.reshape.3 = stablehlo.reshape %layers.0.mlp_norm.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.0.mlp.gate_up.slice = stablehlo.slice %layers.0.mlp.gate_up.reshape.3 [0:1, 0:1, 0:1, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.0.mlp.gate_up.reshape.4 = stablehlo.reshape %layers.0.mlp.gate_up.slice : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.0.mlp.gate_up.broadcast.4 = stablehlo.broadcast_in_dim %layers.0.mlp.gate_up.reshape.4, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x8x1x8x16x4xf32>
    %layers.0.mlp.gate_up.mul.2 = stablehlo.multiply %layers.0.mlp.gate_up.add, %layers.0.mlp.gate_up.broadcast.4 : tensor<1x8x1x8x16x4xf32>
    %layers.0.mlp.gate_up.reshape.5 = stablehlo.reshape %layers.0.mlp_norm.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.0.mlp.gate_up.slice.1 = stablehlo.slice %layers.0.mlp.gate_up.reshape.5 [0:1, 0:1, 1:2, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.0.mlp.gate_up.reshape.6 = stablehlo.reshape %layers.0.mlp.gate_up.slice.1 : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.0.mlp.gate_up.broadcast.5 = stablehlo.broadcast_in_dim %layers.0.mlp.gate_up.reshape.6, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x8x1x8x16x4xf32>
    %layers.0.mlp.gate_up.mul.3 = stablehlo.multiply %layers.0.mlp.gate_up.add.1, %layers.0.mlp.gate_up.broadcast.5 : tensor<1x8x1x8x16x4xf32>
    %layers.0.mlp.gate_up.add.2 = stablehlo.add %layers.0.mlp.gate_up.mul.2, %layers.0.mlp.gate_up.mul.3 : tensor<1x8x1x8x16x4xf32>
    %layers.0.mlp.gate_up.reduce_add = stablehlo.reduce(%layers.0.mlp.gate_up.add.2 init: %$add_f32) applies stablehlo.add across dimensions = [2, 3, 5] : (tensor<1x8x1x8x16x4xf32>, tensor<f32>) -> tensor<1x8x16xf32>
    %layers.0.mlp.gate_up.reshape.7 = stablehlo.reshape %layers.0.mlp.gate_up.reduce_add : (tensor<1x8x16xf32>) -> tensor<1x128xf32>
    %layers.0.mlp.gate.slice = stablehlo.slice %layers.0.mlp.gate_up.reshape.7 [0:1, 0:64] : (tensor<1x128xf32>) -> tensor<1x64xf32>
    %layers.0.mlp.logistic = stablehlo.logistic %layers.0.mlp.gate.slice : tensor<1x64xf32>
    %layers.0.mlp.mul = stablehlo.multiply %layers.0.mlp.gate.slice, %layers.0.mlp.logistic : tensor<1x64xf32>
    %layers.0.mlp.up.slice = stablehlo.slice %layers.0.mlp.gate_up.reshape.7 [0:1, 64:128] : (tensor<1x128xf32>) -> tensor<1x64xf32>
    %layers.0.mlp.mul.1 = stablehlo.multiply %layers.0.mlp.mul, %layers.0.mlp.up.slice : tensor<1x64xf32>
    %layers.0.mlp.down.convert = stablehlo.convert %layers.0.mlp.down.weight.scale : (tensor<4x1x16xf16>) -> tensor<4x1x16xf32>
    %layers.0.mlp.down.convert.1 = stablehlo.convert %layers.0.mlp.down.weight.offset : (tensor<4x1x16xf16>) -> tensor<4x1x16xf32>
    %layers.0.mlp.down.reshape = stablehlo.reshape %layers.0.mlp.down.weight.q : (tensor<4x1x8x16x4xui8>) -> tensor<1x4x1x8x16x4xui8>
    %layers.0.mlp.down.reshape.1 = stablehlo.reshape %layers.0.mlp.down.convert : (tensor<4x1x16xf32>) -> tensor<1x4x1x16xf32>
    %layers.0.mlp.down.reshape.2 = stablehlo.reshape %layers.0.mlp.down.convert.1 : (tensor<4x1x16xf32>) -> tensor<1x4x1x16xf32>
    %layers.0.mlp.down.const = stablehlo.constant dense<15> : tensor<1x4x1x8x16x4xui8>
    %layers.0.mlp.down.and = stablehlo.and %layers.0.mlp.down.reshape, %layers.0.mlp.down.const : tensor<1x4x1x8x16x4xui8>
    %layers.0.mlp.down.convert.2 = stablehlo.convert %layers.0.mlp.down.and : (tensor<1x4x1x8x16x4xui8>) -> tensor<1x4x1x8x16x4xf32>
    %layers.0.mlp.down.broadcast = stablehlo.broadcast_in_dim %layers.0.mlp.down.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x4x1x16xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.0.mlp.down.mul = stablehlo.multiply %layers.0.mlp.down.convert.2, %layers.0.mlp.down.broadcast : tensor<1x4x1x8x16x4xf32>
    %layers.0.mlp.down.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.mlp.down.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x4x1x16xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.0.mlp.down.add = stablehlo.add %layers.0.mlp.down.mul, %layers.0.mlp.down.broadcast.1 : tensor<1x4x1x8x16x4xf32>
    %layers.0.mlp.down.const.1 = stablehlo.constant dense<4> : tensor<1x4x1x8x16x4xui8>
    %layers.0.mlp.down.shr = stablehlo.shift_right_logical %layers.0.mlp.down.reshape, %layers.0.mlp.down.const.1 : tensor<1x4x1x8x16x4xui8>
    %layers.0.mlp.down.convert.3 = stablehlo.convert %layers.0.mlp.down.shr : (tensor<1x4x1x8x16x4xui8>) -> tensor<1x4x1x8x16x4xf32>
    %layers.0.mlp.down.broadcast.2 = stablehlo.broadcast_in_dim %layers.0.mlp.down.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x4x1x16xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.0.mlp.down.mul.1 = stablehlo.multiply %layers.0.mlp.down.convert.3, %layers.0.mlp.down.broadcast.2 : tensor<1x4x1x8x16x4xf32>
    %layers.0.mlp.down.broadcast.3 = stablehlo.broadcast_in_dim %layers.0.mlp.down.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x4x1x16xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.0.mlp.down.add.1 = stablehlo.add %layers.0.mlp.down.mul.1, %layers.0.mlp.down.broadcast.3 : tensor<1x4x1x8x16x4xf32>
    %layers.0.mlp.down.reshape.3 = stablehlo.reshape %layers.0.mlp.mul.1 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.0.mlp.down.slice = stablehlo.slice %layers.0.mlp.down.reshape.3 [0:1, 0:1, 0:1, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.0.mlp.down.reshape.4 = stablehlo.reshape %layers.0.mlp.down.slice : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.0.mlp.down.broadcast.4 = stablehlo.broadcast_in_dim %layers.0.mlp.down.reshape.4, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.0.mlp.down.mul.2 = stablehlo.multiply %layers.0.mlp.down.add, %layers.0.mlp.down.broadcast.4 : tensor<1x4x1x8x16x4xf32>
    %layers.0.mlp.down.reshape.5 = stablehlo.reshape %layers.0.mlp.mul.1 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.0.mlp.down.slice.1 = stablehlo.slice %layers.0.mlp.down.reshape.5 [0:1, 0:1, 1:2, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.0.mlp.down.reshape.6 = stablehlo.reshape %layers.0.mlp.down.slice.1 : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.0.mlp.down.broadcast.5 = stablehlo.broadcast_in_dim %layers.0.mlp.down.reshape.6, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.0.mlp.down.mul.3 = stablehlo.multiply %layers.0.mlp.down.add.1, %layers.0.mlp.down.broadcast.5 : tensor<1x4x1x8x16x4xf32>
    %layers.0.mlp.down.add.2 = stablehlo.add %layers.0.mlp.down.mul.2, %layers.0.mlp.down.mul.3 : tensor<1x4x1x8x16x4xf32>
    %layers.0.mlp.down.reduce_add = stablehlo.reduce(%layers.0.mlp.down.add.2 init: %$add_f32) applies stablehlo.add across dimensions = [2, 3, 5] : (tensor<1x4x1x8x16x4xf32>, tensor<f32>) -> tensor<1x4x16xf32>
    %layers.0.mlp.down.reshape.7 = stablehlo.reshape %layers.0.mlp.down.reduce_add : (tensor<1x4x16xf32>) -> tensor<1x64xf32>
    %layers.0.add.1 = stablehlo.add %layers.0.add, %layers.0.mlp.down.reshape.7 : tensor<1x64xf32>
    %layers.1.attn_norm.mul = stablehlo.multiply %layers.0.add.1, %layers.0.add.1 : tensor<1x64xf32>
    %layers.1.attn_norm.reduce_add = stablehlo.reduce(%layers.1.attn_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.1.attn_norm.const = stablehlo.constant dense<64.0> : tensor<1xf32>
    %layers.1.attn_norm.div = stablehlo.divide %layers.1.attn_norm.reduce_add, %layers.1.attn_norm.const : tensor<1xf32>
    %layers.1.attn_norm.const.1 = stablehlo.constant dense<0.001> : tensor<1xf32>
    %layers.1.attn_norm.add = stablehlo.add %layers.1.attn_norm.div, %layers.1.attn_norm.const.1 : tensor<1xf32>
    %layers.1.attn_norm.rsqrt = stablehlo.rsqrt %layers.1.attn_norm.add : tensor<1xf32>
    %layers.1.attn_norm.broadcast = stablehlo.broadcast_in_dim %layers.1.attn_norm.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x64xf32>
    %layers.1.attn_norm.mul.1 = stablehlo.multiply %layers.0.add.1, %layers.1.attn_norm.broadcast : tensor<1x64xf32>
    %layers.1.attn_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.attn_norm.weight, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %layers.1.attn_norm.mul.2 = stablehlo.multiply %layers.1.attn_norm.mul.1, %layers.1.attn_norm.broadcast.1 : tensor<1x64xf32>
    %layers.1.attn.qkv.convert = stablehlo.convert %layers.1.attn.qkv.weight.scale : (tensor<16x1x16xf16>) -> tensor<16x1x16xf32>
    %layers.1.attn.qkv.convert.1 = stablehlo.convert %layers.1.attn.qkv.weight.offset : (tensor<16x1x16xf16>) -> tensor<16x1x16xf32>
    %layers.1.attn.qkv.reshape = stablehlo.reshape %layers.1.attn.qkv.weight.q : (tensor<16x1x8x16x4xui8>) -> tensor<1x16x1x8x16x4xui8>
    %layers.1.attn.qkv.reshape.1 = stablehlo.reshape %layers.1.attn.qkv.convert : (tensor<16x1x16xf32>) -> tensor<1x16x1x16xf32>
    %layers.1.attn.qkv.reshape.2 = stablehlo.reshape %layers.1.attn.qkv.convert.1 : (tensor<16x1x16xf32>) -> tensor<1x16x1x16xf32>
    %layers.1.attn.qkv.const = stablehlo.constant dense<15> : tensor<1x16x1x8x16x4xui8>
    %layers.1.attn.qkv.and = stablehlo.and %layers.1.attn.qkv.reshape, %layers.1.attn.qkv.const : tensor<1x16x1x8x16x4xui8>
    %layers.1.attn.qkv.convert.2 = stablehlo.convert %layers.1.attn.qkv.and : (tensor<1x16x1x8x16x4xui8>) -> tensor<1x16x1x8x16x4xf32>
    %layers.1.attn.qkv.broadcast = stablehlo.broadcast_in_dim %layers.1.attn.qkv.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x16x1x16xf32>) -> tensor<1x16x1x8x16x4xf32>
    %layers.1.attn.qkv.mul = stablehlo.multiply %layers.1.attn.qkv.convert.2, %layers.1.attn.qkv.broadcast : tensor<1x16x1x8x16x4xf32>
    %layers.1.attn.qkv.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.attn.qkv.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x16x1x16xf32>) -> tensor<1x16x1x8x16x4xf32>
    %layers.1.attn.qkv.add = stablehlo.add %layers.1.attn.qkv.mul, %layers.1.attn.qkv.broadcast.1 : tensor<1x16x1x8x16x4xf32>
    %layers.1.attn.qkv.const.1 = stablehlo.constant dense<4> : tensor<1x16x1x8x16x4xui8>
    %layers.1.attn.qkv.shr = stablehlo.shift_right_logical %layers.1.attn.qkv.reshape, %layers.1.attn.qkv.const.1 : tensor<1x16x1x8x16x4xui8>
    %layers.1.attn.qkv.convert.3 = stablehlo.convert %layers.1.attn.qkv.shr : (tensor<1x16x1x8x16x4xui8>) -> tensor<1x16x1x8x16x4xf32>
    %layers.1.attn.qkv.broadcast.2 = stablehlo.broadcast_in_dim %layers.1.attn.qkv.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x16x1x16xf32>) -> tensor<1x16x1x8x16x4xf32>
    %layers.1.attn.qkv.mul.1 = stablehlo.multiply %layers.1.attn.qkv.convert.3, %layers.1.attn.qkv.broadcast.2 : tensor<1x16x1x8x16x4xf32>
    %layers.1.attn.qkv.broadcast.3 = stablehlo.broadcast_in_dim %layers.1.attn.qkv.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x16x1x16xf32>) -> tensor<1x16x1x8x16x4xf32>
    %layers.1.attn.qkv.add.1 = stablehlo.add %layers.1.attn.qkv.mul.1, %layers.1.attn.qkv.broadcast.3 : tensor<1x16x1x8x16x4xf32>
    %layers.1.attn.qkv.reshape.3 = stablehlo.reshape %layers.1.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.1.attn.qkv.slice = stablehlo.slice %layers.1.attn.qkv.reshape.3 [0:1, 0:1, 0:1, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.1.attn.qkv.reshape.4 = stablehlo.reshape %layers.1.attn.qkv.slice : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.1.attn.qkv.broadcast.4 = stablehlo.broadcast_in_dim %layers.1.attn.qkv.reshape.4, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x16x1x8x16x4xf32>
    %layers.1.attn.qkv.mul.2 = stablehlo.multiply %layers.1.attn.qkv.add, %layers.1.attn.qkv.broadcast.4 : tensor<1x16x1x8x16x4xf32>
    %layers.1.attn.qkv.reshape.5 = stablehlo.reshape %layers.1.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.1.attn.qkv.slice.1 = stablehlo.slice %layers.1.attn.qkv.reshape.5 [0:1, 0:1, 1:2, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.1.attn.qkv.reshape.6 = stablehlo.reshape %layers.1.attn.qkv.slice.1 : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.1.attn.qkv.broadcast.5 = stablehlo.broadcast_in_dim %layers.1.attn.qkv.reshape.6, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x16x1x8x16x4xf32>
    %layers.1.attn.qkv.mul.3 = stablehlo.multiply %layers.1.attn.qkv.add.1, %layers.1.attn.qkv.broadcast.5 : tensor<1x16x1x8x16x4xf32>
    %layers.1.attn.qkv.add.2 = stablehlo.add %layers.1.attn.qkv.mul.2, %layers.1.attn.qkv.mul.3 : tensor<1x16x1x8x16x4xf32>
    %layers.1.attn.qkv.reduce_add = stablehlo.reduce(%layers.1.attn.qkv.add.2 init: %$add_f32) applies stablehlo.add across dimensions = [2, 3, 5] : (tensor<1x16x1x8x16x4xf32>, tensor<f32>) -> tensor<1x16x16xf32>
    %layers.1.attn.qkv.reshape.7 = stablehlo.reshape %layers.1.attn.qkv.reduce_add : (tensor<1x16x16xf32>) -> tensor<1x256xf32>
    %layers.1.attn.q.slice = stablehlo.slice %layers.1.attn.qkv.reshape.7 [0:1, 0:128] : (tensor<1x256xf32>) -> tensor<1x128xf32>
    %layers.1.attn.reshape = stablehlo.reshape %layers.1.attn.q.slice : (tensor<1x128xf32>) -> tensor<1x4x32xf32>
    %layers.1.attn.mul = stablehlo.multiply %layers.1.attn.reshape, %layers.1.attn.reshape : tensor<1x4x32xf32>
    %layers.1.attn.reduce_add = stablehlo.reduce(%layers.1.attn.mul init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<1x4x32xf32>, tensor<f32>) -> tensor<1x4xf32>
    %layers.1.attn.const = stablehlo.constant dense<32.0> : tensor<1x4xf32>
    %layers.1.attn.div = stablehlo.divide %layers.1.attn.reduce_add, %layers.1.attn.const : tensor<1x4xf32>
    %layers.1.attn.const.1 = stablehlo.constant dense<0.001> : tensor<1x4xf32>
    %layers.1.attn.add = stablehlo.add %layers.1.attn.div, %layers.1.attn.const.1 : tensor<1x4xf32>
    %layers.1.attn.rsqrt = stablehlo.rsqrt %layers.1.attn.add : tensor<1x4xf32>
    %layers.1.attn.broadcast = stablehlo.broadcast_in_dim %layers.1.attn.rsqrt, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4x32xf32>
    %layers.1.attn.mul.1 = stablehlo.multiply %layers.1.attn.reshape, %layers.1.attn.broadcast : tensor<1x4x32xf32>
    %layers.1.attn.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.attn.q_norm.weight, dims = [2] : (tensor<32xf32>) -> tensor<1x4x32xf32>
    %layers.1.attn.mul.2 = stablehlo.multiply %layers.1.attn.mul.1, %layers.1.attn.broadcast.1 : tensor<1x4x32xf32>
    %layers.1.attn.reshape.1 = stablehlo.reshape %layers.1.attn.mul.2 : (tensor<1x4x32xf32>) -> tensor<1x4x2x16xf32>
    %layers.1.attn.iota = stablehlo.iota dim = 2 : tensor<1x4x2x16xi32>
    %layers.1.attn.const.2 = stablehlo.constant dense<0> : tensor<1x4x2x16xi32>
    %layers.1.attn.eq = stablehlo.compare EQ, %layers.1.attn.iota, %layers.1.attn.const.2 : (tensor<1x4x2x16xi32>, tensor<1x4x2x16xi32>) -> tensor<1x4x2x16xi1>
    %layers.1.attn.broadcast.2 = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 3] : (tensor<1x16xf32>) -> tensor<1x4x2x16xf32>
    %layers.1.attn.reverse = stablehlo.reverse %layers.1.attn.reshape.1, dims = [2] : tensor<1x4x2x16xf32>
    %layers.1.attn.neg = stablehlo.negate %layers.1.attn.broadcast.2 : tensor<1x4x2x16xf32>
    %layers.1.attn.select = stablehlo.select %layers.1.attn.eq, %layers.1.attn.neg, %layers.1.attn.broadcast.2 : tensor<1x4x2x16xi1>, tensor<1x4x2x16xf32>
    %layers.1.attn.mul.3 = stablehlo.multiply %layers.1.attn.reverse, %layers.1.attn.select : tensor<1x4x2x16xf32>
    %layers.1.attn.broadcast.3 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 3] : (tensor<1x16xf32>) -> tensor<1x4x2x16xf32>
    %layers.1.attn.mul.4 = stablehlo.multiply %layers.1.attn.reshape.1, %layers.1.attn.broadcast.3 : tensor<1x4x2x16xf32>
    %layers.1.attn.add.1 = stablehlo.add %layers.1.attn.mul.4, %layers.1.attn.mul.3 : tensor<1x4x2x16xf32>
    %layers.1.attn.k.slice = stablehlo.slice %layers.1.attn.qkv.reshape.7 [0:1, 128:192] : (tensor<1x256xf32>) -> tensor<1x64xf32>
    %layers.1.attn.reshape.2 = stablehlo.reshape %layers.1.attn.k.slice : (tensor<1x64xf32>) -> tensor<1x2x32xf32>
    %layers.1.attn.mul.5 = stablehlo.multiply %layers.1.attn.reshape.2, %layers.1.attn.reshape.2 : tensor<1x2x32xf32>
    %layers.1.attn.reduce_add.1 = stablehlo.reduce(%layers.1.attn.mul.5 init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<1x2x32xf32>, tensor<f32>) -> tensor<1x2xf32>
    %layers.1.attn.const.3 = stablehlo.constant dense<32.0> : tensor<1x2xf32>
    %layers.1.attn.div.1 = stablehlo.divide %layers.1.attn.reduce_add.1, %layers.1.attn.const.3 : tensor<1x2xf32>
    %layers.1.attn.const.4 = stablehlo.constant dense<0.001> : tensor<1x2xf32>
    %layers.1.attn.add.2 = stablehlo.add %layers.1.attn.div.1, %layers.1.attn.const.4 : tensor<1x2xf32>
    %layers.1.attn.rsqrt.1 = stablehlo.rsqrt %layers.1.attn.add.2 : tensor<1x2xf32>
    %layers.1.attn.broadcast.4 = stablehlo.broadcast_in_dim %layers.1.attn.rsqrt.1, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<1x2x32xf32>
    %layers.1.attn.mul.6 = stablehlo.multiply %layers.1.attn.reshape.2, %layers.1.attn.broadcast.4 : tensor<1x2x32xf32>
    %layers.1.attn.broadcast.5 = stablehlo.broadcast_in_dim %layers.1.attn.k_norm.weight, dims = [2] : (tensor<32xf32>) -> tensor<1x2x32xf32>
    %layers.1.attn.mul.7 = stablehlo.multiply %layers.1.attn.mul.6, %layers.1.attn.broadcast.5 : tensor<1x2x32xf32>
    %layers.1.attn.reshape.3 = stablehlo.reshape %layers.1.attn.mul.7 : (tensor<1x2x32xf32>) -> tensor<1x2x2x16xf32>
    %layers.1.attn.iota.1 = stablehlo.iota dim = 2 : tensor<1x2x2x16xi32>
    %layers.1.attn.const.5 = stablehlo.constant dense<0> : tensor<1x2x2x16xi32>
    %layers.1.attn.eq.1 = stablehlo.compare EQ, %layers.1.attn.iota.1, %layers.1.attn.const.5 : (tensor<1x2x2x16xi32>, tensor<1x2x2x16xi32>) -> tensor<1x2x2x16xi1>
    %layers.1.attn.broadcast.6 = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 3] : (tensor<1x16xf32>) -> tensor<1x2x2x16xf32>
    %layers.1.attn.reverse.1 = stablehlo.reverse %layers.1.attn.reshape.3, dims = [2] : tensor<1x2x2x16xf32>
    %layers.1.attn.neg.1 = stablehlo.negate %layers.1.attn.broadcast.6 : tensor<1x2x2x16xf32>
    %layers.1.attn.select.1 = stablehlo.select %layers.1.attn.eq.1, %layers.1.attn.neg.1, %layers.1.attn.broadcast.6 : tensor<1x2x2x16xi1>, tensor<1x2x2x16xf32>
    %layers.1.attn.mul.8 = stablehlo.multiply %layers.1.attn.reverse.1, %layers.1.attn.select.1 : tensor<1x2x2x16xf32>
    %layers.1.attn.broadcast.7 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 3] : (tensor<1x16xf32>) -> tensor<1x2x2x16xf32>
    %layers.1.attn.mul.9 = stablehlo.multiply %layers.1.attn.reshape.3, %layers.1.attn.broadcast.7 : tensor<1x2x2x16xf32>
    %layers.1.attn.add.3 = stablehlo.add %layers.1.attn.mul.9, %layers.1.attn.mul.8 : tensor<1x2x2x16xf32>
    %layers.1.attn.reshape.4 = stablehlo.reshape %layers.1.attn.add.3 : (tensor<1x2x2x16xf32>) -> tensor<1x2x32xf32>
    %layers.1.attn.v.slice = stablehlo.slice %layers.1.attn.qkv.reshape.7 [0:1, 192:256] : (tensor<1x256xf32>) -> tensor<1x64xf32>
    %layers.1.attn.reshape.5 = stablehlo.reshape %layers.1.attn.v.slice : (tensor<1x64xf32>) -> tensor<1x2x32xf32>
    %layers.1.attn.scatter_rows = "stablehlo.scatter"(%kv_1_k, %position, %layers.1.attn.reshape.4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<79x2x32xf32>, tensor<1xi32>, tensor<1x2x32xf32>) -> tensor<79x2x32xf32>
    %layers.1.attn.scatter_rows.1 = "stablehlo.scatter"(%kv_1_v, %position, %layers.1.attn.reshape.5) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<79x2x32xf32>, tensor<1xi32>, tensor<1x2x32xf32>) -> tensor<79x2x32xf32>
    %layers.1.attn.slice = stablehlo.slice %layers.1.attn.scatter_rows [0:64, 0:2, 0:32] : (tensor<79x2x32xf32>) -> tensor<64x2x32xf32>
    %layers.1.attn.slice.1 = stablehlo.slice %layers.1.attn.scatter_rows.1 [0:64, 0:2, 0:32] : (tensor<79x2x32xf32>) -> tensor<64x2x32xf32>
    %layers.1.attn.reshape.6 = stablehlo.reshape %layers.1.attn.add.1 : (tensor<1x4x2x16xf32>) -> tensor<1x2x2x32xf32>
    %layers.1.attn.dot = stablehlo.dot_general %layers.1.attn.reshape.6, %layers.1.attn.slice, batching_dims = [1] x [1], contracting_dims = [3] x [2] : (tensor<1x2x2x32xf32>, tensor<64x2x32xf32>) -> tensor<2x1x2x64xf32>
    %layers.1.attn.const.6 = stablehlo.constant dense<0.17677669> : tensor<2x1x2x64xf32>
    %layers.1.attn.mul.10 = stablehlo.multiply %layers.1.attn.dot, %layers.1.attn.const.6 : tensor<2x1x2x64xf32>
    %layers.1.attn.broadcast.8 = stablehlo.broadcast_in_dim %mask.le, dims = [1, 3] : (tensor<1x64xi1>) -> tensor<2x1x2x64xi1>
    %layers.1.attn.const.7 = stablehlo.constant dense<-1.0e+30> : tensor<2x1x2x64xf32>
    %layers.1.attn.select.2 = stablehlo.select %layers.1.attn.broadcast.8, %layers.1.attn.mul.10, %layers.1.attn.const.7 : tensor<2x1x2x64xi1>, tensor<2x1x2x64xf32>
    %layers.1.attn.reduce_max = stablehlo.reduce(%layers.1.attn.select.2 init: %$max_f32) applies stablehlo.maximum across dimensions = [3] : (tensor<2x1x2x64xf32>, tensor<f32>) -> tensor<2x1x2xf32>
    %layers.1.attn.broadcast.9 = stablehlo.broadcast_in_dim %layers.1.attn.reduce_max, dims = [0, 1, 2] : (tensor<2x1x2xf32>) -> tensor<2x1x2x64xf32>
    %layers.1.attn.sub = stablehlo.subtract %layers.1.attn.select.2, %layers.1.attn.broadcast.9 : tensor<2x1x2x64xf32>
    %layers.1.attn.exp = stablehlo.exponential %layers.1.attn.sub : tensor<2x1x2x64xf32>
    %layers.1.attn.reduce_add.2 = stablehlo.reduce(%layers.1.attn.exp init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<2x1x2x64xf32>, tensor<f32>) -> tensor<2x1x2xf32>
    %layers.1.attn.broadcast.10 = stablehlo.broadcast_in_dim %layers.1.attn.reduce_add.2, dims = [0, 1, 2] : (tensor<2x1x2xf32>) -> tensor<2x1x2x64xf32>
    %layers.1.attn.div.2 = stablehlo.divide %layers.1.attn.exp, %layers.1.attn.broadcast.10 : tensor<2x1x2x64xf32>
    %layers.1.attn.dot.1 = stablehlo.dot_general %layers.1.attn.div.2, %layers.1.attn.slice.1, batching_dims = [0] x [1], contracting_dims = [3] x [0] : (tensor<2x1x2x64xf32>, tensor<64x2x32xf32>) -> tensor<2x1x2x32xf32>
    %layers.1.attn.transpose = stablehlo.transpose %layers.1.attn.dot.1, dims = [1, 0, 2, 3] : (tensor<2x1x2x32xf32>) -> tensor<1x2x2x32xf32>
    %layers.1.attn.o.convert = stablehlo.convert %layers.1.attn.o.weight.scale : (tensor<4x2x16xf16>) -> tensor<4x2x16xf32>
    %layers.1.attn.o.convert.1 = stablehlo.convert %layers.1.attn.o.weight.offset : (tensor<4x2x16xf16>) -> tensor<4x2x16xf32>
    %layers.1.attn.o.reshape = stablehlo.reshape %layers.1.attn.o.weight.q : (tensor<4x2x8x16x4xui8>) -> tensor<1x4x2x8x16x4xui8>
    %layers.1.attn.o.reshape.1 = stablehlo.reshape %layers.1.attn.o.convert : (tensor<4x2x16xf32>) -> tensor<1x4x2x16xf32>
    %layers.1.attn.o.reshape.2 = stablehlo.reshape %layers.1.attn.o.convert.1 : (tensor<4x2x16xf32>) -> tensor<1x4x2x16xf32>
    %layers.1.attn.o.const = stablehlo.constant dense<15> : tensor<1x4x2x8x16x4xui8>
    %layers.1.attn.o.and = stablehlo.and %layers.1.attn.o.reshape, %layers.1.attn.o.const : tensor<1x4x2x8x16x4xui8>
    %layers.1.attn.o.convert.2 = stablehlo.convert %layers.1.attn.o.and : (tensor<1x4x2x8x16x4xui8>) -> tensor<1x4x2x8x16x4xf32>
    %layers.1.attn.o.broadcast = stablehlo.broadcast_in_dim %layers.1.attn.o.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x4x2x16xf32>) -> tensor<1x4x2x8x16x4xf32>
    %layers.1.attn.o.mul = stablehlo.multiply %layers.1.attn.o.convert.2, %layers.1.attn.o.broadcast : tensor<1x4x2x8x16x4xf32>
    %layers.1.attn.o.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.attn.o.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x4x2x16xf32>) -> tensor<1x4x2x8x16x4xf32>
    %layers.1.attn.o.add = stablehlo.add %layers.1.attn.o.mul, %layers.1.attn.o.broadcast.1 : tensor<1x4x2x8x16x4xf32>
    %layers.1.attn.o.const.1 = stablehlo.constant dense<4> : tensor<1x4x2x8x16x4xui8>
    %layers.1.attn.o.shr = stablehlo.shift_right_logical %layers.1.attn.o.reshape, %layers.1.attn.o.const.1 : tensor<1x4x2x8x16x4xui8>
    %layers.1.attn.o.convert.3 = stablehlo.convert %layers.1.attn.o.shr : (tensor<1x4x2x8x16x4xui8>) -> tensor<1x4x2x8x16x4xf32>
    %layers.1.attn.o.broadcast.2 = stablehlo.broadcast_in_dim %layers.1.attn.o.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x4x2x16xf32>) -> tensor<1x4x2x8x16x4xf32>
    %layers.1.attn.o.mul.1 = stablehlo.multiply %layers.1.attn.o.convert.3, %layers.1.attn.o.broadcast.2 : tensor<1x4x2x8x16x4xf32>
    %layers.1.attn.o.broadcast.3 = stablehlo.broadcast_in_dim %layers.1.attn.o.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x4x2x16xf32>) -> tensor<1x4x2x8x16x4xf32>
    %layers.1.attn.o.add.1 = stablehlo.add %layers.1.attn.o.mul.1, %layers.1.attn.o.broadcast.3 : tensor<1x4x2x8x16x4xf32>
    %layers.1.attn.o.reshape.3 = stablehlo.reshape %layers.1.attn.transpose : (tensor<1x2x2x32xf32>) -> tensor<1x2x2x8x4xf32>
    %layers.1.attn.o.slice = stablehlo.slice %layers.1.attn.o.reshape.3 [0:1, 0:2, 0:1, 0:8, 0:4] : (tensor<1x2x2x8x4xf32>) -> tensor<1x2x1x8x4xf32>
    %layers.1.attn.o.reshape.4 = stablehlo.reshape %layers.1.attn.o.slice : (tensor<1x2x1x8x4xf32>) -> tensor<1x2x8x4xf32>
    %layers.1.attn.o.broadcast.4 = stablehlo.broadcast_in_dim %layers.1.attn.o.reshape.4, dims = [0, 2, 3, 5] : (tensor<1x2x8x4xf32>) -> tensor<1x4x2x8x16x4xf32>
    %layers.1.attn.o.mul.2 = stablehlo.multiply %layers.1.attn.o.add, %layers.1.attn.o.broadcast.4 : tensor<1x4x2x8x16x4xf32>
    %layers.1.attn.o.reshape.5 = stablehlo.reshape %layers.1.attn.transpose : (tensor<1x2x2x32xf32>) -> tensor<1x2x2x8x4xf32>
    %layers.1.attn.o.slice.1 = stablehlo.slice %layers.1.attn.o.reshape.5 [0:1, 0:2, 1:2, 0:8, 0:4] : (tensor<1x2x2x8x4xf32>) -> tensor<1x2x1x8x4xf32>
    %layers.1.attn.o.reshape.6 = stablehlo.reshape %layers.1.attn.o.slice.1 : (tensor<1x2x1x8x4xf32>) -> tensor<1x2x8x4xf32>
    %layers.1.attn.o.broadcast.5 = stablehlo.broadcast_in_dim %layers.1.attn.o.reshape.6, dims = [0, 2, 3, 5] : (tensor<1x2x8x4xf32>) -> tensor<1x4x2x8x16x4xf32>
    %layers.1.attn.o.mul.3 = stablehlo.multiply %layers.1.attn.o.add.1, %layers.1.attn.o.broadcast.5 : tensor<1x4x2x8x16x4xf32>
    %layers.1.attn.o.add.2 = stablehlo.add %layers.1.attn.o.mul.2, %layers.1.attn.o.mul.3 : tensor<1x4x2x8x16x4xf32>
    %layers.1.attn.o.reduce_add = stablehlo.reduce(%layers.1.attn.o.add.2 init: %$add_f32) applies stablehlo.add across dimensions = [2, 3, 5] : (tensor<1x4x2x8x16x4xf32>, tensor<f32>) -> tensor<1x4x16xf32>
    %layers.1.attn.o.reshape.7 = stablehlo.reshape %layers.1.attn.o.reduce_add : (tensor<1x4x16xf32>) -> tensor<1x64xf32>
    %layers.1.add = stablehlo.add %layers.0.add.1, %layers.1.attn.o.reshape.7 : tensor<1x64xf32>
    %layers.1.mlp_norm.mul = stablehlo.multiply %layers.1.add, %layers.1.add : tensor<1x64xf32>
    %layers.1.mlp_norm.reduce_add = stablehlo.reduce(%layers.1.mlp_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.1.mlp_norm.const = stablehlo.constant dense<64.0> : tensor<1xf32>
    %layers.1.mlp_norm.div = stablehlo.divide %layers.1.mlp_norm.reduce_add, %layers.1.mlp_norm.const : tensor<1xf32>
    %layers.1.mlp_norm.const.1 = stablehlo.constant dense<0.001> : tensor<1xf32>
    %layers.1.mlp_norm.add = stablehlo.add %layers.1.mlp_norm.div, %layers.1.mlp_norm.const.1 : tensor<1xf32>
    %layers.1.mlp_norm.rsqrt = stablehlo.rsqrt %layers.1.mlp_norm.add : tensor<1xf32>
    %layers.1.mlp_norm.broadcast = stablehlo.broadcast_in_dim %layers.1.mlp_norm.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x64xf32>
    %layers.1.mlp_norm.mul.1 = stablehlo.multiply %layers.1.add, %layers.1.mlp_norm.broadcast : tensor<1x64xf32>
    %layers.1.mlp_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.mlp_norm.weight, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %layers.1.mlp_norm.mul.2 = stablehlo.multiply %layers.1.mlp_norm.mul.1, %layers.1.mlp_norm.broadcast.1 : tensor<1x64xf32>
    %layers.1.moe.router.convert = stablehlo.convert %layers.1.moe.router.weight : (tensor<4x64xbf16>) -> tensor<4x64xf32>
    %layers.1.moe.router.dot = stablehlo.dot_general %layers.1.mlp_norm.mul.2, %layers.1.moe.router.convert, contracting_dims = [1] x [1] : (tensor<1x64xf32>, tensor<4x64xf32>) -> tensor<1x4xf32>
    %layers.1.moe.router.reduce_max = stablehlo.reduce(%layers.1.moe.router.dot init: %$max_f32) applies stablehlo.maximum across dimensions = [1] : (tensor<1x4xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.1.moe.router.broadcast = stablehlo.broadcast_in_dim %layers.1.moe.router.reduce_max, dims = [0] : (tensor<1xf32>) -> tensor<1x4xf32>
    %layers.1.moe.router.sub = stablehlo.subtract %layers.1.moe.router.dot, %layers.1.moe.router.broadcast : tensor<1x4xf32>
    %layers.1.moe.router.exp = stablehlo.exponential %layers.1.moe.router.sub : tensor<1x4xf32>
    %layers.1.moe.router.reduce_add = stablehlo.reduce(%layers.1.moe.router.exp init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x4xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.1.moe.router.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.moe.router.reduce_add, dims = [0] : (tensor<1xf32>) -> tensor<1x4xf32>
    %layers.1.moe.router.div = stablehlo.divide %layers.1.moe.router.exp, %layers.1.moe.router.broadcast.1 : tensor<1x4xf32>
    %layers.1.moe.router.broadcast.2 = stablehlo.broadcast_in_dim %layers.1.moe.router.div, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4x4xf32>
    %layers.1.moe.router.broadcast.3 = stablehlo.broadcast_in_dim %layers.1.moe.router.div, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x4x4xf32>
    %layers.1.moe.router.iota = stablehlo.iota dim = 2 : tensor<1x4x4xi32>
    %layers.1.moe.router.iota.1 = stablehlo.iota dim = 1 : tensor<1x4x4xi32>
    %layers.1.moe.router.lt = stablehlo.compare LT, %layers.1.moe.router.iota, %layers.1.moe.router.iota.1 : (tensor<1x4x4xi32>, tensor<1x4x4xi32>) -> tensor<1x4x4xi1>
    %layers.1.moe.router.gt = stablehlo.compare GT, %layers.1.moe.router.broadcast.3, %layers.1.moe.router.broadcast.2 : (tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> tensor<1x4x4xi1>
    %layers.1.moe.router.eq = stablehlo.compare EQ, %layers.1.moe.router.broadcast.3, %layers.1.moe.router.broadcast.2 : (tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> tensor<1x4x4xi1>
    %layers.1.moe.router.and = stablehlo.and %layers.1.moe.router.lt, %layers.1.moe.router.eq : tensor<1x4x4xi1>
    %layers.1.moe.router.or = stablehlo.or %layers.1.moe.router.gt, %layers.1.moe.router.and : tensor<1x4x4xi1>
    %layers.1.moe.router.convert.1 = stablehlo.convert %layers.1.moe.router.or : (tensor<1x4x4xi1>) -> tensor<1x4x4xi32>
    %layers.1.moe.router.reduce_add.1 = stablehlo.reduce(%layers.1.moe.router.convert.1 init: %$add_i32) applies stablehlo.add across dimensions = [2] : (tensor<1x4x4xi32>, tensor<i32>) -> tensor<1x4xi32>
    %layers.1.moe.router.broadcast.4 = stablehlo.broadcast_in_dim %layers.1.moe.router.reduce_add.1, dims = [0, 2] : (tensor<1x4xi32>) -> tensor<1x2x4xi32>
    %layers.1.moe.router.iota.2 = stablehlo.iota dim = 1 : tensor<1x2x4xi32>
    %layers.1.moe.router.eq.1 = stablehlo.compare EQ, %layers.1.moe.router.broadcast.4, %layers.1.moe.router.iota.2 : (tensor<1x2x4xi32>, tensor<1x2x4xi32>) -> tensor<1x2x4xi1>
    %layers.1.moe.router.broadcast.5 = stablehlo.broadcast_in_dim %layers.1.moe.router.div, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x2x4xf32>
    %layers.1.moe.router.const = stablehlo.constant dense<0.0> : tensor<1x2x4xf32>
    %layers.1.moe.router.select = stablehlo.select %layers.1.moe.router.eq.1, %layers.1.moe.router.broadcast.5, %layers.1.moe.router.const : tensor<1x2x4xi1>, tensor<1x2x4xf32>
    %layers.1.moe.router.reduce_add.2 = stablehlo.reduce(%layers.1.moe.router.select init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<1x2x4xf32>, tensor<f32>) -> tensor<1x2xf32>
    %layers.1.moe.router.reduce_add.3 = stablehlo.reduce(%layers.1.moe.router.reduce_add.2 init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x2xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.1.moe.router.broadcast.6 = stablehlo.broadcast_in_dim %layers.1.moe.router.reduce_add.3, dims = [0] : (tensor<1xf32>) -> tensor<1x2xf32>
    %layers.1.moe.router.div.1 = stablehlo.divide %layers.1.moe.router.reduce_add.2, %layers.1.moe.router.broadcast.6 : tensor<1x2xf32>
    %layers.1.moe.experts.iota = stablehlo.iota dim = 2 : tensor<1x2x4xi32>
    %layers.1.moe.experts.const = stablehlo.constant dense<0> : tensor<1x2x4xi32>
    %layers.1.moe.experts.select = stablehlo.select %layers.1.moe.router.eq.1, %layers.1.moe.experts.iota, %layers.1.moe.experts.const : tensor<1x2x4xi1>, tensor<1x2x4xi32>
    %layers.1.moe.experts.reduce_add = stablehlo.reduce(%layers.1.moe.experts.select init: %$add_i32) applies stablehlo.add across dimensions = [2] : (tensor<1x2x4xi32>, tensor<i32>) -> tensor<1x2xi32>
    %layers.1.moe.experts.gate_up.broadcast = stablehlo.broadcast_in_dim %layers.1.mlp_norm.mul.2, dims = [0, 2] : (tensor<1x64xf32>) -> tensor<1x2x64xf32>
    %layers.1.moe.experts.gate_up.reshape = stablehlo.reshape %layers.1.moe.experts.reduce_add : (tensor<1x2xi32>) -> tensor<2xi32>
    %layers.1.moe.experts.gate_up.convert = stablehlo.convert %layers.1.moe.experts.gate_up.weight.scale : (tensor<4x4x1x16xf16>) -> tensor<4x4x1x16xf32>
    %layers.1.moe.experts.gate_up.convert.1 = stablehlo.convert %layers.1.moe.experts.gate_up.weight.offset : (tensor<4x4x1x16xf16>) -> tensor<4x4x1x16xf32>
    %layers.1.moe.experts.gate_up.gather_rows = "stablehlo.gather"(%layers.1.moe.experts.gate_up.weight.q, %layers.1.moe.experts.gate_up.reshape) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3, 4, 5], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 1, 8, 16, 4>}> : (tensor<4x4x1x8x16x4xui8>, tensor<2xi32>) -> tensor<2x4x1x8x16x4xui8>
    %layers.1.moe.experts.gate_up.gather_rows.1 = "stablehlo.gather"(%layers.1.moe.experts.gate_up.convert, %layers.1.moe.experts.gate_up.reshape) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 1, 16>}> : (tensor<4x4x1x16xf32>, tensor<2xi32>) -> tensor<2x4x1x16xf32>
    %layers.1.moe.experts.gate_up.gather_rows.2 = "stablehlo.gather"(%layers.1.moe.experts.gate_up.convert.1, %layers.1.moe.experts.gate_up.reshape) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 1, 16>}> : (tensor<4x4x1x16xf32>, tensor<2xi32>) -> tensor<2x4x1x16xf32>
    %layers.1.moe.experts.gate_up.const = stablehlo.constant dense<15> : tensor<2x4x1x8x16x4xui8>
    %layers.1.moe.experts.gate_up.and = stablehlo.and %layers.1.moe.experts.gate_up.gather_rows, %layers.1.moe.experts.gate_up.const : tensor<2x4x1x8x16x4xui8>
    %layers.1.moe.experts.gate_up.convert.2 = stablehlo.convert %layers.1.moe.experts.gate_up.and : (tensor<2x4x1x8x16x4xui8>) -> tensor<2x4x1x8x16x4xf32>
    %layers.1.moe.experts.gate_up.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.moe.experts.gate_up.gather_rows.1, dims = [0, 1, 2, 4] : (tensor<2x4x1x16xf32>) -> tensor<2x4x1x8x16x4xf32>
    %layers.1.moe.experts.gate_up.mul = stablehlo.multiply %layers.1.moe.experts.gate_up.convert.2, %layers.1.moe.experts.gate_up.broadcast.1 : tensor<2x4x1x8x16x4xf32>
    %layers.1.moe.experts.gate_up.broadcast.2 = stablehlo.broadcast_in_dim %layers.1.moe.experts.gate_up.gather_rows.2, dims = [0, 1, 2, 4] : (tensor<2x4x1x16xf32>) -> tensor<2x4x1x8x16x4xf32>
    %layers.1.moe.experts.gate_up.add = stablehlo.add %layers.1.moe.experts.gate_up.mul, %layers.1.moe.experts.gate_up.broadcast.2 : tensor<2x4x1x8x16x4xf32>
    %layers.1.moe.experts.gate_up.const.1 = stablehlo.constant dense<4> : tensor<2x4x1x8x16x4xui8>
    %layers.1.moe.experts.gate_up.shr = stablehlo.shift_right_logical %layers.1.moe.experts.gate_up.gather_rows, %layers.1.moe.experts.gate_up.const.1 : tensor<2x4x1x8x16x4xui8>
    %layers.1.moe.experts.gate_up.convert.3 = stablehlo.convert %layers.1.moe.experts.gate_up.shr : (tensor<2x4x1x8x16x4xui8>) -> tensor<2x4x1x8x16x4xf32>
    %layers.1.moe.experts.gate_up.broadcast.3 = stablehlo.broadcast_in_dim %layers.1.moe.experts.gate_up.gather_rows.1, dims = [0, 1, 2, 4] : (tensor<2x4x1x16xf32>) -> tensor<2x4x1x8x16x4xf32>
    %layers.1.moe.experts.gate_up.mul.1 = stablehlo.multiply %layers.1.moe.experts.gate_up.convert.3, %layers.1.moe.experts.gate_up.broadcast.3 : tensor<2x4x1x8x16x4xf32>
    %layers.1.moe.experts.gate_up.broadcast.4 = stablehlo.broadcast_in_dim %layers.1.moe.experts.gate_up.gather_rows.2, dims = [0, 1, 2, 4] : (tensor<2x4x1x16xf32>) -> tensor<2x4x1x8x16x4xf32>
    %layers.1.moe.experts.gate_up.add.1 = stablehlo.add %layers.1.moe.experts.gate_up.mul.1, %layers.1.moe.experts.gate_up.broadcast.4 : tensor<2x4x1x8x16x4xf32>
    %layers.1.moe.experts.gate_up.reshape.1 = stablehlo.reshape %layers.1.moe.experts.gate_up.broadcast : (tensor<1x2x64xf32>) -> tensor<2x1x2x8x4xf32>
    %layers.1.moe.experts.gate_up.slice = stablehlo.slice %layers.1.moe.experts.gate_up.reshape.1 [0:2, 0:1, 0:1, 0:8, 0:4] : (tensor<2x1x2x8x4xf32>) -> tensor<2x1x1x8x4xf32>
    %layers.1.moe.experts.gate_up.reshape.2 = stablehlo.reshape %layers.1.moe.experts.gate_up.slice : (tensor<2x1x1x8x4xf32>) -> tensor<2x1x8x4xf32>
    %layers.1.moe.experts.gate_up.broadcast.5 = stablehlo.broadcast_in_dim %layers.1.moe.experts.gate_up.reshape.2, dims = [0, 2, 3, 5] : (tensor<2x1x8x4xf32>) -> tensor<2x4x1x8x16x4xf32>
    %layers.1.moe.experts.gate_up.mul.2 = stablehlo.multiply %layers.1.moe.experts.gate_up.add, %layers.1.moe.experts.gate_up.broadcast.5 : tensor<2x4x1x8x16x4xf32>
    %layers.1.moe.experts.gate_up.reshape.3 = stablehlo.reshape %layers.1.moe.experts.gate_up.broadcast : (tensor<1x2x64xf32>) -> tensor<2x1x2x8x4xf32>
    %layers.1.moe.experts.gate_up.slice.1 = stablehlo.slice %layers.1.moe.experts.gate_up.reshape.3 [0:2, 0:1, 1:2, 0:8, 0:4] : (tensor<2x1x2x8x4xf32>) -> tensor<2x1x1x8x4xf32>
    %layers.1.moe.experts.gate_up.reshape.4 = stablehlo.reshape %layers.1.moe.experts.gate_up.slice.1 : (tensor<2x1x1x8x4xf32>) -> tensor<2x1x8x4xf32>
    %layers.1.moe.experts.gate_up.broadcast.6 = stablehlo.broadcast_in_dim %layers.1.moe.experts.gate_up.reshape.4, dims = [0, 2, 3, 5] : (tensor<2x1x8x4xf32>) -> tensor<2x4x1x8x16x4xf32>
    %layers.1.moe.experts.gate_up.mul.3 = stablehlo.multiply %layers.1.moe.experts.gate_up.add.1, %layers.1.moe.experts.gate_up.broadcast.6 : tensor<2x4x1x8x16x4xf32>
    %layers.1.moe.experts.gate_up.add.2 = stablehlo.add %layers.1.moe.experts.gate_up.mul.2, %layers.1.moe.experts.gate_up.mul.3 : tensor<2x4x1x8x16x4xf32>
    %layers.1.moe.experts.gate_up.reduce_add = stablehlo.reduce(%layers.1.moe.experts.gate_up.add.2 init: %$add_f32) applies stablehlo.add across dimensions = [2, 3, 5] : (tensor<2x4x1x8x16x4xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %layers.1.moe.experts.gate_up.reshape.5 = stablehlo.reshape %layers.1.moe.experts.gate_up.reduce_add : (tensor<2x4x16xf32>) -> tensor<1x2x64xf32>
    %layers.1.moe.experts.gate.slice = stablehlo.slice %layers.1.moe.experts.gate_up.reshape.5 [0:1, 0:2, 0:32] : (tensor<1x2x64xf32>) -> tensor<1x2x32xf32>
    %layers.1.moe.experts.up.slice = stablehlo.slice %layers.1.moe.experts.gate_up.reshape.5 [0:1, 0:2, 32:64] : (tensor<1x2x64xf32>) -> tensor<1x2x32xf32>
    %layers.1.moe.experts.logistic = stablehlo.logistic %layers.1.moe.experts.gate.slice : tensor<1x2x32xf32>
    %layers.1.moe.experts.mul = stablehlo.multiply %layers.1.moe.experts.gate.slice, %layers.1.moe.experts.logistic : tensor<1x2x32xf32>
    %layers.1.moe.experts.mul.1 = stablehlo.multiply %layers.1.moe.experts.mul, %layers.1.moe.experts.up.slice : tensor<1x2x32xf32>
    %layers.1.moe.experts.down.broadcast = stablehlo.broadcast_in_dim %layers.1.moe.experts.reduce_add, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<1x2x4xi32>
    %layers.1.moe.experts.down.const = stablehlo.constant dense<4> : tensor<1x2x4xi32>
    %layers.1.moe.experts.down.mul = stablehlo.multiply %layers.1.moe.experts.down.broadcast, %layers.1.moe.experts.down.const : tensor<1x2x4xi32>
    %layers.1.moe.experts.down.reshape = stablehlo.reshape %layers.1.moe.experts.down.weight : (tensor<4x4x32x16xbf16>) -> tensor<16x32x16xbf16>
    %layers.1.moe.experts.down.iota = stablehlo.iota dim = 2 : tensor<1x2x4xi32>
    %layers.1.moe.experts.down.add = stablehlo.add %layers.1.moe.experts.down.mul, %layers.1.moe.experts.down.iota : tensor<1x2x4xi32>
    %layers.1.moe.experts.down.gather_rows = "stablehlo.gather"(%layers.1.moe.experts.down.reshape, %layers.1.moe.experts.down.add) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32, 16>}> : (tensor<16x32x16xbf16>, tensor<1x2x4xi32>) -> tensor<1x2x4x32x16xbf16>
    %layers.1.moe.experts.down.convert = stablehlo.convert %layers.1.moe.experts.down.gather_rows : (tensor<1x2x4x32x16xbf16>) -> tensor<1x2x4x32x16xf32>
    %layers.1.moe.experts.down.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.moe.experts.mul.1, dims = [0, 1, 3] : (tensor<1x2x32xf32>) -> tensor<1x2x4x32x16xf32>
    %layers.1.moe.experts.down.mul.1 = stablehlo.multiply %layers.1.moe.experts.down.convert, %layers.1.moe.experts.down.broadcast.1 : tensor<1x2x4x32x16xf32>
    %layers.1.moe.experts.down.reduce_add = stablehlo.reduce(%layers.1.moe.experts.down.mul.1 init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<1x2x4x32x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %layers.1.moe.experts.down.reshape.1 = stablehlo.reshape %layers.1.moe.experts.down.reduce_add : (tensor<1x2x4x16xf32>) -> tensor<1x2x64xf32>
    %layers.1.moe.experts.broadcast = stablehlo.broadcast_in_dim %layers.1.moe.router.div.1, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<1x2x64xf32>
    %layers.1.moe.experts.mul.2 = stablehlo.multiply %layers.1.moe.experts.down.reshape.1, %layers.1.moe.experts.broadcast : tensor<1x2x64xf32>
    %layers.1.moe.experts.reduce_add.1 = stablehlo.reduce(%layers.1.moe.experts.mul.2 init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x2x64xf32>, tensor<f32>) -> tensor<1x64xf32>
    %layers.1.add.1 = stablehlo.add %layers.1.add, %layers.1.moe.experts.reduce_add.1 : tensor<1x64xf32>
    %head.mul = stablehlo.multiply %layers.1.add.1, %layers.1.add.1 : tensor<1x64xf32>
    %head.reduce_add = stablehlo.reduce(%head.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64xf32>, tensor<f32>) -> tensor<1xf32>
    %head.const = stablehlo.constant dense<64.0> : tensor<1xf32>
    %head.div = stablehlo.divide %head.reduce_add, %head.const : tensor<1xf32>
    %head.const.1 = stablehlo.constant dense<0.001> : tensor<1xf32>
    %head.add = stablehlo.add %head.div, %head.const.1 : tensor<1xf32>
    %head.rsqrt = stablehlo.rsqrt %head.add : tensor<1xf32>
    %head.broadcast = stablehlo.broadcast_in_dim %head.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x64xf32>
    %head.mul.1 = stablehlo.multiply %layers.1.add.1, %head.broadcast : tensor<1x64xf32>
    %head.broadcast.1 = stablehlo.broadcast_in_dim %norm.weight, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %head.mul.2 = stablehlo.multiply %head.mul.1, %head.broadcast.1 : tensor<1x64xf32>
    %head.convert = stablehlo.convert %head.weight.scale : (tensor<16x1x16xf16>) -> tensor<16x1x16xf32>
    %head.convert.1 = stablehlo.convert %head.weight.offset : (tensor<16x1x16xf16>) -> tensor<16x1x16xf32>
    %head.reshape = stablehlo.reshape %head.weight.q : (tensor<16x1x16x16x4xui8>) -> tensor<1x16x1x16x16x4xui8>
    %head.reshape.1 = stablehlo.reshape %head.convert : (tensor<16x1x16xf32>) -> tensor<1x16x1x16xf32>
    %head.reshape.2 = stablehlo.reshape %head.convert.1 : (tensor<16x1x16xf32>) -> tensor<1x16x1x16xf32>
    %head.convert.2 = stablehlo.convert %head.reshape : (tensor<1x16x1x16x16x4xui8>) -> tensor<1x16x1x16x16x4xf32>
    %head.broadcast.2 = stablehlo.broadcast_in_dim %head.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x16x1x16xf32>) -> tensor<1x16x1x16x16x4xf32>
    %head.mul.3 = stablehlo.multiply %head.convert.2, %head.broadcast.2 : tensor<1x16x1x16x16x4xf32>
    %head.broadcast.3 = stablehlo.broadcast_in_dim %head.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x16x1x16xf32>) -> tensor<1x16x1x16x16x4xf32>
    %head.add.1 = stablehlo.add %head.mul.3, %head.broadcast.3 : tensor<1x16x1x16x16x4xf32>
    %head.reshape.3 = stablehlo.reshape %head.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x16x4xf32>
    %head.broadcast.4 = stablehlo.broadcast_in_dim %head.reshape.3, dims = [0, 2, 3, 5] : (tensor<1x1x16x4xf32>) -> tensor<1x16x1x16x16x4xf32>
    %head.mul.4 = stablehlo.multiply %head.add.1, %head.broadcast.4 : tensor<1x16x1x16x16x4xf32>
    %head.reduce_add.1 = stablehlo.reduce(%head.mul.4 init: %$add_f32) applies stablehlo.add across dimensions = [2, 3, 5] : (tensor<1x16x1x16x16x4xf32>, tensor<f32>) -> tensor<1x16x16xf32>
    %head.reshape.4 = stablehlo.reshape %head.reduce_add.1 : (tensor<1x16x16xf32>) -> tensor<1x256xf32>
    %head.argmax$max = stablehlo.reduce(%head.reshape.4 init: %$max_f32) applies stablehlo.maximum across dimensions = [1] : (tensor<1x256xf32>, tensor<f32>) -> tensor<1xf32>
    %head.argmax$bound = stablehlo.broadcast_in_dim %head.argmax$max, dims = [0] : (tensor<1xf32>) -> tensor<1x256xf32>
    %head.argmax$hit = stablehlo.compare EQ, %head.reshape.4, %head.argmax$bound : (tensor<1x256xf32>, tensor<1x256xf32>) -> tensor<1x256xi1>
    %head.argmax$nan = stablehlo.compare NE, %head.reshape.4, %head.reshape.4 : (tensor<1x256xf32>, tensor<1x256xf32>) -> tensor<1x256xi1>
    %head.argmax$any = stablehlo.or %head.argmax$hit, %head.argmax$nan : tensor<1x256xi1>
    %head.argmax$index = stablehlo.iota dim = 1 : tensor<1x256xi32>
    %head.argmax$never = stablehlo.constant dense<2147483647> : tensor<1x256xi32>
    %head.argmax$hits = stablehlo.select %head.argmax$any, %head.argmax$index, %head.argmax$never : tensor<1x256xi1>, tensor<1x256xi32>
    %head.argmax = stablehlo.reduce(%head.argmax$hits init: %$min_i32) applies stablehlo.minimum across dimensions = [1] : (tensor<1x256xi32>, tensor<i32>) -> tensor<1xi32>
    %head.reshape.5 = stablehlo.reshape %head.reduce_add.1 : (tensor<1x16x16xf32>) -> tensor<256xf32>
    return
      %head.argmax,
      %head.reshape.5,
      %layers.0.attn.scatter_rows,
      %layers.0.attn.scatter_rows.1,
      %layers.1.attn.scatter_rows,
      %layers.1.attn.scatter_rows.1
      :
      tensor<1xi32>,
      tensor<256xf32>,
      tensor<79x2x32xf32>,
      tensor<79x2x32xf32>,
      tensor<79x2x32xf32>,
      tensor<79x2x32xf32>
  }
}
