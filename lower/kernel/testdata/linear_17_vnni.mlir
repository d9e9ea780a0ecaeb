stream.executable private @linear_int4_f16_17x40x128_i8_bias {
  stream.executable.export public @linear_int4_f16_17x40x128_i8_bias workgroups() -> (index, index, index) {
    %n0 = arith.constant 1 : index
    %n1 = arith.constant 2 : index
    %n2 = arith.constant 1 : index
    stream.return %n0, %n1, %n2 : index, index, index
  }
  builtin.module {
    func.func @linear_int4_f16_17x40x128_i8_bias(%xq_binding: !stream.binding, %xs_binding: !stream.binding, %q_binding: !stream.binding, %scale_binding: !stream.binding, %offset_binding: !stream.binding, %bias_binding: !stream.binding, %y_binding: !stream.binding) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_codegen.no_pipeline>} {
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %c2 = arith.constant 2 : index
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %zeros = arith.constant dense<0.0> : vector<16xf32>
      %c8 = arith.constant 8 : index
      %zeros_1 = arith.constant dense<0> : vector<16xi32>
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %c252645135 = arith.constant dense<252645135> : vector<16xi32>
      %c4_1 = arith.constant dense<4> : vector<16xi32>
      %xq = stream.binding.subspan %xq_binding[%c0] : !stream.binding -> memref<17x32xi32>
      %xs = stream.binding.subspan %xs_binding[%c0] : !stream.binding -> memref<2x17x2xf32>
      %q = stream.binding.subspan %q_binding[%c0] : !stream.binding -> memref<3x2x8x16xi32>
      %scale = stream.binding.subspan %scale_binding[%c0] : !stream.binding -> memref<3x2x16xf16>
      %offset = stream.binding.subspan %offset_binding[%c0] : !stream.binding -> memref<3x2x16xf16>
      %bias = stream.binding.subspan %bias_binding[%c0] : !stream.binding -> memref<40xf32>
      %y = stream.binding.subspan %y_binding[%c0] : !stream.binding -> memref<17x40xf32>
      %group = stream.dispatch.workgroup.id[1] : index
      %end = arith.minui %c3, %c2 : index
      scf.for %tile = %c0 to %end step %c1 {
        %t = arith.muli %tile, %c6 : index
        %whole = arith.cmpi ult, %group, %c1 : index
        scf.if %whole {
          %block = arith.muli %group, %c2 : index
          %k = arith.addi %block, %c1 : index
          %k_1 = arith.addi %t, %c1 : index
          %k_2 = arith.addi %t, %c2 : index
          %k_3 = arith.addi %t, %c3 : index
          %k_4 = arith.addi %t, %c4 : index
          %k_5 = arith.addi %t, %c5 : index
          %g_out:12 = scf.for %g = %c0 to %c2 step %c1 iter_args(%sum = %zeros, %sum_1 = %zeros, %sum_2 = %zeros, %sum_3 = %zeros, %sum_4 = %zeros, %sum_5 = %zeros, %sum_6 = %zeros, %sum_7 = %zeros, %sum_8 = %zeros, %sum_9 = %zeros, %sum_10 = %zeros, %sum_11 = %zeros) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
            %p_out:12 = scf.for %p = %c0 to %c8 step %c1 iter_args(%dot = %zeros_1, %dot_1 = %zeros_1, %dot_2 = %zeros_1, %dot_3 = %zeros_1, %dot_4 = %zeros_1, %dot_5 = %zeros_1, %dot_6 = %zeros_1, %dot_7 = %zeros_1, %dot_8 = %zeros_1, %dot_9 = %zeros_1, %dot_10 = %zeros_1, %dot_11 = %zeros_1) -> (vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>) {
              %k_6 = arith.muli %g, %c16 : index
              %k_7 = arith.addi %k_6, %p : index
              %k_8 = arith.addi %p, %c64 : index
              memref.prefetch %q[%block, %g, %k_8, %c0], read, locality<3>, data : memref<3x2x8x16xi32>
              %word = vector.load %q[%block, %g, %p, %c0] : memref<3x2x8x16xi32>, vector<16xi32>
              %k_9 = arith.addi %p, %c64 : index
              memref.prefetch %q[%k, %g, %k_9, %c0], read, locality<3>, data : memref<3x2x8x16xi32>
              %word_1 = vector.load %q[%k, %g, %p, %c0] : memref<3x2x8x16xi32>, vector<16xi32>
              %nibble = arith.andi %word, %c252645135 : vector<16xi32>
              %nibble_1 = arith.andi %word_1, %c252645135 : vector<16xi32>
              %high = arith.shrui %word, %c4_1 : vector<16xi32>
              %nibble_2 = arith.andi %high, %c252645135 : vector<16xi32>
              %high_1 = arith.shrui %word_1, %c4_1 : vector<16xi32>
              %nibble_3 = arith.andi %high_1, %c252645135 : vector<16xi32>
              %x = memref.load %xq[%t, %k_7] : memref<17x32xi32>
              %x_1 = vector.broadcast %x : i32 to vector<16xi32>
              %cast = vector.bitcast %nibble : vector<16xi32> to vector<64xi8>
              %cast_1 = vector.bitcast %x_1 : vector<16xi32> to vector<64xi8>
              %sum_12 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot, %cast, %cast_1) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_2 = vector.bitcast %nibble_1 : vector<16xi32> to vector<64xi8>
              %cast_3 = vector.bitcast %x_1 : vector<16xi32> to vector<64xi8>
              %sum_13 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_1, %cast_2, %cast_3) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_2 = memref.load %xq[%k_1, %k_7] : memref<17x32xi32>
              %x_3 = vector.broadcast %x_2 : i32 to vector<16xi32>
              %cast_4 = vector.bitcast %nibble : vector<16xi32> to vector<64xi8>
              %cast_5 = vector.bitcast %x_3 : vector<16xi32> to vector<64xi8>
              %sum_14 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_2, %cast_4, %cast_5) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_6 = vector.bitcast %nibble_1 : vector<16xi32> to vector<64xi8>
              %cast_7 = vector.bitcast %x_3 : vector<16xi32> to vector<64xi8>
              %sum_15 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_3, %cast_6, %cast_7) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_4 = memref.load %xq[%k_2, %k_7] : memref<17x32xi32>
              %x_5 = vector.broadcast %x_4 : i32 to vector<16xi32>
              %cast_8 = vector.bitcast %nibble : vector<16xi32> to vector<64xi8>
              %cast_9 = vector.bitcast %x_5 : vector<16xi32> to vector<64xi8>
              %sum_16 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_4, %cast_8, %cast_9) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_10 = vector.bitcast %nibble_1 : vector<16xi32> to vector<64xi8>
              %cast_11 = vector.bitcast %x_5 : vector<16xi32> to vector<64xi8>
              %sum_17 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_5, %cast_10, %cast_11) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_6 = memref.load %xq[%k_3, %k_7] : memref<17x32xi32>
              %x_7 = vector.broadcast %x_6 : i32 to vector<16xi32>
              %cast_12 = vector.bitcast %nibble : vector<16xi32> to vector<64xi8>
              %cast_13 = vector.bitcast %x_7 : vector<16xi32> to vector<64xi8>
              %sum_18 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_6, %cast_12, %cast_13) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_14 = vector.bitcast %nibble_1 : vector<16xi32> to vector<64xi8>
              %cast_15 = vector.bitcast %x_7 : vector<16xi32> to vector<64xi8>
              %sum_19 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_7, %cast_14, %cast_15) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_8 = memref.load %xq[%k_4, %k_7] : memref<17x32xi32>
              %x_9 = vector.broadcast %x_8 : i32 to vector<16xi32>
              %cast_16 = vector.bitcast %nibble : vector<16xi32> to vector<64xi8>
              %cast_17 = vector.bitcast %x_9 : vector<16xi32> to vector<64xi8>
              %sum_20 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_8, %cast_16, %cast_17) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_18 = vector.bitcast %nibble_1 : vector<16xi32> to vector<64xi8>
              %cast_19 = vector.bitcast %x_9 : vector<16xi32> to vector<64xi8>
              %sum_21 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_9, %cast_18, %cast_19) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_10 = memref.load %xq[%k_5, %k_7] : memref<17x32xi32>
              %x_11 = vector.broadcast %x_10 : i32 to vector<16xi32>
              %cast_20 = vector.bitcast %nibble : vector<16xi32> to vector<64xi8>
              %cast_21 = vector.bitcast %x_11 : vector<16xi32> to vector<64xi8>
              %sum_22 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_10, %cast_20, %cast_21) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_22 = vector.bitcast %nibble_1 : vector<16xi32> to vector<64xi8>
              %cast_23 = vector.bitcast %x_11 : vector<16xi32> to vector<64xi8>
              %sum_23 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_11, %cast_22, %cast_23) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %k_10 = arith.addi %k_7, %c8 : index
              %x_12 = memref.load %xq[%t, %k_10] : memref<17x32xi32>
              %x_13 = vector.broadcast %x_12 : i32 to vector<16xi32>
              %cast_24 = vector.bitcast %nibble_2 : vector<16xi32> to vector<64xi8>
              %cast_25 = vector.bitcast %x_13 : vector<16xi32> to vector<64xi8>
              %sum_24 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_12, %cast_24, %cast_25) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_26 = vector.bitcast %nibble_3 : vector<16xi32> to vector<64xi8>
              %cast_27 = vector.bitcast %x_13 : vector<16xi32> to vector<64xi8>
              %sum_25 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_13, %cast_26, %cast_27) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_14 = memref.load %xq[%k_1, %k_10] : memref<17x32xi32>
              %x_15 = vector.broadcast %x_14 : i32 to vector<16xi32>
              %cast_28 = vector.bitcast %nibble_2 : vector<16xi32> to vector<64xi8>
              %cast_29 = vector.bitcast %x_15 : vector<16xi32> to vector<64xi8>
              %sum_26 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_14, %cast_28, %cast_29) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_30 = vector.bitcast %nibble_3 : vector<16xi32> to vector<64xi8>
              %cast_31 = vector.bitcast %x_15 : vector<16xi32> to vector<64xi8>
              %sum_27 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_15, %cast_30, %cast_31) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_16 = memref.load %xq[%k_2, %k_10] : memref<17x32xi32>
              %x_17 = vector.broadcast %x_16 : i32 to vector<16xi32>
              %cast_32 = vector.bitcast %nibble_2 : vector<16xi32> to vector<64xi8>
              %cast_33 = vector.bitcast %x_17 : vector<16xi32> to vector<64xi8>
              %sum_28 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_16, %cast_32, %cast_33) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_34 = vector.bitcast %nibble_3 : vector<16xi32> to vector<64xi8>
              %cast_35 = vector.bitcast %x_17 : vector<16xi32> to vector<64xi8>
              %sum_29 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_17, %cast_34, %cast_35) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_18 = memref.load %xq[%k_3, %k_10] : memref<17x32xi32>
              %x_19 = vector.broadcast %x_18 : i32 to vector<16xi32>
              %cast_36 = vector.bitcast %nibble_2 : vector<16xi32> to vector<64xi8>
              %cast_37 = vector.bitcast %x_19 : vector<16xi32> to vector<64xi8>
              %sum_30 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_18, %cast_36, %cast_37) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_38 = vector.bitcast %nibble_3 : vector<16xi32> to vector<64xi8>
              %cast_39 = vector.bitcast %x_19 : vector<16xi32> to vector<64xi8>
              %sum_31 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_19, %cast_38, %cast_39) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_20 = memref.load %xq[%k_4, %k_10] : memref<17x32xi32>
              %x_21 = vector.broadcast %x_20 : i32 to vector<16xi32>
              %cast_40 = vector.bitcast %nibble_2 : vector<16xi32> to vector<64xi8>
              %cast_41 = vector.bitcast %x_21 : vector<16xi32> to vector<64xi8>
              %sum_32 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_20, %cast_40, %cast_41) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_42 = vector.bitcast %nibble_3 : vector<16xi32> to vector<64xi8>
              %cast_43 = vector.bitcast %x_21 : vector<16xi32> to vector<64xi8>
              %sum_33 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_21, %cast_42, %cast_43) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_22 = memref.load %xq[%k_5, %k_10] : memref<17x32xi32>
              %x_23 = vector.broadcast %x_22 : i32 to vector<16xi32>
              %cast_44 = vector.bitcast %nibble_2 : vector<16xi32> to vector<64xi8>
              %cast_45 = vector.bitcast %x_23 : vector<16xi32> to vector<64xi8>
              %sum_34 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_22, %cast_44, %cast_45) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_46 = vector.bitcast %nibble_3 : vector<16xi32> to vector<64xi8>
              %cast_47 = vector.bitcast %x_23 : vector<16xi32> to vector<64xi8>
              %sum_35 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_23, %cast_46, %cast_47) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              scf.yield %sum_24, %sum_25, %sum_26, %sum_27, %sum_28, %sum_29, %sum_30, %sum_31, %sum_32, %sum_33, %sum_34, %sum_35 : vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>
            }
            %scale_1 = vector.load %scale[%block, %g, %c0] : memref<3x2x16xf16>, vector<16xf16>
            %scale_2 = arith.extf %scale_1 : vector<16xf16> to vector<16xf32>
            %offset_1 = vector.load %offset[%block, %g, %c0] : memref<3x2x16xf16>, vector<16xf16>
            %offset_2 = arith.extf %offset_1 : vector<16xf16> to vector<16xf32>
            %scale_3 = vector.load %scale[%k, %g, %c0] : memref<3x2x16xf16>, vector<16xf16>
            %scale_4 = arith.extf %scale_3 : vector<16xf16> to vector<16xf32>
            %offset_3 = vector.load %offset[%k, %g, %c0] : memref<3x2x16xf16>, vector<16xf16>
            %offset_4 = arith.extf %offset_3 : vector<16xf16> to vector<16xf32>
            %s = memref.load %xs[%c0, %t, %g] : memref<2x17x2xf32>
            %s_1 = vector.broadcast %s : f32 to vector<16xf32>
            %total = memref.load %xs[%c1, %t, %g] : memref<2x17x2xf32>
            %total_1 = vector.broadcast %total : f32 to vector<16xf32>
            %dot_12 = arith.sitofp %p_out#0 : vector<16xi32> to vector<16xf32>
            %dot_13 = arith.mulf %dot_12, %s_1 : vector<16xf32>
            %y_1 = vector.fma %dot_13, %scale_2, %sum : vector<16xf32>
            %y_2 = vector.fma %offset_2, %total_1, %y_1 : vector<16xf32>
            %dot_14 = arith.sitofp %p_out#1 : vector<16xi32> to vector<16xf32>
            %dot_15 = arith.mulf %dot_14, %s_1 : vector<16xf32>
            %y_3 = vector.fma %dot_15, %scale_4, %sum_1 : vector<16xf32>
            %y_4 = vector.fma %offset_4, %total_1, %y_3 : vector<16xf32>
            %s_2 = memref.load %xs[%c0, %k_1, %g] : memref<2x17x2xf32>
            %s_3 = vector.broadcast %s_2 : f32 to vector<16xf32>
            %total_2 = memref.load %xs[%c1, %k_1, %g] : memref<2x17x2xf32>
            %total_3 = vector.broadcast %total_2 : f32 to vector<16xf32>
            %dot_16 = arith.sitofp %p_out#2 : vector<16xi32> to vector<16xf32>
            %dot_17 = arith.mulf %dot_16, %s_3 : vector<16xf32>
            %y_5 = vector.fma %dot_17, %scale_2, %sum_2 : vector<16xf32>
            %y_6 = vector.fma %offset_2, %total_3, %y_5 : vector<16xf32>
            %dot_18 = arith.sitofp %p_out#3 : vector<16xi32> to vector<16xf32>
            %dot_19 = arith.mulf %dot_18, %s_3 : vector<16xf32>
            %y_7 = vector.fma %dot_19, %scale_4, %sum_3 : vector<16xf32>
            %y_8 = vector.fma %offset_4, %total_3, %y_7 : vector<16xf32>
            %s_4 = memref.load %xs[%c0, %k_2, %g] : memref<2x17x2xf32>
            %s_5 = vector.broadcast %s_4 : f32 to vector<16xf32>
            %total_4 = memref.load %xs[%c1, %k_2, %g] : memref<2x17x2xf32>
            %total_5 = vector.broadcast %total_4 : f32 to vector<16xf32>
            %dot_20 = arith.sitofp %p_out#4 : vector<16xi32> to vector<16xf32>
            %dot_21 = arith.mulf %dot_20, %s_5 : vector<16xf32>
            %y_9 = vector.fma %dot_21, %scale_2, %sum_4 : vector<16xf32>
            %y_10 = vector.fma %offset_2, %total_5, %y_9 : vector<16xf32>
            %dot_22 = arith.sitofp %p_out#5 : vector<16xi32> to vector<16xf32>
            %dot_23 = arith.mulf %dot_22, %s_5 : vector<16xf32>
            %y_11 = vector.fma %dot_23, %scale_4, %sum_5 : vector<16xf32>
            %y_12 = vector.fma %offset_4, %total_5, %y_11 : vector<16xf32>
            %s_6 = memref.load %xs[%c0, %k_3, %g] : memref<2x17x2xf32>
            %s_7 = vector.broadcast %s_6 : f32 to vector<16xf32>
            %total_6 = memref.load %xs[%c1, %k_3, %g] : memref<2x17x2xf32>
            %total_7 = vector.broadcast %total_6 : f32 to vector<16xf32>
            %dot_24 = arith.sitofp %p_out#6 : vector<16xi32> to vector<16xf32>
            %dot_25 = arith.mulf %dot_24, %s_7 : vector<16xf32>
            %y_13 = vector.fma %dot_25, %scale_2, %sum_6 : vector<16xf32>
            %y_14 = vector.fma %offset_2, %total_7, %y_13 : vector<16xf32>
            %dot_26 = arith.sitofp %p_out#7 : vector<16xi32> to vector<16xf32>
            %dot_27 = arith.mulf %dot_26, %s_7 : vector<16xf32>
            %y_15 = vector.fma %dot_27, %scale_4, %sum_7 : vector<16xf32>
            %y_16 = vector.fma %offset_4, %total_7, %y_15 : vector<16xf32>
            %s_8 = memref.load %xs[%c0, %k_4, %g] : memref<2x17x2xf32>
            %s_9 = vector.broadcast %s_8 : f32 to vector<16xf32>
            %total_8 = memref.load %xs[%c1, %k_4, %g] : memref<2x17x2xf32>
            %total_9 = vector.broadcast %total_8 : f32 to vector<16xf32>
            %dot_28 = arith.sitofp %p_out#8 : vector<16xi32> to vector<16xf32>
            %dot_29 = arith.mulf %dot_28, %s_9 : vector<16xf32>
            %y_17 = vector.fma %dot_29, %scale_2, %sum_8 : vector<16xf32>
            %y_18 = vector.fma %offset_2, %total_9, %y_17 : vector<16xf32>
            %dot_30 = arith.sitofp %p_out#9 : vector<16xi32> to vector<16xf32>
            %dot_31 = arith.mulf %dot_30, %s_9 : vector<16xf32>
            %y_19 = vector.fma %dot_31, %scale_4, %sum_9 : vector<16xf32>
            %y_20 = vector.fma %offset_4, %total_9, %y_19 : vector<16xf32>
            %s_10 = memref.load %xs[%c0, %k_5, %g] : memref<2x17x2xf32>
            %s_11 = vector.broadcast %s_10 : f32 to vector<16xf32>
            %total_10 = memref.load %xs[%c1, %k_5, %g] : memref<2x17x2xf32>
            %total_11 = vector.broadcast %total_10 : f32 to vector<16xf32>
            %dot_32 = arith.sitofp %p_out#10 : vector<16xi32> to vector<16xf32>
            %dot_33 = arith.mulf %dot_32, %s_11 : vector<16xf32>
            %y_21 = vector.fma %dot_33, %scale_2, %sum_10 : vector<16xf32>
            %y_22 = vector.fma %offset_2, %total_11, %y_21 : vector<16xf32>
            %dot_34 = arith.sitofp %p_out#11 : vector<16xi32> to vector<16xf32>
            %dot_35 = arith.mulf %dot_34, %s_11 : vector<16xf32>
            %y_23 = vector.fma %dot_35, %scale_4, %sum_11 : vector<16xf32>
            %y_24 = vector.fma %offset_4, %total_11, %y_23 : vector<16xf32>
            scf.yield %y_2, %y_4, %y_6, %y_8, %y_10, %y_12, %y_14, %y_16, %y_18, %y_20, %y_22, %y_24 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
          }
          %n = arith.muli %block, %c16 : index
          %n_1 = arith.muli %k, %c16 : index
          %v = vector.load %bias[%n] : memref<40xf32>, vector<16xf32>
          %y_25 = arith.addf %g_out#0, %v : vector<16xf32>
          %y_26 = arith.addf %g_out#2, %v : vector<16xf32>
          %y_27 = arith.addf %g_out#4, %v : vector<16xf32>
          %y_28 = arith.addf %g_out#6, %v : vector<16xf32>
          %y_29 = arith.addf %g_out#8, %v : vector<16xf32>
          %y_30 = arith.addf %g_out#10, %v : vector<16xf32>
          %v_1 = vector.load %bias[%n_1] : memref<40xf32>, vector<16xf32>
          %y_31 = arith.addf %g_out#1, %v_1 : vector<16xf32>
          %y_32 = arith.addf %g_out#3, %v_1 : vector<16xf32>
          %y_33 = arith.addf %g_out#5, %v_1 : vector<16xf32>
          %y_34 = arith.addf %g_out#7, %v_1 : vector<16xf32>
          %y_35 = arith.addf %g_out#9, %v_1 : vector<16xf32>
          %y_36 = arith.addf %g_out#11, %v_1 : vector<16xf32>
          vector.store %y_25, %y[%t, %n] : memref<17x40xf32>, vector<16xf32>
          vector.store %y_31, %y[%t, %n_1] : memref<17x40xf32>, vector<16xf32>
          %k_11 = arith.addi %t, %c1 : index
          vector.store %y_26, %y[%k_11, %n] : memref<17x40xf32>, vector<16xf32>
          vector.store %y_32, %y[%k_11, %n_1] : memref<17x40xf32>, vector<16xf32>
          %k_12 = arith.addi %t, %c2 : index
          vector.store %y_27, %y[%k_12, %n] : memref<17x40xf32>, vector<16xf32>
          vector.store %y_33, %y[%k_12, %n_1] : memref<17x40xf32>, vector<16xf32>
          %k_13 = arith.addi %t, %c3 : index
          vector.store %y_28, %y[%k_13, %n] : memref<17x40xf32>, vector<16xf32>
          vector.store %y_34, %y[%k_13, %n_1] : memref<17x40xf32>, vector<16xf32>
          %k_14 = arith.addi %t, %c4 : index
          vector.store %y_29, %y[%k_14, %n] : memref<17x40xf32>, vector<16xf32>
          vector.store %y_35, %y[%k_14, %n_1] : memref<17x40xf32>, vector<16xf32>
          %k_15 = arith.addi %t, %c5 : index
          vector.store %y_30, %y[%k_15, %n] : memref<17x40xf32>, vector<16xf32>
          vector.store %y_36, %y[%k_15, %n_1] : memref<17x40xf32>, vector<16xf32>
        } else {
          %block_1 = arith.muli %group, %c2 : index
          %k_16 = arith.addi %t, %c1 : index
          %k_17 = arith.addi %t, %c2 : index
          %k_18 = arith.addi %t, %c3 : index
          %k_19 = arith.addi %t, %c4 : index
          %k_20 = arith.addi %t, %c5 : index
          %g_out_1:6 = scf.for %g_1 = %c0 to %c2 step %c1 iter_args(%sum_36 = %zeros, %sum_37 = %zeros, %sum_38 = %zeros, %sum_39 = %zeros, %sum_40 = %zeros, %sum_41 = %zeros) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
            %p_out_1:6 = scf.for %p_1 = %c0 to %c8 step %c1 iter_args(%dot_36 = %zeros_1, %dot_37 = %zeros_1, %dot_38 = %zeros_1, %dot_39 = %zeros_1, %dot_40 = %zeros_1, %dot_41 = %zeros_1) -> (vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>) {
              %k_21 = arith.muli %g_1, %c16 : index
              %k_22 = arith.addi %k_21, %p_1 : index
              %k_23 = arith.addi %p_1, %c64 : index
              memref.prefetch %q[%block_1, %g_1, %k_23, %c0], read, locality<3>, data : memref<3x2x8x16xi32>
              %word_2 = vector.load %q[%block_1, %g_1, %p_1, %c0] : memref<3x2x8x16xi32>, vector<16xi32>
              %nibble_4 = arith.andi %word_2, %c252645135 : vector<16xi32>
              %high_2 = arith.shrui %word_2, %c4_1 : vector<16xi32>
              %nibble_5 = arith.andi %high_2, %c252645135 : vector<16xi32>
              %x_24 = memref.load %xq[%t, %k_22] : memref<17x32xi32>
              %x_25 = vector.broadcast %x_24 : i32 to vector<16xi32>
              %cast_48 = vector.bitcast %nibble_4 : vector<16xi32> to vector<64xi8>
              %cast_49 = vector.bitcast %x_25 : vector<16xi32> to vector<64xi8>
              %sum_42 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_36, %cast_48, %cast_49) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_26 = memref.load %xq[%k_16, %k_22] : memref<17x32xi32>
              %x_27 = vector.broadcast %x_26 : i32 to vector<16xi32>
              %cast_50 = vector.bitcast %nibble_4 : vector<16xi32> to vector<64xi8>
              %cast_51 = vector.bitcast %x_27 : vector<16xi32> to vector<64xi8>
              %sum_43 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_37, %cast_50, %cast_51) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_28 = memref.load %xq[%k_17, %k_22] : memref<17x32xi32>
              %x_29 = vector.broadcast %x_28 : i32 to vector<16xi32>
              %cast_52 = vector.bitcast %nibble_4 : vector<16xi32> to vector<64xi8>
              %cast_53 = vector.bitcast %x_29 : vector<16xi32> to vector<64xi8>
              %sum_44 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_38, %cast_52, %cast_53) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_30 = memref.load %xq[%k_18, %k_22] : memref<17x32xi32>
              %x_31 = vector.broadcast %x_30 : i32 to vector<16xi32>
              %cast_54 = vector.bitcast %nibble_4 : vector<16xi32> to vector<64xi8>
              %cast_55 = vector.bitcast %x_31 : vector<16xi32> to vector<64xi8>
              %sum_45 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_39, %cast_54, %cast_55) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_32 = memref.load %xq[%k_19, %k_22] : memref<17x32xi32>
              %x_33 = vector.broadcast %x_32 : i32 to vector<16xi32>
              %cast_56 = vector.bitcast %nibble_4 : vector<16xi32> to vector<64xi8>
              %cast_57 = vector.bitcast %x_33 : vector<16xi32> to vector<64xi8>
              %sum_46 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_40, %cast_56, %cast_57) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_34 = memref.load %xq[%k_20, %k_22] : memref<17x32xi32>
              %x_35 = vector.broadcast %x_34 : i32 to vector<16xi32>
              %cast_58 = vector.bitcast %nibble_4 : vector<16xi32> to vector<64xi8>
              %cast_59 = vector.bitcast %x_35 : vector<16xi32> to vector<64xi8>
              %sum_47 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_41, %cast_58, %cast_59) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %k_24 = arith.addi %k_22, %c8 : index
              %x_36 = memref.load %xq[%t, %k_24] : memref<17x32xi32>
              %x_37 = vector.broadcast %x_36 : i32 to vector<16xi32>
              %cast_60 = vector.bitcast %nibble_5 : vector<16xi32> to vector<64xi8>
              %cast_61 = vector.bitcast %x_37 : vector<16xi32> to vector<64xi8>
              %sum_48 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_42, %cast_60, %cast_61) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_38 = memref.load %xq[%k_16, %k_24] : memref<17x32xi32>
              %x_39 = vector.broadcast %x_38 : i32 to vector<16xi32>
              %cast_62 = vector.bitcast %nibble_5 : vector<16xi32> to vector<64xi8>
              %cast_63 = vector.bitcast %x_39 : vector<16xi32> to vector<64xi8>
              %sum_49 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_43, %cast_62, %cast_63) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_40 = memref.load %xq[%k_17, %k_24] : memref<17x32xi32>
              %x_41 = vector.broadcast %x_40 : i32 to vector<16xi32>
              %cast_64 = vector.bitcast %nibble_5 : vector<16xi32> to vector<64xi8>
              %cast_65 = vector.bitcast %x_41 : vector<16xi32> to vector<64xi8>
              %sum_50 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_44, %cast_64, %cast_65) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_42 = memref.load %xq[%k_18, %k_24] : memref<17x32xi32>
              %x_43 = vector.broadcast %x_42 : i32 to vector<16xi32>
              %cast_66 = vector.bitcast %nibble_5 : vector<16xi32> to vector<64xi8>
              %cast_67 = vector.bitcast %x_43 : vector<16xi32> to vector<64xi8>
              %sum_51 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_45, %cast_66, %cast_67) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_44 = memref.load %xq[%k_19, %k_24] : memref<17x32xi32>
              %x_45 = vector.broadcast %x_44 : i32 to vector<16xi32>
              %cast_68 = vector.bitcast %nibble_5 : vector<16xi32> to vector<64xi8>
              %cast_69 = vector.bitcast %x_45 : vector<16xi32> to vector<64xi8>
              %sum_52 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_46, %cast_68, %cast_69) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_46 = memref.load %xq[%k_20, %k_24] : memref<17x32xi32>
              %x_47 = vector.broadcast %x_46 : i32 to vector<16xi32>
              %cast_70 = vector.bitcast %nibble_5 : vector<16xi32> to vector<64xi8>
              %cast_71 = vector.bitcast %x_47 : vector<16xi32> to vector<64xi8>
              %sum_53 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_47, %cast_70, %cast_71) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              scf.yield %sum_48, %sum_49, %sum_50, %sum_51, %sum_52, %sum_53 : vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>
            }
            %scale_5 = vector.load %scale[%block_1, %g_1, %c0] : memref<3x2x16xf16>, vector<16xf16>
            %scale_6 = arith.extf %scale_5 : vector<16xf16> to vector<16xf32>
            %offset_5 = vector.load %offset[%block_1, %g_1, %c0] : memref<3x2x16xf16>, vector<16xf16>
            %offset_6 = arith.extf %offset_5 : vector<16xf16> to vector<16xf32>
            %s_12 = memref.load %xs[%c0, %t, %g_1] : memref<2x17x2xf32>
            %s_13 = vector.broadcast %s_12 : f32 to vector<16xf32>
            %total_12 = memref.load %xs[%c1, %t, %g_1] : memref<2x17x2xf32>
            %total_13 = vector.broadcast %total_12 : f32 to vector<16xf32>
            %dot_42 = arith.sitofp %p_out_1#0 : vector<16xi32> to vector<16xf32>
            %dot_43 = arith.mulf %dot_42, %s_13 : vector<16xf32>
            %y_37 = vector.fma %dot_43, %scale_6, %sum_36 : vector<16xf32>
            %y_38 = vector.fma %offset_6, %total_13, %y_37 : vector<16xf32>
            %s_14 = memref.load %xs[%c0, %k_16, %g_1] : memref<2x17x2xf32>
            %s_15 = vector.broadcast %s_14 : f32 to vector<16xf32>
            %total_14 = memref.load %xs[%c1, %k_16, %g_1] : memref<2x17x2xf32>
            %total_15 = vector.broadcast %total_14 : f32 to vector<16xf32>
            %dot_44 = arith.sitofp %p_out_1#1 : vector<16xi32> to vector<16xf32>
            %dot_45 = arith.mulf %dot_44, %s_15 : vector<16xf32>
            %y_39 = vector.fma %dot_45, %scale_6, %sum_37 : vector<16xf32>
            %y_40 = vector.fma %offset_6, %total_15, %y_39 : vector<16xf32>
            %s_16 = memref.load %xs[%c0, %k_17, %g_1] : memref<2x17x2xf32>
            %s_17 = vector.broadcast %s_16 : f32 to vector<16xf32>
            %total_16 = memref.load %xs[%c1, %k_17, %g_1] : memref<2x17x2xf32>
            %total_17 = vector.broadcast %total_16 : f32 to vector<16xf32>
            %dot_46 = arith.sitofp %p_out_1#2 : vector<16xi32> to vector<16xf32>
            %dot_47 = arith.mulf %dot_46, %s_17 : vector<16xf32>
            %y_41 = vector.fma %dot_47, %scale_6, %sum_38 : vector<16xf32>
            %y_42 = vector.fma %offset_6, %total_17, %y_41 : vector<16xf32>
            %s_18 = memref.load %xs[%c0, %k_18, %g_1] : memref<2x17x2xf32>
            %s_19 = vector.broadcast %s_18 : f32 to vector<16xf32>
            %total_18 = memref.load %xs[%c1, %k_18, %g_1] : memref<2x17x2xf32>
            %total_19 = vector.broadcast %total_18 : f32 to vector<16xf32>
            %dot_48 = arith.sitofp %p_out_1#3 : vector<16xi32> to vector<16xf32>
            %dot_49 = arith.mulf %dot_48, %s_19 : vector<16xf32>
            %y_43 = vector.fma %dot_49, %scale_6, %sum_39 : vector<16xf32>
            %y_44 = vector.fma %offset_6, %total_19, %y_43 : vector<16xf32>
            %s_20 = memref.load %xs[%c0, %k_19, %g_1] : memref<2x17x2xf32>
            %s_21 = vector.broadcast %s_20 : f32 to vector<16xf32>
            %total_20 = memref.load %xs[%c1, %k_19, %g_1] : memref<2x17x2xf32>
            %total_21 = vector.broadcast %total_20 : f32 to vector<16xf32>
            %dot_50 = arith.sitofp %p_out_1#4 : vector<16xi32> to vector<16xf32>
            %dot_51 = arith.mulf %dot_50, %s_21 : vector<16xf32>
            %y_45 = vector.fma %dot_51, %scale_6, %sum_40 : vector<16xf32>
            %y_46 = vector.fma %offset_6, %total_21, %y_45 : vector<16xf32>
            %s_22 = memref.load %xs[%c0, %k_20, %g_1] : memref<2x17x2xf32>
            %s_23 = vector.broadcast %s_22 : f32 to vector<16xf32>
            %total_22 = memref.load %xs[%c1, %k_20, %g_1] : memref<2x17x2xf32>
            %total_23 = vector.broadcast %total_22 : f32 to vector<16xf32>
            %dot_52 = arith.sitofp %p_out_1#5 : vector<16xi32> to vector<16xf32>
            %dot_53 = arith.mulf %dot_52, %s_23 : vector<16xf32>
            %y_47 = vector.fma %dot_53, %scale_6, %sum_41 : vector<16xf32>
            %y_48 = vector.fma %offset_6, %total_23, %y_47 : vector<16xf32>
            scf.yield %y_38, %y_40, %y_42, %y_44, %y_46, %y_48 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
          }
          %n_2 = arith.muli %block_1, %c16 : index
          %mask = vector.constant_mask [8] : vector<16xi1>
          %v_2 = vector.maskedload %bias[%n_2], %mask, %zeros : memref<40xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
          %y_49 = arith.addf %g_out_1#0, %v_2 : vector<16xf32>
          %y_50 = arith.addf %g_out_1#1, %v_2 : vector<16xf32>
          %y_51 = arith.addf %g_out_1#2, %v_2 : vector<16xf32>
          %y_52 = arith.addf %g_out_1#3, %v_2 : vector<16xf32>
          %y_53 = arith.addf %g_out_1#4, %v_2 : vector<16xf32>
          %y_54 = arith.addf %g_out_1#5, %v_2 : vector<16xf32>
          %mask_1 = vector.constant_mask [8] : vector<16xi1>
          vector.maskedstore %y[%t, %n_2], %mask_1, %y_49 : memref<17x40xf32>, vector<16xi1>, vector<16xf32>
          %k_25 = arith.addi %t, %c1 : index
          %mask_2 = vector.constant_mask [8] : vector<16xi1>
          vector.maskedstore %y[%k_25, %n_2], %mask_2, %y_50 : memref<17x40xf32>, vector<16xi1>, vector<16xf32>
          %k_26 = arith.addi %t, %c2 : index
          %mask_3 = vector.constant_mask [8] : vector<16xi1>
          vector.maskedstore %y[%k_26, %n_2], %mask_3, %y_51 : memref<17x40xf32>, vector<16xi1>, vector<16xf32>
          %k_27 = arith.addi %t, %c3 : index
          %mask_4 = vector.constant_mask [8] : vector<16xi1>
          vector.maskedstore %y[%k_27, %n_2], %mask_4, %y_52 : memref<17x40xf32>, vector<16xi1>, vector<16xf32>
          %k_28 = arith.addi %t, %c4 : index
          %mask_5 = vector.constant_mask [8] : vector<16xi1>
          vector.maskedstore %y[%k_28, %n_2], %mask_5, %y_53 : memref<17x40xf32>, vector<16xi1>, vector<16xf32>
          %k_29 = arith.addi %t, %c5 : index
          %mask_6 = vector.constant_mask [8] : vector<16xi1>
          vector.maskedstore %y[%k_29, %n_2], %mask_6, %y_54 : memref<17x40xf32>, vector<16xi1>, vector<16xf32>
        }
      }
      %first = arith.maxui %c0, %c2 : index
      scf.for %tile_1 = %first to %c3 step %c1 {
        %t_1 = arith.muli %tile_1, %c5 : index
        %k_30 = arith.addi %t_1, %c2 : index
        %whole_1 = arith.cmpi ult, %group, %c1 : index
        scf.if %whole_1 {
          %block_2 = arith.muli %group, %c2 : index
          %k_31 = arith.addi %block_2, %c1 : index
          %k_32 = arith.addi %k_30, %c1 : index
          %k_33 = arith.addi %k_30, %c2 : index
          %k_34 = arith.addi %k_30, %c3 : index
          %k_35 = arith.addi %k_30, %c4 : index
          %g_out_2:10 = scf.for %g_2 = %c0 to %c2 step %c1 iter_args(%sum_54 = %zeros, %sum_55 = %zeros, %sum_56 = %zeros, %sum_57 = %zeros, %sum_58 = %zeros, %sum_59 = %zeros, %sum_60 = %zeros, %sum_61 = %zeros, %sum_62 = %zeros, %sum_63 = %zeros) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
            %p_out_2:10 = scf.for %p_2 = %c0 to %c8 step %c1 iter_args(%dot_54 = %zeros_1, %dot_55 = %zeros_1, %dot_56 = %zeros_1, %dot_57 = %zeros_1, %dot_58 = %zeros_1, %dot_59 = %zeros_1, %dot_60 = %zeros_1, %dot_61 = %zeros_1, %dot_62 = %zeros_1, %dot_63 = %zeros_1) -> (vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>) {
              %k_36 = arith.muli %g_2, %c16 : index
              %k_37 = arith.addi %k_36, %p_2 : index
              %k_38 = arith.addi %p_2, %c64 : index
              memref.prefetch %q[%block_2, %g_2, %k_38, %c0], read, locality<3>, data : memref<3x2x8x16xi32>
              %word_3 = vector.load %q[%block_2, %g_2, %p_2, %c0] : memref<3x2x8x16xi32>, vector<16xi32>
              %k_39 = arith.addi %p_2, %c64 : index
              memref.prefetch %q[%k_31, %g_2, %k_39, %c0], read, locality<3>, data : memref<3x2x8x16xi32>
              %word_4 = vector.load %q[%k_31, %g_2, %p_2, %c0] : memref<3x2x8x16xi32>, vector<16xi32>
              %nibble_6 = arith.andi %word_3, %c252645135 : vector<16xi32>
              %nibble_7 = arith.andi %word_4, %c252645135 : vector<16xi32>
              %high_3 = arith.shrui %word_3, %c4_1 : vector<16xi32>
              %nibble_8 = arith.andi %high_3, %c252645135 : vector<16xi32>
              %high_4 = arith.shrui %word_4, %c4_1 : vector<16xi32>
              %nibble_9 = arith.andi %high_4, %c252645135 : vector<16xi32>
              %x_48 = memref.load %xq[%k_30, %k_37] : memref<17x32xi32>
              %x_49 = vector.broadcast %x_48 : i32 to vector<16xi32>
              %cast_72 = vector.bitcast %nibble_6 : vector<16xi32> to vector<64xi8>
              %cast_73 = vector.bitcast %x_49 : vector<16xi32> to vector<64xi8>
              %sum_64 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_54, %cast_72, %cast_73) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_74 = vector.bitcast %nibble_7 : vector<16xi32> to vector<64xi8>
              %cast_75 = vector.bitcast %x_49 : vector<16xi32> to vector<64xi8>
              %sum_65 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_55, %cast_74, %cast_75) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_50 = memref.load %xq[%k_32, %k_37] : memref<17x32xi32>
              %x_51 = vector.broadcast %x_50 : i32 to vector<16xi32>
              %cast_76 = vector.bitcast %nibble_6 : vector<16xi32> to vector<64xi8>
              %cast_77 = vector.bitcast %x_51 : vector<16xi32> to vector<64xi8>
              %sum_66 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_56, %cast_76, %cast_77) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_78 = vector.bitcast %nibble_7 : vector<16xi32> to vector<64xi8>
              %cast_79 = vector.bitcast %x_51 : vector<16xi32> to vector<64xi8>
              %sum_67 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_57, %cast_78, %cast_79) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_52 = memref.load %xq[%k_33, %k_37] : memref<17x32xi32>
              %x_53 = vector.broadcast %x_52 : i32 to vector<16xi32>
              %cast_80 = vector.bitcast %nibble_6 : vector<16xi32> to vector<64xi8>
              %cast_81 = vector.bitcast %x_53 : vector<16xi32> to vector<64xi8>
              %sum_68 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_58, %cast_80, %cast_81) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_82 = vector.bitcast %nibble_7 : vector<16xi32> to vector<64xi8>
              %cast_83 = vector.bitcast %x_53 : vector<16xi32> to vector<64xi8>
              %sum_69 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_59, %cast_82, %cast_83) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_54 = memref.load %xq[%k_34, %k_37] : memref<17x32xi32>
              %x_55 = vector.broadcast %x_54 : i32 to vector<16xi32>
              %cast_84 = vector.bitcast %nibble_6 : vector<16xi32> to vector<64xi8>
              %cast_85 = vector.bitcast %x_55 : vector<16xi32> to vector<64xi8>
              %sum_70 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_60, %cast_84, %cast_85) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_86 = vector.bitcast %nibble_7 : vector<16xi32> to vector<64xi8>
              %cast_87 = vector.bitcast %x_55 : vector<16xi32> to vector<64xi8>
              %sum_71 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_61, %cast_86, %cast_87) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_56 = memref.load %xq[%k_35, %k_37] : memref<17x32xi32>
              %x_57 = vector.broadcast %x_56 : i32 to vector<16xi32>
              %cast_88 = vector.bitcast %nibble_6 : vector<16xi32> to vector<64xi8>
              %cast_89 = vector.bitcast %x_57 : vector<16xi32> to vector<64xi8>
              %sum_72 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_62, %cast_88, %cast_89) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_90 = vector.bitcast %nibble_7 : vector<16xi32> to vector<64xi8>
              %cast_91 = vector.bitcast %x_57 : vector<16xi32> to vector<64xi8>
              %sum_73 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_63, %cast_90, %cast_91) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %k_40 = arith.addi %k_37, %c8 : index
              %x_58 = memref.load %xq[%k_30, %k_40] : memref<17x32xi32>
              %x_59 = vector.broadcast %x_58 : i32 to vector<16xi32>
              %cast_92 = vector.bitcast %nibble_8 : vector<16xi32> to vector<64xi8>
              %cast_93 = vector.bitcast %x_59 : vector<16xi32> to vector<64xi8>
              %sum_74 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_64, %cast_92, %cast_93) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_94 = vector.bitcast %nibble_9 : vector<16xi32> to vector<64xi8>
              %cast_95 = vector.bitcast %x_59 : vector<16xi32> to vector<64xi8>
              %sum_75 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_65, %cast_94, %cast_95) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_60 = memref.load %xq[%k_32, %k_40] : memref<17x32xi32>
              %x_61 = vector.broadcast %x_60 : i32 to vector<16xi32>
              %cast_96 = vector.bitcast %nibble_8 : vector<16xi32> to vector<64xi8>
              %cast_97 = vector.bitcast %x_61 : vector<16xi32> to vector<64xi8>
              %sum_76 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_66, %cast_96, %cast_97) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_98 = vector.bitcast %nibble_9 : vector<16xi32> to vector<64xi8>
              %cast_99 = vector.bitcast %x_61 : vector<16xi32> to vector<64xi8>
              %sum_77 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_67, %cast_98, %cast_99) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_62 = memref.load %xq[%k_33, %k_40] : memref<17x32xi32>
              %x_63 = vector.broadcast %x_62 : i32 to vector<16xi32>
              %cast_100 = vector.bitcast %nibble_8 : vector<16xi32> to vector<64xi8>
              %cast_101 = vector.bitcast %x_63 : vector<16xi32> to vector<64xi8>
              %sum_78 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_68, %cast_100, %cast_101) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_102 = vector.bitcast %nibble_9 : vector<16xi32> to vector<64xi8>
              %cast_103 = vector.bitcast %x_63 : vector<16xi32> to vector<64xi8>
              %sum_79 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_69, %cast_102, %cast_103) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_64 = memref.load %xq[%k_34, %k_40] : memref<17x32xi32>
              %x_65 = vector.broadcast %x_64 : i32 to vector<16xi32>
              %cast_104 = vector.bitcast %nibble_8 : vector<16xi32> to vector<64xi8>
              %cast_105 = vector.bitcast %x_65 : vector<16xi32> to vector<64xi8>
              %sum_80 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_70, %cast_104, %cast_105) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_106 = vector.bitcast %nibble_9 : vector<16xi32> to vector<64xi8>
              %cast_107 = vector.bitcast %x_65 : vector<16xi32> to vector<64xi8>
              %sum_81 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_71, %cast_106, %cast_107) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_66 = memref.load %xq[%k_35, %k_40] : memref<17x32xi32>
              %x_67 = vector.broadcast %x_66 : i32 to vector<16xi32>
              %cast_108 = vector.bitcast %nibble_8 : vector<16xi32> to vector<64xi8>
              %cast_109 = vector.bitcast %x_67 : vector<16xi32> to vector<64xi8>
              %sum_82 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_72, %cast_108, %cast_109) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %cast_110 = vector.bitcast %nibble_9 : vector<16xi32> to vector<64xi8>
              %cast_111 = vector.bitcast %x_67 : vector<16xi32> to vector<64xi8>
              %sum_83 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_73, %cast_110, %cast_111) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              scf.yield %sum_74, %sum_75, %sum_76, %sum_77, %sum_78, %sum_79, %sum_80, %sum_81, %sum_82, %sum_83 : vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>
            }
            %scale_7 = vector.load %scale[%block_2, %g_2, %c0] : memref<3x2x16xf16>, vector<16xf16>
            %scale_8 = arith.extf %scale_7 : vector<16xf16> to vector<16xf32>
            %offset_7 = vector.load %offset[%block_2, %g_2, %c0] : memref<3x2x16xf16>, vector<16xf16>
            %offset_8 = arith.extf %offset_7 : vector<16xf16> to vector<16xf32>
            %scale_9 = vector.load %scale[%k_31, %g_2, %c0] : memref<3x2x16xf16>, vector<16xf16>
            %scale_10 = arith.extf %scale_9 : vector<16xf16> to vector<16xf32>
            %offset_9 = vector.load %offset[%k_31, %g_2, %c0] : memref<3x2x16xf16>, vector<16xf16>
            %offset_10 = arith.extf %offset_9 : vector<16xf16> to vector<16xf32>
            %s_24 = memref.load %xs[%c0, %k_30, %g_2] : memref<2x17x2xf32>
            %s_25 = vector.broadcast %s_24 : f32 to vector<16xf32>
            %total_24 = memref.load %xs[%c1, %k_30, %g_2] : memref<2x17x2xf32>
            %total_25 = vector.broadcast %total_24 : f32 to vector<16xf32>
            %dot_64 = arith.sitofp %p_out_2#0 : vector<16xi32> to vector<16xf32>
            %dot_65 = arith.mulf %dot_64, %s_25 : vector<16xf32>
            %y_55 = vector.fma %dot_65, %scale_8, %sum_54 : vector<16xf32>
            %y_56 = vector.fma %offset_8, %total_25, %y_55 : vector<16xf32>
            %dot_66 = arith.sitofp %p_out_2#1 : vector<16xi32> to vector<16xf32>
            %dot_67 = arith.mulf %dot_66, %s_25 : vector<16xf32>
            %y_57 = vector.fma %dot_67, %scale_10, %sum_55 : vector<16xf32>
            %y_58 = vector.fma %offset_10, %total_25, %y_57 : vector<16xf32>
            %s_26 = memref.load %xs[%c0, %k_32, %g_2] : memref<2x17x2xf32>
            %s_27 = vector.broadcast %s_26 : f32 to vector<16xf32>
            %total_26 = memref.load %xs[%c1, %k_32, %g_2] : memref<2x17x2xf32>
            %total_27 = vector.broadcast %total_26 : f32 to vector<16xf32>
            %dot_68 = arith.sitofp %p_out_2#2 : vector<16xi32> to vector<16xf32>
            %dot_69 = arith.mulf %dot_68, %s_27 : vector<16xf32>
            %y_59 = vector.fma %dot_69, %scale_8, %sum_56 : vector<16xf32>
            %y_60 = vector.fma %offset_8, %total_27, %y_59 : vector<16xf32>
            %dot_70 = arith.sitofp %p_out_2#3 : vector<16xi32> to vector<16xf32>
            %dot_71 = arith.mulf %dot_70, %s_27 : vector<16xf32>
            %y_61 = vector.fma %dot_71, %scale_10, %sum_57 : vector<16xf32>
            %y_62 = vector.fma %offset_10, %total_27, %y_61 : vector<16xf32>
            %s_28 = memref.load %xs[%c0, %k_33, %g_2] : memref<2x17x2xf32>
            %s_29 = vector.broadcast %s_28 : f32 to vector<16xf32>
            %total_28 = memref.load %xs[%c1, %k_33, %g_2] : memref<2x17x2xf32>
            %total_29 = vector.broadcast %total_28 : f32 to vector<16xf32>
            %dot_72 = arith.sitofp %p_out_2#4 : vector<16xi32> to vector<16xf32>
            %dot_73 = arith.mulf %dot_72, %s_29 : vector<16xf32>
            %y_63 = vector.fma %dot_73, %scale_8, %sum_58 : vector<16xf32>
            %y_64 = vector.fma %offset_8, %total_29, %y_63 : vector<16xf32>
            %dot_74 = arith.sitofp %p_out_2#5 : vector<16xi32> to vector<16xf32>
            %dot_75 = arith.mulf %dot_74, %s_29 : vector<16xf32>
            %y_65 = vector.fma %dot_75, %scale_10, %sum_59 : vector<16xf32>
            %y_66 = vector.fma %offset_10, %total_29, %y_65 : vector<16xf32>
            %s_30 = memref.load %xs[%c0, %k_34, %g_2] : memref<2x17x2xf32>
            %s_31 = vector.broadcast %s_30 : f32 to vector<16xf32>
            %total_30 = memref.load %xs[%c1, %k_34, %g_2] : memref<2x17x2xf32>
            %total_31 = vector.broadcast %total_30 : f32 to vector<16xf32>
            %dot_76 = arith.sitofp %p_out_2#6 : vector<16xi32> to vector<16xf32>
            %dot_77 = arith.mulf %dot_76, %s_31 : vector<16xf32>
            %y_67 = vector.fma %dot_77, %scale_8, %sum_60 : vector<16xf32>
            %y_68 = vector.fma %offset_8, %total_31, %y_67 : vector<16xf32>
            %dot_78 = arith.sitofp %p_out_2#7 : vector<16xi32> to vector<16xf32>
            %dot_79 = arith.mulf %dot_78, %s_31 : vector<16xf32>
            %y_69 = vector.fma %dot_79, %scale_10, %sum_61 : vector<16xf32>
            %y_70 = vector.fma %offset_10, %total_31, %y_69 : vector<16xf32>
            %s_32 = memref.load %xs[%c0, %k_35, %g_2] : memref<2x17x2xf32>
            %s_33 = vector.broadcast %s_32 : f32 to vector<16xf32>
            %total_32 = memref.load %xs[%c1, %k_35, %g_2] : memref<2x17x2xf32>
            %total_33 = vector.broadcast %total_32 : f32 to vector<16xf32>
            %dot_80 = arith.sitofp %p_out_2#8 : vector<16xi32> to vector<16xf32>
            %dot_81 = arith.mulf %dot_80, %s_33 : vector<16xf32>
            %y_71 = vector.fma %dot_81, %scale_8, %sum_62 : vector<16xf32>
            %y_72 = vector.fma %offset_8, %total_33, %y_71 : vector<16xf32>
            %dot_82 = arith.sitofp %p_out_2#9 : vector<16xi32> to vector<16xf32>
            %dot_83 = arith.mulf %dot_82, %s_33 : vector<16xf32>
            %y_73 = vector.fma %dot_83, %scale_10, %sum_63 : vector<16xf32>
            %y_74 = vector.fma %offset_10, %total_33, %y_73 : vector<16xf32>
            scf.yield %y_56, %y_58, %y_60, %y_62, %y_64, %y_66, %y_68, %y_70, %y_72, %y_74 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
          }
          %n_3 = arith.muli %block_2, %c16 : index
          %n_4 = arith.muli %k_31, %c16 : index
          %v_3 = vector.load %bias[%n_3] : memref<40xf32>, vector<16xf32>
          %y_75 = arith.addf %g_out_2#0, %v_3 : vector<16xf32>
          %y_76 = arith.addf %g_out_2#2, %v_3 : vector<16xf32>
          %y_77 = arith.addf %g_out_2#4, %v_3 : vector<16xf32>
          %y_78 = arith.addf %g_out_2#6, %v_3 : vector<16xf32>
          %y_79 = arith.addf %g_out_2#8, %v_3 : vector<16xf32>
          %v_4 = vector.load %bias[%n_4] : memref<40xf32>, vector<16xf32>
          %y_80 = arith.addf %g_out_2#1, %v_4 : vector<16xf32>
          %y_81 = arith.addf %g_out_2#3, %v_4 : vector<16xf32>
          %y_82 = arith.addf %g_out_2#5, %v_4 : vector<16xf32>
          %y_83 = arith.addf %g_out_2#7, %v_4 : vector<16xf32>
          %y_84 = arith.addf %g_out_2#9, %v_4 : vector<16xf32>
          vector.store %y_75, %y[%k_30, %n_3] : memref<17x40xf32>, vector<16xf32>
          vector.store %y_80, %y[%k_30, %n_4] : memref<17x40xf32>, vector<16xf32>
          %k_41 = arith.addi %k_30, %c1 : index
          vector.store %y_76, %y[%k_41, %n_3] : memref<17x40xf32>, vector<16xf32>
          vector.store %y_81, %y[%k_41, %n_4] : memref<17x40xf32>, vector<16xf32>
          %k_42 = arith.addi %k_30, %c2 : index
          vector.store %y_77, %y[%k_42, %n_3] : memref<17x40xf32>, vector<16xf32>
          vector.store %y_82, %y[%k_42, %n_4] : memref<17x40xf32>, vector<16xf32>
          %k_43 = arith.addi %k_30, %c3 : index
          vector.store %y_78, %y[%k_43, %n_3] : memref<17x40xf32>, vector<16xf32>
          vector.store %y_83, %y[%k_43, %n_4] : memref<17x40xf32>, vector<16xf32>
          %k_44 = arith.addi %k_30, %c4 : index
          vector.store %y_79, %y[%k_44, %n_3] : memref<17x40xf32>, vector<16xf32>
          vector.store %y_84, %y[%k_44, %n_4] : memref<17x40xf32>, vector<16xf32>
        } else {
          %block_3 = arith.muli %group, %c2 : index
          %k_45 = arith.addi %k_30, %c1 : index
          %k_46 = arith.addi %k_30, %c2 : index
          %k_47 = arith.addi %k_30, %c3 : index
          %k_48 = arith.addi %k_30, %c4 : index
          %g_out_3:5 = scf.for %g_3 = %c0 to %c2 step %c1 iter_args(%sum_84 = %zeros, %sum_85 = %zeros, %sum_86 = %zeros, %sum_87 = %zeros, %sum_88 = %zeros) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
            %p_out_3:5 = scf.for %p_3 = %c0 to %c8 step %c1 iter_args(%dot_84 = %zeros_1, %dot_85 = %zeros_1, %dot_86 = %zeros_1, %dot_87 = %zeros_1, %dot_88 = %zeros_1) -> (vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>) {
              %k_49 = arith.muli %g_3, %c16 : index
              %k_50 = arith.addi %k_49, %p_3 : index
              %k_51 = arith.addi %p_3, %c64 : index
              memref.prefetch %q[%block_3, %g_3, %k_51, %c0], read, locality<3>, data : memref<3x2x8x16xi32>
              %word_5 = vector.load %q[%block_3, %g_3, %p_3, %c0] : memref<3x2x8x16xi32>, vector<16xi32>
              %nibble_10 = arith.andi %word_5, %c252645135 : vector<16xi32>
              %high_5 = arith.shrui %word_5, %c4_1 : vector<16xi32>
              %nibble_11 = arith.andi %high_5, %c252645135 : vector<16xi32>
              %x_68 = memref.load %xq[%k_30, %k_50] : memref<17x32xi32>
              %x_69 = vector.broadcast %x_68 : i32 to vector<16xi32>
              %cast_112 = vector.bitcast %nibble_10 : vector<16xi32> to vector<64xi8>
              %cast_113 = vector.bitcast %x_69 : vector<16xi32> to vector<64xi8>
              %sum_89 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_84, %cast_112, %cast_113) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_70 = memref.load %xq[%k_45, %k_50] : memref<17x32xi32>
              %x_71 = vector.broadcast %x_70 : i32 to vector<16xi32>
              %cast_114 = vector.bitcast %nibble_10 : vector<16xi32> to vector<64xi8>
              %cast_115 = vector.bitcast %x_71 : vector<16xi32> to vector<64xi8>
              %sum_90 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_85, %cast_114, %cast_115) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_72 = memref.load %xq[%k_46, %k_50] : memref<17x32xi32>
              %x_73 = vector.broadcast %x_72 : i32 to vector<16xi32>
              %cast_116 = vector.bitcast %nibble_10 : vector<16xi32> to vector<64xi8>
              %cast_117 = vector.bitcast %x_73 : vector<16xi32> to vector<64xi8>
              %sum_91 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_86, %cast_116, %cast_117) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_74 = memref.load %xq[%k_47, %k_50] : memref<17x32xi32>
              %x_75 = vector.broadcast %x_74 : i32 to vector<16xi32>
              %cast_118 = vector.bitcast %nibble_10 : vector<16xi32> to vector<64xi8>
              %cast_119 = vector.bitcast %x_75 : vector<16xi32> to vector<64xi8>
              %sum_92 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_87, %cast_118, %cast_119) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_76 = memref.load %xq[%k_48, %k_50] : memref<17x32xi32>
              %x_77 = vector.broadcast %x_76 : i32 to vector<16xi32>
              %cast_120 = vector.bitcast %nibble_10 : vector<16xi32> to vector<64xi8>
              %cast_121 = vector.bitcast %x_77 : vector<16xi32> to vector<64xi8>
              %sum_93 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%dot_88, %cast_120, %cast_121) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %k_52 = arith.addi %k_50, %c8 : index
              %x_78 = memref.load %xq[%k_30, %k_52] : memref<17x32xi32>
              %x_79 = vector.broadcast %x_78 : i32 to vector<16xi32>
              %cast_122 = vector.bitcast %nibble_11 : vector<16xi32> to vector<64xi8>
              %cast_123 = vector.bitcast %x_79 : vector<16xi32> to vector<64xi8>
              %sum_94 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_89, %cast_122, %cast_123) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_80 = memref.load %xq[%k_45, %k_52] : memref<17x32xi32>
              %x_81 = vector.broadcast %x_80 : i32 to vector<16xi32>
              %cast_124 = vector.bitcast %nibble_11 : vector<16xi32> to vector<64xi8>
              %cast_125 = vector.bitcast %x_81 : vector<16xi32> to vector<64xi8>
              %sum_95 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_90, %cast_124, %cast_125) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_82 = memref.load %xq[%k_46, %k_52] : memref<17x32xi32>
              %x_83 = vector.broadcast %x_82 : i32 to vector<16xi32>
              %cast_126 = vector.bitcast %nibble_11 : vector<16xi32> to vector<64xi8>
              %cast_127 = vector.bitcast %x_83 : vector<16xi32> to vector<64xi8>
              %sum_96 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_91, %cast_126, %cast_127) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_84 = memref.load %xq[%k_47, %k_52] : memref<17x32xi32>
              %x_85 = vector.broadcast %x_84 : i32 to vector<16xi32>
              %cast_128 = vector.bitcast %nibble_11 : vector<16xi32> to vector<64xi8>
              %cast_129 = vector.bitcast %x_85 : vector<16xi32> to vector<64xi8>
              %sum_97 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_92, %cast_128, %cast_129) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %x_86 = memref.load %xq[%k_48, %k_52] : memref<17x32xi32>
              %x_87 = vector.broadcast %x_86 : i32 to vector<16xi32>
              %cast_130 = vector.bitcast %nibble_11 : vector<16xi32> to vector<64xi8>
              %cast_131 = vector.bitcast %x_87 : vector<16xi32> to vector<64xi8>
              %sum_98 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_93, %cast_130, %cast_131) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              scf.yield %sum_94, %sum_95, %sum_96, %sum_97, %sum_98 : vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>
            }
            %scale_11 = vector.load %scale[%block_3, %g_3, %c0] : memref<3x2x16xf16>, vector<16xf16>
            %scale_12 = arith.extf %scale_11 : vector<16xf16> to vector<16xf32>
            %offset_11 = vector.load %offset[%block_3, %g_3, %c0] : memref<3x2x16xf16>, vector<16xf16>
            %offset_12 = arith.extf %offset_11 : vector<16xf16> to vector<16xf32>
            %s_34 = memref.load %xs[%c0, %k_30, %g_3] : memref<2x17x2xf32>
            %s_35 = vector.broadcast %s_34 : f32 to vector<16xf32>
            %total_34 = memref.load %xs[%c1, %k_30, %g_3] : memref<2x17x2xf32>
            %total_35 = vector.broadcast %total_34 : f32 to vector<16xf32>
            %dot_89 = arith.sitofp %p_out_3#0 : vector<16xi32> to vector<16xf32>
            %dot_90 = arith.mulf %dot_89, %s_35 : vector<16xf32>
            %y_85 = vector.fma %dot_90, %scale_12, %sum_84 : vector<16xf32>
            %y_86 = vector.fma %offset_12, %total_35, %y_85 : vector<16xf32>
            %s_36 = memref.load %xs[%c0, %k_45, %g_3] : memref<2x17x2xf32>
            %s_37 = vector.broadcast %s_36 : f32 to vector<16xf32>
            %total_36 = memref.load %xs[%c1, %k_45, %g_3] : memref<2x17x2xf32>
            %total_37 = vector.broadcast %total_36 : f32 to vector<16xf32>
            %dot_91 = arith.sitofp %p_out_3#1 : vector<16xi32> to vector<16xf32>
            %dot_92 = arith.mulf %dot_91, %s_37 : vector<16xf32>
            %y_87 = vector.fma %dot_92, %scale_12, %sum_85 : vector<16xf32>
            %y_88 = vector.fma %offset_12, %total_37, %y_87 : vector<16xf32>
            %s_38 = memref.load %xs[%c0, %k_46, %g_3] : memref<2x17x2xf32>
            %s_39 = vector.broadcast %s_38 : f32 to vector<16xf32>
            %total_38 = memref.load %xs[%c1, %k_46, %g_3] : memref<2x17x2xf32>
            %total_39 = vector.broadcast %total_38 : f32 to vector<16xf32>
            %dot_93 = arith.sitofp %p_out_3#2 : vector<16xi32> to vector<16xf32>
            %dot_94 = arith.mulf %dot_93, %s_39 : vector<16xf32>
            %y_89 = vector.fma %dot_94, %scale_12, %sum_86 : vector<16xf32>
            %y_90 = vector.fma %offset_12, %total_39, %y_89 : vector<16xf32>
            %s_40 = memref.load %xs[%c0, %k_47, %g_3] : memref<2x17x2xf32>
            %s_41 = vector.broadcast %s_40 : f32 to vector<16xf32>
            %total_40 = memref.load %xs[%c1, %k_47, %g_3] : memref<2x17x2xf32>
            %total_41 = vector.broadcast %total_40 : f32 to vector<16xf32>
            %dot_95 = arith.sitofp %p_out_3#3 : vector<16xi32> to vector<16xf32>
            %dot_96 = arith.mulf %dot_95, %s_41 : vector<16xf32>
            %y_91 = vector.fma %dot_96, %scale_12, %sum_87 : vector<16xf32>
            %y_92 = vector.fma %offset_12, %total_41, %y_91 : vector<16xf32>
            %s_42 = memref.load %xs[%c0, %k_48, %g_3] : memref<2x17x2xf32>
            %s_43 = vector.broadcast %s_42 : f32 to vector<16xf32>
            %total_42 = memref.load %xs[%c1, %k_48, %g_3] : memref<2x17x2xf32>
            %total_43 = vector.broadcast %total_42 : f32 to vector<16xf32>
            %dot_97 = arith.sitofp %p_out_3#4 : vector<16xi32> to vector<16xf32>
            %dot_98 = arith.mulf %dot_97, %s_43 : vector<16xf32>
            %y_93 = vector.fma %dot_98, %scale_12, %sum_88 : vector<16xf32>
            %y_94 = vector.fma %offset_12, %total_43, %y_93 : vector<16xf32>
            scf.yield %y_86, %y_88, %y_90, %y_92, %y_94 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
          }
          %n_5 = arith.muli %block_3, %c16 : index
          %mask_7 = vector.constant_mask [8] : vector<16xi1>
          %v_5 = vector.maskedload %bias[%n_5], %mask_7, %zeros : memref<40xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
          %y_95 = arith.addf %g_out_3#0, %v_5 : vector<16xf32>
          %y_96 = arith.addf %g_out_3#1, %v_5 : vector<16xf32>
          %y_97 = arith.addf %g_out_3#2, %v_5 : vector<16xf32>
          %y_98 = arith.addf %g_out_3#3, %v_5 : vector<16xf32>
          %y_99 = arith.addf %g_out_3#4, %v_5 : vector<16xf32>
          %mask_8 = vector.constant_mask [8] : vector<16xi1>
          vector.maskedstore %y[%k_30, %n_5], %mask_8, %y_95 : memref<17x40xf32>, vector<16xi1>, vector<16xf32>
          %k_53 = arith.addi %k_30, %c1 : index
          %mask_9 = vector.constant_mask [8] : vector<16xi1>
          vector.maskedstore %y[%k_53, %n_5], %mask_9, %y_96 : memref<17x40xf32>, vector<16xi1>, vector<16xf32>
          %k_54 = arith.addi %k_30, %c2 : index
          %mask_10 = vector.constant_mask [8] : vector<16xi1>
          vector.maskedstore %y[%k_54, %n_5], %mask_10, %y_97 : memref<17x40xf32>, vector<16xi1>, vector<16xf32>
          %k_55 = arith.addi %k_30, %c3 : index
          %mask_11 = vector.constant_mask [8] : vector<16xi1>
          vector.maskedstore %y[%k_55, %n_5], %mask_11, %y_98 : memref<17x40xf32>, vector<16xi1>, vector<16xf32>
          %k_56 = arith.addi %k_30, %c4 : index
          %mask_12 = vector.constant_mask [8] : vector<16xi1>
          vector.maskedstore %y[%k_56, %n_5], %mask_12, %y_99 : memref<17x40xf32>, vector<16xi1>, vector<16xf32>
        }
      }
      return
    }
  }
}
