// SPDX-License-Identifier: Apache-2.0
// As copies between views of both tensors: one of the whole blocks of channels, one of the rest.
#include "op_compiler/channel_blocks.h"

#include <memory>

#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_zero.h"
#include "base/division.h"
#include "base/dtype.h"
#include "base/entry.h"

namespace anyacl {
namespace {

constexpr int64_t kRowBlock = 16;  // of FRACTAL_Z's N

bool IsVolume(aclFormat format) {
  return format == ACL_FORMAT_NDC1HWC0 || format == ACL_FRACTAL_Z_3D;
}
bool IsWeight(aclFormat format) {
  return format == ACL_FORMAT_FRACTAL_Z || format == ACL_FRACTAL_Z_3D;
}

// Sizes of a plain tensor; an image has d = 1.
struct Sizes {
  int64_t n, c, d, h, w;
};

// What lies where in the blocked tensor, in elements.
struct Steps {
  int64_t n, c1, d, h, w, c0;
};

// One dimension is C; further ones are H and W, N is 1.
bool ReadSizes(const Dims& dims, bool volume, Sizes* sizes) {
  if (volume) {
    if (dims.rank() != 5) return false;
    *sizes = {dims[0], dims[1], dims[2], dims[3], dims[4]};
    return true;
  }
  if (dims.rank() > 4) return false;
  const auto at = [&](size_t i) { return i < dims.rank() ? dims[i] : 1; };
  *sizes = dims.rank() == 4 ? Sizes{dims[0], dims[1], 1, dims[2], dims[3]}
                            : Sizes{1, at(0), 1, at(1), at(2)};
  return true;
}

Dims BlockedDims(aclFormat format, const Sizes& s, int64_t c0) {
  const int64_t c1 = CeilDivide(s.c, c0), n1 = CeilDivide(s.n, kRowBlock);
  switch (format) {
    case ACL_FORMAT_NC1HWC0:
      return {s.n, c1, s.h, s.w, c0};
    case ACL_FORMAT_NDC1HWC0:
      return {s.n, s.d, c1, s.h, s.w, c0};
    default:
      return {s.d * c1 * s.h * s.w, n1, kRowBlock, c0};
  }
}

Steps StepsOf(aclFormat format, const Sizes& s, int64_t c0) {
  const int64_t c1 = CeilDivide(s.c, c0);
  Steps steps{};
  // FRACTAL_Z has all N between a pixel and the next.
  steps.w = IsWeight(format) ? CeilDivide(s.n, kRowBlock) * kRowBlock * c0 : c0;
  steps.h = s.w * steps.w;
  steps.c1 = s.h * steps.h;
  steps.d = c1 * steps.c1;
  steps.n = IsWeight(format) ? c0 : s.d * steps.d;
  steps.c0 = 1;
  return steps;
}

struct Functions {
  decltype(aclCreateTensor)* create = Operator<decltype(aclCreateTensor)>("aclCreateTensor");
  decltype(aclDestroyTensor)* destroy = Operator<decltype(aclDestroyTensor)>("aclDestroyTensor");
  decltype(aclnnInplaceCopyGetWorkspaceSize)* prepare_copy =
      Operator<decltype(aclnnInplaceCopyGetWorkspaceSize)>("aclnnInplaceCopyGetWorkspaceSize");
  decltype(aclnnInplaceCopy)* copy = Operator<decltype(aclnnInplaceCopy)>("aclnnInplaceCopy");
  decltype(aclnnInplaceZeroGetWorkspaceSize)* prepare_zero =
      Operator<decltype(aclnnInplaceZeroGetWorkspaceSize)>("aclnnInplaceZeroGetWorkspaceSize");
  decltype(aclnnInplaceZero)* zero = Operator<decltype(aclnnInplaceZero)>("aclnnInplaceZero");

  bool complete() const {
    return create && destroy && prepare_copy && copy && prepare_zero && zero;
  }
};

class Conversion {
 public:
  Conversion(const Functions& functions, const Sizes& sizes, const Steps& steps, int64_t c0,
             const Side& plain, const Side& blocked)
      : functions_(functions),
        s_(sizes),
        steps_(steps),
        c0_(c0),
        plain_(plain),
        blocked_(blocked) {}

  int Run(bool packs, aclrtStream stream) const {
    int code = ACL_SUCCESS;
    if (packs) code = Clear(stream);
    const int64_t whole = s_.c / c0_, rest = s_.c % c0_;
    if (code == ACL_SUCCESS && whole > 0) code = Copy(packs, 0, whole, c0_, stream);
    if (code == ACL_SUCCESS && rest > 0) code = Copy(packs, whole, 1, rest, stream);
    return code;
  }

