stream.executable private @attention_9x2x1x16_rows1x80_context70_3fd0000000000000_f16 {
  stream.executable.export public @attention_9x2x1x16_rows1x80_context70_3fd0000000000000_f16 workgroups() -> (index, index, index) {
    %n0 = arith.constant 1 : index
    %n1 = arith.constant 1 : index
    %n2 = arith.constant 1 : index
    stream.return %n0, %n1, %n2 : index, index, index
  }
  builtin.module {
    func.func @attention_9x2x1x16_rows1x80_context70_3fd0000000000000_f16(%queries_binding: !stream.binding, %keys_binding: !stream.binding, %values_binding: !stream.binding, %position_binding: !stream.binding, %out_binding: !stream.binding) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_codegen.no_pipeline>} {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c2 = arith.constant 2 : index
      %none = arith.constant 0 : i32
      %next = arith.constant 1 : i32
      %c1 = arith.constant 1 : index
      %context = arith.constant 70 : i32
      %c8 = arith.constant 8 : index
      %last = arith.constant 69 : i32
      %scale1 = arith.constant 3.6067376e-01 : f32
      %c4 = arith.constant 4 : index
      %c9 = arith.constant 9 : index
      %zero = arith.constant dense<0.0e+00> : vector<8xf32>
      %masked = arith.constant dense<-1.0e+30> : vector<8xf32>
      %c32 = arith.constant 32 : index
      %c24 = arith.constant 24 : index
      %least_2 = arith.constant dense<-1.26e+02> : vector<8xf32>
      %c = arith.constant dense<1.3264727e-03> : vector<8xf32>
      %c_1 = arith.constant dense<9.671513e-03> : vector<8xf32>
      %c_2 = arith.constant dense<5.5507336e-02> : vector<8xf32>
      %c_3 = arith.constant dense<2.4022242e-01> : vector<8xf32>
      %c_4 = arith.constant dense<6.93147e-01> : vector<8xf32>
      %c_5 = arith.constant dense<1.0e+00> : vector<8xf32>
      %bias = arith.constant dense<127> : vector<8xi32>
      %mantissa = arith.constant dense<23> : vector<8xi32>
      %c3 = arith.constant 3 : index
      %queries = stream.binding.subspan %queries_binding[%c0] : !stream.binding -> memref<9x2x16xf32>
      %keys = stream.binding.subspan %keys_binding[%c0] : !stream.binding -> memref<80x1x16xf16>
      %values = stream.binding.subspan %values_binding[%c0] : !stream.binding -> memref<80x1x16xf16>
      %position = stream.binding.subspan %position_binding[%c0] : !stream.binding -> memref<9xi32>
      %out = stream.binding.subspan %out_binding[%c0] : !stream.binding -> memref<9x2x16xf32>
      %group = stream.dispatch.workgroup.id[0] : index
      %tile = arith.subi %c0, %group : index
      %first = arith.muli %tile, %c16 : index
      %group_1 = stream.dispatch.workgroup.id[1] : index
      %head = arith.muli %group_1, %c2 : index
      %h = arith.divui %head, %c2 : index
      %queries_1 = memref.alloca() alignment = 64 : memref<16x32xf32>
      %scores = memref.alloca() alignment = 64 : memref<32x32xf32>
      %decays = memref.alloca() alignment = 64 : memref<32xf32>
      %keys_1 = memref.alloca() alignment = 64 : memref<32x16xf32>
      %positions = memref.alloca() alignment = 64 : memref<16xi32>
      %i_out:2 = scf.for %i = %c0 to %c16 step %c1 iter_args(%least = %context, %most = %none) -> (i32, i32) {
        %row = arith.addi %first, %i : index
        %row_1 = arith.minui %row, %c8 : index
        %position_1 = memref.load %position[%row_1] : memref<9xi32>
        %position_2 = arith.minui %position_1, %last : i32
        memref.store %position_2, %positions[%i] : memref<16xi32>
        %least_1 = arith.minsi %least, %position_2 : i32
        %most_1 = arith.maxsi %most, %position_2 : i32
        scf.yield %least_1, %most_1 : i32, i32
      }
      %end = arith.addi %i_out#1, %next : i32
      %end_1 = arith.index_castui %end : i32 to index
      %position_3 = vector.load %positions[%c0] : memref<16xi32>, vector<8xi32>
      %position_4 = vector.load %positions[%c8] : memref<16xi32>, vector<8xi32>
      scf.for %u = %c0 to %c4 step %c1 {
        %r = arith.divui %u, %c2 : index
        %v = arith.remui %u, %c2 : index
        %query = arith.addi %head, %v : index
        %base = arith.muli %u, %c8 : index
        scf.for %i_1 = %c0 to %c8 step %c1 {
          %row_2 = arith.muli %r, %c8 : index
          %row_3 = arith.addi %row_2, %i_1 : index
          %row_4 = arith.addi %first, %row_3 : index
          %row_5 = arith.minui %row_4, %c8 : index
          %lane = arith.addi %base, %i_1 : index
          scf.for %d = %c0 to %c16 step %c1 {
            %q = memref.load %queries[%row_5, %query, %d] : memref<9x2x16xf32>
            %q_1 = arith.mulf %q, %scale1 : f32
            memref.store %q_1, %queries_1[%d, %lane] : memref<16x32xf32>
          }
        }
      }
      scf.for %u_1 = %c0 to %c4 step %c1 {
        %r_1 = arith.divui %u_1, %c2 : index
        %v_1 = arith.remui %u_1, %c2 : index
        %query_1 = arith.addi %head, %v_1 : index
        %base_1 = arith.muli %u_1, %c8 : index
        %begin = arith.muli %r_1, %c8 : index
        %row_6 = arith.addi %first, %begin : index
        %left = arith.subi %c9, %row_6 : index
        %left_1 = arith.minsi %left, %c8 : index
        scf.for %i_2 = %c0 to %left_1 step %c1 {
          %lane_1 = arith.addi %base_1, %i_2 : index
          %row_7 = arith.addi %begin, %i_2 : index
          %row_8 = arith.addi %first, %row_7 : index
          %row_9 = arith.minui %row_8, %c8 : index
          %v_2 = vector.load %out[%row_9, %query_1, %c0] : memref<9x2x16xf32>, vector<8xf32>
          vector.store %zero, %out[%row_9, %query_1, %c0] : memref<9x2x16xf32>, vector<8xf32>
          %k = arith.addi %c0, %c8 : index
          %v_3 = vector.load %out[%row_9, %query_1, %k] : memref<9x2x16xf32>, vector<8xf32>
          vector.store %zero, %out[%row_9, %query_1, %k] : memref<9x2x16xf32>, vector<8xf32>
        }
      }
      %key_out:8 = scf.for %key = %c0 to %end_1 step %c32 iter_args(%top = %masked, %top_1 = %masked, %top_2 = %masked, %top_3 = %masked, %sum = %zero, %sum_1 = %zero, %sum_2 = %zero, %sum_3 = %zero) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
        %left_2 = arith.subi %end_1, %key : index
        %count = arith.minui %left_2, %c32 : index
        scf.for %i_3 = %c0 to %count step %c1 {
          %row_10 = arith.addi %key, %i_3 : index
          %kv = vector.load %keys[%row_10, %h, %c0] : memref<80x1x16xf16>, vector<8xf16>
          %kv_1 = arith.extf %kv : vector<8xf16> to vector<8xf32>
          vector.store %kv_1, %keys_1[%i_3, %c0] : memref<32x16xf32>, vector<8xf32>
          %k_1 = arith.addi %c0, %c8 : index
          %kv_2 = vector.load %keys[%row_10, %h, %k_1] : memref<80x1x16xf16>, vector<8xf16>
          %kv_3 = arith.extf %kv_2 : vector<8xf16> to vector<8xf32>
          vector.store %kv_3, %keys_1[%i_3, %k_1] : memref<32x16xf32>, vector<8xf32>
        }
        %last_1 = arith.subi %count, %c1 : index
        %i_out_1:4 = scf.for %i_4 = %c0 to %count step %c2 iter_args(%top_4 = %top, %top_5 = %top_1, %top_6 = %top_2, %top_7 = %top_3) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %key_1 = arith.minui %i_4, %last_1 : index
          %k_2 = arith.addi %i_4, %c1 : index
          %key_2 = arith.minui %k_2, %last_1 : index
          %d_out:8 = scf.for %d_1 = %c0 to %c16 step %c2 iter_args(%sum_4 = %zero, %sum_5 = %zero, %sum_6 = %zero, %sum_7 = %zero, %sum_8 = %zero, %sum_9 = %zero, %sum_10 = %zero, %sum_11 = %zero) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
            %v_4 = vector.load %queries_1[%d_1, %c0] : memref<16x32xf32>, vector<8xf32>
            %v_5 = vector.load %queries_1[%d_1, %c8] : memref<16x32xf32>, vector<8xf32>
            %v_6 = vector.load %queries_1[%d_1, %c16] : memref<16x32xf32>, vector<8xf32>
            %v_7 = vector.load %queries_1[%d_1, %c24] : memref<16x32xf32>, vector<8xf32>
            %k_3 = memref.load %keys_1[%key_1, %d_1] : memref<32x16xf32>
            %k_4 = vector.broadcast %k_3 : f32 to vector<8xf32>
            %f = vector.fma %k_4, %v_4, %sum_4 : vector<8xf32>
            %f_1 = vector.fma %k_4, %v_5, %sum_5 : vector<8xf32>
            %f_2 = vector.fma %k_4, %v_6, %sum_6 : vector<8xf32>
            %f_3 = vector.fma %k_4, %v_7, %sum_7 : vector<8xf32>
            %k_5 = memref.load %keys_1[%key_2, %d_1] : memref<32x16xf32>
            %k_6 = vector.broadcast %k_5 : f32 to vector<8xf32>
            %f_4 = vector.fma %k_6, %v_4, %sum_8 : vector<8xf32>
            %f_5 = vector.fma %k_6, %v_5, %sum_9 : vector<8xf32>
            %f_6 = vector.fma %k_6, %v_6, %sum_10 : vector<8xf32>
            %f_7 = vector.fma %k_6, %v_7, %sum_11 : vector<8xf32>
            %k_7 = arith.addi %d_1, %c1 : index
            %v_8 = vector.load %queries_1[%k_7, %c0] : memref<16x32xf32>, vector<8xf32>
            %v_9 = vector.load %queries_1[%k_7, %c8] : memref<16x32xf32>, vector<8xf32>
            %v_10 = vector.load %queries_1[%k_7, %c16] : memref<16x32xf32>, vector<8xf32>
            %v_11 = vector.load %queries_1[%k_7, %c24] : memref<16x32xf32>, vector<8xf32>
            %k_8 = memref.load %keys_1[%key_1, %k_7] : memref<32x16xf32>
            %k_9 = vector.broadcast %k_8 : f32 to vector<8xf32>
            %f_8 = vector.fma %k_9, %v_8, %f : vector<8xf32>
            %f_9 = vector.fma %k_9, %v_9, %f_1 : vector<8xf32>
            %f_10 = vector.fma %k_9, %v_10, %f_2 : vector<8xf32>
            %f_11 = vector.fma %k_9, %v_11, %f_3 : vector<8xf32>
            %k_10 = memref.load %keys_1[%key_2, %k_7] : memref<32x16xf32>
            %k_11 = vector.broadcast %k_10 : f32 to vector<8xf32>
            %f_12 = vector.fma %k_11, %v_8, %f_4 : vector<8xf32>
            %f_13 = vector.fma %k_11, %v_9, %f_5 : vector<8xf32>
            %f_14 = vector.fma %k_11, %v_10, %f_6 : vector<8xf32>
            %f_15 = vector.fma %k_11, %v_11, %f_7 : vector<8xf32>
            scf.yield %f_8, %f_9, %f_10, %f_11, %f_12, %f_13, %f_14, %f_15 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
          }
          %j = arith.addi %key, %i_4 : index
          %j_1 = arith.index_cast %j : index to i32
          %j_2 = vector.broadcast %j_1 : i32 to vector<8xi32>
          %seen = arith.cmpi sle, %j_2, %position_3 : vector<8xi32>
          %s = arith.select %seen, %d_out#0, %masked : vector<8xi1>, vector<8xf32>
          vector.store %s, %scores[%i_4, %c0] : memref<32x32xf32>, vector<8xf32>
          %greater = arith.cmpf ogt, %top_4, %s : vector<8xf32>
          %max = arith.select %greater, %top_4, %s : vector<8xi1>, vector<8xf32>
          %seen_1 = arith.cmpi sle, %j_2, %position_3 : vector<8xi32>
          %s_1 = arith.select %seen_1, %d_out#1, %masked : vector<8xi1>, vector<8xf32>
          vector.store %s_1, %scores[%i_4, %c8] : memref<32x32xf32>, vector<8xf32>
          %greater_1 = arith.cmpf ogt, %top_5, %s_1 : vector<8xf32>
          %max_1 = arith.select %greater_1, %top_5, %s_1 : vector<8xi1>, vector<8xf32>
          %seen_2 = arith.cmpi sle, %j_2, %position_4 : vector<8xi32>
          %s_2 = arith.select %seen_2, %d_out#2, %masked : vector<8xi1>, vector<8xf32>
          vector.store %s_2, %scores[%i_4, %c16] : memref<32x32xf32>, vector<8xf32>
          %greater_2 = arith.cmpf ogt, %top_6, %s_2 : vector<8xf32>
          %max_2 = arith.select %greater_2, %top_6, %s_2 : vector<8xi1>, vector<8xf32>
          %seen_3 = arith.cmpi sle, %j_2, %position_4 : vector<8xi32>
          %s_3 = arith.select %seen_3, %d_out#3, %masked : vector<8xi1>, vector<8xf32>
          vector.store %s_3, %scores[%i_4, %c24] : memref<32x32xf32>, vector<8xf32>
          %greater_3 = arith.cmpf ogt, %top_7, %s_3 : vector<8xf32>
          %max_3 = arith.select %greater_3, %top_7, %s_3 : vector<8xi1>, vector<8xf32>
          %k_12 = arith.addi %j, %c1 : index
          %j_3 = arith.index_cast %k_12 : index to i32
          %j_4 = vector.broadcast %j_3 : i32 to vector<8xi32>
          %seen_4 = arith.cmpi sle, %j_4, %position_3 : vector<8xi32>
          %s_4 = arith.select %seen_4, %d_out#4, %masked : vector<8xi1>, vector<8xf32>
          %k_13 = arith.addi %i_4, %c1 : index
          vector.store %s_4, %scores[%k_13, %c0] : memref<32x32xf32>, vector<8xf32>
          %greater_4 = arith.cmpf ogt, %max, %s_4 : vector<8xf32>
          %max_4 = arith.select %greater_4, %max, %s_4 : vector<8xi1>, vector<8xf32>
          %seen_5 = arith.cmpi sle, %j_4, %position_3 : vector<8xi32>
          %s_5 = arith.select %seen_5, %d_out#5, %masked : vector<8xi1>, vector<8xf32>
          %k_14 = arith.addi %i_4, %c1 : index
          vector.store %s_5, %scores[%k_14, %c8] : memref<32x32xf32>, vector<8xf32>
          %greater_5 = arith.cmpf ogt, %max_1, %s_5 : vector<8xf32>
          %max_5 = arith.select %greater_5, %max_1, %s_5 : vector<8xi1>, vector<8xf32>
          %seen_6 = arith.cmpi sle, %j_4, %position_4 : vector<8xi32>
          %s_6 = arith.select %seen_6, %d_out#6, %masked : vector<8xi1>, vector<8xf32>
          %k_15 = arith.addi %i_4, %c1 : index
          vector.store %s_6, %scores[%k_15, %c16] : memref<32x32xf32>, vector<8xf32>
          %greater_6 = arith.cmpf ogt, %max_2, %s_6 : vector<8xf32>
          %max_6 = arith.select %greater_6, %max_2, %s_6 : vector<8xi1>, vector<8xf32>
          %seen_7 = arith.cmpi sle, %j_4, %position_4 : vector<8xi32>
          %s_7 = arith.select %seen_7, %d_out#7, %masked : vector<8xi1>, vector<8xf32>
          %k_16 = arith.addi %i_4, %c1 : index
          vector.store %s_7, %scores[%k_16, %c24] : memref<32x32xf32>, vector<8xf32>
          %greater_7 = arith.cmpf ogt, %max_3, %s_7 : vector<8xf32>
          %max_7 = arith.select %greater_7, %max_3, %s_7 : vector<8xi1>, vector<8xf32>
          scf.yield %max_4, %max_5, %max_6, %max_7 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        %d_2 = arith.subf %top, %i_out_1#0 : vector<8xf32>
        %less = arith.cmpf olt, %d_2, %least_2 : vector<8xf32>
        %x = arith.select %less, %least_2, %d_2 : vector<8xi1>, vector<8xf32>
        %n = math.roundeven %x : vector<8xf32>
        %d_3 = arith.subf %x, %n : vector<8xf32>
        %f_16 = vector.fma %c, %d_3, %c_1 : vector<8xf32>
        %f_17 = vector.fma %f_16, %d_3, %c_2 : vector<8xf32>
        %f_18 = vector.fma %f_17, %d_3, %c_3 : vector<8xf32>
        %f_19 = vector.fma %f_18, %d_3, %c_4 : vector<8xf32>
        %f_20 = vector.fma %f_19, %d_3, %c_5 : vector<8xf32>
        %bits = arith.fptosi %n : vector<8xf32> to vector<8xi32>
        %bits_1 = arith.addi %bits, %bias : vector<8xi32>
        %bits_2 = arith.shli %bits_1, %mantissa : vector<8xi32>
        %power = arith.bitcast %bits_2 : vector<8xi32> to vector<8xf32>
        %p = arith.mulf %f_20, %power : vector<8xf32>
        vector.store %p, %decays[%c0] : memref<32xf32>, vector<8xf32>
        %p_1 = arith.mulf %sum, %p : vector<8xf32>
        %d_4 = arith.subf %top_1, %i_out_1#1 : vector<8xf32>
        %less_1 = arith.cmpf olt, %d_4, %least_2 : vector<8xf32>
        %x_1 = arith.select %less_1, %least_2, %d_4 : vector<8xi1>, vector<8xf32>
        %n_1 = math.roundeven %x_1 : vector<8xf32>
        %d_5 = arith.subf %x_1, %n_1 : vector<8xf32>
        %f_21 = vector.fma %c, %d_5, %c_1 : vector<8xf32>
        %f_22 = vector.fma %f_21, %d_5, %c_2 : vector<8xf32>
        %f_23 = vector.fma %f_22, %d_5, %c_3 : vector<8xf32>
        %f_24 = vector.fma %f_23, %d_5, %c_4 : vector<8xf32>
        %f_25 = vector.fma %f_24, %d_5, %c_5 : vector<8xf32>
        %bits_3 = arith.fptosi %n_1 : vector<8xf32> to vector<8xi32>
        %bits_4 = arith.addi %bits_3, %bias : vector<8xi32>
        %bits_5 = arith.shli %bits_4, %mantissa : vector<8xi32>
        %power_1 = arith.bitcast %bits_5 : vector<8xi32> to vector<8xf32>
        %p_2 = arith.mulf %f_25, %power_1 : vector<8xf32>
        vector.store %p_2, %decays[%c8] : memref<32xf32>, vector<8xf32>
        %p_3 = arith.mulf %sum_1, %p_2 : vector<8xf32>
        %d_6 = arith.subf %top_2, %i_out_1#2 : vector<8xf32>
        %less_2 = arith.cmpf olt, %d_6, %least_2 : vector<8xf32>
        %x_2 = arith.select %less_2, %least_2, %d_6 : vector<8xi1>, vector<8xf32>
        %n_2 = math.roundeven %x_2 : vector<8xf32>
        %d_7 = arith.subf %x_2, %n_2 : vector<8xf32>
        %f_26 = vector.fma %c, %d_7, %c_1 : vector<8xf32>
        %f_27 = vector.fma %f_26, %d_7, %c_2 : vector<8xf32>
        %f_28 = vector.fma %f_27, %d_7, %c_3 : vector<8xf32>
        %f_29 = vector.fma %f_28, %d_7, %c_4 : vector<8xf32>
        %f_30 = vector.fma %f_29, %d_7, %c_5 : vector<8xf32>
        %bits_6 = arith.fptosi %n_2 : vector<8xf32> to vector<8xi32>
        %bits_7 = arith.addi %bits_6, %bias : vector<8xi32>
        %bits_8 = arith.shli %bits_7, %mantissa : vector<8xi32>
        %power_2 = arith.bitcast %bits_8 : vector<8xi32> to vector<8xf32>
        %p_4 = arith.mulf %f_30, %power_2 : vector<8xf32>
        vector.store %p_4, %decays[%c16] : memref<32xf32>, vector<8xf32>
        %p_5 = arith.mulf %sum_2, %p_4 : vector<8xf32>
        %d_8 = arith.subf %top_3, %i_out_1#3 : vector<8xf32>
        %less_3 = arith.cmpf olt, %d_8, %least_2 : vector<8xf32>
        %x_3 = arith.select %less_3, %least_2, %d_8 : vector<8xi1>, vector<8xf32>
        %n_3 = math.roundeven %x_3 : vector<8xf32>
        %d_9 = arith.subf %x_3, %n_3 : vector<8xf32>
        %f_31 = vector.fma %c, %d_9, %c_1 : vector<8xf32>
        %f_32 = vector.fma %f_31, %d_9, %c_2 : vector<8xf32>
        %f_33 = vector.fma %f_32, %d_9, %c_3 : vector<8xf32>
        %f_34 = vector.fma %f_33, %d_9, %c_4 : vector<8xf32>
        %f_35 = vector.fma %f_34, %d_9, %c_5 : vector<8xf32>
        %bits_9 = arith.fptosi %n_3 : vector<8xf32> to vector<8xi32>
        %bits_10 = arith.addi %bits_9, %bias : vector<8xi32>
        %bits_11 = arith.shli %bits_10, %mantissa : vector<8xi32>
        %power_3 = arith.bitcast %bits_11 : vector<8xi32> to vector<8xf32>
        %p_6 = arith.mulf %f_35, %power_3 : vector<8xf32>
        vector.store %p_6, %decays[%c24] : memref<32xf32>, vector<8xf32>
        %p_7 = arith.mulf %sum_3, %p_6 : vector<8xf32>
        %i_out_2:4 = scf.for %i_5 = %c0 to %count step %c1 iter_args(%sum_12 = %p_1, %sum_13 = %p_3, %sum_14 = %p_5, %sum_15 = %p_7) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_12 = vector.load %scores[%i_5, %c0] : memref<32x32xf32>, vector<8xf32>
          %d_10 = arith.subf %v_12, %i_out_1#0 : vector<8xf32>
          %less_4 = arith.cmpf olt, %d_10, %least_2 : vector<8xf32>
          %x_4 = arith.select %less_4, %least_2, %d_10 : vector<8xi1>, vector<8xf32>
          %n_4 = math.roundeven %x_4 : vector<8xf32>
          %d_11 = arith.subf %x_4, %n_4 : vector<8xf32>
          %f_36 = vector.fma %c, %d_11, %c_1 : vector<8xf32>
          %f_37 = vector.fma %f_36, %d_11, %c_2 : vector<8xf32>
          %f_38 = vector.fma %f_37, %d_11, %c_3 : vector<8xf32>
          %f_39 = vector.fma %f_38, %d_11, %c_4 : vector<8xf32>
          %f_40 = vector.fma %f_39, %d_11, %c_5 : vector<8xf32>
          %bits_12 = arith.fptosi %n_4 : vector<8xf32> to vector<8xi32>
          %bits_13 = arith.addi %bits_12, %bias : vector<8xi32>
          %bits_14 = arith.shli %bits_13, %mantissa : vector<8xi32>
          %power_4 = arith.bitcast %bits_14 : vector<8xi32> to vector<8xf32>
          %p_8 = arith.mulf %f_40, %power_4 : vector<8xf32>
          vector.store %p_8, %scores[%i_5, %c0] : memref<32x32xf32>, vector<8xf32>
          %a = arith.addf %sum_12, %p_8 : vector<8xf32>
          %v_13 = vector.load %scores[%i_5, %c8] : memref<32x32xf32>, vector<8xf32>
          %d_12 = arith.subf %v_13, %i_out_1#1 : vector<8xf32>
          %less_5 = arith.cmpf olt, %d_12, %least_2 : vector<8xf32>
          %x_5 = arith.select %less_5, %least_2, %d_12 : vector<8xi1>, vector<8xf32>
          %n_5 = math.roundeven %x_5 : vector<8xf32>
          %d_13 = arith.subf %x_5, %n_5 : vector<8xf32>
          %f_41 = vector.fma %c, %d_13, %c_1 : vector<8xf32>
          %f_42 = vector.fma %f_41, %d_13, %c_2 : vector<8xf32>
          %f_43 = vector.fma %f_42, %d_13, %c_3 : vector<8xf32>
          %f_44 = vector.fma %f_43, %d_13, %c_4 : vector<8xf32>
          %f_45 = vector.fma %f_44, %d_13, %c_5 : vector<8xf32>
          %bits_15 = arith.fptosi %n_5 : vector<8xf32> to vector<8xi32>
          %bits_16 = arith.addi %bits_15, %bias : vector<8xi32>
          %bits_17 = arith.shli %bits_16, %mantissa : vector<8xi32>
          %power_5 = arith.bitcast %bits_17 : vector<8xi32> to vector<8xf32>
          %p_9 = arith.mulf %f_45, %power_5 : vector<8xf32>
          vector.store %p_9, %scores[%i_5, %c8] : memref<32x32xf32>, vector<8xf32>
          %a_1 = arith.addf %sum_13, %p_9 : vector<8xf32>
          %v_14 = vector.load %scores[%i_5, %c16] : memref<32x32xf32>, vector<8xf32>
          %d_14 = arith.subf %v_14, %i_out_1#2 : vector<8xf32>
          %less_6 = arith.cmpf olt, %d_14, %least_2 : vector<8xf32>
          %x_6 = arith.select %less_6, %least_2, %d_14 : vector<8xi1>, vector<8xf32>
          %n_6 = math.roundeven %x_6 : vector<8xf32>
          %d_15 = arith.subf %x_6, %n_6 : vector<8xf32>
          %f_46 = vector.fma %c, %d_15, %c_1 : vector<8xf32>
          %f_47 = vector.fma %f_46, %d_15, %c_2 : vector<8xf32>
          %f_48 = vector.fma %f_47, %d_15, %c_3 : vector<8xf32>
          %f_49 = vector.fma %f_48, %d_15, %c_4 : vector<8xf32>
          %f_50 = vector.fma %f_49, %d_15, %c_5 : vector<8xf32>
          %bits_18 = arith.fptosi %n_6 : vector<8xf32> to vector<8xi32>
          %bits_19 = arith.addi %bits_18, %bias : vector<8xi32>
          %bits_20 = arith.shli %bits_19, %mantissa : vector<8xi32>
          %power_6 = arith.bitcast %bits_20 : vector<8xi32> to vector<8xf32>
          %p_10 = arith.mulf %f_50, %power_6 : vector<8xf32>
          vector.store %p_10, %scores[%i_5, %c16] : memref<32x32xf32>, vector<8xf32>
          %a_2 = arith.addf %sum_14, %p_10 : vector<8xf32>
          %v_15 = vector.load %scores[%i_5, %c24] : memref<32x32xf32>, vector<8xf32>
          %d_16 = arith.subf %v_15, %i_out_1#3 : vector<8xf32>
          %less_7 = arith.cmpf olt, %d_16, %least_2 : vector<8xf32>
          %x_7 = arith.select %less_7, %least_2, %d_16 : vector<8xi1>, vector<8xf32>
          %n_7 = math.roundeven %x_7 : vector<8xf32>
          %d_17 = arith.subf %x_7, %n_7 : vector<8xf32>
          %f_51 = vector.fma %c, %d_17, %c_1 : vector<8xf32>
          %f_52 = vector.fma %f_51, %d_17, %c_2 : vector<8xf32>
          %f_53 = vector.fma %f_52, %d_17, %c_3 : vector<8xf32>
          %f_54 = vector.fma %f_53, %d_17, %c_4 : vector<8xf32>
          %f_55 = vector.fma %f_54, %d_17, %c_5 : vector<8xf32>
          %bits_21 = arith.fptosi %n_7 : vector<8xf32> to vector<8xi32>
          %bits_22 = arith.addi %bits_21, %bias : vector<8xi32>
          %bits_23 = arith.shli %bits_22, %mantissa : vector<8xi32>
          %power_7 = arith.bitcast %bits_23 : vector<8xi32> to vector<8xf32>
          %p_11 = arith.mulf %f_55, %power_7 : vector<8xf32>
          vector.store %p_11, %scores[%i_5, %c24] : memref<32x32xf32>, vector<8xf32>
          %a_3 = arith.addf %sum_15, %p_11 : vector<8xf32>
          scf.yield %a, %a_1, %a_2, %a_3 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        scf.for %u_2 = %c0 to %c4 step %c1 {
          %r_2 = arith.divui %u_2, %c2 : index
          %v_16 = arith.remui %u_2, %c2 : index
          %query_2 = arith.addi %head, %v_16 : index
          %base_2 = arith.muli %u_2, %c8 : index
          %begin_1 = arith.muli %r_2, %c8 : index
          %row_11 = arith.addi %first, %begin_1 : index
          %left_3 = arith.subi %c9, %row_11 : index
          %left_4 = arith.minsi %left_3, %c8 : index
          scf.for %i_6 = %c0 to %left_4 step %c4 {
            %lane_2 = arith.addi %base_2, %i_6 : index
            %row_12 = arith.addi %begin_1, %i_6 : index
            %row_13 = arith.addi %first, %row_12 : index
            %row_14 = arith.minui %row_13, %c8 : index
            %k_17 = arith.addi %i_6, %c1 : index
            %lane_3 = arith.addi %base_2, %k_17 : index
            %row_15 = arith.addi %begin_1, %k_17 : index
            %row_16 = arith.addi %first, %row_15 : index
            %row_17 = arith.minui %row_16, %c8 : index
            %k_18 = arith.addi %i_6, %c2 : index
            %lane_4 = arith.addi %base_2, %k_18 : index
            %row_18 = arith.addi %begin_1, %k_18 : index
            %row_19 = arith.addi %first, %row_18 : index
            %row_20 = arith.minui %row_19, %c8 : index
            %k_19 = arith.addi %i_6, %c3 : index
            %lane_5 = arith.addi %base_2, %k_19 : index
            %row_21 = arith.addi %begin_1, %k_19 : index
            %row_22 = arith.addi %first, %row_21 : index
            %row_23 = arith.minui %row_22, %c8 : index
            %x_8 = memref.load %decays[%lane_2] : memref<32xf32>
            %x_9 = vector.broadcast %x_8 : f32 to vector<8xf32>
            %x_10 = memref.load %decays[%lane_3] : memref<32xf32>
            %x_11 = vector.broadcast %x_10 : f32 to vector<8xf32>
            %x_12 = memref.load %decays[%lane_4] : memref<32xf32>
            %x_13 = vector.broadcast %x_12 : f32 to vector<8xf32>
            %x_14 = memref.load %decays[%lane_5] : memref<32xf32>
            %x_15 = vector.broadcast %x_14 : f32 to vector<8xf32>
            %v_17 = vector.load %out[%row_14, %query_2, %c0] : memref<9x2x16xf32>, vector<8xf32>
            %p_12 = arith.mulf %x_9, %v_17 : vector<8xf32>
            %k_20 = arith.addi %c0, %c8 : index
            %v_18 = vector.load %out[%row_14, %query_2, %k_20] : memref<9x2x16xf32>, vector<8xf32>
            %p_13 = arith.mulf %x_9, %v_18 : vector<8xf32>
            %v_19 = vector.load %out[%row_17, %query_2, %c0] : memref<9x2x16xf32>, vector<8xf32>
            %p_14 = arith.mulf %x_11, %v_19 : vector<8xf32>
            %k_21 = arith.addi %c0, %c8 : index
            %v_20 = vector.load %out[%row_17, %query_2, %k_21] : memref<9x2x16xf32>, vector<8xf32>
            %p_15 = arith.mulf %x_11, %v_20 : vector<8xf32>
            %v_21 = vector.load %out[%row_20, %query_2, %c0] : memref<9x2x16xf32>, vector<8xf32>
            %p_16 = arith.mulf %x_13, %v_21 : vector<8xf32>
            %k_22 = arith.addi %c0, %c8 : index
            %v_22 = vector.load %out[%row_20, %query_2, %k_22] : memref<9x2x16xf32>, vector<8xf32>
            %p_17 = arith.mulf %x_13, %v_22 : vector<8xf32>
            %v_23 = vector.load %out[%row_23, %query_2, %c0] : memref<9x2x16xf32>, vector<8xf32>
            %p_18 = arith.mulf %x_15, %v_23 : vector<8xf32>
            %k_23 = arith.addi %c0, %c8 : index
            %v_24 = vector.load %out[%row_23, %query_2, %k_23] : memref<9x2x16xf32>, vector<8xf32>
            %p_19 = arith.mulf %x_15, %v_24 : vector<8xf32>
            %j_out:8 = scf.for %j_5 = %c0 to %count step %c1 iter_args(%mixed = %p_12, %mixed_1 = %p_13, %mixed_2 = %p_14, %mixed_3 = %p_15, %mixed_4 = %p_16, %mixed_5 = %p_17, %mixed_6 = %p_18, %mixed_7 = %p_19) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
              %row_24 = arith.addi %key, %j_5 : index
              %kv_4 = vector.load %values[%row_24, %h, %c0] : memref<80x1x16xf16>, vector<8xf16>
              %kv_5 = arith.extf %kv_4 : vector<8xf16> to vector<8xf32>
              %k_24 = arith.addi %c0, %c8 : index
              %kv_6 = vector.load %values[%row_24, %h, %k_24] : memref<80x1x16xf16>, vector<8xf16>
              %kv_7 = arith.extf %kv_6 : vector<8xf16> to vector<8xf32>
              %x_16 = memref.load %scores[%j_5, %lane_2] : memref<32x32xf32>
              %x_17 = vector.broadcast %x_16 : f32 to vector<8xf32>
              %f_56 = vector.fma %x_17, %kv_5, %mixed : vector<8xf32>
              %f_57 = vector.fma %x_17, %kv_7, %mixed_1 : vector<8xf32>
              %x_18 = memref.load %scores[%j_5, %lane_3] : memref<32x32xf32>
              %x_19 = vector.broadcast %x_18 : f32 to vector<8xf32>
              %f_58 = vector.fma %x_19, %kv_5, %mixed_2 : vector<8xf32>
              %f_59 = vector.fma %x_19, %kv_7, %mixed_3 : vector<8xf32>
              %x_20 = memref.load %scores[%j_5, %lane_4] : memref<32x32xf32>
              %x_21 = vector.broadcast %x_20 : f32 to vector<8xf32>
              %f_60 = vector.fma %x_21, %kv_5, %mixed_4 : vector<8xf32>
              %f_61 = vector.fma %x_21, %kv_7, %mixed_5 : vector<8xf32>
              %x_22 = memref.load %scores[%j_5, %lane_5] : memref<32x32xf32>
              %x_23 = vector.broadcast %x_22 : f32 to vector<8xf32>
              %f_62 = vector.fma %x_23, %kv_5, %mixed_6 : vector<8xf32>
              %f_63 = vector.fma %x_23, %kv_7, %mixed_7 : vector<8xf32>
              scf.yield %f_56, %f_57, %f_58, %f_59, %f_60, %f_61, %f_62, %f_63 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
            }
            vector.store %j_out#0, %out[%row_14, %query_2, %c0] : memref<9x2x16xf32>, vector<8xf32>
            %k_25 = arith.addi %c0, %c8 : index
            vector.store %j_out#1, %out[%row_14, %query_2, %k_25] : memref<9x2x16xf32>, vector<8xf32>
            vector.store %j_out#2, %out[%row_17, %query_2, %c0] : memref<9x2x16xf32>, vector<8xf32>
            %k_26 = arith.addi %c0, %c8 : index
            vector.store %j_out#3, %out[%row_17, %query_2, %k_26] : memref<9x2x16xf32>, vector<8xf32>
            vector.store %j_out#4, %out[%row_20, %query_2, %c0] : memref<9x2x16xf32>, vector<8xf32>
            %k_27 = arith.addi %c0, %c8 : index
            vector.store %j_out#5, %out[%row_20, %query_2, %k_27] : memref<9x2x16xf32>, vector<8xf32>
            vector.store %j_out#6, %out[%row_23, %query_2, %c0] : memref<9x2x16xf32>, vector<8xf32>
            %k_28 = arith.addi %c0, %c8 : index
            vector.store %j_out#7, %out[%row_23, %query_2, %k_28] : memref<9x2x16xf32>, vector<8xf32>
          }
        }
        scf.yield %i_out_1#0, %i_out_1#1, %i_out_1#2, %i_out_1#3, %i_out_2#0, %i_out_2#1, %i_out_2#2, %i_out_2#3 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
      }
      %scale = arith.divf %c_5, %key_out#4 : vector<8xf32>
      vector.store %scale, %decays[%c0] : memref<32xf32>, vector<8xf32>
      %scale_1 = arith.divf %c_5, %key_out#5 : vector<8xf32>
      vector.store %scale_1, %decays[%c8] : memref<32xf32>, vector<8xf32>
      %scale_2 = arith.divf %c_5, %key_out#6 : vector<8xf32>
      vector.store %scale_2, %decays[%c16] : memref<32xf32>, vector<8xf32>
      %scale_3 = arith.divf %c_5, %key_out#7 : vector<8xf32>
      vector.store %scale_3, %decays[%c24] : memref<32xf32>, vector<8xf32>
      scf.for %u_3 = %c0 to %c4 step %c1 {
        %r_3 = arith.divui %u_3, %c2 : index
        %v_25 = arith.remui %u_3, %c2 : index
        %query_3 = arith.addi %head, %v_25 : index
        %base_3 = arith.muli %u_3, %c8 : index
        %begin_2 = arith.muli %r_3, %c8 : index
        %row_25 = arith.addi %first, %begin_2 : index
        %left_5 = arith.subi %c9, %row_25 : index
        %left_6 = arith.minsi %left_5, %c8 : index
        scf.for %i_7 = %c0 to %left_6 step %c1 {
          %lane_6 = arith.addi %base_3, %i_7 : index
          %row_26 = arith.addi %begin_2, %i_7 : index
          %row_27 = arith.addi %first, %row_26 : index
          %row_28 = arith.minui %row_27, %c8 : index
          %v_26 = vector.load %out[%row_28, %query_3, %c0] : memref<9x2x16xf32>, vector<8xf32>
          %x_24 = memref.load %decays[%lane_6] : memref<32xf32>
          %x_25 = vector.broadcast %x_24 : f32 to vector<8xf32>
          %p_20 = arith.mulf %v_26, %x_25 : vector<8xf32>
          vector.store %p_20, %out[%row_28, %query_3, %c0] : memref<9x2x16xf32>, vector<8xf32>
          %k_29 = arith.addi %c0, %c8 : index
          %v_27 = vector.load %out[%row_28, %query_3, %k_29] : memref<9x2x16xf32>, vector<8xf32>
          %x_26 = memref.load %decays[%lane_6] : memref<32xf32>
          %x_27 = vector.broadcast %x_26 : f32 to vector<8xf32>
          %p_21 = arith.mulf %v_27, %x_27 : vector<8xf32>
          vector.store %p_21, %out[%row_28, %query_3, %k_29] : memref<9x2x16xf32>, vector<8xf32>
        }
      }
      return
    }
  }
}
