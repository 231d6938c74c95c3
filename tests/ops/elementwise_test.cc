// SPDX-License-Identifier: Apache-2.0
// Every element-wise operator against its reference: all types, layouts, broadcasts and mixtures of
// types, with canaries around every element.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "ops/elementwise_case.h"

namespace anyacl::test {
namespace {

using Sizes = std::vector<int64_t>;

const std::vector<aclDataType> kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};
const std::vector<aclDataType> kIntegers = {ACL_INT8,  ACL_INT16, ACL_INT32,
                                            ACL_INT64, ACL_UINT8, ACL_BOOL};
const std::vector<aclDataType> kUnsigned = {ACL_UINT16, ACL_UINT32, ACL_UINT64};

bool HoldsNegative(aclDataType type) {
  return type != ACL_UINT8 && type != ACL_BOOL &&
         std::find(kUnsigned.begin(), kUnsigned.end(), type) == kUnsigned.end();
}

int64_t CountOf(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

// As an integer type holds a number: without its fraction, modulo the type's size.
double Held(double value, aclDataType type) {
  if (type == ACL_BOOL) return value != 0;
  value = std::trunc(value);
  const double size = std::ldexp(1.0, BitsOf(type));
  const double low = HoldsNegative(type) ? -size / 2 : 0;
  return value - size * std::floor((value - low) / size);
}

Result ResultOf(const std::string& name) { return ReferenceOf(name).result; }

// Which input is a condition; -1: none.
int ConditionOf(const std::string& name) {
  return name == "SWhere" ? 0 : name == "InplaceMaskedFillScalar" ? 1 : -1;
}

// Gradients whose inputs have one shape.
bool TakesNoBroadcast(const std::string& name) {
  static const std::set<std::string> kNames = {
      "EluBackward",         "FastGeluBackward", "HardsigmoidBackward", "HardswishBackward",
      "HardswishBackwardV2", "HardtanhBackward", "SeluBackward",        "SiluBackward",
      "SoftplusBackward",    "SwishBackward"};
  return kNames.contains(name);
}

class ElementwiseTest : public DeviceTest,
                        public ::testing::WithParamInterface<ElementwiseOperator> {
 protected:
  const ElementwiseOperator& op() const { return GetParam(); }

  // A layout of these sizes: contiguous, transposed, with gaps, backwards, behind an offset.
  Layout AnyLayout(const Sizes& sizes, aclDataType dtype) {
    Layout layout{.dims = sizes, .dtype = dtype};
    const int64_t kind = random().Int(0, 4);
    if (kind == 0 || sizes.empty()) return layout;
    std::vector<size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), size_t{0});
    if (kind == 1 || kind == 4) std::reverse(order.begin(), order.end());
    if (kind == 2 && order.size() > 2) std::swap(order[0], order[1]);
    layout.strides.resize(sizes.size());
    int64_t stride = kind >= 3 ? 2 : 1;
    for (size_t i = order.size(); i-- > 0;) {
      layout.strides[order[i]] = stride;
      stride *= std::max<int64_t>(sizes[order[i]], 1);
      if (kind >= 3) stride += random().Int(0, 3);
    }
    layout.offset = random().Int(0, 5);
    if (kind == 4) {  // the last dimension runs backwards
      layout.offset += layout.strides.back() * std::max<int64_t>(sizes.back() - 1, 0);
      layout.strides.back() = -layout.strides.back();
    }
    return layout;
  }

  // Sizes that broadcast to these: leading dimensions gone, others 1, or repeated by strides of 0.
  Layout BroadcastLayout(const Sizes& sizes, aclDataType dtype) {
    Sizes narrow = sizes;
    const int64_t kind = random().Int(0, 5);
    if (kind == 0) narrow.clear();
    if (kind == 1 && !narrow.empty()) narrow.erase(narrow.begin());
    if (kind == 2 && !narrow.empty()) narrow.back() = 1;
    if (kind == 3) {
      for (int64_t& size : narrow) size = random().Chance(0.5) ? 1 : size;
    }
    Layout layout = AnyLayout(narrow, dtype);
    if (kind == 4 && !sizes.empty()) {
      layout = {.dims = sizes, .dtype = dtype, .strides = ContiguousStrides(sizes)};
      layout.strides[static_cast<size_t>(random().Int(0, static_cast<int64_t>(sizes.size()) - 1))] =
          0;
    }
    return layout;
  }

