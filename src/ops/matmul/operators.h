// SPDX-License-Identifier: Apache-2.0
// The declarations of products of matrices: aclnnMm, aclnnMatmul, aclnnBatchMatMul, and with a
// summand aclnnAddmm and aclnnBaddbmm, both in place, too.
#pragma once

#include "nnop/operator.h"

namespace anyacl::matmul {

enum : int { kSummand, kLeft, kRight, kBeta, kAlpha, kOut, kCubeMathType };

// Two matrices, batches of them with one leading dimension, or anything of rank 1 to 6.
enum class Rank { kMatrix, kBatch, kAny };

template <Rank kRank>
Status Prepare(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

// What the device may do to fp32 for speed; computed in fp32 here, whatever it says.
constexpr ParamSpec CubeMathType(int64_t max) {
  return {.name = "cubeMathType",
          .id = kCubeMathType,
          .kind = Kind::kInt8,
          .min = 0,
          .max = max,
          .note = "the precision that a device may give up; sums are fp32 here whatever it says"};
}
constexpr ParamSpec Factor(int id, const char* name) {
  return Value(id, name, Kind::kScalar, "a real number or an integer");
}

inline constexpr ParamSpec kMmParams[] = {In(kLeft, "self", kFloats, "M K"),
                                          In(kRight, "mat2", kFloats, "K N"),
                                          Out(kOut, "out", kFloats, "M N"), CubeMathType(4)};
inline constexpr ParamSpec kMatmulParams[] = {In(kLeft, "self", kFloats, "L.."),
                                              In(kRight, "mat2", kFloats, "R.."),
                                              Out(kOut, "out", kFloats, "O*"), CubeMathType(4)};
inline constexpr ParamSpec kBatchParams[] = {In(kLeft, "self", kFloats, "~B* M K"),
                                             In(kRight, "mat2", kFloats, "~B* K N"),
                                             Out(kOut, "out", kFloats, "~B* M N"), CubeMathType(3)};
inline constexpr ParamSpec kAddmmParams[] = {In(kSummand, "self", kFloats, "~MN*"),
                                             In(kLeft, "mat1", kFloats, "M K"),
                                             In(kRight, "mat2", kFloats, "K N"),
                                             Factor(kBeta, "beta"),
                                             Factor(kAlpha, "alpha"),
                                             Out(kOut, "out", kFloats, "M N"),
                                             CubeMathType(4)};
inline constexpr ParamSpec kInplaceAddmmParams[] = {InOut(kOut, "selfRef", kFloats, "M N"),
                                                    In(kLeft, "mat1", kFloats, "M K"),
                                                    In(kRight, "mat2", kFloats, "K N"),
                                                    Factor(kBeta, "beta"),
                                                    Factor(kAlpha, "alpha"),
                                                    CubeMathType(4)};
inline constexpr ParamSpec kBaddbmmParams[] = {In(kSummand, "self", kFloats, "~BMN*"),
                                               In(kLeft, "batch1", kFloats, "B M K"),
                                               In(kRight, "batch2", kFloats, "B K N"),
                                               Factor(kBeta, "beta"),
                                               Factor(kAlpha, "alpha"),
                                               Out(kOut, "out", kFloats, "B M N"),
                                               CubeMathType(4)};
inline constexpr ParamSpec kInplaceBaddbmmParams[] = {InOut(kOut, "selfRef", kFloats, "B M N"),
                                                      In(kLeft, "batch1", kFloats, "B M K"),
                                                      In(kRight, "batch2", kFloats, "B K N"),
                                                      Factor(kBeta, "beta"),
                                                      Factor(kAlpha, "alpha"),
                                                      CubeMathType(4)};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"Mm">,
     .params = kMmParams,
     .prepare = Prepare<Rank::kMatrix>,
     .header = "aclnn_mm.h",
     .summary = "out = self @ mat2",
     .document = "ops-nn: matmul/mat_mul_v3/docs/aclnnMm.md"},
    {.op = kNames<"Matmul">,
     .params = kMatmulParams,
     .prepare = Prepare<Rank::kAny>,
     .header = "aclnn_matmul.h",
     .summary =
         "out = self @ mat2, of the last two dimensions; the others broadcast, and a vector is "
         "a row on the left and a column on the right",
     .document = "ops-nn: matmul/mat_mul_v3/docs/aclnnMatmul.md",
     .max_rank = 6},
    {.op = kNames<"BatchMatMul">,
     .params = kBatchParams,
     .prepare = Prepare<Rank::kBatch>,
     .header = "aclnn_batch_matmul.h",
     .summary = "out[b] = self[b] @ mat2[b]; a single matrix serves all b",
     .document = "ops-nn: matmul/batch_mat_mul_v3/docs/aclnnBatchMatMul.md",
     .max_rank = 3},
    {.op = kNames<"Addmm">,
     .params = kAddmmParams,
     .prepare = Prepare<Rank::kMatrix>,
     .header = "aclnn_addmm.h",
     .summary = "out = beta * self + alpha * (mat1 @ mat2)",
     .document = "ops-nn: matmul/mat_mul_v3/docs/aclnnAddmm&aclnnInplaceAddmm.md"},
    {.op = kNames<"InplaceAddmm">,
     .params = kInplaceAddmmParams,
     .prepare = Prepare<Rank::kMatrix>,
     .header = "aclnn_addmm.h",
     .summary = "selfRef = beta * selfRef + alpha * (mat1 @ mat2)",
     .document = "ops-nn: matmul/mat_mul_v3/docs/aclnnAddmm&aclnnInplaceAddmm.md"},
    {.op = kNames<"Baddbmm">,
     .params = kBaddbmmParams,
     .prepare = Prepare<Rank::kBatch>,
     .header = "aclnn_baddbmm.h",
     .summary = "out[b] = beta * self[b] + alpha * (batch1[b] @ batch2[b])",
     .document = "ops-nn: matmul/batch_mat_mul_v3/docs/aclnnBaddbmm&aclnnInplaceBaddbmm.md"},
    {.op = kNames<"InplaceBaddbmm">,
     .params = kInplaceBaddbmmParams,
     .prepare = Prepare<Rank::kBatch>,
     .header = "aclnn_baddbmm.h",
     .summary = "selfRef[b] = beta * selfRef[b] + alpha * (batch1[b] @ batch2[b])",
     .document = "ops-nn: matmul/batch_mat_mul_v3/docs/aclnnBaddbmm&aclnnInplaceBaddbmm.md"},
};

}  // namespace anyacl::matmul
