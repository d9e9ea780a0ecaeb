stream.executable private @linear_int4_f16_2x40x64_i8_bias {
  stream.executable.export public @linear_int4_f16_2x40x64_i8_bias workgroups() -> (index, index, index) {
    %n0 = arith.constant 1 : index
    %n1 = arith.constant 1 : index
    %n2 = arith.constant 1 : index
    stream.return %n0, %n1, %n2 : index, index, index
  }
  builtin.module {
    func.func @linear_int4_f16_2x40x64_i8_bias(%xq_binding: !stream.binding, %xs_binding: !stream.binding, %q_binding: !stream.binding, %scale_binding: !stream.binding, %offset_binding: !stream.binding, %bias_binding: !stream.binding, %y_binding: !stream.binding) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_codegen.no_pipeline>} {
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant dense<0.0> : vector<4xf32>
      %c0_1 = arith.constant dense<0> : vector<4xi32>
      %c0_2 = arith.constant dense<0> : vector<8xi16>
      %c8 = arith.constant 8 : index
      %c64 = arith.constant 64 : index
      %c252645135 = arith.constant dense<252645135> : vector<4xi32>
      %c8_1 = arith.constant dense<8> : vector<8xi16>
      %c255 = arith.constant dense<255> : vector<8xi16>
      %c4_1 = arith.constant dense<4> : vector<4xi32>
      %c16_1 = arith.constant dense<16> : vector<4xi32>
      %c40 = arith.constant 40 : index
      %xq = stream.binding.subspan %xq_binding[%c0] : !stream.binding -> memref<2x16xi32>
      %xs = stream.binding.subspan %xs_binding[%c0] : !stream.binding -> memref<2x2x1xf32>
      %q = stream.binding.subspan %q_binding[%c0] : !stream.binding -> memref<3x1x8x16xi32>
      %scale = stream.binding.subspan %scale_binding[%c0] : !stream.binding -> memref<3x1x16xf16>
      %offset = stream.binding.subspan %offset_binding[%c0] : !stream.binding -> memref<3x1x16xf16>
      %bias = stream.binding.subspan %bias_binding[%c0] : !stream.binding -> memref<40xf32>
      %y = stream.binding.subspan %y_binding[%c0] : !stream.binding -> memref<2x40xf32>
      %group = stream.dispatch.workgroup.id[0] : index
      %first = arith.muli %group, %c3 : index
      %end = arith.addi %first, %c3 : index
      scf.for %unit = %first to %end step %c1 {
        %k = arith.addi %c0, %c1 : index
        scf.for %lane = %c0 to %c16 step %c4 {
          %g_out:2 = scf.for %g = %c0 to %c1 step %c1 iter_args(%y_1 = %zero, %y_2 = %zero) -> (vector<4xf32>, vector<4xf32>) {
            %sum = memref.load %xs[%c1, %c0, %g] : memref<2x2x1xf32>
            %sum_1 = vector.broadcast %sum : f32 to vector<4xf32>
            %sum_2 = memref.load %xs[%c1, %k, %g] : memref<2x2x1xf32>
            %sum_3 = vector.broadcast %sum_2 : f32 to vector<4xf32>
            %p_out:4 = scf.for %p = %c0 to %c8 step %c1 iter_args(%sum_4 = %c0_2, %sum_5 = %c0_2, %sum_6 = %c0_2, %sum_7 = %c0_2) -> (vector<8xi16>, vector<8xi16>, vector<8xi16>, vector<8xi16>) {
              %k_1 = arith.muli %g, %c16 : index
              %k_2 = arith.addi %k_1, %p : index
              %k_3 = arith.addi %p, %c64 : index
              memref.prefetch %q[%unit, %g, %k_3, %c0], read, locality<3>, data : memref<3x1x8x16xi32>
              %word = vector.load %q[%unit, %g, %p, %lane] : memref<3x1x8x16xi32>, vector<4xi32>
              %nibble = arith.andi %word, %c252645135 : vector<4xi32>
              %x = memref.load %xq[%c0, %k_2] : memref<2x16xi32>
              %x_1 = vector.broadcast %x : i32 to vector<4xi32>
              %cast = vector.bitcast %nibble : vector<4xi32> to vector<8xi16>
              %cast_1 = vector.bitcast %x_1 : vector<4xi32> to vector<8xi16>
              %low = arith.andi %cast, %c255 : vector<8xi16>
              %x_2 = arith.shli %cast_1, %c8_1 : vector<8xi16>
              %x_3 = arith.shrsi %x_2, %c8_1 : vector<8xi16>
              %high = arith.shrui %cast, %c8_1 : vector<8xi16>
              %x_4 = arith.shrsi %cast_1, %c8_1 : vector<8xi16>
              %product = arith.muli %low, %x_3 : vector<8xi16>
              %pair = arith.addi %sum_4, %product : vector<8xi16>
              %product_1 = arith.muli %high, %x_4 : vector<8xi16>
              %pair_1 = arith.addi %pair, %product_1 : vector<8xi16>
              %x_5 = memref.load %xq[%k, %k_2] : memref<2x16xi32>
              %x_6 = vector.broadcast %x_5 : i32 to vector<4xi32>
              %cast_2 = vector.bitcast %nibble : vector<4xi32> to vector<8xi16>
              %cast_3 = vector.bitcast %x_6 : vector<4xi32> to vector<8xi16>
              %low_1 = arith.andi %cast_2, %c255 : vector<8xi16>
              %x_7 = arith.shli %cast_3, %c8_1 : vector<8xi16>
              %x_8 = arith.shrsi %x_7, %c8_1 : vector<8xi16>
              %high_1 = arith.shrui %cast_2, %c8_1 : vector<8xi16>
              %x_9 = arith.shrsi %cast_3, %c8_1 : vector<8xi16>
              %product_2 = arith.muli %low_1, %x_8 : vector<8xi16>
              %pair_2 = arith.addi %sum_5, %product_2 : vector<8xi16>
              %product_3 = arith.muli %high_1, %x_9 : vector<8xi16>
              %pair_3 = arith.addi %pair_2, %product_3 : vector<8xi16>
              %high_2 = arith.shrui %word, %c4_1 : vector<4xi32>
              %nibble_1 = arith.andi %high_2, %c252645135 : vector<4xi32>
              %k_4 = arith.addi %k_2, %c8 : index
              %x_10 = memref.load %xq[%c0, %k_4] : memref<2x16xi32>
              %x_11 = vector.broadcast %x_10 : i32 to vector<4xi32>
              %cast_4 = vector.bitcast %nibble_1 : vector<4xi32> to vector<8xi16>
              %cast_5 = vector.bitcast %x_11 : vector<4xi32> to vector<8xi16>
              %low_2 = arith.andi %cast_4, %c255 : vector<8xi16>
              %x_12 = arith.shli %cast_5, %c8_1 : vector<8xi16>
              %x_13 = arith.shrsi %x_12, %c8_1 : vector<8xi16>
              %high_3 = arith.shrui %cast_4, %c8_1 : vector<8xi16>
              %x_14 = arith.shrsi %cast_5, %c8_1 : vector<8xi16>
              %product_4 = arith.muli %low_2, %x_13 : vector<8xi16>
              %pair_4 = arith.addi %sum_6, %product_4 : vector<8xi16>
              %product_5 = arith.muli %high_3, %x_14 : vector<8xi16>
              %pair_5 = arith.addi %pair_4, %product_5 : vector<8xi16>
              %x_15 = memref.load %xq[%k, %k_4] : memref<2x16xi32>
              %x_16 = vector.broadcast %x_15 : i32 to vector<4xi32>
              %cast_6 = vector.bitcast %nibble_1 : vector<4xi32> to vector<8xi16>
              %cast_7 = vector.bitcast %x_16 : vector<4xi32> to vector<8xi16>
              %low_3 = arith.andi %cast_6, %c255 : vector<8xi16>
              %x_17 = arith.shli %cast_7, %c8_1 : vector<8xi16>
              %x_18 = arith.shrsi %x_17, %c8_1 : vector<8xi16>
              %high_4 = arith.shrui %cast_6, %c8_1 : vector<8xi16>
              %x_19 = arith.shrsi %cast_7, %c8_1 : vector<8xi16>
              %product_6 = arith.muli %low_3, %x_18 : vector<8xi16>
              %pair_6 = arith.addi %sum_7, %product_6 : vector<8xi16>
              %product_7 = arith.muli %high_4, %x_19 : vector<8xi16>
              %pair_7 = arith.addi %pair_6, %product_7 : vector<8xi16>
              scf.yield %pair_1, %pair_3, %pair_5, %pair_7 : vector<8xi16>, vector<8xi16>, vector<8xi16>, vector<8xi16>
            }
            %cast_8 = vector.bitcast %p_out#0 : vector<8xi16> to vector<4xi32>
            %low_4 = arith.shli %cast_8, %c16_1 : vector<4xi32>
            %low_5 = arith.shrsi %low_4, %c16_1 : vector<4xi32>
            %high_5 = arith.shrsi %cast_8, %c16_1 : vector<4xi32>
            %wide = arith.addi %low_5, %high_5 : vector<4xi32>
            %sum_8 = arith.addi %c0_1, %wide : vector<4xi32>
            %cast_9 = vector.bitcast %p_out#1 : vector<8xi16> to vector<4xi32>
            %low_6 = arith.shli %cast_9, %c16_1 : vector<4xi32>
            %low_7 = arith.shrsi %low_6, %c16_1 : vector<4xi32>
            %high_6 = arith.shrsi %cast_9, %c16_1 : vector<4xi32>
            %wide_1 = arith.addi %low_7, %high_6 : vector<4xi32>
            %sum_9 = arith.addi %c0_1, %wide_1 : vector<4xi32>
            %cast_10 = vector.bitcast %p_out#2 : vector<8xi16> to vector<4xi32>
            %low_8 = arith.shli %cast_10, %c16_1 : vector<4xi32>
            %low_9 = arith.shrsi %low_8, %c16_1 : vector<4xi32>
            %high_7 = arith.shrsi %cast_10, %c16_1 : vector<4xi32>
            %wide_2 = arith.addi %low_9, %high_7 : vector<4xi32>
            %sum_10 = arith.addi %sum_8, %wide_2 : vector<4xi32>
            %cast_11 = vector.bitcast %p_out#3 : vector<8xi16> to vector<4xi32>
            %low_10 = arith.shli %cast_11, %c16_1 : vector<4xi32>
            %low_11 = arith.shrsi %low_10, %c16_1 : vector<4xi32>
            %high_8 = arith.shrsi %cast_11, %c16_1 : vector<4xi32>
            %wide_3 = arith.addi %low_11, %high_8 : vector<4xi32>
            %sum_11 = arith.addi %sum_9, %wide_3 : vector<4xi32>
            %s = memref.load %xs[%c0, %c0, %g] : memref<2x2x1xf32>
            %s_1 = vector.broadcast %s : f32 to vector<4xf32>
            %dot = arith.sitofp %sum_10 : vector<4xi32> to vector<4xf32>
            %dot_1 = arith.mulf %dot, %s_1 : vector<4xf32>
            %s_2 = memref.load %xs[%c0, %k, %g] : memref<2x2x1xf32>
            %s_3 = vector.broadcast %s_2 : f32 to vector<4xf32>
            %dot_2 = arith.sitofp %sum_11 : vector<4xi32> to vector<4xf32>
            %dot_3 = arith.mulf %dot_2, %s_3 : vector<4xf32>
            %scale_1 = vector.load %scale[%unit, %g, %lane] : memref<3x1x16xf16>, vector<4xf16>
            %scale_2 = arith.extf %scale_1 : vector<4xf16> to vector<4xf32>
            %offset_1 = vector.load %offset[%unit, %g, %lane] : memref<3x1x16xf16>, vector<4xf16>
            %offset_2 = arith.extf %offset_1 : vector<4xf16> to vector<4xf32>
            %product_8 = arith.mulf %dot_1, %scale_2 : vector<4xf32>
            %y_3 = arith.addf %product_8, %y_1 : vector<4xf32>
            %product_9 = arith.mulf %offset_2, %sum_1 : vector<4xf32>
            %y_4 = arith.addf %product_9, %y_3 : vector<4xf32>
            %product_10 = arith.mulf %dot_3, %scale_2 : vector<4xf32>
            %y_5 = arith.addf %product_10, %y_2 : vector<4xf32>
            %product_11 = arith.mulf %offset_2, %sum_3 : vector<4xf32>
            %y_6 = arith.addf %product_11, %y_5 : vector<4xf32>
            scf.yield %y_4, %y_6 : vector<4xf32>, vector<4xf32>
          }
          %n = arith.muli %unit, %c16 : index
          %n_1 = arith.addi %n, %lane : index
          %rest = arith.subi %c40, %n_1 : index
          %mask = vector.create_mask %rest : vector<4xi1>
          %bias_1 = vector.maskedload %bias[%n_1], %mask, %zero : memref<40xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
          %y_7 = arith.addf %g_out#0, %bias_1 : vector<4xf32>
          %n_2 = arith.muli %unit, %c16 : index
          %n_3 = arith.addi %n_2, %lane : index
          %rest_1 = arith.subi %c40, %n_3 : index
          %mask_1 = vector.create_mask %rest_1 : vector<4xi1>
          %bias_2 = vector.maskedload %bias[%n_3], %mask_1, %zero : memref<40xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
          %y_8 = arith.addf %g_out#1, %bias_2 : vector<4xf32>
          %n_4 = arith.muli %unit, %c16 : index
          %n_5 = arith.addi %n_4, %lane : index
          %rest_2 = arith.subi %c40, %n_5 : index
          %mask_2 = vector.create_mask %rest_2 : vector<4xi1>
          vector.maskedstore %y[%c0, %n_5], %mask_2, %y_7 : memref<2x40xf32>, vector<4xi1>, vector<4xf32>
          %n_6 = arith.muli %unit, %c16 : index
          %n_7 = arith.addi %n_6, %lane : index
          %rest_3 = arith.subi %c40, %n_7 : index
          %mask_3 = vector.create_mask %rest_3 : vector<4xi1>
          vector.maskedstore %y[%k, %n_7], %mask_3, %y_8 : memref<2x40xf32>, vector<4xi1>, vector<4xf32>
        }
      }
      return
    }
  }
}
