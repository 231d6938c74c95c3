// SPDX-License-Identifier: Apache-2.0
// Every function of the object layer with handles that are none: stale, of another kind, foreign
// memory, invented numbers. An error with a message, never a crash, nothing written.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_dynamic_quant.h"
#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "quant_call.h"
#include "runtime/expect_fails.h"

namespace anyacl::test::foreign_pointer {
namespace {

template <class Object>
Object* As(void* pointer) {
  return static_cast<Object*>(pointer);
}

const int64_t kDims[] = {2, 2};
uint64_t g_size = 0;

aclTensor* NewTensor() {
  return aclCreateTensor(kDims, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, kDims, 2, nullptr);
}

struct Row {
  const char* name;
  aclnnStatus (*call)(void*);
};

template <auto kFunction>
aclnnStatus GetNumbers(void* tensor) {
  auto* const kept = reinterpret_cast<int64_t*>(uintptr_t{0x10});
  int64_t* values = kept;
  uint64_t count = 77;
  const aclnnStatus code = kFunction(As<aclTensor>(tensor), &values, &count);
  EXPECT_EQ(values, kept);
  EXPECT_EQ(count, 77u);
  return code;
}

template <auto kFunction>
aclnnStatus SetAddress(void* executor) {
  aclTensor* tensor = NewTensor();
  const aclnnStatus code = kFunction(As<aclOpExecutor>(executor), 0, tensor, nullptr);
  EXPECT_EQ(aclDestroyTensor(tensor), 0);
  return code;
}

template <auto kFunction>
aclnnStatus SetListAddress(void* executor) {
  const aclTensor* tensor = NewTensor();
  aclTensorList* list = aclCreateTensorList(&tensor, 1);
  const aclnnStatus code = kFunction(As<aclOpExecutor>(executor), 0, 0, list, nullptr);
  EXPECT_EQ(aclDestroyTensorList(list), 0);
  return code;
}

const Row kFunctions[] = {
    {"aclDestroyTensor", [](void* p) { return aclDestroyTensor(As<aclTensor>(p)); }},
    {"aclDestroyScalar", [](void* p) { return aclDestroyScalar(As<aclScalar>(p)); }},
    {"aclDestroyIntArray", [](void* p) { return aclDestroyIntArray(As<aclIntArray>(p)); }},
    {"aclDestroyFloatArray", [](void* p) { return aclDestroyFloatArray(As<aclFloatArray>(p)); }},
    {"aclDestroyBoolArray", [](void* p) { return aclDestroyBoolArray(As<aclBoolArray>(p)); }},
    {"aclDestroyTensorList", [](void* p) { return aclDestroyTensorList(As<aclTensorList>(p)); }},
    {"aclDestroyScalarList", [](void* p) { return aclDestroyScalarList(As<aclScalarList>(p)); }},
    {"aclGetViewShape", &GetNumbers<&aclGetViewShape>},
    {"aclGetStorageShape", &GetNumbers<&aclGetStorageShape>},
    {"aclGetViewStrides", &GetNumbers<&aclGetViewStrides>},
    {"aclGetViewOffset",
     [](void* p) {
       int64_t offset;
       return aclGetViewOffset(As<aclTensor>(p), &offset);
     }},
    {"aclGetFormat",
     [](void* p) {
       aclFormat format;
       return aclGetFormat(As<aclTensor>(p), &format);
     }},
    {"aclGetDataType",
     [](void* p) {
       aclDataType dtype;
       return aclGetDataType(As<aclTensor>(p), &dtype);
     }},
    {"aclGetRawTensorAddr",
     [](void* p) {
       void* address;
       return aclGetRawTensorAddr(As<aclTensor>(p), &address);
     }},
    {"aclSetRawTensorAddr", [](void* p) { return aclSetRawTensorAddr(As<aclTensor>(p), p); }},
    {"aclInitTensor",
     [](void* p) {
       return aclInitTensor(As<aclTensor>(p), kDims, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, kDims,
                            2, nullptr);
     }},
    {"aclGetIntArraySize", [](void* p) { return aclGetIntArraySize(As<aclIntArray>(p), &g_size); }},
    {"aclGetFloatArraySize",
     [](void* p) { return aclGetFloatArraySize(As<aclFloatArray>(p), &g_size); }},
    {"aclGetBoolArraySize",
     [](void* p) { return aclGetBoolArraySize(As<aclBoolArray>(p), &g_size); }},
    {"aclGetTensorListSize",
     [](void* p) { return aclGetTensorListSize(As<aclTensorList>(p), &g_size); }},
    {"aclGetScalarListSize",
     [](void* p) { return aclGetScalarListSize(As<aclScalarList>(p), &g_size); }},
    {"aclSetAclOpExecutorRepeatable",
     [](void* p) { return aclSetAclOpExecutorRepeatable(As<aclOpExecutor>(p)); }},
    {"aclDestroyAclOpExecutor",
     [](void* p) { return aclDestroyAclOpExecutor(As<aclOpExecutor>(p)); }},
    {"aclSetTensorAddr", &SetAddress<&aclSetTensorAddr>},
    {"aclSetInputTensorAddr", &SetAddress<&aclSetInputTensorAddr>},
    {"aclSetOutputTensorAddr", &SetAddress<&aclSetOutputTensorAddr>},
    {"aclSetDynamicTensorAddr", &SetListAddress<&aclSetDynamicTensorAddr>},
    {"aclSetDynamicInputTensorAddr", &SetListAddress<&aclSetDynamicInputTensorAddr>},
    {"aclSetDynamicOutputTensorAddr", &SetListAddress<&aclSetDynamicOutputTensorAddr>},
    {"aclnnDynamicQuantV2",
     [](void* p) { return aclnnDynamicQuantV2(nullptr, 0, As<aclOpExecutor>(p), nullptr); }},
    {"aclnnDynamicQuant",
     [](void* p) { return aclnnDynamicQuant(nullptr, 0, As<aclOpExecutor>(p), nullptr); }},
};

// Pointers that are no handle of any kind.
class ForeignPointers {
 public:
  ForeignPointers() : heap_(64, 0x4343434343434343u) {}

