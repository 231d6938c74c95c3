// SPDX-License-Identifier: Apache-2.0
// aclCreate*, aclDestroy*, aclGet* of aclnn/acl_meta.h.
#include <cstring>

#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"
#include "base/dtype.h"
#include "base/entry.h"
#include "nnop/call_cache.h"
#include "nnop/exports.h"
#include "nnop/objects.h"

namespace anyacl {
namespace {

Status NotNull(const void* pointer, const char* parameter) {
  if (pointer != nullptr) return {};
  return Fail(ACLNN_ERR_PARAM_NULLPTR, "{} is null, expected an address", parameter);
}

template <class Table, class Object>
Status FindIn(const Table& table, const void* handle, const char* parameter,
              std::shared_ptr<Object>* object) {
  if (Status s = NotNull(handle, parameter); !s.ok()) return s;
  *object = table.Find(handle);
  if (*object != nullptr) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID,
              "{} {} is not a live object of its kind (destroyed, or never created here)",
              parameter, handle);
}

// Null is nothing to destroy; a handle that is not alive is an error.
template <class Table>
Status DestroyIn(Table& table, const void* handle, const char* parameter) {
  if (handle == nullptr || table.Remove(handle) != nullptr) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID,
              "{} {} is not a live object of its kind (destroyed, or never created here)",
              parameter, handle);
}

struct TensorArguments {
  const int64_t* view_dims;
  uint64_t view_rank;
  aclDataType dtype;
  const int64_t* strides;
  int64_t offset;
  aclFormat format;
  const int64_t* storage_dims;
  uint64_t storage_rank;
};

Status CheckRanks(const TensorArguments& args) {
  const auto check = [](const int64_t* dims, uint64_t rank, const char* name) -> Status {
    if (dims == nullptr && rank > 0) {
      return Fail(ACLNN_ERR_PARAM_NULLPTR, "{} is null, expected {} values", name, rank);
    }
    if (rank > Dims::kMaxRank) {
      return Fail(ACLNN_ERR_PARAM_INVALID, "{}Num is {}, expected at most {}", name, rank,
                  Dims::kMaxRank);
    }
    return {};
  };
  if (Status s = check(args.view_dims, args.view_rank, "viewDims"); !s.ok()) return s;
  return check(args.storage_dims, args.storage_rank, "storageDims");
}

// Where it stays: three tensors of a call are 2 KB.
void Fill(const TensorArguments& args, TensorLayout* layout) {
  layout->dtype = args.dtype;
  layout->format = args.format;
  layout->shape.Assign(args.view_dims, args.view_rank);
  if (args.strides != nullptr) {
    layout->strides.Assign(args.strides, args.view_rank);
  } else {
    layout->strides = ContiguousStrides(layout->shape);
  }
  layout->offset = args.offset;
  layout->storage_shape.Assign(args.storage_dims, args.storage_rank);
}

// Runs `create`, which sets the handle; null if it failed.
template <class Handle, class Create>
Handle* CreateHandle(const char* api, Create create) {
  void* handle = nullptr;
  const int code = Entry(api, [&] { return create(&handle); });
  return code == 0 ? static_cast<Handle*>(handle) : nullptr;
}

template <class Array, class Handle, class Table, class Value>
Handle* CreateArray(const char* api, Table& table, const Value* values, uint64_t size) {
  return CreateHandle<Handle>(api, [&](void** handle) -> Status {
    const uint64_t count = values != nullptr ? size : 0;
    *handle = table.Add(std::make_shared<Array>(values, values + count));
    return {};
  });
}

template <class Table>
aclnnStatus GetSize(const char* api, const Table& table, const void* handle, const char* parameter,
                    uint64_t* size) {
  return Entry(api, [&]() -> Status {
    std::invoke_result_t<decltype(&Table::Find), const Table&, const void*> found;
    if (Status s = FindIn(table, handle, parameter, &found); !s.ok()) return s;
    if (Status s = NotNull(size, "size"); !s.ok()) return s;
    *size = found->size();
    return {};
  });
}

// The caller releases the copy with delete[].
aclnnStatus GetDims(const char* api, const aclTensor* handle, Dims TensorLayout::*member,
                    int64_t** dims, uint64_t* rank, const char* dims_name, const char* rank_name) {
  return Entry(api, [&]() -> Status {
    std::shared_ptr<Tensor> tensor;
    if (Status s = FindIn(Tensors(), handle, "tensor", &tensor); !s.ok()) return s;
    if (Status s = NotNull(dims, dims_name); !s.ok()) return s;
    if (Status s = NotNull(rank, rank_name); !s.ok()) return s;
    const std::shared_ptr<const TensorLayout> layout = tensor->layout();
    const Dims& values = (*layout).*member;
    *dims = new int64_t[values.rank()];
    std::copy(values.begin(), values.end(), *dims);
    *rank = values.rank();
    return {};
  });
}

