// SPDX-License-Identifier: Apache-2.0
// What is not offered, or does not go together, ends in ATB's code and a message.
#include "atb/atb_case.h"

namespace anyacl::test {
namespace {

using namespace atb::infer;

class AtbRefusalTest : public AtbTest {
 protected:
  template <class Param>
  static void ExpectNotMade(const Param& param, std::initializer_list<std::string_view> words) {
    TakeMessages();
    auto* operation = reinterpret_cast<atb::Operation*>(uintptr_t{8});
    ExpectFailure(atb::CreateOperation(param, &operation), atb::ERROR_INVALID_PARAM, words);
    EXPECT_EQ(operation, nullptr);
  }
  void ExpectNotSetUp(atb::Operation& operation, const atb::VariantPack& pack, int code,
                      std::initializer_list<std::string_view> words) {
    TakeMessages();
    uint64_t bytes = 99;
    ExpectFailure(operation.Setup(pack, bytes, context()), code, words);
    EXPECT_EQ(bytes, 0U);
    EXPECT_NE(operation.Execute(pack, nullptr, 0, context()), 0);
    TakeMessages();
  }
};

TEST_F(AtbRefusalTest, ParametersThatAreNotOffered) {
  PagedAttentionParam paged;
  ExpectNotMade(paged, {"headNum", "0"});
  paged.headNum = 6;
  paged.kvHeadNum = 4;
  ExpectNotMade(paged, {"kvHeadNum", "4", "6"});
  paged.kvHeadNum = 3;
  for (auto type :
       {PagedAttentionParam::TYPE_DEQUANT_FUSION, PagedAttentionParam::TYPE_QUANT_QKV_ONLINE}) {
    paged.quantType = type;
    ExpectNotMade(paged, {"quantType"});
  }
  paged.quantType = PagedAttentionParam::TYPE_QUANT_UNDEFINED;
  paged.maskType = PagedAttentionParam::MASK_TYPE_SPEC;
  ExpectNotMade(paged, {"maskType", "3"});
  SelfAttentionParam self;
  self.headNum = 1;
  ExpectNotMade(self, {"calcType", "0", "3"});
  self.calcType = SelfAttentionParam::PA_ENCODER;
  self.windowSize = 4;
  ExpectNotMade(self, {"windowSize", "4"});
  self.windowSize = 0;
  self.maskType = SelfAttentionParam::MASK_TYPE_ALIBI_COMPRESS;
  ExpectNotMade(self, {"maskType", "4"});
  ReshapeAndCacheParam cache;
  cache.compressType = ReshapeAndCacheParam::COMPRESS_TYPE_KVHEAD;
  ExpectNotMade(cache, {"compressType", "1"});
  cache.compressType = ReshapeAndCacheParam::COMPRESS_TYPE_UNDEFINED;
  const auto bypass = [](auto change) {
    SelfAttentionParam param;
    param.headNum = 1;
    param.calcType = SelfAttentionParam::PA_ENCODER;
    change(param);
    return param;
  };
  ExpectNotMade(bypass([](auto& p) { p.kvcacheCfg = SelfAttentionParam::K_BYPASS_V_BYPASS; }),
                {"kvcacheCfg", "1"});
  ExpectNotMade(bypass([](auto& p) { p.outDataType = ACL_FLOAT; }), {"outDataType", "0"});
  ExpectNotMade(bypass([](auto& p) { p.kernelType = SelfAttentionParam::KernelType(5); }),
                {"kernelType", "5"});
  LinearParam linear;
  linear.enAccum = true;
  ExpectNotMade(linear, {"hasBias", "enAccum"});
  GroupedMatmulInplaceAddParam grouped;
  grouped.transposeB = true;
  ExpectNotMade(grouped, {"transposeB", "1"});
  ElewiseParam elewise;
  elewise.elewiseType = ElewiseParam::ELEWISE_DYNAMIC_QUANT;
  ExpectNotMade(elewise, {"elewiseType", "19"});
  ExpectNotMade(RmsNormParam(), {"layerType", "0", "1"});
  GroupTopkParam groups;
  ExpectNotMade(groups, {"k", "0"});
  ExpectFailure(atb::CreateOperation(paged, nullptr), atb::ERROR_INVALID_OPERATION_ADDR,
                {"operation"});
  ExpectFailure(atb::CreateContext(nullptr), atb::ERROR_INVALID_CONTEXT_ADDR, {"context"});
  ExpectFailure(atb::DestroyContext(nullptr), atb::ERROR_INVALID_CONTEXT_ADDR, {"context"});
}

TEST_F(AtbRefusalTest, TensorsThatDoNotGoTogether) {
  SelfAttentionParam param;
  param.calcType = SelfAttentionParam::PA_ENCODER;
  param.headNum = 4;
  param.kvHeadNum = 2;
  const auto operation = Make(param);
  const Tensor query({.dims = {5, 4, 16}, .dtype = ACL_FLOAT16});
  const Tensor key({.dims = {5, 2, 16}, .dtype = ACL_FLOAT16});
  const Tensor out({.dims = {5, 4, 16}, .dtype = ACL_FLOAT16});
  std::vector<int32_t> lengths = {2, 3};
  atb::VariantPack right;
  right.inTensors = {OnDevice(query), OnDevice(key), OnDevice(key), InHost(lengths)};
  right.outTensors = {OnDevice(out)};
  uint64_t bytes = 0;
  ExpectFailure(operation->Execute(right, nullptr, 0, context()), atb::ERROR_INTERNAL_ERROR,
                {"Setup"});
  ASSERT_EQ(operation->Setup(right, bytes, context()), 0);

  atb::VariantPack pack = right;
  pack.inTensors.resize(3);
  ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_IN_TENSOR_NUM, {"inTensors", "3", "4"});
  pack = right;
  pack.outTensors.clear();
  ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_TENSOR_NUM, {"outTensors", "0", "1"});
  pack = right;
  pack.inTensors[1].desc.dtype = ACL_BF16;
  ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_TENSOR_DTYPE, {"key", "query"});
  pack = right;
  pack.inTensors[1].desc.shape.dims[1] = 1;
  ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_TENSOR_DIM, {"Nk"});
  pack = right;
  pack.inTensors[3].hostData = nullptr;
  ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_TENSOR_ADDR, {"hostData"});
  pack = right;
  pack.inTensors[0].desc.shape.dimNum = 9;
  ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_TENSOR_DIM_NUM, {"9"});
  pack = right;
  pack.outTensors[0].desc.shape.dims[2] = 8;
  ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_TENSOR_DIM, {"out", "16"});
  for (const auto& wrong : {std::vector<int32_t>{2, 4}, {-1, 3}, {2, INT32_MAX}}) {
    std::vector<int32_t> values = wrong;
    pack = right;
    pack.inTensors[3] = InHost(values);
    ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_TENSOR_DIM, {"contextLens"});
  }
  ExpectFailure(operation->Setup(right, bytes, nullptr), atb::ERROR_INVALID_CONTEXT_ADDR,
                {"context"});
}

