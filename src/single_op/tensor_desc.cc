// SPDX-License-Identifier: Apache-2.0
// aclTensorDesc: what a caller of single operators says of a tensor.
#include <algorithm>
#include <cstdint>

#include "base/entry.h"
#include "base/format.h"
#include "runtime/arguments.h"
#include "single_op/objects.h"

namespace anyacl {

HandleTable<TensorDesc, HandleKind::kTensorDesc>& TensorDescs() {
  static auto* table = HandleTable<TensorDesc, HandleKind::kTensorDesc>::NewGlobal();
  return *table;
}

namespace {

[[maybe_unused]] const bool kDescriptionsMadeAtLoad = (TensorDescs(), true);

// Far above any tensor's rank; a numDims that is garbage must not become an allocation.
constexpr int kMaxDims = 1024;
constexpr int64_t kUnknownRank = -2;

Status NotADescription(const void* handle) {
  return Fail(ACL_ERROR_INVALID_PARAM, "desc {} is not a live tensor description", handle);
}

// Calls body(TensorDesc&) for the description; its Status is the outcome.
template <class Body>
aclError WithDesc(const char* api, const aclTensorDesc* handle, Body body) {
  return Entry(api, [&]() -> Status {
    const auto desc = TensorDescs().Find(handle);
    if (desc == nullptr) return NotADescription(handle);
    return body(*desc);
  });
}

Status CheckDims(int num_dims, const int64_t* dims) {
  if (num_dims < 0 || num_dims > kMaxDims) {
    return Fail(ACL_ERROR_INVALID_PARAM, "numDims is {}, expected 0..{}", num_dims, kMaxDims);
  }
  if (num_dims == 0) return {};
  if (Status s = NotNull(dims, "dims"); !s.ok()) return s;
  for (int i = 0; i < num_dims; ++i) {
    if (dims[i] < kUnknownRank || (dims[i] == kUnknownRank && num_dims != 1)) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "dims[{}] is {}, expected 0 or more, -1 (not known), or -2 (rank not known) as "
                  "the only one",
                  i, dims[i]);
    }
  }
  return {};
}

Status SetDims(int num_dims, const int64_t* dims, std::vector<int64_t>* stored) {
  if (Status s = CheckDims(num_dims, dims); !s.ok()) return s;
  stored->assign(dims, dims + num_dims);
  return {};
}

Status SetRanges(size_t count, const int64_t (*ranges)[2], std::vector<DimRange>* stored) {
  if (count > kMaxDims) {
    return Fail(ACL_ERROR_INVALID_PARAM, "the number of ranges is {}, expected 0..{}", count,
                kMaxDims);
  }
  if (count > 0) {
    if (Status s = NotNull(ranges, "range"); !s.ok()) return s;
  }
  stored->clear();
  for (size_t i = 0; i < count; ++i) stored->push_back({ranges[i][0], ranges[i][1]});
  return {};
}

// elements x bytes of the shape; 0 if a dimension is not known.
Status Extent(const TensorDesc& desc, size_t element_size, size_t* extent) {
  *extent = 0;
  size_t product = element_size;
  const auto& dims = desc.dims;
  if (std::any_of(dims.begin(), dims.end(), [](int64_t dim) { return dim < 0; })) return {};
  // A 0 among the dimensions makes the tensor empty, whatever the others are.
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return {};
  for (int64_t dim : dims) {
    if (__builtin_mul_overflow(product, static_cast<size_t>(dim), &product)) {
      return Fail(ACL_ERROR_INVALID_PARAM, "the size of shape [{}] is beyond 64 bits",
                  Joined(dims));
    }
  }
  *extent = product;
  return {};
}

aclTensorDesc* AddDesc(TensorDesc desc) {
  auto* handle = TensorDescs().Add(std::make_shared<TensorDesc>(std::move(desc)));
  return static_cast<aclTensorDesc*>(handle);
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims,
                                   aclFormat format) {
  aclTensorDesc* handle = nullptr;
  (void)Entry("aclCreateTensorDesc", [&]() -> Status {
    TensorDesc desc;
    desc.dtype = dataType;
    desc.format = format;
    if (Status s = SetDims(numDims, dims, &desc.dims); !s.ok()) return s;
    handle = AddDesc(std::move(desc));
    return {};
  });
  return handle;
}

