// SPDX-License-Identifier: Apache-2.0
#include "hccl/group.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "hccl/result.h"

namespace anyacl::hccl {
namespace {

struct Submission {
  std::shared_ptr<Communicator> communicator;
  aclrtStream stream;
  Work work;
};

struct Creation {
  int32_t device;
  std::function<Status()> make;
};

struct Group {
  int depth = 0;
  std::vector<Creation> creations;
  std::vector<Submission> submissions;
};

thread_local Group t_group;

Status Create(const std::vector<Creation>& creations) {
  std::vector<int> codes(creations.size());
  std::vector<std::string> messages(creations.size());
  std::vector<std::jthread> threads;
  for (size_t i = 0; i < creations.size(); ++i) {
    threads.emplace_back([&, i] {
      codes[i] = Entry("HcclGroupEnd", [&] {
        const int code = aclrtSetDevice(creations[i].device);
        return code == ACL_SUCCESS ? creations[i].make() : Replay(code);
      });
      if (codes[i] == 0) return;
      const char* text = aclGetRecentErrMsg();
      if (text != nullptr) messages[i] = text;
    });
  }
  for (std::jthread& thread : threads) thread.join();
  for (size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] != 0) return Fail(codes[i], "{}", messages[i]);
  }
  return {};
}

}  // namespace

void StartGroup() { ++t_group.depth; }

bool InGroup() { return t_group.depth > 0; }

void DropGroup() { t_group = {}; }

Status EndGroup() {
  if (t_group.depth == 0) return Fail(HCCL_E_PARA, "no HcclGroupStart went before");
  if (--t_group.depth > 0) return {};
  Group group = std::exchange(t_group, {});
  if (!group.creations.empty()) {
    if (const Status status = Create(group.creations); !status.ok()) return status;
  }
  Status first;
  aclrtContext current = nullptr;
  const bool has_current = aclrtGetCurrentContext(&current) == ACL_SUCCESS;
  for (Submission& one : group.submissions) {
    // A stream is used with its device's context.
    const int code = aclrtSetDevice(one.communicator->device());
    const Status status = code == ACL_SUCCESS
                              ? one.communicator->Submit(std::move(one.work), one.stream)
                              : Replay(code);
    if (first.ok()) first = status;
  }
  if (has_current) static_cast<void>(aclrtSetCurrentContext(current));
  return first;
}

Status Submit(const std::shared_ptr<Communicator>& communicator, Work work, aclrtStream stream) {
  if (!InGroup()) return communicator->Submit(std::move(work), stream);
  auto& submissions = t_group.submissions;
  if (!submissions.empty() &&
      (submissions.front().work.collective == nullptr) != (work.collective == nullptr)) {
    return Fail(HCCL_E_NOT_SUPPORT,
                "the group holds {}: expected collectives alone, or messages of pairs alone",
                submissions.front().work.call.Text());
  }
  if (!work.collective) {
    const auto same =
        std::find_if(submissions.begin(), submissions.end(), [&](const Submission& one) {
          return one.communicator == communicator && one.stream == stream && !one.work.collective;
        });
    if (same != submissions.end()) {
      auto& pairs = same->work.pairs;
      pairs.insert(pairs.end(), work.pairs.begin(), work.pairs.end());
      same->work.call = {.api = "HcclGroupEnd", .count = pairs.size()};
      return {};
    }
  }
  submissions.push_back({communicator, stream, std::move(work)});
  return {};
}

Status RunOrDefer(std::function<Status()> make) {
  if (!InGroup()) return make();
  int32_t device = 0;
  if (const int code = aclrtGetDevice(&device); code != ACL_SUCCESS) return Replay(code);
  t_group.creations.push_back({device, std::move(make)});
  return {};
}

Status RefuseInGroup() {
  if (!InGroup()) return {};
  return Fail(HCCL_E_NOT_SUPPORT, "called between HcclGroupStart and HcclGroupEnd");
}

}  // namespace anyacl::hccl
