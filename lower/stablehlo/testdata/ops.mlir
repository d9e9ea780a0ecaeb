// constant_splat
%c0.const = stablehlo.constant dense<0.1> : tensor<2x3xf32>
%c0.add = stablehlo.add %c0.0, %c0.const : tensor<2x3xf32>
// constant_dense
%c0.const = stablehlo.constant dense<[[1.0, 2.0, 3.0], [0xFF800000, 0x7F800000, 0x7FC00000]]> : tensor<2x3xf32>
%c0.add = stablehlo.add %c0.0, %c0.const : tensor<2x3xf32>
// constant_small
%c0.const = stablehlo.constant dense<[[1.0e-30, 1.0e+30, 1.0e-05], [1.6777216e+07, 123456.79, 0.33333334]]> : tensor<2x3xf32>
%c0.add = stablehlo.add %c0.0, %c0.const : tensor<2x3xf32>
// constant_i32
%c0.const = stablehlo.constant dense<[-2147483648, 7]> : tensor<2xi32>
%c0.add = stablehlo.add %c0.0, %c0.const : tensor<2xi32>
// constant_u8
%c0.const = stablehlo.constant dense<[255, 0]> : tensor<2xui8>
%c0.add = stablehlo.add %c0.0, %c0.const : tensor<2xui8>
// constant_i64
%c0.const = stablehlo.constant dense<[9007199254740992, -5]> : tensor<2xi64>
%c0.add = stablehlo.add %c0.0, %c0.const : tensor<2xi64>
// constant_f64
%c0.const = stablehlo.constant dense<[0.1, 0x7FF0000000000000]> : tensor<2xf64>
%c0.add = stablehlo.add %c0.0, %c0.const : tensor<2xf64>
// constant_i1
%c0.const = stablehlo.constant dense<[true, false]> : tensor<2xi1>
%c0.xor = stablehlo.xor %c0.0, %c0.const : tensor<2xi1>
// iota_0
%c0.iota = stablehlo.iota dim = 0 : tensor<3xi32>
%c0.add = stablehlo.add %c0.0, %c0.iota : tensor<3xi32>
// iota_1
%c0.iota = stablehlo.iota dim = 1 : tensor<2x3xf32>
%c0.add = stablehlo.add %c0.0, %c0.iota : tensor<2x3xf32>
// neg_f32
%c0.neg = stablehlo.negate %c0.0 : tensor<7xf32>
// neg_i32
%c0.neg = stablehlo.negate %c0.0 : tensor<4xi32>
// neg_i8
%c0.neg = stablehlo.negate %c0.0 : tensor<2xi8>
// abs_f32
%c0.abs = stablehlo.abs %c0.0 : tensor<7xf32>
// abs_i64
%c0.abs = stablehlo.abs %c0.0 : tensor<2xi64>
// exp_f32
%c0.exp = stablehlo.exponential %c0.0 : tensor<7xf32>
// exp_f32
%c0.exp = stablehlo.exponential %c0.0 : tensor<5xf32>
// log_f32
%c0.log = stablehlo.log %c0.0 : tensor<3xf32>
// log_f32
%c0.log = stablehlo.log %c0.0 : tensor<4xf32>
// sqrt_f32
%c0.sqrt = stablehlo.sqrt %c0.0 : tensor<5xf32>
// rsqrt_f32
%c0.rsqrt = stablehlo.rsqrt %c0.0 : tensor<5xf32>
// tanh_f32
%c0.tanh = stablehlo.tanh %c0.0 : tensor<7xf32>
// tanh_f32
%c0.tanh = stablehlo.tanh %c0.0 : tensor<3xf32>
// logistic_f32
%c0.logistic = stablehlo.logistic %c0.0 : tensor<7xf32>
// logistic_f32
%c0.logistic = stablehlo.logistic %c0.0 : tensor<4xf32>
// cos_f32
%c0.cos = stablehlo.cosine %c0.0 : tensor<7xf32>
// sin_f32
%c0.sin = stablehlo.sine %c0.0 : tensor<7xf32>
// floor_f32
%c0.floor = stablehlo.floor %c0.0 : tensor<4xf32>
// ceil_f32
%c0.ceil = stablehlo.ceil %c0.0 : tensor<3xf32>
// round_f32
%c0.round = stablehlo.round_nearest_even %c0.0 : tensor<6xf32>
// not_i1
%c0.not = stablehlo.not %c0.0 : tensor<2xi1>
// not_i32
%c0.not = stablehlo.not %c0.0 : tensor<3xi32>
// not_u8
%c0.not = stablehlo.not %c0.0 : tensor<3xui8>
// sqrt_f64
%c0.sqrt = stablehlo.sqrt %c0.0 : tensor<1xf64>
// add_f32
%c0.add = stablehlo.add %c0.0, %c0.1 : tensor<4xf32>
// add_i32
%c0.add = stablehlo.add %c0.0, %c0.1 : tensor<5xi32>
// add_u8
%c0.add = stablehlo.add %c0.0, %c0.1 : tensor<4xui8>
// sub_f32
%c0.sub = stablehlo.subtract %c0.0, %c0.1 : tensor<4xf32>
// sub_i32
%c0.sub = stablehlo.subtract %c0.0, %c0.1 : tensor<5xi32>
// sub_u8
%c0.sub = stablehlo.subtract %c0.0, %c0.1 : tensor<4xui8>
// mul_f32
%c0.mul = stablehlo.multiply %c0.0, %c0.1 : tensor<4xf32>
// mul_i32
%c0.mul = stablehlo.multiply %c0.0, %c0.1 : tensor<5xi32>
// mul_u8
%c0.mul = stablehlo.multiply %c0.0, %c0.1 : tensor<4xui8>
// div_f32
%c0.div = stablehlo.divide %c0.0, %c0.1 : tensor<4xf32>
// div_i32
%c0.div = stablehlo.divide %c0.0, %c0.1 : tensor<5xi32>
// div_u8
%c0.div = stablehlo.divide %c0.0, %c0.1 : tensor<4xui8>
// div_f32
%c0.div = stablehlo.divide %c0.0, %c0.1 : tensor<3xf32>
// max_f32
%c0.max = stablehlo.maximum %c0.0, %c0.1 : tensor<4xf32>
// max_f32
%c0.max = stablehlo.maximum %c0.0, %c0.1 : tensor<3xf32>
// max_i32
%c0.max = stablehlo.maximum %c0.0, %c0.1 : tensor<5xi32>
// max_u8
%c0.max = stablehlo.maximum %c0.0, %c0.1 : tensor<4xui8>
// min_f32
%c0.min = stablehlo.minimum %c0.0, %c0.1 : tensor<4xf32>
// min_f32
%c0.min = stablehlo.minimum %c0.0, %c0.1 : tensor<3xf32>
// min_u8
%c0.min = stablehlo.minimum %c0.0, %c0.1 : tensor<4xui8>
// pow_f32
%c0.pow = stablehlo.power %c0.0, %c0.1 : tensor<7xf32>
// pow_f32
%c0.pow = stablehlo.power %c0.0, %c0.1 : tensor<7xf32>
// rem_f32
%c0.rem = stablehlo.remainder %c0.0, %c0.1 : tensor<3xf32>
// rem_i32
%c0.rem = stablehlo.remainder %c0.0, %c0.1 : tensor<5xi32>
// rem_u8
%c0.rem = stablehlo.remainder %c0.0, %c0.1 : tensor<4xui8>
// and_i1
%c0.and = stablehlo.and %c0.0, %c0.1 : tensor<4xi1>
// and_i32
%c0.and = stablehlo.and %c0.0, %c0.1 : tensor<5xi32>
// and_u8
%c0.and = stablehlo.and %c0.0, %c0.1 : tensor<4xui8>
// or_i1
%c0.or = stablehlo.or %c0.0, %c0.1 : tensor<4xi1>
// or_u8
%c0.or = stablehlo.or %c0.0, %c0.1 : tensor<4xui8>
// xor_i1
%c0.xor = stablehlo.xor %c0.0, %c0.1 : tensor<4xi1>
// xor_u8
%c0.xor = stablehlo.xor %c0.0, %c0.1 : tensor<4xui8>
// shl_i32
%c0.shl = stablehlo.shift_left %c0.0, %c0.1 : tensor<5xi32>
// shr_i32
%c0.shr = stablehlo.shift_right_logical %c0.0, %c0.1 : tensor<5xi32>
// sar_i32
%c0.sar = stablehlo.shift_right_arithmetic %c0.0, %c0.1 : tensor<5xi32>
// shr_u8
%c0.shr = stablehlo.shift_right_logical %c0.0, %c0.1 : tensor<3xui8>
// shl_i8
%c0.shl = stablehlo.shift_left %c0.0, %c0.1 : tensor<2xi8>
// mul_f64
%c0.mul = stablehlo.multiply %c0.0, %c0.1 : tensor<1xf64>
// add_i64
%c0.add = stablehlo.add %c0.0, %c0.1 : tensor<1xi64>
// eq_f32
%c0.eq = stablehlo.compare EQ, %c0.0, %c0.1 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
// ne_f32
%c0.ne = stablehlo.compare NE, %c0.0, %c0.1 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
// lt_f32
%c0.lt = stablehlo.compare LT, %c0.0, %c0.1 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
// le_f32
%c0.le = stablehlo.compare LE, %c0.0, %c0.1 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
// gt_f32
%c0.gt = stablehlo.compare GT, %c0.0, %c0.1 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
// ge_f32
%c0.ge = stablehlo.compare GE, %c0.0, %c0.1 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
// eq_i32
%c0.eq = stablehlo.compare EQ, %c0.0, %c0.1 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
// lt_i32
%c0.lt = stablehlo.compare LT, %c0.0, %c0.1 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
// ge_i32
%c0.ge = stablehlo.compare GE, %c0.0, %c0.1 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
// lt_u8
%c0.lt = stablehlo.compare LT, %c0.0, %c0.1 : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
// gt_u8
%c0.gt = stablehlo.compare GT, %c0.0, %c0.1 : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
// select
%c0.select = stablehlo.select %c0.0, %c0.1, %c0.2 : tensor<3xi1>, tensor<3xf32>
// select_scalar
%c0.select = stablehlo.select %c0.0, %c0.1, %c0.2 : tensor<i1>, tensor<2xi32>
// select_bf16
%c0.select = stablehlo.select %c0.0, %c0.1, %c0.2 : tensor<2xi1>, tensor<2xbf16>
// clamp
%c0.clamp = stablehlo.clamp %c0.0, %c0.1, %c0.2 : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
// clamp_scalar
%c0.clamp = stablehlo.clamp %c0.0, %c0.1, %c0.2 : (tensor<i32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// convert_f32_bf16
%c0.convert = stablehlo.convert %c0.0 : (tensor<5xf32>) -> tensor<5xbf16>
// convert_bf16_f32
%c0.convert = stablehlo.convert %c0.0 : (tensor<5xbf16>) -> tensor<5xf32>
// convert_f32_f16
%c0.convert = stablehlo.convert %c0.0 : (tensor<6xf32>) -> tensor<6xf16>
// convert_f16_f32
%c0.convert = stablehlo.convert %c0.0 : (tensor<5xf16>) -> tensor<5xf32>
// convert_f32_i32
%c0.convert = stablehlo.convert %c0.0 : (tensor<4xf32>) -> tensor<4xi32>
// convert_f32_i32
%c0.convert = stablehlo.convert %c0.0 : (tensor<3xf32>) -> tensor<3xi32>
// convert_f32_u8
%c0.convert = stablehlo.convert %c0.0 : (tensor<3xf32>) -> tensor<3xui8>
// convert_f32_i8
%c0.convert = stablehlo.convert %c0.0 : (tensor<2xf32>) -> tensor<2xi8>
// convert_i32_f32
%c0.convert = stablehlo.convert %c0.0 : (tensor<3xi32>) -> tensor<3xf32>
// convert_u8_f32
%c0.convert = stablehlo.convert %c0.0 : (tensor<3xui8>) -> tensor<3xf32>
// convert_u8_i32
%c0.convert = stablehlo.convert %c0.0 : (tensor<3xui8>) -> tensor<3xi32>
// convert_u8_i8
%c0.convert = stablehlo.convert %c0.0 : (tensor<2xui8>) -> tensor<2xi8>
// convert_i8_f32
%c0.convert = stablehlo.convert %c0.0 : (tensor<2xi8>) -> tensor<2xf32>
// convert_i8_i32
%c0.convert = stablehlo.convert %c0.0 : (tensor<2xi8>) -> tensor<2xi32>
// convert_i32_u8
%c0.convert = stablehlo.convert %c0.0 : (tensor<2xi32>) -> tensor<2xui8>
// convert_i32_i8
%c0.convert = stablehlo.convert %c0.0 : (tensor<2xi32>) -> tensor<2xi8>
// convert_i32_i64
%c0.convert = stablehlo.convert %c0.0 : (tensor<1xi32>) -> tensor<1xi64>
// convert_i64_i32
%c0.convert = stablehlo.convert %c0.0 : (tensor<1xi64>) -> tensor<1xi32>
// convert_i1_f32
%c0.convert = stablehlo.convert %c0.0 : (tensor<2xi1>) -> tensor<2xf32>
// convert_i1_i32
%c0.convert = stablehlo.convert %c0.0 : (tensor<2xi1>) -> tensor<2xi32>
// convert_i1_i8
%c0.convert = stablehlo.convert %c0.0 : (tensor<2xi1>) -> tensor<2xi8>
// convert_f32_i1
%c0.convert = stablehlo.convert %c0.0 : (tensor<4xf32>) -> tensor<4xi1>
// convert_i32_i1
%c0.convert = stablehlo.convert %c0.0 : (tensor<2xi32>) -> tensor<2xi1>
// convert_f32_f64
%c0.convert = stablehlo.convert %c0.0 : (tensor<1xf32>) -> tensor<1xf64>
// convert_f64_f32
%c0.convert = stablehlo.convert %c0.0 : (tensor<1xf64>) -> tensor<1xf32>
// bitcast_f32_i32
%c0.bitcast = stablehlo.bitcast_convert %c0.0 : (tensor<2xf32>) -> tensor<2xi32>
// bitcast_i32_f32
%c0.bitcast = stablehlo.bitcast_convert %c0.0 : (tensor<1xi32>) -> tensor<1xf32>
// bitcast_u8_i8
%c0.bitcast = stablehlo.bitcast_convert %c0.0 : (tensor<2xui8>) -> tensor<2xi8>
// bitcast_i8_u8
%c0.bitcast = stablehlo.bitcast_convert %c0.0 : (tensor<2xi8>) -> tensor<2xui8>
// reshape
%c0.reshape = stablehlo.reshape %c0.0 : (tensor<2x3xf32>) -> tensor<3x2xf32>
// reshape_scalar
%c0.reshape = stablehlo.reshape %c0.0 : (tensor<1xi32>) -> tensor<i32>
// broadcast_scalar
%c0.broadcast = stablehlo.broadcast_in_dim %c0.0, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
// broadcast_rows
%c0.broadcast = stablehlo.broadcast_in_dim %c0.0, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
// broadcast_columns
%c0.broadcast = stablehlo.broadcast_in_dim %c0.0, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
// broadcast_one
%c0.broadcast = stablehlo.broadcast_in_dim %c0.0, dims = [1, 2] : (tensor<2x1xf32>) -> tensor<2x2x2xf32>
// transpose
%c0.transpose = stablehlo.transpose %c0.0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// transpose_3
%c0.transpose = stablehlo.transpose %c0.0, dims = [2, 0, 1] : (tensor<2x3x2xi32>) -> tensor<2x2x3xi32>
// transpose_bf16
%c0.transpose = stablehlo.transpose %c0.0, dims = [1, 0] : (tensor<2x2xbf16>) -> tensor<2x2xbf16>
// reverse
%c0.reverse = stablehlo.reverse %c0.0, dims = [1] : tensor<2x3xf32>
// reverse_2
%c0.reverse = stablehlo.reverse %c0.0, dims = [0, 1] : tensor<2x3xf32>
// slice
%c0.slice = stablehlo.slice %c0.0 [1:2, 1:3] : (tensor<2x3xf32>) -> tensor<1x2xf32>
// slice_strided
%c0.slice = stablehlo.slice %c0.0 [0:2:1, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>
// slice_dim
%c0.slice = stablehlo.slice %c0.0 [0:2, 1:2] : (tensor<2x3xf32>) -> tensor<2x1xf32>
// concat_0
%c0.concat = stablehlo.concatenate %c0.0, %c0.1, dim = 0 : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
// concat_1
%c0.concat = stablehlo.concatenate %c0.0, %c0.1, dim = 1 : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x5xf32>
// concat_three
%c0.concat = stablehlo.concatenate %c0.0, %c0.1, %c0.2, dim = 0 : (tensor<1xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<3xui8>
// pad
%c0.pad = stablehlo.pad %c0.0, %c0.1, low = [0, 1], high = [1, 1], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x5xf32>
// dynamic_slice
%c0.dynamic_slice = stablehlo.dynamic_slice %c0.0, %c0.1, %c0.2, sizes = [2, 1] : (tensor<3x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x1xf32>
// dynamic_slice_clamps
%c0.dynamic_slice = stablehlo.dynamic_slice %c0.0, %c0.1, %c0.2, sizes = [2, 1] : (tensor<3x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x1xf32>
// dynamic_update_slice
%c0.dynamic_update_slice = stablehlo.dynamic_update_slice %c0.0, %c0.1, %c0.2, %c0.3 : (tensor<3x3xf32>, tensor<2x1xf32>, tensor<i32>, tensor<i32>) -> tensor<3x3xf32>
// dynamic_update_slice_clamps
%c0.dynamic_update_slice = stablehlo.dynamic_update_slice %c0.0, %c0.1, %c0.2, %c0.3 : (tensor<3x3xf32>, tensor<2x1xf32>, tensor<i32>, tensor<i32>) -> tensor<3x3xf32>
// gather_rows
%c0.gather_rows = "stablehlo.gather"(%c0.0, %c0.1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
// gather_rows_clamps
%c0.gather_rows = "stablehlo.gather"(%c0.0, %c0.1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
// gather_rows_matrix
%c0.gather_rows = "stablehlo.gather"(%c0.0, %c0.1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<2x2xbf16>, tensor<2x2xi32>) -> tensor<2x2x2xbf16>
// gather_rows_vector
%c0.gather_rows = "stablehlo.gather"(%c0.0, %c0.1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<3xf32>, tensor<2xi32>) -> tensor<2xf32>
// gather_rows_3
%c0.gather_rows = "stablehlo.gather"(%c0.0, %c0.1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<2x2x2xf32>, tensor<1xi32>) -> tensor<1x2x2xf32>
// scatter_rows
%c0.scatter_rows = "stablehlo.scatter"(%c0.0, %c0.1, %c0.2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<2x3xf32>) -> tensor<3x3xf32>
// scatter_rows_unique
%c0.scatter_rows = "stablehlo.scatter"(%c0.0, %c0.1, %c0.2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<3x3xf32>, tensor<1xi32>, tensor<1x3xf32>) -> tensor<3x3xf32>
// scatter_rows_later_wins
%c0.scatter_rows = "stablehlo.scatter"(%c0.0, %c0.1, %c0.2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<2x3xf32>) -> tensor<3x3xf32>
// scatter_rows_outside
%c0.scatter_rows = "stablehlo.scatter"(%c0.0, %c0.1, %c0.2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<3x3xf32>, tensor<3xi32>, tensor<3x3xf32>) -> tensor<3x3xf32>
// scatter_rows_3
%c0.scatter_rows = "stablehlo.scatter"(%c0.0, %c0.1, %c0.2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : (tensor<2x2x2xf32>, tensor<1xi32>, tensor<1x2x2xf32>) -> tensor<2x2x2xf32>
// scatter_rows_vector
%c0.scatter_rows = "stablehlo.scatter"(%c0.0, %c0.1, %c0.2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<i32>, %new: tensor<i32>): stablehlo.return %new : tensor<i32> }) : (tensor<3xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
// dot_linear
%c0.dot = stablehlo.dot_general %c0.0, %c0.1, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
// dot_matmul
%c0.dot = stablehlo.dot_general %c0.0, %c0.1, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// dot_vectors
%c0.dot = stablehlo.dot_general %c0.0, %c0.1, contracting_dims = [0] x [0] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
// dot_outer
%c0.dot = stablehlo.dot_general %c0.0, %c0.1, contracting_dims = [] x [] : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// dot_batch
%c0.dot = stablehlo.dot_general %c0.0, %c0.1, batching_dims = [1] x [1], contracting_dims = [2] x [2] : (tensor<1x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x1x2xf32>
// dot_two_contracting
%c0.dot = stablehlo.dot_general %c0.0, %c0.1, contracting_dims = [1, 2] x [0, 1] : (tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
// dot_bf16
%c0.dot = stablehlo.dot_general %c0.0, %c0.1, contracting_dims = [1] x [1] : (tensor<2x3xbf16>, tensor<2x3xbf16>) -> tensor<2x2xf32>
// dot_f16
%c0.dot = stablehlo.dot_general %c0.0, %c0.1, contracting_dims = [1] x [1] : (tensor<1x3xf16>, tensor<1x3xf16>) -> tensor<1x1xf32>
// dot_i8
%c0.dot = stablehlo.dot_general %c0.0, %c0.1, contracting_dims = [1] x [1] : (tensor<1x2xi8>, tensor<2x2xi8>) -> tensor<1x2xi32>
// dot_i32
%c0.dot = stablehlo.dot_general %c0.0, %c0.1, contracting_dims = [0] x [0] : (tensor<2xi32>, tensor<2xi32>) -> tensor<i32>
// dot_f64
%c0.dot = stablehlo.dot_general %c0.0, %c0.1, contracting_dims = [0] x [0] : (tensor<2xf64>, tensor<2xf64>) -> tensor<f64>
// reduce_add_1
%$add_f32 = stablehlo.constant dense<0.0> : tensor<f32>
%c0.reduce_add = stablehlo.reduce(%c0.0 init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
// reduce_add_0
%$add_f32 = stablehlo.constant dense<0.0> : tensor<f32>
%c0.reduce_add = stablehlo.reduce(%c0.0 init: %$add_f32) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
// reduce_add_all
%$add_f32 = stablehlo.constant dense<0.0> : tensor<f32>
%c0.reduce_add = stablehlo.reduce(%c0.0 init: %$add_f32) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
// reduce_add_middle
%$add_f32 = stablehlo.constant dense<0.0> : tensor<f32>
%c0.reduce_add = stablehlo.reduce(%c0.0 init: %$add_f32) applies stablehlo.add across dimensions = [1] : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
// reduce_add_i32
%$add_i32 = stablehlo.constant dense<0> : tensor<i32>
%c0.reduce_add = stablehlo.reduce(%c0.0 init: %$add_i32) applies stablehlo.add across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
// reduce_add_i64
%$add_i64 = stablehlo.constant dense<0> : tensor<i64>
%c0.reduce_add = stablehlo.reduce(%c0.0 init: %$add_i64) applies stablehlo.add across dimensions = [0] : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
// reduce_mul
%$mul_f32 = stablehlo.constant dense<1.0> : tensor<f32>
%c0.reduce_mul = stablehlo.reduce(%c0.0 init: %$mul_f32) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
// reduce_max
%$max_f32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
%c0.reduce_max = stablehlo.reduce(%c0.0 init: %$max_f32) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
// reduce_max_nan
%$max_f32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
%c0.reduce_max = stablehlo.reduce(%c0.0 init: %$max_f32) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
// reduce_max_i32
%$max_i32 = stablehlo.constant dense<-2147483648> : tensor<i32>
%c0.reduce_max = stablehlo.reduce(%c0.0 init: %$max_i32) applies stablehlo.maximum across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
// reduce_max_i64
%$max_i64 = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
%c0.reduce_max = stablehlo.reduce(%c0.0 init: %$max_i64) applies stablehlo.maximum across dimensions = [0] : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
// reduce_max_u8
%$max_u8 = stablehlo.constant dense<0> : tensor<ui8>
%c0.reduce_max = stablehlo.reduce(%c0.0 init: %$max_u8) applies stablehlo.maximum across dimensions = [0] : (tensor<2xui8>, tensor<ui8>) -> tensor<ui8>
// reduce_min
%$min_f32 = stablehlo.constant dense<0x7F800000> : tensor<f32>
%c0.reduce_min = stablehlo.reduce(%c0.0 init: %$min_f32) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
// reduce_min_i8
%$min_i8 = stablehlo.constant dense<127> : tensor<i8>
%c0.reduce_min = stablehlo.reduce(%c0.0 init: %$min_i8) applies stablehlo.minimum across dimensions = [0] : (tensor<2xi8>, tensor<i8>) -> tensor<i8>
// reduce_and
%$and_i1 = stablehlo.constant dense<true> : tensor<i1>
%c0.reduce_and = stablehlo.reduce(%c0.0 init: %$and_i1) applies stablehlo.and across dimensions = [1] : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>
// reduce_and_i32
%$and_i32 = stablehlo.constant dense<-1> : tensor<i32>
%c0.reduce_and = stablehlo.reduce(%c0.0 init: %$and_i32) applies stablehlo.and across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
// reduce_and_u8
%$and_u8 = stablehlo.constant dense<255> : tensor<ui8>
%c0.reduce_and = stablehlo.reduce(%c0.0 init: %$and_u8) applies stablehlo.and across dimensions = [0] : (tensor<2xui8>, tensor<ui8>) -> tensor<ui8>
// reduce_or
%$or_i1 = stablehlo.constant dense<false> : tensor<i1>
%c0.reduce_or = stablehlo.reduce(%c0.0 init: %$or_i1) applies stablehlo.or across dimensions = [0] : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>
// argmax
%$max_f32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
%$min_i32 = stablehlo.constant dense<2147483647> : tensor<i32>
%c0.argmax$max = stablehlo.reduce(%c0.0 init: %$max_f32) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
%c0.argmax$bound = stablehlo.broadcast_in_dim %c0.argmax$max, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
%c0.argmax$hit = stablehlo.compare EQ, %c0.0, %c0.argmax$bound : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
%c0.argmax$nan = stablehlo.compare NE, %c0.0, %c0.0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
%c0.argmax$any = stablehlo.or %c0.argmax$hit, %c0.argmax$nan : tensor<2x3xi1>
%c0.argmax$index = stablehlo.iota dim = 1 : tensor<2x3xi32>
%c0.argmax$never = stablehlo.constant dense<2147483647> : tensor<2x3xi32>
%c0.argmax$hits = stablehlo.select %c0.argmax$any, %c0.argmax$index, %c0.argmax$never : tensor<2x3xi1>, tensor<2x3xi32>
%c0.argmax = stablehlo.reduce(%c0.argmax$hits init: %$min_i32) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
// argmax_0
%$max_f32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
%$min_i32 = stablehlo.constant dense<2147483647> : tensor<i32>
%c0.argmax$max = stablehlo.reduce(%c0.0 init: %$max_f32) applies stablehlo.maximum across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
%c0.argmax$bound = stablehlo.broadcast_in_dim %c0.argmax$max, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
%c0.argmax$hit = stablehlo.compare EQ, %c0.0, %c0.argmax$bound : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
%c0.argmax$nan = stablehlo.compare NE, %c0.0, %c0.0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
%c0.argmax$any = stablehlo.or %c0.argmax$hit, %c0.argmax$nan : tensor<2x3xi1>
%c0.argmax$index = stablehlo.iota dim = 0 : tensor<2x3xi32>
%c0.argmax$never = stablehlo.constant dense<2147483647> : tensor<2x3xi32>
%c0.argmax$hits = stablehlo.select %c0.argmax$any, %c0.argmax$index, %c0.argmax$never : tensor<2x3xi1>, tensor<2x3xi32>
%c0.argmax = stablehlo.reduce(%c0.argmax$hits init: %$min_i32) applies stablehlo.minimum across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
// argmax_tie
%$max_f32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
%$min_i32 = stablehlo.constant dense<2147483647> : tensor<i32>
%c0.argmax$max = stablehlo.reduce(%c0.0 init: %$max_f32) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
%c0.argmax$bound = stablehlo.broadcast_in_dim %c0.argmax$max, dims = [] : (tensor<f32>) -> tensor<4xf32>
%c0.argmax$hit = stablehlo.compare EQ, %c0.0, %c0.argmax$bound : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
%c0.argmax$nan = stablehlo.compare NE, %c0.0, %c0.0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
%c0.argmax$any = stablehlo.or %c0.argmax$hit, %c0.argmax$nan : tensor<4xi1>
%c0.argmax$index = stablehlo.iota dim = 0 : tensor<4xi32>
%c0.argmax$never = stablehlo.constant dense<2147483647> : tensor<4xi32>
%c0.argmax$hits = stablehlo.select %c0.argmax$any, %c0.argmax$index, %c0.argmax$never : tensor<4xi1>, tensor<4xi32>
%c0.argmax = stablehlo.reduce(%c0.argmax$hits init: %$min_i32) applies stablehlo.minimum across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
// argmax_nan
%$max_f32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
%$min_i32 = stablehlo.constant dense<2147483647> : tensor<i32>
%c0.argmax$max = stablehlo.reduce(%c0.0 init: %$max_f32) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
%c0.argmax$bound = stablehlo.broadcast_in_dim %c0.argmax$max, dims = [] : (tensor<f32>) -> tensor<4xf32>
%c0.argmax$hit = stablehlo.compare EQ, %c0.0, %c0.argmax$bound : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
%c0.argmax$nan = stablehlo.compare NE, %c0.0, %c0.0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
%c0.argmax$any = stablehlo.or %c0.argmax$hit, %c0.argmax$nan : tensor<4xi1>
%c0.argmax$index = stablehlo.iota dim = 0 : tensor<4xi32>
%c0.argmax$never = stablehlo.constant dense<2147483647> : tensor<4xi32>
%c0.argmax$hits = stablehlo.select %c0.argmax$any, %c0.argmax$index, %c0.argmax$never : tensor<4xi1>, tensor<4xi32>
%c0.argmax = stablehlo.reduce(%c0.argmax$hits init: %$min_i32) applies stablehlo.minimum across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
// argmax_infinities
%$max_f32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
%$min_i32 = stablehlo.constant dense<2147483647> : tensor<i32>
%c0.argmax$max = stablehlo.reduce(%c0.0 init: %$max_f32) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
%c0.argmax$bound = stablehlo.broadcast_in_dim %c0.argmax$max, dims = [0] : (tensor<2xf32>) -> tensor<2x2xf32>
%c0.argmax$hit = stablehlo.compare EQ, %c0.0, %c0.argmax$bound : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
%c0.argmax$nan = stablehlo.compare NE, %c0.0, %c0.0 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
%c0.argmax$any = stablehlo.or %c0.argmax$hit, %c0.argmax$nan : tensor<2x2xi1>
%c0.argmax$index = stablehlo.iota dim = 1 : tensor<2x2xi32>
%c0.argmax$never = stablehlo.constant dense<2147483647> : tensor<2x2xi32>
%c0.argmax$hits = stablehlo.select %c0.argmax$any, %c0.argmax$index, %c0.argmax$never : tensor<2x2xi1>, tensor<2x2xi32>
%c0.argmax = stablehlo.reduce(%c0.argmax$hits init: %$min_i32) applies stablehlo.minimum across dimensions = [1] : (tensor<2x2xi32>, tensor<i32>) -> tensor<2xi32>
// argmax_i32
%$max_i32 = stablehlo.constant dense<-2147483648> : tensor<i32>
%$min_i32 = stablehlo.constant dense<2147483647> : tensor<i32>
%c0.argmax$max = stablehlo.reduce(%c0.0 init: %$max_i32) applies stablehlo.maximum across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
%c0.argmax$bound = stablehlo.broadcast_in_dim %c0.argmax$max, dims = [] : (tensor<i32>) -> tensor<2xi32>
%c0.argmax$hit = stablehlo.compare EQ, %c0.0, %c0.argmax$bound : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
%c0.argmax$index = stablehlo.iota dim = 0 : tensor<2xi32>
%c0.argmax$never = stablehlo.constant dense<2147483647> : tensor<2xi32>
%c0.argmax$hits = stablehlo.select %c0.argmax$hit, %c0.argmax$index, %c0.argmax$never : tensor<2xi1>, tensor<2xi32>
%c0.argmax = stablehlo.reduce(%c0.argmax$hits init: %$min_i32) applies stablehlo.minimum across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