// What the parameters say there is must be there, as large as its shape says, and in ND.
TEST_F(AtbRefusalTest, TensorsThatAreMissingOrShort) {
  LinearParam param;
  const auto operation = Make(param);
  const Tensor x({.dims = {4, 8}, .dtype = ACL_FLOAT}), bias({.dims = {3}, .dtype = ACL_FLOAT});
  const Tensor weight({.dims = {3, 8}, .dtype = ACL_FLOAT});
  const Tensor out({.dims = {4, 3}, .dtype = ACL_FLOAT});
  atb::VariantPack right;
  right.inTensors = {OnDevice(x), OnDevice(weight), OnDevice(bias)};
  right.outTensors = {OnDevice(out)};
  uint64_t bytes = 0;
  ASSERT_EQ(operation->Setup(right, bytes, context()), 0) << TakeMessages();
  for (size_t i = 0; i < 3; ++i) {
    atb::VariantPack pack = right;
    pack.inTensors[i] = atb::Tensor();
    ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_TENSOR_ADDR, {"inTensors", "empty"});
    pack = right;
    pack.inTensors[i].deviceData = nullptr;
    ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_TENSOR_ADDR, {"deviceData", "null"});
    pack = right;
    --pack.inTensors[i].dataSize;
    ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_TENSOR_SIZE, {"dataSize"});
    pack = right;
    pack.inTensors[i].desc.format = ACL_FORMAT_FRACTAL_NZ;
    ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_TENSOR_FORMAT, {"format", "ND"});
    pack = right;
    pack.inTensors[i].desc.shape.dims[0] = INT64_MAX;
    ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_TENSOR_DIM, {"inTensors"});
  }
  atb::VariantPack pack = right;
  pack.inTensors[2].desc.shape = DimsOf({4, 3});
  pack.inTensors[2].dataSize = 48;
  ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_TENSOR_DIM, {"bias"});
}

