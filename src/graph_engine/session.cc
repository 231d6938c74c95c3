// SPDX-License-Identifier: Apache-2.0
// libge_runner: sessions that run graphs.
#include "graph_engine/refusal.h"

using anyacl::GraphsNotOffered;

namespace ge {

Status GEInitialize(const Options&) { return GraphsNotOffered("ge::GEInitialize"); }
Status GEFinalize() { return 0; }
AscendString GEGetWarningMsgV2() { return AscendString(""); }

bool CompiledGraphSummary::IsStatic() const { return false; }
Status CompiledGraphSummary::GetConstMemorySize(size_t&) const {
  return GraphsNotOffered("ge::CompiledGraphSummary::GetConstMemorySize");
}
Status CompiledGraphSummary::GetFeatureMemorySize(size_t&) const {
  return GraphsNotOffered("ge::CompiledGraphSummary::GetFeatureMemorySize");
}
Status CompiledGraphSummary::GetFixedFeatureMemorySize(size_t&) const {
  return GraphsNotOffered("ge::CompiledGraphSummary::GetFixedFeatureMemorySize");
}
Status CompiledGraphSummary::GetFeatureMemoryBaseRefreshable(bool&) const {
  return GraphsNotOffered("ge::CompiledGraphSummary::GetFeatureMemoryBaseRefreshable");
}
Status CompiledGraphSummary::GetOutputShapes(std::vector<Shape>&) const {
  return GraphsNotOffered("ge::CompiledGraphSummary::GetOutputShapes");
}
Status CompiledGraphSummary::GetOutputDtypes(std::vector<DataType>&) const {
  return GraphsNotOffered("ge::CompiledGraphSummary::GetOutputDtypes");
}

Session::Session(const Options&) { GraphsNotOffered("ge::Session::Session"); }
Session::~Session() = default;
Status Session::AddGraph(uint32_t, const Graph&, const Options&) {
  return GraphsNotOffered("ge::Session::AddGraph");
}
Status Session::RemoveGraph(uint32_t) { return GraphsNotOffered("ge::Session::RemoveGraph"); }
Status Session::CompileGraph(uint32_t) { return GraphsNotOffered("ge::Session::CompileGraph"); }
std::shared_ptr<CompiledGraphSummary> Session::GetCompiledGraphSummary(uint32_t) {
  GraphsNotOffered("ge::Session::GetCompiledGraphSummary");
  return nullptr;
}
Status Session::SetGraphConstMemoryBase(uint32_t, const void*, size_t) {
  return GraphsNotOffered("ge::Session::SetGraphConstMemoryBase");
}
Status Session::UpdateGraphFeatureMemoryBase(uint32_t, const void*, size_t) {
  return GraphsNotOffered("ge::Session::UpdateGraphFeatureMemoryBase");
}
Status Session::SetGraphFixedFeatureMemoryBase(uint32_t, const void*, size_t) {
  return GraphsNotOffered("ge::Session::SetGraphFixedFeatureMemoryBase");
}
Status Session::UpdateGraphRefreshableFeatureMemoryBase(uint32_t, const void*, size_t) {
  return GraphsNotOffered("ge::Session::UpdateGraphRefreshableFeatureMemoryBase");
}
Status Session::RegisterExternalAllocator(const void*, std::shared_ptr<Allocator>) const {
  return GraphsNotOffered("ge::Session::RegisterExternalAllocator");
}
Status Session::RunGraph(uint32_t, const std::vector<Tensor>&, std::vector<Tensor>&) {
  return GraphsNotOffered("ge::Session::RunGraph");
}
Status Session::RunGraphWithStreamAsync(uint32_t, void*, const std::vector<Tensor>&,
                                        std::vector<Tensor>&) {
  return GraphsNotOffered("ge::Session::RunGraphWithStreamAsync");
}

}  // namespace ge
