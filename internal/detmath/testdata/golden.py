"""Prints correctly rounded results for golden_test.go.

    python golden.py > golden.txt       # needs mpmath

Lines: function, argument bits (and the second one), result bits; float64 in 16
hexadecimal digits, float32 in 8.
"""
import random, struct
import mpmath

mpmath.mp.dps = 80
rnd = random.Random(1)


def bits(fmt, x):
    return struct.pack(">" + fmt, x).hex()


def f32(x):
    return struct.unpack(">f", struct.pack(">f", x))[0]


def round_to(x, digits):
    if x == 0:
        return 0.0
    m, e = mpmath.frexp(x)
    return mpmath.ldexp(mpmath.nint(mpmath.ldexp(m, digits)), e - digits)


def out64(name, result, *args):
    print(name, *[bits("d", a) for a in args], bits("d", float(round_to(result, 53))))


def out32(name, result, *args):
    print(name, *[bits("f", a) for a in args], bits("f", float(round_to(result, 24))))


for _ in range(120):
    x = rnd.uniform(0, 2) * 10.0 ** rnd.uniform(-300, 300)
    out64("log", mpmath.log(mpmath.mpf(x)), x)
    x = 1 + rnd.uniform(-1, 1) * 2.0 ** -rnd.randint(1, 50)
    out64("log", mpmath.log(mpmath.mpf(x)), x)
    x = rnd.uniform(-700, 700)
    out64("exp", mpmath.exp(mpmath.mpf(x)), x)
    x, y = rnd.uniform(0, 1e8), rnd.uniform(-10, 10)
    out64("pow", mpmath.power(mpmath.mpf(x), mpmath.mpf(y)), x, y)
    x, y = f32(10.0 ** rnd.uniform(0, 9)), f32(rnd.uniform(0, 1))
    out32("pow32", mpmath.power(mpmath.mpf(x), mpmath.mpf(y)), x, y)
    x = f32(float(rnd.randint(1, 100000)))
    out32("log32", mpmath.log(mpmath.mpf(x)), x)
    for scale in (1, 100, 1e4, 1e7, 1e11):
        x = f32(rnd.uniform(-1, 1) * scale)
        out32("sin", mpmath.sin(mpmath.mpf(x)), x)
        out32("cos", mpmath.cos(mpmath.mpf(x)), x)
# The float32 nearest to multiples of pi/2: what is left after reduction is small.
for k in [1, 2, 3, 4, 5, 7, 10, 11, 22, 333, 355, 710, 10000, 65535, 1 << 20, 5419351, 10838702]:
    x = f32(float(mpmath.pi / 2 * k))
    out32("sin", mpmath.sin(mpmath.mpf(x)), x)
    out32("cos", mpmath.cos(mpmath.mpf(x)), x)
for x, y in [(10000.0, 0.5), (4.0, 0.5), (2.0, 0.25), (500000.0, 0.0), (1.0, 0.7)]:
    out32("pow32", mpmath.power(mpmath.mpf(x), mpmath.mpf(y)), x, y)
