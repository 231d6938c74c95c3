// SPDX-License-Identifier: Apache-2.0
// Sequences of queries and keys in the layouts of attention over some of the keys.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "ops/moe_case.h"
#include "reference/product.h"

namespace anyacl::test::sparse {

using moe::Integers;
using moe::Numbers;
using moe::Shape;

struct Sequences {
  std::string query_layout = "BSND", key_layout = "BSND";
  // Tokens of each sequence.
  Integers queries = {3, 5}, keys = {70, 33};
  bool given = true;  // lengths of BSND, else all of a sequence is there
  bool causal = false;
  // BSND: S1 and S2. TND: so many rows more than there are tokens. PA_BSND: keys of a block.
  int64_t query_size = 6, key_size = 75, spare = 2, block_size = 16;

  bool ragged() const { return query_layout == "TND"; }
  bool paged() const { return key_layout == "PA_BSND"; }
  int64_t batch() const { return static_cast<int64_t>(queries.size()); }
  int64_t columns() const {  // of the table of blocks
    const int64_t most = *std::max_element(keys.begin(), keys.end());
    return (most + block_size - 1) / block_size + 1;
  }
  int64_t blocks() const { return batch() * columns() + 3; }

  Shape QueryShape(std::initializer_list<int64_t> inner) const {
    Shape shape = ragged() ? Shape{std::accumulate(queries.begin(), queries.end(), spare)}
                           : Shape{batch(), query_size};
    shape.insert(shape.end(), inner);
    return shape;
  }
  Shape KeyShape(int64_t dim) const {
    if (paged()) return {blocks(), block_size, 1, dim};
    if (ragged()) return {std::accumulate(keys.begin(), keys.end(), spare), 1, dim};
    return {batch(), key_size, 1, dim};
  }
  // Blocks in an order of their own; those that nothing needs are none.
  int64_t Block(int64_t b, int64_t column) const {
    if (column * block_size >= keys[static_cast<size_t>(b)]) return -1;
    return (b * columns() + column) * 5 % (blocks() % 5 == 0 ? blocks() - 1 : blocks());
  }
  int64_t QueryRow(int64_t b, int64_t i) const {
    if (!ragged()) return b * query_size + i;
    return std::accumulate(queries.begin(), queries.begin() + b, i);
  }
  int64_t KeyRow(int64_t b, int64_t j) const {
    if (paged()) return Block(b, j / block_size) * block_size + j % block_size;
    if (ragged()) return std::accumulate(keys.begin(), keys.begin() + b, j);
    return b * key_size + j;
  }
  int64_t Queries(int64_t b) const {
    return given || ragged() ? queries[static_cast<size_t>(b)] : query_size;
  }
  int64_t Keys(int64_t b) const {
    return given || ragged() || paged() ? keys[static_cast<size_t>(b)] : key_size;
  }
  int64_t Visible(int64_t b, int64_t i) const {
    return causal ? std::clamp<int64_t>(Keys(b) - Queries(b) + i + 1, 0, Keys(b)) : Keys(b);
  }

