// SPDX-License-Identifier: Apache-2.0
// Many copies in one call.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/capture.h"
#include "runtime/copy.h"
#include "runtime/device.h"

namespace anyacl {
namespace {

struct Batch {
  void** dsts;
  size_t* dst_sizes;
  void** srcs;
  size_t* sizes;
  size_t count;
  aclrtMemcpyBatchAttr* attributes;
  size_t* attribute_indexes;
  size_t attribute_count;
  size_t* fail_index;  // may be null

  Status CheckAttributes() const;
  // Leaves out copies of no bytes.
  Status Check(bool async, std::vector<Copy>* copies) const;
};

Status Batch::CheckAttributes() const {
  if (Status s = NotNull(attributes, "attrs"); !s.ok()) return s;
  if (Status s = NotNull(attribute_indexes, "attrsIndexes"); !s.ok()) return s;
  if (attribute_count == 0 || attribute_count > count) {
    return Fail(ACL_ERROR_INVALID_PARAM, "numAttrs is {}, expected 1..numBatches = {}",
                attribute_count, count);
  }
  for (size_t i = 0; i < attribute_count; ++i) {
    const size_t index = attribute_indexes[i];
    const bool grows = i == 0 ? index == 0 : index > attribute_indexes[i - 1];
    if (!grows || index >= count) {
      return Fail(
          ACL_ERROR_INVALID_PARAM,
          "attrsIndexes[{}] is {}, expected numbers that grow from 0 to below numBatches = {}", i,
          index, count);
    }
    const uint8_t* reserved = attributes[i].rsv;
    if (std::any_of(reserved, reserved + sizeof(attributes[i].rsv),
                    [](uint8_t b) { return b != 0; })) {
      return Fail(ACL_ERROR_INVALID_PARAM, "attrs[{}].rsv has a byte that is not 0, expected none",
                  i);
    }
  }
  return {};
}

Status Batch::Check(bool async, std::vector<Copy>* copies) const {
  if (fail_index != nullptr) *fail_index = SIZE_MAX;
  if (Status s = NotNull(sizes, "sizes"); !s.ok()) return s;
  if (count == 0) return Fail(ACL_ERROR_INVALID_PARAM, "numBatches is 0, expected at least 1");
  if (std::all_of(sizes, sizes + count, [](size_t size) { return size == 0; })) return {};
  if (Status s = NotNull(dsts, "dsts"); !s.ok()) return s;
  if (Status s = NotNull(dst_sizes, "destMaxs"); !s.ok()) return s;
  if (Status s = NotNull(srcs, "srcs"); !s.ok()) return s;
  if (Status s = CheckAttributes(); !s.ok()) return s;
  CurrentContext current;
  if (Status s = GetCurrentContext(&current); !s.ok()) return s;
  copies->reserve(count);
  for (size_t i = 0; i < count; ++i) {
    if (sizes[i] == 0) continue;
    if (fail_index != nullptr) *fail_index = i;
    if (sizes[i] > dst_sizes[i]) {
      return Fail(ACL_ERROR_INVALID_PARAM, "sizes[{}] is {}, expected at most destMaxs[{}] = {}", i,
                  sizes[i], i, dst_sizes[i]);
    }
    if (dsts[i] == nullptr || srcs[i] == nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM, "{}[{}] is null, expected an address",
                  dsts[i] == nullptr ? "dsts" : "srcs", i);
    }
    copies->push_back(
        {static_cast<char*>(dsts[i]), 0, static_cast<const char*>(srcs[i]), 0, sizes[i], 1});
    if (Status s = copies->back().Check(); !s.ok()) return s;
    if (Status s = async ? copies->back().CheckAsync() : Status(); !s.ok()) return s;
  }
  if (fail_index != nullptr) *fail_index = SIZE_MAX;
  return {};
}

aclError RunBatch(const char* api, const Batch& batch) {
  return Entry(api, [&]() -> Status {
    std::vector<Copy> copies;
    if (Status s = batch.Check(false, &copies); !s.ok()) return s;
    if (Status s = CheckUncapturedCall(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT); !s.ok()) return s;
    for (const Copy& copy : copies) copy.Run();
    return {};
  });
}

aclError EnqueueBatch(const char* api, const Batch& batch, aclrtStream stream) {
  return Entry(api, [&]() -> Status {
    std::vector<Copy> copies;
    if (Status s = batch.Check(true, &copies); !s.ok()) return s;
    return copies.empty() ? Status() : EnqueueCopies(std::move(copies), api, stream);
  });
}

aclError NoFailIndex(const char* api) {
  return Entry(api, [] { return NotNull(nullptr, "failIndex"); });
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                          size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                          size_t numAttrs, size_t* failIndex) {
  if (failIndex == nullptr) return NoFailIndex("aclrtMemcpyBatch");
  return RunBatch("aclrtMemcpyBatch", {dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes,
                                       numAttrs, failIndex});
}

aclError aclrtMemcpyBatchV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                            size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                            size_t numAttrs) {
  return RunBatch("aclrtMemcpyBatchV2", {dsts, destMaxs, srcs, sizes, numBatches, attrs,
                                         attrsIndexes, numAttrs, nullptr});
}

aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                               size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                               size_t numAttrs, size_t* failIndex, aclrtStream stream) {
  if (failIndex == nullptr) return NoFailIndex("aclrtMemcpyBatchAsync");
  return EnqueueBatch(
      "aclrtMemcpyBatchAsync",
      {dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs, failIndex}, stream);
}

aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                                 size_t numBatches, aclrtMemcpyBatchAttr* attrs,
                                 size_t* attrsIndexes, size_t numAttrs, aclrtStream stream) {
  return EnqueueBatch(
      "aclrtMemcpyBatchAsyncV2",
      {dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs, nullptr}, stream);
}
}
