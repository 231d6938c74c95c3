// SPDX-License-Identifier: Apache-2.0
// What quantised products refuse, and with which words.
#include "aclnn/opdev/op_errno.h"
#include "ops/quant_matmul_calls.h"
#include "support/device_test.h"
#include "support/tensor.h"

namespace anyacl::test::quant_matmul {
namespace {

using QuantMatmulRefusalTest = DeviceTest;

TEST_F(QuantMatmulRefusalTest, WhatDoesNotFitIsRefused) {
  const Tensor x({.dims = {2, 64}, .dtype = ACL_INT8}),
      weight({.dims = {64, 16}, .dtype = ACL_INT8}), int4({.dims = {64, 16}, .dtype = ACL_INT4}),
      int4_x({.dims = {2, 64}, .dtype = ACL_INT4}), odd_x({.dims = {2, 63}, .dtype = ACL_INT4}),
      short_int4({.dims = {63, 16}, .dtype = ACL_INT4}), coded({.dims = {1}, .dtype = ACL_UINT64}),
      scale({.dims = {16}}), two({.dims = {2}}), bf16_scale({.dims = {1}, .dtype = ACL_BF16}),
      half({.dims = {2, 16}, .dtype = ACL_FLOAT16}), bf16({.dims = {2, 16}, .dtype = ACL_BF16}),
      int8({.dims = {2, 16}, .dtype = ACL_INT8}), int32({.dims = {2, 16}, .dtype = ACL_INT32}),
      wide({.dims = {2, 17}, .dtype = ACL_BF16}),
      short_weight({.dims = {32, 16}, .dtype = ACL_INT8}),
      empty({.dims = {0, 64}, .dtype = ACL_INT8}), no_out({.dims = {0, 16}, .dtype = ACL_BF16}),
      bias({.dims = {16}, .dtype = ACL_INT32}), half_bias({.dims = {16}, .dtype = ACL_FLOAT16}),
      long_bias({.dims = {1, 1, 16}}), offset({.dims = {2}}),
      vector({.dims = {64}, .dtype = ACL_INT8}), batch_x({.dims = {2, 2, 64}, .dtype = ACL_INT8}),
      batch_weight({.dims = {3, 64, 16}, .dtype = ACL_INT8}),
      batch_out({.dims = {2, 2, 16}, .dtype = ACL_BF16}),
      int4_batch({.dims = {2, 64, 16}, .dtype = ACL_INT4}),
      panels({.dims = {64, 16},
              .dtype = ACL_INT8,
              .format = ACL_FORMAT_FRACTAL_NZ,
              .storage = {1, 5, 16, 32}});
  const auto refuse = [&](const Arguments& a, int code,
                          std::initializer_list<std::string_view> words) {
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return V5(a, s, e); }, code, words);
  };
  const int code = ACLNN_ERR_PARAM_INVALID;
  const Arguments good = {
      .x = x.handle(), .weight = weight.handle(), .scale = scale.handle(), .out = bf16.handle()};
  const auto with = [&](auto change) {
    Arguments a = good;
    change(a);
    return a;
  };
  using A = Arguments&;
  refuse(with([&](A a) { a.x = nullptr; }), ACLNN_ERR_PARAM_NULLPTR, {"x1 is null"});
  refuse(with([&](A a) { a.weight = nullptr; }), ACLNN_ERR_PARAM_NULLPTR, {"x2 is null"});
  refuse(with([&](A a) { a.scale = nullptr; }), ACLNN_ERR_PARAM_NULLPTR, {"x2Scale is null"});
  refuse(with([&](A a) { a.out = nullptr; }), ACLNN_ERR_PARAM_NULLPTR, {"out is null"});
  refuse(with([&](A a) { a.weight = int4.handle(); }), code,
         {"x2Scale.dtype = FLOAT", "UINT64", "x1 of INT8"});
  refuse(with([&](A a) { a.x = int4_x.handle(), a.weight = int4.handle(), a.out = int8.handle(); }),
         code, {"out.dtype = INT8", "FLOAT16 or BF16", "INT4"});
  refuse(with([&](A a) { a.scale = coded.handle(); }), code, {"x2Scale.dtype = UINT64", "BF16"});
  refuse(with([&](A a) { a.out = int8.handle(); }), code, {"x2Scale.dtype = FLOAT", "out of INT8"});
  refuse(with([&](A a) { a.out = half.handle(); }), code,
         {"out.dtype = FLOAT16", "x2Scale.dtype = FLOAT", "factors of rows"});
  refuse(with([&](A a) { a.out = half.handle(), a.scale = bf16_scale.handle(); }), code,
         {"x2Scale.dtype = BF16"});
  refuse(with([&](A a) {
           a.out = half.handle(), a.scale = coded.handle(), a.row_scale = two.handle();
         }),
         code, {"x1Scale is given", "x2Scale of UINT64"});
  refuse(with([&](A a) { a.out = int32.handle(), a.row_scale = two.handle(); }), code,
         {"x1Scale is given"});
  refuse(with([&](A a) { a.offset = scale.handle(); }), code, {"x2Offset is given", "out of BF16"});
  refuse(with([&](A a) { a.bias = half_bias.handle(); }), code, {"bias.dtype = FLOAT16", "BF16"});
  refuse(with([&](A a) { a.out = int32.handle(), a.bias = scale.handle(); }), code,
         {"bias.dtype = FLOAT", "INT32"});
  refuse(with([&](A a) { a.bias = long_bias.handle(); }), code,
         {"bias.shape = [1, 1, 16]", "[16]"});
  refuse(with([&](A a) { a.row_scale = scale.handle(); }), code, {"x1Scale.shape = [16]", "[2]"});
  refuse(with([&](A a) { a.scale = two.handle(); }), code, {"x2Scale.shape = [2]", "[1] or [16]"});
  refuse(with([&](A a) {
           a.out = int8.handle(), a.scale = coded.handle(), a.offset = offset.handle();
         }),
         code, {"x2Offset.shape = [2]"});
  refuse(with([&](A a) { a.out = wide.handle(); }), code, {"out.shape = [2, 17]", "[2, 16]"});
  refuse(with([&](A a) { a.weight = short_weight.handle(); }), code, {"K", "64", "32"});
  refuse(with([&](A a) { a.turn_weight = true; }), code, {"K", "64", "16"});
  refuse(with([&](A a) { a.x = empty.handle(), a.out = no_out.handle(); }), code,
         {"x1.shape = [0, 64]", "some elements"});
  refuse(with([&](A a) { a.x = vector.handle(); }), code, {"x1.shape = [64]", "rank 1"});
  refuse(with([&](A a) {
           a.x = batch_x.handle(), a.weight = batch_weight.handle(), a.out = batch_out.handle();
         }),
         code, {"broadcast"});
  refuse(with([&](A a) { a.x = odd_x.handle(), a.weight = short_int4.handle(); }), code,
         {"x1 has 63 INT4", "even"});
  refuse(with([&](A a) { a.x = int4_x.handle(), a.weight = int4.handle(), a.turn_x = true; }), code,
         {"transposeX1"});
  refuse(with([&](A a) { a.x = int4_x.handle(), a.weight = int4_batch.handle(); }), code,
         {"x2.shape = [2, 64, 16]", "2 dimensions"});
  refuse(with([&](A a) { a.out_scale = coded.handle(); }), code, {"yScale.shape = [1]", "null"});
  refuse(with([&](A a) { a.x_offset = scale.handle(); }), code, {"x1Offset.shape = [16]"});
  refuse(with([&](A a) { a.out_offset = scale.handle(); }), code, {"yOffset is given", "null"});
  refuse(with([&](A a) { a.weight = panels.handle(); }), code,
         {"x2 is FRACTAL_NZ", "[1, 5, 16, 32]", "[1, 4, 16, 32]"});
}

}  // namespace
}  // namespace anyacl::test::quant_matmul
