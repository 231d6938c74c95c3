// SPDX-License-Identifier: Apache-2.0
// A call of a single operator by name, as torch_npu makes it: descriptions, buffers, attributes.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl_op_compiler.h"
#include "acl/error_codes/rt_error_codes.h"
#include "support/device_test.h"
#include "support/numbers.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace anyacl::test {

class Node {
 public:
  explicit Node(std::string type) : type_(std::move(type)), attributes_(aclopCreateAttr()) {}
  ~Node() {
    for (aclTensorDesc* desc : descs_) aclDestroyTensorDesc(desc);
    for (const aclDataBuffer* buffer : buffers_) aclDestroyDataBuffer(buffer);
    aclopDestroyAttr(attributes_);
  }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Without values zeros; no tensor at all is an optional one that is left out.
  Node& In(const std::vector<int64_t>& dims, const std::vector<double>& values = {},
           aclDataType type = ACL_FLOAT) {
    Add(inputs_, dims, values, type);
    return *this;
  }
  Node& Absent() {
    inputs_.descs.push_back(
        aclCreateTensorDesc(ACL_DT_UNDEFINED, 0, nullptr, ACL_FORMAT_UNDEFINED));
    inputs_.buffers.push_back(aclCreateDataBuffer(nullptr, 0));
    descs_.push_back(inputs_.descs.back());
    buffers_.push_back(inputs_.buffers.back());
    return *this;
  }
  // In host memory, which ends with the call.
  Node& Host(const std::vector<int64_t>& dims, const std::vector<double>& values,
             aclDataType type = ACL_INT64) {
    auto& bytes = host_.emplace_back(values.size() * 8 + 8);
    for (size_t i = 0; i < values.size(); ++i) {
      StoreElement(type, values[i], bytes.data(), static_cast<int64_t>(i));
    }
    inputs_.descs.push_back(
        aclCreateTensorDesc(type, static_cast<int>(dims.size()), dims.data(), ACL_FORMAT_ND));
    EXPECT_EQ(aclSetTensorPlaceMent(inputs_.descs.back(), ACL_MEMTYPE_HOST), 0);
    inputs_.buffers.push_back(aclCreateDataBuffer(bytes.data(), bytes.size()));
    descs_.push_back(inputs_.descs.back());
    buffers_.push_back(inputs_.buffers.back());
    return *this;
  }
  Node& Out(const std::vector<int64_t>& dims, aclDataType type = ACL_FLOAT) {
    Add(outputs_, dims, {}, type);
    results_.push_back(tensors_.size() - 1);
    return *this;
  }
  Node& Int(const char* name, int64_t value) {
    EXPECT_EQ(aclopSetAttrInt(attributes_, name, value), 0);
    return *this;
  }
  Node& Bool(const char* name, bool value) {
    EXPECT_EQ(aclopSetAttrBool(attributes_, name, value), 0);
    return *this;
  }
  Node& Real(const char* name, float value) {
    EXPECT_EQ(aclopSetAttrFloat(attributes_, name, value), 0);
    return *this;
  }
  Node& Ints(const char* name, const std::vector<int64_t>& values) {
    EXPECT_EQ(
        aclopSetAttrListInt(attributes_, name, static_cast<int>(values.size()), values.data()), 0);
    return *this;
  }
  Node& Reals(const char* name, const std::vector<float>& values) {
    EXPECT_EQ(
        aclopSetAttrListFloat(attributes_, name, static_cast<int>(values.size()), values.data()),
        0);
    return *this;
  }
  Node& Text(const char* name, const char* value) {
    EXPECT_EQ(aclopSetAttrString(attributes_, name, value), 0);
    return *this;
  }

