// SPDX-License-Identifier: Apache-2.0
#include "runtime/model_build.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/fork_locks.h"
#include "runtime/device.h"
#include "runtime/model_recorder.h"

namespace anyacl {
Models& AllModels() {
  static Models* models = [] {
    auto* created = new Models;
    ForkLocks::Add(ForkOrder::kCaptures, created->mutex);
    return created;
  }();
  return *models;
}
[[maybe_unused]] static const bool kModelBuildMadeAtLoad = (AllModels(), true);

namespace {

// Called with the lock held, as all that follows.
std::shared_ptr<Model> ModelOf(const Models& models, const Stream& stream) {
  const auto it = models.by_stream.find(&stream);
  return it == models.by_stream.end() ? nullptr : it->second;
}

Status FindModel(const Models& models, const Graph& graph, std::shared_ptr<Model>* model) {
  const auto it = models.by_graph.find(&graph);
  if (it == models.by_graph.end()) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "graph {} was captured, expected a model of aclmdlRIBuildBegin", graph.id());
  }
  *model = it->second;
  return {};
}

Status CheckBoundTo(const Model& model, const Stream& stream) {
  if (model.LaneOf(stream) != kNoLane) return {};
  return Fail(ACL_ERROR_RT_STREAM_MODEL, "stream {} is not bound to model {}", stream.id(),
              model.graph->id());
}

void Unbind(Models& models, Model& model, const Stream& stream) {
  BoundStream& lane = model.lanes[model.LaneOf(stream)];
  models.by_stream.erase(&stream);
  models.bound.store(models.by_stream.size(), std::memory_order_release);
  lane.nodes.clear();
  lane.stream->Divert(nullptr);
  lane.stream.reset();
}

template <class Word>
bool Compare(const Comparison& comparison) {
  const Word left = __atomic_load_n(static_cast<const Word*>(comparison.left), __ATOMIC_ACQUIRE);
  const Word right = __atomic_load_n(static_cast<const Word*>(comparison.right), __ATOMIC_ACQUIRE);
  switch (comparison.condition) {
    case ACL_RT_EQUAL:
      return left == right;
    case ACL_RT_NOT_EQUAL:
      return left != right;
    case ACL_RT_GREATER:
      return left > right;
    case ACL_RT_GREATER_OR_EQUAL:
      return left >= right;
    case ACL_RT_LESS:
      return left < right;
    default:
      return left <= right;
  }
}

bool NoneBound() { return AllModels().bound.load(std::memory_order_acquire) == 0; }

// What `add` makes, for the model's own event, of something that happens to `event` on a stream;
// none: the stream is bound to no model.
template <class Add>
std::optional<Status> OnModelEvent(const std::shared_ptr<Event>& event, const Stream& stream,
                                   Add add) {
  if (NoneBound()) return std::nullopt;
  Models& models = AllModels();
  std::lock_guard lock(models.mutex);
  const std::shared_ptr<Model> model = ModelOf(models, stream);
  if (model == nullptr || event->flag() != nullptr) return std::nullopt;
  if (event->shared() == nullptr) return add(*model, model->events[event]);
  return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
              "event {} is shared with other processes, which a model's stream {} cannot use",
              event->id(), stream.id());
}

// A jump of a stream, for which decide(step, target) may start another one of its model.
template <class Decide>
Status AddStart(const char* api, const Stream& started, const Stream& stream, Decide decide) {
  Models& models = AllModels();
  std::lock_guard lock(models.mutex);
  std::shared_ptr<Model> model;
  if (Status s = FindBound(models, stream, &model); !s.ok()) return s;
  if (Status s = CheckBoundTo(*model, started); !s.ok()) return s;
  const GraphTarget target{model->LaneOf(started), 0};
  return model->AddJump(stream, api, [decide, target](GraphStep* step) -> Status {
    decide(step, target);
    return {};
  });
}

template <class Body>
Status AddEventTask(Model& model, const Stream& stream, const char* api, Body body) {
  GraphNode node;
  node.task = MakeTask(TaskKind::kMark, api, std::move(body));
  return model.Add(stream, std::move(node));
}

}  // namespace

std::optional<Status> Model::Take(const Stream& stream, const std::shared_ptr<Task>& task) {
  std::lock_guard lock(AllModels().mutex);
  if (LaneOf(stream) == kNoLane) return std::nullopt;
  GraphNode node;
  node.task = task;
  return Add(stream, std::move(node));
}

