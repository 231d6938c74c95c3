// SPDX-License-Identifier: Apache-2.0
// A small decoder with a mixture of experts, in two halves: what attention workers compute and what
// FFN workers compute. Neither half knows of the other, so the same code runs as a pipeline of
// processes and in one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../device.h"

constexpr int64_t kLayers = 3;
constexpr int64_t kHidden = 1024;
constexpr int64_t kHeads = 8;
constexpr int64_t kKvHeads = 2;  // four query heads share one head of keys and values
constexpr int64_t kHeadSize = kHidden / kHeads;
constexpr int64_t kKvColumns = kKvHeads * kHeadSize;
constexpr int64_t kVocabulary = 256;
constexpr int64_t kRouted = 8;  // experts, of which a token takes kChosen
constexpr int64_t kChosen = 2;
constexpr int64_t kShared = 1;  // experts that every token takes
constexpr int64_t kExperts = kRouted + kShared;
constexpr int64_t kRows = kChosen + kShared;  // of a token, on their way to its experts
constexpr int64_t kInner = 256;               // columns within an expert

constexpr int64_t kTokens = 4;        // of a micro batch: sequences that are decoded together
constexpr int64_t kMicroBatches = 2;  // of an attention worker, all under way
constexpr int64_t kContext = 32;      // tokens of a request; then its sequence takes the next one
constexpr int64_t kRequests = 2;      // then the first one again
constexpr int64_t kPeriod = kContext * kRequests;  // steps after which everything repeats
constexpr int64_t kPage = 16;                      // tokens of a page of the cache

// Calls both phases of an operator and waits for its result.
template <class First>
void CallOperator(const std::string& name, First first, SecondPhase second, aclrtStream stream) {
  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  Check(first(&workspace_size, &executor), name + "GetWorkspaceSize");
  RunAndWait(name, second, workspace_size, executor, stream);
}
#define CALL(stream, name, ...)                                     \
  CallOperator(                                                     \
      #name,                                                        \
      [&](uint64_t* size, aclOpExecutor** executor) {               \
        return name##GetWorkspaceSize(__VA_ARGS__, size, executor); \
      },                                                            \
      name, stream)

// Memory as a tensor.
inline aclTensor* TensorOn(void* data, aclDataType type, const std::vector<int64_t>& shape,
                           aclFormat format = ACL_FORMAT_ND) {
  return aclCreateTensor(shape.data(), shape.size(), type, nullptr, 0, format, shape.data(),
                         shape.size(), data);
}
class View {
 public:
  View(void* data, aclDataType type, const std::vector<int64_t>& shape,
       aclFormat format = ACL_FORMAT_ND)
      : tensor_(TensorOn(data, type, shape, format)) {}
  ~View() { aclDestroyTensor(tensor_); }
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  aclTensor* get() const { return tensor_; }

 private:
  aclTensor* tensor_;
};

// A list of one tensor, which goes with the list.
class List {
 public:
  List(void* data, aclDataType type, const std::vector<int64_t>& shape) {
    const aclTensor* tensor = TensorOn(data, type, shape);
    list_ = aclCreateTensorList(&tensor, 1);
  }
  ~List() { aclDestroyTensorList(list_); }
  List(const List&) = delete;
  List& operator=(const List&) = delete;
  aclTensorList* get() const { return list_; }

 private:
  aclTensorList* list_;
};

class IntArray {
 public:
  explicit IntArray(const std::vector<int64_t>& values)
      : array_(aclCreateIntArray(values.data(), values.size())) {}
  ~IntArray() { aclDestroyIntArray(array_); }
  IntArray(const IntArray&) = delete;
  IntArray& operator=(const IntArray&) = delete;
  const aclIntArray* get() const { return array_; }

 private:
  aclIntArray* array_;
};

template <class T>
void Upload(const DeviceTensor& tensor, const std::vector<T>& values) {
  Check(aclrtMemcpy(tensor.data(), values.size() * sizeof(T), values.data(),
                    values.size() * sizeof(T), ACL_MEMCPY_HOST_TO_DEVICE),
        "aclrtMemcpy to the device");
}

class Head;

// An attention worker's half: embedding, attention over a paged cache, gate, next token
// and what is learnt of it.
class Attention {
 public:
  Attention(int64_t worker, aclrtStream stream);
  ~Attention();

  // The next tokens of micro batch m's sequences become rows.
  void Begin(int64_t m, int64_t step);
  // The rows that layer sends to its experts, the experts of each and their weights.
  void Attend(int64_t m, int64_t layer);
  // What the experts make of them.
  void Add(int64_t m, const DeviceTensor& sums);
  // The tokens that follow.
  void Choose(int64_t m);
  // The last norm learns of what was predicted (head.h), which had this entropy.
  void Adapt(int64_t m);
  double Entropy(int64_t m);

  const DeviceTensor& rows(int64_t m) const;        // FLOAT16 [kTokens, kHidden]
  const DeviceTensor& experts(int64_t m) const;     // INT32 [kTokens, kChosen]
  const DeviceTensor& weights(int64_t m) const;     // FLOAT [kTokens, kChosen]
  std::vector<int32_t> tokens(int64_t m) const;     // as Choose has left them
  std::vector<aclFloat16> hidden(int64_t m) const;  // the rows that they were chosen by
  std::vector<float> gain(int64_t m) const;         // of the last norm

 private:
  struct Layer;
  struct MicroBatch;
  const int64_t worker_;
  const aclrtStream stream_;
  const std::unique_ptr<DeviceTensor> embedding_;
  const std::unique_ptr<Head> head_;
  const std::unique_ptr<DeviceTensor> gain_;
  std::vector<std::unique_ptr<Layer>> layers_;
  std::vector<std::unique_ptr<MicroBatch>> micro_batches_;
};

// An FFN worker's half: some of the experts.
class Experts {
 public:
  // `experts`: which of the model's; at most `rows` rows a call.
  Experts(const std::vector<int64_t>& experts, int64_t rows, aclrtStream stream);
  ~Experts();

  // `ends`: after which row of x, FLOAT16 [rows, kHidden], each expert's rows end.
  // FLOAT16 [rows, kHidden], until the next call.
  const DeviceTensor& Compute(int64_t layer, const DeviceTensor& x,
                              const std::vector<int64_t>& ends);

 private:
  struct Layer;
  const int64_t count_;
  const aclrtStream stream_;
  std::vector<std::unique_ptr<Layer>> layers_;
  DeviceTensor quantised_, row_scales_, inner_, inner_scales_, y_, ends_;
  List inner_list_, inner_scale_list_, y_list_;
};