  bool HasQueryLengths() const { return given || ragged(); }
  bool HasKeyLengths() const { return given || ragged() || paged(); }
};

inline std::string ToString(const Sequences& s) {
  return s.query_layout + " " + s.key_layout + (s.causal ? " causal" : "") +
         (s.given ? "" : " without lengths") + " " + std::to_string(s.queries.size()) +
         " sequences";
}

// Lengths, or ends, as a tensor.
inline std::unique_ptr<Tensor> LengthsOf(Integers lengths, bool ends) {
  if (ends) std::partial_sum(lengths.begin(), lengths.end(), lengths.begin());
  auto tensor = std::make_unique<Tensor>(
      Layout{.dims = {static_cast<int64_t>(lengths.size())}, .dtype = ACL_INT32});
  WriteAs(*tensor, Numbers(lengths.begin(), lengths.end()));
  return tensor;
}
inline std::unique_ptr<Tensor> QueryLengths(const Sequences& s) {
  return s.HasQueryLengths() ? LengthsOf(s.queries, s.ragged()) : nullptr;
}
inline std::unique_ptr<Tensor> KeyLengths(const Sequences& s) {
  return s.HasKeyLengths() ? LengthsOf(s.keys, s.key_layout == "TND") : nullptr;
}
inline std::unique_ptr<Tensor> Table(const Sequences& s) {
  if (!s.paged()) return nullptr;
  Numbers blocks;
  for (int64_t b = 0; b < s.batch(); ++b) {
    for (int64_t c = 0; c < s.columns(); ++c) blocks.push_back(static_cast<double>(s.Block(b, c)));
  }
  auto table =
      std::make_unique<Tensor>(Layout{.dims = {s.batch(), s.columns()}, .dtype = ACL_INT32});
  WriteAs(*table, blocks);
  return table;
}
// The same table at the beginning of another tensor's memory, which is written when the call runs.
class TableWithin {
 public:
  TableWithin(const Tensor& table, const Tensor& result)
      : handle_(aclCreateTensor(table.layout().dims.data(), table.layout().dims.size(), ACL_INT32,
                                nullptr, 0, ACL_FORMAT_ND, table.layout().dims.data(),
                                table.layout().dims.size(), result.data())) {
    const std::vector<int32_t> blocks = table.Read<int32_t>();
    const size_t bytes = blocks.size() * sizeof(int32_t);
    EXPECT_EQ(aclrtMemcpy(result.data(), bytes, blocks.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE),
              ACL_SUCCESS);
  }
  TableWithin(const TableWithin&) = delete;
  ~TableWithin() { aclDestroyTensor(handle_); }

  const aclTensor* handle() const { return handle_; }

 private:
  aclTensor* handle_;
};
// So many tokens that results are stored before the last one's keys are looked up.
inline Sequences ManyPaged() {
  return {.key_layout = "PA_BSND", .queries = {40, 40}, .keys = {90, 70}, .query_size = 40};
}
template <class Call>
void CheckTableWithin(Call& call, const Tensor& result, const std::function<void()>& run) {
  run();
  const Numbers expected = ReadAs(result);
  const TableWithin within(*call.table, result);
  call.table_within = within.handle();
  run();
  EXPECT_EQ(ReadAs(result), expected);
}

inline const aclTensor* HandleOf(const std::unique_ptr<Tensor>& tensor) {
  return tensor == nullptr ? nullptr : tensor->handle();
}
inline size_t CountOf(const Shape& shape) {
  return static_cast<size_t>(
      std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>()));
}

// Every layout with lengths of its own, causal and not.
inline std::vector<Sequences> AllLayouts() {
  std::vector<Sequences> all;
  for (bool causal : {false, true}) {
    for (const char* query : {"BSND", "TND"}) {
      for (const char* key : {query, "PA_BSND"}) {
        // The third has fewer keys than rows, the last ones of the other no rows.
        all.push_back({.query_layout = query,
                       .key_layout = key,
                       .queries = {3, 0, 5, 6},
                       .keys = {70, 9, 2, 33},
                       .causal = causal});
      }
    }
    all.push_back({.given = false, .causal = causal, .query_size = 3, .key_size = 40});
  }
  return all;
}

// A sum with the sizes of what is added: rounding is told from them.
struct Sums {
  explicit Sums(size_t count) : sums(count), sizes(count) {}
  void Add(size_t at, double term, double size) { sums[at] += term, sizes[at] += std::abs(size); }
  // term * x from `at` on.
  void AddLine(size_t at, double term, double size, const double* x, size_t count) {
    AddTerms(term, std::abs(size), x, static_cast<int64_t>(count), &sums[at], &sizes[at]);
  }
  Numbers sums, sizes;
};

