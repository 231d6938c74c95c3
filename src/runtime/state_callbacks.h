// SPDX-License-Identifier: Apache-2.0
// The program's callbacks for what becomes of streams and devices. All of these call the client's
// code: with no lock held.
#pragma once

#include <cstdint>

#include "acl/acl_rt.h"
#include "base/status.h"

namespace anyacl {

void TellStreamState(aclrtStream stream, aclrtStreamState state);
void TellDeviceState(int32_t device, aclrtDeviceState state);
// The first callback that fails ends it.
Status TellTaskAbort(int32_t device, aclrtDeviceTaskAbortStage stage, uint32_t timeout);

}  // namespace anyacl