// InferShape takes what a client says of its tensors as it is.
TEST_F(AtbRefusalTest, DescriptionsWithTooManyDimensions) {
  SelfAttentionParam self;
  self.calcType = SelfAttentionParam::PA_ENCODER;
  self.headNum = 1;
  ElewiseParam add;
  add.elewiseType = ElewiseParam::ELEWISE_ADD;
  const auto check = [](const atb::Operation& operation) {
    TakeMessages();
    atb::SVector<atb::TensorDesc> descs, outputs;
    descs.resize(operation.GetInputNum());
    for (atb::TensorDesc& desc : descs) desc.shape.dimNum = 100000;
    ExpectFailure(operation.InferShape(descs, outputs), atb::ERROR_INVALID_TENSOR_DIM_NUM,
                  {"100000", "8"});
    for (atb::TensorDesc& desc : descs) desc.shape.dimNum = 0;
    EXPECT_EQ(operation.InferShape(descs, outputs), 0);
    EXPECT_EQ(outputs.size(), operation.GetOutputNum());
  };
  check(*Make(self));
  check(*Make(LinearParam()));
  const auto sum = Make(add);
  check(*sum);
  atb::SVector<atb::TensorDesc> descs, outputs;
  descs.push_back({ACL_FLOAT, ACL_FORMAT_ND, DimsOf({0, 5})});
  descs.push_back({ACL_FLOAT, ACL_FORMAT_ND, DimsOf({1, 5})});
  EXPECT_EQ(sum->InferShape(descs, outputs), 0);
  EXPECT_EQ(outputs[0].shape.dims[0], 0);
  descs[1].shape.dims[1] = 2;
  ExpectFailure(sum->InferShape(descs, outputs), atb::ERROR_INVALID_TENSOR_DIM, {"5", "2"});
}

// Keys of sequences beside values in blocks, which would be read far behind their end.
TEST_F(AtbRefusalTest, ValuesOfAnotherRank) {
  SelfAttentionParam param;
  param.calcType = SelfAttentionParam::PA_ENCODER;
  param.headNum = 2;
  const auto operation = Make(param);
  const Tensor query({.dims = {40, 2, 16}, .dtype = ACL_FLOAT16});
  const Tensor values({.dims = {2, 2, 2, 16}, .dtype = ACL_FLOAT16});
  std::vector<int32_t> lengths = {40};
  atb::VariantPack pack;
  pack.inTensors = {OnDevice(query), OnDevice(query), OnDevice(values), InHost(lengths)};
  pack.outTensors = {OnDevice(query)};
  ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_TENSOR_DIM, {"value", "rank"});
}

// A workspace that will not do costs no Setup.
TEST_F(AtbRefusalTest, WorkspacesThatWillNotDo) {
  RmsNormParam param;
  param.layerType = RmsNormParam::RMS_NORM_NORM;
  const auto operation = Make(param);
  Tensor x({.dims = {2, 16}, .dtype = ACL_FLOAT}), gamma({.dims = {16}, .dtype = ACL_FLOAT});
  Tensor out({.dims = {2, 16}, .dtype = ACL_FLOAT});
  Fill(gamma);
  atb::VariantPack pack;
  pack.inTensors = {OnDevice(x), OnDevice(gamma)};
  pack.outTensors = {OnDevice(out)};
  uint64_t bytes = 0;
  ASSERT_EQ(operation->Setup(pack, bytes, context()), 0) << TakeMessages();
  ASSERT_GT(bytes, 0U);
  const DeviceBuffer workspace(bytes);
  ExpectFailure(operation->Execute(pack, nullptr, bytes, context()),
                atb::ERROR_INVALID_WORKSPACE_ADDR, {"workspace", "null"});
  ExpectFailure(operation->Execute(pack, workspace.data(), bytes - 1, context()),
                atb::ERROR_INVALID_WORKSPACE_SIZE, {"workspaceSize"});
  Numbers first;
  for (int run = 0; run < 2; ++run) {
    const Numbers values = Fill(x);
    ASSERT_EQ(operation->Execute(pack, workspace.data(), bytes, context()), 0) << TakeMessages();
    ASSERT_OK(aclrtSynchronizeStream(stream()));
    const Numbers result = ReadAs(out);
    EXPECT_NE(result, first) << "run " << run;
    first = result;
  }
}

