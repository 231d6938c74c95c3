// SPDX-License-Identifier: Apache-2.0
// aclrtReduceAsync.
#include "acl/acl_rt.h"
#include "base/dtype.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/memory.h"
#include "runtime/parallel.h"
#include "runtime/reduce.h"

namespace anyacl {
namespace {

// 16 KiB of both buffers: 2 us of work where they lie in a cache.
constexpr int64_t kGrainBytes = 16384;

Status CheckKind(aclrtReduceKind kind) {
  const int number = static_cast<int>(kind);
  if (number < ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM || number > ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "kind is {}, expected 10 (sum), 11 (max) or 12 (min)",
                number);
  }
  if (kind != ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL) return {};
  return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
              "kind is 13 (equal), which is not offered: expected 10 (sum), 11 (max) or 12 (min)");
}

Status CheckBuffers(const void* dst, const void* src, uint64_t count, uint64_t size) {
  if (count == 0 || count % size != 0) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "count is {} bytes, expected a positive multiple of the element's {}", count, size);
  }
  if (Status s = CheckDeviceMemory(dst, count, size, "dst"); !s.ok()) return s;
  if (Status s = CheckDeviceMemory(src, count, size, "src"); !s.ok()) return s;
  const auto to = reinterpret_cast<uintptr_t>(dst);
  const auto from = reinterpret_cast<uintptr_t>(src);
  if (to == from || to + count <= from || from + count <= to) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID,
              "dst {} and src {} overlap in {} bytes, expected the same address or none of them in "
              "common",
              dst, src, count - (to > from ? to - from : from - to));
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtReduceAsync(void* dst, const void* src, uint64_t count, aclrtReduceKind kind,
                          aclDataType type, aclrtStream stream, void* reserve) {
  return Entry("aclrtReduceAsync", [&]() -> Status {
    if (Status s = NotNull(dst, "dst"); !s.ok()) return s;
    if (Status s = NotNull(src, "src"); !s.ok()) return s;
    if (reserve != nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM, "reserve is {}, expected null", reserve);
    }
    if (FindReduction(ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, type) == nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "type is {}, expected INT8, INT16, INT32, UINT32, FLOAT16, BF16 or FLOAT",
                  NameOf(type));
    }
    if (Status s = CheckKind(kind); !s.ok()) return s;
    const auto size = static_cast<uint64_t>(BitsOf(type) / 8);
    if (Status s = CheckBuffers(dst, src, count, size); !s.ok()) return s;
    std::shared_ptr<Stream> on;
    if (Status s = FindStream(stream, &on); !s.ok()) return s;
    auto run = [=, reduce = FindReduction(kind, type)]() -> Status {
      const auto bytes = static_cast<int64_t>(count);
      ParallelFor(bytes, kGrainBytes, [&](int64_t begin, int64_t end) {
        reduce(static_cast<char*>(dst) + begin, static_cast<const char*>(src) + begin,
               static_cast<uint64_t>(end - begin) / size);
      });
      return {};
    };
    return on->Enqueue(MakeTask(TaskKind::kCompute, "aclrtReduceAsync", run));
  });
}
}
