package native

import (
	"encoding/hex"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Machine code for tests, in Intel syntax. A dispatch is
// int f(rdi environment, rsi dispatch state, rdx workgroup state).
const (
	// binding0[x + X*(y + Y*z)]++
	codeMark = `0fb74a08     movzx ecx, word [rdx+8]
	            0faf4e10     imul  ecx, [rsi+16]
	            034a04       add   ecx, [rdx+4]
	            0faf4e0c     imul  ecx, [rsi+12]
	            030a         add   ecx, [rdx]
	            488b4620     mov   rax, [rsi+32]
	            488b00       mov   rax, [rax]
	            f0ff0488     lock inc dword [rax+4*rcx]
	            31c0         xor   eax, eax
	            c3           ret`
	// f(n): counts n down
	codeSpin = `48ffcf       dec   rdi
	            75fb         jnz   codeSpin
	            31c0         xor   eax, eax
	            c3           ret`
	// counts constant 0 down
	codeDispatchSpin = `488b4618 mov   rax, [rsi+24]
	            8b08         mov   ecx, [rax]
	            ffc9         dec   ecx
	            75fc         jnz   -2
	            31c0         xor   eax, eax
	            c3           ret`
	// returns constant 0 in workgroup x == constant 1, else 0
	codeFail = `488b4618     mov   rax, [rsi+24]
	            8b0a         mov   ecx, [rdx]
	            3b4804       cmp   ecx, [rax+4]
	            8b00         mov   eax, [rax]
	            b900000000   mov   ecx, 0
	            0f45c1       cmovne eax, ecx
	            c3           ret`
	// returns MXCSR
	codeMXCSR = `50          push  rax
	            0fae1c24     stmxcsr [rsp]
	            58           pop   rax
	            c3           ret`
	// f(n): writes to n bytes of stack, in steps of a page; returns rsp
	codeDeep = `4889e0       mov   rax, rsp
	            4889e1       mov   rcx, rsp
	            4829f9       sub   rcx, rdi
	            4881ec00100000 sub rsp, 4096
	            48c7042401000000 mov qword [rsp], 1
	            4839cc       cmp   rsp, rcx
	            77ec         ja    -20
	            4889c4       mov   rsp, rax
	            c3           ret`
	// destroys every register that a callee may, returns 7
	codeClobber = `48c7c1ffffffff mov rcx, -1
	            48c7c2ffffffff mov rdx, -1
	            48c7c6ffffffff mov rsi, -1
	            48c7c7ffffffff mov rdi, -1
	            49c7c0ffffffff mov r8, -1
	            49c7c1ffffffff mov r9, -1
	            49c7c2ffffffff mov r10, -1
	            49c7c3ffffffff mov r11, -1
	            660f76c0     pcmpeqd xmm0, xmm0
	            660f76c9     pcmpeqd xmm1, xmm1
	            66450f76f6   pcmpeqd xmm14, xmm14
	            66450f76ff   pcmpeqd xmm15, xmm15
	            b807000000   mov   eax, 7
	            c3           ret`
	// binding0[x] = 1 + sum of binding1[0..X)
	codeChain = `4c8b4620    mov   r8, [rsi+32]
	            4d8b08       mov   r9, [r8]
	            4d8b5008     mov   r10, [r8+8]
	            8b4e0c       mov   ecx, [rsi+12]
	            31c0         xor   eax, eax
	            4103448afc   add   eax, [r10+4*rcx-4]
	            ffc9         dec   ecx
	            75f7         jnz   -9
	            ffc0         inc   eax
	            8b0a         mov   ecx, [rdx]
	            41890489     mov   [r9+4*rcx], eax
	            31c0         xor   eax, eax
	            c3           ret`
	// 1 if there are less than constant 0 bytes of local memory, else writes to both its ends
	codeLocal = `488b4618    mov   rax, [rsi+24]
	            8b4a18       mov   ecx, [rdx+24]
	            3b08         cmp   ecx, [rax]
	            7213         jb    +19
	            488b4210     mov   rax, [rdx+16]
	            448b420c     mov   r8d, [rdx+12]
	            448900       mov   [rax], r8d
	            44894408fc   mov   [rax+rcx-4], r8d
	            31c0         xor   eax, eax
	            c3           ret
	            b801000000   mov   eax, 1
	            c3           ret`
)

// assemble maps the code executable and gives its address.
func assemble(t testing.TB, code string) uintptr {
	t.Helper()
	var bytes []byte
	for _, line := range strings.Split(code, "\n") {
		b, err := hex.DecodeString(strings.Fields(line)[0])
		if err != nil {
			t.Fatal(err)
		}
		bytes = append(bytes, b...)
	}
	m, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	copy(m, bytes)
	if err := unix.Mprotect(m, unix.PROT_READ|unix.PROT_EXEC); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(m) })
	return uintptr(unsafe.Pointer(&m[0]))
}
