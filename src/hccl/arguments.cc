// SPDX-License-Identifier: Apache-2.0
#include "hccl/arguments.h"

#include "hccl/data_type.h"
#include "runtime/exports.h"

namespace anyacl::hccl {

Status RequirePointer(const char* name, const void* pointer) {
  if (pointer != nullptr) return {};
  return Fail(HCCL_E_PTR, "{} is null", name);
}

Status FindCommunicator(HcclComm comm, std::shared_ptr<Communicator>* communicator) {
  if (const Status status = RequirePointer("comm", comm); !status.ok()) return status;
  *communicator = Communicators().Find(comm);
  if (*communicator == nullptr) {
    return Fail(HCCL_E_PARA, "comm is no communicator, or one that was destroyed");
  }
  return (*communicator)->CheckProcess();
}

Status CheckPeer(const char* name, uint32_t peer, const Communicator& communicator) {
  if (peer < communicator.ranks()) return {};
  return Fail(HCCL_E_PARA, "{} is {}, expected less than the number of ranks, {}", name, peer,
              communicator.ranks());
}

Status CheckType(const char* name, HcclDataType type) {
  if (SizeOf(type) != 0) return {};
  return Fail(HCCL_E_PARA, "{} is {}, which is no HcclDataType", name, static_cast<int>(type));
}

Status CheckReduction(HcclDataType type, HcclReduceOp op) {
  if (const Status status = CheckType("dataType", type); !status.ok()) return status;
  if (static_cast<unsigned>(op) > HCCL_REDUCE_MIN) {
    return Fail(HCCL_E_PARA, "op is {}, expected HCCL_REDUCE_SUM (0), PROD, MAX or MIN (3)",
                static_cast<int>(op));
  }
  if (IsReducible(type)) return {};
  return Fail(
      HCCL_E_NOT_SUPPORT,
      "dataType is {}, which is not reduced: expected integers up to 64 bits, float16, bfp16, "
      "float32 or float64",
      NameOf(type));
}

Status CheckBuffer(const char* name, const void* buffer, uint64_t count, HcclDataType type,
                   size_t* bytes) {
  if (__builtin_mul_overflow(count, SizeOf(type), bytes)) {
    return Fail(HCCL_E_PARA, "{} would have {} elements of {}", name, count, NameOf(type));
  }
  if (*bytes == 0) return {};
  if (const Status status = RequirePointer(name, buffer); !status.ok()) return status;
  MemoryRange range;
  if (!anyaclFindUsableRange(buffer, &range)) return {};
  const size_t there =
      static_cast<size_t>(range.begin + range.size - static_cast<const char*>(buffer));
  if (*bytes <= there) return {};
  return Fail(HCCL_E_PARA,
              "{} has {} bytes of its allocation left, expected {} for {} elements of {}", name,
              there, *bytes, count, NameOf(type));
}

Status CheckAlignment(const char* name, const void* buffer, HcclDataType type) {
  if (reinterpret_cast<uintptr_t>(buffer) % SizeOf(type) == 0) return {};
  return Fail(HCCL_E_PARA, "{} is {}, expected a multiple of {} bytes for {}", name, buffer,
              SizeOf(type), NameOf(type));
}

}  // namespace anyacl::hccl
