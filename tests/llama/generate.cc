// SPDX-License-Identifier: Apache-2.0
// Text by a model, through llama.cpp's own interface: the mean surprise of a given text, and how
// the most likely tokens continue several sequences, each with its lead over the second likely one.
// usage: generate MODEL device|cpu auto|on|off SEQUENCES TOKENS TEXT_FILE
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "llama.h"

namespace {

[[noreturn]] void Die(const char* what) {
  std::fprintf(stderr, "generate: %s\n", what);
  std::exit(1);
}

// Only what went wrong.
void Log(ggml_log_level level, const char* text, void*) {
  if (level >= GGML_LOG_LEVEL_ERROR) std::fputs(text, stderr);
}

std::vector<llama_token> Tokens(const llama_vocab* vocab, const std::string& text) {
  std::vector<llama_token> tokens(text.size() + 8);
  const int count = llama_tokenize(vocab, text.data(), static_cast<int>(text.size()), tokens.data(),
                                   static_cast<int>(tokens.size()), true, false);
  if (count < 0) Die("the text has too many tokens");
  tokens.resize(static_cast<size_t>(count));
  return tokens;
}

class Batch {
 public:
  explicit Batch(int most) : batch_(llama_batch_init(most, 0, 1)) {}
  ~Batch() { llama_batch_free(batch_); }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  void Add(llama_token token, int position, int sequence, bool wanted) {
    const int i = batch_.n_tokens++;
    batch_.token[i] = token;
    batch_.pos[i] = position;
    batch_.n_seq_id[i] = 1;
    batch_.seq_id[i][0] = sequence;
    batch_.logits[i] = wanted;
  }
  void Decode(llama_context* context) {
    if (llama_decode(context, batch_) != 0) Die("llama_decode failed");
    batch_.n_tokens = 0;
  }
  int size() const { return batch_.n_tokens; }

 private:
  llama_batch batch_;
};

double Surprise(const float* logits, int vocabulary, llama_token token) {
  const double largest = *std::max_element(logits, logits + vocabulary);
  double sum = 0;
  for (int i = 0; i < vocabulary; ++i) sum += std::exp(static_cast<double>(logits[i]) - largest);
  return std::log(sum) + largest - static_cast<double>(logits[token]);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 7) Die("usage: MODEL device|cpu auto|on|off SEQUENCES TOKENS TEXT_FILE");
  const bool on_device = std::strcmp(arguments[2], "device") == 0;
  const int sequences = std::atoi(arguments[4]), wanted = std::atoi(arguments[5]);
  llama_log_set(Log, nullptr);
  llama_backend_init();
  llama_model_params model_params = llama_model_default_params();
  ggml_backend_dev_t none[] = {nullptr};
  model_params.n_gpu_layers = on_device ? 99 : 0;
  if (!on_device) {
    model_params.devices = none;
    model_params.use_extra_bufts = false;  // ggml's AMX kernels crash on some virtual machines
  }
  llama_model* model = llama_model_load_from_file(arguments[1], model_params);
  if (model == nullptr) Die("the model cannot be loaded");
  const llama_vocab* vocab = llama_model_get_vocab(model);
  const int vocabulary = llama_vocab_n_tokens(vocab);
  std::ifstream file(arguments[6]);
  std::stringstream text;
  text << file.rdbuf();
  std::vector<llama_token> tokens = Tokens(vocab, text.str());

  constexpr int kContext = 128, kPrompt = 24;
  if (tokens.size() < static_cast<size_t>(std::max(kContext, sequences * kPrompt))) {
    Die("the text is too short");
  }
  llama_context_params params = llama_context_default_params();
  params.n_ctx = static_cast<uint32_t>(kContext * std::max(1, sequences));
  params.n_batch = params.n_ubatch = params.n_ctx;
  params.n_seq_max = static_cast<uint32_t>(sequences);
  params.kv_unified = true;
  params.flash_attn_type = std::strcmp(arguments[3], "auto") == 0 ? LLAMA_FLASH_ATTN_TYPE_AUTO
                           : std::strcmp(arguments[3], "on") == 0 ? LLAMA_FLASH_ATTN_TYPE_ENABLED
                                                                  : LLAMA_FLASH_ATTN_TYPE_DISABLED;
  llama_context* context = llama_init_from_model(model, params);
  if (context == nullptr) Die("there is no context");

  Batch batch(kContext * std::max(1, sequences));
  for (int i = 0; i < kContext; ++i) batch.Add(tokens[static_cast<size_t>(i)], i, 0, true);
  batch.Decode(context);
  double sum = 0;
  for (int i = 0; i + 1 < kContext; ++i) {
    sum +=
        Surprise(llama_get_logits_ith(context, i), vocabulary, tokens[static_cast<size_t>(i) + 1]);
  }
  std::printf("surprise %.9g\n", sum / (kContext - 1));
  llama_memory_clear(llama_get_memory(context), true);

  // Each sequence begins elsewhere in the text; all go on together.
  for (int s = 0; s < sequences; ++s) {
    for (int i = 0; i < kPrompt; ++i) {
      batch.Add(tokens[static_cast<size_t>(s * kPrompt + i)], i, s, i + 1 == kPrompt);
    }
  }
  struct Word {
    llama_token token;
    float lead;
  };
  std::vector<std::vector<Word>> said(static_cast<size_t>(sequences));
  for (int step = 0; step < wanted; ++step) {
    batch.Decode(context);
    for (int s = 0; s < sequences; ++s) {
      const int at = step == 0 ? s * kPrompt + kPrompt - 1 : s;
      const float* logits = llama_get_logits_ith(context, at);
      const float* best = std::max_element(logits, logits + vocabulary);
      float second = -INFINITY;
      for (int i = 0; i < vocabulary; ++i) {
        if (logits + i != best) second = std::max(second, logits[i]);
      }
      const auto token = static_cast<llama_token>(best - logits);
      said[static_cast<size_t>(s)].push_back({token, *best - second});
      batch.Add(token, kPrompt + step, s, true);
    }
  }
  for (const std::vector<Word>& sequence : said) {
    std::printf("tokens");
    for (const Word& word : sequence) std::printf(" %d:%.4f", word.token, word.lead);
    std::printf("\n");
  }
  llama_free(context);
  llama_model_free(model);
  llama_backend_free();
}
