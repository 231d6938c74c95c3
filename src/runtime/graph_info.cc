// SPDX-License-Identifier: Apache-2.0
// What a graph has beside its nodes: its name, callbacks, dumps.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "runtime/graph.h"

namespace anyacl {

std::string Graph::name() const {
  std::lock_guard lock(replaced_mutex_);
  return name_;
}

void Graph::set_name(std::string name) {
  std::lock_guard lock(replaced_mutex_);
  name_ = std::move(name);
}

void Graph::AddDestroyCallback(DestroyCallback callback) {
  std::lock_guard lock(replaced_mutex_);
  destroy_callbacks_.push_back(callback);
}

bool Graph::RemoveDestroyCallback(void (*function)(void*)) {
  std::lock_guard lock(replaced_mutex_);
  const auto it =
      std::find_if(destroy_callbacks_.begin(), destroy_callbacks_.end(),
                   [&](const DestroyCallback& known) { return known.function == function; });
  if (it == destroy_callbacks_.end()) return false;
  destroy_callbacks_.erase(it);
  return true;
}

std::vector<Graph::DestroyCallback> Graph::TakeDestroyCallbacks() {
  std::lock_guard lock(replaced_mutex_);
  return std::exchange(destroy_callbacks_, {});
}

std::string Graph::ToJson() const {
  auto events = nlohmann::json::array();
  for (const auto& lane : lanes_) {
    for (size_t i = 0; i < lane->nodes.size(); ++i) {
      const GraphNode& node = lane->nodes[i];
      nlohmann::json arguments = {
          {"model id", id_}, {"stream id", lane->stream_id}, {"task id", i}};
      if (node.task == nullptr && node.jump == nullptr) {
        arguments["after stream id"] = lanes_[node.after.lane]->stream_id;
        arguments["after tasks"] = node.after.count;
      }
      const char* name = node.jump != nullptr   ? node.jump->name
                         : node.task == nullptr ? "wait"
                                                : TaskOf(node)->name();
      events.push_back({{"name", name},
                        {"ph", "X"},
                        {"ts", i},
                        {"dur", 1},
                        {"pid", id_},
                        {"tid", lane->stream_id},
                        {"args", std::move(arguments)}});
    }
  }
  return events.dump(1);
}

}  // namespace anyacl
