// SPDX-License-Identifier: Apache-2.0
#include "movement_bench.h"

#include <benchmark/benchmark.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_index_select.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_slice.h"
#include "device.h"
#include "operator_call.h"

namespace anyacl::bench {
namespace {

enum class Move { kTranspose, kSwapHeads, kCatRows, kCatColumns, kSlice, kIndexSelect, kGather };

struct Case {
  Move move;
  aclDataType type;
  int64_t rows, cols;

  int64_t count() const { return rows * cols; }
  size_t element() const { return type == ACL_FLOAT ? 4 : 2; }
  bool cat() const { return move == Move::kCatRows || move == Move::kCatColumns; }
};

std::string NameOf(const Case& c) {
  const char* names[] = {"Permute_transposed", "Permute_heads", "Cat_rows",        "Cat_columns",
                         "Slice_columns",      "IndexSelect",   "GatherV2_columns"};
  return std::string("Movement/") + names[static_cast<int>(c.move)] +
         (c.type == ACL_FLOAT ? "/fp32/" : "/fp16/") + std::to_string(c.rows) + "x" +
         std::to_string(c.cols);
}

// Every row or column once, far from its neighbours: 7919 is a prime that no size divides.
int64_t IndexAt(int64_t i, int64_t size) { return (i * 7919 + 13) % size; }

std::vector<int64_t> OutputShape(const Case& c) {
  switch (c.move) {
    case Move::kTranspose:
      return {c.cols, c.rows};
    case Move::kCatRows:
      return {2 * c.rows, c.cols};
    case Move::kCatColumns:
      return {c.rows, 2 * c.cols};
    case Move::kSlice:
      return {c.rows, c.cols / 2};
    default:
      return {c.rows, c.cols};
  }
}

class MovementCall : public OperatorCall {
 public:
  MovementCall(const Case& c, aclrtStream stream)
      : OperatorCall(stream, c.count()),
        case_(c),
        self_(c.type, {c.rows, c.cols}),
        other_(c.type, {c.cat() ? c.rows : 1, c.cols}),
        index_(ACL_INT64, {IndexedSize()}),
        out_(c.type, OutputShape(c)) {
    Fill(self_, 0);
    Fill(other_, c.count());
    std::vector<int64_t> index(static_cast<size_t>(IndexedSize()));
    for (size_t i = 0; i < index.size(); ++i) {
      index[i] = IndexAt(static_cast<int64_t>(i), IndexedSize());
    }
    index_.Upload(index.data());
    MakeHandles();
    Run();
    CheckResult();
  }
  ~MovementCall() override {
    if (heads_ != nullptr) aclDestroyTensor(heads_);
    if (swapped_ != nullptr) aclDestroyTensor(swapped_);
    aclDestroyIntArray(order_);
    aclDestroyTensorList(list_);  // with its tensors
  }

  void Enqueue() override {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    Check(First(&size, &executor), "the first phase");
    Check(Second(Workspace(size), size, executor), "the second phase");
  }
  size_t bytes() const override { return 2 * out_.bytes(); }

 private:
  int64_t IndexedSize() const { return case_.move == Move::kGather ? case_.cols : case_.rows; }

  void MakeHandles() {
    const int64_t sizes[] = {case_.rows, case_.cols};
    const auto view = [&](const Tensor& tensor) {
      return aclCreateTensor(sizes, 2, case_.type, nullptr, 0, ACL_FORMAT_ND, sizes, 2,
                             tensor.data());
    };
    const aclTensor* both[] = {view(self_), view(case_.cat() ? other_ : self_)};
    list_ = aclCreateTensorList(both, 2);
    if (case_.move == Move::kSwapHeads) {
      const int64_t outer = case_.rows / 64, heads = case_.cols / 64;
      const int64_t from[] = {outer, 64, heads, 64}, to[] = {outer, heads, 64, 64};
      heads_ =
          aclCreateTensor(from, 4, case_.type, nullptr, 0, ACL_FORMAT_ND, from, 4, self_.data());
      swapped_ = aclCreateTensor(to, 4, case_.type, nullptr, 0, ACL_FORMAT_ND, to, 4, out_.data());
      const int64_t order[] = {0, 2, 1, 3};
      order_ = aclCreateIntArray(order, 4);
    } else {
      const int64_t order[] = {1, 0};
      order_ = aclCreateIntArray(order, 2);
    }
  }

