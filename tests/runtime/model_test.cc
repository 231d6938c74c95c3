// SPDX-License-Identifier: Apache-2.0
// Models built by hand: bound streams, activation, switches, labels, ends.
#include <atomic>
#include <functional>

#include "capture_calls.h"
#include "model_fixture.h"

namespace anyacl::test {
namespace {

TEST_F(ModelTest, TasksRunWithEachExecutionAndNotBefore) {
  Model model;
  aclrtStream stream = model.Head();
  std::atomic<int> runs{0};
  Launch(stream, runs);
  Launch(stream, runs);
  model.End(stream);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(runs, 0);
  EXPECT_OK(model.Run());
  EXPECT_EQ(runs, 2);
  EXPECT_OK(aclmdlRIExecute(model.handle(), -1));
  EXPECT_EQ(runs, 4);
}

TEST_F(ModelTest, AnIndexChoosesTheLabel) {
  Model model;
  aclrtStream stream = model.Head();
  Labels labels(3);
  Word<uint32_t> index(0);
  std::atomic<int> skipped{0}, first{0}, second{0}, third{0};
  labels.SwitchBy(index, stream);
  Launch(stream, skipped);
  EXPECT_OK(aclrtSetLabel(labels.labels[0], stream));
  Launch(stream, first);
  EXPECT_OK(aclrtSetLabel(labels.labels[1], stream));
  Launch(stream, second);
  EXPECT_OK(aclrtSetLabel(labels.labels[2], stream));
  Launch(stream, third);
  model.End(stream);
  for (uint32_t i : {0u, 1u, 2u, 3u, UINT32_MAX}) {
    index.Set(i);
    EXPECT_OK(model.Run());
  }
  EXPECT_EQ(skipped, 0);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 2);
  EXPECT_EQ(third, 5);  // what is beyond the last label goes to it
}

TEST_F(ModelTest, ALabelMayBeOnAnotherStream) {
  Model model;
  aclrtStream stream = model.Head(), other = model.Other();
  Labels labels(1);
  Word<uint32_t> index(0);
  std::atomic<int> left{0}, before{0}, after{0};
  labels.SwitchBy(index, stream);
  Launch(stream, left);
  Launch(other, before);
  EXPECT_OK(aclrtSetLabel(labels.labels[0], other));
  Launch(other, after);
  model.End(other);
  EXPECT_OK(model.Run());
  EXPECT_OK(model.Run());
  EXPECT_EQ(left, 0);
  EXPECT_EQ(before, 0);
  EXPECT_EQ(after, 2);
}

TEST_F(ModelTest, LabelsMakeLoops) {
  Model model;
  aclrtStream stream = model.Head();
  Labels labels(2);
  Word<uint32_t> index(0);
  int rounds = 0;
  std::function<void()> body = [&] { index.Set(++rounds % 5 == 0 ? 1 : 0); };
  EXPECT_OK(aclrtSetLabel(labels.labels[0], stream));
  Launch(stream, body);
  labels.SwitchBy(index, stream);
  EXPECT_OK(aclrtSetLabel(labels.labels[1], stream));
  model.End(stream);
  EXPECT_OK(model.Run());
  EXPECT_EQ(rounds, 5);
  EXPECT_OK(model.Run());
  EXPECT_EQ(rounds, 10);
}

// A stream that never leaves its circle. Returns when it is in it.
class Circle {
 public:
  explicit Circle(Model& model) : labels_(2), index_(0) {
    aclrtStream stream = model.Head();
    body_ = [this] { ++rounds_; };
    EXPECT_OK(aclrtSetLabel(labels_.labels[0], stream));
    Launch(stream, body_);
    labels_.SwitchBy(index_, stream);
    EXPECT_OK(aclrtSetLabel(labels_.labels[1], stream));
    model.End(stream);
  }
  void AwaitRounds() const {
    const int begin = rounds_;
    while (rounds_ < begin + 3) {
    }
  }

 private:
  Labels labels_;
  Word<uint32_t> index_;
  std::atomic<int> rounds_{0};
  std::function<void()> body_;
};

TEST_F(ModelTest, AnAbortOfTheModelEndsACircle) {
  Model model;
  Circle circle(model);
  std::atomic<int> after{0};
  for (int i = 0; i < 2; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(model.handle(), model.on));
    Launch(model.on, after);
    circle.AwaitRounds();
    EXPECT_OK(aclmdlRIAbort(model.handle()));
    ExpectFails(ACL_ERROR_RT_MODEL_ABORT_NORMAL, "aclmdlRIExecuteAsync(",
                [&] { return aclrtSynchronizeStream(model.on); }, {"aclmdlRIAbort"});
  }
  EXPECT_EQ(after, 2);
  EXPECT_OK(aclmdlRIAbort(model.handle()));  // nothing runs
}

