// SPDX-License-Identifier: Apache-2.0
// Which rank a flag comes from, as far as this process's own senders have told: FFNToAttention
// knows the rank of a session, AttentionToFFN the rank that a row went to, which sends it back.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/rank_group.h"

namespace anyacl::afd {

// RankGroup::kAnyRank where nobody has told.
uint32_t RankOfSession(const RankGroup* group, uint64_t session);
uint32_t RankOfRow(const RankGroup* group, uint64_t micro_batch, uint64_t row);

// By session; kAnyRank leaves what was told before.
void NoteSessions(const std::shared_ptr<RankGroup>& group, std::span<const uint32_t> ranks);
// The rows of a micro batch that are under way, until they have come.
void NoteRows(const std::shared_ptr<RankGroup>& group, uint64_t micro_batch,
              std::span<const int32_t> ranks);
void ForgetRows(const RankGroup* group, uint64_t micro_batch);

}  // namespace anyacl::afd
