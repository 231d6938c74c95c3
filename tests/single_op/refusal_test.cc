// SPDX-License-Identifier: Apache-2.0
// What is present and not offered says so: nothing here succeeds without effect.
#include <cstddef>
#include <cstring>

#include "acl/acl_dump.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_prof.h"
#include "fixture.h"
#include "hccl/hccl.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

// No public header declares them.
extern "C" int32_t MsprofSetDeviceIdByGeModelIdx(uint32_t model, uint32_t device);
extern "C" int32_t MsprofUnsetDeviceIdByGeModelIdx(uint32_t model, uint32_t device);
extern "C" int drvGetDevNum(uint32_t* num_dev);
extern "C" int halGetAPIVersion(int32_t* version);
extern "C" int halGetDeviceInfo(uint32_t device, int32_t module, int32_t info, int64_t* value);

namespace anyacl::test {
namespace {

class SingleOpRefusalTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const int64_t dims[] = {2, 48};
    const int64_t blocks[] = {3, 1, 16, 16};
    input_ = aclCreateTensorDesc(ACL_FLOAT16, 2, dims, ACL_FORMAT_ND);
    output_ = aclCreateTensorDesc(ACL_FLOAT16, 2, dims, ACL_FORMAT_ND);
    EXPECT_OK(aclSetTensorFormat(output_, ACL_FORMAT_FRACTAL_NZ));
    EXPECT_OK(aclSetTensorShape(output_, 4, blocks));
  }
  void TearDown() override {
    aclDestroyTensorDesc(input_);
    aclDestroyTensorDesc(output_);
  }
  aclTensorDesc* input_ = nullptr;
  aclTensorDesc* output_ = nullptr;
};

TEST_F(SingleOpRefusalTest, NamesTheOperatorAndItsTensors) {
  EXPECT_FAILS(ACL_ERROR_OP_NOT_FOUND,
               aclopCompileAndExecute("IsFinite", 1, &input_, nullptr, 1, &output_, nullptr,
                                      nullptr, ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, nullptr),
               "IsFinite", "not offered", "FLOAT16", "2, 48", "FRACTAL_NZ", "aclnnIsFinite");
  EXPECT_FAILS(ACL_ERROR_OP_NOT_FOUND,
               aclopCompileAndExecuteV2("MaskedSelect", 1, &input_, nullptr, 1, &output_, nullptr,
                                        nullptr, ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, nullptr),
               "MaskedSelect", "not offered");
  EXPECT_FAILS(ACL_ERROR_OP_NOT_FOUND,
               aclopCompile("Add", 1, &input_, 1, &output_, nullptr, ACL_ENGINE_SYS,
                            ACL_COMPILE_SYS, nullptr),
               "Add", "not offered");
  EXPECT_FAILS(ACL_ERROR_OP_NOT_FOUND,
               aclopExecuteV2("Mul", 1, &input_, nullptr, 1, &output_, nullptr, nullptr, nullptr),
               "Mul", "not offered");
  EXPECT_FAILS(ACL_ERROR_OP_NOT_FOUND,
               aclopExecute("Mul", 1, &input_, nullptr, 1, &output_, nullptr, nullptr, nullptr),
               "Mul", "not offered");
  EXPECT_FAILS(ACL_ERROR_OP_NOT_FOUND, aclopCast(input_, nullptr, output_, nullptr, 0, nullptr),
               "Cast", "not offered");
  EXPECT_FAILS(ACL_ERROR_OP_NOT_FOUND,
               aclopInferShape("Range", 1, &input_, nullptr, 1, &output_, nullptr), "Range");
  EXPECT_FAILS(ACL_ERROR_OP_NOT_FOUND,
               aclGenGraphAndDumpForOp("Conv2D", 1, &input_, nullptr, 1, &output_, nullptr, nullptr,
                                       ACL_ENGINE_SYS, "/tmp", nullptr),
               "Conv2D");
}

TEST_F(SingleOpRefusalTest, SurvivesDescriptionsThatAreNone) {
  const aclTensorDesc* none[] = {nullptr, reinterpret_cast<const aclTensorDesc*>(this)};
  EXPECT_FAILS(ACL_ERROR_OP_NOT_FOUND, aclopUpdateParams("Add", 2, none, 1, nullptr, nullptr),
               "not a description");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopUpdateParams(nullptr, 0, none, 0, none, nullptr),
               "opType");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopUpdateParams("Add", -1, none, 0, none, nullptr),
               "numInputs", "-1");
}

