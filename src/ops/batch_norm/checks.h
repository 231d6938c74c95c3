// SPDX-License-Identifier: Apache-2.0
// Rules that the operators share.
#pragma once

#include "nnop/view.h"

namespace anyacl::batch_norm {

// The dimension of channels.
int ChannelDim(const Operands& operands, int id);
// What was saved must be given where `training` is true and is not looked at where it is not.
Status KeepSaved(Operands& operands, bool training);
// Ranks, formats that agree with the data's, and that parameters have one number per channel.
Status CheckChannels(const Operands& operands, int data, std::span<const int> like);
// The same for the parts of synchronised normalisation, whose documents ask for a channel.
Status CheckSomeChannels(const Operands& operands, int data, std::span<const int> like);

}  // namespace anyacl::batch_norm
