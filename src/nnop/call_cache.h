// SPDX-License-Identifier: Apache-2.0
// Calls that a framework makes again and again. torch_npu tells, before phase 1, a key that holds
// all that phase 1 sees but for addresses (the operator, shapes, strides, types, attributes), and
// the addresses of the call's tensors. Of a key that is known it makes no tensors and calls no
// phase 1: it gets an executor of the call that was prepared before, with these addresses.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nnop/executor.h"

namespace anyacl {

class CallCache {
 public:
  // Of this process, for at most $ACLNN_CACHE_LIMIT calls (10,000 where it says nothing, 0: none).
  static CallCache& Get();

  explicit CallCache(size_t limit) : limit_(limit), came_(limit > 0 ? kSets : 0) {}
  bool is_used() const { return limit_ > 0; }
  // Null: the key is not known, or its call is not to be repeated.
  std::shared_ptr<const PreparedCall> Find(std::string_view key);
  // From the second time on that the key comes: one with a random seed never comes again, and
  // 10,000 steps of a training would keep 70 MB of such calls.
  void Keep(std::string key, std::shared_ptr<const PreparedCall> call);

  // A tensor in a private format has been made. The keys of torch_npu do not tell formats, so that
  // from then on no call of an operator that takes such tensors is repeated.
  static void NotePanels() { has_panels_.store(true, std::memory_order_relaxed); }

 private:
  // A power of two; four keys each.
  static constexpr size_t kSets = 4096;

  static bool MayRepeat(const PreparedCall& call);
  bool Comes(size_t hash);

  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
  };
  using Calls =
      std::unordered_map<std::string, std::shared_ptr<const PreparedCall>, Hash, std::equal_to<>>;

  static inline std::atomic<bool> has_panels_{false};
  const size_t limit_;
  std::mutex mutex_;
  // Once the recent ones are half of the limit they become the older ones, whose place they take:
  // what is not used for so long goes.
  Calls recent_, older_;
  // Hashes of keys that came and were not kept, the last ones first.
  std::vector<std::array<size_t, 4>> came_;
};

// What a framework has said of the call that a thread makes next.
class ComingCall {
 public:
  static ComingCall& OfThread();

  void Clear();
  // Nothing: the call is none to remember.
  void SetKey(std::string_view key) { key_ = key; }
  void AddAddress(void* address) { addresses_.push_back(address); }
  // An executor of the call that was prepared for this key, with the addresses; null: there is
  // none.
  std::shared_ptr<Executor> Repeat(std::string_view key);
  // The call that phase 1 has prepared, which is kept if it is the one that was announced.
  void Prepared(const std::shared_ptr<const PreparedCall>& call);

 private:
  std::string key_;
  std::vector<void*> addresses_;
};

}  // namespace anyacl
