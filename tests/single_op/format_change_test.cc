// SPDX-License-Identifier: Apache-2.0
// "Identity" and "TransData": changes of a tensor's format, as torch_npu asks for them.
#include <numeric>

#include "acl/acl_op_compiler.h"
#include "fixture.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace anyacl::test {
namespace {

using Shape = std::vector<int64_t>;

// A tensor as the client of a single operator describes it.
class OpTensor {
 public:
  OpTensor(const Shape& dims, const Shape& storage, aclFormat format,
           aclDataType type = ACL_FLOAT16)
      : count_(std::accumulate(storage.begin(), storage.end(), int64_t{1}, std::multiplies<>())),
        memory_(NewDeviceMemory(Bytes() + 32)),
        desc_(aclCreateTensorDesc(type, static_cast<int>(dims.size()), dims.data(), ACL_FORMAT_ND)),
        buffer_(aclCreateDataBuffer(memory_, Bytes())) {
    EXPECT_OK(aclSetTensorFormat(desc_, format));
    EXPECT_OK(aclSetTensorShape(desc_, static_cast<int>(storage.size()), storage.data()));
  }
  ~OpTensor() {
    aclDestroyTensorDesc(desc_);
    aclDestroyDataBuffer(buffer_);
    aclrtFree(memory_);
  }
  OpTensor(const OpTensor&) = delete;
  OpTensor& operator=(const OpTensor&) = delete;

  size_t Bytes() const { return static_cast<size_t>(count_) * sizeof(uint16_t); }
  uint16_t* data() const { return static_cast<uint16_t*>(memory_); }
  std::vector<uint16_t> Elements() const { return {data(), data() + count_}; }

