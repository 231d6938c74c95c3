// SPDX-License-Identifier: Apache-2.0
// Operators whose own rules check sizes, against their declarations: a size that is changed alone
// is refused by name, or is one that the declaration leaves open. Whatever is taken stays in memory
// behind which, tensor by tensor, nothing can be accessed.
#include <algorithm>
#include <deque>
#include <string_view>
#include <vector>

#include "ops/operator_table_case.h"
#include "runtime/task.h"
#include "support/element.h"
#include "support/guarded_bytes.h"

namespace anyacl::test {
namespace {

bool IsNumber(std::string_view word) { return word[0] >= '0' && word[0] <= '9'; }

// The words of a shape of this rank, one for each of its axes; none if the rank is another.
std::vector<std::string_view> WordsOfAxes(std::span<const std::string_view> words, size_t rank) {
  const auto run = std::find_if(words.begin(), words.end(), IsRun);
  std::vector<std::string_view> each(words.begin(), run);
  if (run != words.end() && rank + 1 >= words.size()) {
    each.insert(each.end(), rank + 1 - words.size(), *run);
    each.insert(each.end(), run + 1, words.end());
  }
  if (each.size() != rank) each.clear();
  return each;
}

// Whether the dimensions of a row, or what it counts, name a symbol.
bool Names(const ParamSpec& row, std::string_view symbol) {
  if (row.names_size && row.name == symbol) return true;
  for (const char* text : {row.dims, row.packed_dims, row.elements}) {
    for (DimAlternatives each(text == nullptr ? "" : text); each.Next();) {
      for (std::string_view word : each.words()) {
        while (!word.empty()) {  // of a product, all factors
          const size_t end = std::min(word.find('*'), word.size());
          if (SymbolOf(word.substr(0, end)) == symbol) return true;
          word.remove_prefix(std::min(end + 1, word.size()));
        }
      }
    }
  }
  return false;
}

class OperatorSizesTest : public OperatorTableTest {
 protected:
  // Whether the declaration leaves open that an axis of a right call has this size instead.
  bool IsOpen(const Call& right, size_t i, size_t axis, int64_t size) const {
    const ParamSpec& row = table().rows[i];
    const std::vector<int64_t>& dims = right[i].layout->dims;
    for (DimAlternatives each(row.dims); each.Next();) {
      const auto words = WordsOfAxes(each.words(), dims.size());
      if (words.empty()) continue;
      const std::string_view word = words[axis];
      if (word == "*" || word == "..") return true;
      if (word.ends_with('+') && size > dims[axis]) return true;
      if ((word.ends_with('?') || word.starts_with('~')) && size == 1) return true;
      if (!IsNumber(word) && StandsAlone(right, i, each.words(), SymbolOf(word))) return true;
    }
    return (size == 0 && row.need == Need::kOptional) || OfAnyShape().contains(row.name) ||
           IsOfOwnSize(table(), row, size);
  }

  // Runs what phase 1 takes in memory that ends where tensors and workspace end. What tasks say of
  // the numbers is no matter here.
  void RunInExactMemory(const Call& call, double fill) {
    const CallObjects objects(table(), call);
    PreparedCall prepared;
    ASSERT_OK(PrepareCall(spec(), spec().prepare, objects.arguments(), &prepared).code());
    constexpr uint64_t kMostBytes = uint64_t{1} << 28;
    const bool waits_for_others = prepared.group != nullptr || prepared.kind != TaskKind::kCompute;
    if (prepared.plan == nullptr || waits_for_others || prepared.workspace_size > kMostBytes) {
      return;
    }
    std::deque<GuardedBytes> memory;
    std::vector<char*> data;
    for (const Slot& slot : prepared.slots) {
      data.push_back(nullptr);
      if (slot.tensor == nullptr || slot.begin == slot.end) continue;
      const auto bytes = static_cast<size_t>(slot.end - slot.begin);
      if (bytes > kMostBytes) return;
      memory.emplace_back(bytes);
      const aclDataType type = slot.tensor->layout()->dtype;
      for (size_t k = 0; fill != 0 && k < bytes * 8 / BitsOf(type); ++k) {
        StoreElement(type, fill, memory.back().data(), static_cast<int64_t>(k));
      }
      data.back() = reinterpret_cast<char*>(memory.back().data()) - slot.begin;
    }
    const uint64_t size = prepared.workspace_size;
    const GuardedBytes workspace(size / kWorkspaceAlignment * kWorkspaceAlignment);
    const std::atomic<uint64_t> never{0};
    (void)prepared.plan->Run({data, reinterpret_cast<char*>(workspace.data())},
                             StopToken(never, never, 1));
    TakeMessages();
  }

 private:
  // Whether no other tensor of the call, and no other axis of this one, has the size.
  bool StandsAlone(const Call& right, size_t i, std::span<const std::string_view> words,
                   std::string_view symbol) const {
    const auto is_it = [&](std::string_view word) { return SymbolOf(word) == symbol; };
    if (std::count_if(words.begin(), words.end(), is_it) != 1) return false;
    for (size_t k = 0; k < right.size(); ++k) {
      const ParamSpec& row = table().rows[k];
      if (k != i && (right[k].layout || row.names_size) && Names(row, symbol)) return false;
    }
    return true;
  }
};

TEST_P(OperatorSizesTest, AreRefusedByNameOrOpenAndInBounds) {
  const Call right = Right();
  ForTensors([&](size_t i, const ParamSpec&) {
    const std::vector<int64_t> dims = right[i].layout->dims;
    for (size_t axis = 0; axis < dims.size(); ++axis) {
      constexpr int64_t kHuge = int64_t{1} << 40;
      for (int64_t size : {dims[axis] + 1, dims[axis] - 1, int64_t{0}, kHuge}) {
        if (size < 0 || size == dims[axis] || (size == 0 && dims[axis] - 1 == 0)) continue;
        SCOPED_TRACE(::testing::Message() << "dimension " << axis << " is " << size);
        Call call = right;
        call[i].layout->dims[axis] = size;
        if (!Accepts(call)) {
          const std::string message = TakeMessages();
          EXPECT_TRUE(std::ranges::any_of(table().rows, [&](const ParamSpec& each) {
            return HasWord(message, each.name);
          })) << message;
          continue;
        }
        EXPECT_TRUE(IsOpen(right, i, axis, size));
        if (size == kHuge) continue;
        for (double fill : {0, 1}) RunInExactMemory(call, fill);
      }
    }
  });
}

std::vector<OperatorTable> TablesOfOwnShapes() {
  std::vector<OperatorTable> tables = OperatorTables();
  std::erase_if(tables, [](const OperatorTable& table) { return !HintsOf(table).own_shapes; });
  return tables;
}

INSTANTIATE_TEST_SUITE_P(Operators, OperatorSizesTest, ::testing::ValuesIn(TablesOfOwnShapes()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace anyacl::test
