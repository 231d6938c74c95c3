// SPDX-License-Identifier: Apache-2.0
// The declarations of linear algebra: aclnnLinalgQr, aclnnQr, aclnnLinalgCholesky,
// aclnnTriangularSolve, aclnnLinalgCross, aclnnInverse, aclnnSlogdet, aclnnLogdet, aclnnSvd and by
// name Svd.
#pragma once

#include "nnop/operator.h"
#include "nnop/single_op.h"

namespace anyacl::linalg {

enum : int {
  kSelf,
  kOther,
  kDim,
  kMode,
  kQ,
  kR,
  kUpper,
  kTranspose,
  kUnitriangular,
  kX,
  kCopy,
  kOut,
  kVectors,
  kFull,
  kSome
};

Status PrepareQr(Operands& operands, PreparedCall* call);
Status PrepareTriangularSolve(Operands& operands, PreparedCall* call);
Status PrepareSvd(Operands& operands, PreparedCall* call);
Status PrepareInverse(Operands& operands, PreparedCall* call);
Status PrepareSlogdet(Operands& operands, PreparedCall* call);
Status PrepareLogdet(Operands& operands, PreparedCall* call);
Status PrepareCholesky(Operands& operands, PreparedCall* call);
Status PrepareCross(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kQrTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_COMPLEX64,
                                      ACL_COMPLEX128};
inline constexpr DTypeSet kSolveTypes = {ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kCrossTypes = {ACL_INT8,   ACL_INT16,     ACL_INT32,     ACL_INT64,
                                         ACL_UINT8,  ACL_FLOAT16,   ACL_BF16,      ACL_FLOAT,
                                         ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128};

constexpr ParamSpec AsSelf(ParamSpec row) { return Like(kSelf, row); }

inline constexpr ParamSpec kQrParams[] = {
    In(kSelf, "self", kQrTypes, "B* M N"),
    {.name = "mode",
     .id = kMode,
     .kind = Kind::kInt64,
     .min = 0,
     .max = 2,
     .note = "0: Q is [M, K] and R [K, N] with K = min(M, N); 1: [M, M] and [M, N]; 2: R as for 0, "
             "and Q is empty"},
    Out(kQ, "Q", kQrTypes, "Q*"),
    Out(kR, "R", kQrTypes, "R*")};

inline constexpr ParamSpec kQrOfSomeParams[] = {
    kQrParams[0],
    Value(kSome, "some", Kind::kBool,
          "Q is [M, K] and R [K, N] with K = min(M, N), else [M, M] and [M, N]"),
    kQrParams[2], kQrParams[3]};

inline constexpr DTypeSet kCholeskyTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
inline constexpr ParamSpec kCholeskyParams[] = {
    Noted(In(kSelf, "self", kCholeskyTypes, "B* N N"),
          "symmetric and positive definite; up to 8192 rows"),
    Value(kUpper, "upper", Kind::kBool,
          "whether out is the upper factor, of self's upper triangle; else the lower one"),
    AsSelf(Out(kOut, "out", kCholeskyTypes, "B* N N"))};

inline constexpr ParamSpec kTriangularSolveParams[] = {
    In(kSelf, "self", kSolveTypes, "~B* M K"),
    AsSelf(In(kOther, "A", kSolveTypes, "~B* M M")),
    Value(kUpper, "upper", Kind::kBool, "whether A is upper triangular; the rest is not read"),
    Value(kTranspose, "transpose", Kind::kBool, "solves transpose(A) @ xOut = self"),
    Value(kUnitriangular, "unitriangular", Kind::kBool,
          "takes A's diagonal for ones; FLOAT alone, as the document says"),
    AsSelf(Out(kX, "xOut", kSolveTypes, "X*")),
    AsSelf(Out(kCopy, "mOut", kSolveTypes, "Y*"))};

inline constexpr ParamSpec kCrossParams[] = {
    In(kSelf, "self", kCrossTypes, "~S*"), AsSelf(In(kOther, "other", kCrossTypes, "~S*")),
    Value(kDim, "dim", Kind::kInt64, "of self; -1 is the last one"),
    AsSelf(Out(kOut, "out", kCrossTypes, "S*"))};

inline constexpr DTypeSet kInverseTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE};
inline constexpr ParamSpec kInverseParams[] = {In(kSelf, "self", kInverseTypes, "B* N N"),
                                               AsSelf(Out(kOut, "out", kInverseTypes, "B* N N"))};
inline constexpr ParamSpec kSlogdetParams[] = {In(kSelf, "self", kSolveTypes, "B* N N"),
                                               Out(kQ, "signOut", kSolveTypes, "B*"),
                                               Out(kR, "logOut", kSolveTypes, "B*")};
inline constexpr ParamSpec kLogdetParams[] = {In(kSelf, "self", kSolveTypes, "B* N N"),
                                              Out(kOut, "out", kSolveTypes, "B*")};

inline constexpr DTypeSet kSvdTypes = {ACL_FLOAT, ACL_DOUBLE};
inline constexpr ParamSpec kSingularValuesParams[] = {
    In(kSelf, "input", kSolveTypes, "B* M N"),
    Value(kFull, "fullMatrices", Kind::kBool, "whether u and v are square"),
    Value(kVectors, "computeUV", Kind::kBool, "else u and v are left alone"),
    {.name = "sigma",
     .id = kQ,
     .direction = Direction::kOutput,
     .dtypes = kSolveTypes,
     .dims = "S*",
     .note = "of input's type, or the real one that it is made of"},
    AsSelf(Out(kR, "u", kSolveTypes, "U*")),
    AsSelf(Out(kX, "v", kSolveTypes, "V*"))};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"LinalgQr">,
     .params = kQrParams,
     .prepare = PrepareQr,
     .header = "aclnn_linalg_qr.h",
     .summary =
         "self = Q @ R, Q with orthonormal columns, R upper triangular, for each matrix of a "
         "batch",
     .document = "ops-math: math/qr/docs/aclnnLinalgQr.md",
     .max_rank = 8},
    {.op = kNames<"Qr">,
     .params = kQrOfSomeParams,
     .prepare = PrepareQr,
     .header = "aclnn_qr.h",
     .summary =
         "self = Q @ R, Q with orthonormal columns, R upper triangular, for each matrix of a "
         "batch",
     .document = "ops-math: math/qr/docs/aclnnQr.md",
     .codes = {.null = ACLNN_ERR_INNER_NULLPTR},
     .max_rank = 8},
    {.op = kNames<"LinalgCholesky">,
     .params = kCholeskyParams,
     .prepare = PrepareCholesky,
     .header = "aclnn_linalg_cholesky.h",
     .summary =
         "self = out @ transpose(out), out lower triangular, or transpose(out) @ out, out upper "
         "triangular, for each matrix of a batch",
     .document = "ops-math: math/cholesky/docs/aclnnLinalgCholesky.md",
     .max_rank = 8},
    {.op = kNames<"TriangularSolve">,
     .params = kTriangularSolveParams,
     .prepare = PrepareTriangularSolve,
     .header = "aclnn_triangular_solve.h",
     .summary =
         "A @ xOut = self for each matrix of a batch, A being triangular; mOut is a copy of A",
     .document = "ops-math: math/triangular_solve/docs/aclnnTriangularSolve.md",
     .max_rank = 8},
    {.op = kNames<"LinalgCross">,
     .params = kCrossParams,
     .prepare = PrepareCross,
     .header = "aclnn_linalg_cross.h",
     .summary = "out = self x other, the cross products along dimension dim, which has 3 entries",
     .document = "ops-math: math/cross/docs/aclnnLinalgCross.md",
     .max_rank = 8},
    {.op = kNames<"Inverse">,
     .params = kInverseParams,
     .prepare = PrepareInverse,
     .header = "aclnn_inverse.h",
     .summary = "out @ self = the unit matrix, for each matrix of a batch",
     .document = "ops-nn: index/matrix_inverse/docs/aclnnInverse.md",
     .max_rank = 8},
    {.op = kNames<"Slogdet">,
     .params = kSlogdetParams,
     .prepare = PrepareSlogdet,
     .header = "aclnn_slogdet.h",
     .summary = "signOut * e^logOut = the determinant of self, for each matrix of a batch",
     .document = "ops-math: math/slogdet/docs/aclnnSlogdet.md",
     .max_rank = 8},
    {.op = kNames<"Logdet">,
     .params = kLogdetParams,
     .prepare = PrepareLogdet,
     .header = "aclnn_logdet.h",
     .summary =
         "out = the natural logarithm of the determinant of self, for each matrix of a batch",
     .document = "ops-math: math/logdet/docs/aclnnLogdet.md",
     .max_rank = 8},
    {.op = kNames<"Svd">,
     .params = kSingularValuesParams,
     .prepare = PrepareSvd,
     .header = "aclnn_svd.h",
     .summary = "input = u @ diag(sigma) @ transpose(v), sigma falling, for each matrix of a batch",
     .document = "ops-math: math/svd/docs/aclnnSvd.md",
     .max_rank = 8},
};

// Called by name: x = u @ diag(sigma) @ transpose(v).
inline constexpr ParamSpec kSvdParams[] = {
    In(kSelf, "x", kSvdTypes, "B* M N"),        AsSelf(Out(kQ, "sigma", kSvdTypes, "S*")),
    AsSelf(Out(kR, "u", kSvdTypes, "U*")),      AsSelf(Out(kX, "v", kSvdTypes, "V*")),
    Value(kVectors, "compute_uv", Kind::kBool), Value(kFull, "full_matrices", Kind::kBool)};
inline constexpr OpSpec kNodes[] = {
    {.op = {"Svd", "Svd"}, .params = kSvdParams, .prepare = PrepareSvd, .codes = kNodeCodes}};
inline constexpr auto kSvdSources =
    InOrderOf<1, 3>({IntAttribute{"compute_uv", 1}, IntAttribute{"full_matrices", 0}});
inline constexpr SingleOpSpec kSingleOperators[] = {{"Svd", &kNodes[0], kSvdSources}};

}  // namespace anyacl::linalg
