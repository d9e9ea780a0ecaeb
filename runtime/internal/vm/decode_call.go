package vm

// call decodes a call instruction. Only an import can be variadic. A yieldable
// call ends its block and names the block to go on at.
func (d *decoder) call(op opcode, start uint32) {
	callee := d.u32()
	var segments []uint16
	variadic := op == opCallVariadic || op == opCallVariadicYieldable
	if variadic {
		segments = d.list(1)
	}
	site := callSite{ops: d.list(1)}
	if op == opCallYieldable || op == opCallVariadicYieldable {
		if site.next = d.u32(); site.next&importBit != 0 {
			d.fail("a branch to %#x, which is not the start of a block", site.next)
		}
	} else {
		// Marked as an index, which link leaves alone.
		site.next = uint32(len(d.fn.code)+1) | importBit
	}
	site.results = d.list(1)
	if d.err != nil {
		return
	}
	for i, r := range site.ops {
		site.ops[i] = d.register('a', r)
	}
	var sig *signature
	if callee&importBit != 0 {
		site.callee = int(d.ordinal("import", callee&^importBit, len(d.prog.imports)))
		if d.err != nil {
			return
		}
		sig = d.prog.imports[site.callee].sig
		d.importArgs(&site, sig, segments, variadic)
		op = opCallImport
	} else {
		site.callee = int(d.ordinal("function", callee, len(d.prog.funcs)))
		if variadic {
			d.fail("a variadic call of a function of the module")
		}
		if d.err != nil {
			return
		}
		sig = d.prog.funcs[site.callee].sig
		d.functionArgs(&site, sig)
		op = opCall
	}
	d.checkKinds("result", sig.results, site.results)
	for i, r := range site.results {
		if r&regRef != 0 {
			site.results[i] = r & regOrdinal
		}
	}
	if d.err != nil {
		return
	}
	d.regs, d.imms, d.nr, d.ni = [6]uint16{}, [2]uint32{uint32(len(d.fn.calls))}, 0, 1
	d.fn.calls = append(d.fn.calls, site)
	d.emit(op, start)
}

// checkKinds checks that the registers in l hold values of the given kinds.
func (d *decoder) checkKinds(what string, kinds []Kind, l []uint16) {
	if len(l) != len(kinds) {
		d.fail("%d registers for %d %ss", len(l), len(kinds), what)
		return
	}
	for i, k := range kinds {
		d.checkKind(k, l[i])
	}
}

func (d *decoder) checkKind(k Kind, r uint16) {
	if k == KindRef {
		d.register('m', r)
	} else {
		d.register(byte(k), r)
	}
}

func (d *decoder) importArgs(site *callSite, sig *signature, segments []uint16, variadic bool) {
	if sig.variadic && !variadic {
		d.fail("a plain call of a variadic import")
		return
	}
	if len(sig.args) > 0 {
		site.args = make([]callArg, len(sig.args))
	}
	n := 0
	for i := range sig.args {
		p := &sig.args[i]
		count, fields := 1, 1
		if p.kind == kindSpan {
			// Sizes are by argument; those of other arguments mean nothing.
			if i >= len(segments) {
				d.fail("no size for the span at argument %d", i)
				return
			}
			count, fields = int(segments[i]), len(p.fields)
		}
		if n+count*fields > len(site.ops) {
			d.fail("%d operands are too few for %q", len(site.ops), sig.text)
			return
		}
		site.args[i] = callArg{uint16(n), uint16(count)}
		for range count {
			for f := range fields {
				k := p.kind
				if k == kindSpan {
					k = p.fields[f]
				}
				d.checkKind(k, site.ops[n])
				n++
			}
		}
	}
	if n != len(site.ops) {
		d.fail("%d operands for %d values of %q", len(site.ops), n, sig.text)
		return
	}
	for _, r := range site.ops {
		if r&regRef != 0 && r&regMove != 0 {
			site.moved = append(site.moved, r&regOrdinal)
		}
	}
}

// functionArgs places the arguments in the callee's registers; see registers.
func (d *decoder) functionArgs(site *callSite, sig *signature) {
	if len(site.ops) != len(sig.args) {
		d.fail("%d operands for %d arguments", len(site.ops), len(sig.args))
		return
	}
	var i32, ref uint16
	for i := range sig.args {
		k, r := sig.args[i].kind, site.ops[i]
		d.checkKind(k, r)
		switch k {
		case KindI32, KindF32:
			site.moves = append(site.moves, move{r, i32})
			i32++
		case KindI64, KindF64:
			i32 = (i32 + 1) &^ 1
			site.moves = append(site.moves, move{r, i32}, move{r + 1, i32 + 1})
			i32 += 2
		case KindRef:
			site.moves = append(site.moves, move{r, ref})
			ref++
		}
	}
}
