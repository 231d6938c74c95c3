// SPDX-License-Identifier: Apache-2.0
// Checks that many functions share.
#pragma once

#include <cstdint>
#include <memory>

#include "base/status.h"
#include "hccl/communicator.h"
#include "hccl/hccl_types.h"
#include "hccl/result.h"

namespace anyacl::hccl {

Status RequirePointer(const char* name, const void* pointer);

// The communicator of a handle.
Status FindCommunicator(HcclComm comm, std::shared_ptr<Communicator>* communicator);

Status CheckPeer(const char* name, uint32_t peer, const Communicator& communicator);
Status CheckType(const char* name, HcclDataType type);
Status CheckReduction(HcclDataType type, HcclReduceOp op);

// The bytes of `count` elements, which `buffer` has. Memory that the runtime knows must hold them.
Status CheckBuffer(const char* name, const void* buffer, uint64_t count, HcclDataType type,
                   size_t* bytes);

// The first step of every function; `body` gets the communicator.
template <class Body>
HcclResult WithCommunicator(const char* api, HcclComm comm, Body body) {
  return HcclEntry(api, [&]() -> Status {
    std::shared_ptr<Communicator> communicator;
    if (const Status status = FindCommunicator(comm, &communicator); !status.ok()) return status;
    return body(communicator);
  });
}

// What is computed with lies at a multiple of its size.
Status CheckAlignment(const char* name, const void* buffer, HcclDataType type);

}  // namespace anyacl::hccl
