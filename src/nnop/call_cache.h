// SPDX-License-Identifier: Apache-2.0
// Calls that a framework makes again and again. Before phase 1 torch_npu tells a key of what the
// call is (the operator, shapes, strides, types, attributes) and the addresses of its tensors. Of a
// key that is known it makes no tensors and calls no phase 1: it gets an executor of the call that
// was prepared before, with these addresses.
//
// What keys lack: private formats (before torch_npu 26.0), for which see NotePrivate, and the types
// of scalars, 0 and 0.0 being the same eight bytes; the type of the result, which is there, tells
// most of those apart.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "nnop/executor.h"

namespace anyacl {

class CallCache {
 public:
  // Of this process; its limit is $ACLNN_CACHE_LIMIT, 10,000 where it says nothing.
  static CallCache& Get();

  // `limit` is asked at the first use.
  explicit CallCache(size_t (*limit)()) : limit_(limit) {}
  CallCache(const CallCache&) = delete;
  CallCache& operator=(const CallCache&) = delete;

  bool is_used() const { return half() > 0; }
  // Null: the key is not known, or its call is not to be repeated with these addresses.
  std::shared_ptr<const PreparedCall> Find(std::string_view key, std::span<void* const> addresses);
  // From the second time on that the key comes: one with a random seed never comes again, and
  // 10,000 steps of a training would keep 70 MB of such calls.
  void Keep(std::string_view key, const std::shared_ptr<const PreparedCall>& call);

  // A tensor in a private format lies there. It is never part of a repeated call; nor, from then
  // on, is any tensor of an operator that takes panels, since torch_npu makes some of them by a
  // label on memory that it has filled itself.
  void NotePrivate(const void* address);

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
  };
  using Calls =
      std::unordered_map<std::string, std::shared_ptr<const PreparedCall>, Hash, std::equal_to<>>;

  size_t half() const { return limit_() / 2; }
  bool MayRepeat(const PreparedCall& call) const;
  bool CameBefore(size_t hash);
  Calls MakeRoom();

  size_t (*const limit_)();
  std::mutex mutex_;
  // Once the recent ones are half of the limit they become the older ones, whose place they take:
  // what is not used for so long goes.
  Calls recent_, older_;
  // Hashes of keys that came and are not kept, the last ones first.
  std::vector<std::array<size_t, 4>> came_;
  std::unordered_set<const void*> private_;
  std::atomic<bool> has_private_{false};
};

// What a framework has said of the call that a thread makes next.
class ComingCall {
 public:
  // Made at its first use; null: nothing was ever said in this thread.
  static ComingCall& OfThread();
  static ComingCall* OfThreadIfAny();

  void Clear();
  // Empty: the call is not to be kept.
  void SetKey(std::string_view key) { key_ = key; }
  void AddAddress(void* address) { addresses_.push_back(address); }
  // An executor of the call that was prepared for the key, with the addresses; null: there is none.
  std::shared_ptr<Executor> Repeat();
  // The call that phase 1 has prepared, which is kept if it is the one that was announced.
  void Prepared(const std::shared_ptr<const PreparedCall>& call);

 private:
  std::string key_;
  std::vector<void*> addresses_;
};

}  // namespace anyacl
