// Perplexity of given tokens under llama.cpp, scored exactly as `hlocc eval --text` does it (internal/evaluate/perplexity.go): windows
// that start half a window apart, each a sequence of its own without any token before it; a token is scored once, by the first
// window that reaches it; nothing predicts the first. llama-perplexity drops what is left at the end of a text, scores only the
// last tokens of its first window and tokenizes by itself, so its figure is of other tokens.
//
//     score-tokens MODEL.gguf THREADS WINDOW < TOKENS     (decimal numbers; anything else separates them)
#include "llama.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static double neg_log_prob(const float * logits, int n, llama_token token) {
    const double highest = *std::max_element(logits, logits + n);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += std::exp(double(logits[i]) - highest);
    }
    return highest + std::log(sum) - double(logits[token]);
}

static std::vector<llama_token> read_tokens(FILE * f) {
    std::vector<llama_token> tokens;
    bool inside = false;
    for (int c; (c = getc(f)) != EOF;) {
        if (c < '0' || c > '9') {
            inside = false;
            continue;
        }
        if (!inside) {
            tokens.push_back(0);
        }
        inside = true;
        tokens.back() = tokens.back() * 10 + (c - '0');
    }
    return tokens;
}

static void errors_only(ggml_log_level level, const char * text, void *) {
    if (level == GGML_LOG_LEVEL_ERROR) {
        fputs(text, stderr);
    }
}

int main(int argc, char ** argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: score-tokens MODEL.gguf THREADS WINDOW < TOKENS\n");
        return 2;
    }
    const int threads = atoi(argv[2]), window = atoi(argv[3]);
    const std::vector<llama_token> tokens = read_tokens(stdin);
    llama_log_set(errors_only, nullptr);
    llama_backend_init();
    llama_model * model = llama_model_load_from_file(argv[1], llama_model_default_params());
    if (!model) {
        fprintf(stderr, "score-tokens: cannot load %s\n", argv[1]);
        return 1;
    }
    const int n_vocab = llama_vocab_n_tokens(llama_model_get_vocab(model));
    const bool known = std::all_of(tokens.begin(), tokens.end(), [&](llama_token t) { return t >= 0 && t < n_vocab; });
    if (threads < 1 || window < 2 || tokens.size() < 2 || !known) {
        fprintf(stderr, "score-tokens: wants 1 thread, a window of 2 and 2 tokens at least, all below %d\n", n_vocab);
        return 1;
    }
    const int chunk = 256; // logits of so many positions are kept at once
    llama_context_params params = llama_context_default_params();
    params.n_ctx = window;
    params.n_batch = params.n_ubatch = chunk;
    params.n_threads = params.n_threads_batch = threads;
    llama_context * ctx = llama_init_from_model(model, params);
    if (!ctx) {
        fprintf(stderr, "score-tokens: cannot create a context of %d tokens\n", window);
        return 1;
    }
    llama_batch batch = llama_batch_init(chunk, 0, 1);
    const size_t stride = std::max(1, window / 2);
    size_t scored = 1, count = 0; // tokens before `scored` have been scored
    double sum = 0;
    for (size_t start = 0; scored < tokens.size(); start += stride) {
        llama_memory_clear(llama_get_memory(ctx), true);
        const size_t last = std::min(start + window, tokens.size()) - 1; // predicted, not run
        for (size_t begin = start; begin < last; begin += chunk) {
            batch.n_tokens = int(std::min(size_t(chunk), last - begin));
            for (int i = 0; i < batch.n_tokens; i++) {
                batch.token[i] = tokens[begin + i];
                batch.pos[i] = llama_pos(begin + i - start);
                batch.n_seq_id[i] = 1;
                batch.seq_id[i][0] = 0;
                batch.logits[i] = begin + i + 1 >= scored;
            }
            if (llama_decode(ctx, batch) != 0) {
                fprintf(stderr, "score-tokens: llama_decode failed at token %zu\n", begin);
                return 1;
            }
            for (int i = 0; i < batch.n_tokens; i++) {
                if (batch.logits[i]) {
                    sum += neg_log_prob(llama_get_logits_ith(ctx, i), n_vocab, tokens[begin + i + 1]);
                    count++;
                }
            }
        }
        scored = last + 1;
    }
    printf("{\"perplexity\": %.6f, \"nll\": %.8f, \"tokens_scored\": %zu, \"tokens\": %zu, \"window\": %d}\n",
           std::exp(sum / count), sum / count, count, tokens.size(), window);
    llama_batch_free(batch);
    llama_free(ctx);
    llama_model_free(model);
    llama_backend_free();
}