TEST_F(ModelTest, AnAbortOfTheStreamEndsACircle) {
  Model model;
  Circle circle(model);
  EXPECT_OK(aclmdlRIExecuteAsync(model.handle(), model.on));
  circle.AwaitRounds();
  EXPECT_OK(aclrtStreamAbort(model.on));
  EXPECT_OK(aclrtSynchronizeStream(model.on));
}

TEST_F(ModelTest, AResetEndsACircleOfTwoStreams) {
  Word<uint64_t> rounds(0);
  {
    aclmdlRI model = nullptr;
    EXPECT_OK(aclmdlRIBuildBegin(&model, 0));
    aclrtStream first = NewPersistentStream(), second = NewPersistentStream();
    aclrtStream last = NewPersistentStream(), on = NewStream();
    EXPECT_OK(aclmdlRIBindStream(model, first, ACL_MODEL_STREAM_FLAG_HEAD));
    EXPECT_OK(aclmdlRIBindStream(model, second, ACL_MODEL_STREAM_FLAG_DEFAULT));
    EXPECT_OK(aclmdlRIBindStream(model, last, ACL_MODEL_STREAM_FLAG_DEFAULT));
    EXPECT_OK(aclrtActiveStream(second, first));
    EXPECT_OK(aclrtValueWrite(rounds.address(), 1, 0, second));
    EXPECT_OK(aclrtActiveStream(first, second));
    EXPECT_OK(aclmdlRIEndTask(model, last));
    EXPECT_OK(aclmdlRIBuildEnd(model, nullptr));
    EXPECT_OK(aclmdlRIExecuteAsync(model, on));
    while (rounds.Get() == 0) {
    }
  }
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclrtSetDevice(0));
}

TEST_F(ModelTest, AnActivatedStreamRunsBesideTheOther) {
  Model model;
  aclrtStream first = model.Head(), second = model.Other();
  Word<uint64_t> there(0), back(0);
  EXPECT_OK(aclrtValueWrite(there.address(), 0, 0, first));
  EXPECT_OK(aclrtValueWrite(back.address(), 0, 0, first));
  EXPECT_OK(aclrtActiveStream(second, first));
  EXPECT_OK(aclrtValueWrite(there.address(), 1, 0, first));
  EXPECT_OK(aclrtValueWait(back.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, first));
  EXPECT_OK(aclrtValueWait(there.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, second));
  EXPECT_OK(aclrtValueWrite(back.address(), 1, 0, second));
  model.End(first);
  EXPECT_OK(model.Run());
  EXPECT_OK(model.Run());
  EXPECT_EQ(back.Get(), 1u);
}

// The end of one stream does not leave the others behind.
TEST_F(ModelTest, AnExecutionEndsWhenNoStreamHasAnythingLeft) {
  Model model;
  aclrtStream first = model.Head(), second = model.Head();
  Word<uint64_t> word(0);
  std::atomic<int> done{0};
  EXPECT_OK(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, second));
  Launch(second, done);
  model.End(first);
  EXPECT_OK(aclmdlRIExecuteAsync(model.handle(), model.on));
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  EXPECT_OK(aclrtStreamQuery(model.on, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  word.Set(1);
  EXPECT_OK(aclrtSynchronizeStream(model.on));
  EXPECT_EQ(done, 1);
}

template <class T>
void ExpectSwitch(aclrtCompareDataType type, aclrtCondition condition, T left_value, T right_value,
                  bool holds) {
  Model model;
  aclrtStream first = model.Head(), second = model.Other(), last = model.Other();
  Word<T> left(left_value), right(right_value);
  std::atomic<int> stayed{0}, gone{0};
  EXPECT_OK(
      aclrtSwitchStream(left.address(), condition, right.address(), type, second, nullptr, first));
  Launch(first, stayed);
  EXPECT_OK(aclrtActiveStream(last, first));
  Launch(second, gone);
  EXPECT_OK(aclrtActiveStream(last, second));
  model.End(last);
  EXPECT_OK(model.Run());
  EXPECT_EQ(stayed, holds ? 0 : 1) << condition;
  EXPECT_EQ(gone, holds ? 1 : 0) << condition;
}

TEST_F(ModelTest, SwitchesCompareSignedNumbers) {
  // Whether a condition holds for less, equal, greater.
  const bool expected[6][3] = {{false, true, false}, {true, false, true},  {false, false, true},
                               {false, true, true},  {true, false, false}, {true, true, false}};
  for (int c = 0; c < 6; ++c) {
    const auto condition = static_cast<aclrtCondition>(c);
    for (int i = 0; i < 3; ++i) {
      ExpectSwitch<int32_t>(ACL_RT_SWITCH_INT32, condition, i - 2, -1, expected[c][i]);
      ExpectSwitch<int64_t>(ACL_RT_SWITCH_INT64, condition, (int64_t{i} - 2) << 33, -(1LL << 33),
                            expected[c][i]);
    }
  }
}

TEST_F(ModelTest, EventsOrderTheStreamsOfEachExecution) {
  Model model;
  aclrtStream first = model.Head(), second = model.Head();
  aclrtEvent event = NewEvent();
  std::atomic<int> before{0};
  std::atomic<int> looks{0};
  std::vector<int> seen;
  std::function<void()> look = [&] {
    seen.push_back(before);
    ++looks;
  };
  EXPECT_OK(aclrtStreamWaitEvent(second, event));  // recorded later, on the other stream
  Launch(second, look);
  Word<uint64_t> go(0);
  EXPECT_OK(aclrtValueWait(go.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, first));
  EXPECT_OK(aclrtValueWrite(go.address(), 0, 0, first));
  Launch(first, before);
  EXPECT_OK(aclrtRecordEvent(event, first));
  model.End(second);
  for (int i = 0; i < 2; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(model.handle(), model.on));
    ExpectBusy(model.on);
    EXPECT_EQ(looks, i);  // what was recorded before is forgotten
    go.Set(1);
    EXPECT_OK(aclrtSynchronizeStream(model.on));
  }
  EXPECT_EQ(seen, (std::vector<int>{1, 2}));
}

