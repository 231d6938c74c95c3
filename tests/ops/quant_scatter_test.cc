// SPDX-License-Identifier: Apache-2.0
// InplaceQuantScatterV2: slices of any rank that are quantised on their way, against the document's
// words element by element.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_quant_scatter_v2.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Scatter {
  Shape target = {4, 9, 8};
  int64_t slices = 3, length = 2, axis = 1;
  bool paired = false, zero_points = true, strided = false, from_end = false;
  bool ties = false;  // in the middle between two integers
  aclDataType type = ACL_BF16, index_type = ACL_INT32;
};

int64_t CountOf(const Shape& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
}

class QuantScatterTest : public MoeTest {
 protected:
  // Where slice i goes: its place in dimension 0, and where it begins along the axis.
  struct Place {
    int64_t row, begin;
  };

  std::vector<Place> Places(const Scatter& c) {
    std::vector<int64_t> rows(static_cast<size_t>(c.target[0]));
    std::iota(rows.begin(), rows.end(), 0);
    if (c.paired) std::reverse(rows.begin(), rows.end());
    std::vector<Place> places;
    for (int64_t i = 0; i < c.slices; ++i) {
      const int64_t most = c.target[static_cast<size_t>(c.axis)] - c.length;
      places.push_back({rows[static_cast<size_t>(i)], random().Int(0, most)});
    }
    return places;
  }

  // The element of target that element `at` of the slices goes to.
  static size_t TargetOf(const Scatter& c, const Shape& dims, const std::vector<Place>& places,
                         int64_t at) {
    Shape place(dims.size());
    for (size_t i = dims.size(); i-- > 0;) {
      place[i] = at % dims[i];
      at /= dims[i];
    }
    const Place& to = places[static_cast<size_t>(place[0])];
    place[0] = to.row;
    place[static_cast<size_t>(c.axis)] += to.begin;
    int64_t element = 0;
    for (size_t i = 0; i < place.size(); ++i) element = element * c.target[i] + place[i];
    return static_cast<size_t>(element);
  }

  void Check(const Scatter& c) {
    SCOPED_TRACE(::testing::Message()
                 << ::testing::PrintToString(c.target) << " axis " << c.axis << " length "
                 << c.length << " paired " << c.paired << " type " << c.type << " strided "
                 << c.strided << " zero points " << c.zero_points);
    const bool bf16 = c.type == ACL_BF16;
    const aclDataType scale_type = bf16 ? ACL_BF16 : ACL_FLOAT;
    const aclDataType zero_type = bf16 ? ACL_BF16 : ACL_INT32;
    const int64_t columns = c.target.back();
    const Numbers scales = c.ties ? Numbers(static_cast<size_t>(columns), 1)
                                  : Drawn(scale_type, static_cast<size_t>(columns), 0.01, 0.3);
    const Numbers zeros = Drawn(zero_type, static_cast<size_t>(columns), -20, 20);
    Shape dims = c.target;
    dims[0] = c.slices;
    dims[static_cast<size_t>(c.axis)] = c.length;
    Numbers updates = Drawn(c.type, static_cast<size_t>(CountOf(dims)), -8, 8);
    if (c.ties) {
      for (double& update : updates) update = std::floor(update) + 0.5;
    }
    const Numbers before = Drawn(ACL_INT8, static_cast<size_t>(CountOf(c.target)), -99, 99);
    const std::vector<Place> places = Places(c);
    Numbers indices;
    for (const Place& place : places) {
      if (c.paired) indices.push_back(static_cast<double>(place.row));
      indices.push_back(static_cast<double>(place.begin));
    }
    Numbers exact(before.size(), NAN);
    for (int64_t i = 0; i < CountOf(dims); ++i) {
      const auto column = static_cast<size_t>(i % columns);
      exact[TargetOf(c, dims, places, i)] =
          updates[static_cast<size_t>(i)] / scales[column] + (c.zero_points ? zeros[column] : 0);
    }
    const Tensor target = Holding(c.target, ACL_INT8, before, c.strided);
    const Tensor from = Holding(dims, c.type, updates, c.strided);
    const Tensor index =
        Holding(c.paired ? Shape{c.slices, 2} : Shape{c.slices}, c.index_type, indices, c.strided);
    const Tensor scale = Holding({columns}, scale_type, scales, c.strided);
    const Tensor zero = Holding({columns}, zero_type, zeros, c.strided);
    const auto rank = static_cast<int64_t>(dims.size());
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceQuantScatterV2GetWorkspaceSize(
              target.handle(), index.handle(), from.handle(), scale.handle(),
              c.zero_points ? zero.handle() : nullptr, c.axis - (c.from_end ? rank : 0),
              c.from_end ? -1 : rank - 1, 1, "rint", s, e);
        },
        aclnnInplaceQuantScatterV2);
    const Numbers actual = ReadAs(target);
    for (size_t i = 0; i < actual.size(); ++i) {
      if (std::isnan(exact[i])) {
        ASSERT_EQ(actual[i], before[i]) << i;
      } else {
        if (c.ties) {
          ASSERT_EQ(actual[i], std::nearbyint(exact[i])) << i;
        }
        // Where it is near the middle between two integers, either.
        ASSERT_NEAR(actual[i], std::clamp(exact[i], -128.0, 127.0), 0.5 + 1e-4) << i;
      }
    }
    EXPECT_TRUE(target.GuardsIntact());
  }
};