Status Model::Add(const Stream& stream, GraphNode node) {
  if (complete) {
    return Fail(ACL_ERROR_RT_STREAM_MODEL,
                "stream {} is bound to model {}, which is complete: expected aclmdlRIUnbindStream "
                "before",
                stream.id(), graph->id());
  }
  lanes[LaneOf(stream)].nodes.push_back(std::move(node));
  return {};
}

Status FindBound(const Models& models, const Stream& stream, std::shared_ptr<Model>* model) {
  *model = ModelOf(models, stream);
  if (*model != nullptr) return {};
  return Fail(ACL_ERROR_RT_STREAM_MODEL,
              "stream {} is not bound to a model, expected aclmdlRIBindStream before", stream.id());
}

Status BeginModel(aclmdlRI* model) {
  CurrentContext current;
  if (Status s = GetCurrentContext(&current); !s.ok()) return s;
  auto graph =
      std::make_shared<Graph>(current.context->device(), current.handle, GraphOrigin::kBuilt);
  Models& models = AllModels();
  std::lock_guard lock(models.mutex);
  models.by_graph.emplace(graph.get(), std::make_shared<Model>(graph.get()));
  *model = Graphs().Add(std::move(graph));
  return {};
}

Status BindStream(const std::shared_ptr<Graph>& graph, const std::shared_ptr<Stream>& stream,
                  bool head) {
  Models& models = AllModels();
  std::lock_guard lock(models.mutex);
  std::shared_ptr<Model> model;
  if (Status s = FindModel(models, *graph, &model); !s.ok()) return s;
  if (model->complete) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "model {} is complete, expected no aclmdlRIBuildEnd",
                graph->id());
  }
  if (stream->context() != graph->context()) {
    return Fail(ACL_ERROR_RT_STREAM_CONTEXT, "stream {} belongs to another context than model {}",
                stream->id(), graph->id());
  }
  const uint32_t flags = stream->attributes().flags;
  if ((flags & ACL_STREAM_PERSISTENT) == 0) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "stream {} has flags {:#x}, expected ACL_STREAM_PERSISTENT (4) from "
                "aclrtCreateStreamWithConfig",
                stream->id(), flags);
  }
  if (ModelOf(models, *stream) != nullptr) {
    return Fail(ACL_ERROR_RT_STREAM_MODEL, "stream {} is bound to a model already", stream->id());
  }
  model->lanes.push_back({stream, {}, head});
  models.by_stream.emplace(stream.get(), model);
  models.bound.store(models.by_stream.size(), std::memory_order_release);
  stream->Divert(model);
  return {};
}

Status UnbindStream(const std::shared_ptr<Graph>& graph, const std::shared_ptr<Stream>& stream) {
  Models& models = AllModels();
  std::lock_guard lock(models.mutex);
  std::shared_ptr<Model> model;
  if (Status s = FindModel(models, *graph, &model); !s.ok()) return s;
  if (Status s = CheckBoundTo(*model, *stream); !s.ok()) return s;
  if (model->complete) graph->Retire();
  Unbind(models, *model, *stream);
  return {};
}

Status AddEndTask(const std::shared_ptr<Graph>& graph, const Stream& stream) {
  Models& models = AllModels();
  std::lock_guard lock(models.mutex);
  std::shared_ptr<Model> model;
  if (Status s = FindModel(models, *graph, &model); !s.ok()) return s;
  if (Status s = CheckBoundTo(*model, stream); !s.ok()) return s;
  if (model->has_end) {
    return Fail(ACL_ERROR_RT_INTERNAL_ERROR, "model {} has an end already, expected one",
                graph->id());
  }
  const auto end = [](GraphStep* step) -> Status {
    step->completes = true;
    return {};
  };
  if (Status s = model->AddJump(stream, "aclmdlRIEndTask", end); !s.ok()) return s;
  model->has_end = true;
  return {};
}

