stream.executable private @attention_1x2x1x16_rows1x80_context70_3fd0000000000000_f32 {
  stream.executable.export public @attention_1x2x1x16_rows1x80_context70_3fd0000000000000_f32 workgroups() -> (index, index, index) {
    %n0 = arith.constant 1 : index
    %n1 = arith.constant 1 : index
    %n2 = arith.constant 1 : index
    stream.return %n0, %n1, %n2 : index, index, index
  }
  builtin.module {
    func.func @attention_1x2x1x16_rows1x80_context70_3fd0000000000000_f32(%queries_binding: !stream.binding, %keys_binding: !stream.binding, %values_binding: !stream.binding, %position_binding: !stream.binding, %out_binding: !stream.binding) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_codegen.no_pipeline>} {
      %c0 = arith.constant 0 : index
      %context = arith.constant 70 : i32
      %none = arith.constant 0 : i32
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %masked = arith.constant dense<-1.0e+30> : vector<4xf32>
      %zero = arith.constant dense<0.0e+00> : vector<4xf32>
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c12 = arith.constant 12 : index
      %c64 = arith.constant 64 : index
      %c3 = arith.constant 3 : index
      %scale = arith.constant dense<3.6067376e-01> : vector<4xf32>
      %least = arith.constant dense<-1.26e+02> : vector<4xf32>
      %c = arith.constant dense<1.3264727e-03> : vector<4xf32>
      %c_1 = arith.constant dense<9.671513e-03> : vector<4xf32>
      %c_2 = arith.constant dense<5.5507336e-02> : vector<4xf32>
      %c_3 = arith.constant dense<2.4022242e-01> : vector<4xf32>
      %c_4 = arith.constant dense<6.93147e-01> : vector<4xf32>
      %c_5 = arith.constant dense<1.0e+00> : vector<4xf32>
      %bias = arith.constant dense<127> : vector<4xi32>
      %mantissa = arith.constant dense<23> : vector<4xi32>
      %queries = stream.binding.subspan %queries_binding[%c0] : !stream.binding -> memref<1x2x16xf32>
      %keys = stream.binding.subspan %keys_binding[%c0] : !stream.binding -> memref<80x1x16xf32>
      %values = stream.binding.subspan %values_binding[%c0] : !stream.binding -> memref<80x1x16xf32>
      %position = stream.binding.subspan %position_binding[%c0] : !stream.binding -> memref<1xi32>
      %out = stream.binding.subspan %out_binding[%c0] : !stream.binding -> memref<1x2x16xf32>
      %group = stream.dispatch.workgroup.id[1] : index
      %position_1 = memref.load %position[%group] : memref<1xi32>
      %inside = arith.cmpi ult, %position_1, %context : i32
      %position_2 = arith.select %inside, %position_1, %none : i32
      %position_3 = arith.index_castui %position_2 : i32 to index
      %end = arith.addi %position_3, %c1 : index
      %group_1 = stream.dispatch.workgroup.id[0] : index
      %head = arith.muli %group_1, %c1 : index
      %left = arith.subi %c1, %head : index
      %heads = arith.minui %left, %c1 : index
      %queries_1 = arith.muli %heads, %c2 : index
      %first = arith.muli %head, %c2 : index
      %tops = memref.alloca() alignment = 64 : memref<2x4xf32>
      %sums = memref.alloca() alignment = 64 : memref<2x4xf32>
      %decays = memref.alloca() alignment = 64 : memref<2x4xf32>
      %weights = memref.alloca() alignment = 64 : memref<2x64xf32>
      scf.for %q = %c0 to %queries_1 step %c1 {
        %query = arith.addi %first, %q : index
        vector.store %masked, %tops[%q, %c0] : memref<2x4xf32>, vector<4xf32>
        vector.store %zero, %sums[%q, %c0] : memref<2x4xf32>, vector<4xf32>
        vector.store %zero, %out[%group, %query, %c0] : memref<1x2x16xf32>, vector<4xf32>
        %k = arith.addi %c0, %c4 : index
        vector.store %zero, %out[%group, %query, %k] : memref<1x2x16xf32>, vector<4xf32>
        %k_1 = arith.addi %c0, %c8 : index
        vector.store %zero, %out[%group, %query, %k_1] : memref<1x2x16xf32>, vector<4xf32>
        %k_2 = arith.addi %c0, %c12 : index
        vector.store %zero, %out[%group, %query, %k_2] : memref<1x2x16xf32>, vector<4xf32>
      }
      scf.for %row = %c0 to %end step %c64 {
        %left_1 = arith.subi %end, %row : index
        %count = arith.minui %left_1, %c64 : index
        scf.for %q_1 = %c0 to %queries_1 step %c2 {
          %h = arith.divui %q_1, %c2 : index
          %head_1 = arith.addi %head, %h : index
          scf.for %g = %c0 to %c2 step %c1 {
            %q_2 = arith.addi %q_1, %g : index
            %query_1 = arith.addi %first, %q_2 : index
            %rest = arith.remui %count, %c4 : index
            %full = arith.subi %count, %rest : index
            %next = arith.addi %row, %c64 : index
            %i_out = scf.for %i = %c0 to %full step %c4 iter_args(%best = %masked) -> (vector<4xf32>) {
              %row_1 = arith.addi %row, %i : index
              %v = vector.load %queries[%group, %query_1, %c0] : memref<1x2x16xf32>, vector<4xf32>
              %kv = vector.load %keys[%row_1, %head_1, %c0] : memref<80x1x16xf32>, vector<4xf32>
              %p = arith.mulf %v, %kv : vector<4xf32>
              %a = arith.addf %p, %zero : vector<4xf32>
              %k_3 = arith.addi %row_1, %c1 : index
              %kv_1 = vector.load %keys[%k_3, %head_1, %c0] : memref<80x1x16xf32>, vector<4xf32>
              %p_1 = arith.mulf %v, %kv_1 : vector<4xf32>
              %a_1 = arith.addf %p_1, %zero : vector<4xf32>
              %k_4 = arith.addi %row_1, %c2 : index
              %kv_2 = vector.load %keys[%k_4, %head_1, %c0] : memref<80x1x16xf32>, vector<4xf32>
              %p_2 = arith.mulf %v, %kv_2 : vector<4xf32>
              %a_2 = arith.addf %p_2, %zero : vector<4xf32>
              %k_5 = arith.addi %row_1, %c3 : index
              %kv_3 = vector.load %keys[%k_5, %head_1, %c0] : memref<80x1x16xf32>, vector<4xf32>
              %p_3 = arith.mulf %v, %kv_3 : vector<4xf32>
              %a_3 = arith.addf %p_3, %zero : vector<4xf32>
              %k_6 = arith.addi %c0, %c4 : index
              %v_1 = vector.load %queries[%group, %query_1, %k_6] : memref<1x2x16xf32>, vector<4xf32>
              %kv_4 = vector.load %keys[%row_1, %head_1, %k_6] : memref<80x1x16xf32>, vector<4xf32>
              %p_4 = arith.mulf %v_1, %kv_4 : vector<4xf32>
              %a_4 = arith.addf %p_4, %a : vector<4xf32>
              %k_7 = arith.addi %row_1, %c1 : index
              %kv_5 = vector.load %keys[%k_7, %head_1, %k_6] : memref<80x1x16xf32>, vector<4xf32>
              %p_5 = arith.mulf %v_1, %kv_5 : vector<4xf32>
              %a_5 = arith.addf %p_5, %a_1 : vector<4xf32>
              %k_8 = arith.addi %row_1, %c2 : index
              %kv_6 = vector.load %keys[%k_8, %head_1, %k_6] : memref<80x1x16xf32>, vector<4xf32>
              %p_6 = arith.mulf %v_1, %kv_6 : vector<4xf32>
              %a_6 = arith.addf %p_6, %a_2 : vector<4xf32>
              %k_9 = arith.addi %row_1, %c3 : index
              %kv_7 = vector.load %keys[%k_9, %head_1, %k_6] : memref<80x1x16xf32>, vector<4xf32>
              %p_7 = arith.mulf %v_1, %kv_7 : vector<4xf32>
              %a_7 = arith.addf %p_7, %a_3 : vector<4xf32>
              %k_10 = arith.addi %c0, %c8 : index
              %v_2 = vector.load %queries[%group, %query_1, %k_10] : memref<1x2x16xf32>, vector<4xf32>
              %kv_8 = vector.load %keys[%row_1, %head_1, %k_10] : memref<80x1x16xf32>, vector<4xf32>
              %p_8 = arith.mulf %v_2, %kv_8 : vector<4xf32>
              %a_8 = arith.addf %p_8, %a_4 : vector<4xf32>
              %k_11 = arith.addi %row_1, %c1 : index
              %kv_9 = vector.load %keys[%k_11, %head_1, %k_10] : memref<80x1x16xf32>, vector<4xf32>
              %p_9 = arith.mulf %v_2, %kv_9 : vector<4xf32>
              %a_9 = arith.addf %p_9, %a_5 : vector<4xf32>
              %k_12 = arith.addi %row_1, %c2 : index
              %kv_10 = vector.load %keys[%k_12, %head_1, %k_10] : memref<80x1x16xf32>, vector<4xf32>
              %p_10 = arith.mulf %v_2, %kv_10 : vector<4xf32>
              %a_10 = arith.addf %p_10, %a_6 : vector<4xf32>
              %k_13 = arith.addi %row_1, %c3 : index
              %kv_11 = vector.load %keys[%k_13, %head_1, %k_10] : memref<80x1x16xf32>, vector<4xf32>
              %p_11 = arith.mulf %v_2, %kv_11 : vector<4xf32>
              %a_11 = arith.addf %p_11, %a_7 : vector<4xf32>
              %k_14 = arith.addi %c0, %c12 : index
              %v_3 = vector.load %queries[%group, %query_1, %k_14] : memref<1x2x16xf32>, vector<4xf32>
              %kv_12 = vector.load %keys[%row_1, %head_1, %k_14] : memref<80x1x16xf32>, vector<4xf32>
              %p_12 = arith.mulf %v_3, %kv_12 : vector<4xf32>
              %a_12 = arith.addf %p_12, %a_8 : vector<4xf32>
              %k_15 = arith.addi %row_1, %c1 : index
              %kv_13 = vector.load %keys[%k_15, %head_1, %k_14] : memref<80x1x16xf32>, vector<4xf32>
              %p_13 = arith.mulf %v_3, %kv_13 : vector<4xf32>
              %a_13 = arith.addf %p_13, %a_9 : vector<4xf32>
              %k_16 = arith.addi %row_1, %c2 : index
              %kv_14 = vector.load %keys[%k_16, %head_1, %k_14] : memref<80x1x16xf32>, vector<4xf32>
              %p_14 = arith.mulf %v_3, %kv_14 : vector<4xf32>
              %a_14 = arith.addf %p_14, %a_10 : vector<4xf32>
              %k_17 = arith.addi %row_1, %c3 : index
              %kv_15 = vector.load %keys[%k_17, %head_1, %k_14] : memref<80x1x16xf32>, vector<4xf32>
              %p_15 = arith.mulf %v_3, %kv_15 : vector<4xf32>
              %a_15 = arith.addf %p_15, %a_11 : vector<4xf32>
              %s = vector.shuffle %a_12, %a_13 [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
              %s_1 = vector.shuffle %a_12, %a_13 [2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
              %a_16 = arith.addf %s, %s_1 : vector<4xf32>
              %s_2 = vector.shuffle %a_14, %a_15 [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
              %s_3 = vector.shuffle %a_14, %a_15 [2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
              %a_17 = arith.addf %s_2, %s_3 : vector<4xf32>
              %s_4 = vector.shuffle %a_16, %a_17 [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
              %s_5 = vector.shuffle %a_16, %a_17 [2, 3, 6, 7] : vector<4xf32>, vector<4xf32>
              %a_18 = arith.addf %s_4, %s_5 : vector<4xf32>
              %p_16 = arith.mulf %a_18, %scale : vector<4xf32>
              vector.store %p_16, %weights[%g, %i] : memref<2x64xf32>, vector<4xf32>
              %turn = arith.muli %q_2, %c64 : index
              %done = arith.addi %turn, %i : index
              %to = arith.addi %done, %c4 : index
              %end_1 = arith.addi %head, %heads : index
              %share = arith.divui %done, %queries_1 : index
              %share_1 = arith.divui %to, %queries_1 : index
              scf.for %r = %share to %share_1 step %c1 {
                %row_2 = arith.addi %next, %r : index
                scf.for %h_1 = %head to %end_1 step %c1 {
                  memref.prefetch %keys[%row_2, %h_1, %c0], read, locality<2>, data : memref<80x1x16xf32>
                  memref.prefetch %values[%row_2, %h_1, %c0], read, locality<2>, data : memref<80x1x16xf32>
                }
              }
              %greater = arith.cmpf ogt, %best, %p_16 : vector<4xf32>
              %max = arith.select %greater, %best, %p_16 : vector<4xi1>, vector<4xf32>
              scf.yield %max : vector<4xf32>
            }
            %i_out_1 = scf.for %i_1 = %full to %count step %c4 iter_args(%best_1 = %i_out) -> (vector<4xf32>) {
              scf.for %j = %i_1 to %count step %c1 {
                %row_3 = arith.addi %row, %j : index
                %v_4 = vector.load %queries[%group, %query_1, %c0] : memref<1x2x16xf32>, vector<4xf32>
                %kv_16 = vector.load %keys[%row_3, %head_1, %c0] : memref<80x1x16xf32>, vector<4xf32>
                %p_17 = arith.mulf %v_4, %kv_16 : vector<4xf32>
                %a_19 = arith.addf %p_17, %zero : vector<4xf32>
                %k_18 = arith.addi %c0, %c4 : index
                %v_5 = vector.load %queries[%group, %query_1, %k_18] : memref<1x2x16xf32>, vector<4xf32>
                %kv_17 = vector.load %keys[%row_3, %head_1, %k_18] : memref<80x1x16xf32>, vector<4xf32>
                %p_18 = arith.mulf %v_5, %kv_17 : vector<4xf32>
                %a_20 = arith.addf %p_18, %a_19 : vector<4xf32>
                %k_19 = arith.addi %c0, %c8 : index
                %v_6 = vector.load %queries[%group, %query_1, %k_19] : memref<1x2x16xf32>, vector<4xf32>
                %kv_18 = vector.load %keys[%row_3, %head_1, %k_19] : memref<80x1x16xf32>, vector<4xf32>
                %p_19 = arith.mulf %v_6, %kv_18 : vector<4xf32>
                %a_21 = arith.addf %p_19, %a_20 : vector<4xf32>
                %k_20 = arith.addi %c0, %c12 : index
                %v_7 = vector.load %queries[%group, %query_1, %k_20] : memref<1x2x16xf32>, vector<4xf32>
                %kv_19 = vector.load %keys[%row_3, %head_1, %k_20] : memref<80x1x16xf32>, vector<4xf32>
                %p_20 = arith.mulf %v_7, %kv_19 : vector<4xf32>
                %a_22 = arith.addf %p_20, %a_21 : vector<4xf32>
                %score = vector.reduction <add>, %a_22 fastmath<reassoc> : vector<4xf32> into f32
                memref.store %score, %weights[%g, %j] : memref<2x64xf32>
              }
              %v_8 = vector.load %weights[%g, %i_1] : memref<2x64xf32>, vector<4xf32>
              %p_21 = arith.mulf %v_8, %scale : vector<4xf32>
              %mask = vector.create_mask %rest : vector<4xi1>
              %s_6 = arith.select %mask, %p_21, %masked : vector<4xi1>, vector<4xf32>
              vector.store %s_6, %weights[%g, %i_1] : memref<2x64xf32>, vector<4xf32>
              %greater_1 = arith.cmpf ogt, %best_1, %s_6 : vector<4xf32>
              %max_1 = arith.select %greater_1, %best_1, %s_6 : vector<4xi1>, vector<4xf32>
              scf.yield %max_1 : vector<4xf32>
            }
            vector.store %i_out_1, %decays[%g, %c0] : memref<2x4xf32>, vector<4xf32>
          }
          scf.for %g_1 = %c0 to %c2 step %c1 {
            %q_3 = arith.addi %q_1, %g_1 : index
            %query_2 = arith.addi %first, %q_3 : index
            %v_9 = vector.load %tops[%q_3, %c0] : memref<2x4xf32>, vector<4xf32>
            %v_10 = vector.load %decays[%g_1, %c0] : memref<2x4xf32>, vector<4xf32>
            %s_7 = vector.shuffle %v_10, %v_10 [2, 3, 0, 1] : vector<4xf32>, vector<4xf32>
            %greater_2 = arith.cmpf ogt, %v_10, %s_7 : vector<4xf32>
            %max_2 = arith.select %greater_2, %v_10, %s_7 : vector<4xi1>, vector<4xf32>
            %s_8 = vector.shuffle %max_2, %max_2 [1, 0, 3, 2] : vector<4xf32>, vector<4xf32>
            %greater_3 = arith.cmpf ogt, %max_2, %s_8 : vector<4xf32>
            %max_3 = arith.select %greater_3, %max_2, %s_8 : vector<4xi1>, vector<4xf32>
            %greater_4 = arith.cmpf ogt, %v_9, %max_3 : vector<4xf32>
            %max_4 = arith.select %greater_4, %v_9, %max_3 : vector<4xi1>, vector<4xf32>
            vector.store %max_4, %tops[%q_3, %c0] : memref<2x4xf32>, vector<4xf32>
            %d = arith.subf %v_9, %max_4 : vector<4xf32>
            %less = arith.cmpf olt, %d, %least : vector<4xf32>
            %x = arith.select %less, %least, %d : vector<4xi1>, vector<4xf32>
            %n = math.roundeven %x : vector<4xf32>
            %d_1 = arith.subf %x, %n : vector<4xf32>
            %p_22 = arith.mulf %c, %d_1 : vector<4xf32>
            %a_23 = arith.addf %p_22, %c_1 : vector<4xf32>
            %p_23 = arith.mulf %a_23, %d_1 : vector<4xf32>
            %a_24 = arith.addf %p_23, %c_2 : vector<4xf32>
            %p_24 = arith.mulf %a_24, %d_1 : vector<4xf32>
            %a_25 = arith.addf %p_24, %c_3 : vector<4xf32>
            %p_25 = arith.mulf %a_25, %d_1 : vector<4xf32>
            %a_26 = arith.addf %p_25, %c_4 : vector<4xf32>
            %p_26 = arith.mulf %a_26, %d_1 : vector<4xf32>
            %a_27 = arith.addf %p_26, %c_5 : vector<4xf32>
            %bits = arith.fptosi %n : vector<4xf32> to vector<4xi32>
            %bits_1 = arith.addi %bits, %bias : vector<4xi32>
            %bits_2 = arith.shli %bits_1, %mantissa : vector<4xi32>
            %power = arith.bitcast %bits_2 : vector<4xi32> to vector<4xf32>
            %p_27 = arith.mulf %a_27, %power : vector<4xf32>
            vector.store %p_27, %decays[%g_1, %c0] : memref<2x4xf32>, vector<4xf32>
            %v_11 = vector.load %sums[%q_3, %c0] : memref<2x4xf32>, vector<4xf32>
            %p_28 = arith.mulf %v_11, %p_27 : vector<4xf32>
            %i_out_2 = scf.for %i_2 = %c0 to %count step %c4 iter_args(%sum = %p_28) -> (vector<4xf32>) {
              %v_12 = vector.load %weights[%g_1, %i_2] : memref<2x64xf32>, vector<4xf32>
              %d_2 = arith.subf %v_12, %max_4 : vector<4xf32>
              %less_1 = arith.cmpf olt, %d_2, %least : vector<4xf32>
              %x_1 = arith.select %less_1, %least, %d_2 : vector<4xi1>, vector<4xf32>
              %n_1 = math.roundeven %x_1 : vector<4xf32>
              %d_3 = arith.subf %x_1, %n_1 : vector<4xf32>
              %p_29 = arith.mulf %c, %d_3 : vector<4xf32>
              %a_28 = arith.addf %p_29, %c_1 : vector<4xf32>
              %p_30 = arith.mulf %a_28, %d_3 : vector<4xf32>
              %a_29 = arith.addf %p_30, %c_2 : vector<4xf32>
              %p_31 = arith.mulf %a_29, %d_3 : vector<4xf32>
              %a_30 = arith.addf %p_31, %c_3 : vector<4xf32>
              %p_32 = arith.mulf %a_30, %d_3 : vector<4xf32>
              %a_31 = arith.addf %p_32, %c_4 : vector<4xf32>
              %p_33 = arith.mulf %a_31, %d_3 : vector<4xf32>
              %a_32 = arith.addf %p_33, %c_5 : vector<4xf32>
              %bits_3 = arith.fptosi %n_1 : vector<4xf32> to vector<4xi32>
              %bits_4 = arith.addi %bits_3, %bias : vector<4xi32>
              %bits_5 = arith.shli %bits_4, %mantissa : vector<4xi32>
              %power_1 = arith.bitcast %bits_5 : vector<4xi32> to vector<4xf32>
              %p_34 = arith.mulf %a_32, %power_1 : vector<4xf32>
              vector.store %p_34, %weights[%g_1, %i_2] : memref<2x64xf32>, vector<4xf32>
              %a_33 = arith.addf %sum, %p_34 : vector<4xf32>
              scf.yield %a_33 : vector<4xf32>
            }
            vector.store %i_out_2, %sums[%q_3, %c0] : memref<2x4xf32>, vector<4xf32>
          }
          scf.for %g_2 = %c0 to %c2 step %c1 {
            %q_4 = arith.addi %q_1, %g_2 : index
            %query_3 = arith.addi %first, %q_4 : index
            %v_13 = vector.load %decays[%g_2, %c0] : memref<2x4xf32>, vector<4xf32>
            %v_14 = vector.load %out[%group, %query_3, %c0] : memref<1x2x16xf32>, vector<4xf32>
            %p_35 = arith.mulf %v_13, %v_14 : vector<4xf32>
            %k_21 = arith.addi %c0, %c4 : index
            %v_15 = vector.load %out[%group, %query_3, %k_21] : memref<1x2x16xf32>, vector<4xf32>
            %p_36 = arith.mulf %v_13, %v_15 : vector<4xf32>
            %k_22 = arith.addi %c0, %c8 : index
            %v_16 = vector.load %out[%group, %query_3, %k_22] : memref<1x2x16xf32>, vector<4xf32>
            %p_37 = arith.mulf %v_13, %v_16 : vector<4xf32>
            %k_23 = arith.addi %c0, %c12 : index
            %v_17 = vector.load %out[%group, %query_3, %k_23] : memref<1x2x16xf32>, vector<4xf32>
            %p_38 = arith.mulf %v_13, %v_17 : vector<4xf32>
            %rest_1 = arith.remui %count, %c4 : index
            %full_1 = arith.subi %count, %rest_1 : index
            %j_out:8 = scf.for %j_1 = %c0 to %full_1 step %c4 iter_args(%mixed = %p_35, %mixed_1 = %p_36, %mixed_2 = %p_37, %mixed_3 = %p_38, %mixed_4 = %zero, %mixed_5 = %zero, %mixed_6 = %zero, %mixed_7 = %zero) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
              %x_2 = memref.load %weights[%g_2, %j_1] : memref<2x64xf32>
              %x_3 = vector.broadcast %x_2 : f32 to vector<4xf32>
              %row_4 = arith.addi %row, %j_1 : index
              %kv_20 = vector.load %values[%row_4, %head_1, %c0] : memref<80x1x16xf32>, vector<4xf32>
              %p_39 = arith.mulf %x_3, %kv_20 : vector<4xf32>
              %a_34 = arith.addf %p_39, %mixed : vector<4xf32>
              %k_24 = arith.addi %c0, %c4 : index
              %kv_21 = vector.load %values[%row_4, %head_1, %k_24] : memref<80x1x16xf32>, vector<4xf32>
              %p_40 = arith.mulf %x_3, %kv_21 : vector<4xf32>
              %a_35 = arith.addf %p_40, %mixed_1 : vector<4xf32>
              %k_25 = arith.addi %c0, %c8 : index
              %kv_22 = vector.load %values[%row_4, %head_1, %k_25] : memref<80x1x16xf32>, vector<4xf32>
              %p_41 = arith.mulf %x_3, %kv_22 : vector<4xf32>
              %a_36 = arith.addf %p_41, %mixed_2 : vector<4xf32>
              %k_26 = arith.addi %c0, %c12 : index
              %kv_23 = vector.load %values[%row_4, %head_1, %k_26] : memref<80x1x16xf32>, vector<4xf32>
              %p_42 = arith.mulf %x_3, %kv_23 : vector<4xf32>
              %a_37 = arith.addf %p_42, %mixed_3 : vector<4xf32>
              %k_27 = arith.addi %j_1, %c1 : index
              %x_4 = memref.load %weights[%g_2, %k_27] : memref<2x64xf32>
              %x_5 = vector.broadcast %x_4 : f32 to vector<4xf32>
              %row_5 = arith.addi %row, %k_27 : index
              %kv_24 = vector.load %values[%row_5, %head_1, %c0] : memref<80x1x16xf32>, vector<4xf32>
              %p_43 = arith.mulf %x_5, %kv_24 : vector<4xf32>
              %a_38 = arith.addf %p_43, %mixed_4 : vector<4xf32>
              %k_28 = arith.addi %c0, %c4 : index
              %kv_25 = vector.load %values[%row_5, %head_1, %k_28] : memref<80x1x16xf32>, vector<4xf32>
              %p_44 = arith.mulf %x_5, %kv_25 : vector<4xf32>
              %a_39 = arith.addf %p_44, %mixed_5 : vector<4xf32>
              %k_29 = arith.addi %c0, %c8 : index
              %kv_26 = vector.load %values[%row_5, %head_1, %k_29] : memref<80x1x16xf32>, vector<4xf32>
              %p_45 = arith.mulf %x_5, %kv_26 : vector<4xf32>
              %a_40 = arith.addf %p_45, %mixed_6 : vector<4xf32>
              %k_30 = arith.addi %c0, %c12 : index
              %kv_27 = vector.load %values[%row_5, %head_1, %k_30] : memref<80x1x16xf32>, vector<4xf32>
              %p_46 = arith.mulf %x_5, %kv_27 : vector<4xf32>
              %a_41 = arith.addf %p_46, %mixed_7 : vector<4xf32>
              %k_31 = arith.addi %j_1, %c2 : index
              %x_6 = memref.load %weights[%g_2, %k_31] : memref<2x64xf32>
              %x_7 = vector.broadcast %x_6 : f32 to vector<4xf32>
              %row_6 = arith.addi %row, %k_31 : index
              %kv_28 = vector.load %values[%row_6, %head_1, %c0] : memref<80x1x16xf32>, vector<4xf32>
              %p_47 = arith.mulf %x_7, %kv_28 : vector<4xf32>
              %a_42 = arith.addf %p_47, %a_34 : vector<4xf32>
              %k_32 = arith.addi %c0, %c4 : index
              %kv_29 = vector.load %values[%row_6, %head_1, %k_32] : memref<80x1x16xf32>, vector<4xf32>
              %p_48 = arith.mulf %x_7, %kv_29 : vector<4xf32>
              %a_43 = arith.addf %p_48, %a_35 : vector<4xf32>
              %k_33 = arith.addi %c0, %c8 : index
              %kv_30 = vector.load %values[%row_6, %head_1, %k_33] : memref<80x1x16xf32>, vector<4xf32>
              %p_49 = arith.mulf %x_7, %kv_30 : vector<4xf32>
              %a_44 = arith.addf %p_49, %a_36 : vector<4xf32>
              %k_34 = arith.addi %c0, %c12 : index
              %kv_31 = vector.load %values[%row_6, %head_1, %k_34] : memref<80x1x16xf32>, vector<4xf32>
              %p_50 = arith.mulf %x_7, %kv_31 : vector<4xf32>
              %a_45 = arith.addf %p_50, %a_37 : vector<4xf32>
              %k_35 = arith.addi %j_1, %c3 : index
              %x_8 = memref.load %weights[%g_2, %k_35] : memref<2x64xf32>
              %x_9 = vector.broadcast %x_8 : f32 to vector<4xf32>
              %row_7 = arith.addi %row, %k_35 : index
              %kv_32 = vector.load %values[%row_7, %head_1, %c0] : memref<80x1x16xf32>, vector<4xf32>
              %p_51 = arith.mulf %x_9, %kv_32 : vector<4xf32>
              %a_46 = arith.addf %p_51, %a_38 : vector<4xf32>
              %k_36 = arith.addi %c0, %c4 : index
              %kv_33 = vector.load %values[%row_7, %head_1, %k_36] : memref<80x1x16xf32>, vector<4xf32>
              %p_52 = arith.mulf %x_9, %kv_33 : vector<4xf32>
              %a_47 = arith.addf %p_52, %a_39 : vector<4xf32>
              %k_37 = arith.addi %c0, %c8 : index
              %kv_34 = vector.load %values[%row_7, %head_1, %k_37] : memref<80x1x16xf32>, vector<4xf32>
              %p_53 = arith.mulf %x_9, %kv_34 : vector<4xf32>
              %a_48 = arith.addf %p_53, %a_40 : vector<4xf32>
              %k_38 = arith.addi %c0, %c12 : index
              %kv_35 = vector.load %values[%row_7, %head_1, %k_38] : memref<80x1x16xf32>, vector<4xf32>
              %p_54 = arith.mulf %x_9, %kv_35 : vector<4xf32>
              %a_49 = arith.addf %p_54, %a_41 : vector<4xf32>
              scf.yield %a_42, %a_43, %a_44, %a_45, %a_46, %a_47, %a_48, %a_49 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
            }
            %a_50 = arith.addf %j_out#0, %j_out#4 : vector<4xf32>
            %a_51 = arith.addf %j_out#1, %j_out#5 : vector<4xf32>
            %a_52 = arith.addf %j_out#2, %j_out#6 : vector<4xf32>
            %a_53 = arith.addf %j_out#3, %j_out#7 : vector<4xf32>
            %j_out_1:4 = scf.for %j_2 = %full_1 to %count step %c1 iter_args(%mixed_8 = %a_50, %mixed_9 = %a_51, %mixed_10 = %a_52, %mixed_11 = %a_53) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
              %x_10 = memref.load %weights[%g_2, %j_2] : memref<2x64xf32>
              %x_11 = vector.broadcast %x_10 : f32 to vector<4xf32>
              %row_8 = arith.addi %row, %j_2 : index
              %kv_36 = vector.load %values[%row_8, %head_1, %c0] : memref<80x1x16xf32>, vector<4xf32>
              %p_55 = arith.mulf %x_11, %kv_36 : vector<4xf32>
              %a_54 = arith.addf %p_55, %mixed_8 : vector<4xf32>
              %k_39 = arith.addi %c0, %c4 : index
              %kv_37 = vector.load %values[%row_8, %head_1, %k_39] : memref<80x1x16xf32>, vector<4xf32>
              %p_56 = arith.mulf %x_11, %kv_37 : vector<4xf32>
              %a_55 = arith.addf %p_56, %mixed_9 : vector<4xf32>
              %k_40 = arith.addi %c0, %c8 : index
              %kv_38 = vector.load %values[%row_8, %head_1, %k_40] : memref<80x1x16xf32>, vector<4xf32>
              %p_57 = arith.mulf %x_11, %kv_38 : vector<4xf32>
              %a_56 = arith.addf %p_57, %mixed_10 : vector<4xf32>
              %k_41 = arith.addi %c0, %c12 : index
              %kv_39 = vector.load %values[%row_8, %head_1, %k_41] : memref<80x1x16xf32>, vector<4xf32>
              %p_58 = arith.mulf %x_11, %kv_39 : vector<4xf32>
              %a_57 = arith.addf %p_58, %mixed_11 : vector<4xf32>
              scf.yield %a_54, %a_55, %a_56, %a_57 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
            }
            vector.store %j_out_1#0, %out[%group, %query_3, %c0] : memref<1x2x16xf32>, vector<4xf32>
            %k_42 = arith.addi %c0, %c4 : index
            vector.store %j_out_1#1, %out[%group, %query_3, %k_42] : memref<1x2x16xf32>, vector<4xf32>
            %k_43 = arith.addi %c0, %c8 : index
            vector.store %j_out_1#2, %out[%group, %query_3, %k_43] : memref<1x2x16xf32>, vector<4xf32>
            %k_44 = arith.addi %c0, %c12 : index
            vector.store %j_out_1#3, %out[%group, %query_3, %k_44] : memref<1x2x16xf32>, vector<4xf32>
          }
        }
      }
      scf.for %q_5 = %c0 to %queries_1 step %c1 {
        %query_4 = arith.addi %first, %q_5 : index
        %v_18 = vector.load %sums[%q_5, %c0] : memref<2x4xf32>, vector<4xf32>
        %sum_1 = vector.reduction <add>, %v_18 fastmath<reassoc> : vector<4xf32> into f32
        %sum_2 = vector.broadcast %sum_1 : f32 to vector<4xf32>
        %scale_1 = arith.divf %c_5, %sum_2 : vector<4xf32>
        %v_19 = vector.load %out[%group, %query_4, %c0] : memref<1x2x16xf32>, vector<4xf32>
        %p_59 = arith.mulf %scale_1, %v_19 : vector<4xf32>
        vector.store %p_59, %out[%group, %query_4, %c0] : memref<1x2x16xf32>, vector<4xf32>
        %k_45 = arith.addi %c0, %c4 : index
        %v_20 = vector.load %out[%group, %query_4, %k_45] : memref<1x2x16xf32>, vector<4xf32>
        %p_60 = arith.mulf %scale_1, %v_20 : vector<4xf32>
        vector.store %p_60, %out[%group, %query_4, %k_45] : memref<1x2x16xf32>, vector<4xf32>
        %k_46 = arith.addi %c0, %c8 : index
        %v_21 = vector.load %out[%group, %query_4, %k_46] : memref<1x2x16xf32>, vector<4xf32>
        %p_61 = arith.mulf %scale_1, %v_21 : vector<4xf32>
        vector.store %p_61, %out[%group, %query_4, %k_46] : memref<1x2x16xf32>, vector<4xf32>
        %k_47 = arith.addi %c0, %c12 : index
        %v_22 = vector.load %out[%group, %query_4, %k_47] : memref<1x2x16xf32>, vector<4xf32>
        %p_62 = arith.mulf %scale_1, %v_22 : vector<4xf32>
        vector.store %p_62, %out[%group, %query_4, %k_47] : memref<1x2x16xf32>, vector<4xf32>
      }
      return
    }
  }
}
