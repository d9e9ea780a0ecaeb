"""Prints the sha256 of rotary tables computed independently of the Go code.

    python rope_golden.py > rope.golden        # needs numpy and mpmath

Every step is rounded to float32 where PyTorch rounds (the formulas are those of
transformers' modeling_rope_utils); powers, logarithms, sines and cosines are
computed with 60 digits by mpmath and rounded once.
"""
import hashlib, math
import mpmath
import numpy as np

mpmath.mp.dps = 60
f32 = np.float32


def rounded(x):
    """An mpmath number, rounded once to float32."""
    if x == 0:
        return f32(0)
    m, e = mpmath.frexp(x)
    n = m * 2**24  # |m| in [0.5, 1)
    return f32(float(mpmath.nint(n)) * 2.0 ** (e - 24)) if e > -125 else f32(float(x))


def pow32(b, e):
    return rounded(mpmath.power(mpmath.mpf(float(b)), mpmath.mpf(float(e))))


def frequencies(kind, theta, dim, positions, r):
    if kind == "dynamic":
        f = r["factor"]
        theta = theta * ((f * positions / positions) - (f - 1)) ** (dim / (dim - 2))
    if kind == "alpha":
        theta = theta * r["alpha"] ** (dim / (dim - 2))
    pos = np.array([pow32(f32(theta), f32(i) / f32(dim)) for i in range(0, dim, 2)], f32)
    inv = f32(1) / pos
    if kind == "longrope":
        inv = f32(1) / (np.array(r["factors"], f32) * pos)
    if kind == "linear":
        inv = inv / f32(r["factor"])
    if kind == "llama3":
        old, lo, hi = r["original"], r["low"], r["high"]
        wavelen = (f32(1) / inv) * f32(2 * math.pi)
        out = np.where(wavelen > f32(old / lo), inv / f32(r["factor"]), inv)
        smooth = ((f32(1) / wavelen) * f32(old) - f32(lo)) / f32(hi - lo)
        mixed = (f32(1) - smooth) * out / f32(r["factor"]) + smooth * out
        medium = ~(wavelen < f32(old / hi)) & ~(wavelen > f32(old / lo))
        inv = np.where(medium, mixed, out)
    if kind == "yarn":
        def dimension(turns):
            return (dim * math.log(r["original"] / (turns * 2 * math.pi))) / (2 * math.log(theta))
        low, high = dimension(r["fast"]), dimension(r["slow"])
        if r["truncate"]:
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, dim - 1)
        if low == high:
            high += 0.001
        ramp = np.clip((np.arange(dim // 2, dtype=f32) - f32(low)) / f32(high - low), 0, 1)
        keep = f32(1) - ramp
        inv = (f32(1) / (f32(r["factor"]) * pos)) * (f32(1) - keep) + (f32(1) / pos) * keep
    assert inv.dtype == f32
    return inv


def table(name, kind, theta, dim, positions, context, scale=1.0, sets=({},), **r):
    """The rows of each set of further parameters, one set after the other."""
    first, cos, sin = None, [], []
    for more in sets:
        inv = frequencies(kind, theta, dim, positions, {**r, **more})
        first = inv if first is None else first
        for p in range(context):
            for f in inv:
                a = mpmath.mpf(float(f * f32(p)))
                cos.append(rounded(mpmath.cos(a)) * f32(scale))
                sin.append(rounded(mpmath.sin(a)) * f32(scale))
    h = lambda a: hashlib.sha256(np.array(a, "<f4").tobytes()).hexdigest()
    print(name, h(first), h(cos), h(sin))


def mscale(factor, m):
    return 0.1 * m * math.log(factor) + 1


def query(name, beta, original, context):
    p = np.floor(np.arange(context).astype(f32) / f32(original))
    log = np.array([rounded(mpmath.log(mpmath.mpf(float(f32(1) + x)))) for x in p], f32)
    print(name, hashlib.sha256((f32(1) + f32(beta) * log).astype("<f4").tobytes()).hexdigest())


table("default", "default", 10000.0, 64, 2048, 700)
table("theta", "default", 1000000.0, 128, 32768, 200)
table("odd", "default", 640000.0, 80, 4096, 300)
table("linear", "linear", 10000.0, 16, 128, 128, factor=4.0)
table("dynamic", "dynamic", 50000000.0, 128, 32768, 200, factor=6.0)
table("dynamic23", "dynamic", 10000.0, 96, 1000, 200, factor=2.3)
table("llama3", "llama3", 500000.0, 128, 131072, 200, factor=8.0, low=1.0, high=4.0, original=8192)
table("llama3tiny", "llama3", 500000.0, 32, 128, 128, factor=8.0, low=1.0, high=4.0, original=32)
table("yarn", "yarn", 1000000.0, 128, 131072, 200, scale=0.1 * math.log(4.0) + 1, factor=4.0, original=32768, fast=32.0, slow=1.0, truncate=True)
table("yarntiny", "yarn", 10000.0, 32, 128, 128, factor=4.0, original=16, fast=32.0, slow=1.0, truncate=True)
table("yarnexact", "yarn", 150000.0, 64, 131072, 200, scale=0.1 * math.log(32.0) + 1, factor=32.0, original=4096, fast=32.0, slow=1.0, truncate=False)
table("partial", "default", 10000.0, 12, 128, 128)
table("alpha", "alpha", 10000.0, 128, 32768, 200, alpha=1000.0)
table("deepseek", "yarn", 10000.0, 64, 163840, 200, factor=40.0, original=4096, fast=32.0, slow=1.0, truncate=True)
table("mscales", "yarn", 10000.0, 64, 163840, 200, scale=mscale(40.0, 1.0) / mscale(40.0, 0.5), factor=40.0, original=4096, fast=32.0, slow=1.0, truncate=True)
short, long = {"factors": [1 + i * 0.03125 for i in range(48)]}, {"factors": [1 + i * 1.3 for i in range(48)]}
table("longrope", "longrope", 10000.0, 96, 131072, 200, scale=math.sqrt(1 + math.log(131072 / 64) / math.log(64)), sets=(short, long))
table("longshort", "longrope", 10000.0, 96, 131072, 200, scale=math.sqrt(1 + math.log(32.0) / math.log(4096)), sets=(short,))
query("query", 0.1, 16, 4096)
query("query3", 0.1, 16384, 262144)