 private:
  using Holder = std::unique_ptr<aclTensor, decltype(aclDestroyTensor)*>;

  Holder View(const Side& side, const Dims& dims, const Dims& strides, int64_t offset) const {
    const int64_t storage = side.bytes / (BitsOf(side.dtype) / 8);
    return {functions_.create(dims.begin(), dims.rank(), side.dtype, strides.begin(), offset,
                              ACL_FORMAT_ND, &storage, 1, side.data),
            functions_.destroy};
  }

  int Clear(aclrtStream stream) const {
    // As bytes, whatever the type is.
    Side bytes = blocked_;
    bytes.dtype = ACL_INT8;
    const Holder all = View(bytes, Dims{bytes.bytes}, Dims{1}, 0);
    uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    const int code = functions_.prepare_zero(all.get(), &workspace, &executor);
    return code == ACL_SUCCESS ? functions_.zero(nullptr, workspace, executor, stream) : code;
  }

  // The first `channels` ones of some blocks.
  int Copy(bool packs, int64_t block, int64_t blocks, int64_t channels, aclrtStream stream) const {
    const Dims dims{s_.n, blocks, channels, s_.d, s_.h, s_.w};
    const int64_t pixels = s_.d * s_.h * s_.w;
    const Dims in_plain{s_.c * pixels, c0_ * pixels, pixels, s_.h * s_.w, s_.w, 1};
    const Dims in_blocks{steps_.n, steps_.c1, steps_.c0, steps_.d, steps_.h, steps_.w};
    const Holder plain = View(plain_, dims, in_plain, block * c0_ * pixels);
    const Holder blocked = View(blocked_, dims, in_blocks, block * steps_.c1);
    uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    const int code =
        functions_.prepare_copy(packs ? blocked.get() : plain.get(),
                                packs ? plain.get() : blocked.get(), &workspace, &executor);
    return code == ACL_SUCCESS ? functions_.copy(nullptr, workspace, executor, stream) : code;
  }

  const Functions& functions_;
  const Sizes s_;
  const Steps steps_;
  const int64_t c0_;
  const Side& plain_;
  const Side& blocked_;
};

}  // namespace

bool HasChannelBlocks(aclFormat format) {
  return format == ACL_FORMAT_NC1HWC0 || format == ACL_FORMAT_FRACTAL_Z ||
         format == ACL_FORMAT_NDC1HWC0 || format == ACL_FRACTAL_Z_3D;
}

Status ConvertChannelBlocks(const char* op_type, const Side& from, const Side& to,
                            aclrtStream stream) {
  const bool packs = HasChannelBlocks(to.format);
  const Side& plain = packs ? from : to;
  const Side& blocked = packs ? to : from;
  const bool fits_plain = plain.format == ACL_FORMAT_ND || plain.format == ACL_FORMAT_NCHW ||
                          plain.format == ACL_FORMAT_NCDHW;
  Sizes sizes{};
  const int64_t c0 = blocked.dims.rank() > 0 ? blocked.dims.back() : 0;
  const bool fits = fits_plain && ReadSizes(plain.dims, IsVolume(blocked.format), &sizes) &&
                    (c0 == 8 || c0 == 16 || c0 == 32) &&
                    blocked.dims == BlockedDims(blocked.format, sizes, c0);
  if (!fits) {
    return Fail(ACL_ERROR_INVALID_PARAM, "operator \"{}\" from {} {} to {} {} is not possible",
                op_type, NameOf(from.format), from.dims.ToString(), NameOf(to.format),
                to.dims.ToString());
  }
  if (plain.bytes == 0) return {};
  const Functions functions;
  if (!functions.complete()) {
    return Fail(ACL_ERROR_INTERNAL_ERROR, "operator \"{}\" needs libopapi.so beside this library",
                op_type);
  }
  const Conversion conversion(functions, sizes, StepsOf(blocked.format, sizes, c0), c0, plain,
                              blocked);
  const int code = conversion.Run(packs, stream);
  if (code == ACL_SUCCESS) return {};
  return Fail(code, "operator \"{}\" from {} {} to {} {} failed", op_type, NameOf(from.format),
              from.dims.ToString(), NameOf(to.format), to.dims.ToString());
}

}  // namespace anyacl
