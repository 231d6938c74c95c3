// SPDX-License-Identifier: Apache-2.0
// Attention workers, each a process, hand tokens to an FFN worker through shared memory. The FFN
// worker runs aclnnInplaceFfnWorkerScheduler and prints what each call collected; then one
// attention worker is killed, the others go on, and everything stops in order. README.md has the
// protocol.
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "../device.h"
#include "aclnnop/aclnn_ffn_worker_scheduler.h"
#include "schedule_context.h"

namespace {

constexpr WindowShape kShape = {3, 2, 2, 3};  // sessions, micro batches, tokens, experts
constexpr int32_t kLayers = 4;
constexpr int32_t kEmptyId = 2139062143;  // what the scheduler leaves in slots it has taken

// The routing of this example; a real worker takes it from its gate.
int32_t ExpertOf(uint32_t session, int32_t layer, size_t i) {
  return static_cast<int32_t>(10 * session + static_cast<uint32_t>(layer) + i % kShape.experts);
}

// One attention worker: sends micro batch after micro batch, layer after layer, until it is killed.
// It is forked before the library has started a thread, and uses nothing but memory.
[[noreturn]] void Attend(int32_t* window, uint32_t session) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // Nobody takes what it sends once the FFN worker is gone.
  for (int32_t step = 0;; ++step) {
    const uint32_t micro_batch = static_cast<uint32_t>(step) % kShape.micro_batches;
    int32_t* slot = kShape.Slot(window, session, micro_batch);
    // 1. Wait until the FFN worker has taken what was there.
    for (int looks = 0; LoadAcquire(slot) == 1; ++looks) {
      if (looks < 1000) {
        sched_yield();
      } else {
        usleep(50);
      }
    }
    // 2. Token rows (not in this example), expert ids, layer.
    const int32_t layer = step / static_cast<int32_t>(kShape.micro_batches) % kLayers;
    for (size_t i = 0; i < kShape.ids(); ++i) slot[2 + i] = ExpertOf(session, layer, i);
    slot[1] = layer;
    // 3. The flag, last.
    StoreRelease(slot, 1);
  }
}

// The FFN worker's side: the context in device memory and the buffers that it names.
class FfnWorker {
 public:
  explicit FfnWorker(int32_t* window)
      : context_(ACL_INT8, {1024}),
        layers_(ACL_INT32, {kShape.sessions}),
        sessions_(ACL_INT32, {kShape.sessions}),
        micro_batches_(ACL_INT32, {kShape.sessions}),
        experts_(ACL_INT32, {kShape.sessions, static_cast<int64_t>(kShape.ids())}) {
    ScheduleContext context;
    std::memset(&context, 0, sizeof(context));
    context.common.session_num = kShape.sessions;
    context.common.micro_batch_num = kShape.micro_batches;
    context.common.micro_batch_size = kShape.tokens;
    context.common.selected_expert_num = kShape.experts;
    context.control.run_flag = 1;
    context.ffn.token_info_buf = Address(window);
    context.ffn.token_info_buf_size = kShape.bytes();
    context.ffn.token_data_buf = Address(window);  // not read by the scheduler
    context.ffn.token_data_buf_size = kShape.bytes();
    context.ffn.layer_ids_buf = Address(layers_.data());
    context.ffn.session_ids_buf = Address(sessions_.data());
    context.ffn.micro_batch_ids_buf = Address(micro_batches_.data());
    context.ffn.layer_ids_buf_size = context.ffn.session_ids_buf_size =
        context.ffn.micro_batch_ids_buf_size = 4 * kShape.sessions;
    context.ffn.expert_ids_buf = Address(experts_.data());
    context.ffn.expert_ids_buf_size = 4 * kShape.sessions * kShape.ids();
    Check(aclrtMemcpy(context_.data(), 1024, &context, 1024, ACL_MEMCPY_HOST_TO_DEVICE),
          "aclrtMemcpy of the context");
  }

  // Queues one call; it ends when the groups that are complete have been taken.
  void Launch(int32_t sync_group_size, aclrtStream stream) {
    uint64_t workspace_size = 0;
    aclOpExecutor* executor = nullptr;
    Check(
        aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(
            const_cast<aclTensor*>(context_.get()), sync_group_size, 0, &workspace_size, &executor),
        "aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize");
    Check(aclnnInplaceFfnWorkerScheduler(nullptr, workspace_size, executor, stream),
          "aclnnInplaceFfnWorkerScheduler");
  }

