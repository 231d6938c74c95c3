// SPDX-License-Identifier: Apache-2.0
// CoalesceSparse against plain loops.
#include "aclnnop/aclnn_coalesce_sparse.h"
#include "ops/indexing_case.h"

namespace anyacl::test {
namespace {

class CoalesceTest : public IndexingTest {
 protected:
  static Phase1 Call(const Tensor& len, const Tensor& unique, const Tensor& indices,
                     const Tensor& values, const Tensor& new_indices, const Tensor& new_values) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnCoalesceSparseGetWorkspaceSize(len.handle(), unique.handle(), indices.handle(),
                                                 values.handle(), new_indices.handle(),
                                                 new_values.handle(), s, e);
    };
  }

  // `entries` of `different` coordinates of `dims` numbers, each with a box of values.
  void Expect(int64_t entries, int64_t different, int64_t dims, const Shape& box, aclDataType type,
              Lie from, Lie to) {
    SCOPED_TRACE(::testing::Message()
                 << entries << " entries of " << different << " type " << type);
    const std::vector<int64_t> names = Indices(entries, different);
    const aclDataType index_type = entries % 2 == 0 ? ACL_INT64 : ACL_INT32;
    std::vector<double> coordinates, first(static_cast<size_t>(different * dims), 0);
    for (int64_t n = 0; n < entries; ++n) {
      for (int64_t m = 0; m < dims; ++m) {
        // Those of equal entries are equal.
        const int64_t u = names[static_cast<size_t>(n)];
        coordinates.push_back(static_cast<double>(u * 100 + m));
        first[static_cast<size_t>(u * dims + m)] = coordinates.back();
      }
    }
    Shape shape = box, new_shape = box;
    shape.insert(shape.begin(), entries);
    new_shape.insert(new_shape.begin(), different);
    const std::vector<double> numbers = Numbers(CountOf(shape));
    const int64_t size = CountOf(box);
    std::vector<double> sums(static_cast<size_t>(different * size), 0);
    for (int64_t i = 0; i < entries * size; ++i) {
      const int64_t u = names[static_cast<size_t>(i / size)];
      sums[static_cast<size_t>(u * size + i % size)] += numbers[static_cast<size_t>(i)];
    }
    const Tensor len({.dims = {different}, .dtype = ACL_INT32});
    const Tensor unique = IndexTensor({entries}, names, ACL_INT32, from);
    Tensor indices(Lying({entries, dims}, index_type, from)), values(Lying(shape, type, from));
    Tensor new_indices(Lying({different, dims}, index_type, to));
    const Tensor new_values(Lying(new_shape, type, to));
    WriteAs(indices, coordinates);
    WriteAs(values, numbers);
    WriteAs(new_indices, std::vector<double>(first.size(), 0));
    RunTwoPhase(Call(len, unique, indices, values, new_indices, new_values), aclnnCoalesceSparse);
    EXPECT_TRUE(new_indices.GuardsIntact() && new_values.GuardsIntact());
    EXPECT_EQ(ReadAs(new_indices), first);
    EXPECT_EQ(ReadAs(new_values), sums);
  }
};

TEST_F(CoalesceTest, SumsOfEqualCoordinates) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32}) {
    for (Lie lie : {Lie::kDense, Lie::kGaps}) {
      Expect(1, 1, 1, {}, type, lie, lie);
      Expect(7, 3, 2, {}, type, lie, lie);
      Expect(40, 11, 3, {5}, type, lie, Lie::kDense);
      Expect(301, 50, 2, {2, 3}, type, Lie::kDense, lie);
    }
    Expect(3000, 700, 1, {33}, type, Lie::kDense, Lie::kDense);
  }
}

// An index that is none fails the task before anything is written.
TEST_F(CoalesceTest, WrongIndices) {
  const Tensor len({.dims = {2}, .dtype = ACL_INT32});
  const Tensor unique = IndexTensor({3}, {0, 2, 1}, ACL_INT32);
  const Tensor indices({.dims = {3, 2}, .dtype = ACL_INT64}), values({.dims = {3}});
  Tensor new_indices({.dims = {2, 2}, .dtype = ACL_INT64}), new_values({.dims = {2}});
  WriteAs(new_indices, {5, 6, 7, 8});
  WriteAs(new_values, {1, 2});
  ExpectTaskFails(Call(len, unique, indices, values, new_indices, new_values), aclnnCoalesceSparse,
                  new_indices, {"uniqueIndices", "newIndicesOut", "2"});
  EXPECT_EQ(ReadAs(new_values), (std::vector<double>{1, 2}));
}

TEST_F(CoalesceTest, WrongArgumentsAreRefused) {
  const Tensor len({.dims = {2}, .dtype = ACL_INT32}), unique({.dims = {3}, .dtype = ACL_INT32});
  const Tensor indices({.dims = {3, 2}, .dtype = ACL_INT64}), values({.dims = {3, 4}});
  const Tensor new_indices({.dims = {2, 2}, .dtype = ACL_INT64}), new_values({.dims = {2, 4}});
  const Tensor four({.dims = {4}}), many({.dims = {3, 64}, .dtype = ACL_INT64});
  const Tensor much({.dims = {2, 64}, .dtype = ACL_INT64});
  ExpectRefused(Call(len, unique, indices, four, new_indices, new_values), 161002,
                {"values.shape[0]", "4", "3"});
  ExpectRefused(Call(len, unique, indices, values, new_indices, four), 161002,
                {"newValuesOut.shape"});
  ExpectRefused(Call(len, unique, many, values, much, new_values), 161002,
                {"indices.shape", "[3, 64]", "64"});
}

}  // namespace
}  // namespace anyacl::test