TEST_F(SingleOpRefusalTest, NoHandleIsEverAlive) {
  auto* handle = reinterpret_cast<aclopHandle*>(this);
  EXPECT_FAILS(ACL_ERROR_OP_NOT_FOUND,
               aclopCreateHandle("Add", 1, &input_, 1, &output_, nullptr, &handle), "Add");
  EXPECT_EQ(handle, nullptr);
  EXPECT_FAILS(ACL_ERROR_OP_NOT_FOUND, aclopCreateHandleForCast(input_, output_, 0, &handle),
               "Cast");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclopExecWithHandle(nullptr, 0, nullptr, 0, nullptr, nullptr), "handle");
  aclopDestroyHandle(nullptr);
}

TEST_F(SingleOpRefusalTest, ModelsAndKernelsOfTheCaller) {
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclopSetModelDir("/"), "not offered");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopSetModelDir("/nowhere/at/all"), "modelDir");
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclopLoad(this, 8), "not offered");
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclopRegisterCompileFunc("Add", nullptr),
               "not offered");
  EXPECT_OK(aclopSetMaxOpQueueNum(10));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopSetMaxOpQueueNum(0), "maxOpNum");
}

TEST(CompileOptionsTest, AreKeptForThoseWhoReadThemBack) {
  EXPECT_EQ(aclGetCompileoptSize(ACL_OP_JIT_COMPILE), sizeof("disable"));
  char value[16] = {};
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclGetCompileopt(ACL_OP_JIT_COMPILE, value, 7), "length",
               "7");
  EXPECT_OK(aclSetCompileopt(ACL_OP_JIT_COMPILE, "enable"));
  EXPECT_OK(aclGetCompileopt(ACL_OP_JIT_COMPILE, value, 8));
  EXPECT_STREQ(value, "disable");
  EXPECT_EQ(aclGetCompileoptSize(ACL_OP_DEBUG_OPTION), 0u);
  EXPECT_FAILS(ACL_ERROR_API_NOT_SUPPORT, aclGetCompileopt(ACL_OP_DEBUG_OPTION, value, 16), "opt");
  EXPECT_OK(aclSetCompileopt(ACL_OP_DEBUG_OPTION, "oom"));
  EXPECT_EQ(aclGetCompileoptSize(ACL_OP_DEBUG_OPTION), sizeof("oom"));
  EXPECT_OK(aclGetCompileopt(ACL_OP_DEBUG_OPTION, value, 16));
  EXPECT_STREQ(value, "oom");
  EXPECT_OK(aclSetCompileopt(ACL_PRECISION_MODE, "must_keep_origin_dtype"));
  EXPECT_FAILS(ACL_ERROR_API_NOT_SUPPORT, aclGetCompileopt(ACL_PRECISION_MODE, value, 16), "opt");
  EXPECT_FAILS(ACL_ERROR_FEATURE_UNSUPPORTED, aclSetCompileopt(ACL_AUTO_TUNE_MODE, "GA"),
               "ACL_AUTO_TUNE_MODE");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclSetCompileopt(ACL_ALLOW_HF32, nullptr), "value");
  for (int opt : BeyondEnum({-1, 17})) {
    EXPECT_FAILS(ACL_ERROR_INTERNAL_ERROR, aclSetCompileopt(static_cast<aclCompileOpt>(opt), "1"),
                 "opt");
    EXPECT_EQ(aclGetCompileoptSize(static_cast<aclCompileOpt>(opt)), 0u);
  }
  EXPECT_OK(aclopSetCompileFlag(ACL_OP_COMPILE_FUZZ));
}

TEST(CompileOptionsTest, GraphDumpOptionsAreObjects) {
  aclGraphDumpOption* option = aclCreateGraphDumpOpt();
  ASSERT_NE(option, nullptr);
  EXPECT_OK(aclDestroyGraphDumpOpt(option));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclDestroyGraphDumpOpt(option), "graphDumpOpt");
}