  // Ends waiting calls. Not through the stream: the call that waits is in front there.
  void Stop() {
    const int32_t zero = 0;
    Check(aclrtMemcpy(static_cast<char*>(context_.data()) + offsetof(ScheduleContext, control), 4,
                      &zero, 4, ACL_MEMCPY_HOST_TO_DEVICE),
          "aclrtMemcpy of run_flag");
  }

  // Prints what the last call collected; returns the number of sessions, or -1 if ids are wrong.
  int Show(const char* what) const {
    ScheduleContext context;
    std::memcpy(&context, context_.Download<char>().data(), sizeof(context));
    const std::vector<int32_t> layers = layers_.Download<int32_t>();
    const std::vector<int32_t> sessions = sessions_.Download<int32_t>();
    const std::vector<int32_t> micro_batches = micro_batches_.Download<int32_t>();
    const std::vector<int32_t> experts = experts_.Download<int32_t>();
    std::printf("%-22s %u sessions\n", what, context.ffn.out_num);
    for (uint32_t o = 0; o < context.ffn.out_num; ++o) {
      std::printf("    session %d, micro batch %d, layer %d, experts", sessions[o],
                  micro_batches[o], layers[o]);
      for (size_t i = 0; i < kShape.ids(); ++i) {
        const int32_t expert = experts[o * kShape.ids() + i];
        std::printf(" %d", expert);
        if (expert == kEmptyId ||
            expert != ExpertOf(static_cast<uint32_t>(sessions[o]), layers[o], i)) {
          std::fprintf(stderr, "\nFAILED: unexpected expert id %d\n", expert);
          return -1;
        }
      }
      std::printf("\n");
    }
    return static_cast<int>(context.ffn.out_num);
  }

 private:
  static uint64_t Address(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

  DeviceTensor context_;
  DeviceTensor layers_, sessions_, micro_batches_, experts_;
};

bool RunWorker(int32_t* window, std::vector<pid_t>& attention) {
  const Device device;
  FfnWorker worker(window);

  // All sessions together: each call takes the next micro batch of every session.
  for (int call = 0; call < 4; ++call) {
    worker.Launch(static_cast<int32_t>(kShape.sessions), device.stream());
    Check(aclrtSynchronizeStream(device.stream()), "aclrtSynchronizeStream");
    if (worker.Show("all sessions:") != static_cast<int>(kShape.sessions)) return false;
  }

  std::printf("attention worker 2 is killed\n");
  kill(attention[2], SIGKILL);
  waitpid(attention[2], nullptr, 0);
  attention.pop_back();

  // Groups of one session: whoever is alive is served. What worker 2 had sent is still there.
  for (int call = 0; call < 4; ++call) {
    worker.Launch(1, device.stream());
    Check(aclrtSynchronizeStream(device.stream()), "aclrtSynchronizeStream");
    if (worker.Show("every one for itself:") < 1) return false;
  }

  // All together would wait for worker 2 forever; the worker is told to stop.
  int code = ACL_SUCCESS;
  while (code == ACL_SUCCESS) {
    worker.Launch(static_cast<int32_t>(kShape.sessions), device.stream());
    code = aclrtSynchronizeStreamWithTimeout(device.stream(), 200);
  }
  if (code != ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) Check(code, "aclrtSynchronizeStreamWithTimeout");
  std::printf("the FFN worker waits for session 2; it is stopped\n");
  worker.Stop();
  Check(aclrtSynchronizeStream(device.stream()), "aclrtSynchronizeStream");
  return worker.Show("after the stop:") == 0;
}

}  // namespace

int main() {
  // Fresh pages are zero: no flag is up. Processes that are not related share a file of shm_open or
  // memfd_create in the same way; each may map it at another address.
  void* memory =
      mmap(nullptr, kShape.bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return EXIT_FAILURE;
  auto* window = static_cast<int32_t*>(memory);

  std::vector<pid_t> attention;
  for (uint32_t session = 0; session < kShape.sessions; ++session) {
    const pid_t pid = fork();
    if (pid == 0) Attend(window, session);
    attention.push_back(pid);
  }
  const bool right = RunWorker(window, attention);
  for (pid_t pid : attention) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  munmap(memory, kShape.bytes());
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
