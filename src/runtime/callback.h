// SPDX-License-Identifier: Apache-2.0
// Callbacks that a subscribed client thread executes.
#pragma once

#include "runtime/stream.h"

namespace anyacl {

// Ends whatever subscription the stream has: when the stream is destroyed.
void EndSubscription(const Stream& stream);

}  // namespace anyacl
