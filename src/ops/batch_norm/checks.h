// SPDX-License-Identifier: Apache-2.0
// Rules that both operators share.
#pragma once

#include "nnop/view.h"

namespace anyacl::batch_norm {

// The dimension of channels.
int ChannelDim(const Operands& operands, int id);
// Ranks, formats that agree with the data's, and that parameters have one number per channel, those
// that were saved only where `saved` are looked at; the others are dropped.
Status CheckChannels(Operands& operands, int data, std::span<const int> like, bool saved);

}  // namespace anyacl::batch_norm
