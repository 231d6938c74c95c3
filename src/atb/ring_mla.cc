// SPDX-License-Identifier: Apache-2.0
// RingMLA, which has no parameters to be made from: its function has them beside the tensors.
#include <vector>

#include "atb/atb_acl.h"
#include "atb/launched.h"
#include "base/dtype.h"
#include "ops/atb/exports.h"

namespace anyacl::atb_library {
namespace {

constexpr char kName[] = "RingMLAOperation";

// What lies between the two phases of AtbRingMLA.
class RingMla final : public atb::Operation {
 public:
  RingMla() = default;
  ~RingMla() override { Drop(); }
  RingMla(const RingMla&) = delete;
  RingMla& operator=(const RingMla&) = delete;

  std::string GetName() const override { return kName; }
  uint32_t GetInputNum() const override { return 9; }
  uint32_t GetOutputNum() const override { return 2; }
  atb::Status InferShape(const atb::SVector<atb::TensorDesc>&,
                         atb::SVector<atb::TensorDesc>&) const override {
    return ByFunctions();
  }
  atb::Status Setup(const atb::VariantPack&, uint64_t& workspace_size, atb::Context*) override {
    workspace_size = 0;
    return ByFunctions();
  }
  atb::Status Execute(const atb::VariantPack&, uint8_t*, uint64_t, atb::Context*) override {
    return ByFunctions();
  }

  Status Prepare(std::span<const Argument> arguments, uint64_t* workspace_size) {
    Drop();
    const int code =
        anyaclPrepareByName(kName, arguments.data(), arguments.size(), workspace_size, &executor_);
    return code == 0 ? Status() : Replay(AtbCode(code));
  }
  Status Run(void* workspace, uint64_t workspace_size, aclrtStream stream) {
    if (executor_ == nullptr) {
      return Fail(atb::ERROR_INTERNAL_ERROR,
                  "op is not set up, expected one of AtbRingMLAGetWorkspaceSize");
    }
    const int code = anyaclRunByName(kName, workspace, workspace_size,
                                     std::exchange(executor_, nullptr), stream);
    return code == 0 ? Status() : Replay(atb::ERROR_RT_FAIL);
  }

 private:
  static atb::Status ByFunctions() {
    return AtbEntry(kName, [] {
      return Fail(atb::ERROR_INVALID_OPERATION_ADDR, "called as an operation, expected AtbRingMLA");
    });
  }
  void Drop() {
    if (executor_ != nullptr) aclDestroyAclOpExecutor(executor_);
    executor_ = nullptr;
  }

  aclOpExecutor* executor_ = nullptr;
};

Status NotOfRings() {
  return Fail(atb::ERROR_INVALID_OPERATION_ADDR,
              "op is another operation, expected one of AtbRingMLAGetWorkspaceSize");
}

// The lengths of queries and of keys.
Status ReadLengths(const aclTensor* tensor, std::vector<int64_t>* rows,
                   std::vector<int64_t>* columns) {
  int64_t* dims = nullptr;
  uint64_t rank = 0;
  aclDataType type = ACL_DT_UNDEFINED;
  void* data = nullptr;
  if (tensor == nullptr || aclGetViewShape(tensor, &dims, &rank) != 0 ||
      aclGetDataType(tensor, &type) != 0 || aclGetRawTensorAddr(tensor, &data) != 0) {
    return Fail(atb::ERROR_INVALID_TENSOR_ADDR, "seqLen is no tensor, expected lengths");
  }
  const std::unique_ptr<int64_t[]> owned(dims);
  int64_t* stride_values = nullptr;
  uint64_t stride_count = 0;
  int64_t offset = 0;
  if (aclGetViewStrides(tensor, &stride_values, &stride_count) != 0 ||
      aclGetViewOffset(tensor, &offset) != 0) {
    return Fail(atb::ERROR_INVALID_TENSOR_ADDR, "seqLen is no tensor, expected lengths");
  }
  const std::unique_ptr<int64_t[]> strides(stride_values);
  if (type != ACL_INT32) {
    return Fail(atb::ERROR_INVALID_TENSOR_DTYPE, "seqLen.dtype = {}, expected INT32", NameOf(type));
  }
  const bool both = rank == 2 && dims[0] == 2;
  const int64_t count = both ? dims[1] : rank == 1 ? dims[0] : -1;
  constexpr int64_t kMost = 1 << 20;
  if (count < 0 || count > kMost) {
    return Fail(atb::ERROR_INVALID_TENSOR_DIM,
                "seqLen has {} dimensions, expected [B] or [2, B] of at most {} sequences", rank,
                kMost);
  }
  if (data == nullptr && count > 0) {
    return Fail(atb::ERROR_INVALID_TENSOR_ADDR, "seqLen has no data, expected lengths");
  }
  const auto* row = static_cast<const int32_t*>(data) + offset;
  const int32_t* const column = both ? row + strides[0] : row;
  const int64_t step = count > 0 ? strides[rank - 1] : 0;
  for (int64_t i = 0; i < count; ++i) {
    rows->push_back(row[i * step]);
    columns->push_back(column[i * step]);
  }
  return {};
}

Status CheckModes(int kernel, int mask, int layout, int calc) {
  if (kernel < 0 || kernel > 1) return Expect("kernelType", kernel, 1);
  if (mask < 0 || mask > 1) return Expect("maskType", mask, 1);
  if (calc < 0 || calc > 1) return Expect("calcType", calc, 1);
  return Expect("inputLayout", layout, 0);
}

}  // namespace
}  // namespace anyacl::atb_library

