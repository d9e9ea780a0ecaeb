stream.executable private @activations_4x100_rms_3ee4f8b588e368f1_1_i8 {
  stream.executable.export public @activations_4x100_rms_3ee4f8b588e368f1_1_i8 workgroups() -> (index, index, index) {
    %n0 = arith.constant 1 : index
    %n1 = arith.constant 1 : index
    %n2 = arith.constant 1 : index
    stream.return %n0, %n1, %n2 : index, index, index
  }
  builtin.module {
    func.func @activations_4x100_rms_3ee4f8b588e368f1_1_i8(%x_binding: !stream.binding, %weight_binding: !stream.binding, %xq_binding: !stream.binding, %xs_binding: !stream.binding) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_codegen.no_pipeline>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant dense<0.0> : vector<16xf32>
      %c64 = arith.constant 64 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c48 = arith.constant 48 : index
      %eps = arith.constant dense<1.0e-05> : vector<1xf32>
      %width = arith.constant dense<1.0e+02> : vector<1xf32>
      %one = arith.constant dense<1.0> : vector<1xf32>
      %zero1 = arith.constant 0.0 : f32
      %inverse127 = arith.constant 7.874016e-03 : f32
      %c127f = arith.constant 127.0 : f32
      %tiny = arith.constant 7.888609e-31 : f32
      %x = stream.binding.subspan %x_binding[%c0] : !stream.binding -> memref<4x100xf32>
      %weight = stream.binding.subspan %weight_binding[%c0] : !stream.binding -> memref<100xf32>
      %xq = stream.binding.subspan %xq_binding[%c0] : !stream.binding -> memref<4x128xi8>
      %xs = stream.binding.subspan %xs_binding[%c0] : !stream.binding -> memref<2x4x2xf32>
      %group = stream.dispatch.workgroup.id[0] : index
      %first = arith.muli %group, %c4 : index
      %end = arith.addi %first, %c4 : index
      scf.for %t = %first to %end step %c1 {
        %k_out:4 = scf.for %k = %c0 to %c64 step %c64 iter_args(%sum = %zero, %sum_1 = %zero, %sum_2 = %zero, %sum_3 = %zero) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
          %x_1 = vector.load %x[%t, %k] : memref<4x100xf32>, vector<16xf32>
          %square = arith.mulf %x_1, %x_1 : vector<16xf32>
          %sum_4 = arith.addf %sum, %square : vector<16xf32>
          %k_1 = arith.addi %k, %c16 : index
          %x_2 = vector.load %x[%t, %k_1] : memref<4x100xf32>, vector<16xf32>
          %square_1 = arith.mulf %x_2, %x_2 : vector<16xf32>
          %sum_5 = arith.addf %sum_1, %square_1 : vector<16xf32>
          %k_2 = arith.addi %k, %c32 : index
          %x_3 = vector.load %x[%t, %k_2] : memref<4x100xf32>, vector<16xf32>
          %square_2 = arith.mulf %x_3, %x_3 : vector<16xf32>
          %sum_6 = arith.addf %sum_2, %square_2 : vector<16xf32>
          %k_3 = arith.addi %k, %c48 : index
          %x_4 = vector.load %x[%t, %k_3] : memref<4x100xf32>, vector<16xf32>
          %square_3 = arith.mulf %x_4, %x_4 : vector<16xf32>
          %sum_7 = arith.addf %sum_3, %square_3 : vector<16xf32>
          scf.yield %sum_4, %sum_5, %sum_6, %sum_7 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
        }
        %x_5 = vector.load %x[%t, %c64] : memref<4x100xf32>, vector<16xf32>
        %square_4 = arith.mulf %x_5, %x_5 : vector<16xf32>
        %sum_8 = arith.addf %k_out#0, %square_4 : vector<16xf32>
        %k_4 = arith.addi %c64, %c16 : index
        %x_6 = vector.load %x[%t, %k_4] : memref<4x100xf32>, vector<16xf32>
        %square_5 = arith.mulf %x_6, %x_6 : vector<16xf32>
        %sum_9 = arith.addf %k_out#1, %square_5 : vector<16xf32>
        %k_5 = arith.addi %c64, %c32 : index
        %mask = vector.constant_mask [4] : vector<16xi1>
        %x_7 = vector.maskedload %x[%t, %k_5], %mask, %zero : memref<4x100xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
        %square_6 = arith.mulf %x_7, %x_7 : vector<16xf32>
        %sum_10 = arith.addf %k_out#2, %square_6 : vector<16xf32>
        %sum_11 = arith.addf %sum_8, %sum_9 : vector<16xf32>
        %sum_12 = arith.addf %sum_10, %k_out#3 : vector<16xf32>
        %sum_13 = arith.addf %sum_11, %sum_12 : vector<16xf32>
        %total = vector.reduction <add>, %sum_13 fastmath<reassoc> : vector<16xf32> into f32
        %total_1 = vector.broadcast %total : f32 to vector<1xf32>
        %mean = arith.divf %total_1, %width : vector<1xf32>
        %plus = arith.addf %mean, %eps : vector<1xf32>
        %root = math.sqrt %plus : vector<1xf32>
        %inverse = arith.divf %one, %root : vector<1xf32>
        %rstd = vector.broadcast %inverse : vector<1xf32> to vector<16xf32>
        scf.for %g = %c0 to %c1 step %c1 {
          %k_6 = arith.muli %g, %c64 : index
          %x_8 = vector.load %x[%t, %k_6] : memref<4x100xf32>, vector<16xf32>
          %x_9 = arith.mulf %x_8, %rstd : vector<16xf32>
          %weight_1 = vector.load %weight[%k_6] : memref<100xf32>, vector<16xf32>
          %x_10 = arith.mulf %x_9, %weight_1 : vector<16xf32>
          %k_7 = arith.addi %k_6, %c16 : index
          %x_11 = vector.load %x[%t, %k_7] : memref<4x100xf32>, vector<16xf32>
          %x_12 = arith.mulf %x_11, %rstd : vector<16xf32>
          %weight_2 = vector.load %weight[%k_7] : memref<100xf32>, vector<16xf32>
          %x_13 = arith.mulf %x_12, %weight_2 : vector<16xf32>
          %k_8 = arith.addi %k_6, %c32 : index
          %x_14 = vector.load %x[%t, %k_8] : memref<4x100xf32>, vector<16xf32>
          %x_15 = arith.mulf %x_14, %rstd : vector<16xf32>
          %weight_3 = vector.load %weight[%k_8] : memref<100xf32>, vector<16xf32>
          %x_16 = arith.mulf %x_15, %weight_3 : vector<16xf32>
          %k_9 = arith.addi %k_6, %c48 : index
          %x_17 = vector.load %x[%t, %k_9] : memref<4x100xf32>, vector<16xf32>
          %x_18 = arith.mulf %x_17, %rstd : vector<16xf32>
          %weight_4 = vector.load %weight[%k_9] : memref<100xf32>, vector<16xf32>
          %x_19 = arith.mulf %x_18, %weight_4 : vector<16xf32>
          %abs = math.absf %x_10 : vector<16xf32>
          %abs_1 = math.absf %x_13 : vector<16xf32>
          %max = arith.maximumf %abs, %abs_1 : vector<16xf32>
          %abs_2 = math.absf %x_16 : vector<16xf32>
          %max_1 = arith.maximumf %max, %abs_2 : vector<16xf32>
          %abs_3 = math.absf %x_19 : vector<16xf32>
          %max_2 = arith.maximumf %max_1, %abs_3 : vector<16xf32>
          %top = vector.reduction <maximumf>, %max_2 : vector<16xf32> into f32
          %product = arith.mulf %top, %inverse127 : f32
          %quotient = arith.divf %c127f, %top : f32
          %some = arith.cmpf uge, %top, %tiny : f32
          %scale = arith.select %some, %product, %zero1 : f32
          %inverse_1 = arith.select %some, %quotient, %zero1 : f32
          %factor = vector.broadcast %inverse_1 : f32 to vector<16xf32>
          %k_10 = arith.muli %g, %c64 : index
          %scaled = arith.mulf %x_10, %factor : vector<16xf32>
          %rounded = math.roundeven %scaled : vector<16xf32>
          %q = arith.fptosi %rounded : vector<16xf32> to vector<16xi32>
          %q_1 = arith.trunci %q : vector<16xi32> to vector<16xi8>
          vector.store %q_1, %xq[%t, %k_10] : memref<4x128xi8>, vector<16xi8>
          %scaled_1 = arith.mulf %x_13, %factor : vector<16xf32>
          %rounded_1 = math.roundeven %scaled_1 : vector<16xf32>
          %q_2 = arith.fptosi %rounded_1 : vector<16xf32> to vector<16xi32>
          %q_3 = arith.trunci %q_2 : vector<16xi32> to vector<16xi8>
          %k_11 = arith.addi %k_10, %c16 : index
          vector.store %q_3, %xq[%t, %k_11] : memref<4x128xi8>, vector<16xi8>
          %sum_14 = arith.addi %q, %q_2 : vector<16xi32>
          %scaled_2 = arith.mulf %x_16, %factor : vector<16xf32>
          %rounded_2 = math.roundeven %scaled_2 : vector<16xf32>
          %q_4 = arith.fptosi %rounded_2 : vector<16xf32> to vector<16xi32>
          %q_5 = arith.trunci %q_4 : vector<16xi32> to vector<16xi8>
          %k_12 = arith.addi %k_10, %c32 : index
          vector.store %q_5, %xq[%t, %k_12] : memref<4x128xi8>, vector<16xi8>
          %sum_15 = arith.addi %sum_14, %q_4 : vector<16xi32>
          %scaled_3 = arith.mulf %x_19, %factor : vector<16xf32>
          %rounded_3 = math.roundeven %scaled_3 : vector<16xf32>
          %q_6 = arith.fptosi %rounded_3 : vector<16xf32> to vector<16xi32>
          %q_7 = arith.trunci %q_6 : vector<16xi32> to vector<16xi8>
          %k_13 = arith.addi %k_10, %c48 : index
          vector.store %q_7, %xq[%t, %k_13] : memref<4x128xi8>, vector<16xi8>
          %sum_16 = arith.addi %sum_15, %q_6 : vector<16xi32>
          %sum_17 = vector.reduction <add>, %sum_16 : vector<16xi32> into i32
          %sum_18 = arith.sitofp %sum_17 : i32 to f32
          memref.store %scale, %xs[%c0, %t, %g] : memref<2x4x2xf32>
          %sum_19 = arith.mulf %scale, %sum_18 : f32
          memref.store %sum_19, %xs[%c1, %t, %g] : memref<2x4x2xf32>
        }
        %x_20 = vector.load %x[%t, %c64] : memref<4x100xf32>, vector<16xf32>
        %x_21 = arith.mulf %x_20, %rstd : vector<16xf32>
        %weight_5 = vector.load %weight[%c64] : memref<100xf32>, vector<16xf32>
        %x_22 = arith.mulf %x_21, %weight_5 : vector<16xf32>
        %k_14 = arith.addi %c64, %c16 : index
        %x_23 = vector.load %x[%t, %k_14] : memref<4x100xf32>, vector<16xf32>
        %x_24 = arith.mulf %x_23, %rstd : vector<16xf32>
        %weight_6 = vector.load %weight[%k_14] : memref<100xf32>, vector<16xf32>
        %x_25 = arith.mulf %x_24, %weight_6 : vector<16xf32>
        %k_15 = arith.addi %c64, %c32 : index
        %mask_1 = vector.constant_mask [4] : vector<16xi1>
        %x_26 = vector.maskedload %x[%t, %k_15], %mask_1, %zero : memref<4x100xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
        %x_27 = arith.mulf %x_26, %rstd : vector<16xf32>
        %mask_2 = vector.constant_mask [4] : vector<16xi1>
        %weight_7 = vector.maskedload %weight[%k_15], %mask_2, %zero : memref<100xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
        %x_28 = arith.mulf %x_27, %weight_7 : vector<16xf32>
        %abs_4 = math.absf %x_22 : vector<16xf32>
        %abs_5 = math.absf %x_25 : vector<16xf32>
        %max_3 = arith.maximumf %abs_4, %abs_5 : vector<16xf32>
        %abs_6 = math.absf %x_28 : vector<16xf32>
        %max_4 = arith.maximumf %max_3, %abs_6 : vector<16xf32>
        %abs_7 = math.absf %zero : vector<16xf32>
        %max_5 = arith.maximumf %max_4, %abs_7 : vector<16xf32>
        %top_1 = vector.reduction <maximumf>, %max_5 : vector<16xf32> into f32
        %product_1 = arith.mulf %top_1, %inverse127 : f32
        %quotient_1 = arith.divf %c127f, %top_1 : f32
        %some_1 = arith.cmpf uge, %top_1, %tiny : f32
        %scale_1 = arith.select %some_1, %product_1, %zero1 : f32
        %inverse_2 = arith.select %some_1, %quotient_1, %zero1 : f32
        %factor_1 = vector.broadcast %inverse_2 : f32 to vector<16xf32>
        %k_16 = arith.muli %c1, %c64 : index
        %scaled_4 = arith.mulf %x_22, %factor_1 : vector<16xf32>
        %rounded_4 = math.roundeven %scaled_4 : vector<16xf32>
        %q_8 = arith.fptosi %rounded_4 : vector<16xf32> to vector<16xi32>
        %q_9 = arith.trunci %q_8 : vector<16xi32> to vector<16xi8>
        vector.store %q_9, %xq[%t, %k_16] : memref<4x128xi8>, vector<16xi8>
        %scaled_5 = arith.mulf %x_25, %factor_1 : vector<16xf32>
        %rounded_5 = math.roundeven %scaled_5 : vector<16xf32>
        %q_10 = arith.fptosi %rounded_5 : vector<16xf32> to vector<16xi32>
        %q_11 = arith.trunci %q_10 : vector<16xi32> to vector<16xi8>
        %k_17 = arith.addi %k_16, %c16 : index
        vector.store %q_11, %xq[%t, %k_17] : memref<4x128xi8>, vector<16xi8>
        %sum_20 = arith.addi %q_8, %q_10 : vector<16xi32>
        %scaled_6 = arith.mulf %x_28, %factor_1 : vector<16xf32>
        %rounded_6 = math.roundeven %scaled_6 : vector<16xf32>
        %q_12 = arith.fptosi %rounded_6 : vector<16xf32> to vector<16xi32>
        %q_13 = arith.trunci %q_12 : vector<16xi32> to vector<16xi8>
        %k_18 = arith.addi %k_16, %c32 : index
        vector.store %q_13, %xq[%t, %k_18] : memref<4x128xi8>, vector<16xi8>
        %sum_21 = arith.addi %sum_20, %q_12 : vector<16xi32>
        %scaled_7 = arith.mulf %zero, %factor_1 : vector<16xf32>
        %rounded_7 = math.roundeven %scaled_7 : vector<16xf32>
        %q_14 = arith.fptosi %rounded_7 : vector<16xf32> to vector<16xi32>
        %q_15 = arith.trunci %q_14 : vector<16xi32> to vector<16xi8>
        %k_19 = arith.addi %k_16, %c48 : index
        vector.store %q_15, %xq[%t, %k_19] : memref<4x128xi8>, vector<16xi8>
        %sum_22 = arith.addi %sum_21, %q_14 : vector<16xi32>
        %sum_23 = vector.reduction <add>, %sum_22 : vector<16xi32> into i32
        %sum_24 = arith.sitofp %sum_23 : i32 to f32
        memref.store %scale_1, %xs[%c0, %t, %c1] : memref<2x4x2xf32>
        %sum_25 = arith.mulf %scale_1, %sum_24 : f32
        memref.store %sum_25, %xs[%c1, %t, %c1] : memref<2x4x2xf32>
      }
      return
    }
  }
}
