// SPDX-License-Identifier: Apache-2.0
// Models built by hand: what building, switches and labels refuse.
#include "capture_calls.h"
#include "model_fixture.h"

namespace anyacl::test {
namespace {

TEST_F(ModelTest, AWaitThatNobodyEndsIsRefused) {
  Model model;
  aclrtStream stream = model.Head();
  aclrtEvent event = NewEvent();
  EXPECT_OK(aclrtStreamWaitEvent(stream, event));
  EXPECT_OK(aclmdlRIEndTask(model.handle(), stream));
  EXPECT_FAILS(ACL_ERROR_RT_CAPTURE_DEPENDENCY, aclmdlRIBuildEnd(model.handle(), nullptr), "event");
}

TEST_F(ModelTest, BuildingRefusesWrongArguments) {
  const int invalid = ACL_ERROR_RT_PARAM_INVALID;
  const int unbound = ACL_ERROR_RT_STREAM_MODEL;
  aclmdlRI handle = nullptr;
  EXPECT_FAILS(100000, aclmdlRIBuildBegin(nullptr, 0), "modelRI");
  EXPECT_FAILS(invalid, aclmdlRIBuildBegin(&handle, 1), "flag");
  Model model, second;
  aclmdlRI m = model.handle();
  aclrtStream plain = NewStream(), bound = model.Head(), free = NewPersistentStream();
  EXPECT_FAILS(100000, aclmdlRIBindStream(m, nullptr, 0), "stream");
  EXPECT_FAILS(100000, aclmdlRIBindStream(nullptr, free, 0), "modelRI");
  EXPECT_FAILS(invalid, aclmdlRIBindStream(m, free, 1), "flag");
  EXPECT_FAILS(invalid, aclmdlRIBindStream(m, plain, 0), "ACL_STREAM_PERSISTENT");
  EXPECT_FAILS(unbound, aclmdlRIBindStream(second.handle(), bound, 0), "bound");
  EXPECT_FAILS(unbound, aclmdlRIUnbindStream(second.handle(), bound), "bound");
  EXPECT_FAILS(unbound, aclmdlRIEndTask(m, free), "bound");
  EXPECT_FAILS(unbound, aclmdlRICaptureBegin(bound, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), "bound");
  EXPECT_FAILS(unbound, aclrtDestroyStream(bound), "bound");
  EXPECT_FAILS(unbound, aclrtActiveStream(free, bound), "bound");
  EXPECT_FAILS(unbound, aclrtActiveStream(bound, free), "bound");
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, aclmdlRIExecuteAsync(m, plain), "aclmdlRIBuildEnd");
  EXPECT_FAILS(invalid, aclmdlRIBuildEnd(m, &model), "reserve");
  EXPECT_FAILS(ACL_ERROR_RT_INTERNAL_ERROR, aclmdlRIBuildEnd(m, nullptr), "aclmdlRIEndTask");
  EXPECT_OK(aclmdlRIEndTask(m, bound));
  EXPECT_FAILS(ACL_ERROR_RT_INTERNAL_ERROR, aclmdlRIEndTask(m, bound), "end");
  EXPECT_OK(aclmdlRIBuildEnd(m, nullptr));
  EXPECT_FAILS(invalid, aclmdlRIBuildEnd(m, nullptr), "complete");
  EXPECT_FAILS(invalid, aclmdlRIBindStream(m, free, 0), "complete");
  EXPECT_FAILS(unbound, aclrtLaunchHostFunc(bound, &DoNothing, nullptr), "complete");
  EXPECT_FAILS(unbound, aclmdlRIExecuteAsync(m, bound), "bound");
  Begin(plain);
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclmdlRIBindStream(second.handle(), plain, 0),
               "captured");
  aclmdlRI graph = End(plain);
  EXPECT_FAILS(invalid, aclmdlRIBindStream(graph, free, 0), "captured");
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclmdlRIAbort(graph), "captured");
  EXPECT_OK(aclmdlRIDestroy(graph));
}

TEST_F(ModelTest, SwitchesAndLabelsRefuseWrongArguments) {
  const int invalid = ACL_ERROR_RT_PARAM_INVALID;
  const int internal = ACL_ERROR_RT_INTERNAL_ERROR;
  Model model;
  aclrtStream first = model.Head(), second = model.Other(), free = NewPersistentStream();
  Word<uint64_t> word(0);
  uint64_t host = 0;
  uint64_t* w = word.address();
  const auto type = ACL_RT_SWITCH_INT32;
  const auto equal = ACL_RT_EQUAL;
  EXPECT_FAILS(100000, aclrtSwitchStream(nullptr, equal, w, type, second, nullptr, first),
               "leftValue");
  EXPECT_FAILS(100000, aclrtSwitchStream(w, equal, w, type, nullptr, nullptr, first), "trueStream");
  EXPECT_FAILS(100000, aclrtSwitchStream(w, equal, w, type, second, second, first), "falseStream");
  EXPECT_FAILS(invalid, aclrtSwitchStream(w, equal, &host, type, second, nullptr, first),
               "rightValue");
  EXPECT_FAILS(107005, aclrtSwitchStream(w, equal, w, type, free, nullptr, first), "bound");
  for (int number : BeyondEnum({-1, 6})) {
    EXPECT_FAILS(
        invalid,
        aclrtSwitchStream(w, static_cast<aclrtCondition>(number), w, type, second, nullptr, first),
        "cond");
  }
  aclrtLabel label = nullptr, unlisted = nullptr;
  aclrtLabelList list = nullptr;
  EXPECT_FAILS(100000, aclrtCreateLabel(nullptr), "label");
  EXPECT_OK(aclrtCreateLabel(&label));
  EXPECT_OK(aclrtCreateLabel(&unlisted));
  EXPECT_FAILS(invalid, aclrtCreateLabelList(&label, 0, &list), "num");
  EXPECT_FAILS(invalid, aclrtCreateLabelList(&label, 65536, &list), "num");
  EXPECT_OK(aclrtCreateLabelList(&label, 1, &list));
  EXPECT_FAILS(internal, aclrtCreateLabelList(&label, 1, &list), "list");
  EXPECT_FAILS(107005, aclrtSetLabel(label, free), "bound");
  EXPECT_FAILS(internal, aclrtSetLabel(unlisted, first), "list");
  EXPECT_OK(aclrtSetLabel(label, first));
  EXPECT_FAILS(internal, aclrtSetLabel(label, first), "set");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtSetLabel(w, first), "label");
  EXPECT_FAILS(invalid, aclrtSwitchLabelByIndex(w, 0, list, first), "maxValue");
  EXPECT_FAILS(invalid, aclrtSwitchLabelByIndex(w, 2, list, first), "maxValue");
  EXPECT_FAILS(invalid, aclrtSwitchLabelByIndex(&host, 1, list, first), "ptr");
  EXPECT_FAILS(107005, aclrtSwitchLabelByIndex(w, 1, list, free), "bound");
  EXPECT_OK(aclrtDestroyLabelList(list));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtDestroyLabelList(list), "labelList");
  EXPECT_OK(aclrtDestroyLabel(label));
  EXPECT_OK(aclrtDestroyLabel(unlisted));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtDestroyLabel(label), "label");
}

}  // namespace
}  // namespace anyacl::test
