// SPDX-License-Identifier: Apache-2.0
// Signs as bits and back, bit by bit.
#include <cmath>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_sign_bits_pack.h"
#include "aclnnop/aclnn_sign_bits_unpack.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

class SignBitsTest : public DeviceTest {
 protected:
  // [rows, columns], each element two apart, or row by row from the end on, or columns first.
  static std::vector<Layout> Outs(int64_t rows, int64_t columns, aclDataType type) {
    const std::vector<int64_t> dims = {rows, columns};
    return {{.dims = dims, .dtype = type},
            {.dims = dims, .dtype = type, .strides = {2 * columns, 2}},
            {.dims = dims, .dtype = type, .strides = {-columns, 1}, .offset = (rows - 1) * columns},
            {.dims = dims, .dtype = type, .strides = {1, rows}}};
  }
  static Phase1 Pack(const Tensor& self, int64_t size, const Tensor& out) {
    return [&self, size, &out](uint64_t* s, aclOpExecutor** e) {
      return aclnnSignBitsPackGetWorkspaceSize(self.handle(), size, out.handle(), s, e);
    };
  }
  static Phase1 Unpack(const Tensor& self, int64_t size, aclDataType type, const Tensor& out) {
    return [&self, size, type, &out](uint64_t* s, aclOpExecutor** e) {
      return aclnnSignBitsUnpackGetWorkspaceSize(self.handle(), size, type, out.handle(), s, e);
    };
  }
};

// The example of torch_npu's document.
TEST_F(SignBitsTest, Example) {
  Tensor self({.dims = {14}}), bytes({.dims = {2, 1}, .dtype = ACL_UINT8}), out({.dims = {2, 8}});
  WriteAs(self, {5, 4, 3, 2, 0, -1, -2, 4, 3, 2, 1, 0, -1, -2});
  RunTwoPhase(Pack(self, 2, bytes), aclnnSignBitsPack);
  EXPECT_EQ(bytes.Read<uint8_t>(), (std::vector<uint8_t>{159, 15}));
  Tensor packed({.dims = {2}, .dtype = ACL_UINT8});
  packed.Write(std::vector<uint8_t>{159, 15});
  RunTwoPhase(Unpack(packed, 2, ACL_FLOAT, out), aclnnSignBitsUnpack);
  EXPECT_EQ(ReadAs(out),
            (std::vector<double>{1, 1, 1, 1, 1, -1, -1, 1, 1, 1, 1, 1, -1, -1, -1, -1}));
}

TEST_F(SignBitsTest, Pack) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (int64_t count : {1, 8, 17, 48, 1000, 2048 * 8, 100003}) {
      const int64_t bytes = (count + 7) / 8;
      const int64_t size = bytes % 3 == 0 ? 3 : 1;
      for (int64_t stride : {1, 2, -1}) {
        Tensor self({.dims = {count},
                     .dtype = type,
                     .strides = {stride},
                     .offset = stride < 0 ? count - 1 : 0});
        std::vector<double> values;
        for (int64_t i = 0; i < count; ++i) values.push_back(random().Normal(0, 1));
        values[0] = -0.0;
        if (count > 12) {
          values[9] = std::numeric_limits<double>::infinity();
          values[10] = -std::numeric_limits<double>::infinity();
          values[11] = 0;
        }
        WriteAs(self, values);
        std::vector<uint8_t> expected(static_cast<size_t>(bytes), 0);
        for (size_t i = 0; i < values.size(); ++i) {
          if (AsHeld(type, values[i]) < 0) continue;
          expected[i / 8] = static_cast<uint8_t>(expected[i / 8] | 1 << i % 8);
        }
        for (const Layout& layout : Outs(size, bytes / size, ACL_UINT8)) {
          const Tensor out(layout);
          RunTwoPhase(Pack(self, size, out), aclnnSignBitsPack);
          ASSERT_EQ(out.Read<uint8_t>(), expected) << count << " " << stride;
          EXPECT_TRUE(out.GuardsIntact());
        }
      }
    }
  }
}

TEST_F(SignBitsTest, Unpack) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (int64_t bytes : {1, 3, 256, 2001, 12345}) {
      for (int64_t size : {int64_t{1}, int64_t{4}, 8 * bytes}) {
        for (int64_t stride : {1, 2, -1}) {
          Tensor self({.dims = {bytes},
                       .dtype = ACL_UINT8,
                       .strides = {stride},
                       .offset = stride < 0 ? bytes - 1 : 0});
          std::vector<uint8_t> values;
          for (int64_t i = 0; i < bytes; ++i) {
            values.push_back(static_cast<uint8_t>(random().Int(0, 255)));
          }
          self.Write(values);
          std::vector<double> expected;
          for (int64_t i = 0; i < 8 * bytes; ++i) {
            expected.push_back((values[static_cast<size_t>(i / 8)] >> i % 8 & 1) != 0 ? 1 : -1);
          }
          for (const Layout& layout : Outs(size, 8 * bytes / size, type)) {
            const Tensor out(layout);
            RunTwoPhase(Unpack(self, size, type, out), aclnnSignBitsUnpack);
            ASSERT_EQ(ReadAs(out), expected) << bytes << " " << size << " " << stride;
            EXPECT_TRUE(out.GuardsIntact());
          }
        }
      }
    }
  }
}

TEST_F(SignBitsTest, NoneAndRefusals) {
  const Tensor none({.dims = {0}}), no_bytes({.dims = {0}, .dtype = ACL_UINT8});
  const Tensor none_out({.dims = {2, 0}}), no_bytes_out({.dims = {2, 0}, .dtype = ACL_UINT8});
  RunTwoPhase(Pack(none, 2, no_bytes_out), aclnnSignBitsPack);
  RunTwoPhase(Unpack(no_bytes, 2, ACL_FLOAT, none_out), aclnnSignBitsUnpack);

  const Tensor x({.dims = {14}}), packed({.dims = {2, 1}, .dtype = ACL_UINT8});
  const Tensor wide({.dims = {3, 1}, .dtype = ACL_UINT8}), square({.dims = {4, 4}});
  ExpectRefused(Pack(x, 0, packed), ACLNN_ERR_PARAM_INVALID, {"size", "0"});
  ExpectRefused(Pack(x, 3, packed), ACLNN_ERR_PARAM_INVALID, {"out.shape[0] = 2", "size = 3"});
  ExpectRefused(Pack(x, 3, wide), ACLNN_ERR_PARAM_INVALID, {"[3, 1]", "[14]"});
  ExpectRefused(Pack(square, 2, packed), ACLNN_ERR_PARAM_INVALID, {"[4, 4]"});

  const Tensor bytes({.dims = {2}, .dtype = ACL_UINT8}), out({.dims = {2, 8}});
  const Tensor third({.dims = {3, 5}});
  ExpectRefused(Unpack(bytes, 2, ACL_FLOAT16, out), ACLNN_ERR_PARAM_INVALID,
                {"dtype", "FLOAT16", "FLOAT"});
  ExpectRefused(Unpack(bytes, -1, ACL_FLOAT, out), ACLNN_ERR_PARAM_INVALID, {"size", "-1"});
  ExpectRefused(Unpack(bytes, 4, ACL_FLOAT, out), ACLNN_ERR_PARAM_INVALID,
                {"out.shape[0] = 2", "size = 4"});
  ExpectRefused(Unpack(bytes, 3, ACL_FLOAT, third), ACLNN_ERR_PARAM_INVALID, {"[3, 5]", "[2]"});
}

}  // namespace
}  // namespace anyacl::test