void aclDestroyTensorDesc(const aclTensorDesc* desc) {
  if (desc == nullptr) return;
  (void)Entry("aclDestroyTensorDesc", [&]() -> Status {
    if (TensorDescs().Remove(desc) == nullptr) return NotADescription(desc);
    return {};
  });
}

aclDataType aclGetTensorDescType(const aclTensorDesc* desc) {
  aclDataType type = ACL_DT_UNDEFINED;
  (void)WithDesc("aclGetTensorDescType", desc, [&](const TensorDesc& found) -> Status {
    type = found.dtype;
    return {};
  });
  return type;
}

aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc) {
  aclFormat format = ACL_FORMAT_UNDEFINED;
  (void)WithDesc("aclGetTensorDescFormat", desc, [&](const TensorDesc& found) -> Status {
    format = found.format;
    return {};
  });
  return format;
}

size_t aclGetTensorDescSize(const aclTensorDesc* desc) {
  size_t size = 0;
  (void)WithDesc("aclGetTensorDescSize", desc, [&](const TensorDesc& found) {
    return Extent(found, aclDataTypeSize(found.dtype), &size);
  });
  return size;
}

size_t aclGetTensorDescElementCount(const aclTensorDesc* desc) {
  size_t count = 0;
  (void)WithDesc("aclGetTensorDescElementCount", desc,
                 [&](const TensorDesc& found) { return Extent(found, 1, &count); });
  return count;
}

size_t aclGetTensorDescNumDims(const aclTensorDesc* desc) {
  size_t count = 0;
  (void)WithDesc("aclGetTensorDescNumDims", desc, [&](const TensorDesc& found) -> Status {
    const bool unknown = !found.dims.empty() && found.dims[0] == kUnknownRank;
    count = unknown ? ACL_UNKNOWN_RANK : found.dims.size();
    return {};
  });
  return count;
}

aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dimSize) {
  return WithDesc("aclGetTensorDescDimV2", desc, [&](const TensorDesc& found) -> Status {
    if (Status s = NotNull(dimSize, "dimSize"); !s.ok()) return s;
    if (index >= found.dims.size()) {
      return Fail(ACL_ERROR_INVALID_PARAM, "index is {}, expected less than the rank {}", index,
                  found.dims.size());
    }
    *dimSize = found.dims[index];
    return {};
  });
}

int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index) {
  int64_t size = -1;
  (void)WithDesc("aclGetTensorDescDim", desc, [&](const TensorDesc& found) -> Status {
    if (index >= found.dims.size()) {
      return Fail(ACL_ERROR_INVALID_PARAM, "index is {}, expected less than the rank {}", index,
                  found.dims.size());
    }
    size = found.dims[index];
    return {};
  });
  return size;
}

aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t dimsCount,
                                int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM]) {
  return WithDesc("aclSetTensorShapeRange", desc, [&](TensorDesc& found) {
    return SetRanges(dimsCount, dimsRange, &found.dim_ranges);
  });
}

aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index, size_t dimRangeNum,
                                  int64_t* dimRange) {
  return WithDesc("aclGetTensorDescDimRange", desc, [&](const TensorDesc& found) -> Status {
    if (Status s = NotNull(dimRange, "dimRange"); !s.ok()) return s;
    if (index >= found.dim_ranges.size()) {
      return Fail(ACL_ERROR_INVALID_PARAM, "index is {}, expected less than the {} ranges set",
                  index, found.dim_ranges.size());
    }
    if (dimRangeNum < ACL_TENSOR_SHAPE_RANGE_NUM) {
      return Fail(ACL_ERROR_INVALID_PARAM, "dimRangeNum is {}, expected 2", dimRangeNum);
    }
    std::copy(found.dim_ranges[index].begin(), found.dim_ranges[index].end(), dimRange);
    return {};
  });
}

aclError aclSetTensorValueRange(aclTensorDesc* desc, size_t valueCount,
                                int64_t valueRange[][ACL_TENSOR_VALUE_RANGE_NUM]) {
  return WithDesc("aclSetTensorValueRange", desc, [&](TensorDesc& found) {
    return SetRanges(valueCount, valueRange, &found.value_ranges);
  });
}

void aclSetTensorDescName(aclTensorDesc* desc, const char* name) {
  (void)WithDesc("aclSetTensorDescName", desc, [&](TensorDesc& found) -> Status {
    found.name = name != nullptr ? name : "";
    return {};
  });
}