  std::vector<double> Values(const Layout& layout, double low, double high) {
    std::vector<double> values;
    const bool floating = IsFloating(layout.dtype);
    if (!HoldsNegative(layout.dtype)) low = std::max(low, 0.0);
    if (layout.dtype == ACL_BOOL) high = 1;
    for (int64_t i = 0; i < CountOf(layout.dims); ++i) {
      const double value = random().Uniform(low, high);
      // Some equal and some zero, so that comparisons see both.
      values.push_back(floating && random().Chance(0.7) ? value : std::round(value));
    }
    return values;
  }

  // Elements of a tensor as those of its broadcast to `sizes`.
  static std::vector<double> Spread(const std::vector<double>& values, const Sizes& from,
                                    const Sizes& sizes) {
    std::vector<double> spread;
    const int64_t count = CountOf(sizes);
    for (int64_t k = 0; k < count; ++k) {
      int64_t rest = k, at = 0, stride = 1;
      for (size_t i = sizes.size(), j = from.size(); i-- > 0;) {
        const int64_t index = rest % sizes[i];
        rest /= sizes[i];
        if (j == 0) continue;
        --j;
        at += from[j] == 1 ? 0 : index * stride;
        stride *= from[j];
      }
      spread.push_back(values[static_cast<size_t>(at)]);
    }
    return spread;
  }