  // The memory from the host is overwritten when the call is made.
  int Run(aclrtStream stream) {
    const int code = aclopCompileAndExecute(
        type_.c_str(), static_cast<int>(inputs_.descs.size()), inputs_.descs.data(),
        inputs_.buffers.data(), static_cast<int>(outputs_.descs.size()), outputs_.descs.data(),
        outputs_.buffers.data(), attributes_, ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, stream);
    for (auto& bytes : host_) std::fill(bytes.begin(), bytes.end(), char{0x55});
    return code;
  }
  // Of output `index`, after the stream.
  std::vector<double> Result(size_t index, aclrtStream stream) {
    EXPECT_EQ(aclrtSynchronizeStream(stream), 0);
    const Tensor& tensor = tensors_[results_[index]];
    EXPECT_TRUE(tensor.GuardsIntact()) << type_ << " output " << index;
    return ReadAs(tensor);
  }
  // Another description of an input.
  void Describe(size_t index, aclTensorDesc* desc) {
    inputs_.descs[index] = desc;
    descs_.push_back(desc);
  }
  void DescribeOut(size_t index, aclTensorDesc* desc) {
    outputs_.descs[index] = desc;
    descs_.push_back(desc);
  }
  aclTensorDesc* input_desc(size_t index) { return inputs_.descs[index]; }
  aclTensorDesc* output_desc(size_t index) { return outputs_.descs[index]; }
  aclDataBuffer* input_buffer(size_t index) {
    return const_cast<aclDataBuffer*>(inputs_.buffers[index]);
  }

 private:
  struct Side {
    std::vector<aclTensorDesc*> descs;
    std::vector<aclDataBuffer*> buffers;
  };

  void Add(Side& side, const std::vector<int64_t>& dims, const std::vector<double>& values,
           aclDataType type) {
    Tensor& tensor = tensors_.emplace_back(Layout{.dims = dims, .dtype = type});
    if (!values.empty()) WriteAs(tensor, values);
    side.descs.push_back(
        aclCreateTensorDesc(type, static_cast<int>(dims.size()), dims.data(), ACL_FORMAT_ND));
    side.buffers.push_back(aclCreateDataBuffer(
        tensor.data(), static_cast<size_t>(tensor.count()) * aclDataTypeSize(type)));
    descs_.push_back(side.descs.back());
    buffers_.push_back(side.buffers.back());
  }

  const std::string type_;
  aclopAttr* const attributes_;
  Side inputs_, outputs_;
  std::deque<Tensor> tensors_;
  std::vector<size_t> results_;
  std::deque<std::vector<char>> host_;
  std::vector<aclTensorDesc*> descs_;
  std::vector<aclDataBuffer*> buffers_;
};

class NodeTest : public DeviceTest {
 protected:
  // The columns of each matrix of a batch.
  static void ExpectOrthonormal(const std::vector<double>& m, int64_t batch, int64_t rows,
                                int64_t columns) {
    for (int64_t i = 0; i < batch * columns * columns; ++i) {
      const int64_t n = i / columns / columns, a = i / columns % columns, b = i % columns;
      double sum = 0;
      for (int64_t r = 0; r < rows; ++r) {
        sum += m[static_cast<size_t>((n * rows + r) * columns + a)] *
               m[static_cast<size_t>((n * rows + r) * columns + b)];
      }
      EXPECT_NEAR(sum, a == b ? 1 : 0, 1e-5);
    }
  }
  std::vector<double> Numbers(int64_t count, aclDataType type = ACL_FLOAT) {
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(AsHeld(type, static_cast<double>(random().Int(-64, 64)) / 64));
    }
    return values;
  }
  std::vector<double> Run(Node& node, size_t output = 0) {
    EXPECT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
    return node.Result(output, stream());
  }
  void ExpectRefused(Node& node, std::initializer_list<const char*> words) {
    EXPECT_EQ(node.Run(stream()), ACL_ERROR_INVALID_PARAM);
    const std::string message = aclGetRecentErrMsg();
    for (const char* word : words) EXPECT_NE(message.find(word), std::string::npos) << message;
  }
  void ExpectTaskFails(Node& node, std::initializer_list<const char*> words) {
    ASSERT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclrtSynchronizeStream(stream()), ACL_ERROR_RT_AICORE_EXCEPTION);
    const std::string message = aclGetRecentErrMsg();
    for (const char* word : words) EXPECT_NE(message.find(word), std::string::npos) << message;
  }
  static void ExpectNear(const std::vector<double>& actual, const std::vector<double>& expected,
                         double tolerance, const std::string& what) {
    ASSERT_EQ(actual.size(), expected.size()) << what;
    for (size_t i = 0; i < actual.size(); ++i) {
      EXPECT_LE(std::fabs(actual[i] - expected[i]), tolerance * (1 + std::fabs(expected[i])))
          << what << " element " << i << ": " << actual[i] << " instead of " << expected[i];
    }
  }
};

}  // namespace anyacl::test