const char* aclGetTensorDescName(aclTensorDesc* desc) {
  const char* name = "";
  (void)WithDesc("aclGetTensorDescName", desc, [&](const TensorDesc& found) -> Status {
    name = found.name.c_str();
    return {};
  });
  return name;
}

aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format) {
  return WithDesc("aclSetTensorFormat", desc, [&](TensorDesc& found) -> Status {
    found.storage_format = format;
    return {};
  });
}

aclError aclSetTensorStorageFormat(aclTensorDesc* desc, aclFormat format) {
  return WithDesc("aclSetTensorStorageFormat", desc, [&](TensorDesc& found) -> Status {
    found.storage_format = format;
    return {};
  });
}

aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format) {
  return WithDesc("aclSetTensorOriginFormat", desc, [&](TensorDesc& found) -> Status {
    found.origin_format = format;
    return {};
  });
}

aclError aclSetTensorShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return WithDesc("aclSetTensorShape", desc,
                  [&](TensorDesc& found) { return SetDims(numDims, dims, &found.storage_dims); });
}

aclError aclSetTensorStorageShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return WithDesc("aclSetTensorStorageShape", desc,
                  [&](TensorDesc& found) { return SetDims(numDims, dims, &found.storage_dims); });
}

aclError aclSetTensorOriginShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return WithDesc("aclSetTensorOriginShape", desc,
                  [&](TensorDesc& found) { return SetDims(numDims, dims, &found.origin_dims); });
}

aclError aclSetTensorDynamicInput(aclTensorDesc* desc, const char* dynamicInputName) {
  return WithDesc("aclSetTensorDynamicInput", desc, [&](TensorDesc& found) -> Status {
    if (Status s = NotNull(dynamicInputName, "dynamicInputName"); !s.ok()) return s;
    found.dynamic_input = dynamicInputName;
    return {};
  });
}

aclError aclSetTensorConst(aclTensorDesc* desc, void* dataBuffer, size_t length) {
  return WithDesc("aclSetTensorConst", desc, [&](TensorDesc& found) -> Status {
    if (Status s = NotNull(dataBuffer, "dataBuffer"); !s.ok()) return s;
    if (length == 0) {
      return Fail(ACL_ERROR_INVALID_PARAM, "length is 0, expected at least 1");
    }
    const auto* bytes = static_cast<const unsigned char*>(dataBuffer);
    found.constant.assign(bytes, bytes + length);
    return {};
  });
}

aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType) {
  return WithDesc("aclSetTensorPlaceMent", desc, [&](TensorDesc& found) -> Status {
    if (memType < ACL_MEMTYPE_DEVICE || memType > ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT) {
      return Fail(ACL_ERROR_INVALID_PARAM, "memType is {}, expected 0..2",
                  static_cast<int>(memType));
    }
    found.placement = memType;
    return {};
  });
}

aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* desc, size_t index) {
  (void)WithDesc("aclGetTensorDescByIndex", desc, [&](const TensorDesc&) {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "index is {}: only descriptions that compiled models hand out have further ones, "
                "and models are not offered",
                index);
  });
  return nullptr;
}

void* aclGetTensorDescAddress(const aclTensorDesc* desc) {
  (void)WithDesc("aclGetTensorDescAddress", desc, [](const TensorDesc&) {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "only descriptions that compiled models hand out have an address, and models are "
                "not offered");
  });
  return nullptr;
}

aclError aclTransTensorDescFormat(const aclTensorDesc* srcDesc, aclFormat dstFormat,
                                  aclTensorDesc** dstDesc) {
  return WithDesc("aclTransTensorDescFormat", srcDesc, [&](const TensorDesc& found) -> Status {
    if (Status s = NotNull(dstDesc, "dstDesc"); !s.ok()) return s;
    *dstDesc = nullptr;
    if (found.format != dstFormat) {
      return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                  "conversion from format {} is not offered: dstFormat is {}, expected the same",
                  static_cast<int>(found.format), static_cast<int>(dstFormat));
    }
    TensorDesc copy;
    copy.dtype = found.dtype;
    copy.dims = found.dims;
    copy.format = dstFormat;
    *dstDesc = AddDesc(std::move(copy));
    return {};
  });
}
}
