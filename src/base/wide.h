// SPDX-License-Identifier: Apache-2.0
// Integers of 128 bits, for products of sizes and strides that a client may name.
#pragma once

namespace anyacl {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

}  // namespace anyacl
