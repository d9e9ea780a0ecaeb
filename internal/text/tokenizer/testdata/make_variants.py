"""Makes variants.json with Hugging Face tokenizers: python make_variants.py variants.json"""
import json, random, sys
import tokenizers
from tokenizers import Tokenizer, models, trainers, pre_tokenizers
corpus = ["the quick brown fox jumps over the lazy dog, then the dog sleeps", "hello hello world, it's we've they'll I'm don't",
  "def f(x):\n    return x ** 2  # squared\n", "12 345 6789 1,000.50", "Ünïcödé wörds, naïve café 東京 東京 Привет привет 🙂🙂", "aaaa aaaaaaaa abab abababab"]*3
t = Tokenizer(models.BPE()); t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
t.train_from_iterator(corpus, trainers.BpeTrainer(vocab_size=360, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
base = json.loads(t.to_str())["model"]
N = len(base["vocab"])
merges = base["merges"]
BL = dict(type="ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=True)
DEC = dict(type="ByteLevel", add_prefix_space=True, trim_offsets=True, use_regex=True)
def tok(i, c, **k):
    x = dict(id=N+i, content=c, single_word=False, lstrip=False, rstrip=False, normalized=False, special=True); x.update(k); return x
def seq(*p): return dict(type="Sequence", pretokenizers=list(p))
def digits(b): return dict(type="Digits", individual_digits=b)
def tmpl(single, st): return dict(type="TemplateProcessing", single=single, pair=[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":1}}], special_tokens={k:dict(id=k,ids=v,tokens=[k]*len(v)) for k,v in st.items()})
S = lambda x: {"SpecialToken":{"id":x,"type_id":0}}
A = {"Sequence":{"id":"A","type_id":0}}
cut = dict(base["vocab"])
for b in ("Q", "z", "ð", "Ķ"): del cut[b]
cutm = [m for m in merges if all(p in cut for p in m) and m[0]+m[1] in cut]
specials = [tok(0,"<s>"), tok(1,"</s>"), tok(2,"<|end|>")]
variants = {
 "plain": {},
 "merges_as_strings": dict(model=dict(merges=[" ".join(m) for m in merges])),
 "specials": dict(added_tokens=specials),
 "lstrip": dict(added_tokens=[tok(0,"<m>",lstrip=True), tok(1,"<n>")]),
 "rstrip": dict(added_tokens=[tok(0,"<m>",rstrip=True), tok(1,"<n>"), tok(2," <o>")]),
 "strip_both": dict(added_tokens=[tok(0,"<m>",rstrip=True,lstrip=True), tok(1,"<n>",lstrip=True,special=False)]),
 "single_word": dict(added_tokens=[tok(0,"fox",single_word=True,special=False), tok(1,"<m>",single_word=True), tok(2,"é",single_word=True,lstrip=True,rstrip=True)]),
 "normalized": dict(added_tokens=[tok(0,"<m>",normalized=True), tok(1,"<m><m>"), tok(2,"m><",special=False), tok(3,"ox",normalized=True,special=False,single_word=True)]),
 "longest": dict(added_tokens=[tok(0,"<a"), tok(1,"<ab>"), tok(2,"ab>cd"), tok(3,"b"), tok(4,"<a<a<b>")]),
 "in_vocab": dict(added_tokens=[tok(base["vocab"]["a"]-N,"a",special=False), tok(0,"two words"), tok(1,"Ġ"), tok(2,"Ġ Ġ")]),
 "prefix_space": dict(pre_tokenizer=dict(BL,add_prefix_space=True), added_tokens=specials),
 "no_regex": dict(pre_tokenizer=dict(BL,use_regex=False)),
 "no_regex_prefix": dict(pre_tokenizer=seq(digits(True),dict(BL,use_regex=False,add_prefix_space=True))),
 "digits_each": dict(pre_tokenizer=seq(digits(True),BL)),
 "digits_runs": dict(pre_tokenizer=seq(digits(False),BL)),
 "digits_twice": dict(pre_tokenizer=seq(digits(False),seq(digits(True),BL))),
 "ignore_merges": dict(model=dict(ignore_merges=True, merges=merges[::2])),
 "same_result": dict(model=dict(merges=merges[:40] + [["a","b"],["b","a"],["ab","a"],["a","ba"],["aba","b"],["ab","ab"]], vocab={**{k:v for k,v in base["vocab"].items()}, **{x:N+i for i,x in enumerate(y for y in ["ab","ba","aba","abab"] if y not in base["vocab"])}})),
 "missing_bytes": dict(model=dict(vocab=cut, merges=cutm)),
 "unk": dict(model=dict(vocab=cut, merges=cutm, unk_token="e")),
 "unk_fused": dict(model=dict(vocab=cut, merges=cutm, unk_token="e", fuse_unk=True)),
 "template": dict(added_tokens=specials, post_processor=tmpl([S("<s>"),A,S("</s>")],{"<s>":[N],"</s>":[N+1,N+2]})),
 "template_sequence": dict(added_tokens=specials, post_processor=dict(type="Sequence",processors=[dict(DEC,trim_offsets=False),tmpl([S("<s>"),A],{"<s>":[N]}),DEC])),
}
r = random.Random(7)
atoms = ["a","b","ab","aba","e","é","e\u0301","東京","🙂","Q","z"," ","  ","\n","\t","\u00a0","\u2003","\r\n","1","22","٣","½","²","'s","'S","'ll","'","’s","<m>","<n>"," <o>","<s>","</s>","<|end|>","<a","<ab>","<ab>cd","<a<a<b>","m><","fox","ox","fox_","two words","Ġ","Ġ Ġ","hello"," world","!","...","_","\x00","\x85","\u200b","\U000e0001","\U00011de3","ﬁ","don't","The quick"," the"]
texts = ["", " ", "<m>", "  <m>  ", "x<m> y", "x <m><n> y", " <n> <m>   <m>", "fox", "foxy fox foxé fox", "a<s>b</s>", "<m><m><m>", "<a<a<a<ab>cd<a<a<b>", "abababababab bababa", "12 ab34\n56", "two words  Ġ Ġ", "\ufeffx", "it's 'tis we'll 'S"]
texts += ["".join(r.choice(atoms) for _ in range(r.randint(1, 14))) for _ in range(80)]
out = dict(made_with="tokenizers " + tokenizers.__version__, model=base, texts=texts, variants=[])
for name, v in variants.items():
    have = {**base, **v.get("model", {})}["vocab"]; nxt = len(have)
    for a in v.get("added_tokens", []):
        if a["content"] in have: a["id"] = have[a["content"]]
        else: a["id"] = nxt; nxt += 1
    d = dict(version="1.0", truncation=None, padding=None, added_tokens=[], normalizer=None, pre_tokenizer=BL, post_processor=None, decoder=DEC)
    d.update({k: x for k, x in v.items() if k != "model"})
    d["model"] = {**base, **v.get("model", {})}
    t = Tokenizer.from_str(json.dumps(d))
    cases = []
    for s in texts:
        ids = t.encode(s, add_special_tokens=False).ids
        c = dict(ids=ids)
        sp = t.encode(s).ids
        if sp != ids: c["special"] = sp
        for key, skip in (("decoded", False), ("skipped", True)):
            x = t.decode(ids, skip_special_tokens=skip)
            if x != s: c[key] = x
        cases.append(c)
    out["variants"].append(dict(name=name, set=v, cases=cases))
# decoding of ids that are not text
t = Tokenizer.from_str(json.dumps(dict(version="1.0", truncation=None, padding=None, added_tokens=[], normalizer=None, pre_tokenizer=BL, post_processor=None, decoder=DEC, model=base)))
rnd = []
hi = [base["vocab"][c] for c in pre_tokenizers.ByteLevel.alphabet() if c in base["vocab"] and ord(c) > 126]
hi.sort()
for _ in range(200):
    ids = [r.choice(hi) if r.random() < .8 else r.randrange(N+3) for _ in range(r.randint(1, 12))]
    rnd.append(dict(ids=ids, text=t.decode(ids)))
out["decode"] = rnd
json.dump(out, open(sys.argv[1], "w"), ensure_ascii=True, separators=(",", ":"))
