// SPDX-License-Identifier: Apache-2.0
// Formats of images and of their weights that keep C0 channels together: NC1HWC0, FRACTAL_Z, and
// NDC1HWC0, FRACTAL_Z_3D of volumes.
#pragma once

#include "acl/acl_rt.h"
#include "base/status.h"
#include "op_compiler/format_side.h"

namespace anyacl {

bool HasChannelBlocks(aclFormat format);

// One side has such a format, the other ND, NCHW or NCDHW. What is no element is 0.
Status ConvertChannelBlocks(const char* op_type, const Side& from, const Side& to,
                            aclrtStream stream);

}  // namespace anyacl
