// SPDX-License-Identifier: Apache-2.0
// HcclCommRegCommStateCallback: who is told before and after a communicator ends or goes on.
#pragma once

#include "base/status.h"
#include "hccl/hccl_comm.h"

namespace anyacl::hccl {

// By name; a null callback takes the name's away.
Status RegisterStateCallback(const char* name, HcclCommStateCallback callback, void* args);
// Called with no lock held.
void TellStateCallbacks(HcclComm comm, HcclCommStatePhase phase);

}  // namespace anyacl::hccl
