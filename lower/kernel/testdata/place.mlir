stream.executable private @place_5x2x1x32_rope16_rows9_f16 {
  stream.executable.export public @place_5x2x1x32_rope16_rows9_f16 workgroups() -> (index, index, index) {
    %n0 = arith.constant 2 : index
    %n1 = arith.constant 1 : index
    %n2 = arith.constant 1 : index
    stream.return %n0, %n1, %n2 : index, index, index
  }
  builtin.module {
    func.func @place_5x2x1x32_rope16_rows9_f16(%qkv_binding: !stream.binding, %cos_binding: !stream.binding, %sin_binding: !stream.binding, %rows_binding: !stream.binding, %keys_binding: !stream.binding, %values_binding: !stream.binding, %queries_binding: !stream.binding) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_codegen.no_pipeline>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c3 = arith.constant 3 : index
      %qkv = stream.binding.subspan %qkv_binding[%c0] : !stream.binding -> memref<5x4x32xf32>
      %cos = stream.binding.subspan %cos_binding[%c0] : !stream.binding -> memref<5x8xf32>
      %sin = stream.binding.subspan %sin_binding[%c0] : !stream.binding -> memref<5x8xf32>
      %rows = stream.binding.subspan %rows_binding[%c0] : !stream.binding -> memref<5xi32>
      %keys = stream.binding.subspan %keys_binding[%c0] : !stream.binding -> memref<9x1x32xf16>
      %values = stream.binding.subspan %values_binding[%c0] : !stream.binding -> memref<9x1x32xf16>
      %queries = stream.binding.subspan %queries_binding[%c0] : !stream.binding -> memref<5x2x32xf32>
      %group = stream.dispatch.workgroup.id[0] : index
      %first = arith.muli %group, %c4 : index
      %end = arith.addi %first, %c4 : index
      %end_1 = arith.minui %end, %c5 : index
      scf.for %t = %first to %end_1 step %c1 {
        %row = memref.load %rows[%t] : memref<5xi32>
        %row_1 = arith.index_cast %row : i32 to index
        scf.for %h = %c0 to %c2 step %c1 {
          %cos_1 = vector.load %cos[%t, %c0] : memref<5x8xf32>, vector<8xf32>
          %sin_1 = vector.load %sin[%t, %c0] : memref<5x8xf32>, vector<8xf32>
          %x = vector.load %qkv[%t, %h, %c0] : memref<5x4x32xf32>, vector<8xf32>
          %x_1 = vector.load %qkv[%t, %h, %c8] : memref<5x4x32xf32>, vector<8xf32>
          %p = arith.mulf %x, %cos_1 : vector<8xf32>
          %p_1 = arith.mulf %x_1, %sin_1 : vector<8xf32>
          %y = arith.subf %p, %p_1 : vector<8xf32>
          %p_2 = arith.mulf %x_1, %cos_1 : vector<8xf32>
          %p_3 = arith.mulf %x, %sin_1 : vector<8xf32>
          %y_1 = arith.addf %p_2, %p_3 : vector<8xf32>
          vector.store %y, %queries[%t, %h, %c0] : memref<5x2x32xf32>, vector<8xf32>
          vector.store %y_1, %queries[%t, %h, %c8] : memref<5x2x32xf32>, vector<8xf32>
          %x_2 = vector.load %qkv[%t, %h, %c16] : memref<5x4x32xf32>, vector<16xf32>
          vector.store %x_2, %queries[%t, %h, %c16] : memref<5x2x32xf32>, vector<16xf32>
        }
        scf.for %h_1 = %c0 to %c1 step %c1 {
          %k = arith.addi %h_1, %c2 : index
          %cos_2 = vector.load %cos[%t, %c0] : memref<5x8xf32>, vector<8xf32>
          %sin_2 = vector.load %sin[%t, %c0] : memref<5x8xf32>, vector<8xf32>
          %x_3 = vector.load %qkv[%t, %k, %c0] : memref<5x4x32xf32>, vector<8xf32>
          %x_4 = vector.load %qkv[%t, %k, %c8] : memref<5x4x32xf32>, vector<8xf32>
          %p_4 = arith.mulf %x_3, %cos_2 : vector<8xf32>
          %p_5 = arith.mulf %x_4, %sin_2 : vector<8xf32>
          %y_2 = arith.subf %p_4, %p_5 : vector<8xf32>
          %p_6 = arith.mulf %x_4, %cos_2 : vector<8xf32>
          %p_7 = arith.mulf %x_3, %sin_2 : vector<8xf32>
          %y_3 = arith.addf %p_6, %p_7 : vector<8xf32>
          %stored = arith.truncf %y_2 : vector<8xf32> to vector<8xf16>
          vector.store %stored, %keys[%row_1, %h_1, %c0] : memref<9x1x32xf16>, vector<8xf16>
          %stored_1 = arith.truncf %y_3 : vector<8xf32> to vector<8xf16>
          vector.store %stored_1, %keys[%row_1, %h_1, %c8] : memref<9x1x32xf16>, vector<8xf16>
          %x_5 = vector.load %qkv[%t, %k, %c16] : memref<5x4x32xf32>, vector<16xf32>
          %stored_2 = arith.truncf %x_5 : vector<16xf32> to vector<16xf16>
          vector.store %stored_2, %keys[%row_1, %h_1, %c16] : memref<9x1x32xf16>, vector<16xf16>
          %k_1 = arith.addi %h_1, %c3 : index
          %v = vector.load %qkv[%t, %k_1, %c0] : memref<5x4x32xf32>, vector<16xf32>
          %stored_3 = arith.truncf %v : vector<16xf32> to vector<16xf16>
          vector.store %stored_3, %values[%row_1, %h_1, %c0] : memref<9x1x32xf16>, vector<16xf16>
          %v_1 = vector.load %qkv[%t, %k_1, %c16] : memref<5x4x32xf32>, vector<16xf32>
          %stored_4 = arith.truncf %v_1 : vector<16xf32> to vector<16xf16>
          vector.store %stored_4, %values[%row_1, %h_1, %c16] : memref<9x1x32xf16>, vector<16xf16>
        }
      }
      return
    }
  }
}
