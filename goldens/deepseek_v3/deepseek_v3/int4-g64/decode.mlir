module @decode {
  util.global private @rope.cos = #flow.parameter.named<"model"::"rope.cos"> : tensor<64x4xf32>
  util.global private @rope.sin = #flow.parameter.named<"model"::"rope.sin"> : tensor<64x4xf32>
  util.global private @embed.weight.q = #flow.parameter.named<"model"::"embed.weight.q"> : tensor<16x1x16x16x4xi8>
  util.global private @embed.weight.scale = #flow.parameter.named<"model"::"embed.weight.scale"> : tensor<16x1x16xf16>
  util.global private @embed.weight.offset = #flow.parameter.named<"model"::"embed.weight.offset"> : tensor<16x1x16xf16>
  util.global private @layers.0.attn_norm.weight = #flow.parameter.named<"model"::"layers.0.attn_norm.weight"> : tensor<64xf32>
  util.global private @layers.0.attn.q_a.weight.q = #flow.parameter.named<"model"::"layers.0.attn.q_a.weight.q"> : tensor<3x1x8x16x4xi8>
  util.global private @layers.0.attn.q_a.weight.scale = #flow.parameter.named<"model"::"layers.0.attn.q_a.weight.scale"> : tensor<3x1x16xf16>
  util.global private @layers.0.attn.q_a.weight.offset = #flow.parameter.named<"model"::"layers.0.attn.q_a.weight.offset"> : tensor<3x1x16xf16>
  util.global private @layers.0.attn.q_a_norm.weight = #flow.parameter.named<"model"::"layers.0.attn.q_a_norm.weight"> : tensor<48xf32>
  util.global private @layers.0.attn.q_b.weight = #flow.parameter.named<"model"::"layers.0.attn.q_b.weight"> : tensor<3x48x32xbf16>
  util.global private @layers.0.attn.k_up.weight = #flow.parameter.named<"model"::"layers.0.attn.k_up.weight"> : tensor<4x16x32xbf16>
  util.global private @layers.0.attn.kv_a.weight.q = #flow.parameter.named<"model"::"layers.0.attn.kv_a.weight.q"> : tensor<3x1x8x16x4xi8>
  util.global private @layers.0.attn.kv_a.weight.scale = #flow.parameter.named<"model"::"layers.0.attn.kv_a.weight.scale"> : tensor<3x1x16xf16>
  util.global private @layers.0.attn.kv_a.weight.offset = #flow.parameter.named<"model"::"layers.0.attn.kv_a.weight.offset"> : tensor<3x1x16xf16>
  util.global private @layers.0.attn.kv_a_norm.weight = #flow.parameter.named<"model"::"layers.0.attn.kv_a_norm.weight"> : tensor<32xf32>
  util.global private @layers.0.attn.v_up.weight = #flow.parameter.named<"model"::"layers.0.attn.v_up.weight"> : tensor<4x1x32x16xbf16>
  util.global private @layers.0.attn.o.weight.q = #flow.parameter.named<"model"::"layers.0.attn.o.weight.q"> : tensor<4x1x8x16x4xi8>
  util.global private @layers.0.attn.o.weight.scale = #flow.parameter.named<"model"::"layers.0.attn.o.weight.scale"> : tensor<4x1x16xf16>
  util.global private @layers.0.attn.o.weight.offset = #flow.parameter.named<"model"::"layers.0.attn.o.weight.offset"> : tensor<4x1x16xf16>
  util.global private @layers.0.mlp_norm.weight = #flow.parameter.named<"model"::"layers.0.mlp_norm.weight"> : tensor<64xf32>
  util.global private @layers.0.mlp.gate_up.weight.q = #flow.parameter.named<"model"::"layers.0.mlp.gate_up.weight.q"> : tensor<8x1x8x16x4xi8>
  util.global private @layers.0.mlp.gate_up.weight.scale = #flow.parameter.named<"model"::"layers.0.mlp.gate_up.weight.scale"> : tensor<8x1x16xf16>
  util.global private @layers.0.mlp.gate_up.weight.offset = #flow.parameter.named<"model"::"layers.0.mlp.gate_up.weight.offset"> : tensor<8x1x16xf16>
  util.global private @layers.0.mlp.down.weight.q = #flow.parameter.named<"model"::"layers.0.mlp.down.weight.q"> : tensor<4x1x8x16x4xi8>
  util.global private @layers.0.mlp.down.weight.scale = #flow.parameter.named<"model"::"layers.0.mlp.down.weight.scale"> : tensor<4x1x16xf16>
  util.global private @layers.0.mlp.down.weight.offset = #flow.parameter.named<"model"::"layers.0.mlp.down.weight.offset"> : tensor<4x1x16xf16>
  util.global private @layers.1.attn_norm.weight = #flow.parameter.named<"model"::"layers.1.attn_norm.weight"> : tensor<64xf32>
  util.global private @layers.1.attn.q_a.weight.q = #flow.parameter.named<"model"::"layers.1.attn.q_a.weight.q"> : tensor<3x1x8x16x4xi8>
  util.global private @layers.1.attn.q_a.weight.scale = #flow.parameter.named<"model"::"layers.1.attn.q_a.weight.scale"> : tensor<3x1x16xf16>
  util.global private @layers.1.attn.q_a.weight.offset = #flow.parameter.named<"model"::"layers.1.attn.q_a.weight.offset"> : tensor<3x1x16xf16>
  util.global private @layers.1.attn.q_a_norm.weight = #flow.parameter.named<"model"::"layers.1.attn.q_a_norm.weight"> : tensor<48xf32>
  util.global private @layers.1.attn.q_b.weight = #flow.parameter.named<"model"::"layers.1.attn.q_b.weight"> : tensor<3x48x32xbf16>
  util.global private @layers.1.attn.k_up.weight = #flow.parameter.named<"model"::"layers.1.attn.k_up.weight"> : tensor<4x16x32xbf16>
  util.global private @layers.1.attn.kv_a.weight.q = #flow.parameter.named<"model"::"layers.1.attn.kv_a.weight.q"> : tensor<3x1x8x16x4xi8>
  util.global private @layers.1.attn.kv_a.weight.scale = #flow.parameter.named<"model"::"layers.1.attn.kv_a.weight.scale"> : tensor<3x1x16xf16>
  util.global private @layers.1.attn.kv_a.weight.offset = #flow.parameter.named<"model"::"layers.1.attn.kv_a.weight.offset"> : tensor<3x1x16xf16>
  util.global private @layers.1.attn.kv_a_norm.weight = #flow.parameter.named<"model"::"layers.1.attn.kv_a_norm.weight"> : tensor<32xf32>
  util.global private @layers.1.attn.v_up.weight = #flow.parameter.named<"model"::"layers.1.attn.v_up.weight"> : tensor<4x1x32x16xbf16>
  util.global private @layers.1.attn.o.weight.q = #flow.parameter.named<"model"::"layers.1.attn.o.weight.q"> : tensor<4x1x8x16x4xi8>
  util.global private @layers.1.attn.o.weight.scale = #flow.parameter.named<"model"::"layers.1.attn.o.weight.scale"> : tensor<4x1x16xf16>
  util.global private @layers.1.attn.o.weight.offset = #flow.parameter.named<"model"::"layers.1.attn.o.weight.offset"> : tensor<4x1x16xf16>
  util.global private @layers.1.mlp_norm.weight = #flow.parameter.named<"model"::"layers.1.mlp_norm.weight"> : tensor<64xf32>
  util.global private @layers.1.moe.router.weight = #flow.parameter.named<"model"::"layers.1.moe.router.weight"> : tensor<1x64x8xbf16>
  util.global private @layers.1.moe.correction = #flow.parameter.named<"model"::"layers.1.moe.correction"> : tensor<8xf32>
  util.global private @layers.1.moe.experts.gate_up.weight.q = #flow.parameter.named<"model"::"layers.1.moe.experts.gate_up.weight.q"> : tensor<8x4x1x8x16x4xi8>
  util.global private @layers.1.moe.experts.gate_up.weight.scale = #flow.parameter.named<"model"::"layers.1.moe.experts.gate_up.weight.scale"> : tensor<8x4x1x16xf16>
  util.global private @layers.1.moe.experts.gate_up.weight.offset = #flow.parameter.named<"model"::"layers.1.moe.experts.gate_up.weight.offset"> : tensor<8x4x1x16xf16>
  util.global private @layers.1.moe.experts.down.weight = #flow.parameter.named<"model"::"layers.1.moe.experts.down.weight"> : tensor<8x4x32x16xbf16>
  util.global private @layers.1.moe.shared.gate_up.weight.q = #flow.parameter.named<"model"::"layers.1.moe.shared.gate_up.weight.q"> : tensor<4x1x8x16x4xi8>
  util.global private @layers.1.moe.shared.gate_up.weight.scale = #flow.parameter.named<"model"::"layers.1.moe.shared.gate_up.weight.scale"> : tensor<4x1x16xf16>
  util.global private @layers.1.moe.shared.gate_up.weight.offset = #flow.parameter.named<"model"::"layers.1.moe.shared.gate_up.weight.offset"> : tensor<4x1x16xf16>
  util.global private @layers.1.moe.shared.down.weight = #flow.parameter.named<"model"::"layers.1.moe.shared.down.weight"> : tensor<2x32x32xbf16>
  util.global private @norm.weight = #flow.parameter.named<"model"::"norm.weight"> : tensor<64xf32>
  util.global private @head.weight.q = #flow.parameter.named<"model"::"head.weight.q"> : tensor<16x1x16x16x4xi8>
  util.global private @head.weight.scale = #flow.parameter.named<"model"::"head.weight.scale"> : tensor<16x1x16xf16>
  util.global private @head.weight.offset = #flow.parameter.named<"model"::"head.weight.offset"> : tensor<16x1x16xf16>
  func.func public @decode(
    %token: tensor<1xi32>,
    %position: tensor<1xi32>,
    %kv_0_k: tensor<79x1x40xf32> {tf.aliasing_output = 2 : i32}, // kv.0.k
    %kv_1_k: tensor<79x1x40xf32> {tf.aliasing_output = 3 : i32} // kv.1.k
  ) -> (
    tensor<1xi32>, // next_id
    tensor<256xf32>, // logits
    tensor<79x1x40xf32>, // kv.0.k
    tensor<79x1x40xf32> // kv.1.k
  ) {
    %rope.cos = util.global.load @rope.cos : tensor<64x4xf32>
    %rope.sin = util.global.load @rope.sin : tensor<64x4xf32>
    %embed.weight.q$i8 = util.global.load @embed.weight.q : tensor<16x1x16x16x4xi8>
    %embed.weight.scale = util.global.load @embed.weight.scale : tensor<16x1x16xf16>
    %embed.weight.offset = util.global.load @embed.weight.offset : tensor<16x1x16xf16>
    %layers.0.attn_norm.weight = util.global.load @layers.0.attn_norm.weight : tensor<64xf32>
    %layers.0.attn.q_a.weight.q$i8 = util.global.load @layers.0.attn.q_a.weight.q : tensor<3x1x8x16x4xi8>
    %layers.0.attn.q_a.weight.scale = util.global.load @layers.0.attn.q_a.weight.scale : tensor<3x1x16xf16>
    %layers.0.attn.q_a.weight.offset = util.global.load @layers.0.attn.q_a.weight.offset : tensor<3x1x16xf16>
    %layers.0.attn.q_a_norm.weight = util.global.load @layers.0.attn.q_a_norm.weight : tensor<48xf32>
    %layers.0.attn.q_b.weight = util.global.load @layers.0.attn.q_b.weight : tensor<3x48x32xbf16>
    %layers.0.attn.k_up.weight = util.global.load @layers.0.attn.k_up.weight : tensor<4x16x32xbf16>
    %layers.0.attn.kv_a.weight.q$i8 = util.global.load @layers.0.attn.kv_a.weight.q : tensor<3x1x8x16x4xi8>
    %layers.0.attn.kv_a.weight.scale = util.global.load @layers.0.attn.kv_a.weight.scale : tensor<3x1x16xf16>
    %layers.0.attn.kv_a.weight.offset = util.global.load @layers.0.attn.kv_a.weight.offset : tensor<3x1x16xf16>
    %layers.0.attn.kv_a_norm.weight = util.global.load @layers.0.attn.kv_a_norm.weight : tensor<32xf32>
    %layers.0.attn.v_up.weight = util.global.load @layers.0.attn.v_up.weight : tensor<4x1x32x16xbf16>
    %layers.0.attn.o.weight.q$i8 = util.global.load @layers.0.attn.o.weight.q : tensor<4x1x8x16x4xi8>
    %layers.0.attn.o.weight.scale = util.global.load @layers.0.attn.o.weight.scale : tensor<4x1x16xf16>
    %layers.0.attn.o.weight.offset = util.global.load @layers.0.attn.o.weight.offset : tensor<4x1x16xf16>
    %layers.0.mlp_norm.weight = util.global.load @layers.0.mlp_norm.weight : tensor<64xf32>
    %layers.0.mlp.gate_up.weight.q$i8 = util.global.load @layers.0.mlp.gate_up.weight.q : tensor<8x1x8x16x4xi8>
    %layers.0.mlp.gate_up.weight.scale = util.global.load @layers.0.mlp.gate_up.weight.scale : tensor<8x1x16xf16>
    %layers.0.mlp.gate_up.weight.offset = util.global.load @layers.0.mlp.gate_up.weight.offset : tensor<8x1x16xf16>
    %layers.0.mlp.down.weight.q$i8 = util.global.load @layers.0.mlp.down.weight.q : tensor<4x1x8x16x4xi8>
    %layers.0.mlp.down.weight.scale = util.global.load @layers.0.mlp.down.weight.scale : tensor<4x1x16xf16>
    %layers.0.mlp.down.weight.offset = util.global.load @layers.0.mlp.down.weight.offset : tensor<4x1x16xf16>
    %layers.1.attn_norm.weight = util.global.load @layers.1.attn_norm.weight : tensor<64xf32>
    %layers.1.attn.q_a.weight.q$i8 = util.global.load @layers.1.attn.q_a.weight.q : tensor<3x1x8x16x4xi8>
    %layers.1.attn.q_a.weight.scale = util.global.load @layers.1.attn.q_a.weight.scale : tensor<3x1x16xf16>
    %layers.1.attn.q_a.weight.offset = util.global.load @layers.1.attn.q_a.weight.offset : tensor<3x1x16xf16>
    %layers.1.attn.q_a_norm.weight = util.global.load @layers.1.attn.q_a_norm.weight : tensor<48xf32>
    %layers.1.attn.q_b.weight = util.global.load @layers.1.attn.q_b.weight : tensor<3x48x32xbf16>
    %layers.1.attn.k_up.weight = util.global.load @layers.1.attn.k_up.weight : tensor<4x16x32xbf16>
    %layers.1.attn.kv_a.weight.q$i8 = util.global.load @layers.1.attn.kv_a.weight.q : tensor<3x1x8x16x4xi8>
    %layers.1.attn.kv_a.weight.scale = util.global.load @layers.1.attn.kv_a.weight.scale : tensor<3x1x16xf16>
    %layers.1.attn.kv_a.weight.offset = util.global.load @layers.1.attn.kv_a.weight.offset : tensor<3x1x16xf16>
    %layers.1.attn.kv_a_norm.weight = util.global.load @layers.1.attn.kv_a_norm.weight : tensor<32xf32>
    %layers.1.attn.v_up.weight = util.global.load @layers.1.attn.v_up.weight : tensor<4x1x32x16xbf16>
    %layers.1.attn.o.weight.q$i8 = util.global.load @layers.1.attn.o.weight.q : tensor<4x1x8x16x4xi8>
    %layers.1.attn.o.weight.scale = util.global.load @layers.1.attn.o.weight.scale : tensor<4x1x16xf16>
    %layers.1.attn.o.weight.offset = util.global.load @layers.1.attn.o.weight.offset : tensor<4x1x16xf16>
    %layers.1.mlp_norm.weight = util.global.load @layers.1.mlp_norm.weight : tensor<64xf32>
    %layers.1.moe.router.weight = util.global.load @layers.1.moe.router.weight : tensor<1x64x8xbf16>
    %layers.1.moe.correction = util.global.load @layers.1.moe.correction : tensor<8xf32>
    %layers.1.moe.experts.gate_up.weight.q$i8 = util.global.load @layers.1.moe.experts.gate_up.weight.q : tensor<8x4x1x8x16x4xi8>
    %layers.1.moe.experts.gate_up.weight.scale = util.global.load @layers.1.moe.experts.gate_up.weight.scale : tensor<8x4x1x16xf16>
    %layers.1.moe.experts.gate_up.weight.offset = util.global.load @layers.1.moe.experts.gate_up.weight.offset : tensor<8x4x1x16xf16>
    %layers.1.moe.experts.down.weight = util.global.load @layers.1.moe.experts.down.weight : tensor<8x4x32x16xbf16>
    %layers.1.moe.shared.gate_up.weight.q$i8 = util.global.load @layers.1.moe.shared.gate_up.weight.q : tensor<4x1x8x16x4xi8>
    %layers.1.moe.shared.gate_up.weight.scale = util.global.load @layers.1.moe.shared.gate_up.weight.scale : tensor<4x1x16xf16>
    %layers.1.moe.shared.gate_up.weight.offset = util.global.load @layers.1.moe.shared.gate_up.weight.offset : tensor<4x1x16xf16>
    %layers.1.moe.shared.down.weight = util.global.load @layers.1.moe.shared.down.weight : tensor<2x32x32xbf16>
    %norm.weight = util.global.load @norm.weight : tensor<64xf32>
    %head.weight.q$i8 = util.global.load @head.weight.q : tensor<16x1x16x16x4xi8>
    %head.weight.scale = util.global.load @head.weight.scale : tensor<16x1x16xf16>
    %head.weight.offset = util.global.load @head.weight.offset : tensor<16x1x16xf16>
    %embed.weight.q = stablehlo.bitcast_convert %embed.weight.q$i8 : (tensor<16x1x16x16x4xi8>) -> tensor<16x1x16x16x4xui8>
    %layers.0.attn.q_a.weight.q = stablehlo.bitcast_convert %layers.0.attn.q_a.weight.q$i8 : (tensor<3x1x8x16x4xi8>) -> tensor<3x1x8x16x4xui8>
    %layers.0.attn.kv_a.weight.q = stablehlo.bitcast_convert %layers.0.attn.kv_a.weight.q$i8 : (tensor<3x1x8x16x4xi8>) -> tensor<3x1x8x16x4xui8>
    %layers.0.attn.o.weight.q = stablehlo.bitcast_convert %layers.0.attn.o.weight.q$i8 : (tensor<4x1x8x16x4xi8>) -> tensor<4x1x8x16x4xui8>
    %layers.0.mlp.gate_up.weight.q = stablehlo.bitcast_convert %layers.0.mlp.gate_up.weight.q$i8 : (tensor<8x1x8x16x4xi8>) -> tensor<8x1x8x16x4xui8>
    %layers.0.mlp.down.weight.q = stablehlo.bitcast_convert %layers.0.mlp.down.weight.q$i8 : (tensor<4x1x8x16x4xi8>) -> tensor<4x1x8x16x4xui8>
    %layers.1.attn.q_a.weight.q = stablehlo.bitcast_convert %layers.1.attn.q_a.weight.q$i8 : (tensor<3x1x8x16x4xi8>) -> tensor<3x1x8x16x4xui8>
    %layers.1.attn.kv_a.weight.q = stablehlo.bitcast_convert %layers.1.attn.kv_a.weight.q$i8 : (tensor<3x1x8x16x4xi8>) -> tensor<3x1x8x16x4xui8>
    %layers.1.attn.o.weight.q = stablehlo.bitcast_convert %layers.1.attn.o.weight.q$i8 : (tensor<4x1x8x16x4xi8>) -> tensor<4x1x8x16x4xui8>
    %layers.1.moe.experts.gate_up.weight.q = stablehlo.bitcast_convert %layers.1.moe.experts.gate_up.weight.q$i8 : (tensor<8x4x1x8x16x4xi8>) -> tensor<8x4x1x8x16x4xui8>
    %layers.1.moe.shared.gate_up.weight.q = stablehlo.bitcast_convert %layers.1.moe.shared.gate_up.weight.q$i8 : (tensor<4x1x8x16x4xi8>) -> tensor<4x1x8x16x4xui8>
    %head.weight.q = stablehlo.bitcast_convert %head.weight.q$i8 : (tensor<16x1x16x16x4xi8>) -> tensor<16x1x16x16x4xui8>
    %$add_u8 = stablehlo.constant dense<0> : tensor<ui8>
    %$add_f32 = stablehlo.constant dense<0.0> : tensor<f32>
    %$max_f32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %$add_i32 = stablehlo.constant dense<0> : tensor<i32>
    %$min_i32 = stablehlo.constant dense<2147483647> : tensor<i32>
    %rope.gather_rows = "stablehlo.gather"(%rope.cos, %position) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<64x4xf32>, tensor<1xi32>) -> tensor<1x4xf32>
    %rope.gather_rows.1 = "stablehlo.gather"(%rope.sin, %position) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<64x4xf32>, tensor<1xi32>) -> tensor<1x4xf32>
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
    %layers.0.attn.q_a.convert = stablehlo.convert %layers.0.attn.q_a.weight.scale : (tensor<3x1x16xf16>) -> tensor<3x1x16xf32>
    %layers.0.attn.q_a.convert.1 = stablehlo.convert %layers.0.attn.q_a.weight.offset : (tensor<3x1x16xf16>) -> tensor<3x1x16xf32>
    %layers.0.attn.q_a.reshape = stablehlo.reshape %layers.0.attn.q_a.weight.q : (tensor<3x1x8x16x4xui8>) -> tensor<1x3x1x8x16x4xui8>
    %layers.0.attn.q_a.reshape.1 = stablehlo.reshape %layers.0.attn.q_a.convert : (tensor<3x1x16xf32>) -> tensor<1x3x1x16xf32>
    %layers.0.attn.q_a.reshape.2 = stablehlo.reshape %layers.0.attn.q_a.convert.1 : (tensor<3x1x16xf32>) -> tensor<1x3x1x16xf32>
    %layers.0.attn.q_a.const = stablehlo.constant dense<15> : tensor<1x3x1x8x16x4xui8>
    %layers.0.attn.q_a.and = stablehlo.and %layers.0.attn.q_a.reshape, %layers.0.attn.q_a.const : tensor<1x3x1x8x16x4xui8>
    %layers.0.attn.q_a.convert.2 = stablehlo.convert %layers.0.attn.q_a.and : (tensor<1x3x1x8x16x4xui8>) -> tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.q_a.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.q_a.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x3x1x16xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.q_a.mul = stablehlo.multiply %layers.0.attn.q_a.convert.2, %layers.0.attn.q_a.broadcast : tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.q_a.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.q_a.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x3x1x16xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.q_a.add = stablehlo.add %layers.0.attn.q_a.mul, %layers.0.attn.q_a.broadcast.1 : tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.q_a.const.1 = stablehlo.constant dense<4> : tensor<1x3x1x8x16x4xui8>
    %layers.0.attn.q_a.shr = stablehlo.shift_right_logical %layers.0.attn.q_a.reshape, %layers.0.attn.q_a.const.1 : tensor<1x3x1x8x16x4xui8>
    %layers.0.attn.q_a.convert.3 = stablehlo.convert %layers.0.attn.q_a.shr : (tensor<1x3x1x8x16x4xui8>) -> tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.q_a.broadcast.2 = stablehlo.broadcast_in_dim %layers.0.attn.q_a.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x3x1x16xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.q_a.mul.1 = stablehlo.multiply %layers.0.attn.q_a.convert.3, %layers.0.attn.q_a.broadcast.2 : tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.q_a.broadcast.3 = stablehlo.broadcast_in_dim %layers.0.attn.q_a.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x3x1x16xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.q_a.add.1 = stablehlo.add %layers.0.attn.q_a.mul.1, %layers.0.attn.q_a.broadcast.3 : tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.q_a.reshape.3 = stablehlo.reshape %layers.0.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.0.attn.q_a.slice = stablehlo.slice %layers.0.attn.q_a.reshape.3 [0:1, 0:1, 0:1, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.0.attn.q_a.reshape.4 = stablehlo.reshape %layers.0.attn.q_a.slice : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.0.attn.q_a.broadcast.4 = stablehlo.broadcast_in_dim %layers.0.attn.q_a.reshape.4, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.q_a.mul.2 = stablehlo.multiply %layers.0.attn.q_a.add, %layers.0.attn.q_a.broadcast.4 : tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.q_a.reshape.5 = stablehlo.reshape %layers.0.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.0.attn.q_a.slice.1 = stablehlo.slice %layers.0.attn.q_a.reshape.5 [0:1, 0:1, 1:2, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.0.attn.q_a.reshape.6 = stablehlo.reshape %layers.0.attn.q_a.slice.1 : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.0.attn.q_a.broadcast.5 = stablehlo.broadcast_in_dim %layers.0.attn.q_a.reshape.6, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.q_a.mul.3 = stablehlo.multiply %layers.0.attn.q_a.add.1, %layers.0.attn.q_a.broadcast.5 : tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.q_a.add.2 = stablehlo.add %layers.0.attn.q_a.mul.2, %layers.0.attn.q_a.mul.3 : tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.q_a.reduce_add = stablehlo.reduce(%layers.0.attn.q_a.add.2 init: %$add_f32) applies stablehlo.add across dimensions = [2, 3, 5] : (tensor<1x3x1x8x16x4xf32>, tensor<f32>) -> tensor<1x3x16xf32>
    %layers.0.attn.q_a.reshape.7 = stablehlo.reshape %layers.0.attn.q_a.reduce_add : (tensor<1x3x16xf32>) -> tensor<1x48xf32>
    %layers.0.attn.q_a_norm.mul = stablehlo.multiply %layers.0.attn.q_a.reshape.7, %layers.0.attn.q_a.reshape.7 : tensor<1x48xf32>
    %layers.0.attn.q_a_norm.reduce_add = stablehlo.reduce(%layers.0.attn.q_a_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x48xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.0.attn.q_a_norm.const = stablehlo.constant dense<48.0> : tensor<1xf32>
    %layers.0.attn.q_a_norm.div = stablehlo.divide %layers.0.attn.q_a_norm.reduce_add, %layers.0.attn.q_a_norm.const : tensor<1xf32>
    %layers.0.attn.q_a_norm.const.1 = stablehlo.constant dense<1.0e-06> : tensor<1xf32>
    %layers.0.attn.q_a_norm.add = stablehlo.add %layers.0.attn.q_a_norm.div, %layers.0.attn.q_a_norm.const.1 : tensor<1xf32>
    %layers.0.attn.q_a_norm.rsqrt = stablehlo.rsqrt %layers.0.attn.q_a_norm.add : tensor<1xf32>
    %layers.0.attn.q_a_norm.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.q_a_norm.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x48xf32>
    %layers.0.attn.q_a_norm.mul.1 = stablehlo.multiply %layers.0.attn.q_a.reshape.7, %layers.0.attn.q_a_norm.broadcast : tensor<1x48xf32>
    %layers.0.attn.q_a_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.q_a_norm.weight, dims = [1] : (tensor<48xf32>) -> tensor<1x48xf32>
    %layers.0.attn.q_a_norm.mul.2 = stablehlo.multiply %layers.0.attn.q_a_norm.mul.1, %layers.0.attn.q_a_norm.broadcast.1 : tensor<1x48xf32>
    %layers.0.attn.q_b.convert = stablehlo.convert %layers.0.attn.q_b.weight : (tensor<3x48x32xbf16>) -> tensor<3x48x32xf32>
    %layers.0.attn.q_b.reshape = stablehlo.reshape %layers.0.attn.q_a_norm.mul.2 : (tensor<1x48xf32>) -> tensor<48xf32>
    %layers.0.attn.q_b.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.q_b.reshape, dims = [1] : (tensor<48xf32>) -> tensor<3x48x32xf32>
    %layers.0.attn.q_b.mul = stablehlo.multiply %layers.0.attn.q_b.broadcast, %layers.0.attn.q_b.convert : tensor<3x48x32xf32>
    %layers.0.attn.q_b.reduce_add = stablehlo.reduce(%layers.0.attn.q_b.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<3x48x32xf32>, tensor<f32>) -> tensor<3x32xf32>
    %layers.0.attn.reshape = stablehlo.reshape %layers.0.attn.q_b.reduce_add : (tensor<3x32xf32>) -> tensor<1x4x24xf32>
    %layers.0.attn.slice = stablehlo.slice %layers.0.attn.reshape [0:1, 0:4, 16:24] : (tensor<1x4x24xf32>) -> tensor<1x4x8xf32>
    %layers.0.attn.reshape.1 = stablehlo.reshape %layers.0.attn.slice : (tensor<1x4x8xf32>) -> tensor<1x4x4x2xf32>
    %layers.0.attn.iota = stablehlo.iota dim = 3 : tensor<1x4x4x2xi32>
    %layers.0.attn.const = stablehlo.constant dense<0> : tensor<1x4x4x2xi32>
    %layers.0.attn.eq = stablehlo.compare EQ, %layers.0.attn.iota, %layers.0.attn.const : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi1>
    %layers.0.attn.broadcast = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x4x4x2xf32>
    %layers.0.attn.reverse = stablehlo.reverse %layers.0.attn.reshape.1, dims = [3] : tensor<1x4x4x2xf32>
    %layers.0.attn.neg = stablehlo.negate %layers.0.attn.broadcast : tensor<1x4x4x2xf32>
    %layers.0.attn.select = stablehlo.select %layers.0.attn.eq, %layers.0.attn.neg, %layers.0.attn.broadcast : tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>
    %layers.0.attn.mul = stablehlo.multiply %layers.0.attn.reverse, %layers.0.attn.select : tensor<1x4x4x2xf32>
    %layers.0.attn.broadcast.1 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x4x4x2xf32>
    %layers.0.attn.mul.1 = stablehlo.multiply %layers.0.attn.reshape.1, %layers.0.attn.broadcast.1 : tensor<1x4x4x2xf32>
    %layers.0.attn.add = stablehlo.add %layers.0.attn.mul.1, %layers.0.attn.mul : tensor<1x4x4x2xf32>
    %layers.0.attn.reshape.2 = stablehlo.reshape %layers.0.attn.add : (tensor<1x4x4x2xf32>) -> tensor<1x4x8xf32>
    %layers.0.attn.slice.1 = stablehlo.slice %layers.0.attn.reshape [0:1, 0:4, 0:16] : (tensor<1x4x24xf32>) -> tensor<1x4x16xf32>
    %layers.0.attn.k_up.convert = stablehlo.convert %layers.0.attn.k_up.weight : (tensor<4x16x32xbf16>) -> tensor<4x16x32xf32>
    %layers.0.attn.k_up.reshape = stablehlo.reshape %layers.0.attn.slice.1 : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    %layers.0.attn.k_up.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.k_up.reshape, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x32xf32>
    %layers.0.attn.k_up.mul = stablehlo.multiply %layers.0.attn.k_up.broadcast, %layers.0.attn.k_up.convert : tensor<4x16x32xf32>
    %layers.0.attn.k_up.reduce_add = stablehlo.reduce(%layers.0.attn.k_up.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<4x16x32xf32>, tensor<f32>) -> tensor<4x32xf32>
    %layers.0.attn.k_up.reshape.1 = stablehlo.reshape %layers.0.attn.k_up.reduce_add : (tensor<4x32xf32>) -> tensor<1x4x32xf32>
    %layers.0.attn.concat = stablehlo.concatenate %layers.0.attn.k_up.reshape.1, %layers.0.attn.reshape.2, dim = 2 : (tensor<1x4x32xf32>, tensor<1x4x8xf32>) -> tensor<1x4x40xf32>
    %layers.0.attn.kv_a.convert = stablehlo.convert %layers.0.attn.kv_a.weight.scale : (tensor<3x1x16xf16>) -> tensor<3x1x16xf32>
    %layers.0.attn.kv_a.convert.1 = stablehlo.convert %layers.0.attn.kv_a.weight.offset : (tensor<3x1x16xf16>) -> tensor<3x1x16xf32>
    %layers.0.attn.kv_a.reshape = stablehlo.reshape %layers.0.attn.kv_a.weight.q : (tensor<3x1x8x16x4xui8>) -> tensor<1x3x1x8x16x4xui8>
    %layers.0.attn.kv_a.reshape.1 = stablehlo.reshape %layers.0.attn.kv_a.convert : (tensor<3x1x16xf32>) -> tensor<1x3x1x16xf32>
    %layers.0.attn.kv_a.reshape.2 = stablehlo.reshape %layers.0.attn.kv_a.convert.1 : (tensor<3x1x16xf32>) -> tensor<1x3x1x16xf32>
    %layers.0.attn.kv_a.const = stablehlo.constant dense<15> : tensor<1x3x1x8x16x4xui8>
    %layers.0.attn.kv_a.and = stablehlo.and %layers.0.attn.kv_a.reshape, %layers.0.attn.kv_a.const : tensor<1x3x1x8x16x4xui8>
    %layers.0.attn.kv_a.convert.2 = stablehlo.convert %layers.0.attn.kv_a.and : (tensor<1x3x1x8x16x4xui8>) -> tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.kv_a.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.kv_a.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x3x1x16xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.kv_a.mul = stablehlo.multiply %layers.0.attn.kv_a.convert.2, %layers.0.attn.kv_a.broadcast : tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.kv_a.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.kv_a.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x3x1x16xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.kv_a.add = stablehlo.add %layers.0.attn.kv_a.mul, %layers.0.attn.kv_a.broadcast.1 : tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.kv_a.const.1 = stablehlo.constant dense<4> : tensor<1x3x1x8x16x4xui8>
    %layers.0.attn.kv_a.shr = stablehlo.shift_right_logical %layers.0.attn.kv_a.reshape, %layers.0.attn.kv_a.const.1 : tensor<1x3x1x8x16x4xui8>
    %layers.0.attn.kv_a.convert.3 = stablehlo.convert %layers.0.attn.kv_a.shr : (tensor<1x3x1x8x16x4xui8>) -> tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.kv_a.broadcast.2 = stablehlo.broadcast_in_dim %layers.0.attn.kv_a.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x3x1x16xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.kv_a.mul.1 = stablehlo.multiply %layers.0.attn.kv_a.convert.3, %layers.0.attn.kv_a.broadcast.2 : tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.kv_a.broadcast.3 = stablehlo.broadcast_in_dim %layers.0.attn.kv_a.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x3x1x16xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.kv_a.add.1 = stablehlo.add %layers.0.attn.kv_a.mul.1, %layers.0.attn.kv_a.broadcast.3 : tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.kv_a.reshape.3 = stablehlo.reshape %layers.0.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.0.attn.kv_a.slice = stablehlo.slice %layers.0.attn.kv_a.reshape.3 [0:1, 0:1, 0:1, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.0.attn.kv_a.reshape.4 = stablehlo.reshape %layers.0.attn.kv_a.slice : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.0.attn.kv_a.broadcast.4 = stablehlo.broadcast_in_dim %layers.0.attn.kv_a.reshape.4, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.kv_a.mul.2 = stablehlo.multiply %layers.0.attn.kv_a.add, %layers.0.attn.kv_a.broadcast.4 : tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.kv_a.reshape.5 = stablehlo.reshape %layers.0.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.0.attn.kv_a.slice.1 = stablehlo.slice %layers.0.attn.kv_a.reshape.5 [0:1, 0:1, 1:2, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.0.attn.kv_a.reshape.6 = stablehlo.reshape %layers.0.attn.kv_a.slice.1 : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.0.attn.kv_a.broadcast.5 = stablehlo.broadcast_in_dim %layers.0.attn.kv_a.reshape.6, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.kv_a.mul.3 = stablehlo.multiply %layers.0.attn.kv_a.add.1, %layers.0.attn.kv_a.broadcast.5 : tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.kv_a.add.2 = stablehlo.add %layers.0.attn.kv_a.mul.2, %layers.0.attn.kv_a.mul.3 : tensor<1x3x1x8x16x4xf32>
    %layers.0.attn.kv_a.reduce_add = stablehlo.reduce(%layers.0.attn.kv_a.add.2 init: %$add_f32) applies stablehlo.add across dimensions = [2, 3, 5] : (tensor<1x3x1x8x16x4xf32>, tensor<f32>) -> tensor<1x3x16xf32>
    %layers.0.attn.kv_a.reshape.7 = stablehlo.reshape %layers.0.attn.kv_a.reduce_add : (tensor<1x3x16xf32>) -> tensor<1x48xf32>
    %layers.0.attn.kv_a.slice.2 = stablehlo.slice %layers.0.attn.kv_a.reshape.7 [0:1, 0:40] : (tensor<1x48xf32>) -> tensor<1x40xf32>
    %layers.0.attn.slice.2 = stablehlo.slice %layers.0.attn.kv_a.slice.2 [0:1, 0:32] : (tensor<1x40xf32>) -> tensor<1x32xf32>
    %layers.0.attn.kv_a_norm.mul = stablehlo.multiply %layers.0.attn.slice.2, %layers.0.attn.slice.2 : tensor<1x32xf32>
    %layers.0.attn.kv_a_norm.reduce_add = stablehlo.reduce(%layers.0.attn.kv_a_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x32xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.0.attn.kv_a_norm.const = stablehlo.constant dense<32.0> : tensor<1xf32>
    %layers.0.attn.kv_a_norm.div = stablehlo.divide %layers.0.attn.kv_a_norm.reduce_add, %layers.0.attn.kv_a_norm.const : tensor<1xf32>
    %layers.0.attn.kv_a_norm.const.1 = stablehlo.constant dense<1.0e-06> : tensor<1xf32>
    %layers.0.attn.kv_a_norm.add = stablehlo.add %layers.0.attn.kv_a_norm.div, %layers.0.attn.kv_a_norm.const.1 : tensor<1xf32>
    %layers.0.attn.kv_a_norm.rsqrt = stablehlo.rsqrt %layers.0.attn.kv_a_norm.add : tensor<1xf32>
    %layers.0.attn.kv_a_norm.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.kv_a_norm.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x32xf32>
    %layers.0.attn.kv_a_norm.mul.1 = stablehlo.multiply %layers.0.attn.slice.2, %layers.0.attn.kv_a_norm.broadcast : tensor<1x32xf32>
    %layers.0.attn.kv_a_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.kv_a_norm.weight, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %layers.0.attn.kv_a_norm.mul.2 = stablehlo.multiply %layers.0.attn.kv_a_norm.mul.1, %layers.0.attn.kv_a_norm.broadcast.1 : tensor<1x32xf32>
    %layers.0.attn.slice.3 = stablehlo.slice %layers.0.attn.kv_a.slice.2 [0:1, 32:40] : (tensor<1x40xf32>) -> tensor<1x8xf32>
    %layers.0.attn.reshape.3 = stablehlo.reshape %layers.0.attn.slice.3 : (tensor<1x8xf32>) -> tensor<1x1x4x2xf32>
    %layers.0.attn.iota.1 = stablehlo.iota dim = 3 : tensor<1x1x4x2xi32>
    %layers.0.attn.const.1 = stablehlo.constant dense<0> : tensor<1x1x4x2xi32>
    %layers.0.attn.eq.1 = stablehlo.compare EQ, %layers.0.attn.iota.1, %layers.0.attn.const.1 : (tensor<1x1x4x2xi32>, tensor<1x1x4x2xi32>) -> tensor<1x1x4x2xi1>
    %layers.0.attn.broadcast.2 = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x1x4x2xf32>
    %layers.0.attn.reverse.1 = stablehlo.reverse %layers.0.attn.reshape.3, dims = [3] : tensor<1x1x4x2xf32>
    %layers.0.attn.neg.1 = stablehlo.negate %layers.0.attn.broadcast.2 : tensor<1x1x4x2xf32>
    %layers.0.attn.select.1 = stablehlo.select %layers.0.attn.eq.1, %layers.0.attn.neg.1, %layers.0.attn.broadcast.2 : tensor<1x1x4x2xi1>, tensor<1x1x4x2xf32>
    %layers.0.attn.mul.2 = stablehlo.multiply %layers.0.attn.reverse.1, %layers.0.attn.select.1 : tensor<1x1x4x2xf32>
    %layers.0.attn.broadcast.3 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x1x4x2xf32>
    %layers.0.attn.mul.3 = stablehlo.multiply %layers.0.attn.reshape.3, %layers.0.attn.broadcast.3 : tensor<1x1x4x2xf32>
    %layers.0.attn.add.1 = stablehlo.add %layers.0.attn.mul.3, %layers.0.attn.mul.2 : tensor<1x1x4x2xf32>
    %layers.0.attn.reshape.4 = stablehlo.reshape %layers.0.attn.add.1 : (tensor<1x1x4x2xf32>) -> tensor<1x1x8xf32>
    %layers.0.attn.reshape.5 = stablehlo.reshape %layers.0.attn.kv_a_norm.mul.2 : (tensor<1x32xf32>) -> tensor<1x1x32xf32>
    %layers.0.attn.concat.1 = stablehlo.concatenate %layers.0.attn.reshape.5, %layers.0.attn.reshape.4, dim = 2 : (tensor<1x1x32xf32>, tensor<1x1x8xf32>) -> tensor<1x1x40xf32>
    %layers.0.attn.scatter_rows = "stablehlo.scatter"(%kv_0_k, %position, %layers.0.attn.concat.1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<79x1x40xf32>, tensor<1xi32>, tensor<1x1x40xf32>) -> tensor<79x1x40xf32>
    %layers.0.attn.slice.4 = stablehlo.slice %layers.0.attn.scatter_rows [0:64, 0:1, 0:40] : (tensor<79x1x40xf32>) -> tensor<64x1x40xf32>
    %layers.0.attn.reshape.6 = stablehlo.reshape %layers.0.attn.concat : (tensor<1x4x40xf32>) -> tensor<1x1x4x40xf32>
    %layers.0.attn.dot = stablehlo.dot_general %layers.0.attn.reshape.6, %layers.0.attn.slice.4, batching_dims = [1] x [1], contracting_dims = [3] x [2] : (tensor<1x1x4x40xf32>, tensor<64x1x40xf32>) -> tensor<1x1x4x64xf32>
    %layers.0.attn.const.2 = stablehlo.constant dense<0.26464227> : tensor<1x1x4x64xf32>
    %layers.0.attn.mul.4 = stablehlo.multiply %layers.0.attn.dot, %layers.0.attn.const.2 : tensor<1x1x4x64xf32>
    %layers.0.attn.broadcast.4 = stablehlo.broadcast_in_dim %mask.le, dims = [1, 3] : (tensor<1x64xi1>) -> tensor<1x1x4x64xi1>
    %layers.0.attn.const.3 = stablehlo.constant dense<-1.0e+30> : tensor<1x1x4x64xf32>
    %layers.0.attn.select.2 = stablehlo.select %layers.0.attn.broadcast.4, %layers.0.attn.mul.4, %layers.0.attn.const.3 : tensor<1x1x4x64xi1>, tensor<1x1x4x64xf32>
    %layers.0.attn.reduce_max = stablehlo.reduce(%layers.0.attn.select.2 init: %$max_f32) applies stablehlo.maximum across dimensions = [3] : (tensor<1x1x4x64xf32>, tensor<f32>) -> tensor<1x1x4xf32>
    %layers.0.attn.broadcast.5 = stablehlo.broadcast_in_dim %layers.0.attn.reduce_max, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<1x1x4x64xf32>
    %layers.0.attn.sub = stablehlo.subtract %layers.0.attn.select.2, %layers.0.attn.broadcast.5 : tensor<1x1x4x64xf32>
    %layers.0.attn.exp = stablehlo.exponential %layers.0.attn.sub : tensor<1x1x4x64xf32>
    %layers.0.attn.reduce_add = stablehlo.reduce(%layers.0.attn.exp init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<1x1x4x64xf32>, tensor<f32>) -> tensor<1x1x4xf32>
    %layers.0.attn.broadcast.6 = stablehlo.broadcast_in_dim %layers.0.attn.reduce_add, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<1x1x4x64xf32>
    %layers.0.attn.div = stablehlo.divide %layers.0.attn.exp, %layers.0.attn.broadcast.6 : tensor<1x1x4x64xf32>
    %layers.0.attn.dot.1 = stablehlo.dot_general %layers.0.attn.div, %layers.0.attn.slice.4, batching_dims = [0] x [1], contracting_dims = [3] x [0] : (tensor<1x1x4x64xf32>, tensor<64x1x40xf32>) -> tensor<1x1x4x40xf32>
    %layers.0.attn.transpose = stablehlo.transpose %layers.0.attn.dot.1, dims = [1, 0, 2, 3] : (tensor<1x1x4x40xf32>) -> tensor<1x1x4x40xf32>
    %layers.0.attn.reshape.7 = stablehlo.reshape %layers.0.attn.transpose : (tensor<1x1x4x40xf32>) -> tensor<1x4x40xf32>
    %layers.0.attn.slice.5 = stablehlo.slice %layers.0.attn.reshape.7 [0:1, 0:4, 0:32] : (tensor<1x4x40xf32>) -> tensor<1x4x32xf32>
    %layers.0.attn.v_up.convert = stablehlo.convert %layers.0.attn.v_up.weight : (tensor<4x1x32x16xbf16>) -> tensor<4x1x32x16xf32>
    %layers.0.attn.v_up.reshape = stablehlo.reshape %layers.0.attn.slice.5 : (tensor<1x4x32xf32>) -> tensor<4x32xf32>
    %layers.0.attn.v_up.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.v_up.reshape, dims = [0, 2] : (tensor<4x32xf32>) -> tensor<4x1x32x16xf32>
    %layers.0.attn.v_up.mul = stablehlo.multiply %layers.0.attn.v_up.broadcast, %layers.0.attn.v_up.convert : tensor<4x1x32x16xf32>
    %layers.0.attn.v_up.reduce_add = stablehlo.reduce(%layers.0.attn.v_up.mul init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<4x1x32x16xf32>, tensor<f32>) -> tensor<4x1x16xf32>
    %layers.0.attn.o.convert = stablehlo.convert %layers.0.attn.o.weight.scale : (tensor<4x1x16xf16>) -> tensor<4x1x16xf32>
    %layers.0.attn.o.convert.1 = stablehlo.convert %layers.0.attn.o.weight.offset : (tensor<4x1x16xf16>) -> tensor<4x1x16xf32>
    %layers.0.attn.o.reshape = stablehlo.reshape %layers.0.attn.o.weight.q : (tensor<4x1x8x16x4xui8>) -> tensor<1x4x1x8x16x4xui8>
    %layers.0.attn.o.reshape.1 = stablehlo.reshape %layers.0.attn.o.convert : (tensor<4x1x16xf32>) -> tensor<1x4x1x16xf32>
    %layers.0.attn.o.reshape.2 = stablehlo.reshape %layers.0.attn.o.convert.1 : (tensor<4x1x16xf32>) -> tensor<1x4x1x16xf32>
    %layers.0.attn.o.const = stablehlo.constant dense<15> : tensor<1x4x1x8x16x4xui8>
    %layers.0.attn.o.and = stablehlo.and %layers.0.attn.o.reshape, %layers.0.attn.o.const : tensor<1x4x1x8x16x4xui8>
    %layers.0.attn.o.convert.2 = stablehlo.convert %layers.0.attn.o.and : (tensor<1x4x1x8x16x4xui8>) -> tensor<1x4x1x8x16x4xf32>
    %layers.0.attn.o.broadcast = stablehlo.broadcast_in_dim %layers.0.attn.o.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x4x1x16xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.0.attn.o.mul = stablehlo.multiply %layers.0.attn.o.convert.2, %layers.0.attn.o.broadcast : tensor<1x4x1x8x16x4xf32>
    %layers.0.attn.o.broadcast.1 = stablehlo.broadcast_in_dim %layers.0.attn.o.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x4x1x16xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.0.attn.o.add = stablehlo.add %layers.0.attn.o.mul, %layers.0.attn.o.broadcast.1 : tensor<1x4x1x8x16x4xf32>
    %layers.0.attn.o.const.1 = stablehlo.constant dense<4> : tensor<1x4x1x8x16x4xui8>
    %layers.0.attn.o.shr = stablehlo.shift_right_logical %layers.0.attn.o.reshape, %layers.0.attn.o.const.1 : tensor<1x4x1x8x16x4xui8>
    %layers.0.attn.o.convert.3 = stablehlo.convert %layers.0.attn.o.shr : (tensor<1x4x1x8x16x4xui8>) -> tensor<1x4x1x8x16x4xf32>
    %layers.0.attn.o.broadcast.2 = stablehlo.broadcast_in_dim %layers.0.attn.o.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x4x1x16xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.0.attn.o.mul.1 = stablehlo.multiply %layers.0.attn.o.convert.3, %layers.0.attn.o.broadcast.2 : tensor<1x4x1x8x16x4xf32>
    %layers.0.attn.o.broadcast.3 = stablehlo.broadcast_in_dim %layers.0.attn.o.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x4x1x16xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.0.attn.o.add.1 = stablehlo.add %layers.0.attn.o.mul.1, %layers.0.attn.o.broadcast.3 : tensor<1x4x1x8x16x4xf32>
    %layers.0.attn.o.reshape.3 = stablehlo.reshape %layers.0.attn.v_up.reduce_add : (tensor<4x1x16xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.0.attn.o.slice = stablehlo.slice %layers.0.attn.o.reshape.3 [0:1, 0:1, 0:1, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.0.attn.o.reshape.4 = stablehlo.reshape %layers.0.attn.o.slice : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.0.attn.o.broadcast.4 = stablehlo.broadcast_in_dim %layers.0.attn.o.reshape.4, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.0.attn.o.mul.2 = stablehlo.multiply %layers.0.attn.o.add, %layers.0.attn.o.broadcast.4 : tensor<1x4x1x8x16x4xf32>
    %layers.0.attn.o.reshape.5 = stablehlo.reshape %layers.0.attn.v_up.reduce_add : (tensor<4x1x16xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.0.attn.o.slice.1 = stablehlo.slice %layers.0.attn.o.reshape.5 [0:1, 0:1, 1:2, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.0.attn.o.reshape.6 = stablehlo.reshape %layers.0.attn.o.slice.1 : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.0.attn.o.broadcast.5 = stablehlo.broadcast_in_dim %layers.0.attn.o.reshape.6, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.0.attn.o.mul.3 = stablehlo.multiply %layers.0.attn.o.add.1, %layers.0.attn.o.broadcast.5 : tensor<1x4x1x8x16x4xf32>
    %layers.0.attn.o.add.2 = stablehlo.add %layers.0.attn.o.mul.2, %layers.0.attn.o.mul.3 : tensor<1x4x1x8x16x4xf32>
    %layers.0.attn.o.reduce_add = stablehlo.reduce(%layers.0.attn.o.add.2 init: %$add_f32) applies stablehlo.add across dimensions = [2, 3, 5] : (tensor<1x4x1x8x16x4xf32>, tensor<f32>) -> tensor<1x4x16xf32>
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
    %layers.1.attn.q_a.convert = stablehlo.convert %layers.1.attn.q_a.weight.scale : (tensor<3x1x16xf16>) -> tensor<3x1x16xf32>
    %layers.1.attn.q_a.convert.1 = stablehlo.convert %layers.1.attn.q_a.weight.offset : (tensor<3x1x16xf16>) -> tensor<3x1x16xf32>
    %layers.1.attn.q_a.reshape = stablehlo.reshape %layers.1.attn.q_a.weight.q : (tensor<3x1x8x16x4xui8>) -> tensor<1x3x1x8x16x4xui8>
    %layers.1.attn.q_a.reshape.1 = stablehlo.reshape %layers.1.attn.q_a.convert : (tensor<3x1x16xf32>) -> tensor<1x3x1x16xf32>
    %layers.1.attn.q_a.reshape.2 = stablehlo.reshape %layers.1.attn.q_a.convert.1 : (tensor<3x1x16xf32>) -> tensor<1x3x1x16xf32>
    %layers.1.attn.q_a.const = stablehlo.constant dense<15> : tensor<1x3x1x8x16x4xui8>
    %layers.1.attn.q_a.and = stablehlo.and %layers.1.attn.q_a.reshape, %layers.1.attn.q_a.const : tensor<1x3x1x8x16x4xui8>
    %layers.1.attn.q_a.convert.2 = stablehlo.convert %layers.1.attn.q_a.and : (tensor<1x3x1x8x16x4xui8>) -> tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.q_a.broadcast = stablehlo.broadcast_in_dim %layers.1.attn.q_a.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x3x1x16xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.q_a.mul = stablehlo.multiply %layers.1.attn.q_a.convert.2, %layers.1.attn.q_a.broadcast : tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.q_a.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.attn.q_a.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x3x1x16xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.q_a.add = stablehlo.add %layers.1.attn.q_a.mul, %layers.1.attn.q_a.broadcast.1 : tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.q_a.const.1 = stablehlo.constant dense<4> : tensor<1x3x1x8x16x4xui8>
    %layers.1.attn.q_a.shr = stablehlo.shift_right_logical %layers.1.attn.q_a.reshape, %layers.1.attn.q_a.const.1 : tensor<1x3x1x8x16x4xui8>
    %layers.1.attn.q_a.convert.3 = stablehlo.convert %layers.1.attn.q_a.shr : (tensor<1x3x1x8x16x4xui8>) -> tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.q_a.broadcast.2 = stablehlo.broadcast_in_dim %layers.1.attn.q_a.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x3x1x16xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.q_a.mul.1 = stablehlo.multiply %layers.1.attn.q_a.convert.3, %layers.1.attn.q_a.broadcast.2 : tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.q_a.broadcast.3 = stablehlo.broadcast_in_dim %layers.1.attn.q_a.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x3x1x16xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.q_a.add.1 = stablehlo.add %layers.1.attn.q_a.mul.1, %layers.1.attn.q_a.broadcast.3 : tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.q_a.reshape.3 = stablehlo.reshape %layers.1.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.1.attn.q_a.slice = stablehlo.slice %layers.1.attn.q_a.reshape.3 [0:1, 0:1, 0:1, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.1.attn.q_a.reshape.4 = stablehlo.reshape %layers.1.attn.q_a.slice : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.1.attn.q_a.broadcast.4 = stablehlo.broadcast_in_dim %layers.1.attn.q_a.reshape.4, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.q_a.mul.2 = stablehlo.multiply %layers.1.attn.q_a.add, %layers.1.attn.q_a.broadcast.4 : tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.q_a.reshape.5 = stablehlo.reshape %layers.1.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.1.attn.q_a.slice.1 = stablehlo.slice %layers.1.attn.q_a.reshape.5 [0:1, 0:1, 1:2, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.1.attn.q_a.reshape.6 = stablehlo.reshape %layers.1.attn.q_a.slice.1 : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.1.attn.q_a.broadcast.5 = stablehlo.broadcast_in_dim %layers.1.attn.q_a.reshape.6, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.q_a.mul.3 = stablehlo.multiply %layers.1.attn.q_a.add.1, %layers.1.attn.q_a.broadcast.5 : tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.q_a.add.2 = stablehlo.add %layers.1.attn.q_a.mul.2, %layers.1.attn.q_a.mul.3 : tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.q_a.reduce_add = stablehlo.reduce(%layers.1.attn.q_a.add.2 init: %$add_f32) applies stablehlo.add across dimensions = [2, 3, 5] : (tensor<1x3x1x8x16x4xf32>, tensor<f32>) -> tensor<1x3x16xf32>
    %layers.1.attn.q_a.reshape.7 = stablehlo.reshape %layers.1.attn.q_a.reduce_add : (tensor<1x3x16xf32>) -> tensor<1x48xf32>
    %layers.1.attn.q_a_norm.mul = stablehlo.multiply %layers.1.attn.q_a.reshape.7, %layers.1.attn.q_a.reshape.7 : tensor<1x48xf32>
    %layers.1.attn.q_a_norm.reduce_add = stablehlo.reduce(%layers.1.attn.q_a_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x48xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.1.attn.q_a_norm.const = stablehlo.constant dense<48.0> : tensor<1xf32>
    %layers.1.attn.q_a_norm.div = stablehlo.divide %layers.1.attn.q_a_norm.reduce_add, %layers.1.attn.q_a_norm.const : tensor<1xf32>
    %layers.1.attn.q_a_norm.const.1 = stablehlo.constant dense<1.0e-06> : tensor<1xf32>
    %layers.1.attn.q_a_norm.add = stablehlo.add %layers.1.attn.q_a_norm.div, %layers.1.attn.q_a_norm.const.1 : tensor<1xf32>
    %layers.1.attn.q_a_norm.rsqrt = stablehlo.rsqrt %layers.1.attn.q_a_norm.add : tensor<1xf32>
    %layers.1.attn.q_a_norm.broadcast = stablehlo.broadcast_in_dim %layers.1.attn.q_a_norm.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x48xf32>
    %layers.1.attn.q_a_norm.mul.1 = stablehlo.multiply %layers.1.attn.q_a.reshape.7, %layers.1.attn.q_a_norm.broadcast : tensor<1x48xf32>
    %layers.1.attn.q_a_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.attn.q_a_norm.weight, dims = [1] : (tensor<48xf32>) -> tensor<1x48xf32>
    %layers.1.attn.q_a_norm.mul.2 = stablehlo.multiply %layers.1.attn.q_a_norm.mul.1, %layers.1.attn.q_a_norm.broadcast.1 : tensor<1x48xf32>
    %layers.1.attn.q_b.convert = stablehlo.convert %layers.1.attn.q_b.weight : (tensor<3x48x32xbf16>) -> tensor<3x48x32xf32>
    %layers.1.attn.q_b.reshape = stablehlo.reshape %layers.1.attn.q_a_norm.mul.2 : (tensor<1x48xf32>) -> tensor<48xf32>
    %layers.1.attn.q_b.broadcast = stablehlo.broadcast_in_dim %layers.1.attn.q_b.reshape, dims = [1] : (tensor<48xf32>) -> tensor<3x48x32xf32>
    %layers.1.attn.q_b.mul = stablehlo.multiply %layers.1.attn.q_b.broadcast, %layers.1.attn.q_b.convert : tensor<3x48x32xf32>
    %layers.1.attn.q_b.reduce_add = stablehlo.reduce(%layers.1.attn.q_b.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<3x48x32xf32>, tensor<f32>) -> tensor<3x32xf32>
    %layers.1.attn.reshape = stablehlo.reshape %layers.1.attn.q_b.reduce_add : (tensor<3x32xf32>) -> tensor<1x4x24xf32>
    %layers.1.attn.slice = stablehlo.slice %layers.1.attn.reshape [0:1, 0:4, 16:24] : (tensor<1x4x24xf32>) -> tensor<1x4x8xf32>
    %layers.1.attn.reshape.1 = stablehlo.reshape %layers.1.attn.slice : (tensor<1x4x8xf32>) -> tensor<1x4x4x2xf32>
    %layers.1.attn.iota = stablehlo.iota dim = 3 : tensor<1x4x4x2xi32>
    %layers.1.attn.const = stablehlo.constant dense<0> : tensor<1x4x4x2xi32>
    %layers.1.attn.eq = stablehlo.compare EQ, %layers.1.attn.iota, %layers.1.attn.const : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi1>
    %layers.1.attn.broadcast = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x4x4x2xf32>
    %layers.1.attn.reverse = stablehlo.reverse %layers.1.attn.reshape.1, dims = [3] : tensor<1x4x4x2xf32>
    %layers.1.attn.neg = stablehlo.negate %layers.1.attn.broadcast : tensor<1x4x4x2xf32>
    %layers.1.attn.select = stablehlo.select %layers.1.attn.eq, %layers.1.attn.neg, %layers.1.attn.broadcast : tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>
    %layers.1.attn.mul = stablehlo.multiply %layers.1.attn.reverse, %layers.1.attn.select : tensor<1x4x4x2xf32>
    %layers.1.attn.broadcast.1 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x4x4x2xf32>
    %layers.1.attn.mul.1 = stablehlo.multiply %layers.1.attn.reshape.1, %layers.1.attn.broadcast.1 : tensor<1x4x4x2xf32>
    %layers.1.attn.add = stablehlo.add %layers.1.attn.mul.1, %layers.1.attn.mul : tensor<1x4x4x2xf32>
    %layers.1.attn.reshape.2 = stablehlo.reshape %layers.1.attn.add : (tensor<1x4x4x2xf32>) -> tensor<1x4x8xf32>
    %layers.1.attn.slice.1 = stablehlo.slice %layers.1.attn.reshape [0:1, 0:4, 0:16] : (tensor<1x4x24xf32>) -> tensor<1x4x16xf32>
    %layers.1.attn.k_up.convert = stablehlo.convert %layers.1.attn.k_up.weight : (tensor<4x16x32xbf16>) -> tensor<4x16x32xf32>
    %layers.1.attn.k_up.reshape = stablehlo.reshape %layers.1.attn.slice.1 : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    %layers.1.attn.k_up.broadcast = stablehlo.broadcast_in_dim %layers.1.attn.k_up.reshape, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x32xf32>
    %layers.1.attn.k_up.mul = stablehlo.multiply %layers.1.attn.k_up.broadcast, %layers.1.attn.k_up.convert : tensor<4x16x32xf32>
    %layers.1.attn.k_up.reduce_add = stablehlo.reduce(%layers.1.attn.k_up.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<4x16x32xf32>, tensor<f32>) -> tensor<4x32xf32>
    %layers.1.attn.k_up.reshape.1 = stablehlo.reshape %layers.1.attn.k_up.reduce_add : (tensor<4x32xf32>) -> tensor<1x4x32xf32>
    %layers.1.attn.concat = stablehlo.concatenate %layers.1.attn.k_up.reshape.1, %layers.1.attn.reshape.2, dim = 2 : (tensor<1x4x32xf32>, tensor<1x4x8xf32>) -> tensor<1x4x40xf32>
    %layers.1.attn.kv_a.convert = stablehlo.convert %layers.1.attn.kv_a.weight.scale : (tensor<3x1x16xf16>) -> tensor<3x1x16xf32>
    %layers.1.attn.kv_a.convert.1 = stablehlo.convert %layers.1.attn.kv_a.weight.offset : (tensor<3x1x16xf16>) -> tensor<3x1x16xf32>
    %layers.1.attn.kv_a.reshape = stablehlo.reshape %layers.1.attn.kv_a.weight.q : (tensor<3x1x8x16x4xui8>) -> tensor<1x3x1x8x16x4xui8>
    %layers.1.attn.kv_a.reshape.1 = stablehlo.reshape %layers.1.attn.kv_a.convert : (tensor<3x1x16xf32>) -> tensor<1x3x1x16xf32>
    %layers.1.attn.kv_a.reshape.2 = stablehlo.reshape %layers.1.attn.kv_a.convert.1 : (tensor<3x1x16xf32>) -> tensor<1x3x1x16xf32>
    %layers.1.attn.kv_a.const = stablehlo.constant dense<15> : tensor<1x3x1x8x16x4xui8>
    %layers.1.attn.kv_a.and = stablehlo.and %layers.1.attn.kv_a.reshape, %layers.1.attn.kv_a.const : tensor<1x3x1x8x16x4xui8>
    %layers.1.attn.kv_a.convert.2 = stablehlo.convert %layers.1.attn.kv_a.and : (tensor<1x3x1x8x16x4xui8>) -> tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.kv_a.broadcast = stablehlo.broadcast_in_dim %layers.1.attn.kv_a.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x3x1x16xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.kv_a.mul = stablehlo.multiply %layers.1.attn.kv_a.convert.2, %layers.1.attn.kv_a.broadcast : tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.kv_a.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.attn.kv_a.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x3x1x16xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.kv_a.add = stablehlo.add %layers.1.attn.kv_a.mul, %layers.1.attn.kv_a.broadcast.1 : tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.kv_a.const.1 = stablehlo.constant dense<4> : tensor<1x3x1x8x16x4xui8>
    %layers.1.attn.kv_a.shr = stablehlo.shift_right_logical %layers.1.attn.kv_a.reshape, %layers.1.attn.kv_a.const.1 : tensor<1x3x1x8x16x4xui8>
    %layers.1.attn.kv_a.convert.3 = stablehlo.convert %layers.1.attn.kv_a.shr : (tensor<1x3x1x8x16x4xui8>) -> tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.kv_a.broadcast.2 = stablehlo.broadcast_in_dim %layers.1.attn.kv_a.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x3x1x16xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.kv_a.mul.1 = stablehlo.multiply %layers.1.attn.kv_a.convert.3, %layers.1.attn.kv_a.broadcast.2 : tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.kv_a.broadcast.3 = stablehlo.broadcast_in_dim %layers.1.attn.kv_a.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x3x1x16xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.kv_a.add.1 = stablehlo.add %layers.1.attn.kv_a.mul.1, %layers.1.attn.kv_a.broadcast.3 : tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.kv_a.reshape.3 = stablehlo.reshape %layers.1.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.1.attn.kv_a.slice = stablehlo.slice %layers.1.attn.kv_a.reshape.3 [0:1, 0:1, 0:1, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.1.attn.kv_a.reshape.4 = stablehlo.reshape %layers.1.attn.kv_a.slice : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.1.attn.kv_a.broadcast.4 = stablehlo.broadcast_in_dim %layers.1.attn.kv_a.reshape.4, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.kv_a.mul.2 = stablehlo.multiply %layers.1.attn.kv_a.add, %layers.1.attn.kv_a.broadcast.4 : tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.kv_a.reshape.5 = stablehlo.reshape %layers.1.attn_norm.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.1.attn.kv_a.slice.1 = stablehlo.slice %layers.1.attn.kv_a.reshape.5 [0:1, 0:1, 1:2, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.1.attn.kv_a.reshape.6 = stablehlo.reshape %layers.1.attn.kv_a.slice.1 : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.1.attn.kv_a.broadcast.5 = stablehlo.broadcast_in_dim %layers.1.attn.kv_a.reshape.6, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.kv_a.mul.3 = stablehlo.multiply %layers.1.attn.kv_a.add.1, %layers.1.attn.kv_a.broadcast.5 : tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.kv_a.add.2 = stablehlo.add %layers.1.attn.kv_a.mul.2, %layers.1.attn.kv_a.mul.3 : tensor<1x3x1x8x16x4xf32>
    %layers.1.attn.kv_a.reduce_add = stablehlo.reduce(%layers.1.attn.kv_a.add.2 init: %$add_f32) applies stablehlo.add across dimensions = [2, 3, 5] : (tensor<1x3x1x8x16x4xf32>, tensor<f32>) -> tensor<1x3x16xf32>
    %layers.1.attn.kv_a.reshape.7 = stablehlo.reshape %layers.1.attn.kv_a.reduce_add : (tensor<1x3x16xf32>) -> tensor<1x48xf32>
    %layers.1.attn.kv_a.slice.2 = stablehlo.slice %layers.1.attn.kv_a.reshape.7 [0:1, 0:40] : (tensor<1x48xf32>) -> tensor<1x40xf32>
    %layers.1.attn.slice.2 = stablehlo.slice %layers.1.attn.kv_a.slice.2 [0:1, 0:32] : (tensor<1x40xf32>) -> tensor<1x32xf32>
    %layers.1.attn.kv_a_norm.mul = stablehlo.multiply %layers.1.attn.slice.2, %layers.1.attn.slice.2 : tensor<1x32xf32>
    %layers.1.attn.kv_a_norm.reduce_add = stablehlo.reduce(%layers.1.attn.kv_a_norm.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x32xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.1.attn.kv_a_norm.const = stablehlo.constant dense<32.0> : tensor<1xf32>
    %layers.1.attn.kv_a_norm.div = stablehlo.divide %layers.1.attn.kv_a_norm.reduce_add, %layers.1.attn.kv_a_norm.const : tensor<1xf32>
    %layers.1.attn.kv_a_norm.const.1 = stablehlo.constant dense<1.0e-06> : tensor<1xf32>
    %layers.1.attn.kv_a_norm.add = stablehlo.add %layers.1.attn.kv_a_norm.div, %layers.1.attn.kv_a_norm.const.1 : tensor<1xf32>
    %layers.1.attn.kv_a_norm.rsqrt = stablehlo.rsqrt %layers.1.attn.kv_a_norm.add : tensor<1xf32>
    %layers.1.attn.kv_a_norm.broadcast = stablehlo.broadcast_in_dim %layers.1.attn.kv_a_norm.rsqrt, dims = [0] : (tensor<1xf32>) -> tensor<1x32xf32>
    %layers.1.attn.kv_a_norm.mul.1 = stablehlo.multiply %layers.1.attn.slice.2, %layers.1.attn.kv_a_norm.broadcast : tensor<1x32xf32>
    %layers.1.attn.kv_a_norm.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.attn.kv_a_norm.weight, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %layers.1.attn.kv_a_norm.mul.2 = stablehlo.multiply %layers.1.attn.kv_a_norm.mul.1, %layers.1.attn.kv_a_norm.broadcast.1 : tensor<1x32xf32>
    %layers.1.attn.slice.3 = stablehlo.slice %layers.1.attn.kv_a.slice.2 [0:1, 32:40] : (tensor<1x40xf32>) -> tensor<1x8xf32>
    %layers.1.attn.reshape.3 = stablehlo.reshape %layers.1.attn.slice.3 : (tensor<1x8xf32>) -> tensor<1x1x4x2xf32>
    %layers.1.attn.iota.1 = stablehlo.iota dim = 3 : tensor<1x1x4x2xi32>
    %layers.1.attn.const.1 = stablehlo.constant dense<0> : tensor<1x1x4x2xi32>
    %layers.1.attn.eq.1 = stablehlo.compare EQ, %layers.1.attn.iota.1, %layers.1.attn.const.1 : (tensor<1x1x4x2xi32>, tensor<1x1x4x2xi32>) -> tensor<1x1x4x2xi1>
    %layers.1.attn.broadcast.2 = stablehlo.broadcast_in_dim %rope.gather_rows.1, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x1x4x2xf32>
    %layers.1.attn.reverse.1 = stablehlo.reverse %layers.1.attn.reshape.3, dims = [3] : tensor<1x1x4x2xf32>
    %layers.1.attn.neg.1 = stablehlo.negate %layers.1.attn.broadcast.2 : tensor<1x1x4x2xf32>
    %layers.1.attn.select.1 = stablehlo.select %layers.1.attn.eq.1, %layers.1.attn.neg.1, %layers.1.attn.broadcast.2 : tensor<1x1x4x2xi1>, tensor<1x1x4x2xf32>
    %layers.1.attn.mul.2 = stablehlo.multiply %layers.1.attn.reverse.1, %layers.1.attn.select.1 : tensor<1x1x4x2xf32>
    %layers.1.attn.broadcast.3 = stablehlo.broadcast_in_dim %rope.gather_rows, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x1x4x2xf32>
    %layers.1.attn.mul.3 = stablehlo.multiply %layers.1.attn.reshape.3, %layers.1.attn.broadcast.3 : tensor<1x1x4x2xf32>
    %layers.1.attn.add.1 = stablehlo.add %layers.1.attn.mul.3, %layers.1.attn.mul.2 : tensor<1x1x4x2xf32>
    %layers.1.attn.reshape.4 = stablehlo.reshape %layers.1.attn.add.1 : (tensor<1x1x4x2xf32>) -> tensor<1x1x8xf32>
    %layers.1.attn.reshape.5 = stablehlo.reshape %layers.1.attn.kv_a_norm.mul.2 : (tensor<1x32xf32>) -> tensor<1x1x32xf32>
    %layers.1.attn.concat.1 = stablehlo.concatenate %layers.1.attn.reshape.5, %layers.1.attn.reshape.4, dim = 2 : (tensor<1x1x32xf32>, tensor<1x1x8xf32>) -> tensor<1x1x40xf32>
    %layers.1.attn.scatter_rows = "stablehlo.scatter"(%kv_1_k, %position, %layers.1.attn.concat.1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<79x1x40xf32>, tensor<1xi32>, tensor<1x1x40xf32>) -> tensor<79x1x40xf32>
    %layers.1.attn.slice.4 = stablehlo.slice %layers.1.attn.scatter_rows [0:64, 0:1, 0:40] : (tensor<79x1x40xf32>) -> tensor<64x1x40xf32>
    %layers.1.attn.reshape.6 = stablehlo.reshape %layers.1.attn.concat : (tensor<1x4x40xf32>) -> tensor<1x1x4x40xf32>
    %layers.1.attn.dot = stablehlo.dot_general %layers.1.attn.reshape.6, %layers.1.attn.slice.4, batching_dims = [1] x [1], contracting_dims = [3] x [2] : (tensor<1x1x4x40xf32>, tensor<64x1x40xf32>) -> tensor<1x1x4x64xf32>
    %layers.1.attn.const.2 = stablehlo.constant dense<0.26464227> : tensor<1x1x4x64xf32>
    %layers.1.attn.mul.4 = stablehlo.multiply %layers.1.attn.dot, %layers.1.attn.const.2 : tensor<1x1x4x64xf32>
    %layers.1.attn.broadcast.4 = stablehlo.broadcast_in_dim %mask.le, dims = [1, 3] : (tensor<1x64xi1>) -> tensor<1x1x4x64xi1>
    %layers.1.attn.const.3 = stablehlo.constant dense<-1.0e+30> : tensor<1x1x4x64xf32>
    %layers.1.attn.select.2 = stablehlo.select %layers.1.attn.broadcast.4, %layers.1.attn.mul.4, %layers.1.attn.const.3 : tensor<1x1x4x64xi1>, tensor<1x1x4x64xf32>
    %layers.1.attn.reduce_max = stablehlo.reduce(%layers.1.attn.select.2 init: %$max_f32) applies stablehlo.maximum across dimensions = [3] : (tensor<1x1x4x64xf32>, tensor<f32>) -> tensor<1x1x4xf32>
    %layers.1.attn.broadcast.5 = stablehlo.broadcast_in_dim %layers.1.attn.reduce_max, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<1x1x4x64xf32>
    %layers.1.attn.sub = stablehlo.subtract %layers.1.attn.select.2, %layers.1.attn.broadcast.5 : tensor<1x1x4x64xf32>
    %layers.1.attn.exp = stablehlo.exponential %layers.1.attn.sub : tensor<1x1x4x64xf32>
    %layers.1.attn.reduce_add = stablehlo.reduce(%layers.1.attn.exp init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<1x1x4x64xf32>, tensor<f32>) -> tensor<1x1x4xf32>
    %layers.1.attn.broadcast.6 = stablehlo.broadcast_in_dim %layers.1.attn.reduce_add, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<1x1x4x64xf32>
    %layers.1.attn.div = stablehlo.divide %layers.1.attn.exp, %layers.1.attn.broadcast.6 : tensor<1x1x4x64xf32>
    %layers.1.attn.dot.1 = stablehlo.dot_general %layers.1.attn.div, %layers.1.attn.slice.4, batching_dims = [0] x [1], contracting_dims = [3] x [0] : (tensor<1x1x4x64xf32>, tensor<64x1x40xf32>) -> tensor<1x1x4x40xf32>
    %layers.1.attn.transpose = stablehlo.transpose %layers.1.attn.dot.1, dims = [1, 0, 2, 3] : (tensor<1x1x4x40xf32>) -> tensor<1x1x4x40xf32>
    %layers.1.attn.reshape.7 = stablehlo.reshape %layers.1.attn.transpose : (tensor<1x1x4x40xf32>) -> tensor<1x4x40xf32>
    %layers.1.attn.slice.5 = stablehlo.slice %layers.1.attn.reshape.7 [0:1, 0:4, 0:32] : (tensor<1x4x40xf32>) -> tensor<1x4x32xf32>
    %layers.1.attn.v_up.convert = stablehlo.convert %layers.1.attn.v_up.weight : (tensor<4x1x32x16xbf16>) -> tensor<4x1x32x16xf32>
    %layers.1.attn.v_up.reshape = stablehlo.reshape %layers.1.attn.slice.5 : (tensor<1x4x32xf32>) -> tensor<4x32xf32>
    %layers.1.attn.v_up.broadcast = stablehlo.broadcast_in_dim %layers.1.attn.v_up.reshape, dims = [0, 2] : (tensor<4x32xf32>) -> tensor<4x1x32x16xf32>
    %layers.1.attn.v_up.mul = stablehlo.multiply %layers.1.attn.v_up.broadcast, %layers.1.attn.v_up.convert : tensor<4x1x32x16xf32>
    %layers.1.attn.v_up.reduce_add = stablehlo.reduce(%layers.1.attn.v_up.mul init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<4x1x32x16xf32>, tensor<f32>) -> tensor<4x1x16xf32>
    %layers.1.attn.o.convert = stablehlo.convert %layers.1.attn.o.weight.scale : (tensor<4x1x16xf16>) -> tensor<4x1x16xf32>
    %layers.1.attn.o.convert.1 = stablehlo.convert %layers.1.attn.o.weight.offset : (tensor<4x1x16xf16>) -> tensor<4x1x16xf32>
    %layers.1.attn.o.reshape = stablehlo.reshape %layers.1.attn.o.weight.q : (tensor<4x1x8x16x4xui8>) -> tensor<1x4x1x8x16x4xui8>
    %layers.1.attn.o.reshape.1 = stablehlo.reshape %layers.1.attn.o.convert : (tensor<4x1x16xf32>) -> tensor<1x4x1x16xf32>
    %layers.1.attn.o.reshape.2 = stablehlo.reshape %layers.1.attn.o.convert.1 : (tensor<4x1x16xf32>) -> tensor<1x4x1x16xf32>
    %layers.1.attn.o.const = stablehlo.constant dense<15> : tensor<1x4x1x8x16x4xui8>
    %layers.1.attn.o.and = stablehlo.and %layers.1.attn.o.reshape, %layers.1.attn.o.const : tensor<1x4x1x8x16x4xui8>
    %layers.1.attn.o.convert.2 = stablehlo.convert %layers.1.attn.o.and : (tensor<1x4x1x8x16x4xui8>) -> tensor<1x4x1x8x16x4xf32>
    %layers.1.attn.o.broadcast = stablehlo.broadcast_in_dim %layers.1.attn.o.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x4x1x16xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.1.attn.o.mul = stablehlo.multiply %layers.1.attn.o.convert.2, %layers.1.attn.o.broadcast : tensor<1x4x1x8x16x4xf32>
    %layers.1.attn.o.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.attn.o.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x4x1x16xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.1.attn.o.add = stablehlo.add %layers.1.attn.o.mul, %layers.1.attn.o.broadcast.1 : tensor<1x4x1x8x16x4xf32>
    %layers.1.attn.o.const.1 = stablehlo.constant dense<4> : tensor<1x4x1x8x16x4xui8>
    %layers.1.attn.o.shr = stablehlo.shift_right_logical %layers.1.attn.o.reshape, %layers.1.attn.o.const.1 : tensor<1x4x1x8x16x4xui8>
    %layers.1.attn.o.convert.3 = stablehlo.convert %layers.1.attn.o.shr : (tensor<1x4x1x8x16x4xui8>) -> tensor<1x4x1x8x16x4xf32>
    %layers.1.attn.o.broadcast.2 = stablehlo.broadcast_in_dim %layers.1.attn.o.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x4x1x16xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.1.attn.o.mul.1 = stablehlo.multiply %layers.1.attn.o.convert.3, %layers.1.attn.o.broadcast.2 : tensor<1x4x1x8x16x4xf32>
    %layers.1.attn.o.broadcast.3 = stablehlo.broadcast_in_dim %layers.1.attn.o.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x4x1x16xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.1.attn.o.add.1 = stablehlo.add %layers.1.attn.o.mul.1, %layers.1.attn.o.broadcast.3 : tensor<1x4x1x8x16x4xf32>
    %layers.1.attn.o.reshape.3 = stablehlo.reshape %layers.1.attn.v_up.reduce_add : (tensor<4x1x16xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.1.attn.o.slice = stablehlo.slice %layers.1.attn.o.reshape.3 [0:1, 0:1, 0:1, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.1.attn.o.reshape.4 = stablehlo.reshape %layers.1.attn.o.slice : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.1.attn.o.broadcast.4 = stablehlo.broadcast_in_dim %layers.1.attn.o.reshape.4, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.1.attn.o.mul.2 = stablehlo.multiply %layers.1.attn.o.add, %layers.1.attn.o.broadcast.4 : tensor<1x4x1x8x16x4xf32>
    %layers.1.attn.o.reshape.5 = stablehlo.reshape %layers.1.attn.v_up.reduce_add : (tensor<4x1x16xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.1.attn.o.slice.1 = stablehlo.slice %layers.1.attn.o.reshape.5 [0:1, 0:1, 1:2, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.1.attn.o.reshape.6 = stablehlo.reshape %layers.1.attn.o.slice.1 : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.1.attn.o.broadcast.5 = stablehlo.broadcast_in_dim %layers.1.attn.o.reshape.6, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.1.attn.o.mul.3 = stablehlo.multiply %layers.1.attn.o.add.1, %layers.1.attn.o.broadcast.5 : tensor<1x4x1x8x16x4xf32>
    %layers.1.attn.o.add.2 = stablehlo.add %layers.1.attn.o.mul.2, %layers.1.attn.o.mul.3 : tensor<1x4x1x8x16x4xf32>
    %layers.1.attn.o.reduce_add = stablehlo.reduce(%layers.1.attn.o.add.2 init: %$add_f32) applies stablehlo.add across dimensions = [2, 3, 5] : (tensor<1x4x1x8x16x4xf32>, tensor<f32>) -> tensor<1x4x16xf32>
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
    %layers.1.moe.router.convert = stablehlo.convert %layers.1.moe.router.weight : (tensor<1x64x8xbf16>) -> tensor<1x64x8xf32>
    %layers.1.moe.router.reshape = stablehlo.reshape %layers.1.mlp_norm.mul.2 : (tensor<1x64xf32>) -> tensor<64xf32>
    %layers.1.moe.router.broadcast = stablehlo.broadcast_in_dim %layers.1.moe.router.reshape, dims = [1] : (tensor<64xf32>) -> tensor<1x64x8xf32>
    %layers.1.moe.router.mul = stablehlo.multiply %layers.1.moe.router.broadcast, %layers.1.moe.router.convert : tensor<1x64x8xf32>
    %layers.1.moe.router.reduce_add = stablehlo.reduce(%layers.1.moe.router.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x64x8xf32>, tensor<f32>) -> tensor<1x8xf32>
    %layers.1.moe.router.logistic = stablehlo.logistic %layers.1.moe.router.reduce_add : tensor<1x8xf32>
    %layers.1.moe.router.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.moe.correction, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %layers.1.moe.router.add = stablehlo.add %layers.1.moe.router.logistic, %layers.1.moe.router.broadcast.1 : tensor<1x8xf32>
    %layers.1.moe.router.reshape.1 = stablehlo.reshape %layers.1.moe.router.add : (tensor<1x8xf32>) -> tensor<1x4x2xf32>
    %layers.1.moe.router.broadcast.2 = stablehlo.broadcast_in_dim %layers.1.moe.router.reshape.1, dims = [0, 1, 2] : (tensor<1x4x2xf32>) -> tensor<1x4x2x2xf32>
    %layers.1.moe.router.broadcast.3 = stablehlo.broadcast_in_dim %layers.1.moe.router.reshape.1, dims = [0, 1, 3] : (tensor<1x4x2xf32>) -> tensor<1x4x2x2xf32>
    %layers.1.moe.router.iota = stablehlo.iota dim = 3 : tensor<1x4x2x2xi32>
    %layers.1.moe.router.iota.1 = stablehlo.iota dim = 2 : tensor<1x4x2x2xi32>
    %layers.1.moe.router.lt = stablehlo.compare LT, %layers.1.moe.router.iota, %layers.1.moe.router.iota.1 : (tensor<1x4x2x2xi32>, tensor<1x4x2x2xi32>) -> tensor<1x4x2x2xi1>
    %layers.1.moe.router.gt = stablehlo.compare GT, %layers.1.moe.router.broadcast.3, %layers.1.moe.router.broadcast.2 : (tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xi1>
    %layers.1.moe.router.eq = stablehlo.compare EQ, %layers.1.moe.router.broadcast.3, %layers.1.moe.router.broadcast.2 : (tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xi1>
    %layers.1.moe.router.and = stablehlo.and %layers.1.moe.router.lt, %layers.1.moe.router.eq : tensor<1x4x2x2xi1>
    %layers.1.moe.router.or = stablehlo.or %layers.1.moe.router.gt, %layers.1.moe.router.and : tensor<1x4x2x2xi1>
    %layers.1.moe.router.convert.1 = stablehlo.convert %layers.1.moe.router.or : (tensor<1x4x2x2xi1>) -> tensor<1x4x2x2xi32>
    %layers.1.moe.router.reduce_add.1 = stablehlo.reduce(%layers.1.moe.router.convert.1 init: %$add_i32) applies stablehlo.add across dimensions = [3] : (tensor<1x4x2x2xi32>, tensor<i32>) -> tensor<1x4x2xi32>
    %layers.1.moe.router.const = stablehlo.constant dense<2> : tensor<1x4x2xi32>
    %layers.1.moe.router.lt.1 = stablehlo.compare LT, %layers.1.moe.router.reduce_add.1, %layers.1.moe.router.const : (tensor<1x4x2xi32>, tensor<1x4x2xi32>) -> tensor<1x4x2xi1>
    %layers.1.moe.router.const.1 = stablehlo.constant dense<0.0> : tensor<1x4x2xf32>
    %layers.1.moe.router.select = stablehlo.select %layers.1.moe.router.lt.1, %layers.1.moe.router.reshape.1, %layers.1.moe.router.const.1 : tensor<1x4x2xi1>, tensor<1x4x2xf32>
    %layers.1.moe.router.reduce_add.2 = stablehlo.reduce(%layers.1.moe.router.select init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<1x4x2xf32>, tensor<f32>) -> tensor<1x4xf32>
    %layers.1.moe.router.broadcast.4 = stablehlo.broadcast_in_dim %layers.1.moe.router.reduce_add.2, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4x4xf32>
    %layers.1.moe.router.broadcast.5 = stablehlo.broadcast_in_dim %layers.1.moe.router.reduce_add.2, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x4x4xf32>
    %layers.1.moe.router.iota.2 = stablehlo.iota dim = 2 : tensor<1x4x4xi32>
    %layers.1.moe.router.iota.3 = stablehlo.iota dim = 1 : tensor<1x4x4xi32>
    %layers.1.moe.router.lt.2 = stablehlo.compare LT, %layers.1.moe.router.iota.2, %layers.1.moe.router.iota.3 : (tensor<1x4x4xi32>, tensor<1x4x4xi32>) -> tensor<1x4x4xi1>
    %layers.1.moe.router.gt.1 = stablehlo.compare GT, %layers.1.moe.router.broadcast.5, %layers.1.moe.router.broadcast.4 : (tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> tensor<1x4x4xi1>
    %layers.1.moe.router.eq.1 = stablehlo.compare EQ, %layers.1.moe.router.broadcast.5, %layers.1.moe.router.broadcast.4 : (tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> tensor<1x4x4xi1>
    %layers.1.moe.router.and.1 = stablehlo.and %layers.1.moe.router.lt.2, %layers.1.moe.router.eq.1 : tensor<1x4x4xi1>
    %layers.1.moe.router.or.1 = stablehlo.or %layers.1.moe.router.gt.1, %layers.1.moe.router.and.1 : tensor<1x4x4xi1>
    %layers.1.moe.router.convert.2 = stablehlo.convert %layers.1.moe.router.or.1 : (tensor<1x4x4xi1>) -> tensor<1x4x4xi32>
    %layers.1.moe.router.reduce_add.3 = stablehlo.reduce(%layers.1.moe.router.convert.2 init: %$add_i32) applies stablehlo.add across dimensions = [2] : (tensor<1x4x4xi32>, tensor<i32>) -> tensor<1x4xi32>
    %layers.1.moe.router.const.2 = stablehlo.constant dense<2> : tensor<1x4xi32>
    %layers.1.moe.router.lt.3 = stablehlo.compare LT, %layers.1.moe.router.reduce_add.3, %layers.1.moe.router.const.2 : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi1>
    %layers.1.moe.router.broadcast.6 = stablehlo.broadcast_in_dim %layers.1.moe.router.lt.3, dims = [0, 1] : (tensor<1x4xi1>) -> tensor<1x4x2xi1>
    %layers.1.moe.router.const.3 = stablehlo.constant dense<-1.0e+30> : tensor<1x4x2xf32>
    %layers.1.moe.router.select.1 = stablehlo.select %layers.1.moe.router.broadcast.6, %layers.1.moe.router.reshape.1, %layers.1.moe.router.const.3 : tensor<1x4x2xi1>, tensor<1x4x2xf32>
    %layers.1.moe.router.reshape.2 = stablehlo.reshape %layers.1.moe.router.select.1 : (tensor<1x4x2xf32>) -> tensor<1x8xf32>
    %layers.1.moe.router.broadcast.7 = stablehlo.broadcast_in_dim %layers.1.moe.router.reshape.2, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x8xf32>
    %layers.1.moe.router.broadcast.8 = stablehlo.broadcast_in_dim %layers.1.moe.router.reshape.2, dims = [0, 2] : (tensor<1x8xf32>) -> tensor<1x8x8xf32>
    %layers.1.moe.router.iota.4 = stablehlo.iota dim = 2 : tensor<1x8x8xi32>
    %layers.1.moe.router.iota.5 = stablehlo.iota dim = 1 : tensor<1x8x8xi32>
    %layers.1.moe.router.lt.4 = stablehlo.compare LT, %layers.1.moe.router.iota.4, %layers.1.moe.router.iota.5 : (tensor<1x8x8xi32>, tensor<1x8x8xi32>) -> tensor<1x8x8xi1>
    %layers.1.moe.router.gt.2 = stablehlo.compare GT, %layers.1.moe.router.broadcast.8, %layers.1.moe.router.broadcast.7 : (tensor<1x8x8xf32>, tensor<1x8x8xf32>) -> tensor<1x8x8xi1>
    %layers.1.moe.router.eq.2 = stablehlo.compare EQ, %layers.1.moe.router.broadcast.8, %layers.1.moe.router.broadcast.7 : (tensor<1x8x8xf32>, tensor<1x8x8xf32>) -> tensor<1x8x8xi1>
    %layers.1.moe.router.and.2 = stablehlo.and %layers.1.moe.router.lt.4, %layers.1.moe.router.eq.2 : tensor<1x8x8xi1>
    %layers.1.moe.router.or.2 = stablehlo.or %layers.1.moe.router.gt.2, %layers.1.moe.router.and.2 : tensor<1x8x8xi1>
    %layers.1.moe.router.convert.3 = stablehlo.convert %layers.1.moe.router.or.2 : (tensor<1x8x8xi1>) -> tensor<1x8x8xi32>
    %layers.1.moe.router.reduce_add.4 = stablehlo.reduce(%layers.1.moe.router.convert.3 init: %$add_i32) applies stablehlo.add across dimensions = [2] : (tensor<1x8x8xi32>, tensor<i32>) -> tensor<1x8xi32>
    %layers.1.moe.router.broadcast.9 = stablehlo.broadcast_in_dim %layers.1.moe.router.reduce_add.4, dims = [0, 2] : (tensor<1x8xi32>) -> tensor<1x2x8xi32>
    %layers.1.moe.router.iota.6 = stablehlo.iota dim = 1 : tensor<1x2x8xi32>
    %layers.1.moe.router.eq.3 = stablehlo.compare EQ, %layers.1.moe.router.broadcast.9, %layers.1.moe.router.iota.6 : (tensor<1x2x8xi32>, tensor<1x2x8xi32>) -> tensor<1x2x8xi1>
    %layers.1.moe.router.broadcast.10 = stablehlo.broadcast_in_dim %layers.1.moe.router.logistic, dims = [0, 2] : (tensor<1x8xf32>) -> tensor<1x2x8xf32>
    %layers.1.moe.router.const.4 = stablehlo.constant dense<0.0> : tensor<1x2x8xf32>
    %layers.1.moe.router.select.2 = stablehlo.select %layers.1.moe.router.eq.3, %layers.1.moe.router.broadcast.10, %layers.1.moe.router.const.4 : tensor<1x2x8xi1>, tensor<1x2x8xf32>
    %layers.1.moe.router.reduce_add.5 = stablehlo.reduce(%layers.1.moe.router.select.2 init: %$add_f32) applies stablehlo.add across dimensions = [2] : (tensor<1x2x8xf32>, tensor<f32>) -> tensor<1x2xf32>
    %layers.1.moe.router.reduce_add.6 = stablehlo.reduce(%layers.1.moe.router.reduce_add.5 init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x2xf32>, tensor<f32>) -> tensor<1xf32>
    %layers.1.moe.router.const.5 = stablehlo.constant dense<1.0e-20> : tensor<1xf32>
    %layers.1.moe.router.add.1 = stablehlo.add %layers.1.moe.router.reduce_add.6, %layers.1.moe.router.const.5 : tensor<1xf32>
    %layers.1.moe.router.broadcast.11 = stablehlo.broadcast_in_dim %layers.1.moe.router.add.1, dims = [0] : (tensor<1xf32>) -> tensor<1x2xf32>
    %layers.1.moe.router.div = stablehlo.divide %layers.1.moe.router.reduce_add.5, %layers.1.moe.router.broadcast.11 : tensor<1x2xf32>
    %layers.1.moe.router.const.6 = stablehlo.constant dense<2.5> : tensor<1x2xf32>
    %layers.1.moe.router.mul.1 = stablehlo.multiply %layers.1.moe.router.div, %layers.1.moe.router.const.6 : tensor<1x2xf32>
    %layers.1.moe.experts.iota = stablehlo.iota dim = 2 : tensor<1x2x8xi32>
    %layers.1.moe.experts.const = stablehlo.constant dense<0> : tensor<1x2x8xi32>
    %layers.1.moe.experts.select = stablehlo.select %layers.1.moe.router.eq.3, %layers.1.moe.experts.iota, %layers.1.moe.experts.const : tensor<1x2x8xi1>, tensor<1x2x8xi32>
    %layers.1.moe.experts.reduce_add = stablehlo.reduce(%layers.1.moe.experts.select init: %$add_i32) applies stablehlo.add across dimensions = [2] : (tensor<1x2x8xi32>, tensor<i32>) -> tensor<1x2xi32>
    %layers.1.moe.experts.gate_up.broadcast = stablehlo.broadcast_in_dim %layers.1.mlp_norm.mul.2, dims = [0, 2] : (tensor<1x64xf32>) -> tensor<1x2x64xf32>
    %layers.1.moe.experts.gate_up.reshape = stablehlo.reshape %layers.1.moe.experts.reduce_add : (tensor<1x2xi32>) -> tensor<2xi32>
    %layers.1.moe.experts.gate_up.convert = stablehlo.convert %layers.1.moe.experts.gate_up.weight.scale : (tensor<8x4x1x16xf16>) -> tensor<8x4x1x16xf32>
    %layers.1.moe.experts.gate_up.convert.1 = stablehlo.convert %layers.1.moe.experts.gate_up.weight.offset : (tensor<8x4x1x16xf16>) -> tensor<8x4x1x16xf32>
    %layers.1.moe.experts.gate_up.gather_rows = "stablehlo.gather"(%layers.1.moe.experts.gate_up.weight.q, %layers.1.moe.experts.gate_up.reshape) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3, 4, 5], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 1, 8, 16, 4>}> : (tensor<8x4x1x8x16x4xui8>, tensor<2xi32>) -> tensor<2x4x1x8x16x4xui8>
    %layers.1.moe.experts.gate_up.gather_rows.1 = "stablehlo.gather"(%layers.1.moe.experts.gate_up.convert, %layers.1.moe.experts.gate_up.reshape) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 1, 16>}> : (tensor<8x4x1x16xf32>, tensor<2xi32>) -> tensor<2x4x1x16xf32>
    %layers.1.moe.experts.gate_up.gather_rows.2 = "stablehlo.gather"(%layers.1.moe.experts.gate_up.convert.1, %layers.1.moe.experts.gate_up.reshape) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 1, 16>}> : (tensor<8x4x1x16xf32>, tensor<2xi32>) -> tensor<2x4x1x16xf32>
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
    %layers.1.moe.experts.down.reshape = stablehlo.reshape %layers.1.moe.experts.down.weight : (tensor<8x4x32x16xbf16>) -> tensor<32x32x16xbf16>
    %layers.1.moe.experts.down.iota = stablehlo.iota dim = 2 : tensor<1x2x4xi32>
    %layers.1.moe.experts.down.add = stablehlo.add %layers.1.moe.experts.down.mul, %layers.1.moe.experts.down.iota : tensor<1x2x4xi32>
    %layers.1.moe.experts.down.gather_rows = "stablehlo.gather"(%layers.1.moe.experts.down.reshape, %layers.1.moe.experts.down.add) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32, 16>}> : (tensor<32x32x16xbf16>, tensor<1x2x4xi32>) -> tensor<1x2x4x32x16xbf16>
    %layers.1.moe.experts.down.convert = stablehlo.convert %layers.1.moe.experts.down.gather_rows : (tensor<1x2x4x32x16xbf16>) -> tensor<1x2x4x32x16xf32>
    %layers.1.moe.experts.down.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.moe.experts.mul.1, dims = [0, 1, 3] : (tensor<1x2x32xf32>) -> tensor<1x2x4x32x16xf32>
    %layers.1.moe.experts.down.mul.1 = stablehlo.multiply %layers.1.moe.experts.down.convert, %layers.1.moe.experts.down.broadcast.1 : tensor<1x2x4x32x16xf32>
    %layers.1.moe.experts.down.reduce_add = stablehlo.reduce(%layers.1.moe.experts.down.mul.1 init: %$add_f32) applies stablehlo.add across dimensions = [3] : (tensor<1x2x4x32x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %layers.1.moe.experts.down.reshape.1 = stablehlo.reshape %layers.1.moe.experts.down.reduce_add : (tensor<1x2x4x16xf32>) -> tensor<1x2x64xf32>
    %layers.1.moe.experts.broadcast = stablehlo.broadcast_in_dim %layers.1.moe.router.mul.1, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<1x2x64xf32>
    %layers.1.moe.experts.mul.2 = stablehlo.multiply %layers.1.moe.experts.down.reshape.1, %layers.1.moe.experts.broadcast : tensor<1x2x64xf32>
    %layers.1.moe.experts.reduce_add.1 = stablehlo.reduce(%layers.1.moe.experts.mul.2 init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<1x2x64xf32>, tensor<f32>) -> tensor<1x64xf32>
    %layers.1.moe.shared.gate_up.convert = stablehlo.convert %layers.1.moe.shared.gate_up.weight.scale : (tensor<4x1x16xf16>) -> tensor<4x1x16xf32>
    %layers.1.moe.shared.gate_up.convert.1 = stablehlo.convert %layers.1.moe.shared.gate_up.weight.offset : (tensor<4x1x16xf16>) -> tensor<4x1x16xf32>
    %layers.1.moe.shared.gate_up.reshape = stablehlo.reshape %layers.1.moe.shared.gate_up.weight.q : (tensor<4x1x8x16x4xui8>) -> tensor<1x4x1x8x16x4xui8>
    %layers.1.moe.shared.gate_up.reshape.1 = stablehlo.reshape %layers.1.moe.shared.gate_up.convert : (tensor<4x1x16xf32>) -> tensor<1x4x1x16xf32>
    %layers.1.moe.shared.gate_up.reshape.2 = stablehlo.reshape %layers.1.moe.shared.gate_up.convert.1 : (tensor<4x1x16xf32>) -> tensor<1x4x1x16xf32>
    %layers.1.moe.shared.gate_up.const = stablehlo.constant dense<15> : tensor<1x4x1x8x16x4xui8>
    %layers.1.moe.shared.gate_up.and = stablehlo.and %layers.1.moe.shared.gate_up.reshape, %layers.1.moe.shared.gate_up.const : tensor<1x4x1x8x16x4xui8>
    %layers.1.moe.shared.gate_up.convert.2 = stablehlo.convert %layers.1.moe.shared.gate_up.and : (tensor<1x4x1x8x16x4xui8>) -> tensor<1x4x1x8x16x4xf32>
    %layers.1.moe.shared.gate_up.broadcast = stablehlo.broadcast_in_dim %layers.1.moe.shared.gate_up.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x4x1x16xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.1.moe.shared.gate_up.mul = stablehlo.multiply %layers.1.moe.shared.gate_up.convert.2, %layers.1.moe.shared.gate_up.broadcast : tensor<1x4x1x8x16x4xf32>
    %layers.1.moe.shared.gate_up.broadcast.1 = stablehlo.broadcast_in_dim %layers.1.moe.shared.gate_up.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x4x1x16xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.1.moe.shared.gate_up.add = stablehlo.add %layers.1.moe.shared.gate_up.mul, %layers.1.moe.shared.gate_up.broadcast.1 : tensor<1x4x1x8x16x4xf32>
    %layers.1.moe.shared.gate_up.const.1 = stablehlo.constant dense<4> : tensor<1x4x1x8x16x4xui8>
    %layers.1.moe.shared.gate_up.shr = stablehlo.shift_right_logical %layers.1.moe.shared.gate_up.reshape, %layers.1.moe.shared.gate_up.const.1 : tensor<1x4x1x8x16x4xui8>
    %layers.1.moe.shared.gate_up.convert.3 = stablehlo.convert %layers.1.moe.shared.gate_up.shr : (tensor<1x4x1x8x16x4xui8>) -> tensor<1x4x1x8x16x4xf32>
    %layers.1.moe.shared.gate_up.broadcast.2 = stablehlo.broadcast_in_dim %layers.1.moe.shared.gate_up.reshape.1, dims = [0, 1, 2, 4] : (tensor<1x4x1x16xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.1.moe.shared.gate_up.mul.1 = stablehlo.multiply %layers.1.moe.shared.gate_up.convert.3, %layers.1.moe.shared.gate_up.broadcast.2 : tensor<1x4x1x8x16x4xf32>
    %layers.1.moe.shared.gate_up.broadcast.3 = stablehlo.broadcast_in_dim %layers.1.moe.shared.gate_up.reshape.2, dims = [0, 1, 2, 4] : (tensor<1x4x1x16xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.1.moe.shared.gate_up.add.1 = stablehlo.add %layers.1.moe.shared.gate_up.mul.1, %layers.1.moe.shared.gate_up.broadcast.3 : tensor<1x4x1x8x16x4xf32>
    %layers.1.moe.shared.gate_up.reshape.3 = stablehlo.reshape %layers.1.mlp_norm.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.1.moe.shared.gate_up.slice = stablehlo.slice %layers.1.moe.shared.gate_up.reshape.3 [0:1, 0:1, 0:1, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.1.moe.shared.gate_up.reshape.4 = stablehlo.reshape %layers.1.moe.shared.gate_up.slice : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.1.moe.shared.gate_up.broadcast.4 = stablehlo.broadcast_in_dim %layers.1.moe.shared.gate_up.reshape.4, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.1.moe.shared.gate_up.mul.2 = stablehlo.multiply %layers.1.moe.shared.gate_up.add, %layers.1.moe.shared.gate_up.broadcast.4 : tensor<1x4x1x8x16x4xf32>
    %layers.1.moe.shared.gate_up.reshape.5 = stablehlo.reshape %layers.1.mlp_norm.mul.2 : (tensor<1x64xf32>) -> tensor<1x1x2x8x4xf32>
    %layers.1.moe.shared.gate_up.slice.1 = stablehlo.slice %layers.1.moe.shared.gate_up.reshape.5 [0:1, 0:1, 1:2, 0:8, 0:4] : (tensor<1x1x2x8x4xf32>) -> tensor<1x1x1x8x4xf32>
    %layers.1.moe.shared.gate_up.reshape.6 = stablehlo.reshape %layers.1.moe.shared.gate_up.slice.1 : (tensor<1x1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    %layers.1.moe.shared.gate_up.broadcast.5 = stablehlo.broadcast_in_dim %layers.1.moe.shared.gate_up.reshape.6, dims = [0, 2, 3, 5] : (tensor<1x1x8x4xf32>) -> tensor<1x4x1x8x16x4xf32>
    %layers.1.moe.shared.gate_up.mul.3 = stablehlo.multiply %layers.1.moe.shared.gate_up.add.1, %layers.1.moe.shared.gate_up.broadcast.5 : tensor<1x4x1x8x16x4xf32>
    %layers.1.moe.shared.gate_up.add.2 = stablehlo.add %layers.1.moe.shared.gate_up.mul.2, %layers.1.moe.shared.gate_up.mul.3 : tensor<1x4x1x8x16x4xf32>
    %layers.1.moe.shared.gate_up.reduce_add = stablehlo.reduce(%layers.1.moe.shared.gate_up.add.2 init: %$add_f32) applies stablehlo.add across dimensions = [2, 3, 5] : (tensor<1x4x1x8x16x4xf32>, tensor<f32>) -> tensor<1x4x16xf32>
    %layers.1.moe.shared.gate_up.reshape.7 = stablehlo.reshape %layers.1.moe.shared.gate_up.reduce_add : (tensor<1x4x16xf32>) -> tensor<1x64xf32>
    %layers.1.moe.shared.gate.slice = stablehlo.slice %layers.1.moe.shared.gate_up.reshape.7 [0:1, 0:32] : (tensor<1x64xf32>) -> tensor<1x32xf32>
    %layers.1.moe.shared.logistic = stablehlo.logistic %layers.1.moe.shared.gate.slice : tensor<1x32xf32>
    %layers.1.moe.shared.mul = stablehlo.multiply %layers.1.moe.shared.gate.slice, %layers.1.moe.shared.logistic : tensor<1x32xf32>
    %layers.1.moe.shared.up.slice = stablehlo.slice %layers.1.moe.shared.gate_up.reshape.7 [0:1, 32:64] : (tensor<1x64xf32>) -> tensor<1x32xf32>
    %layers.1.moe.shared.mul.1 = stablehlo.multiply %layers.1.moe.shared.mul, %layers.1.moe.shared.up.slice : tensor<1x32xf32>
    %layers.1.moe.shared.down.convert = stablehlo.convert %layers.1.moe.shared.down.weight : (tensor<2x32x32xbf16>) -> tensor<2x32x32xf32>
    %layers.1.moe.shared.down.reshape = stablehlo.reshape %layers.1.moe.shared.mul.1 : (tensor<1x32xf32>) -> tensor<32xf32>
    %layers.1.moe.shared.down.broadcast = stablehlo.broadcast_in_dim %layers.1.moe.shared.down.reshape, dims = [1] : (tensor<32xf32>) -> tensor<2x32x32xf32>
    %layers.1.moe.shared.down.mul = stablehlo.multiply %layers.1.moe.shared.down.broadcast, %layers.1.moe.shared.down.convert : tensor<2x32x32xf32>
    %layers.1.moe.shared.down.reduce_add = stablehlo.reduce(%layers.1.moe.shared.down.mul init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<2x32x32xf32>, tensor<f32>) -> tensor<2x32xf32>
    %layers.1.moe.shared.down.reshape.1 = stablehlo.reshape %layers.1.moe.shared.down.reduce_add : (tensor<2x32xf32>) -> tensor<1x64xf32>
    %layers.1.moe.add = stablehlo.add %layers.1.moe.experts.reduce_add.1, %layers.1.moe.shared.down.reshape.1 : tensor<1x64xf32>
    %layers.1.add.1 = stablehlo.add %layers.1.add, %layers.1.moe.add : tensor<1x64xf32>
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
      %layers.1.attn.scatter_rows
      :
      tensor<1xi32>,
      tensor<256xf32>,
      tensor<79x1x40xf32>,
      tensor<79x1x40xf32>
  }
}
