// SPDX-License-Identifier: Apache-2.0
// A decoder with a mixture of experts as a pipeline of processes: attention workers keep the cache,
// FFN workers the experts. README.md draws it; scripts/afd starts all of them. Without --rank the
// decoder runs in this process alone.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "pipeline.h"

namespace {

[[noreturn]] void Usage() {
  std::fprintf(stderr,
               "usage: afd_pipeline [-a ATTENTION_WORKERS] [-f FFN_WORKERS] [--steps N]\n"
               "                    [--rank RANK --root FILE] [--log]\n");
  std::exit(2);
}

// Rank 0 tells the others by a file where they meet. Whoever can read it can join.
HcclRootInfo ExchangeRootInfo(int64_t rank, const std::string& path) {
  HcclRootInfo root;
  if (rank == 0) {
    Check(HcclGetRootInfo(&root), "HcclGetRootInfo");
    std::ofstream(path + ".new", std::ios::binary).write(root.internal, sizeof(root.internal));
    if (std::rename((path + ".new").c_str(), path.c_str()) != 0) {
      std::perror(path.c_str());
      std::exit(EXIT_FAILURE);
    }
    return root;
  }
  for (int tries = 0; tries < 3000; ++tries) {
    std::ifstream file(path, std::ios::binary);
    if (file.read(root.internal, sizeof(root.internal))) return root;
    usleep(10000);
  }
  std::fprintf(stderr, "%s: rank 0 has not written it within 30 s\n", path.c_str());
  std::exit(EXIT_FAILURE);
}

// Adds up what all ranks report; rank 0 prints it.
void Report(const Pipeline& pipeline, const Figures& figures) {
  const DeviceTensor sums(ACL_FLOAT, {kFigures}, figures);
  Check(HcclAllReduce(sums.data(), sums.data(), kFigures, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM,
                      pipeline.comm, pipeline.stream),
        "HcclAllReduce");
  Check(aclrtSynchronizeStream(pipeline.stream), "aclrtSynchronizeStream after HcclAllReduce");
  if (pipeline.rank != 0) return;
  const Figures sum = sums.Download<float>();
  const double attention = static_cast<double>(pipeline.attention);
  const double ffn = static_cast<double>(pipeline.ffn);
  const double seconds = static_cast<double>(sum[kSeconds]) / attention;
  const double calls = static_cast<double>(pipeline.steps * kLayers * kMicroBatches);
  std::printf("%d attention workers, %d FFN workers: %.0f tokens in %.2f s, %.1f tokens/s\n",
              static_cast<int>(pipeline.attention), static_cast<int>(pipeline.ffn),
              static_cast<double>(sum[kTokensMade]), seconds,
              static_cast<double>(sum[kTokensMade]) / seconds);
  std::printf("milliseconds per layer and micro batch\n");
  const auto line = [&](const char* side, const char* stage, Figure figure, double workers) {
    std::printf("  %-10s %-34s %8.3f\n", side, stage,
                1000 * static_cast<double>(sum[figure]) / workers / calls);
  };
  line("attention", "attention, gate", kAttending, attention);
  line("", "AttentionToFFN", kSending, attention);
  line("", "AttentionWorkerScheduler (waiting)", kAwaiting, attention);
  line("", "AttentionWorkerCombine", kCombining, attention);
  line("FFN", "FfnWorkerScheduler (waiting)", kScheduling, ffn);
  line("", "FfnWorkerBatching", kBatching, ffn);
  line("", "experts", kComputing, ffn);
  line("", "FFNToAttention", kReturning, ffn);
}

void RunAlone(const Pipeline& pipeline) {
  for (int64_t worker = 0; worker < pipeline.attention; ++worker) {
    Clock clock;
    const std::vector<Decoded> decoded = DecodeAlone(worker, pipeline.steps, pipeline.stream);
    const double seconds = static_cast<double>(clock.Lap());
    const auto tokens = static_cast<double>(pipeline.steps * kMicroBatches * kTokens);
    std::printf("worker %d: %.0f tokens in %.2f s, %.1f tokens/s; the first sequence:",
                static_cast<int>(worker), tokens, seconds, tokens / seconds);
    for (size_t i = 0; i < decoded.size() && i < 12 * kMicroBatches; i += kMicroBatches) {
      std::printf(" %d", decoded[i].tokens[0]);
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int count, char** arguments) {
  Pipeline pipeline;
  std::string root_file;
  pipeline.rank = -1;
  for (int i = 1; i < count; ++i) {
    const std::string option = arguments[i];
    if (option == "--log") {
      pipeline.log = true;
      continue;
    }
    if (++i == count) Usage();
    const int64_t value = std::atoll(arguments[i]);
    if (option == "-a")
      pipeline.attention = value;
    else if (option == "-f")
      pipeline.ffn = value;
    else if (option == "--steps")
      pipeline.steps = value;
    else if (option == "--rank")
      pipeline.rank = value;
    else if (option == "--root")
      root_file = arguments[i];
    else
      Usage();
  }
  if (pipeline.attention < 1 || pipeline.ffn < 1 || pipeline.ffn > kRouted || pipeline.steps < 1 ||
      pipeline.rank >= pipeline.ranks() || (pipeline.rank >= 0) != !root_file.empty()) {
    Usage();
  }

  const Device device;
  pipeline.stream = device.stream();
  if (pipeline.rank < 0) {
    RunAlone(pipeline);
    return EXIT_SUCCESS;
  }

  const HcclRootInfo root = ExchangeRootInfo(pipeline.rank, root_file);
  Check(HcclCommInitRootInfo(static_cast<uint32_t>(pipeline.ranks()), &root,
                             static_cast<uint32_t>(pipeline.rank), &pipeline.comm),
        "HcclCommInitRootInfo");
  char name[COMM_NAME_MAX_LENGTH];
  Check(HcclGetCommName(pipeline.comm, name), "HcclGetCommName");
  pipeline.group = name;

  if (pipeline.rank < pipeline.attention) {
    const int64_t steps = pipeline.steps < kPeriod ? pipeline.steps : kPeriod;
    const std::vector<Decoded> alone = DecodeAlone(pipeline.rank, steps, pipeline.stream);
    Report(pipeline, RunAttentionWorker(pipeline, alone));
    std::printf("attention worker %d: %d steps of %d sequences, every bit as in one process\n",
                static_cast<int>(pipeline.rank), static_cast<int>(pipeline.steps),
                static_cast<int>(kMicroBatches * kTokens));
  } else {
    Report(pipeline, RunFfnWorker(pipeline));
  }
  Check(HcclCommDestroy(pipeline.comm), "HcclCommDestroy");
  return EXIT_SUCCESS;
}
