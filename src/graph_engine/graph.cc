// SPDX-License-Identifier: Apache-2.0
// libgraph: what graphs are made of.
#include <cstring>

#include "graph_engine/refusal.h"

using anyacl::GraphsNotOffered;

namespace ge {

AscendString::AscendString(const char* text)
    : text_(text == nullptr ? nullptr : std::make_shared<std::string>(text)) {}

const char* AscendString::GetString() const { return text_ == nullptr ? "" : text_->c_str(); }

bool AscendString::operator<(const AscendString& other) const {
  return std::strcmp(GetString(), other.GetString()) < 0;
}

bool AscendString::operator==(const AscendString& other) const {
  return std::strcmp(GetString(), other.GetString()) == 0;
}

Shape::Shape(const std::vector<int64_t>&) {}
std::vector<int64_t> Shape::GetDims() const { return {}; }

TensorDesc::TensorDesc() = default;
Shape TensorDesc::GetShape() const { return Shape(); }
Format TensorDesc::GetFormat() const { return FORMAT_ND; }
DataType TensorDesc::GetDataType() const { return DT_UNDEFINED; }
Placement TensorDesc::GetPlacement() const { return kPlacementHost; }
void TensorDesc::SetFormat(Format) {}
void TensorDesc::SetDataType(DataType) {}
void TensorDesc::SetPlacement(Placement) {}
void TensorDesc::SetOriginShape(const Shape&) {}
void TensorDesc::SetOriginFormat(Format) {}

Tensor::Tensor() = default;
TensorDesc Tensor::GetTensorDesc() const { return TensorDesc(); }
Format Tensor::GetFormat() const { return FORMAT_ND; }
DataType Tensor::GetDataType() const { return DT_UNDEFINED; }
Placement Tensor::GetPlacement() const { return kPlacementHost; }
size_t Tensor::GetShapeDimNum() const { return 0; }
int64_t Tensor::GetShapeDim(size_t) const { return 0; }
size_t Tensor::GetOriginShapeDimNum() const { return 0; }
const uint8_t* Tensor::GetData() const { return nullptr; }
uint8_t* Tensor::GetData() { return nullptr; }
std::unique_ptr<uint8_t[], Tensor::Deleter> Tensor::ResetData() {
  return {nullptr, [](uint8_t*) {}};
}
graphStatus Tensor::ResetData(uint8_t*, size_t, const Deleter&) {
  return GraphsNotOffered("ge::Tensor::ResetData");
}
graphStatus Tensor::SetData(uint8_t*, size_t, const Deleter&) {
  return GraphsNotOffered("ge::Tensor::SetData");
}
graphStatus Tensor::SetTensorDesc(const TensorDesc&) {
  return GraphsNotOffered("ge::Tensor::SetTensorDesc");
}
graphStatus Tensor::SetFormat(const Format&) { return GraphsNotOffered("ge::Tensor::SetFormat"); }
graphStatus Tensor::SetDataType(const DataType&) {
  return GraphsNotOffered("ge::Tensor::SetDataType");
}
graphStatus Tensor::SetPlacement(const Placement&) {
  return GraphsNotOffered("ge::Tensor::SetPlacement");
}
graphStatus Tensor::SetShapeDimNum(size_t) {
  return GraphsNotOffered("ge::Tensor::SetShapeDimNum");
}
graphStatus Tensor::SetShapeDim(size_t, int64_t) {
  return GraphsNotOffered("ge::Tensor::SetShapeDim");
}
graphStatus Tensor::SetOriginShapeDimNum(size_t) {
  return GraphsNotOffered("ge::Tensor::SetOriginShapeDimNum");
}
graphStatus Tensor::SetOriginShapeDim(size_t, int64_t) {
  return GraphsNotOffered("ge::Tensor::SetOriginShapeDim");
}

graphStatus GNode::GetType(AscendString&) const { return GraphsNotOffered("ge::GNode::GetType"); }

Graph::Graph(const char*) {}
graphStatus Graph::LoadFromSerializedModelArray(const void*, size_t) {
  return GraphsNotOffered("ge::Graph::LoadFromSerializedModelArray");
}
graphStatus Graph::CopyFrom(const Graph&) { return GraphsNotOffered("ge::Graph::CopyFrom"); }
graphStatus Graph::SaveToFile(const char*) const {
  return GraphsNotOffered("ge::Graph::SaveToFile");
}
std::vector<GNode> Graph::GetAllNodes() const { return {}; }

Operator::Operator(const char*, const char*) {}
Operator::Operator(const AscendString&, const AscendString&) {}
void Operator::InputRegister(const char*) {}
void Operator::OutputRegister(const char*) {}
void Operator::DynamicInputRegister(const char*, unsigned int, bool) {}
void Operator::DynamicInputRegisterByIndex(const char*, unsigned int, size_t) {}
void Operator::RequiredAttrRegister(const char*) {}
void Operator::AttrRegister(const char*, int64_t) {}
void Operator::AttrRegister(const char*, bool) {}
graphStatus Operator::UpdateInputDesc(const char*, const TensorDesc&) {
  return GraphsNotOffered("ge::Operator::UpdateInputDesc");
}
graphStatus Operator::GetAllIrAttrNamesAndTypes(Options&) const {
  return GraphsNotOffered("ge::Operator::GetAllIrAttrNamesAndTypes");
}

bool OperatorFactory::IsExistOp(const char*) { return false; }
Operator OperatorFactory::CreateOperator(const char*, const char*) { return Operator(); }

// No graph will ask for them.
OperatorCreatorRegister::OperatorCreatorRegister(const char*, const Creator&) {}

const char* GetFormatName(Format) { return "UNKNOWN"; }

}  // namespace ge
