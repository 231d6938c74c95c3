// SPDX-License-Identifier: Apache-2.0
#include "ops/afd/sources.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "base/fork_locks.h"

namespace anyacl::afd {
namespace {

struct Notes {
  std::weak_ptr<RankGroup> group;
  std::vector<uint32_t> sessions;
  std::map<uint64_t, std::vector<uint32_t>> rows;  // by micro batch
};

// Never destroyed: a call may still run while the process exits.
struct AllNotes {
  std::mutex mutex;
  std::map<const RankGroup*, Notes> by_group;

  static AllNotes& Instance() {
    static AllNotes* instance = [] {
      auto* created = new AllNotes;
      ForkLocks::Add(ForkOrder::kCalls, created->mutex);
      return created;
    }();
    return *instance;
  }

  Notes& Of(const std::shared_ptr<RankGroup>& group) {
    Notes& notes = by_group[group.get()];
    if (notes.group.lock() != group) {
      // Another one was there before.
      notes = {};
      notes.group = group;
      std::erase_if(by_group, [](const auto& entry) { return entry.second.group.expired(); });
    }
    return notes;
  }
  Notes* Find(const RankGroup* group) {
    const auto found = by_group.find(group);
    return found == by_group.end() || found->second.group.expired() ? nullptr : &found->second;
  }
};
[[maybe_unused]] const bool kSourcesMadeAtLoad = (AllNotes::Instance(), true);

uint32_t At(const std::vector<uint32_t>& ranks, uint64_t i) {
  return i < ranks.size() ? ranks[i] : RankGroup::kAnyRank;
}

}  // namespace

uint32_t RankOfSession(const RankGroup* group, uint64_t session) {
  AllNotes& all = AllNotes::Instance();
  std::lock_guard lock(all.mutex);
  const Notes* notes = all.Find(group);
  return notes == nullptr ? RankGroup::kAnyRank : At(notes->sessions, session);
}

uint32_t RankOfRow(const RankGroup* group, uint64_t micro_batch, uint64_t row) {
  AllNotes& all = AllNotes::Instance();
  std::lock_guard lock(all.mutex);
  const Notes* notes = all.Find(group);
  if (notes == nullptr) return RankGroup::kAnyRank;
  const auto rows = notes->rows.find(micro_batch);
  return rows == notes->rows.end() ? RankGroup::kAnyRank : At(rows->second, row);
}

void NoteSessions(const std::shared_ptr<RankGroup>& group, std::span<const uint32_t> ranks) {
  AllNotes& all = AllNotes::Instance();
  std::lock_guard lock(all.mutex);
  std::vector<uint32_t>& sessions = all.Of(group).sessions;
  sessions.resize(std::max(sessions.size(), ranks.size()), RankGroup::kAnyRank);
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] != RankGroup::kAnyRank) sessions[i] = ranks[i];
  }
}

void NoteRows(const std::shared_ptr<RankGroup>& group, uint64_t micro_batch,
              std::span<const int32_t> ranks) {
  AllNotes& all = AllNotes::Instance();
  std::lock_guard lock(all.mutex);
  all.Of(group).rows[micro_batch].assign(ranks.begin(), ranks.end());
}

void ForgetRows(const RankGroup* group, uint64_t micro_batch) {
  AllNotes& all = AllNotes::Instance();
  std::lock_guard lock(all.mutex);
  if (Notes* notes = all.Find(group)) notes->rows.erase(micro_batch);
}

}  // namespace anyacl::afd