  aclnnStatus First(uint64_t* size, aclOpExecutor** executor) const {
    auto* out = const_cast<aclTensor*>(out_.get());
    switch (case_.move) {
      case Move::kTranspose:
        return aclnnPermuteGetWorkspaceSize(self_.get(), order_, out, size, executor);
      case Move::kSwapHeads:
        return aclnnPermuteGetWorkspaceSize(heads_, order_, swapped_, size, executor);
      case Move::kSlice:
        return aclnnSliceGetWorkspaceSize(self_.get(), 1, case_.cols / 4, case_.cols / 4 * 3, 1,
                                          out, size, executor);
      case Move::kIndexSelect:
        return aclnnIndexSelectGetWorkspaceSize(self_.get(), 0, index_.get(), out, size, executor);
      case Move::kGather:
        return aclnnGatherV2GetWorkspaceSize(self_.get(), 1, index_.get(), out, size, executor);
      default:
        return aclnnCatGetWorkspaceSize(list_, case_.move == Move::kCatColumns, out, size,
                                        executor);
    }
  }
  aclnnStatus Second(void* workspace, uint64_t size, aclOpExecutor* executor) const {
    const auto second = case_.cat()                        ? aclnnCat
                        : case_.move == Move::kSlice       ? aclnnSlice
                        : case_.move == Move::kIndexSelect ? aclnnIndexSelect
                        : case_.move == Move::kGather      ? aclnnGatherV2
                                                           : aclnnPermute;
    return second(workspace, size, executor, stream());
  }

  // Element i holds the low bits of begin + i: neighbours, rows and columns differ.
  uint32_t ValueAt(int64_t i) const {
    const auto bits = static_cast<uint32_t>(i * 2654435761);
    return case_.element() == 4 ? bits : bits >> 16;
  }
  void Fill(const Tensor& tensor, int64_t begin) const {
    std::vector<char> bytes(tensor.bytes());
    const size_t element = case_.element();
    for (size_t i = 0; i < bytes.size() / element; ++i) {
      const uint32_t value = ValueAt(begin + static_cast<int64_t>(i));
      __builtin_memcpy(&bytes[i * element], &value, element);
    }
    tensor.Upload(bytes.data());
  }

  // Which element of self, and of other after it, element i of the output is.
  int64_t SourceOf(int64_t i) const {
    const int64_t rows = case_.rows, cols = case_.cols;
    switch (case_.move) {
      case Move::kTranspose:
        return i % rows * cols + i / rows;
      case Move::kSwapHeads: {
        const int64_t col = i % 64, row = i / 64 % 64, head = i / 4096 % (cols / 64);
        return (i / 64 / cols * 64 + row) * cols + head * 64 + col;
      }
      case Move::kCatColumns:
        return i / cols % 2 * rows * cols + i / (2 * cols) * cols + i % cols;
      case Move::kSlice:
        return i / (cols / 2) * cols + cols / 4 + i % (cols / 2);
      case Move::kIndexSelect:
        return IndexAt(i / cols, rows) * cols + i % cols;
      case Move::kGather:
        return i / cols * cols + IndexAt(i % cols, cols);
      default:
        return i;
    }
  }
  void CheckResult() {
    std::vector<char> bytes(out_.bytes());
    out_.Download(bytes.data());
    const size_t element = case_.element();
    for (size_t i = 0; i < bytes.size() / element; i += 101) {
      uint32_t actual = 0;
      __builtin_memcpy(&actual, &bytes[i * element], element);
      const uint32_t right = ValueAt(SourceOf(static_cast<int64_t>(i)));
      if (actual == right) continue;
      set_error("out[" + std::to_string(i) + "] = " + std::to_string(actual) + ", expected " +
                std::to_string(right));
      return;
    }
  }

  const Case case_;
  Tensor self_, other_, index_, out_;
  aclTensorList* list_ = nullptr;
  aclTensor* heads_ = nullptr;
  aclTensor* swapped_ = nullptr;
  aclIntArray* order_ = nullptr;
};

}  // namespace

void RegisterMovement(aclrtStream stream) {
  const auto current = std::make_shared<CurrentCall>(stream);
  // In the last level, in memory.
  const std::pair<int64_t, int64_t> shapes[] = {{1024, 1024}, {4096, 8192}};
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (const auto& [rows, cols] : shapes) {
      for (Move move : {Move::kTranspose, Move::kSwapHeads, Move::kCatRows, Move::kCatColumns,
                        Move::kSlice, Move::kIndexSelect, Move::kGather}) {
        const Case c{move, type, rows, cols};
        RegisterCall(
            NameOf(c), current, [=] { return std::make_unique<MovementCall>(c, stream); },
            MeasureAgainstCopy);
      }
    }
  }
}

}  // namespace anyacl::bench