Status CompleteModel(const std::shared_ptr<Graph>& graph) {
  Models& models = AllModels();
  std::lock_guard lock(models.mutex);
  std::shared_ptr<Model> model;
  if (Status s = FindModel(models, *graph, &model); !s.ok()) return s;
  if (model->complete) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "model {} is complete already", graph->id());
  }
  if (!model->has_end) {
    return Fail(ACL_ERROR_RT_INTERNAL_ERROR,
                "model {} has no end, expected aclmdlRIEndTask on one of its streams", graph->id());
  }
  std::vector<std::shared_ptr<Flag>> flags;
  for (const auto& [event, state] : model->events) {
    if (state.awaited && !state.recorded) {
      return Fail(ACL_ERROR_RT_CAPTURE_DEPENDENCY,
                  "a stream of model {} waits for event {}, which none of them records",
                  graph->id(), event->id());
    }
    flags.push_back(state.flag);
  }
  for (const PendingSwitch& each : model->switches) {
    for (const auto& label : each.labels) {
      const bool here = label->set && label->model == graph.get();
      each.places->push_back(here ? std::optional(label->place) : std::nullopt);
    }
  }
  std::vector<Graph::CapturedStream> lanes;
  for (BoundStream& lane : model->lanes) {
    const int32_t id = lane.stream == nullptr ? -1 : lane.stream->id();
    lanes.push_back({id, std::move(lane.nodes), lane.head && lane.stream != nullptr});
  }
  model->complete = true;
  model->events.clear();
  model->switches.clear();
  graph->SealModel(std::move(lanes), std::move(flags));
  return {};
}

void ReleaseModel(const Graph& graph) {
  std::shared_ptr<Model> model;  // ends after the lock
  Models& models = AllModels();
  std::lock_guard lock(models.mutex);
  const auto it = models.by_graph.find(&graph);
  if (it == models.by_graph.end()) return;
  model = it->second;
  for (BoundStream& lane : model->lanes) {
    if (lane.stream != nullptr) Unbind(models, *model, *lane.stream);
  }
  models.by_graph.erase(it);
}

void ReleaseStream(const Stream& stream) {
  if (NoneBound()) return;
  std::shared_ptr<Model> model;  // ends after the lock
  Models& models = AllModels();
  std::lock_guard lock(models.mutex);
  model = ModelOf(models, stream);
  if (model != nullptr) Unbind(models, *model, stream);
}

Status CheckNotBound(const Stream& stream) {
  if (NoneBound()) return {};
  Models& models = AllModels();
  std::lock_guard lock(models.mutex);
  if (ModelOf(models, stream) == nullptr) return {};
  return Fail(ACL_ERROR_RT_STREAM_MODEL,
              "stream {} is bound to a model, expected aclmdlRIUnbindStream before", stream.id());
}

bool Comparison::Holds() const { return wide ? Compare<int64_t>(*this) : Compare<int32_t>(*this); }

Status AddActivation(const Stream& activated, const Stream& stream) {
  return AddStart("aclrtActiveStream", activated, stream,
                  [](GraphStep* step, const GraphTarget& target) { step->start = target; });
}

Status AddSwitch(const Comparison& comparison, const Stream& target, const Stream& stream) {
  return AddStart("aclrtSwitchStream", target, stream,
                  [comparison](GraphStep* step, const GraphTarget& there) {
                    if (!comparison.Holds()) return;
                    step->start = there;
                    step->leaves = true;
                  });
}

std::optional<Status> ModelRecord(const std::shared_ptr<Event>& event, const Stream& stream) {
  return OnModelEvent(event, stream, [&](Model& model, ModelEvent& state) {
    state.recorded = true;
    return AddEventTask(model, stream, "aclrtRecordEvent", [flag = state.flag]() -> Status {
      flag->Set();
      return {};
    });
  });
}

std::optional<Status> ModelWait(const std::shared_ptr<Event>& event, const Stream& stream) {
  return OnModelEvent(event, stream, [&](Model& model, ModelEvent& state) {
    state.awaited = true;
    GraphNode node;
    node.task = std::make_shared<FlagWaitTask>("aclrtStreamWaitEvent", state.flag, false, 0, 0);
    return model.Add(stream, std::move(node));
  });
}

std::optional<Status> ModelReset(const std::shared_ptr<Event>& event, const Stream& stream) {
  return OnModelEvent(event, stream, [&](Model& model, ModelEvent& state) {
    return AddEventTask(model, stream, "aclrtResetEvent", [flag = state.flag]() -> Status {
      flag->Clear();
      return {};
    });
  });
}

}  // namespace anyacl
