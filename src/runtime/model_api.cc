// SPDX-License-Identifier: Apache-2.0
// Models built by hand, labels, conditions (acl/acl_rt_model.h).
#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/capture.h"
#include "runtime/condition.h"
#include "runtime/device.h"
#include "runtime/graph.h"
#include "runtime/memory.h"
#include "runtime/model_build.h"

namespace anyacl {
namespace {

// The default stream is bound to no model: null is none.
Status FindNamed(aclrtStream handle, const char* parameter, std::shared_ptr<Stream>* stream) {
  if (Status s = NotNull(handle, parameter); !s.ok()) return s;
  return FindStream(handle, stream);
}

Status FindBoth(aclmdlRI model, aclrtStream handle, std::shared_ptr<Graph>* graph,
                std::shared_ptr<Stream>* stream) {
  if (Status s = FindGraph(model, graph); !s.ok()) return s;
  return FindNamed(handle, "stream", stream);
}

Status CheckComparison(const Comparison& comparison, aclrtCompareDataType type) {
  const int condition = static_cast<int>(comparison.condition);
  if (condition < ACL_RT_EQUAL || condition > ACL_RT_LESS_OR_EQUAL) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "cond is {}, expected 0..5", condition);
  }
  const int number = static_cast<int>(type);
  if (number != ACL_RT_SWITCH_INT32 && number != ACL_RT_SWITCH_INT64) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "dataType is {}, expected 0 (int32) or 1 (int64)",
                number);
  }
  const size_t size = comparison.wide ? 8 : 4;
  if (Status s = CheckDeviceMemory(comparison.left, size, size, "leftValue"); !s.ok()) return s;
  return CheckDeviceMemory(comparison.right, size, size, "rightValue");
}

Status CheckCondTask(const aclmdlRICondTaskParams& params) {
  const int type = static_cast<int>(params.type);
  if (type < ACL_MODEL_RI_COND_TYPE_IF || type > ACL_MODEL_RI_COND_TYPE_SWITCH) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "params.type is {}, expected 0..2", type);
  }
  constexpr uint32_t kMost[] = {2, 1, UINT32_MAX};
  if (params.size >= 1 && params.size <= kMost[type]) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "params.size is {}, expected 1..{} for type {}",
              params.size, kMost[type], type);
}

Status AddCondTask(const aclmdlRICondTaskParams& params, aclrtStream handle) {
  if (Status s = NotNull(params.handle, "params.handle"); !s.ok()) return s;
  if (Status s = NotNull(params.modelRIArray, "params.modelRIArray"); !s.ok()) return s;
  if (Status s = CheckCondTask(params); !s.ok()) return s;
  std::shared_ptr<Stream> stream;
  if (Status s = FindNamed(handle, "stream", &stream); !s.ok()) return s;
  const std::shared_ptr<Condition> condition = Conditions().Find(params.handle);
  if (condition == nullptr) {
    return Fail(
        ACL_ERROR_RT_INVALID_HANDLE,
        "params.handle {} is not a live condition (its graph was destroyed, or it was never "
        "made here)",
        params.handle);
  }
  const CaptureInfo info = CaptureInfoOf(*stream);
  if (info.status == ACL_MODEL_RI_CAPTURE_STATUS_NONE) {
    return Fail(ACL_ERROR_RT_STREAM_NOT_CAPTURED,
                "stream {} is not being captured, expected aclmdlRICaptureBegin before",
                stream->id());
  }
  if (Graphs().Find(info.graph).get() != condition->graph()) {
    return Fail(
        ACL_ERROR_RT_PARAM_INVALID,
        "params.handle {} is a condition of another graph than the one into which stream {} "
        "is captured",
        params.handle, stream->id());
  }
  return condition->AddTask(params.type, params.size, *stream, params.modelRIArray);
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclmdlRIBuildBegin(aclmdlRI* modelRI, uint32_t flag) {
  return Entry("aclmdlRIBuildBegin", [&]() -> Status {
    if (Status s = NotNull(modelRI, "modelRI"); !s.ok()) return s;
    if (flag != 0) return Fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {:#x}, expected 0", flag);
    return BeginModel(modelRI);
  });
}

aclError aclmdlRIBindStream(aclmdlRI modelRI, aclrtStream stream, uint32_t flag) {
  return Entry("aclmdlRIBindStream", [&]() -> Status {
    std::shared_ptr<Graph> graph;
    std::shared_ptr<Stream> found;
    if (Status s = FindBoth(modelRI, stream, &graph, &found); !s.ok()) return s;
    if (flag != ACL_MODEL_STREAM_FLAG_HEAD && flag != ACL_MODEL_STREAM_FLAG_DEFAULT) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {:#x}, expected 0 or 0x7fffffff", flag);
    }
    if (Status s = CheckNotCapturing(*found); !s.ok()) return s;
    return BindStream(graph, found, flag == ACL_MODEL_STREAM_FLAG_HEAD);
  });
}

aclError aclmdlRIUnbindStream(aclmdlRI modelRI, aclrtStream stream) {
  return Entry("aclmdlRIUnbindStream", [&]() -> Status {
    std::shared_ptr<Graph> graph;
    std::shared_ptr<Stream> found;
    if (Status s = FindBoth(modelRI, stream, &graph, &found); !s.ok()) return s;
    return UnbindStream(graph, found);
  });
}

aclError aclmdlRIEndTask(aclmdlRI modelRI, aclrtStream stream) {
  return Entry("aclmdlRIEndTask", [&]() -> Status {
    std::shared_ptr<Graph> graph;
    std::shared_ptr<Stream> found;
    if (Status s = FindBoth(modelRI, stream, &graph, &found); !s.ok()) return s;
    return AddEndTask(graph, *found);
  });
}

aclError aclmdlRIBuildEnd(aclmdlRI modelRI, void* reserve) {
  return Entry("aclmdlRIBuildEnd", [&]() -> Status {
    if (reserve != nullptr) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "reserve is {}, expected null", reserve);
    }
    std::shared_ptr<Graph> graph;
    if (Status s = FindGraph(modelRI, &graph); !s.ok()) return s;
    return CompleteModel(graph);
  });
}