extern "C" {

atb::Status AtbRingMLAGetWorkspaceSize(
    const aclTensor* querySplit1, const aclTensor* querySplit2, const aclTensor* keySplit1,
    const aclTensor* keySplit2, const aclTensor* value, const aclTensor*, const aclTensor* seqLen,
    const aclTensor* prevOut, const aclTensor* prevLse, int32_t headNum, int32_t kvHeadNum,
    float qkScale, int kernelType, int maskType, int inputLayout, int calcType, aclTensor* output,
    aclTensor* softmaxLse, uint64_t* workspaceSize, atb::Operation** op, atb::Context* context) {
  using namespace anyacl;
  using namespace anyacl::atb_library;
  return AtbEntry("AtbRingMLAGetWorkspaceSize", [&]() -> anyacl::Status {
    if (context == nullptr) return Fail(atb::ERROR_INVALID_CONTEXT_ADDR, "context is null");
    if (op == nullptr || workspaceSize == nullptr) {
      return Fail(atb::ERROR_INVALID_OPERATION_ADDR, "op or workspaceSize is null");
    }
    *workspaceSize = 0;
    if (anyacl::Status s = CheckModes(kernelType, maskType, inputLayout, calcType); !s.ok()) {
      return s;
    }
    const bool first = calcType == 1;
    if (!first && (prevOut == nullptr || prevLse == nullptr)) {
      return Fail(atb::ERROR_INVALID_TENSOR_ADDR,
                  "prevOut or prevLse is null, expected both as calcType = 0");
    }
    std::vector<int64_t> rows, columns;
    if (anyacl::Status s = ReadLengths(seqLen, &rows, &columns); !s.ok()) return s;
    auto ring = std::unique_ptr<RingMla>();
    if (*op == nullptr) ring = std::make_unique<RingMla>();
    auto* const own = *op == nullptr ? ring.get() : dynamic_cast<RingMla*>(*op);
    if (own == nullptr) return NotOfRings();
    const aclIntArray* row_array = aclCreateIntArray(rows.data(), rows.size());
    const aclIntArray* column_array = aclCreateIntArray(columns.data(), columns.size());
    const auto pointer = [](const void* address) { return Argument(address); };
    const Argument arguments[] = {pointer(querySplit1),
                                  pointer(querySplit2),
                                  pointer(keySplit1),
                                  pointer(keySplit2),
                                  pointer(value),
                                  pointer(first ? nullptr : prevOut),
                                  pointer(first ? nullptr : prevLse),
                                  pointer(row_array),
                                  pointer(column_array),
                                  pointer(output),
                                  pointer(softmaxLse),
                                  Argument(headNum),
                                  Argument(kvHeadNum),
                                  Argument(double{qkScale}),
                                  Argument(maskType == 1)};
    const anyacl::Status status = own->Prepare(arguments, workspaceSize);
    aclDestroyIntArray(row_array);
    aclDestroyIntArray(column_array);
    if (status.ok() && ring != nullptr) *op = ring.release();
    return status;
  });
}

atb::Status AtbRingMLA(void* workspace, uint64_t workspaceSize, atb::Operation* op,
                       atb::Context* context) {
  using namespace anyacl::atb_library;
  return AtbEntry("AtbRingMLA", [&]() -> anyacl::Status {
    if (context == nullptr) return anyacl::Fail(atb::ERROR_INVALID_CONTEXT_ADDR, "context is null");
    if (op == nullptr) return anyacl::Fail(atb::ERROR_INVALID_OPERATION_ADDR, "op is null");
    auto* const ring = dynamic_cast<RingMla*>(op);
    if (ring == nullptr) return NotOfRings();
    return ring->Run(workspace, workspaceSize, context->GetExecuteStream());
  });
}
}
