// SPDX-License-Identifier: Apache-2.0
// ConvertWeightToINT4Pack: each number where the document's shapes put it.
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_convert_weight_to_int4_pack.h"
#include "support/device_test.h"

namespace anyacl::test {
namespace {

using Shape = std::vector<int64_t>;

class Int4PackTest : public DeviceTest {};

// Number n of a row lies in half n % 2 of its byte, and of panels of 64 columns in the one of its
// column: what is no number is 0.
TEST_F(Int4PackTest, RowsAndPanels) {
  for (const Shape& dims : {Shape{1, 2}, Shape{3, 8}, Shape{16, 64}, Shape{17, 72}, Shape{40, 328},
                            Shape{3, 5, 136}, Shape{2, 33, 64}}) {
    for (aclDataType type : {ACL_INT4, ACL_INT32}) {
      for (bool panels : {false, true}) {
        const int64_t n = dims.back(), k = dims[dims.size() - 2];
        if (type == ACL_INT32 && n % 8 != 0) continue;
        SCOPED_TRACE(::testing::Message() << k << " x " << n << " type " << type << " " << panels);
        Tensor weight({.dims = dims, .dtype = ACL_INT32});
        std::vector<int32_t> numbers;
        for (int64_t i = 0; i < weight.count(); ++i) {
          // Beyond the range the lowest four bits count.
          numbers.push_back(static_cast<int32_t>(random().Int(-20, 20)));
        }
        weight.Write(numbers);
        const int64_t each = type == ACL_INT32 ? 8 : 1;
        Shape seen = dims, storage = dims;
        seen.back() /= each;
        const int64_t wide = (n + 63) / 64, high = (k + 15) / 16;
        storage.resize(dims.size() - 2);
        storage.insert(storage.end(), {wide, high, 16, 64 / each});
        Tensor out({.dims = panels ? storage : seen, .dtype = type});
        if (panels) {
          aclInitTensor(out.handle(), seen.data(), seen.size(), type,
                        ContiguousStrides(seen).data(), 0, ACL_FORMAT_FRACTAL_NZ, storage.data(),
                        storage.size(), out.data());
        }
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnConvertWeightToINT4PackGetWorkspaceSize(weight.handle(), out.handle(), s,
                                                                  e);
            },
            aclnnConvertWeightToINT4Pack);
        const auto bytes = out.ElementBytes();
        for (size_t byte = 0; byte < bytes.size(); ++byte) {
          for (int64_t half : {0, 1}) {
            const int64_t at = static_cast<int64_t>(byte) * 2 + half;
            int64_t batch = at / (k * n), row = at / n % k, column = at % n;
            if (panels) {
              batch = at / (wide * high * 16 * 64);
              row = at / 64 % (high * 16);
              column = at / (high * 16 * 64) % wide * 64 + at % 64;
            }
            const bool is_number = row < k && column < n;
            const int expected =
                is_number ? numbers[static_cast<size_t>((batch * k + row) * n + column)] & 15 : 0;
            ASSERT_EQ(bytes[byte] >> (4 * half) & 15, expected)
                << batch << " " << row << " " << column;
          }
        }
        EXPECT_TRUE(out.GuardsIntact());
      }
    }
  }
}

TEST_F(Int4PackTest, Refusals) {
  const auto refused = [](const Shape& from, const Shape& to, aclDataType type,
                          std::initializer_list<std::string_view> words,
                          const Shape& storage = {}) {
    const Tensor weight({.dims = from, .dtype = ACL_INT32}), out({.dims = to, .dtype = type});
    if (!storage.empty()) {
      aclInitTensor(out.handle(), to.data(), to.size(), type, ContiguousStrides(to).data(), 0,
                    ACL_FORMAT_FRACTAL_NZ, storage.data(), storage.size(), out.data());
    }
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnConvertWeightToINT4PackGetWorkspaceSize(weight.handle(), out.handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  refused({4, 3}, {4, 3}, ACL_INT4, {"weightInt4Pack", "3", "even"});
  refused({4, 12}, {4, 1}, ACL_INT32, {"N = 12", "multiple of 8", "weightInt4Pack"});
  refused({4, 16}, {4, 16}, ACL_INT32, {"weightInt4Pack.shape"});
  refused({0, 16}, {0, 16}, ACL_INT4, {"weight.shape", "some elements"});
  refused({16}, {16}, ACL_INT4, {"weight.shape"});
  // Panels of INT8's width, and too few.
  refused({16, 64}, {16, 64}, ACL_INT4, {"storageShape", "[1, 1, 16, 64]"}, {2, 1, 16, 32});
  refused({16, 128}, {16, 128}, ACL_INT4, {"storageShape", "[2, 1, 16, 64]"}, {1, 1, 16, 64});
  // Where products take INT8's panels seen as INT32, this writes what it says.
  refused({16, 64}, {16, 8}, ACL_INT32, {"storageShape", "[1, 1, 16, 8]"}, {1, 1, 16, 32});
}

}  // namespace
}  // namespace anyacl::test
