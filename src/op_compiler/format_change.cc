// SPDX-License-Identifier: Apache-2.0
#include "op_compiler/format_change.h"

#include <memory>
#include <string_view>

#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_npu_format_cast.h"
#include "base/dtype.h"
#include "base/entry.h"
#include "base/shape.h"
#include "op_compiler/channel_blocks.h"
#include "runtime/arguments.h"
#include "single_op/exports.h"

namespace anyacl {
namespace {

Status ReadSide(std::string_view name, int count, const aclTensorDesc* const descs[],
                const aclDataBuffer* const buffers[], Side* side) {
  if (count != 1 || descs == nullptr || buffers == nullptr) {
    return Fail(ACL_ERROR_INVALID_PARAM, "{} tensors with {}, expected one", count, name);
  }
  std::shared_ptr<TensorDesc> desc;
  if (!anyaclFindTensorDesc(descs[0], &desc)) {
    return Fail(ACL_ERROR_INVALID_PARAM, "{} {} is not a live tensor description", name,
                static_cast<const void*>(descs[0]));
  }
  const bool stored = desc->storage_format != ACL_FORMAT_UNDEFINED;
  const auto& dims = stored && !desc->storage_dims.empty() ? desc->storage_dims : desc->dims;
  if (dims.size() > Dims::kMaxRank) {
    return Fail(ACL_ERROR_INVALID_PARAM, "{} has {} dimensions, expected at most {}", name,
                dims.size(), Dims::kMaxRank);
  }
  side->name = name;
  side->dtype = desc->dtype;
  side->format = stored ? desc->storage_format : desc->format;
  side->dims = Dims(dims.data(), dims.size());
  const int64_t elements = ElementCount(side->dims).value_or(-1);
  const int bits = BitsOf(side->dtype);
  if (elements < 0 || bits < 8 || elements > INT64_MAX / bits) {
    return Fail(ACL_ERROR_INVALID_PARAM, "{} is {} {}, expected whole bytes and known sizes", name,
                NameOf(side->dtype), side->dims.ToString());
  }
  side->bytes = elements * (bits / 8);
  side->data = aclGetDataBufferAddr(buffers[0]);
  const size_t size = aclGetDataBufferSizeV2(buffers[0]);
  if (size >= static_cast<uint64_t>(side->bytes)) return {};
  return Fail(ACL_ERROR_INVALID_PARAM, "the buffer of {} has {} bytes, expected {} for {} {}", name,
              size, side->bytes, NameOf(side->dtype), side->dims.ToString());
}

struct ChangeFunctions {
  decltype(aclCreateTensor)* create = Operator<decltype(aclCreateTensor)>("aclCreateTensor");
  decltype(aclDestroyTensor)* destroy = Operator<decltype(aclDestroyTensor)>("aclDestroyTensor");
  decltype(aclnnNpuFormatCastGetWorkspaceSize)* prepare =
      Operator<decltype(aclnnNpuFormatCastGetWorkspaceSize)>("aclnnNpuFormatCastGetWorkspaceSize");
  decltype(aclnnNpuFormatCast)* run = Operator<decltype(aclnnNpuFormatCast)>("aclnnNpuFormatCast");

  bool complete() const { return create && destroy && prepare && run; }
};

using TensorHolder = std::unique_ptr<aclTensor, decltype(aclDestroyTensor)*>;

TensorHolder TensorOf(const ChangeFunctions& functions, const Side& side, const Dims& dims) {
  const Dims strides = ContiguousStrides(dims);
  return {functions.create(dims.begin(), dims.rank(), side.dtype, strides.begin(), 0, side.format,
                           dims.begin(), dims.rank(), side.data),
          functions.destroy};
}

// FRACTAL_NZ takes a row of numbers for a column.
Dims AsMatrix(const Side& side) {
  Dims dims = side.dims;
  while (side.format != ACL_FORMAT_FRACTAL_NZ && dims.rank() < 2) dims.push_back(1);
  return dims;
}

Status Convert(const char* op_type, const Side& from, const Side& to, aclrtStream stream) {
  const ChangeFunctions functions;
  if (!functions.complete()) {
    return Fail(ACL_ERROR_INTERNAL_ERROR, "operator \"{}\" needs libopapi.so beside this library",
                op_type);
  }
  const TensorHolder source = TensorOf(functions, from, AsMatrix(from));
  const TensorHolder result = TensorOf(functions, to, AsMatrix(to));
  uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  int code = functions.prepare(source.get(), result.get(), &workspace, &executor);
  if (code == ACL_SUCCESS) code = functions.run(nullptr, workspace, executor, stream);
  if (code == ACL_SUCCESS) return {};
  return Fail(code, "operator \"{}\" from {} {} to {} {} is not possible", op_type,
              NameOf(from.format), from.dims.ToString(), NameOf(to.format), to.dims.ToString());
}

}  // namespace

bool IsFormatChange(const char* op_type) {
  if (op_type == nullptr) return false;
  const std::string_view name = op_type;
  return name == "Identity" || name == "TransData";
}

Status ChangeFormat(const SingleOpCall& call, aclrtStream stream) {
  Side from;
  Status s = ReadSide("inputDesc[0]", call.num_inputs, call.input_descs, call.inputs, &from);
  if (!s.ok()) return s;
  Side to;
  s = ReadSide("outputDesc[0]", call.num_outputs, call.output_descs, call.outputs, &to);
  if (!s.ok()) return s;
  if (from.dtype != to.dtype) {
    return Fail(ACL_ERROR_INVALID_PARAM, "outputDesc[0] is {}, expected {} as inputDesc[0]",
                NameOf(to.dtype), NameOf(from.dtype));
  }
  const bool plain = IsPlainFormat(from.format) && IsPlainFormat(to.format);
  const bool alike = from.format == to.format && from.dims == to.dims;
  if (!alike && (HasChannelBlocks(from.format) || HasChannelBlocks(to.format))) {
    return ConvertChannelBlocks(call.op_type, from, to, stream);
  }
  if (!plain && !alike) return Convert(call.op_type, from, to, stream);
  if (from.bytes != to.bytes) {
    return Fail(ACL_ERROR_INVALID_PARAM, "outputDesc[0] is {} {}, expected as many elements as {}",
                NameOf(to.format), to.dims.ToString(), from.dims.ToString());
  }
  if (from.bytes == 0) return {};
  const auto bytes = static_cast<size_t>(from.bytes);
  const int code =
      aclrtMemcpyAsync(to.data, bytes, from.data, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
  if (code == ACL_SUCCESS) return {};
  return Fail(code, "operator \"{}\" could not copy {} bytes", call.op_type, bytes);
}

}  // namespace anyacl
