// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "acl/acl.h"

namespace anyacl::bench {

// GroupedMatmulSwigluQuant against the roofline: the peak of int8 dot products and the rate at
// which memory can be read, both measured beside each call.
void RegisterGroupedMatmul(aclrtStream stream);

}  // namespace anyacl::bench