  void Check(const Sizes& sizes, const std::vector<aclDataType>& types, aclDataType out_type,
             bool narrow_computed = true) {
    const ElementwiseReference& reference = ReferenceOf(op().name);
    SCOPED_TRACE(::testing::Message() << "sizes " << ::testing::PrintToString(sizes) << ", types "
                                      << ::testing::PrintToString(types) << " to " << out_type);
    std::vector<Tensor> tensors;
    std::vector<std::vector<double>> values;
    Tensors handles;
    for (int i = 0; i < op().inputs; ++i) {
      const bool whole = i == (ConditionOf(op().name) == 0 ? 1 : 0) || TakesNoBroadcast(op().name);
      const aclDataType type = types[static_cast<size_t>(i)];
      tensors.emplace_back(whole ? AnyLayout(sizes, type) : BroadcastLayout(sizes, type));
      const bool repeats = std::count(tensors.back().layout().strides.begin(),
                                      tensors.back().layout().strides.end(), 0) > 0;
      std::vector<double> some = Values(tensors.back().layout(), reference.low, reference.high);
      if (repeats) some.assign(some.size(), some.empty() ? 0 : some[0]);
      WriteAs(tensors.back(), some);
      values.push_back(Spread(ReadAs(tensors.back()), tensors.back().layout().dims, sizes));
      handles.push_back(tensors.back().handle());
    }
    const std::vector<double> scalars = {
        op().name.starts_with("Pow") || op().name.starts_with("InplacePow")
            ? (IsFloating(types[0]) ? 2.5 : 3.0)
        : IsFloating(types[0])                       ? 1.5
        : op().name.find("Div") != std::string::npos ? 3.0
                                                     : 1.0,
        2.0, 0.5};
    std::vector<std::unique_ptr<ScalarHandle>> owners;
    ScalarList scalar_handles;
    for (int i = 0; i < op().scalars; ++i) {
      const aclDataType type = !IsFloating(types[0])  ? ACL_INT64
                               : random().Chance(0.5) ? ACL_DOUBLE
                                                      : ACL_FLOAT;
      owners.push_back(std::make_unique<ScalarHandle>(scalars[static_cast<size_t>(i)], type));
      scalar_handles.push_back(owners.back()->get());
    }
    Tensor out(op().in_place ? Layout{.dims = {0}, .dtype = out_type} : AnyLayout(sizes, out_type));
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return op().first(handles, scalar_handles, out.handle(), size, executor);
        },
        op().second);
    const Tensor& written = op().in_place ? tensors[0] : out;
    const std::vector<double> actual = ReadAs(written);
    for (const Tensor& tensor : tensors) ASSERT_TRUE(tensor.GuardsIntact());
    ASSERT_TRUE(out.GuardsIntact());
    ASSERT_EQ(actual.size(), static_cast<size_t>(CountOf(sizes)));
    const bool fp64 =
        narrow_computed && std::find(types.begin(), types.end(), ACL_DOUBLE) != types.end();
    const bool integers = std::none_of(types.begin(), types.end(), IsFloating);
    for (size_t k = 0; k < actual.size(); ++k) {
      double x[3] = {};
      for (size_t i = 0; i < values.size(); ++i) x[i] = values[i][k];
      double expected = reference.of(x, scalars.data());
      // Integers divided by 0, and those that fractions are cut off.
      const bool differs = !IsFloating(out_type) || !std::isfinite(expected);
      if (integers && differs && reference.of_integers != nullptr) {
        expected = reference.of_integers(x, scalars.data());
      }
      if (out_type == ACL_FLOAT16 && std::fabs(expected) >= 65520) expected *= INFINITY;
      if (!IsFloating(out_type)) expected = Held(expected, out_type);
      if (std::isnan(expected) || std::isinf(expected)) {
        ASSERT_EQ(std::isnan(actual[k]), std::isnan(expected)) << x[0] << ", " << x[1];
        continue;
      }
      // Rounded once to the output's type, from a number of fp32 that is off by some ulp.
      double allowed = 0;
      if (IsFloating(out_type)) {
        allowed =
            (out_type == ACL_FLOAT || out_type == ACL_DOUBLE ? 0 : 0.5) * UlpAt(out_type, expected);
        allowed += reference.ulps *
                   UlpAt(fp64 && out_type == ACL_DOUBLE ? ACL_DOUBLE : ACL_FLOAT, expected);
        allowed += reference.absolute * (fp64 && out_type == ACL_DOUBLE ? 0x1p-52 : 0x1p-23);
        // The two products of a sum with alpha, and libm's own error.
        allowed *= 1.02;
        if (out_type == ACL_DOUBLE)
          allowed += 2 * UlpAt(ACL_DOUBLE, expected) + 1e-15 * std::fabs(x[0]);
        if (op().name.find("ub") != std::string::npos ||
            op().name.find("dd") != std::string::npos) {
          allowed += UlpAt(ACL_FLOAT, x[0]);
        }
      }
      ASSERT_NEAR(actual[k], expected, allowed)
          << "element " << k << " of " << x[0] << ", " << x[1] << ", " << x[2];
    }
  }

  // Types of the inputs, all `type` but a condition.
  std::vector<aclDataType> All(aclDataType type) const {
    std::vector<aclDataType> types(static_cast<size_t>(op().inputs), type);
    const int condition = ConditionOf(op().name);
    if (condition >= 0) types[static_cast<size_t>(condition)] = ACL_BOOL;
    return types;
  }

  bool Takes(const std::vector<aclDataType>& types, aclDataType out_type) {
    std::vector<Tensor> in;
    Tensors handles;
    for (aclDataType type : types) handles.push_back(in.emplace_back(Layout{{1}, type}).handle());
    Tensor out({.dims = {1}, .dtype = out_type});
    const ScalarHandle one(1, IsFloating(types[0]) ? ACL_DOUBLE : ACL_INT64);
    const Prepared prepared = Prepare([&](uint64_t* size, aclOpExecutor** executor) {
      return op().first(handles, {one.get(), one.get(), one.get()}, out.handle(), size, executor);
    });
    if (prepared.code == ACL_SUCCESS) aclDestroyAclOpExecutor(prepared.executor);
    return prepared.code == ACL_SUCCESS;
  }

  // Of two types, one that the result of both may be stored as.
  static aclDataType Wider(aclDataType a, aclDataType b) {
    return IsFloating(b) && !IsFloating(a) ? b : IsFloating(a) && IsFloating(b) ? ACL_FLOAT : a;
  }

  aclDataType OutTypeFor(aclDataType type) const {
    if (op().in_place) return type;
    switch (ResultOf(op().name)) {
      case Result::kFloating:
        return IsFloating(type) ? type : ACL_FLOAT;
      case Result::kBool:
        return ACL_BOOL;
      default:
        return type;
    }
  }
};

const std::vector<Sizes> kSizes = {
    {},       {1},       {7},         {1000},       {3, 5},
    {40, 70}, {5, 1, 9}, {2, 300, 3}, {2, 3, 2, 3}, {2, 1, 2, 2, 2, 1, 3, 2},
    {0},      {3, 0, 2}};

