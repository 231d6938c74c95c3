// SPDX-License-Identifier: Apache-2.0
// The classes of CANN's graph engine (GE) that torchair, torch_npu's compiler for graphs, links:
// with the layouts and names that it was built with, so that it loads, and its mode
// "reduce-overhead", which calls operators one by one and captures them, runs; and those that
// torch_npu before 2.7 links, which declares operators of graphs. Whole graphs are not
// run: GEInitialize, the first that a client calls for one, fails with a message, and no object
// below has contents.
//
// Source of layouts: graph/{ascend_string,tensor,graph,gnode,operator,operator_factory}.h and
// ge/ge_api.h of CANN: each object is one shared pointer to what the library keeps, but Session,
// which is a number, and OperatorCreatorRegister, which is nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl_base.h"

namespace ge {

using Status = uint32_t;                       // ge_api_error_codes.h
using graphStatus = uint32_t;                  // graph/error_codes.h
inline constexpr Status kFailed = 0xFFFFFFFF;  // FAILED, and GRAPH_FAILED

enum DataType : int { DT_UNDEFINED = 28 };
enum Format : int { FORMAT_ND = 2 };
enum Placement : unsigned { kPlacementHost = 0 };

class ACL_FUNC_VISIBILITY AscendString {
 public:
  AscendString() = default;
  AscendString(const char* text);  // NOLINT(google-explicit-constructor): as CANN declares it
  const char* GetString() const;
  bool operator<(const AscendString& other) const;
  bool operator==(const AscendString& other) const;

 private:
  std::shared_ptr<std::string> text_;
};

using Options = std::map<AscendString, AscendString>;

class ACL_FUNC_VISIBILITY Shape {
 public:
  Shape() = default;
  explicit Shape(const std::vector<int64_t>& dims);
  std::vector<int64_t> GetDims() const;

 private:
  std::shared_ptr<void> contents_;
};

class ACL_FUNC_VISIBILITY TensorDesc {
 public:
  TensorDesc();
  Shape GetShape() const;
  Format GetFormat() const;
  DataType GetDataType() const;
  Placement GetPlacement() const;
  void SetFormat(Format format);
  void SetDataType(DataType type);
  void SetPlacement(Placement placement);
  void SetOriginShape(const Shape& shape);
  void SetOriginFormat(Format format);

 private:
  std::shared_ptr<void> contents_;
};

class ACL_FUNC_VISIBILITY Tensor {
 public:
  using Deleter = std::function<void(uint8_t*)>;

  Tensor();
  TensorDesc GetTensorDesc() const;
  Format GetFormat() const;
  DataType GetDataType() const;
  Placement GetPlacement() const;
  size_t GetShapeDimNum() const;
  int64_t GetShapeDim(size_t index) const;
  size_t GetOriginShapeDimNum() const;
  const uint8_t* GetData() const;
  uint8_t* GetData();
  std::unique_ptr<uint8_t[], Deleter> ResetData();
  graphStatus ResetData(uint8_t* data, size_t size, const Deleter& deleter);
  graphStatus SetData(uint8_t* data, size_t size, const Deleter& deleter);
  graphStatus SetTensorDesc(const TensorDesc& desc);
  graphStatus SetFormat(const Format& format);
  graphStatus SetDataType(const DataType& type);
  graphStatus SetPlacement(const Placement& placement);
  graphStatus SetShapeDimNum(size_t count);
  graphStatus SetShapeDim(size_t index, int64_t size);
  graphStatus SetOriginShapeDimNum(size_t count);
  graphStatus SetOriginShapeDim(size_t index, int64_t size);

 private:
  std::shared_ptr<void> contents_;
};

class ACL_FUNC_VISIBILITY GNode {
 public:
  graphStatus GetType(AscendString& type) const;

 private:
  std::shared_ptr<void> contents_;
};

class ACL_FUNC_VISIBILITY Graph {
 public:
  explicit Graph(const char* name);
  graphStatus LoadFromSerializedModelArray(const void* model, size_t size);
  graphStatus CopyFrom(const Graph& other);
  graphStatus SaveToFile(const char* file) const;
  std::vector<GNode> GetAllNodes() const;

