// SPDX-License-Identifier: Apache-2.0
// NpuFormatCast and its size function, against the definition of FRACTAL_NZ.
#include <memory>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_npu_format_cast.h"
#include "ops/movement_case.h"

namespace anyacl::test {
namespace {

constexpr int kNz = ACL_FORMAT_FRACTAL_NZ;
constexpr aclDataType kTypes[] = {ACL_INT8, ACL_BF16, ACL_FLOAT};

Shape NzShapeOf(const Shape& plain, int64_t columns) {
  Shape shape(plain.begin(), plain.end() - 2);
  const int64_t k = plain[plain.size() - 2], n = plain.back();
  shape.insert(shape.end(), {(n + columns - 1) / columns, (k + 15) / 16, 16, columns});
  return shape;
}

// Where each element of the panels comes from, -1: from nowhere.
std::vector<int64_t> SourcesOf(const Shape& plain, int64_t columns) {
  const int64_t k = plain[plain.size() - 2], n = plain.back();
  const Shape nz = NzShapeOf(plain, columns);
  std::vector<int64_t> sources;
  for (int64_t i = 0; i < CountOf(nz); ++i) {
    const int64_t column = i % columns;
    const int64_t row = i / columns % 16 + i / (16 * columns) % ((k + 15) / 16) * 16;
    const int64_t panel = i / (16 * columns * ((k + 15) / 16)) % nz[nz.size() - 4];
    const int64_t matrix = i / (16 * columns * ((k + 15) / 16) * nz[nz.size() - 4]);
    const int64_t at = panel * columns + column;
    sources.push_back(row < k && at < n ? (matrix * k + row) * n + at : -1);
  }
  return sources;
}

class FormatCastTest : public DeviceTest {
 protected:
  static Phase1 Cast(const aclTensor* from, aclTensor* to) {
    return [=](uint64_t* size, aclOpExecutor** executor) {
      return aclnnNpuFormatCastGetWorkspaceSize(from, to, size, executor);
    };
  }
  static Tensor Nz(const Shape& shape, aclDataType type, int64_t offset = 0) {
    return Tensor({.dims = shape,
                   .dtype = type,
                   .offset = offset,
                   .format = ACL_FORMAT_FRACTAL_NZ,
                   .storage = shape});
  }
};

// A handle that calls the panels by the shape of their matrix, as torch_npu does.
std::unique_ptr<aclTensor, decltype(aclDestroyTensor)*> AsMatrix(const Tensor& nz,
                                                                 const Shape& plain) {
  const auto strides = ContiguousStrides(plain);
  const Layout& layout = nz.layout();
  return {aclCreateTensor(plain.data(), plain.size(), layout.dtype, strides.data(), layout.offset,
                          ACL_FORMAT_FRACTAL_NZ, layout.dims.data(), layout.dims.size(), nz.data()),
          aclDestroyTensor};
}

TEST_F(FormatCastTest, IntoPanelsAndBack) {
  const Shape shapes[] = {{1, 1},    {16, 16},    {17, 33},       {3, 40},
                          {100, 64}, {2, 31, 15}, {3, 2, 20, 36}, {1, 2, 1, 2, 5, 70}};
  for (const Shape& shape : shapes) {
    for (aclDataType type : kTypes) {
      for (int64_t columns : {8, 16, 32}) {
        for (bool named : {false, true}) {
          SCOPED_TRACE(::testing::Message() << ::testing::PrintToString(shape) << " type " << type
                                            << ", " << columns << " columns");
          Tensor plain({.dims = shape, .dtype = type, .offset = 3});
          Tensor nz = Nz(NzShapeOf(shape, columns), type, 2);
          Tensor back({.dims = shape, .dtype = type, .format = ACL_FORMAT_NCHW});
          const auto matrix = AsMatrix(nz, shape);
          aclTensor* handle = named ? matrix.get() : nz.handle();
          const Elements given = FillRandomly(plain, random());
          RunTwoPhase(Cast(plain.handle(), handle), aclnnNpuFormatCast);
          Elements expected;
          for (int64_t k : SourcesOf(shape, columns)) {
            expected.push_back(k < 0 ? 0 : given[static_cast<size_t>(k)]);
          }
          ASSERT_EQ(ReadBits(nz), expected);
          EXPECT_TRUE(nz.GuardsIntact());
          RunTwoPhase(Cast(handle, back.handle()), aclnnNpuFormatCast);
          ASSERT_EQ(ReadBits(back), given);
          EXPECT_TRUE(back.GuardsIntact());
        }
      }
    }
  }
}

TEST_F(FormatCastTest, NothingToDoForEmptyTensors) {
  Tensor plain({.dims = {0, 5}, .dtype = ACL_INT8});
  Tensor nz = Nz({1, 0, 16, 32}, ACL_INT8);
  RunTwoPhase(Cast(plain.handle(), nz.handle()), aclnnNpuFormatCast);
  RunTwoPhase(Cast(nz.handle(), plain.handle()), aclnnNpuFormatCast);
}

TEST_F(FormatCastTest, ShapesThatDoNotBelongTogetherAreRefused) {
  Tensor plain({.dims = {17, 33}, .dtype = ACL_FLOAT16});
  Tensor vector({.dims = {17}, .dtype = ACL_FLOAT16});
  Tensor strided({.dims = {17, 33}, .dtype = ACL_FLOAT16, .strides = {1, 17}});
  Tensor nz = Nz({3, 2, 16, 16}, ACL_FLOAT16), short_nz = Nz({2, 2, 16, 16}, ACL_FLOAT16),
         odd = Nz({3, 2, 16, 12}, ACL_FLOAT16), other = Nz({3, 2, 16, 16}, ACL_BF16);
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(Cast(plain.handle(), short_nz.handle()), kInvalid,
                {"dstTensor", "[2, 2, 16, 16]", "[3, 2, 16, 16]", "[17, 33]"});
  ExpectRefused(Cast(plain.handle(), odd.handle()), kInvalid, {"dstTensor", "8, 16 or 32"});
  ExpectRefused(Cast(vector.handle(), nz.handle()), kInvalid, {"srcTensor", "rank 1", "2 to 6"});
  ExpectRefused(Cast(strided.handle(), nz.handle()), kInvalid, {"srcTensor", "contiguous"});
  ExpectRefused(Cast(nz.handle(), strided.handle()), kInvalid, {"dstTensor", "contiguous"});
  ExpectRefused(Cast(plain.handle(), other.handle()), kInvalid, {"dstTensor", "BF16"});
  ExpectRefused(Cast(plain.handle(), plain.handle()), kInvalid, {"format", "FRACTAL_NZ"});
  ExpectRefused(Cast(nz.handle(), nz.handle()), kInvalid, {"format", "ND"});
}

struct Size {
  int code = 0;
  Shape shape;
  int format = -1;
};

Size SizeFor(const aclTensor* source, int format, int type) {
  int64_t* dims = nullptr;
  uint64_t rank = 0;
  Size size;
  size.code =
      aclnnNpuFormatCastCalculateSizeAndFormat(source, format, type, &dims, &rank, &size.format);
  if (size.code != ACL_SUCCESS) return size;
  size.shape.assign(dims, dims + rank);
  delete[] dims;
  return size;
}

TEST_F(FormatCastTest, SizeFollowsTheTypeThatIsMultiplied) {
  Tensor plain({.dims = {4, 40, 70}, .dtype = ACL_FLOAT, .format = ACL_FORMAT_NCL});
  EXPECT_EQ(SizeFor(plain.handle(), kNz, -1).shape, (Shape{4, 9, 3, 16, 8}));
  EXPECT_EQ(SizeFor(plain.handle(), kNz, ACL_FLOAT16).shape, (Shape{4, 5, 3, 16, 16}));
  EXPECT_EQ(SizeFor(plain.handle(), kNz, ACL_INT8).shape, (Shape{4, 3, 3, 16, 32}));
  EXPECT_EQ(SizeFor(plain.handle(), kNz, ACL_INT8).format, kNz);
  Tensor nz = Nz({5, 3, 16, 16}, ACL_FLOAT16);
  const auto matrix = AsMatrix(nz, {40, 70});
  EXPECT_EQ(SizeFor(matrix.get(), ACL_FORMAT_ND, -1).shape, (Shape{40, 70}));
  EXPECT_EQ(SizeFor(matrix.get(), ACL_FORMAT_ND, -1).format, ACL_FORMAT_ND);
}

TEST_F(FormatCastTest, SizeRefuses) {
  Tensor plain({.dims = {40, 70}}), empty({.dims = {40, 0}}), vector({.dims = {40}}),
      wide({.dims = {4, 4}, .dtype = ACL_INT64});
  EXPECT_EQ(SizeFor(nullptr, kNz, -1).code, ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(SizeFor(plain.handle(), kNz, ACL_INT64).code, ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(SizeFor(plain.handle(), kNz, 77).code, ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(SizeFor(wide.handle(), kNz, -1).code, ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(SizeFor(empty.handle(), kNz, -1).code, ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(SizeFor(vector.handle(), kNz, -1).code, ACLNN_ERR_PARAM_INVALID);
  for (int format : {int{ACL_FORMAT_ND}, int{ACL_FORMAT_NC1HWC0}, int{ACL_FORMAT_FRACTAL_Z}, 999}) {
    EXPECT_EQ(SizeFor(plain.handle(), format, -1).code, ACLNN_ERR_RUNTIME_ERROR);
  }
  int64_t* dims = nullptr;
  uint64_t rank = 0;
  int format = 0;
  EXPECT_EQ(
      aclnnNpuFormatCastCalculateSizeAndFormat(plain.handle(), kNz, -1, nullptr, &rank, &format),
      ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(
      aclnnNpuFormatCastCalculateSizeAndFormat(plain.handle(), kNz, -1, &dims, nullptr, &format),
      ACLNN_ERR_PARAM_NULLPTR);
}

}  // namespace
}  // namespace anyacl::test
