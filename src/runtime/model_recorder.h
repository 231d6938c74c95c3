// SPDX-License-Identifier: Apache-2.0
// The models built by hand that are alive, as model_build.cc and model_label.cc keep them.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/event.h"
#include "runtime/flag.h"
#include "runtime/graph.h"
#include "runtime/graph_jump.h"
#include "runtime/handle_table.h"
#include "runtime/stream.h"
#include "runtime/task_sink.h"

namespace anyacl {

// All that follows is guarded by the lock of AllModels().
struct Label {
  explicit Label(const void* of) : context(of) {}
  const void* const context;
  bool listed = false;
  bool set = false;
  const Graph* model = nullptr;  // only compared
  GraphTarget place;
};

struct LabelList {
  std::vector<std::shared_ptr<Label>> labels;
};

using LabelTable = HandleTable<Label, HandleKind::kLabel>;
using LabelListTable = HandleTable<LabelList, HandleKind::kLabelList>;

constexpr uint32_t kNoLane = UINT32_MAX;

struct BoundStream {
  std::shared_ptr<Stream> stream;  // null once it is unbound
  std::vector<GraphNode> nodes;
  bool head = false;
};

// Where labels are when the model is complete; none for those that are not in it.
using Places = std::vector<std::optional<GraphTarget>>;

struct PendingSwitch {
  std::vector<std::shared_ptr<Label>> labels;
  std::shared_ptr<Places> places;
};

struct ModelEvent {
  std::shared_ptr<Flag> flag = std::make_shared<Flag>();
  bool recorded = false;
  bool awaited = false;
};

class Model final : public TaskSink {
 public:
  explicit Model(const Graph* of) : graph(of) {}
  std::optional<Status> Take(const Stream& stream, const std::shared_ptr<Task>& task) override;

  uint32_t LaneOf(const Stream& stream) const {
    for (uint32_t i = 0; i < lanes.size(); ++i) {
      if (lanes[i].stream.get() == &stream) return i;
    }
    return kNoLane;
  }
  Status Add(const Stream& stream, GraphNode node);
  Status AddJump(const Stream& stream, const char* name, std::function<Status(GraphStep*)> decide) {
    GraphNode node;
    node.jump = std::make_shared<const GraphJump>(GraphJump{name, std::move(decide)});
    return Add(stream, std::move(node));
  }

  const Graph* const graph;
  bool complete = false;
  bool has_end = false;
  std::vector<BoundStream> lanes;
  std::map<std::shared_ptr<Event>, ModelEvent> events;
  std::vector<PendingSwitch> switches;
};

struct Models {
  std::mutex mutex;
  std::map<const Graph*, std::shared_ptr<Model>> by_graph;
  std::map<const Stream*, std::shared_ptr<Model>> by_stream;
  std::atomic<size_t> bound{0};  // streams, for those who use none
};

Models& AllModels();

// With the lock held: 107005 unless the stream is bound to a model.
Status FindBound(const Models& models, const Stream& stream, std::shared_ptr<Model>* model);

}  // namespace anyacl