  int64_t count_;
  void* memory_;
  aclTensorDesc* desc_;
  aclDataBuffer* buffer_;
};

using FormatChangeTest = RuntimeTest;

// The functions with the arguments that vary.
aclError aclopCompileAndExecute(const char* name, OpTensor& from, OpTensor& to) {
  return ::aclopCompileAndExecute(name, 1, &from.desc_, &from.buffer_, 1, &to.desc_, &to.buffer_,
                                  nullptr, ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, nullptr);
}
aclError aclopCompileAndExecuteV2(const char* name, OpTensor& from, OpTensor& to) {
  return ::aclopCompileAndExecuteV2(name, 1, &from.desc_, &from.buffer_, 1, &to.desc_, &to.buffer_,
                                    nullptr, ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, nullptr);
}

TEST_F(FormatChangeTest, IntoPanelsAndBack) {
  OpTensor plain({3, 20}, {3, 20}, ACL_FORMAT_ND);
  OpTensor nz({3, 20}, {2, 1, 16, 16}, ACL_FORMAT_FRACTAL_NZ);
  OpTensor back({3, 20}, {3, 20}, ACL_FORMAT_ND);
  for (uint16_t i = 0; i < 60; ++i) plain.data()[i] = static_cast<uint16_t>(i + 1);
  ASSERT_OK(aclopCompileAndExecute("Identity", plain, nz));
  ASSERT_OK(aclopCompileAndExecuteV2("TransData", nz, back));
  ASSERT_OK(aclrtSynchronizeDevice());
  std::vector<uint16_t> expected(512);
  for (size_t k = 0; k < 3; ++k) {
    for (size_t n = 0; n < 20; ++n) {
      expected[n / 16 * 256 + k * 16 + n % 16] = static_cast<uint16_t>(k * 20 + n + 1);
    }
  }
  EXPECT_EQ(nz.Elements(), expected);
  EXPECT_EQ(back.Elements(), plain.Elements());
}

TEST_F(FormatChangeTest, ARowOfNumbersIsAColumn) {
  OpTensor plain({5}, {5}, ACL_FORMAT_ND);
  OpTensor nz({5}, {1, 1, 16, 16}, ACL_FORMAT_FRACTAL_NZ);
  for (uint16_t i = 0; i < 5; ++i) plain.data()[i] = static_cast<uint16_t>(i + 1);
  ASSERT_OK(aclopCompileAndExecute("Identity", plain, nz));
  ASSERT_OK(aclrtSynchronizeDevice());
  std::vector<uint16_t> expected(256);
  for (size_t i = 0; i < 5; ++i) expected[i * 16] = static_cast<uint16_t>(i + 1);
  EXPECT_EQ(nz.Elements(), expected);
}

// Where channel c of pixel (d, h, w) of n lies in a format, by the definition of each.
size_t PlaceOf(aclFormat format, const Shape& s, int64_t n, int64_t c, int64_t d, int64_t h,
               int64_t w) {
  const int64_t c1 = (s[1] + 15) / 16, n1 = (s[0] + 15) / 16, b = c / 16;
  int64_t pixel = 0;
  switch (format) {
    case ACL_FORMAT_NC1HWC0:
      pixel = ((n * c1 + b) * s[3] + h) * s[4] + w;
      break;
    case ACL_FORMAT_NDC1HWC0:
      pixel = (((n * s[2] + d) * c1 + b) * s[3] + h) * s[4] + w;
      break;
    default:
      pixel = (((d * c1 + b) * s[3] + h) * s[4] + w) * n1 * 16 + n;
  }
  return static_cast<size_t>(pixel * 16 + c % 16);
}

TEST_F(FormatChangeTest, IntoBlocksOfChannelsAndBack) {
  // [N, C, D, H, W]; images have D = 1.
  for (const Shape& s : {Shape{2, 3, 1, 4, 5}, {17, 16, 1, 2, 3}, {3, 37, 1, 1, 4}}) {
    for (aclFormat format :
         {ACL_FORMAT_NC1HWC0, ACL_FORMAT_FRACTAL_Z, ACL_FORMAT_NDC1HWC0, ACL_FRACTAL_Z_3D}) {
      const bool volume = format == ACL_FORMAT_NDC1HWC0 || format == ACL_FRACTAL_Z_3D;
      const int64_t depth = volume ? 3 : 1, c1 = (s[1] + 15) / 16, n1 = (s[0] + 15) / 16;
      const Shape sizes = {s[0], s[1], depth, s[3], s[4]};
      const Shape dims = volume ? sizes : Shape{s[0], s[1], s[3], s[4]};
      const Shape blocks = format == ACL_FORMAT_NC1HWC0 ? Shape{s[0], c1, s[3], s[4], 16}
                           : format == ACL_FORMAT_NDC1HWC0
                               ? Shape{s[0], depth, c1, s[3], s[4], 16}
                               : Shape{depth * c1 * s[3] * s[4], n1, 16, 16};
      const aclFormat axes = volume ? ACL_FORMAT_NCDHW : ACL_FORMAT_NCHW;
      OpTensor plain(dims, dims, axes), blocked(dims, blocks, format), back(dims, dims, axes);
      std::vector<uint16_t> expected(static_cast<size_t>(blocked.count_));
      std::fill_n(blocked.data(), blocked.count_, uint16_t{7});
      for (int64_t i = 0; i < plain.count_; ++i) {
        const int64_t w = i % s[4], h = i / s[4] % s[3], d = i / (s[4] * s[3]) % depth;
        const int64_t c = i / (s[4] * s[3] * depth) % s[1], n = i / (s[4] * s[3] * depth * s[1]);
        plain.data()[i] = static_cast<uint16_t>(i + 1);
        expected[PlaceOf(format, sizes, n, c, d, h, w)] = static_cast<uint16_t>(i + 1);
      }
      ASSERT_OK(aclopCompileAndExecute("Identity", plain, blocked));
      ASSERT_OK(aclopCompileAndExecuteV2("TransData", blocked, back));
      ASSERT_OK(aclrtSynchronizeDevice());
      EXPECT_EQ(blocked.Elements(), expected) << "format " << format;
      EXPECT_EQ(back.Elements(), plain.Elements()) << "format " << format;
    }
  }
}

// Fewer dimensions are C, H and W.
TEST_F(FormatChangeTest, AMatrixIsChannelsOfRows) {
  OpTensor plain({10, 4}, {10, 4}, ACL_FORMAT_NCHW);
  OpTensor blocked({10, 4}, {1, 1, 4, 1, 16}, ACL_FORMAT_NC1HWC0);
  for (uint16_t i = 0; i < 40; ++i) plain.data()[i] = static_cast<uint16_t>(i + 1);
  ASSERT_OK(aclopCompileAndExecute("Identity", plain, blocked));
  ASSERT_OK(aclrtSynchronizeDevice());
  for (size_t i = 0; i < 64; ++i) {
    const size_t c = i % 16;
    EXPECT_EQ(blocked.data()[i], c < 10 ? c * 4 + i / 16 + 1 : 0) << i;
  }
}

TEST_F(FormatChangeTest, EqualFormatsAreCopied) {
  OpTensor from({2, 3, 4, 5}, {2, 3, 4, 5}, ACL_FORMAT_NCHW);
  OpTensor to({6, 20}, {6, 20}, ACL_FORMAT_ND);
  for (uint16_t i = 0; i < 120; ++i) from.data()[i] = static_cast<uint16_t>(3 * i);
  ASSERT_OK(aclopCompileAndExecuteV2("Identity", from, to));
  ASSERT_OK(aclrtSynchronizeDevice());
  EXPECT_EQ(to.Elements(), from.Elements());
}

TEST_F(FormatChangeTest, WhatDoesNotFitIsRefused) {
  OpTensor plain({3, 20}, {3, 20}, ACL_FORMAT_ND);
  OpTensor larger({3, 21}, {3, 21}, ACL_FORMAT_ND);
  OpTensor short_nz({3, 20}, {1, 1, 16, 16}, ACL_FORMAT_FRACTAL_NZ);
  OpTensor private_format({3, 20}, {1, 1, 3, 20, 16}, ACL_FORMAT_NC1HWC0);
  OpTensor other_type({3, 20}, {3, 20}, ACL_FORMAT_ND, ACL_BF16);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopCompileAndExecute("Identity", plain, larger),
               "[3, 21]", "[3, 20]");
  EXPECT_FAILS(161002, aclopCompileAndExecute("Identity", plain, short_nz), "Identity",
               "[1, 1, 16, 16]");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopCompileAndExecute("TransData", plain, private_format),
               "TransData", "NC1HWC0", "[1, 1, 3, 20, 16]");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclopCompileAndExecute("TransData", short_nz, private_format), "FRACTAL_NZ");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopCompileAndExecute("Identity", plain, other_type),
               "BF16", "FLOAT16");
  EXPECT_OK(aclUpdateDataBuffer(larger.buffer_, larger.memory_, 8));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopCompileAndExecute("Identity", larger, plain),
               "8 bytes", "126");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclopCompileAndExecute("Identity", 2, &plain.desc_, &plain.buffer_, 1, &larger.desc_,
                                      &larger.buffer_, nullptr, ACL_ENGINE_SYS, ACL_COMPILE_SYS,
                                      nullptr, nullptr),
               "2 tensors");
  const aclTensorDesc* none = nullptr;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclopCompileAndExecute("Identity", 1, &none, &plain.buffer_, 1, &larger.desc_,
                                      &larger.buffer_, nullptr, ACL_ENGINE_SYS, ACL_COMPILE_SYS,
                                      nullptr, nullptr),
               "inputDesc[0]");
}

}  // namespace
}  // namespace anyacl::test