class SparseTest : public moe::MoeTest {
 protected:
  std::unique_ptr<Tensor> Filled(const Shape& shape, aclDataType type, Numbers* numbers,
                                 bool strided, double most = 1) {
    *numbers = Drawn(type, CountOf(shape), -most, most);
    return std::make_unique<Tensor>(Holding(shape, type, *numbers, strided));
  }

  // Of each row of queries blocks of what it sees in any order, and behind them, where there is
  // room, -1.
  std::vector<Integers> DrawLists(const Sequences& s, int64_t block, int64_t size) {
    const size_t rows = CountOf(s.QueryShape({}));
    std::vector<Integers> lists(rows, Integers(static_cast<size_t>(size), -1));
    for (int64_t b = 0; b < s.batch(); ++b) {
      for (int64_t i = 0; i < s.Queries(b); ++i) {
        const int64_t blocks = (s.Visible(b, i) + block - 1) / block;
        Integers all(static_cast<size_t>(blocks));
        std::iota(all.begin(), all.end(), 0);
        Integers& list = lists[static_cast<size_t>(s.QueryRow(b, i))];
        for (size_t k = 0; k < std::min(list.size(), all.size()); ++k) {
          // The last block, which may hold keys that are not seen, first.
          const size_t at =
              k == 0 ? all.size() - 1
                     : static_cast<size_t>(random().Int(static_cast<int64_t>(k),
                                                        static_cast<int64_t>(all.size()) - 1));
          std::swap(all[k], all[at]);
          list[k] = all[k];
        }
      }
    }
    return lists;
  }
  static Numbers Flat(const std::vector<Integers>& lists) {
    Numbers flat;
    for (const Integers& list : lists) flat.insert(flat.end(), list.begin(), list.end());
    return flat;
  }

  // The rows of the keys that a list gives token i of sequence b.
  static std::vector<int64_t> RowsOf(const Sequences& s, const Integers& list, int64_t block,
                                     int64_t b, int64_t i) {
    std::vector<int64_t> rows;
    for (int32_t named : list) {
      if (named == -1) break;
      for (int64_t j = named * block; j < (named + 1) * block && j < s.Visible(b, i); ++j) {
        rows.push_back(s.KeyRow(b, j));
      }
    }
    return rows;
  }

  static void ExpectSums(const char* name, const Tensor& tensor, const Sums& expected) {
    const Numbers actual = ReadAs(tensor);
    ASSERT_EQ(actual.size(), expected.sums.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      const double sum = expected.sums[i];
      ASSERT_NEAR(actual[i], sum,
                  expected.sizes[i] * 0x1p-16 + 1.01 * HalfUnitOf(tensor.layout().dtype, sum))
          << name << " " << i;
    }
    EXPECT_TRUE(tensor.GuardsIntact());
  }

  // Of sums of 128 products in fp32, then of the heads.
  static double ErrorOf(const Numbers& scores) {
    double size = 1;
    for (double score : scores) size = std::max(size, std::abs(score));
    return size * 0x1p-17;
  }
  // The places of the largest scores, equal ones in their order where nothing is rounded, then -1.
  static void ExpectChosen(const Numbers& scores, const double* indices, size_t count,
                           double error) {
    std::vector<size_t> order(scores.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return scores[a] > scores[b]; });
    std::vector<bool> seen(scores.size());
    for (size_t k = 0; k < count; ++k) {
      if (k >= scores.size()) {
        ASSERT_EQ(indices[k], -1) << k;
        continue;
      }
      ASSERT_GE(indices[k], 0) << k;
      const auto index = static_cast<size_t>(indices[k]);
      ASSERT_LT(index, scores.size()) << k;
      ASSERT_FALSE(seen[index]) << "twice: " << index;
      seen[index] = true;
      if (error == 0) {
        ASSERT_EQ(index, order[k]) << k << " " << scores[index];
      } else {
        ASSERT_NEAR(scores[index], scores[order[k]], error) << k;
      }
    }
  }
};

}  // namespace anyacl::test::sparse
