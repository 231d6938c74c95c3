// SPDX-License-Identifier: Apache-2.0
// aclmdlRI* functions: graphs and their capture.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/capture.h"
#include "runtime/device.h"
#include "runtime/graph.h"
#include "runtime/log.h"
#include "runtime/model_build.h"

namespace anyacl {
namespace {

constexpr size_t kMaxName = 511;

// One whose capture or build has ended.
Status FindReadyGraph(aclmdlRI handle, std::shared_ptr<Graph>* graph) {
  if (Status s = FindGraph(handle, graph); !s.ok()) return s;
  if ((*graph)->ready()) return {};
  if ((*graph)->origin() == GraphOrigin::kBuilt) {
    return Fail(ACL_ERROR_RT_MODEL_EXECUTE,
                "model {} is not complete, expected aclmdlRIBuildEnd before", (*graph)->id());
  }
  return Fail(ACL_ERROR_RT_MODEL_CAPTURED,
              "graph {} is being captured, expected aclmdlRICaptureEnd before", (*graph)->id());
}

// What belongs to another graph has no life of its own.
Status CheckNotPart(const Graph& graph) {
  if (graph.origin() != GraphOrigin::kPart) return {};
  return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
              "graph {} belongs to a task of aclmdlRIAddCondTask, expected the graph of that task",
              graph.id());
}

// Captures take no null for the default stream, which cannot be captured.
Status FindCapturable(aclrtStream handle, std::shared_ptr<Stream>* stream) {
  if (Status s = NotNull(handle, "stream"); !s.ok()) return s;
  return FindStream(handle, stream);
}

Status WriteFile(const char* path, std::string_view text) {
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) {
    return Fail(ACL_ERROR_RT_FILE_OPEN, "path is {}, which cannot be opened for writing: {}", path,
                std::strerror(errno));
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) == 0 && written) return {};
  return Fail(ACL_ERROR_RT_FILE_WRITE, "path is {}, which cannot take {} bytes: {}", path,
              text.size(), std::strerror(errno));
}

Status DestroyGraph(aclmdlRI handle) {
  std::shared_ptr<Graph> graph;
  if (Status s = FindGraph(handle, &graph); !s.ok()) return s;
  if (Status s = CheckNotPart(*graph); !s.ok()) return s;
  // A model whose build failed can be destroyed.
  if (graph->origin() != GraphOrigin::kBuilt) {
    if (Status s = FindReadyGraph(handle, &graph); !s.ok()) return s;
  }
  if (Graphs().Remove(handle) == nullptr) {
    return Fail(ACL_ERROR_RT_INVALID_HANDLE, "modelRI {} is destroyed by another thread", handle);
  }
  ReleaseModel(*graph);
  for (const auto& callback : graph->TakeDestroyCallbacks()) callback.function(callback.argument);
  return {};
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode) {
  return Entry("aclmdlRICaptureBegin", [&]() -> Status {
    std::shared_ptr<Stream> found;
    if (Status s = FindCapturable(stream, &found); !s.ok()) return s;
    if (Status s = CheckCaptureMode(mode); !s.ok()) return s;
    return BeginCapture(found, mode);
  });
}

aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus* status,
                                aclmdlRI* modelRI) {
  return Entry("aclmdlRICaptureGetInfo", [&]() -> Status {
    if (status == nullptr && modelRI == nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM, "status and modelRI are null, expected one address");
    }
    std::shared_ptr<Stream> found;
    if (Status s = FindCapturable(stream, &found); !s.ok()) return s;
    const CaptureInfo info = CaptureInfoOf(*found);
    if (status != nullptr) *status = info.status;
    if (modelRI != nullptr) *modelRI = info.graph;
    return {};
  });
}

aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* modelRI) {
  return Entry("aclmdlRICaptureEnd", [&]() -> Status {
    if (Status s = NotNull(modelRI, "modelRI"); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    if (Status s = FindCapturable(stream, &found); !s.ok()) return s;
    return EndCapture(found, modelRI);
  });
}

aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode) {
  return Entry("aclmdlRICaptureThreadExchangeMode", [&]() -> Status {
    if (Status s = NotNull(mode, "mode"); !s.ok()) return s;
    if (Status s = CheckCaptureMode(*mode); !s.ok()) return s;
    ExchangeCaptureMode(mode);
    return {};
  });
}

aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream) {
  return Entry("aclmdlRIExecuteAsync", [&]() -> Status {
    std::shared_ptr<Graph> graph;
    if (Status s = FindReadyGraph(modelRI, &graph); !s.ok()) return s;
    if (Status s = CheckNotPart(*graph); !s.ok()) return s;
    std::shared_ptr<Stream> on;
    if (Status s = FindStream(stream, &on); !s.ok()) return s;
    if (Status s = CheckNotCapturing(*on); !s.ok()) return s;
    if (Status s = CheckNotBound(*on); !s.ok()) return s;
    return graph->Replay(on, "aclmdlRIExecuteAsync");
  });
}

aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout) {
  return Entry("aclmdlRIExecute", [&]() -> Status {
    if (timeout < -1 || timeout == 0) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "timeout is {} ms, expected -1 (none) or more than 0",
                  timeout);
    }
    std::shared_ptr<Graph> graph;
    if (Status s = FindReadyGraph(modelRI, &graph); !s.ok()) return s;
    if (Status s = CheckNotPart(*graph); !s.ok()) return s;
    std::shared_ptr<Stream> on;
    if (Status s = FindStream(nullptr, &on); !s.ok()) return s;
    if (Status s = graph->Replay(on, "aclmdlRIExecute"); !s.ok()) return s;
    return on->Synchronize(timeout);
  });
}

aclError aclmdlRIDestroy(aclmdlRI modelRI) {
  return Entry("aclmdlRIDestroy", [&]() -> Status {
    // torch_npu resets the device before it destroys the graphs that its program still had at exit.
    if (Graphs().TakeEnded(modelRI)) return {};
    Status s = DestroyGraph(modelRI);
    if (!s.ok() && Graphs().TakeEnded(modelRI)) return {};  // a reset came between
    return s;
  });
}

aclError aclmdlRISetName(aclmdlRI modelRI, const char* name) {
  return Entry("aclmdlRISetName", [&]() -> Status {
    if (Status s = NotNull(name, "name"); !s.ok()) return s;
    std::shared_ptr<Graph> graph;
    if (Status s = FindGraph(modelRI, &graph); !s.ok()) return s;
    graph->set_name(std::string(name, strnlen(name, kMaxName)));
    return {};
  });
}

aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char* name) {
  return Entry("aclmdlRIGetName", [&]() -> Status {
    if (Status s = NotNull(name, "name"); !s.ok()) return s;
    if (maxLen == 0) return Fail(ACL_ERROR_RT_PARAM_INVALID, "maxLen is 0, expected at least 1");
    std::shared_ptr<Graph> graph;
    if (Status s = FindGraph(modelRI, &graph); !s.ok()) return s;
    const std::string full = graph->name();
    const size_t length = std::min<size_t>(full.size(), maxLen - 1);
    std::memcpy(name, full.data(), length);
    name[length] = '\0';
    return {};
  });
}

aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t* modelRIId) {
  return Entry("aclmdlRIGetId", [&]() -> Status {
    if (Status s = NotNull(modelRIId, "modelRIId"); !s.ok()) return s;
    std::shared_ptr<Graph> graph;
    if (Status s = FindGraph(modelRI, &graph); !s.ok()) return s;
    *modelRIId = graph->id();
    return {};
  });
}

aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char* path, uint32_t flags) {
  return Entry("aclmdlRIDebugJsonPrint", [&]() -> Status {
    if (Status s = NotNull(path, "path"); !s.ok()) return s;
    if (flags > ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "flags is {:#x}, expected 0 or 1", flags);
    }
    std::shared_ptr<Graph> graph;
    if (Status s = FindReadyGraph(modelRI, &graph); !s.ok()) return s;
    return WriteFile(path, graph->ToJson());
  });
}

aclError aclmdlRIDebugPrint(aclmdlRI modelRI) {
  return Entry("aclmdlRIDebugPrint", [&]() -> Status {
    std::shared_ptr<Graph> graph;
    if (Status s = FindReadyGraph(modelRI, &graph); !s.ok()) return s;
    WriteLog(ACL_INFO, LogModule::kAcl, "aclmdlRIDebugPrint", nullptr, 0, graph->ToJson());
    return {};
  });
}

aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream) {
  return Entry("aclmdlRICaptureTaskGrpBegin", [&]() -> Status {
    std::shared_ptr<Stream> found;
    if (Status s = FindCapturable(stream, &found); !s.ok()) return s;
    return BeginTaskGroup(*found);
  });
}

aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp* handle) {
  return Entry("aclmdlRICaptureTaskGrpEnd", [&]() -> Status {
    if (Status s = NotNull(handle, "handle"); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    if (Status s = FindCapturable(stream, &found); !s.ok()) return s;
    return EndTaskGroup(*found, handle);
  });
}

aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle) {
  return Entry("aclmdlRICaptureTaskUpdateBegin", [&]() -> Status {
    if (Status s = NotNull(handle, "handle"); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    if (Status s = FindCapturable(stream, &found); !s.ok()) return s;
    return BeginTaskUpdate(found, handle);
  });
}

aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream) {
  return Entry("aclmdlRICaptureTaskUpdateEnd", [&]() -> Status {
    std::shared_ptr<Stream> found;
    if (Status s = FindCapturable(stream, &found); !s.ok()) return s;
    return EndTaskUpdate(found);
  });
}
}
