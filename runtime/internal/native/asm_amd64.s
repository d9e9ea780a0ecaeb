//go:build linux

#include "textflag.h"

// Offsets of struct command.
#define CMD_FN 0
#define CMD_ENV 8
#define CMD_STATE 16
#define CMD_GX 24
#define CMD_GY 28
#define CMD_GZ 32
#define CMD_SHARE 36
#define CMD_EXTRA 40
#define CMD_LAST 44
#define CMD_TARGET 48
#define CMD_TICKS 56
#define CMD_SIZE 64

// Offsets of struct lane.
#define LANE_CLAIMED 0
#define LANE_DONE 128
#define LANE_SIZE 256

// Offsets of struct loop.
#define LOOP_CMDS 0
#define LOOP_COUNT 8
#define LOOP_LANES 16
#define LOOP_WIDTH 24
#define LOOP_CANCEL 32
#define LOOP_STATUS 40
#define LOOP_CODE 44
#define LOOP_FAILED 48
#define LOOP_PROFILE 56

// Offsets of struct workgroupState.
#define WG_X 0
#define WG_Y 4
#define WG_Z 8
#define WG_PROCESSOR 12

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

// At the end of a phase a thread first waits for so many rounds before it looks for
// workgroups that others have not begun: that takes the line on which they claim away
// from them. PATIENCE_SINGLE is for dispatches of at most one workgroup for each
// thread. There is no such wait as long as work was found that way: then a thread is
// missing.
#define PATIENCE 32
#define PATIENCE_SINGLE 300

// The native frame, below the top of the thread's own stack.
#define FRAME 128
#define F_COUNT 0(SP)
#define F_NUMBER 8(SP)
#define F_OWN 16(SP)
#define F_ID 24(SP)
#define F_LANE 32(SP)
#define F_INDEX 40(SP)
#define F_SPINS 48(SP)
#define F_YIELDS 56(SP)
#define F_SEC 64(SP)
#define F_NSEC 72(SP)
#define F_TICKS 80(SP)
#define F_PATIENCE 88(SP)

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

// TICKS reads the time stamp counter into AX; it destroys DX.
#define TICKS \
	RDTSC; \
	SHLQ	$32, DX; \
	ORQ	DX, AX

// RECORD adds the time since F_TICKS to the command.
#define RECORD \
	TICKS; \
	MOVQ	AX, CX; \
	SUBQ	F_TICKS, CX; \
	ADDQ	CX, CMD_TICKS(R14); \
	MOVQ	AX, F_TICKS

// AHEAD fetches what the next dispatches need first. It lies behind what this one needs, and
// the weights of a step have pushed it out of the caches since the last one.
#define AHEAD \
	MOVQ	CMD_STATE(R14), AX; \
	PREFETCHT0	CMD_SIZE(R14); \
	PREFETCHT0	64(AX); \
	MOVQ	32(AX), CX; \
	PREFETCHT0	64(CX); \
	MOVQ	40(AX), CX; \
	PREFETCHT0	64(CX)

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
	TICKS
	MOVQ	AX, F_TICKS

command:
	TESTQ	BX, BX
	JZ	complete
	MOVQ	LOOP_CANCEL(R13), AX
	CMPL	(AX), $0
	JNE	stop
	AHEAD
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
	CMPQ	LOOP_PROFILE(R13), $0
	JEQ	advance
	RECORD

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
// Whoever notices the end first sets l.status. The lane is ws.processor.
TEXT ·parallelAsm(SB), NOSPLIT, $16-24
	MOVQ	l+0(FP), R13
	MOVQ	ws+8(FP), R15
	MOVQ	stack+16(FP), AX
	ENTER
	MOVQ	LOOP_CMDS(R13), R14
	MOVQ	LOOP_COUNT(R13), AX
	MOVQ	AX, F_COUNT
	MOVQ	$0, F_NUMBER
	MOVL	WG_PROCESSOR(R15), AX
	MOVQ	AX, F_ID
	IMULQ	$LANE_SIZE, AX
	ADDQ	LOOP_LANES(R13), AX
	MOVQ	AX, F_OWN
	MOVQ	$PATIENCE, F_PATIENCE
	XORL	BX, BX // workgroups completed here
	TICKS
	MOVQ	AX, F_TICKS

command:
	CMPQ	F_COUNT, $0
	JEQ	finish
	INCQ	F_NUMBER
	AHEAD
	MOVQ	F_OWN, DX
	MOVQ	F_ID, AX
	MOVQ	DX, F_LANE
	MOVQ	AX, F_INDEX

	// Workgroups of one lane, which has CX of them: DI is the next, AX what claimed
	// would be replaced.
lane:
	CMPL	LOOP_STATUS(R13), $0
	JNE	done
	MOVQ	F_LANE, DX
	MOVL	CMD_SHARE(R14), CX
	MOVL	F_INDEX, AX
	CMPL	AX, CMD_EXTRA(R14)
	ADCL	$0, CX
	MOVQ	LANE_CLAIMED(DX), AX

claim:
	MOVL	AX, DI
	MOVQ	AX, SI
	SHRQ	$32, SI
	CMPL	SI, F_NUMBER
	JEQ	begun
	JHI	exhausted // a later command: all of this one are taken
	XORL	DI, DI