// A mask is read row by row: it must have them all.
TEST_F(AtbRefusalTest, MasksThatAreTooSmall) {
  PagedAttentionParam param;
  param.headNum = 2;
  param.maskType = PagedAttentionParam::MASK_TYPE_SPEC;
  param.calcType = PagedAttentionParam::CALC_TYPE_SPEC;
  const auto operation = Make(param);
  const Tensor query({.dims = {5, 2, 16}, .dtype = ACL_FLOAT16});
  const Tensor cache({.dims = {3, 4, 2, 16}, .dtype = ACL_FLOAT16});
  const Tensor table({.dims = {2, 3}, .dtype = ACL_INT32});
  const Tensor mask({.dims = {5, 10}, .dtype = ACL_FLOAT16});
  std::vector<int32_t> rows = {2, 3}, columns = {6, 10};
  atb::VariantPack right;
  right.inTensors = {OnDevice(query), OnDevice(cache), OnDevice(cache), OnDevice(table),
                     InHost(columns), OnDevice(mask),  InHost(rows)};
  right.outTensors = {OnDevice(query)};
  uint64_t bytes = 0;
  ASSERT_EQ(operation->Setup(right, bytes, context()), 0) << TakeMessages();
  for (size_t dim : {0, 1}) {
    atb::VariantPack pack = right;
    --pack.inTensors[5].desc.shape.dims[dim];
    ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_TENSOR_DIM, {"mask", "token"});
  }
}

// Of a cache's slots and blocks the data are known to the device alone.
TEST_F(AtbRefusalTest, DataThatLeaveTheCache) {
  const Tensor key({.dims = {2, 1, 16}, .dtype = ACL_FLOAT16});
  Tensor cache({.dims = {3, 4, 1, 16}, .dtype = ACL_FLOAT16});
  Tensor slots({.dims = {2}, .dtype = ACL_INT32});
  slots.Write(std::vector<int32_t>{1, 12});
  ReshapeAndCacheParam param;
  param.kvCacheCfg = ReshapeAndCacheParam::K_CACHE_V_BYPASS;
  const auto operation = Make(param);
  atb::VariantPack pack;
  pack.inTensors = {OnDevice(key), OnDevice(cache), OnDevice(slots)};
  pack.outTensors = {OnDevice(cache)};
  const auto before = cache.Bytes();
  uint64_t bytes = 0;
  ASSERT_EQ(operation->Setup(pack, bytes, context()), 0) << TakeMessages();
  ASSERT_EQ(operation->Execute(pack, nullptr, bytes, context()), 0) << TakeMessages();
  ExpectFailure(aclrtSynchronizeStream(stream()), ACL_ERROR_RT_AICORE_EXCEPTION, {"slots", "12"});
  EXPECT_EQ(cache.Bytes(), before);
  pack.outTensors = {OnDevice(key)};
  ExpectNotSetUp(*operation, pack, atb::ERROR_INVALID_TENSOR_ADDR, {"outTensors", "inTensors"});
}

TEST_F(AtbRefusalTest, SizesOfTensors) {
  atb::TensorDesc desc;
  EXPECT_EQ(atb::Utils::GetTensorNumel(desc), 0U);
  desc = {ACL_FLOAT16, ACL_FORMAT_ND, DimsOf({3, 5})};
  EXPECT_EQ(atb::Utils::GetTensorNumel(desc), 15U);
  EXPECT_EQ(atb::Utils::GetTensorSize(desc), 30U);
  desc.shape.dims[0] = -3;
  EXPECT_EQ(atb::Utils::GetTensorSize(desc), 0U);
  desc.shape.dimNum = 100;
  EXPECT_EQ(atb::Utils::GetTensorSize(desc), 0U);
  desc = {ACL_FLOAT, ACL_FORMAT_ND, DimsOf({(int64_t{1} << 59) + 1})};
  EXPECT_EQ(atb::Utils::GetTensorSize(desc), 0U);
}

}  // namespace
}  // namespace anyacl::test