aclError aclmdlRIAbort(aclmdlRI modelRI) {
  return Entry("aclmdlRIAbort", [&]() -> Status {
    std::shared_ptr<Graph> graph;
    if (Status s = FindGraph(modelRI, &graph); !s.ok()) return s;
    if (graph->origin() != GraphOrigin::kBuilt) {
      return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                  "graph {} was captured, expected a model of aclmdlRIBuildBegin", graph->id());
    }
    graph->Abort();
    return {};
  });
}

aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream) {
  return Entry("aclrtActiveStream", [&]() -> Status {
    std::shared_ptr<Stream> activated, on;
    if (Status s = FindNamed(activeStream, "activeStream", &activated); !s.ok()) return s;
    if (Status s = FindNamed(stream, "stream", &on); !s.ok()) return s;
    return AddActivation(*activated, *on);
  });
}

aclError aclrtSwitchStream(void* leftValue, aclrtCondition cond, void* rightValue,
                           aclrtCompareDataType dataType, aclrtStream trueStream,
                           aclrtStream falseStream, aclrtStream stream) {
  return Entry("aclrtSwitchStream", [&]() -> Status {
    if (Status s = NotNull(leftValue, "leftValue"); !s.ok()) return s;
    if (Status s = NotNull(rightValue, "rightValue"); !s.ok()) return s;
    if (falseStream != nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM, "falseStream is {}, expected null", falseStream);
    }
    const Comparison comparison{leftValue, rightValue, cond, dataType == ACL_RT_SWITCH_INT64};
    if (Status s = CheckComparison(comparison, dataType); !s.ok()) return s;
    std::shared_ptr<Stream> target, on;
    if (Status s = FindNamed(trueStream, "trueStream", &target); !s.ok()) return s;
    if (Status s = FindNamed(stream, "stream", &on); !s.ok()) return s;
    return AddSwitch(comparison, *target, *on);
  });
}

aclError aclrtCreateLabel(aclrtLabel* label) {
  return Entry("aclrtCreateLabel", [&]() -> Status {
    if (Status s = NotNull(label, "label"); !s.ok()) return s;
    return CreateLabel(label);
  });
}

aclError aclrtDestroyLabel(aclrtLabel label) {
  return Entry("aclrtDestroyLabel", [&]() -> Status {
    if (Status s = NotNull(label, "label"); !s.ok()) return s;
    return DestroyLabel(label);
  });
}

aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream) {
  return Entry("aclrtSetLabel", [&]() -> Status {
    if (Status s = NotNull(label, "label"); !s.ok()) return s;
    std::shared_ptr<Stream> on;
    if (Status s = FindNamed(stream, "stream", &on); !s.ok()) return s;
    return SetLabel(label, *on);
  });
}

aclError aclrtCreateLabelList(aclrtLabel* labels, size_t num, aclrtLabelList* labelList) {
  return Entry("aclrtCreateLabelList", [&]() -> Status {
    if (Status s = NotNull(labels, "labels"); !s.ok()) return s;
    if (Status s = NotNull(labelList, "labelList"); !s.ok()) return s;
    return CreateLabelList(labels, num, labelList);
  });
}

