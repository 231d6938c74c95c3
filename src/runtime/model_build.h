// SPDX-License-Identifier: Apache-2.0
// Models built by hand: streams that are bound to a graph, whose tasks become its nodes until they
// are unbound, and the labels that their nodes go to.
#pragma once

#include <memory>
#include <optional>

#include "acl/acl_rt.h"
#include "base/status.h"
#include "runtime/event.h"
#include "runtime/graph.h"
#include "runtime/stream.h"

namespace anyacl {

Status BeginModel(aclmdlRI* model);
Status BindStream(const std::shared_ptr<Graph>& model, const std::shared_ptr<Stream>& stream,
                  bool head);
Status UnbindStream(const std::shared_ptr<Graph>& model, const std::shared_ptr<Stream>& stream);
Status AddEndTask(const std::shared_ptr<Graph>& model, const Stream& stream);
Status CompleteModel(const std::shared_ptr<Graph>& model);
// The model's handle ends: its streams take tasks of their own again.
void ReleaseModel(const Graph& model);
// The stream ends.
void ReleaseStream(const Stream& stream);

// 107005 for a stream that is bound to a model.
Status CheckNotBound(const Stream& stream);

// Nodes that direct the streams.
Status AddActivation(const Stream& activated, const Stream& stream);
struct Comparison {
  const void* left;
  const void* right;
  aclrtCondition condition;
  bool wide;  // 64 bits

  bool Holds() const;
};
Status AddSwitch(const Comparison& comparison, const Stream& target, const Stream& stream);

// Whether the stream is bound and this is what recording, waiting for or resetting an event means
// there; none: what it always does.
std::optional<Status> ModelRecord(const std::shared_ptr<Event>& event, const Stream& stream);
std::optional<Status> ModelWait(const std::shared_ptr<Event>& event, const Stream& stream);
std::optional<Status> ModelReset(const std::shared_ptr<Event>& event, const Stream& stream);

Status CreateLabel(aclrtLabel* label);
Status DestroyLabel(aclrtLabel label);
Status SetLabel(aclrtLabel label, const Stream& stream);
Status CreateLabelList(const aclrtLabel* labels, size_t count, aclrtLabelList* list);
Status DestroyLabelList(aclrtLabelList list);
Status AddLabelSwitch(const void* index, uint32_t count, aclrtLabelList list, const Stream& stream);

}  // namespace anyacl