 private:
  std::shared_ptr<void> contents_;
};

// A client's classes of operators derive from it, and their constructors say what they have.
class ACL_FUNC_VISIBILITY Operator {
 public:
  Operator() = default;
  Operator(const char* name, const char* type);
  Operator(const AscendString& name, const AscendString& type);
  virtual ~Operator() = default;
  graphStatus UpdateInputDesc(const char* name, const TensorDesc& desc);
  graphStatus GetAllIrAttrNamesAndTypes(Options& types) const;

 protected:
  void InputRegister(const char* name);
  void OutputRegister(const char* name);
  void DynamicInputRegister(const char* name, unsigned int count, bool at_end);
  void DynamicInputRegisterByIndex(const char* name, unsigned int count, size_t index);
  void RequiredAttrRegister(const char* name);
  void AttrRegister(const char* name, int64_t value);
  void AttrRegister(const char* name, bool value);

 private:
  std::shared_ptr<void> contents_;
};

class ACL_FUNC_VISIBILITY OperatorFactory {
 public:
  static bool IsExistOp(const char* type);
  static Operator CreateOperator(const char* name, const char* type);
};

// A static object of the client for each of its classes.
class ACL_FUNC_VISIBILITY OperatorCreatorRegister {
 public:
  using Creator = std::function<Operator(const AscendString& name)>;
  OperatorCreatorRegister(const char* type, const Creator& creator);
};

class ACL_FUNC_VISIBILITY CompiledGraphSummary {
 public:
  CompiledGraphSummary(const CompiledGraphSummary&) = delete;
  CompiledGraphSummary& operator=(const CompiledGraphSummary&) = delete;
  bool IsStatic() const;
  Status GetConstMemorySize(size_t& bytes) const;
  Status GetFeatureMemorySize(size_t& bytes) const;
  Status GetFixedFeatureMemorySize(size_t& bytes) const;
  Status GetFeatureMemoryBaseRefreshable(bool& refreshable) const;
  Status GetOutputShapes(std::vector<Shape>& shapes) const;
  Status GetOutputDtypes(std::vector<DataType>& types) const;

 private:
  CompiledGraphSummary() = default;
  std::shared_ptr<void> contents_;
};

class Allocator;

class ACL_FUNC_VISIBILITY Session {
 public:
  explicit Session(const Options& options);
  ~Session();
  Status AddGraph(uint32_t id, const Graph& graph, const Options& options);
  Status RemoveGraph(uint32_t id);
  Status CompileGraph(uint32_t id);
  std::shared_ptr<CompiledGraphSummary> GetCompiledGraphSummary(uint32_t id);
  Status SetGraphConstMemoryBase(uint32_t id, const void* memory, size_t bytes);
  Status UpdateGraphFeatureMemoryBase(uint32_t id, const void* memory, size_t bytes);
  Status SetGraphFixedFeatureMemoryBase(uint32_t id, const void* memory, size_t bytes);
  Status UpdateGraphRefreshableFeatureMemoryBase(uint32_t id, const void* memory, size_t bytes);
  Status RegisterExternalAllocator(const void* stream, std::shared_ptr<Allocator> allocator) const;
  Status RunGraph(uint32_t id, const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs);
  Status RunGraphWithStreamAsync(uint32_t id, void* stream, const std::vector<Tensor>& inputs,
                                 std::vector<Tensor>& outputs);

 private:
  [[maybe_unused]] uint64_t id_ = 0;
};

ACL_FUNC_VISIBILITY const char* GetFormatName(Format format);
ACL_FUNC_VISIBILITY Status GEInitialize(const Options& options);
ACL_FUNC_VISIBILITY Status GEFinalize();
ACL_FUNC_VISIBILITY AscendString GEGetWarningMsgV2();

}  // namespace ge