TEST_F(QuantScatterTest, TiesGoToTheEvenInteger) {
  for (aclDataType type : {ACL_BF16, ACL_FLOAT16}) {
    for (bool zero_points : {false, true}) {
      Check({.zero_points = zero_points, .ties = true, .type = type});
    }
  }
}

TEST_F(QuantScatterTest, IsTheDocument) {
  for (bool paired : {false, true}) {
    for (bool strided : {false, true}) {
      for (aclDataType type : {ACL_BF16, ACL_FLOAT16}) {
        for (aclDataType index : {ACL_INT32, ACL_INT64}) {
          Check({.paired = paired, .strided = strided, .type = type, .index_type = index});
        }
        Check({.target = {4, 3, 9, 40},
               .axis = 2,
               .paired = paired,
               .zero_points = false,
               .strided = strided,
               .from_end = true,
               .type = type});
        Check({.target = {5, 7, 3, 33}, .paired = paired, .strided = strided, .type = type});
        Check({.target = {3, 2, 1, 2, 5, 2, 2, 3}, .axis = 4, .paired = paired, .type = type});
      }
    }
  }
  Check({.target = {40, 70, 96}, .slices = 40, .length = 33});
}

TEST_F(QuantScatterTest, PlacesThatThereAreNotFailTheTask) {
  const Tensor target = Holding({2, 4, 8}, ACL_INT8, Numbers(64, 1));
  const Tensor slices = Holding({1, 2, 8}, ACL_BF16, Numbers(16, 5));
  const Tensor scales = Holding({8}, ACL_BF16, Numbers(8, 1));
  for (const Numbers& wrong : {Numbers{0, 3}, Numbers{2, 0}, Numbers{-1, 0}, Numbers{0, -1}}) {
    const Tensor index = Holding({1, 2}, ACL_INT32, wrong);
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceQuantScatterV2GetWorkspaceSize(target.handle(), index.handle(),
                                                            slices.handle(), scales.handle(),
                                                            nullptr, -2, -1, 1, "rint", s, e);
        },
        aclnnInplaceQuantScatterV2, "indices");
  }
  EXPECT_EQ(ReadAs(target), Numbers(64, 1));
}

TEST_F(QuantScatterTest, RefusesWhatDoesNotFit) {
  const Tensor target = Made({4, 5, 6, 8}, ACL_INT8), flat = Made({4, 8}, ACL_INT8);
  const Tensor hifloat8({.dims = {4, 5, 6, 8}, .dtype = ACL_HIFLOAT8});
  const Tensor index = Made({3}, ACL_INT32), updates = Made({3, 5, 2, 8}, ACL_BF16);
  const Tensor flat_updates = Made({3, 8}, ACL_BF16), short_updates = Made({3, 2, 8}, ACL_BF16);
  const Tensor scales = Made({8}, ACL_BF16);
  const auto refused = [&](const Tensor& to, const Tensor& from, int64_t axis, int64_t quant_axis,
                           const char* mode, int code,
                           std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceQuantScatterV2GetWorkspaceSize(to.handle(), index.handle(),
                                                            from.handle(), scales.handle(), nullptr,
                                                            axis, quant_axis, 1, mode, s, e);
        },
        code, words);
  };
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
  refused(hifloat8, updates, 2, 3, "round", kInvalid, {"selfRef", "HIFLOAT8"});
  refused(flat, flat_updates, 1, 1, "rint", kInvalid, {"selfRef", "rank"});
  refused(target, short_updates, 2, 3, "rint", kInvalid, {"updates", "selfRef"});
  refused(target, updates, 0, 3, "rint", kInvalid, {"axis = 0", "-3"});
  refused(target, updates, 3, 3, "rint", kInvalid, {"axis = 3"});
  refused(target, updates, 4, 3, "rint", kInvalid, {"axis = 4"});
  refused(target, updates, 2, 2, "rint", kInvalid, {"quantAxis = 2", "-1"});
  refused(target, updates, 1, 3, "rint", kInvalid, {"updates", "[3, 5, 2, 8]", "3 slices"});
  refused(target, updates, 2, 3, "round", kInvalid, {"roundMode", "round", "rint"});
  refused(target, updates, 2, 3, nullptr, ACLNN_ERR_PARAM_NULLPTR, {"roundMode"});
  refused(target, Made({2, 5, 2, 8}, ACL_BF16), 2, 3, "rint", kInvalid, {"updates", "3 slices"});
}

}  // namespace
}  // namespace anyacl::test