begun:
	CMPL	DI, CX
	JCC	exhausted
	MOVQ	F_NUMBER, SI
	SHLQ	$32, SI
	LEAQ	1(SI)(DI*1), SI
	LOCK
	CMPXCHGQ	SI, LANE_CLAIMED(DX)
	JNE	claim
	MOVQ	F_INDEX, AX
	CMPQ	AX, F_ID
	JEQ	own
	MOVQ	$0, F_PATIENCE // its thread is not there

own:
	// Its number in the dispatch is index * share + min(index, extra) + DI.
	MOVL	F_INDEX, AX
	MOVL	CMD_EXTRA(R14), CX
	CMPL	AX, CX
	CMOVLCS	AX, CX
	IMULL	CMD_SHARE(R14), AX
	ADDL	CX, AX
	ADDL	DI, AX
	XORL	DX, DX
	CMPL	AX, CMD_GX(R14)
	JCC	divide
	MOVL	AX, WG_X(R15)
	MOVL	DX, WG_Y(R15)
	MOVW	DX, WG_Z(R15)
	JMP	run

divide:
	DIVL	CMD_GX(R14)
	MOVL	DX, WG_X(R15)
	XORL	DX, DX
	DIVL	CMD_GY(R14)
	MOVL	DX, WG_Y(R15)
	MOVW	AX, WG_Z(R15)

run:
	MOVQ	CMD_ENV(R14), DI
	MOVQ	CMD_STATE(R14), SI
	MOVQ	R15, DX
	MOVQ	CMD_FN(R14), AX
	CALL	AX
	TESTL	AX, AX
	JNZ	fail
	INCQ	BX
	JMP	lane

exhausted:
	MOVQ	F_OWN, DX
	CMPQ	BX, LANE_DONE(DX)
	JEQ	next
	SFENCE // in case a workgroup used stores that bypass the cache
	MOVQ	BX, LANE_DONE(DX)

	// The lanes of others, in a ring; first, at the end of a phase, a wait that usually
	// makes it unnecessary to look at them.
next:
	MOVQ	F_INDEX, AX
	CMPQ	AX, F_ID
	JNE	another
	CMPL	CMD_LAST(R14), $0
	JEQ	another
	MOVQ	F_PATIENCE, AX
	TESTQ	AX, AX
	JZ	another
	CMPL	CMD_SHARE(R14), $1
	JA	patient
	MOVQ	$PATIENCE_SINGLE, AX

patient:
	MOVQ	AX, F_SPINS
	MOVQ	$0, F_YIELDS
	JMP	wait

another:
	MOVQ	F_INDEX, AX
	MOVQ	F_LANE, DX
	INCQ	AX
	ADDQ	$LANE_SIZE, DX
	CMPQ	AX, LOOP_WIDTH(R13)
	JCS	inside
	XORL	AX, AX
	MOVQ	LOOP_LANES(R13), DX

inside:
	MOVQ	AX, F_INDEX
	MOVQ	DX, F_LANE
	CMPQ	AX, F_ID
	JNE	lane
	MOVQ	$PATIENCE, F_PATIENCE // there is nothing to help with: the others are at work
	CMPL	CMD_LAST(R14), $0
	JEQ	advance

	// The end of a phase: wait for what others have taken.
	MOVQ	$SPINS, F_SPINS
	MOVQ	$YIELDS, F_YIELDS

wait:
	MOVQ	LOOP_LANES(R13), DX
	MOVQ	LOOP_WIDTH(R13), CX
	XORL	AX, AX

sum:
	ADDQ	LANE_DONE(DX), AX
	ADDQ	$LANE_SIZE, DX
	DECQ	CX
	JNZ	sum
	CMPQ	AX, CMD_TARGET(R14)
	JCC	complete
	CMPL	LOOP_STATUS(R13), $0
	JNE	done
	PAUSE
	DECQ	F_SPINS
	JNZ	wait
	CMPQ	F_YIELDS, $0
	JEQ	another
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
	MOVQ	LOOP_CANCEL(R13), AX
	CMPL	(AX), $0
	JNE	stop

advance:
	CMPQ	LOOP_PROFILE(R13), $0
	JNE	record

recorded:
	ADDQ	$CMD_SIZE, R14
	DECQ	F_COUNT
	JMP	command

record:
	CMPQ	F_ID, $0
	JNE	recorded // only the caller's time counts
	RECORD
	JMP	recorded

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

// func readFunction() uintptr
TEXT ·readFunction(SB), NOSPLIT, $0-8
	LEAQ	·readPiece(SB), AX
	MOVQ	AX, ret+0(FP)
	RET

// func readPiece()
// A dispatch: int f(DI environment, SI dispatch state, DX workgroup state). Workgroup x
// reads piece x of binding 0, of constant 0 bytes. One core gets no more out of memory
// by wider loads.
TEXT ·readPiece(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ	24(SI), AX
	MOVL	(AX), CX
	MOVQ	32(SI), AX
	MOVQ	(AX), AX
	MOVL	WG_X(DX), DX
	IMULQ	CX, DX
	ADDQ	DX, AX
	PXOR	X0, X0
	PXOR	X1, X1

line:
	PREFETCHT0	4096(AX)
	PREFETCHT0	4160(AX)
	POR	(AX), X0
	POR	16(AX), X1
	POR	32(AX), X0
	POR	48(AX), X1
	POR	64(AX), X0
	POR	80(AX), X1
	POR	96(AX), X0
	POR	112(AX), X1
	ADDQ	$128, AX
	SUBQ	$128, CX
	JNZ	line
	XORL	AX, AX
	RET
