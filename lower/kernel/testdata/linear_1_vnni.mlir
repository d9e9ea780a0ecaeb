stream.executable private @linear_int4_f16_1x960x576_i8 {
  stream.executable.export public @linear_int4_f16_1x960x576_i8 workgroups() -> (index, index, index) {
    %n0 = arith.constant 20 : index
    %n1 = arith.constant 1 : index
    %n2 = arith.constant 1 : index
    stream.return %n0, %n1, %n2 : index, index, index
  }
  builtin.module {
    func.func @linear_int4_f16_1x960x576_i8(%xq_binding: !stream.binding, %xs_binding: !stream.binding, %q_binding: !stream.binding, %scale_binding: !stream.binding, %offset_binding: !stream.binding, %y_binding: !stream.binding) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_codegen.no_pipeline>} {
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant dense<0.0> : vector<16xf32>
      %c9 = arith.constant 9 : index
      %c0_1 = arith.constant dense<0> : vector<16xi32>
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %c252645135 = arith.constant dense<252645135> : vector<16xi32>
      %c4 = arith.constant dense<4> : vector<16xi32>
      %c8 = arith.constant 8 : index
      %c2 = arith.constant 2 : index
      %c4_1 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %c6 = arith.constant 6 : index
      %c7 = arith.constant 7 : index
      %xq = stream.binding.subspan %xq_binding[%c0] : !stream.binding -> memref<1x144xi32>
      %xs = stream.binding.subspan %xs_binding[%c0] : !stream.binding -> memref<2x1x9xf32>
      %q = stream.binding.subspan %q_binding[%c0] : !stream.binding -> memref<60x9x8x16xi32>
      %scale = stream.binding.subspan %scale_binding[%c0] : !stream.binding -> memref<60x9x16xf16>
      %offset = stream.binding.subspan %offset_binding[%c0] : !stream.binding -> memref<60x9x16xf16>
      %y = stream.binding.subspan %y_binding[%c0] : !stream.binding -> memref<1x960xf32>
      %group = stream.dispatch.workgroup.id[0] : index
      %first = arith.muli %group, %c3 : index
      %end = arith.addi %first, %c3 : index
      scf.for %unit = %first to %end step %c1 {
        %g_out = scf.for %g = %c0 to %c9 step %c1 iter_args(%y_1 = %zero) -> (vector<16xf32>) {
          %sum = memref.load %xs[%c1, %c0, %g] : memref<2x1x9xf32>
          %sum_1 = vector.broadcast %sum : f32 to vector<16xf32>
          %k = arith.muli %g, %c16 : index
          %k_1 = arith.addi %k, %c0 : index
          %k_2 = arith.addi %c0, %c64 : index
          memref.prefetch %q[%unit, %g, %k_2, %c0], read, locality<3>, data : memref<60x9x8x16xi32>
          %word = vector.load %q[%unit, %g, %c0, %c0] : memref<60x9x8x16xi32>, vector<16xi32>
          %nibble = arith.andi %word, %c252645135 : vector<16xi32>
          %x = memref.load %xq[%c0, %k_1] : memref<1x144xi32>
          %x_1 = vector.broadcast %x : i32 to vector<16xi32>
          %cast = vector.bitcast %nibble : vector<16xi32> to vector<64xi8>
          %cast_1 = vector.bitcast %x_1 : vector<16xi32> to vector<64xi8>
          %sum_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%c0_1, %cast, %cast_1) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
          %high = arith.shrui %word, %c4 : vector<16xi32>
          %nibble_1 = arith.andi %high, %c252645135 : vector<16xi32>
          %k_3 = arith.addi %k_1, %c8 : index
          %x_2 = memref.load %xq[%c0, %k_3] : memref<1x144xi32>
          %x_3 = vector.broadcast %x_2 : i32 to vector<16xi32>
          %cast_2 = vector.bitcast %nibble_1 : vector<16xi32> to vector<64xi8>
          %cast_3 = vector.bitcast %x_3 : vector<16xi32> to vector<64xi8>
          %sum_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%c0_1, %cast_2, %cast_3) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
          %k_4 = arith.muli %g, %c16 : index
          %k_5 = arith.addi %k_4, %c1 : index
          %k_6 = arith.addi %c1, %c64 : index
          memref.prefetch %q[%unit, %g, %k_6, %c0], read, locality<3>, data : memref<60x9x8x16xi32>
          %word_1 = vector.load %q[%unit, %g, %c1, %c0] : memref<60x9x8x16xi32>, vector<16xi32>
          %nibble_2 = arith.andi %word_1, %c252645135 : vector<16xi32>
          %x_4 = memref.load %xq[%c0, %k_5] : memref<1x144xi32>
          %x_5 = vector.broadcast %x_4 : i32 to vector<16xi32>
          %cast_4 = vector.bitcast %nibble_2 : vector<16xi32> to vector<64xi8>
          %cast_5 = vector.bitcast %x_5 : vector<16xi32> to vector<64xi8>
          %sum_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_2, %cast_4, %cast_5) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
          %high_1 = arith.shrui %word_1, %c4 : vector<16xi32>
          %nibble_3 = arith.andi %high_1, %c252645135 : vector<16xi32>
          %k_7 = arith.addi %k_5, %c8 : index
          %x_6 = memref.load %xq[%c0, %k_7] : memref<1x144xi32>
          %x_7 = vector.broadcast %x_6 : i32 to vector<16xi32>
          %cast_6 = vector.bitcast %nibble_3 : vector<16xi32> to vector<64xi8>
          %cast_7 = vector.bitcast %x_7 : vector<16xi32> to vector<64xi8>
          %sum_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_3, %cast_6, %cast_7) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
          %k_8 = arith.muli %g, %c16 : index
          %k_9 = arith.addi %k_8, %c2 : index
          %k_10 = arith.addi %c2, %c64 : index
          memref.prefetch %q[%unit, %g, %k_10, %c0], read, locality<3>, data : memref<60x9x8x16xi32>
          %word_2 = vector.load %q[%unit, %g, %c2, %c0] : memref<60x9x8x16xi32>, vector<16xi32>
          %nibble_4 = arith.andi %word_2, %c252645135 : vector<16xi32>
          %x_8 = memref.load %xq[%c0, %k_9] : memref<1x144xi32>
          %x_9 = vector.broadcast %x_8 : i32 to vector<16xi32>
          %cast_8 = vector.bitcast %nibble_4 : vector<16xi32> to vector<64xi8>
          %cast_9 = vector.bitcast %x_9 : vector<16xi32> to vector<64xi8>
          %sum_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_4, %cast_8, %cast_9) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
          %high_2 = arith.shrui %word_2, %c4 : vector<16xi32>
          %nibble_5 = arith.andi %high_2, %c252645135 : vector<16xi32>
          %k_11 = arith.addi %k_9, %c8 : index
          %x_10 = memref.load %xq[%c0, %k_11] : memref<1x144xi32>
          %x_11 = vector.broadcast %x_10 : i32 to vector<16xi32>
          %cast_10 = vector.bitcast %nibble_5 : vector<16xi32> to vector<64xi8>
          %cast_11 = vector.bitcast %x_11 : vector<16xi32> to vector<64xi8>
          %sum_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_5, %cast_10, %cast_11) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
          %k_12 = arith.muli %g, %c16 : index
          %k_13 = arith.addi %k_12, %c3 : index
          %k_14 = arith.addi %c3, %c64 : index
          memref.prefetch %q[%unit, %g, %k_14, %c0], read, locality<3>, data : memref<60x9x8x16xi32>
          %word_3 = vector.load %q[%unit, %g, %c3, %c0] : memref<60x9x8x16xi32>, vector<16xi32>
          %nibble_6 = arith.andi %word_3, %c252645135 : vector<16xi32>
          %x_12 = memref.load %xq[%c0, %k_13] : memref<1x144xi32>
          %x_13 = vector.broadcast %x_12 : i32 to vector<16xi32>
          %cast_12 = vector.bitcast %nibble_6 : vector<16xi32> to vector<64xi8>
          %cast_13 = vector.bitcast %x_13 : vector<16xi32> to vector<64xi8>
          %sum_8 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_6, %cast_12, %cast_13) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
          %high_3 = arith.shrui %word_3, %c4 : vector<16xi32>
          %nibble_7 = arith.andi %high_3, %c252645135 : vector<16xi32>
          %k_15 = arith.addi %k_13, %c8 : index
          %x_14 = memref.load %xq[%c0, %k_15] : memref<1x144xi32>
          %x_15 = vector.broadcast %x_14 : i32 to vector<16xi32>
          %cast_14 = vector.bitcast %nibble_7 : vector<16xi32> to vector<64xi8>
          %cast_15 = vector.bitcast %x_15 : vector<16xi32> to vector<64xi8>
          %sum_9 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_7, %cast_14, %cast_15) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
          %k_16 = arith.muli %g, %c16 : index
          %k_17 = arith.addi %k_16, %c4_1 : index
          %k_18 = arith.addi %c4_1, %c64 : index
          memref.prefetch %q[%unit, %g, %k_18, %c0], read, locality<3>, data : memref<60x9x8x16xi32>
          %word_4 = vector.load %q[%unit, %g, %c4_1, %c0] : memref<60x9x8x16xi32>, vector<16xi32>
          %nibble_8 = arith.andi %word_4, %c252645135 : vector<16xi32>
          %x_16 = memref.load %xq[%c0, %k_17] : memref<1x144xi32>
          %x_17 = vector.broadcast %x_16 : i32 to vector<16xi32>
          %cast_16 = vector.bitcast %nibble_8 : vector<16xi32> to vector<64xi8>
          %cast_17 = vector.bitcast %x_17 : vector<16xi32> to vector<64xi8>
          %sum_10 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_8, %cast_16, %cast_17) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
          %high_4 = arith.shrui %word_4, %c4 : vector<16xi32>
          %nibble_9 = arith.andi %high_4, %c252645135 : vector<16xi32>
          %k_19 = arith.addi %k_17, %c8 : index
          %x_18 = memref.load %xq[%c0, %k_19] : memref<1x144xi32>
          %x_19 = vector.broadcast %x_18 : i32 to vector<16xi32>
          %cast_18 = vector.bitcast %nibble_9 : vector<16xi32> to vector<64xi8>
          %cast_19 = vector.bitcast %x_19 : vector<16xi32> to vector<64xi8>
          %sum_11 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_9, %cast_18, %cast_19) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
          %k_20 = arith.muli %g, %c16 : index
          %k_21 = arith.addi %k_20, %c5 : index
          %k_22 = arith.addi %c5, %c64 : index
          memref.prefetch %q[%unit, %g, %k_22, %c0], read, locality<3>, data : memref<60x9x8x16xi32>
          %word_5 = vector.load %q[%unit, %g, %c5, %c0] : memref<60x9x8x16xi32>, vector<16xi32>
          %nibble_10 = arith.andi %word_5, %c252645135 : vector<16xi32>
          %x_20 = memref.load %xq[%c0, %k_21] : memref<1x144xi32>
          %x_21 = vector.broadcast %x_20 : i32 to vector<16xi32>
          %cast_20 = vector.bitcast %nibble_10 : vector<16xi32> to vector<64xi8>
          %cast_21 = vector.bitcast %x_21 : vector<16xi32> to vector<64xi8>
          %sum_12 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_10, %cast_20, %cast_21) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
          %high_5 = arith.shrui %word_5, %c4 : vector<16xi32>
          %nibble_11 = arith.andi %high_5, %c252645135 : vector<16xi32>
          %k_23 = arith.addi %k_21, %c8 : index
          %x_22 = memref.load %xq[%c0, %k_23] : memref<1x144xi32>
          %x_23 = vector.broadcast %x_22 : i32 to vector<16xi32>
          %cast_22 = vector.bitcast %nibble_11 : vector<16xi32> to vector<64xi8>
          %cast_23 = vector.bitcast %x_23 : vector<16xi32> to vector<64xi8>
          %sum_13 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_11, %cast_22, %cast_23) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
          %k_24 = arith.muli %g, %c16 : index
          %k_25 = arith.addi %k_24, %c6 : index
          %k_26 = arith.addi %c6, %c64 : index
          memref.prefetch %q[%unit, %g, %k_26, %c0], read, locality<3>, data : memref<60x9x8x16xi32>
          %word_6 = vector.load %q[%unit, %g, %c6, %c0] : memref<60x9x8x16xi32>, vector<16xi32>
          %nibble_12 = arith.andi %word_6, %c252645135 : vector<16xi32>
          %x_24 = memref.load %xq[%c0, %k_25] : memref<1x144xi32>
          %x_25 = vector.broadcast %x_24 : i32 to vector<16xi32>
          %cast_24 = vector.bitcast %nibble_12 : vector<16xi32> to vector<64xi8>
          %cast_25 = vector.bitcast %x_25 : vector<16xi32> to vector<64xi8>
          %sum_14 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_12, %cast_24, %cast_25) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
          %high_6 = arith.shrui %word_6, %c4 : vector<16xi32>
          %nibble_13 = arith.andi %high_6, %c252645135 : vector<16xi32>
          %k_27 = arith.addi %k_25, %c8 : index
          %x_26 = memref.load %xq[%c0, %k_27] : memref<1x144xi32>
          %x_27 = vector.broadcast %x_26 : i32 to vector<16xi32>
          %cast_26 = vector.bitcast %nibble_13 : vector<16xi32> to vector<64xi8>
          %cast_27 = vector.bitcast %x_27 : vector<16xi32> to vector<64xi8>
          %sum_15 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_13, %cast_26, %cast_27) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
          %k_28 = arith.muli %g, %c16 : index
          %k_29 = arith.addi %k_28, %c7 : index
          %k_30 = arith.addi %c7, %c64 : index
          memref.prefetch %q[%unit, %g, %k_30, %c0], read, locality<3>, data : memref<60x9x8x16xi32>
          %word_7 = vector.load %q[%unit, %g, %c7, %c0] : memref<60x9x8x16xi32>, vector<16xi32>
          %nibble_14 = arith.andi %word_7, %c252645135 : vector<16xi32>
          %x_28 = memref.load %xq[%c0, %k_29] : memref<1x144xi32>
          %x_29 = vector.broadcast %x_28 : i32 to vector<16xi32>
          %cast_28 = vector.bitcast %nibble_14 : vector<16xi32> to vector<64xi8>
          %cast_29 = vector.bitcast %x_29 : vector<16xi32> to vector<64xi8>
          %sum_16 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_14, %cast_28, %cast_29) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
          %high_7 = arith.shrui %word_7, %c4 : vector<16xi32>
          %nibble_15 = arith.andi %high_7, %c252645135 : vector<16xi32>
          %k_31 = arith.addi %k_29, %c8 : index
          %x_30 = memref.load %xq[%c0, %k_31] : memref<1x144xi32>
          %x_31 = vector.broadcast %x_30 : i32 to vector<16xi32>
          %cast_30 = vector.bitcast %nibble_15 : vector<16xi32> to vector<64xi8>
          %cast_31 = vector.bitcast %x_31 : vector<16xi32> to vector<64xi8>
          %sum_17 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%sum_15, %cast_30, %cast_31) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
          %sum_18 = arith.addi %sum_16, %sum_17 : vector<16xi32>
          %s = memref.load %xs[%c0, %c0, %g] : memref<2x1x9xf32>
          %s_1 = vector.broadcast %s : f32 to vector<16xf32>
          %dot = arith.sitofp %sum_18 : vector<16xi32> to vector<16xf32>
          %dot_1 = arith.mulf %dot, %s_1 : vector<16xf32>
          %scale_1 = vector.load %scale[%unit, %g, %c0] : memref<60x9x16xf16>, vector<16xf16>
          %scale_2 = arith.extf %scale_1 : vector<16xf16> to vector<16xf32>
          %offset_1 = vector.load %offset[%unit, %g, %c0] : memref<60x9x16xf16>, vector<16xf16>
          %offset_2 = arith.extf %offset_1 : vector<16xf16> to vector<16xf32>
          %y_2 = vector.fma %dot_1, %scale_2, %y_1 : vector<16xf32>
          %y_3 = vector.fma %offset_2, %sum_1, %y_2 : vector<16xf32>
          scf.yield %y_3 : vector<16xf32>
        }
        %n = arith.muli %unit, %c16 : index
        %n_1 = arith.addi %n, %c0 : index
        vector.store %g_out, %y[%c0, %n_1] : memref<1x960xf32>, vector<16xf32>
      }
      return
    }
  }
}
