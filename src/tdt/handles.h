// SPDX-License-Identifier: Apache-2.0
// The kinds of handle of channels and queues. 0x4C3. is theirs: no other kind begins so
// (runtime/handle_table.h).
#pragma once

#include "runtime/handle_table.h"

namespace anyacl::tdt {

inline constexpr HandleKind kDataItem{0x4C31};
inline constexpr HandleKind kDataset{0x4C32};
inline constexpr HandleKind kChannel{0x4C33};
inline constexpr HandleKind kQueueAttributes{0x4C34};
inline constexpr HandleKind kQueueRoute{0x4C35};
inline constexpr HandleKind kQueueRouteList{0x4C36};
inline constexpr HandleKind kQueueRouteQuery{0x4C37};

}  // namespace anyacl::tdt