TEST_F(ModelTest, AnEventThatIsResetIsAwaitedAnew) {
  Model model;
  aclrtStream first = model.Head(), second = model.Head();
  aclrtEvent event = NewEvent();
  Word<uint64_t> go(0);
  std::atomic<int> after{0};
  EXPECT_OK(aclrtRecordEvent(event, first));
  EXPECT_OK(aclrtResetEvent(event, first));
  EXPECT_OK(aclrtStreamWaitEvent(first, event));
  Launch(first, after);
  EXPECT_OK(aclrtValueWait(go.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, second));
  EXPECT_OK(aclrtRecordEvent(event, second));
  model.End(first);
  EXPECT_OK(aclmdlRIExecuteAsync(model.handle(), model.on));
  ExpectBusy(model.on);
  EXPECT_EQ(after, 0);
  go.Set(1);
  EXPECT_OK(aclrtSynchronizeStream(model.on));
  EXPECT_EQ(after, 1);
}

TEST_F(ModelTest, AnExecutionThatDoesNotGetToTheEndFails) {
  Model model;
  aclrtStream stream = model.Head(), activated = model.Other(), last = model.Other();
  EXPECT_OK(aclrtActiveStream(activated, stream));
  model.End(last);
  ExpectFails(ACL_ERROR_RT_MODEL_EXECUTE, "aclmdlRIExecuteAsync(", [&] { return model.Run(); },
              {"aclmdlRIEndTask"});
}

TEST_F(ModelTest, ALabelThatIsNotSetFailsTheExecution) {
  Model model;
  aclrtStream stream = model.Head();
  Labels labels(2);
  Word<uint32_t> index(1);
  labels.SwitchBy(index, stream);
  EXPECT_OK(aclrtSetLabel(labels.labels[0], stream));
  model.End(stream);
  ExpectFails(ACL_ERROR_RT_MODEL_EXECUTE, "aclrtSwitchLabelByIndex(", [&] { return model.Run(); },
              {"label 1"});
  index.Set(0);
  EXPECT_OK(model.Run());
}

TEST_F(ModelTest, AnUnboundStreamTakesTasksOfItsOwnAgain) {
  Model model;
  aclrtStream stream = model.Head();
  std::atomic<int> in_model{0}, own{0};
  Launch(stream, in_model);
  model.End(stream);
  EXPECT_OK(model.Run());
  EXPECT_OK(aclmdlRIUnbindStream(model.handle(), stream));
  Launch(stream, own);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(in_model, 1);
  EXPECT_EQ(own, 1);
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclmdlRIExecuteAsync(model.handle(), model.on),
               "unbound");
}

TEST_F(ModelTest, DestroyingAModelReleasesItsStreamsAndCallsBack) {
  std::atomic<int> called{0}, not_called{0}, own{0};
  const auto count = [](void* argument) { ++*static_cast<std::atomic<int>*>(argument); };
  const auto other = [](void* argument) { ++*static_cast<std::atomic<int>*>(argument); };
  Model model;
  aclrtStream stream = model.Head();
  EXPECT_OK(aclmdlRIDestroyRegisterCallback(model.handle(), count, &called));
  EXPECT_OK(aclmdlRIDestroyRegisterCallback(model.handle(), other, &not_called));
  EXPECT_OK(aclmdlRIDestroyUnregisterCallback(model.handle(), other));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIDestroyUnregisterCallback(model.handle(), other),
               "func");
  EXPECT_OK(aclmdlRIDestroy(model.handle()));
  model.Forget();
  EXPECT_EQ(called, 1);
  EXPECT_EQ(not_called, 0);
  Launch(stream, own);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(own, 1);
  EXPECT_OK(aclrtDestroyStream(stream));
}

}  // namespace
}  // namespace anyacl::test
