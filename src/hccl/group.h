// SPDX-License-Identifier: Apache-2.0
// Group: what a thread calls between HcclGroupStart and HcclGroupEnd. Nothing of it begins before
// the outermost end; then messages of pairs that go to one stream are one operation, and
// communicators are made at once, for the devices of a thread wait for one another.
#pragma once

#include <functional>
#include <memory>

#include "base/status.h"
#include "hccl/communicator.h"

namespace anyacl::hccl {

void StartGroup();
// Fails with the first failure of what was collected.
Status EndGroup();
bool InGroup();
// Forgets what was collected, and the group.
void DropGroup();

// Submits the work, now or at the end of the group.
Status Submit(const std::shared_ptr<Communicator>& communicator, Work work, aclrtStream stream);
// Runs it now or, at the end, in a thread of its own with the device that is current now.
Status RunOrDefer(std::function<Status()> make);
// Of functions that have no part in groups.
Status RefuseInGroup();

}  // namespace anyacl::hccl