// The rest of profiling is in tests/runtime/profile_test.cc.
TEST(ProfilerRefusalTest, ModelsHaveNoFigures) {
  EXPECT_EQ(aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, nullptr), nullptr);
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclprofModelUnSubscribe(1), "not offered");
  EXPECT_EQ(aclprofGetOpFlag(nullptr, 0, 0), ACL_SUBSCRIBE_NONE);
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclprofRangePop(), "not offered");
  // Features are in the version that means that there is none.
  size_t count = 0;
  void* features = nullptr;
  EXPECT_OK(aclprofGetSupportedFeatures(&count, &features));
  EXPECT_GT(count, 0u);
  EXPECT_NE(features, nullptr);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofGetSupportedFeatures(nullptr, &features), "null");
  EXPECT_EQ(aclprofStr2Id("a"), aclprofStr2Id("a"));
  EXPECT_NE(aclprofStr2Id("a"), aclprofStr2Id("b"));
  EXPECT_EQ(aclprofStr2Id(nullptr), 0u);
  // Accepted: a report that nobody will make.
  EXPECT_EQ(MsprofSetDeviceIdByGeModelIdx(1, 0), 0);
  EXPECT_EQ(MsprofUnsetDeviceIdByGeModelIdx(1, 0), 0);
}

TEST(DumpRefusalTest, NothingIsDumped) {
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclmdlInitDump(), "not offer");
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclmdlSetDump("acl.json"), "not offer");
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclmdlFinalizeDump(), "not offer");
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclopStartDumpArgs(1, "/tmp"), "not offered");
  EXPECT_EQ(acldumpGetPath(DATA_DUMP), nullptr);
  const acldumpTensorInfo tensor = {};
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, acldumpSaveExceptionInfo("f", "t", &tensor, 1),
               "not offered");
}

TEST(DumpRefusalTest, StructuresLieAsInCann) {
  EXPECT_EQ(offsetof(acldumpChunk, dataBuf), 4116u);
  EXPECT_EQ(sizeof(acldumpChunk), 4120u);
  EXPECT_EQ(offsetof(acldumpTensorInfo, shape), 56u);
  EXPECT_EQ(sizeof(acldumpTensorInfo), 456u);
}

TEST(HcclRefusalTest, SaysThatItIsNotOffered) {
  TakeMessages();
  EXPECT_EQ(HcclCommSetMemoryRange(nullptr, nullptr, 0, 0, 0), HCCL_E_NOT_SUPPORT);
  EXPECT_TRUE(HasWord(TakeMessages(), "HcclCommSetMemoryRange"));
}

TEST(HcclConfigTest, IsKeptForWhoReadsItBack) {
  TakeMessages();
  HcclConfigValue value = {.value = 7};
  EXPECT_EQ(HcclGetConfig(HCCL_DETERMINISTIC, &value), HCCL_SUCCESS);
  EXPECT_EQ(value.value, 0);
  value.value = 1;
  EXPECT_EQ(HcclSetConfig(HCCL_DETERMINISTIC, value), HCCL_SUCCESS);
  value.value = 7;
  EXPECT_EQ(HcclGetConfig(HCCL_DETERMINISTIC, &value), HCCL_SUCCESS);
  EXPECT_EQ(value.value, 1);
  EXPECT_EQ(HcclSetConfig(HCCL_CONFIG_RESERVED, value), HCCL_E_PARA);
  EXPECT_TRUE(HasWord(TakeMessages(), "HcclSetConfig"));
  EXPECT_EQ(HcclGetConfig(HCCL_CONFIG_RESERVED, &value), HCCL_E_PARA);
  EXPECT_EQ(HcclGetConfig(HCCL_DETERMINISTIC, nullptr), HCCL_E_PTR);
}

TEST(DriverTest, TellsTheNumberOfDevices) {
  uint32_t devices = 0;
  uint32_t visible = 0;
  EXPECT_EQ(drvGetDevNum(&devices), 0);
  EXPECT_OK(aclrtGetDeviceCount(&visible));
  EXPECT_GE(devices, visible);
  EXPECT_GE(devices, 1u);
  EXPECT_NE(drvGetDevNum(nullptr), 0);
  int32_t version = 0;
  EXPECT_EQ(halGetAPIVersion(&version), 0);
  EXPECT_GT(version, 0);
  TakeMessages();
  int64_t value = 0;
  EXPECT_NE(halGetDeviceInfo(0, 0, 24, &value), 0);
  EXPECT_TRUE(HasWord(TakeMessages(), "halGetDeviceInfo"));
}

}  // namespace
}  // namespace anyacl::test
