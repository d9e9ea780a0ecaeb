//go:build linux

#include "textflag.h"

// Offsets of struct command.
#define CMD_FN 0
#define CMD_ENV 8
#define CMD_STATE 16
#define CMD_NEXT 24
#define CMD_TOTAL 32
#define CMD_GX 40
#define CMD_GY 44
#define CMD_GZ 48
#define CMD_LAST 52
#define CMD_SIZE 64

// Offsets of struct loop.
#define LOOP_CMDS 0
#define LOOP_COUNT 8
#define LOOP_PHASES 16
#define LOOP_CANCEL 24
#define LOOP_STATUS 32
#define LOOP_CODE 36
#define LOOP_FAILED 40

// Offsets of struct workgroupState.
#define WG_X 0
#define WG_Y 4
#define WG_Z 8

// Flush to zero (bit 15) and denormals are zero (bit 6).
#define MXCSR_FLUSH 0x8040

#define SYS_sched_yield 24
#define SYS_nanosleep 35

// How a thread waits for workgroups that others have taken: SPINS rounds of
// PAUSE (3 to 45 microseconds, depending on the processor), then YIELDS times
// sched_yield with a few rounds between, which lets a descheduled thread finish
// on this core, then sleeps of 50 microseconds.
#define SPINS 1000
#define SPINS_AFTER_YIELD 50
#define YIELDS 200
#define SLEEP_NS 50000

// The native frame, below the top of the thread's own stack.
#define FRAME 64
#define F_COUNT 0(SP)
#define F_PHASE 8(SP)
#define F_SPINS 16(SP)
#define F_YIELDS 24(SP)
#define F_SEC 32(SP)
#define F_NSEC 40(SP)

// Registers that System V callees preserve, so that they live across calls:
// R12 the Go stack pointer, R13 the loop, R14 the command, R15 the workgroup
// state, BX a count. Go's assembler owns BP. R14 is Go's g elsewhere: the
// wrapper of an ABI0 function restores it.

// ENTER saves MXCSR, sets it to flush denormals, and switches to the stack in AX.
#define ENTER \
	STMXCSR	0(SP); \
	MOVL	0(SP), CX; \
	ORL	$MXCSR_FLUSH, CX; \
	MOVL	CX, 4(SP); \
	LDMXCSR	4(SP); \
	MOVQ	SP, R12; \
	MOVQ	AX, SP; \
	SUBQ	$FRAME, SP; \
	CLD

#define LEAVE \
	MOVQ	R12, SP; \
	LDMXCSR	0(SP)

// func callAsm(fn, a0, a1, a2, stack uintptr) uintptr
TEXT ·callAsm(SB), NOSPLIT, $16-48
	MOVQ	stack+32(FP), AX
	MOVQ	fn+0(FP), R14
	MOVQ	a0+8(FP), DI
	MOVQ	a1+16(FP), SI
	MOVQ	a2+24(FP), DX
	ENTER
	CALL	R14
	LEAVE
	MOVQ	AX, ret+40(FP)
	RET

// func serialAsm(l *loop, ws, stack uintptr)
// Runs all commands on this thread and sets l.status to how that ended.
TEXT ·serialAsm(SB), NOSPLIT, $16-24
	MOVQ	l+0(FP), R13
	MOVQ	ws+8(FP), R15
	MOVQ	stack+16(FP), AX
	ENTER
	MOVQ	LOOP_CMDS(R13), R14
	MOVQ	LOOP_COUNT(R13), BX

command:
	TESTQ	BX, BX
	JZ	complete
	MOVQ	LOOP_CANCEL(R13), AX
	CMPL	(AX), $0
	JNE	stop
	CMPQ	CMD_TOTAL(R14), $0
	JEQ	advance
	MOVL	$0, WG_X(R15)
	MOVL	$0, WG_Y(R15)
	MOVW	$0, WG_Z(R15)

workgroup:
	MOVQ	CMD_ENV(R14), DI
	MOVQ	CMD_STATE(R14), SI
	MOVQ	R15, DX
	MOVQ	CMD_FN(R14), AX
	CALL	AX
	TESTL	AX, AX
	JNZ	fail
	MOVL	WG_X(R15), AX
	INCL	AX
	MOVL	AX, WG_X(R15)
	CMPL	AX, CMD_GX(R14)
	JCS	workgroup
	MOVL	$0, WG_X(R15)
	MOVL	WG_Y(R15), AX
	INCL	AX
	MOVL	AX, WG_Y(R15)
	CMPL	AX, CMD_GY(R14)
	JCS	workgroup
	MOVL	$0, WG_Y(R15)
	MOVWLZX	WG_Z(R15), AX
	INCL	AX
	MOVW	AX, WG_Z(R15)
	CMPL	AX, CMD_GZ(R14)
	JCS	workgroup