template <class Read>
aclnnStatus GetOfTensor(const char* api, const aclTensor* handle, const void* out,
                        const char* out_name, Read read) {
  return Entry(api, [&]() -> Status {
    std::shared_ptr<Tensor> tensor;
    if (Status s = FindIn(Tensors(), handle, "tensor", &tensor); !s.ok()) return s;
    if (Status s = NotNull(out, out_name); !s.ok()) return s;
    read(*tensor);
    return {};
  });
}

// The values of the scalars that a list holds; null if one of them is not alive.
std::shared_ptr<const std::vector<Scalar>> ValuesOf(const std::shared_ptr<ScalarList>& list) {
  if (list == nullptr) return nullptr;
  auto values = std::make_shared<std::vector<Scalar>>();
  for (const aclScalar* handle : *list) {
    const std::shared_ptr<Scalar> scalar = Scalars().Find(handle);
    if (scalar == nullptr) return nullptr;
    values->push_back(*scalar);
  }
  return values;
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

bool anyaclFindTensor(const aclTensor* handle, std::shared_ptr<Tensor>* tensor) {
  *tensor = Tensors().Find(handle);
  return *tensor != nullptr;
}

bool anyaclFindTensorList(const aclTensorList* handle, std::shared_ptr<TensorList>* list) {
  *list = TensorLists().Find(handle);
  return *list != nullptr;
}

bool anyaclFindObject(Kind kind, const void* handle, std::shared_ptr<const void>* object) {
  switch (kind) {
    case Kind::kScalar:
      *object = Scalars().Find(handle);
      break;
    case Kind::kScalarList:
      *object = ValuesOf(ScalarLists().Find(handle));
      break;
    case Kind::kIntArray:
      *object = IntArrays().Find(handle);
      break;
    case Kind::kFloatArray:
      *object = FloatArrays().Find(handle);
      break;
    case Kind::kBoolArray:
      *object = BoolArrays().Find(handle);
      break;
    default:
      object->reset();
  }
  return *object != nullptr;
}

aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType,
                           const int64_t* stride, int64_t offset, aclFormat format,
                           const int64_t* storageDims, uint64_t storageDimsNum, void* tensorData) {
  return CreateHandle<aclTensor>("aclCreateTensor", [&](void** handle) -> Status {
    const TensorArguments arguments{viewDims, viewDimsNum, dataType,    stride,
                                    offset,   format,      storageDims, storageDimsNum};
    if (Status s = CheckRanks(arguments); !s.ok()) return s;
    if (!IsPlainFormat(format)) CallCache::Get().NotePrivate(tensorData);
    const auto fill = [&](TensorLayout* layout) { Fill(arguments, layout); };
    *handle = Tensors().Add(std::make_shared<Tensor>(tensorData, fill));
    return {};
  });
}

aclnnStatus aclInitTensor(aclTensor* tensor, const int64_t* viewDims, uint64_t viewDimsNum,
                          aclDataType dataType, const int64_t* stride, int64_t offset,
                          aclFormat format, const int64_t* storageDims, uint64_t storageDimsNum,
                          void* tensorDataAddr) {
  return Entry("aclInitTensor", [&]() -> Status {
    std::shared_ptr<Tensor> found;
    if (Status s = FindIn(Tensors(), tensor, "tensor", &found); !s.ok()) return s;
    const TensorArguments arguments{viewDims, viewDimsNum, dataType,    stride,
                                    offset,   format,      storageDims, storageDimsNum};
    if (Status s = CheckRanks(arguments); !s.ok()) return s;
    if (!IsPlainFormat(format)) CallCache::Get().NotePrivate(tensorDataAddr);
    auto layout = std::make_shared<TensorLayout>();
    Fill(arguments, layout.get());
    found->Reset(std::move(layout), tensorDataAddr);
    return {};
  });
}

aclScalar* aclCreateScalar(void* value, aclDataType dataType) {
  return CreateHandle<aclScalar>("aclCreateScalar", [&](void** handle) -> Status {
    if (Status s = NotNull(value, "value"); !s.ok()) return s;
    auto scalar = std::make_shared<Scalar>();
    scalar->dtype = dataType;
    // 4-bit and 1-bit values come in a byte of their own.
    std::memcpy(scalar->bytes.data(), value, static_cast<size_t>(BitsOf(dataType) + 7) / 8);
    *handle = Scalars().Add(std::move(scalar));
    return {};
  });
}

aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
  return CreateArray<IntArray, aclIntArray>("aclCreateIntArray", IntArrays(), value, size);
}

aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) {
  return CreateArray<FloatArray, aclFloatArray>("aclCreateFloatArray", FloatArrays(), value, size);
}

aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
  return CreateArray<BoolArray, aclBoolArray>("aclCreateBoolArray", BoolArrays(), value, size);
}

aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size) {
  return CreateArray<TensorList, aclTensorList>("aclCreateTensorList", TensorLists(), value, size);
}

aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size) {
  return CreateArray<ScalarList, aclScalarList>("aclCreateScalarList", ScalarLists(), value, size);
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  return Entry("aclDestroyTensor", [&] { return DestroyIn(Tensors(), tensor, "tensor"); });
}

aclnnStatus aclDestroyScalar(const aclScalar* scalar) {
  return Entry("aclDestroyScalar", [&] { return DestroyIn(Scalars(), scalar, "scalar"); });
}

aclnnStatus aclDestroyIntArray(const aclIntArray* array) {
  return Entry("aclDestroyIntArray", [&] { return DestroyIn(IntArrays(), array, "array"); });
}

aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) {
  return Entry("aclDestroyFloatArray", [&] { return DestroyIn(FloatArrays(), array, "array"); });
}

aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) {
  return Entry("aclDestroyBoolArray", [&] { return DestroyIn(BoolArrays(), array, "array"); });
}

// A list owns its members; one that was destroyed before on its own is passed over.
aclnnStatus aclDestroyTensorList(const aclTensorList* array) {
  return Entry("aclDestroyTensorList", [&]() -> Status {
    const std::shared_ptr<TensorList> members = TensorLists().Find(array);
    if (Status s = DestroyIn(TensorLists(), array, "array"); !s.ok() || members == nullptr) {
      return s;
    }
    for (const aclTensor* tensor : *members) Tensors().Remove(tensor);
    return {};
  });
}

aclnnStatus aclDestroyScalarList(const aclScalarList* array) {
  return Entry("aclDestroyScalarList", [&]() -> Status {
    const std::shared_ptr<ScalarList> members = ScalarLists().Find(array);
    if (Status s = DestroyIn(ScalarLists(), array, "array"); !s.ok() || members == nullptr) {
      return s;
    }
    for (const aclScalar* scalar : *members) Scalars().Remove(scalar);
    return {};
  });
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum) {
  return GetDims("aclGetViewShape", tensor, &TensorLayout::shape, viewDims, viewDimsNum, "viewDims",
                 "viewDimsNum");
}

aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims,
                               uint64_t* storageDimsNum) {
  return GetDims("aclGetStorageShape", tensor, &TensorLayout::storage_shape, storageDims,
                 storageDimsNum, "storageDims", "storageDimsNum");
}

aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue,
                              uint64_t* stridesNum) {
  return GetDims("aclGetViewStrides", tensor, &TensorLayout::strides, stridesValue, stridesNum,
                 "stridesValue", "stridesNum");
}

aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
  return GetOfTensor("aclGetViewOffset", tensor, offset, "offset",
                     [&](const Tensor& found) { *offset = found.layout()->offset; });
}

aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
  return GetOfTensor("aclGetFormat", tensor, format, "format",
                     [&](const Tensor& found) { *format = found.layout()->format; });
}

aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType) {
  return GetOfTensor("aclGetDataType", tensor, dataType, "dataType",
                     [&](const Tensor& found) { *dataType = found.layout()->dtype; });
}

aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** addr) {
  return GetOfTensor("aclGetRawTensorAddr", tensor, addr, "addr",
                     [&](const Tensor& found) { *addr = found.data(); });
}

aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* addr) {
  return Entry("aclSetRawTensorAddr", [&]() -> Status {
    std::shared_ptr<Tensor> found;
    if (Status s = FindIn(Tensors(), tensor, "tensor", &found); !s.ok()) return s;
    found->set_data(addr);
    return {};
  });
}

aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
  return GetSize("aclGetIntArraySize", IntArrays(), array, "array", size);
}

aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
  return GetSize("aclGetFloatArraySize", FloatArrays(), array, "array", size);
}

aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
  return GetSize("aclGetBoolArraySize", BoolArrays(), array, "array", size);
}

aclnnStatus aclGetTensorListSize(const aclTensorList* tensorList, uint64_t* size) {
  return GetSize("aclGetTensorListSize", TensorLists(), tensorList, "tensorList", size);
}

aclnnStatus aclGetScalarListSize(const aclScalarList* scalarList, uint64_t* size) {
  return GetSize("aclGetScalarListSize", ScalarLists(), scalarList, "scalarList", size);
}
}