aclError aclrtDestroyLabelList(aclrtLabelList labelList) {
  return Entry("aclrtDestroyLabelList", [&]() -> Status {
    if (Status s = NotNull(labelList, "labelList"); !s.ok()) return s;
    return DestroyLabelList(labelList);
  });
}

aclError aclrtSwitchLabelByIndex(void* ptr, uint32_t maxValue, aclrtLabelList labelList,
                                 aclrtStream stream) {
  return Entry("aclrtSwitchLabelByIndex", [&]() -> Status {
    if (Status s = NotNull(ptr, "ptr"); !s.ok()) return s;
    if (Status s = NotNull(labelList, "labelList"); !s.ok()) return s;
    if (Status s = CheckDeviceMemory(ptr, 4, 4, "ptr"); !s.ok()) return s;
    std::shared_ptr<Stream> on;
    if (Status s = FindNamed(stream, "stream", &on); !s.ok()) return s;
    return AddLabelSwitch(ptr, maxValue, labelList, *on);
  });
}

aclError aclmdlRICondHandleCreate(aclmdlRI modelRI, uint32_t defaultLaunchValue,
                                  aclmdlRICondHandleFlag flag, aclmdlRICondHandle* handle) {
  return Entry("aclmdlRICondHandleCreate", [&]() -> Status {
    if (Status s = NotNull(handle, "handle"); !s.ok()) return s;
    std::shared_ptr<Graph> graph;
    if (Status s = FindGraph(modelRI, &graph); !s.ok()) return s;
    const int number = static_cast<int>(flag);
    if (number != 0 && number != ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {}, expected 0 or 1", number);
    }
    if (graph->origin() == GraphOrigin::kBuilt) {
      return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                  "model {} is built by hand, expected a graph that is being captured",
                  graph->id());
    }
    return Condition::New(graph, number != 0, defaultLaunchValue, handle);
  });
}

aclError aclmdlRICondHandleGetCondPtr(aclmdlRICondHandle handle, uint64_t** ptr) {
  return Entry("aclmdlRICondHandleGetCondPtr", [&]() -> Status {
    if (Status s = NotNull(handle, "handle"); !s.ok()) return s;
    if (Status s = NotNull(ptr, "ptr"); !s.ok()) return s;
    const std::shared_ptr<Condition> condition = Conditions().Find(handle);
    if (condition == nullptr) {
      return Fail(ACL_ERROR_RT_INVALID_HANDLE, "handle {} is not a live condition", handle);
    }
    *ptr = condition->address();
    return {};
  });
}

aclError aclmdlRIAddCondTask(aclmdlRICondTaskParams params, aclrtStream stream, uint32_t flags) {
  return Entry("aclmdlRIAddCondTask", [&]() -> Status {
    if (flags != 0) return Fail(ACL_ERROR_RT_PARAM_INVALID, "flags is {:#x}, expected 0", flags);
    return AddCondTask(params, stream);
  });
}

aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI,
                                       aclmdlRICaptureMode mode) {
  return Entry("aclmdlRICaptureToModelRIBegin", [&]() -> Status {
    std::shared_ptr<Graph> graph;
    std::shared_ptr<Stream> found;
    if (Status s = FindBoth(modelRI, stream, &graph, &found); !s.ok()) return s;
    if (Status s = CheckCaptureMode(mode); !s.ok()) return s;
    if (graph->origin() != GraphOrigin::kPart || graph->ready()) {
      return Fail(ACL_ERROR_RT_MODEL_CAPTURED,
                  "graph {} is {}, expected one of aclmdlRIAddCondTask", graph->id(),
                  graph->ready() ? "captured already" : "not a part of another");
    }
    return BeginCapture(found, mode, modelRI);
  });
}

aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func, void* userData) {
  return Entry("aclmdlRIDestroyRegisterCallback", [&]() -> Status {
    if (func == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "func is null, expected a function");
    std::shared_ptr<Graph> graph;
    if (Status s = FindGraph(modelRI, &graph); !s.ok()) return s;
    graph->AddDestroyCallback({func, userData});
    return {};
  });
}

aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI, aclrtCallback func) {
  return Entry("aclmdlRIDestroyUnregisterCallback", [&]() -> Status {
    if (func == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "func is null, expected a function");
    std::shared_ptr<Graph> graph;
    if (Status s = FindGraph(modelRI, &graph); !s.ok()) return s;
    if (graph->RemoveDestroyCallback(func)) return {};
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "func is not registered with graph {}", graph->id());
  });
}
}