advance:
	ADDQ	$CMD_SIZE, R14
	DECQ	BX
	JMP	command

complete:
	MOVL	$3, LOOP_STATUS(R13) // finished
	JMP	done

stop:
	MOVL	$1, LOOP_STATUS(R13) // cancelled
	JMP	done

fail:
	MOVL	AX, LOOP_CODE(R13)
	MOVQ	R14, LOOP_FAILED(R13)
	MOVL	$2, LOOP_STATUS(R13) // failed

done:
	LEAVE
	RET

// func parallelAsm(l *loop, ws, stack uintptr)
// Takes part in l until its commands are complete or l.status says to leave.
// Whoever notices the end first sets l.status.
TEXT ·parallelAsm(SB), NOSPLIT, $16-24
	MOVQ	l+0(FP), R13
	MOVQ	ws+8(FP), R15
	MOVQ	stack+16(FP), AX
	ENTER
	MOVQ	LOOP_CMDS(R13), R14
	MOVQ	LOOP_COUNT(R13), AX
	MOVQ	AX, F_COUNT
	MOVQ	LOOP_PHASES(R13), AX
	MOVQ	AX, F_PHASE
	XORL	BX, BX // workgroups completed here in this phase

command:
	CMPQ	F_COUNT, $0
	JEQ	finish

workgroup:
	CMPL	LOOP_STATUS(R13), $0
	JNE	done
	// Look before taking: a late thread would else fight for lines that are used up.
	MOVQ	CMD_NEXT(R14), AX
	CMPQ	AX, CMD_TOTAL(R14)
	JCC	exhausted
	MOVL	$1, AX
	LOCK
	XADDQ	AX, CMD_NEXT(R14)
	CMPQ	AX, CMD_TOTAL(R14)
	JCC	exhausted
	XORL	DX, DX
	DIVL	CMD_GX(R14)
	MOVL	DX, WG_X(R15)
	XORL	DX, DX
	DIVL	CMD_GY(R14)
	MOVL	DX, WG_Y(R15)
	MOVW	AX, WG_Z(R15)
	MOVQ	CMD_ENV(R14), DI
	MOVQ	CMD_STATE(R14), SI
	MOVQ	R15, DX
	MOVQ	CMD_FN(R14), AX
	CALL	AX
	TESTL	AX, AX
	JNZ	fail
	INCQ	BX
	JMP	workgroup

exhausted:
	CMPL	CMD_LAST(R14), $0
	JEQ	advance

	// The end of a phase: report, then wait for what others have taken.
	MOVQ	F_PHASE, DX
	TESTQ	BX, BX
	JZ	reported
	LOCK
	XADDQ	BX, 0(DX)
	XORL	BX, BX

reported:
	MOVQ	$SPINS, F_SPINS
	MOVQ	$YIELDS, F_YIELDS

wait:
	MOVQ	F_PHASE, DX
	MOVQ	0(DX), AX
	CMPQ	AX, 8(DX)
	JCC	complete
	CMPL	LOOP_STATUS(R13), $0
	JNE	done
	PAUSE
	DECQ	F_SPINS
	JNZ	wait
	DECQ	F_YIELDS
	JZ	sleep
	MOVQ	$SPINS_AFTER_YIELD, F_SPINS
	MOVL	$SYS_sched_yield, AX
	SYSCALL
	JMP	wait

sleep:
	MOVQ	$1, F_YIELDS
	MOVQ	$SPINS_AFTER_YIELD, F_SPINS
	MOVQ	$0, F_SEC
	MOVQ	$SLEEP_NS, F_NSEC
	LEAQ	F_SEC, DI
	XORL	SI, SI
	MOVL	$SYS_nanosleep, AX
	SYSCALL
	JMP	wait

complete:
	ADDQ	$16, DX
	MOVQ	DX, F_PHASE
	MOVQ	LOOP_CANCEL(R13), AX
	CMPL	(AX), $0
	JNE	stop

advance:
	ADDQ	$CMD_SIZE, R14
	DECQ	F_COUNT
	JMP	command

finish:
	MOVL	$3, CX // finished
	JMP	settle

stop:
	MOVL	$1, CX // cancelled

settle:
	XORL	AX, AX // unless there is a status already
	LOCK
	CMPXCHGL	CX, LOOP_STATUS(R13)
	JMP	done

fail:
	MOVL	AX, DX
	XORL	AX, AX
	MOVL	$2, CX // failed; the first to fail tells how
	LOCK
	CMPXCHGL	CX, LOOP_STATUS(R13)
	JNE	done
	MOVL	DX, LOOP_CODE(R13)
	MOVQ	R14, LOOP_FAILED(R13)

done:
	LEAVE
	RET

// func pause()
TEXT ·pause(SB), NOSPLIT, $0-0
	MOVL	$20, AX

again:
	PAUSE
	DECL	AX
	JNZ	again
	RET