  std::vector<void*> All() {
    return {&local_,
            heap_.data(),
            reinterpret_cast<void*>(uintptr_t{1}),
            reinterpret_cast<void*>(uintptr_t{0x1000}),
            reinterpret_cast<void*>(~uintptr_t{0}),
            reinterpret_cast<void*>(uintptr_t{1} << 63)};
  }

 private:
  uint64_t local_ = 0;
  std::vector<uint64_t> heap_;
};

class ForeignPointerTest : public DeviceTest, public ::testing::WithParamInterface<Row> {
 protected:
  void ExpectRefused(void* pointer) {
    TakeMessages();
    EXPECT_NE(GetParam().call(pointer), 0) << pointer;
    const std::string message = TakeMessages();
    EXPECT_TRUE(HasWord(message, GetParam().name)) << message;
  }
};

TEST_P(ForeignPointerTest, IsReportedAndNothingWorse) {
  ForeignPointers foreign;
  for (void* pointer : foreign.All()) ExpectRefused(pointer);

  void* memory = nullptr;
  ASSERT_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  ExpectRefused(memory);
  EXPECT_OK(aclrtFree(memory));
  ExpectRefused(stream());

  // Of every kind of object one that is dead.
  aclTensor* tensor = NewTensor();
  aclIntArray* array = aclCreateIntArray(nullptr, 0);
  aclTensorList* list = aclCreateTensorList(nullptr, 0);
  EXPECT_OK(aclDestroyTensor(tensor));
  EXPECT_OK(aclDestroyIntArray(array));
  EXPECT_OK(aclDestroyTensorList(list));
  for (void* dead :
       {static_cast<void*>(tensor), static_cast<void*>(array), static_cast<void*>(list)}) {
    ExpectRefused(dead);
  }
}

TEST_P(ForeignPointerTest, OtherKindsAreRefused) {
  const std::string name = GetParam().name;
  float value = 1;
  aclScalar* scalar = aclCreateScalar(&value, ACL_FLOAT);
  aclFloatArray* floats = aclCreateFloatArray(nullptr, 0);
  if (name != "aclDestroyScalar") ExpectRefused(scalar);
  if (name != "aclDestroyFloatArray" && name != "aclGetFloatArraySize") ExpectRefused(floats);
  const bool own = name == "aclDestroyScalar";
  EXPECT_OK(aclDestroyFloatArray(floats));
  EXPECT_OK(aclDestroyScalar(scalar));
  EXPECT_TRUE(own || aclDestroyScalar(scalar) != 0);
  TakeMessages();
}

INSTANTIATE_TEST_SUITE_P(Functions, ForeignPointerTest, ::testing::ValuesIn(kFunctions),
                         [](const auto& info) { return std::string(info.param.name); });

using ForeignTensorTest = DeviceTest;

TEST_F(ForeignTensorTest, FirstPhaseNamesTheParameter) {
  QuantCall call;
  ForeignPointers foreign;
  aclTensor* dead = NewTensor();
  EXPECT_OK(aclDestroyTensor(dead));
  std::vector<void*> pointers = foreign.All();
  pointers.push_back(dead);
  pointers.push_back(stream());
  const char* names[] = {
      "x", "smoothScalesOptional", "groupIndexOptional", "yOut", "scaleOut", "offsetOut"};
  for (void* pointer : pointers) {
    for (int i = 0; i < 6; ++i) {
      const aclTensor* arguments[] = {call.x.handle(),     nullptr, nullptr, call.y.handle(),
                                      call.scale.handle(), nullptr};
      arguments[i] = As<aclTensor>(pointer);
      ExpectRefused(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnDynamicQuantV2GetWorkspaceSize(arguments[0], arguments[1], arguments[2],
                                                       ACL_INT8, arguments[3], arguments[4],
                                                       arguments[5], size, executor);
          },
          ACLNN_ERR_PARAM_INVALID, {"aclnnDynamicQuantV2GetWorkspaceSize", names[i]});
    }
  }
}

TEST_F(ForeignTensorTest, SetAddressRefusesThem) {
  QuantCall call;
  const Prepared prepared = call.Prepare();
  ForeignPointers foreign;
  for (void* pointer : foreign.All()) {
    EXPECT_FAILS(ACLNN_ERR_PARAM_INVALID,
                 aclSetInputTensorAddr(prepared.executor, 0, As<aclTensor>(pointer), pointer),
                 "tensor");
    EXPECT_FAILS(
        ACLNN_ERR_PARAM_INVALID,
        aclSetDynamicInputTensorAddr(prepared.executor, 0, 0, As<aclTensorList>(pointer), pointer));
  }
  EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
}

TEST_F(ForeignTensorTest, ListsOfForeignPointersAreNoCrash) {
  ForeignPointers foreign;
  std::vector<const aclTensor*> members;
  for (void* pointer : foreign.All()) members.push_back(As<aclTensor>(pointer));
  aclTensorList* list = aclCreateTensorList(members.data(), members.size());
  // Null is allowed, too: the list could be refused at once.
  EXPECT_OK(aclDestroyTensorList(list));
}

TEST_F(ForeignTensorTest, SecondPhaseRefusesAStaleStream) {
  QuantCall call;
  aclrtStream gone = nullptr;
  ASSERT_OK(aclrtCreateStream(&gone));
  ASSERT_OK(aclrtDestroyStream(gone));
  ForeignPointers foreign;
  std::vector<void*> streams = foreign.All();
  streams.push_back(gone);
  streams.push_back(call.x.handle());
  for (void* bad : streams) {
    const Prepared prepared = call.Prepare();
    TakeMessages();
    EXPECT_NE(aclnnDynamicQuantV2(nullptr, 0, prepared.executor, bad), 0);
    const std::string message = TakeMessages();
    EXPECT_TRUE(HasWord(message, "aclnnDynamicQuantV2")) << message;
    EXPECT_TRUE(HasWord(message, "stream")) << message;
  }
  EXPECT_OK(aclrtSynchronizeDevice());
  call.ExpectUntouched();
}

}  // namespace
}  // namespace anyacl::test::foreign_pointer
