// SPDX-License-Identifier: Apache-2.0
// Memory that is exhausted for one thread.
#pragma once

namespace anyacl::test {

// From now on operator new throws in the calling thread, or no longer does. A program that calls
// this is linked with memory_exhaustion.cc.
void ExhaustMemory(bool exhausted);

}  // namespace anyacl::test
