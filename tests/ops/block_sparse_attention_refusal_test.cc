// SPDX-License-Identifier: Apache-2.0
// What attention over blocks of keys refuses.
#include <functional>

#include "aclnn/opdev/op_errno.h"
#include "ops/block_sparse_attention_case.h"

namespace anyacl::test::block_sparse_attention {
namespace {

TEST_F(BlockSparseAttentionTest, RefusesWhatDoesNotFit) {
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR;
  const auto refused = [&](const Case& c, const std::function<void(Call&)>& change, int code,
                           std::initializer_list<std::string_view> words, bool both = true) {
    Data d;
    Call call = Prepared(c, &d);
    change(call);
    ExpectRefused(call.Forward(), code, words);
    if (both) ExpectRefused(call.Backward(), code, words);
  };
  const Case plain, ragged{.layout = "TND"};
  const auto made = [](const Shape& shape, aclDataType type) {
    return std::make_unique<Tensor>(Made(shape, type));
  };
  refused(plain, [](Call& c) { c.query_layout = "BSH"; }, kInvalid, {"qInputLayout", "BSH"});
  refused(plain, [](Call& c) { c.key_layout = "BSND"; }, kInvalid, {"kvInputLayout", "BSND"});
  refused(plain, [](Call& c) { c.mask_type = 1; }, kInvalid, {"maskType", "1"});
  refused(plain, [](Call& c) { c.before = 3; }, kInvalid, {"preTokens", "3"});
  refused(plain, [](Call& c) { c.key_heads = 1; }, kInvalid, {"numKeyValueHeads = 1", "2"});
  refused({.heads = 3}, [](Call&) {}, kInvalid, {"numKeyValueHeads = 2", "3 heads"});
  refused({.dim = 24}, [](Call&) {}, kInvalid, {"query.shape", "a multiple of 16"});
  refused({.dim = 144}, [](Call&) {}, kInvalid, {"query.shape", "up to 128"});
  refused(plain, [](Call& c) { c.rows = {5}; }, kInvalid, {"actualSeqLengthsOptional", "size 1"});
  refused(plain, [](Call& c) { c.keys = {}; }, kInvalid, {"actualSeqLengthsKvOptional", "0"});
  refused(plain,
          [](Call& c) {
            c.keys = {40, 41};
          },
          kInvalid, {"actualSeqLengthsKvOptional[1] = 41", "0 to 40"});
  refused(ragged,
          [](Call& c) {
            c.rows = {5, 10};
          },
          kInvalid, {"actualSeqLengthsOptional[1] = 10", "0 to 9"});
  refused(ragged, [](Call& c) { c.keys = {}; }, kNull, {"actualSeqLengthsKvOptional", "TND"});
  refused(plain, [](Call& c) { c.shape = {4}; }, kInvalid, {"blockShapeOptional", "4"});
  refused(plain, [](Call& c) { c.shape = {4, 0}; }, kInvalid, {"blockShapeOptional", "0"});
  refused(plain,
          [](Call& c) {
            c.shape = {8, 16};
          },
          kInvalid, {"blockSparseMaskOptional.shape = [2, 2, 3, 3]", "[2, 2, 2, 3]"});
  refused(plain,
          [&](Call& c) {
            c.value = made({2, 2, 41, 64}, ACL_FLOAT16);
          },
          kInvalid, {"value.shape = [2, 2, 41, 64]"});
  refused(plain,
          [&](Call& c) {
            c.key = made({1, 2, 40, 64}, ACL_FLOAT16);
          },
          kInvalid, {"key.shape = [1, 2, 40, 64]"});
  refused(plain,
          [&](Call& c) {
            c.query = made({2, 2, 0, 64}, ACL_FLOAT16);
          },
          kInvalid, {"query.shape = [2, 2, 0, 64]"});
  refused(plain,
          [&](Call& c) {
            c.lse = made({2, 2, 9}, ACL_FLOAT);
          },
          kInvalid, {"shape = [2, 2, 9]", "[2, 2, 9, 1]"});
  refused(
      plain, [](Call& c) { c.precision = 2; }, kInvalid, {"innerPrecise = 2"}, false);
  refused(
      {.type = ACL_BF16}, [](Call& c) { c.precision = 1; }, kInvalid,
      {"innerPrecise = 1", "FLOAT16"}, false);
  refused(
      plain, [](Call& c) { c.pages = 16; }, kInvalid, {"blockSize", "16"}, false);
  refused(
      plain, [](Call& c) { c.flag = 2; }, kInvalid, {"softmaxLseFlag", "2"}, false);
  refused(
      plain, [](Call& c) { c.lse = nullptr; }, kNull, {"null"}, true);
  refused(
      plain,
      [&](Call& c) {
        c.other = made({2, 3}, ACL_INT32);
      },
      kInvalid, {"blockTableOptional", "null"}, false);
}

}  // namespace
}  // namespace anyacl::test::block_sparse_attention