TEST_P(ElementwiseTest, EveryTypeAndLayoutIsRight) {
  std::vector<aclDataType> types = kFloats;
  types.insert(types.end(), kIntegers.begin(), kIntegers.end());
  types.insert(types.end(), kUnsigned.begin(), kUnsigned.end());
  int taken = 0;
  for (aclDataType type : types) {
    const aclDataType out_type = OutTypeFor(type);
    if (!Takes(All(type), out_type)) continue;
    // Arithmetic that leaves bool is logic, which has a test of its own.
    if (type == ACL_BOOL && out_type == ACL_BOOL && ResultOf(op().name) == Result::kComputed)
      continue;
    ++taken;
    for (const Sizes& sizes : kSizes) {
      for (int round = 0; round < 3; ++round) {
        Check(sizes, All(type), out_type);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GE(taken, 2);  // no operator has fewer types
}

TEST_P(ElementwiseTest, MixedTypesArePromoted) {
  const std::vector<std::pair<aclDataType, aclDataType>> pairs = {
      {ACL_FLOAT16, ACL_FLOAT}, {ACL_FLOAT, ACL_BF16}, {ACL_INT32, ACL_FLOAT},
      {ACL_INT8, ACL_FLOAT16},  {ACL_FLOAT, ACL_BOOL}, {ACL_INT64, ACL_FLOAT}};
  for (const auto& [a, b] : pairs) {
    std::vector<aclDataType> types = All(a);
    if (op().inputs > 1 && ConditionOf(op().name) != 1) types.back() = b;
    if (!Takes(types, op().in_place ? a : OutTypeFor(Wider(a, b)))) continue;
    for (aclDataType out : {ACL_FLOAT, ACL_INT32, ACL_FLOAT16}) {
      if (op().in_place && out != ACL_FLOAT) continue;
      const bool integer_out = out == ACL_INT32;
      if (integer_out && ResultOf(op().name) != Result::kBool) continue;
      if (op().in_place && a != ACL_FLOAT) continue;
      if (!op().in_place && !Takes(types, out)) continue;
      // Halves of a mixture are checked as sums in fp32.
      Check({6, 50}, types, out, false);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(ElementwiseTest, AnOutputMayBeItsInput) {
  if (op().in_place) return;
  const aclDataType type = ACL_FLOAT;
  if (OutTypeFor(type) != type || !Takes(All(type), type)) return;
  const ElementwiseReference& reference = ReferenceOf(op().name);
  for (const Layout& layout :
       {Layout{.dims = {50, 70}}, Layout{.dims = {50, 70}, .strides = {1, 60}},
        Layout{.dims = {50, 70}, .strides = {200, 2}}}) {
    Tensor both(layout), apart(layout), out({.dims = layout.dims});
    Tensor condition({.dims = {50, 70}, .dtype = ACL_BOOL});
    const std::vector<double> values = Values(layout, reference.low, reference.high);
    for (Tensor* tensor : {&both, &apart}) WriteAs(*tensor, values);
    WriteAs(condition, Values(condition.layout(), 0, 1));
    const ScalarHandle scalar(1.5, ACL_DOUBLE);
    const auto run = [&](Tensor& in, Tensor& to) {
      Tensors handles(static_cast<size_t>(op().inputs), in.handle());
      if (ConditionOf(op().name) == 0) handles[0] = condition.handle();
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return op().first(handles, {scalar.get(), scalar.get(), scalar.get()}, to.handle(),
                              size, executor);
          },
          op().second);
    };
    run(apart, out);
    run(both, both);
    const std::vector<double> one = ReadAs(both), other = ReadAs(out);
    for (size_t k = 0; k < one.size(); ++k) {
      ASSERT_TRUE(one[k] == other[k] || (std::isnan(one[k]) && std::isnan(other[k])));
    }
    EXPECT_TRUE(both.GuardsIntact());
  }
}

TEST_P(ElementwiseTest, ShapesThatMustBeAlikeAre) {
  if (!TakesNoBroadcast(op().name)) return;
  Tensor first({.dims = {2, 3}}), others({.dims = {3}}), out({.dims = {2, 3}});
  Tensors in(static_cast<size_t>(op().inputs), others.handle());
  in[0] = first.handle();
  const ScalarHandle one(1, ACL_DOUBLE);
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return op().first(in, {one.get(), one.get(), one.get()}, out.handle(), size, executor);
      },
      161002, {"shape = [3]"});
}

INSTANTIATE_TEST_SUITE_P(Operators, ElementwiseTest, ::testing::ValuesIn(ElementwiseOperators()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace anyacl::test
