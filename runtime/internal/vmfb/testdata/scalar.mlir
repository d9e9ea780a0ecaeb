// Scalar code that stays in the virtual machine: loops, 64-bit values in calls.
func.func @collatz(%n: i64) -> (i64, i32) {
  %zero32 = arith.constant 0 : i32
  %one32 = arith.constant 1 : i32
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %r:2 = scf.while (%a = %n, %k = %zero32) : (i64, i32) -> (i64, i32) {
    %go = arith.cmpi ne, %a, %one : i64
    scf.condition(%go) %a, %k : i64, i32
  } do {
  ^bb0(%a: i64, %k: i32):
    %m = arith.remsi %a, %two : i64
    %even = arith.cmpi eq, %m, %zero : i64
    %half = arith.divsi %a, %two : i64
    %t0 = arith.muli %a, %three : i64
    %t = arith.addi %t0, %one : i64
    %next = arith.select %even, %half, %t : i64
    %k1 = arith.addi %k, %one32 : i32
    scf.yield %next, %k1 : i64, i32
  }
  return %r#0, %r#1 : i64, i32
}

func.func private @mix(%a: i64, %b: i32, %c: i64) -> (i64, i32) attributes {inlining_policy = #util.inline.never} {
  %0 = arith.muli %a, %c : i64
  %1 = arith.extsi %b : i32 to i64
  %2 = arith.addi %0, %1 : i64
  %3 = arith.trunci %2 : i64 to i32
  return %2, %3 : i64, i32
}

func.func @mixed(%b: i32, %a: i64, %c: i64) -> (i32, i64) {
  %r:2 = call @mix(%a, %b, %c) : (i64, i32, i64) -> (i64, i32)
  %s:2 = call @mix(%c, %b, %r#0) : (i64, i32, i64) -> (i64, i32)
  return %s#1, %s#0 : i32, i64
}

// The bits of x*y+1 and of the distance of x to the nearest integer.
func.func @floats(%xb: i32, %yb: i32) -> (i32, i32, i32) {
  %one = arith.constant 1.0 : f32
  %x = arith.bitcast %xb : i32 to f32
  %y = arith.bitcast %yb : i32 to f32
  %p = arith.mulf %x, %y : f32
  %s = arith.addf %p, %one : f32
  %i = arith.fptosi %x : f32 to i32
  %f = arith.sitofp %i : i32 to f32
  %d = arith.subf %x, %f : f32
  %less = arith.cmpf olt, %x, %y : f32
  %l = arith.extui %less : i1 to i32
  %sb = arith.bitcast %s : f32 to i32
  %db = arith.bitcast %d : f32 to i32
  return %sb, %db, %l : i32, i32, i32
}
