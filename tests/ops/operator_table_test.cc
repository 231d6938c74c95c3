// SPDX-License-Identifier: Apache-2.0
// Every operator against its own declaration: calls made from the rows pass, and breaking any one
// row gives that row's code and a message that names it.
#include <algorithm>

#include "ops/operator_table_case.h"

namespace anyacl::test {
namespace {

TEST_P(OperatorTableTest, RightCallsPass) {
  ExpectAccepted(Right());
  if (hints().own_types) return;
  ForTensors([&](size_t i, const ParamSpec& row) {
    for (aclDataType type : AllTypes()) {
      if (!row.dtypes.Contains(type)) continue;
      SCOPED_TRACE(NameOf(type));
      ExpectAccepted(WithType(i, type));
    }
  });
}

// A tensor without elements may stand for none, which nothing looks at.
bool MayStandForNone(const CallArgument& argument) {
  return argument.layout->dims == std::vector<int64_t>{0};
}

// A framework tells the addresses of a call's tensors in the order of the arguments, and so must a
// repeated call take them (call_cache.h).
TEST_P(OperatorTableTest, TensorsAreInTheOrderOfTheArguments) {
  const Call call = Right();
  const auto stands_for_none = [](const CallArgument& argument) {
    return argument.layout && MayStandForNone(argument);
  };
  if (std::any_of(call.begin(), call.end(), stands_for_none)) return;
  const CallObjects objects(table(), call);
  PreparedCall prepared;
  ASSERT_OK(PrepareCall(spec(), spec().prepare, objects.arguments(), &prepared).code());
  std::vector<void*> addresses;
  for (const Slot& slot : prepared.slots) {
    if (slot.tensor != nullptr) addresses.push_back(slot.tensor->data());
  }
  EXPECT_EQ(addresses, objects.Addresses());
}

TEST_P(OperatorTableTest, EveryTypeOutsideTheSetIsRefused) {
  ForTensors([&](size_t i, const ParamSpec& row) {
    Call call = Right();
    if (row.need == Need::kOptional && MayStandForNone(call[i])) return;
    for (aclDataType type : AllTypes()) {
      if (row.dtypes.Contains(type)) continue;
      // Another table of the operator may take it.
      const bool elsewhere = std::any_of(
          spec().variants.begin(), spec().variants.end(),
          [&](const TableVariant& variant) { return variant.params[i].dtypes.Contains(type); });
      if (elsewhere) continue;
      call[i].layout->dtype = type;
      const auto own = hints().type_codes.find(row.name);
      const int code = own == hints().type_codes.end() ? spec().codes.dtype : own->second;
      ExpectRefused(Changed(call, i).PhaseOne(), code, {row.name, NameOf(type)});
    }
  });
}

TEST_P(OperatorTableTest, TypesThatMustAgreeAreCompared) {
  ForTensors([&](size_t i, const ParamSpec& row) {
    if (row.same_dtype_as < 0) return;
    for (aclDataType type : AllTypes()) {
      Call call = Right();
      if (!row.dtypes.Contains(type) || call[i].layout->dtype == type) continue;
      const std::string was = NameOf(call[i].layout->dtype);
      call[i].layout->dtype = type;
      ExpectBroken(call, spec().codes.dtype, {row.name, NameOf(type), was});
    }
  });
}

TEST_P(OperatorTableTest, EveryFormatOutsideTheRowIsRefused) {
  ForTensors([&](size_t i, const ParamSpec& row) {
    const Call right = Right();
    if (row.need == Need::kOptional && MayStandForNone(right[i])) return;
    for (int value = -1; value < 64; ++value) {
      Call call = right;
      const auto format = static_cast<aclFormat>(value);
      const bool nz = call[i].layout->format == ACL_FORMAT_FRACTAL_NZ;
      call[i].layout->format = format;
      if (nz ? format == ACL_FORMAT_FRACTAL_NZ : IsPlainFormat(format)) {
        hints().fit(call, i);
        ExpectAccepted(call);
      } else if (row.formats == Formats::kPlain ||
                 (format != ACL_FORMAT_FRACTAL_NZ && !IsPlainFormat(format))) {
        // An entry that takes every weight for FRACTAL_NZ does not look at the format.
        const bool any = table().name.find("WeightNZ") != std::string::npos ||
                         table().name.find("QuantWeightNzV2") != std::string::npos;
        if (any && row.formats != Formats::kPlain) continue;
        ExpectRefused(Changed(call, i).PhaseOne(), spec().codes.format, {row.name});
      }
    }
  });
}

// Where an operator's own rules check shapes, with a code and words of theirs.
TEST_P(OperatorTableTest, EveryRankOutsideTheRowIsRefused) {
  ForTensors([&](size_t i, const ParamSpec& row) {
    if (row.formats != Formats::kPlain) return;
    if (hints().own_shapes && (MayStandForNone(Right()[i]) || OfAnyShape().contains(row.name))) {
      return;
    }
    for (size_t rank = 0; rank <= 25; ++rank) {
      bool fits = false;
      for (DimAlternatives alternatives(row.dims); alternatives.Next();) {
        const auto words = alternatives.words();
        const auto run = std::find_if(words.begin(), words.end(), IsRun);
        const bool any_number = run != words.end() && run->ends_with("*");
        fits |= run == words.end() ? rank == words.size()
                                   : rank + any_number >= words.size() && rank <= spec().max_rank;
      }
      if (fits) continue;
      Call call = Right();
      call[i].layout->dims.resize(rank, 1);
      if (hints().own_shapes) {
        EXPECT_FALSE(Accepts(call)) << row.name << " of rank " << rank;
        EXPECT_FALSE(TakeMessages().empty());
        continue;
      }
      ExpectBroken(call, spec().codes.shape, {row.name, "rank", std::to_string(rank)});
    }
  });
}

// Views of tensors have eight dimensions: no rule may forget to look, not even one that only counts
// elements.
TEST_P(OperatorTableTest, MoreThanEightDimensionsAreRefused) {
  ForTensors([&](size_t i, const ParamSpec& row) {
    if (MayStandForNone(Right()[i])) return;
    for (size_t rank : {9, 25}) {
      Call call = Right();
      call[i].layout->dims.resize(rank, 1);
      EXPECT_FALSE(Accepts(call)) << row.name << " of rank " << rank;
      EXPECT_FALSE(TakeMessages().empty());
    }
  });
}

// Whichever of the tensors that share a size is blamed.
TEST_P(OperatorTableTest, EverySizeThatDoesNotFitIsRefused) {
  if (hints().own_shapes) return;
  ForTensors([&](size_t i, const ParamSpec& row) {
    const std::string_view dims = row.dims;
    if (dims.find('~') != dims.npos || (dims == "*" && row.elements == nullptr)) return;
    for (size_t axis = 0; axis < Right()[i].layout->dims.size(); ++axis) {
      for (int64_t by : {1, 100}) {
        Call call = Right();
        call[i].layout->dims[axis] += by;
        SCOPED_TRACE(::testing::Message() << "dimension " << axis << " plus " << by);
        ExpectBroken(call, spec().codes.shape, {});
      }
    }
  });
}

TEST_P(OperatorTableTest, NegativeAndEnormousSizesAreRefused) {
  ForTensors([&](size_t i, const ParamSpec&) {
    const size_t rank = Right()[i].layout->dims.size();
    for (size_t axis = 0; axis < rank; ++axis) {
      for (int64_t size : {int64_t{-7}, INT64_MAX}) {
        Call call = Right();
        call[i].layout->dims[axis] = size;
        SCOPED_TRACE(::testing::Message() << "dimension " << axis << " is " << size);
        const CallObjects objects(table(), call);
        const Prepared prepared = Prepare(objects.PhaseOne());
        EXPECT_NE(prepared.code, ACL_SUCCESS);
        EXPECT_FALSE(TakeMessages().empty());
      }
    }
  });
}

// Near every power of two a stride times a size or an element's bits could overflow on its way to a
// check. Whatever reaches beyond the memory is refused in one phase or the other.
TEST_P(OperatorTableTest, StridesThatLeaveTheMemoryAreRefused) {
  ForTensors([&](size_t i, const ParamSpec& row) {
    const Call right = Right();
    const std::vector<int64_t>& dims = right[i].layout->dims;
    // Where products of small sizes leave 32 and 64 bits, and some between. Of further calls fewer:
    // most of their rows are those of the first.
    std::vector<int> powers = {20, 31, 42, 53};
    if (!table().further) {
      powers = {20, 25, 40, 45};
      for (int power : {28, 29, 30, 31, 32, 33}) powers.push_back(power);
      for (int power = 52; power <= 63; ++power) powers.push_back(power);
    }
    Call call = right;
    for (size_t axis = 0; axis < dims.size(); ++axis) {
      if (dims[axis] < 2) continue;
      for (int power : powers) {
        for (uint64_t off : {uint64_t{0} - 1, uint64_t{0}, uint64_t{1}}) {
          for (bool negative : {false, true}) {
            const uint64_t magnitude = (uint64_t{1} << power) + off;
            const auto stride = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
            call[i].layout->strides = ContiguousStrides(dims);
            call[i].layout->strides[axis] = stride;
            const CallObjects& objects = Changed(call, i);
            if (objects.fits()) continue;
            const Prepared prepared = Prepare(objects.PhaseOne());
            if (prepared.code == ACL_SUCCESS) {
              std::vector<char> workspace(prepared.workspace_size + 1);
              EXPECT_NE(anyaclRunExecutor(spec().op, workspace.data(), prepared.workspace_size,
                                          prepared.executor, stream()),
                        ACL_SUCCESS)
                  << row.name << " with stride " << stride << " in dimension " << axis;
              aclrtSynchronizeStream(stream());
            }
            EXPECT_FALSE(TakeMessages().empty());
          }
        }
      }
    }
  });
}

// A dimension of one element has no next one: its stride is never multiplied, added or believed.
TEST_P(OperatorTableTest, StridesOfSingleElementsMeanNothing) {
  const auto code_of = [&](const Call& call) {
    const CallObjects objects(table(), call);
    const Prepared prepared = Prepare(objects.PhaseOne());
    if (prepared.code != ACL_SUCCESS) return prepared.code;
    std::vector<char> workspace(prepared.workspace_size + 1);
    anyaclRunExecutor(spec().op, workspace.data(), prepared.workspace_size, prepared.executor,
                      stream());
    aclrtSynchronizeStream(stream());  // a task may fail: elements are what memory holds
    return prepared.code;
  };
  ForTensors([&](size_t i, const ParamSpec& row) {
    for (int type = 0; type < 64; ++type) {
      if (!row.dtypes.Contains(static_cast<aclDataType>(type))) continue;
      Call call = WithType(i, static_cast<aclDataType>(type));
      for (CallArgument& argument : call) {
        if (!argument.layout) continue;
        for (int64_t& size : argument.layout->dims) size = 1;
      }
      SCOPED_TRACE(NameOf(static_cast<aclDataType>(type)));
      const int code = code_of(call);
      for (int64_t stride : {INT64_MAX, INT64_MIN, int64_t{1} << 61}) {
        call[i].layout->strides.assign(call[i].layout->dims.size(), stride);
        EXPECT_EQ(code_of(call), code) << "with strides of " << stride;
      }
      TakeMessages();
    }
  });
}

TEST_P(OperatorTableTest, WrittenElementsThatShareAnAddressAreRefused) {
  ForTensors([&](size_t i, const ParamSpec& row) {
    if (row.direction == Direction::kInput) return;
    for (size_t axis = 0; axis < Right()[i].layout->dims.size(); ++axis) {
      Call call = Right();
      if (call[i].layout->dims[axis] < 2) continue;
      call[i].layout->strides = ContiguousStrides(call[i].layout->dims);
      call[i].layout->strides[axis] = 0;
      if (row.strides == Strides::kRepeating) {
        ExpectAccepted(call);
        continue;
      }
      ExpectBroken(call, spec().codes.shape, {row.name});
    }
  });
}

// Refused or not: nothing that phase 1 computes of them overflows, which
// UndefinedBehaviorSanitizer watches.
TEST_P(OperatorTableTest, EnormousNumbersAreNoTrap) {
  const auto prepare = [&](const Call& call) {
    const CallObjects objects(table(), call);
    const Prepared prepared = Prepare(objects.PhaseOne());
    if (prepared.code == ACL_SUCCESS) {
      EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
    } else {
      EXPECT_FALSE(TakeMessages().empty());
    }
  };
  const int64_t numbers[] = {INT64_MIN, INT64_MIN / 2, -1, 0, INT32_MAX, INT64_MAX / 2, INT64_MAX};
  for (size_t i = 0; i < table().rows.size(); ++i) {
    const ParamSpec& row = table().rows[i];
    SCOPED_TRACE(row.name);
    for (int64_t number : numbers) {
      Call call = Right();
      if (IsInteger(row.kind)) {
        call[i].integer = std::clamp(number, row.min, row.max);
        prepare(call);
      } else if (row.kind == Kind::kIntArray && call[i].array) {
        for (size_t k = 0; k < call[i].array->size(); ++k) {
          Call one = call;
          (*one[i].array)[k] = number;
          prepare(one);
        }
        std::fill(call[i].array->begin(), call[i].array->end(), number);
        prepare(call);
      }
    }
  }
  for (int power : {8, 16, 20, 24, 28, 30, 40}) {
    Call call = Right();
    for (CallArgument& argument : call) {
      if (!argument.layout) continue;
      for (int64_t& size : argument.layout->dims) {
        if (size > 1) size <<= power;
      }
    }
    SCOPED_TRACE(::testing::Message() << "sizes times 2^" << power);
    prepare(call);
    for (size_t i = 0; i < call.size(); ++i) {
      if (!call[i].layout || table().rows[i].direction != Direction::kInput) continue;
      call[i].layout->strides.assign(call[i].layout->dims.size(), 0);
    }
    prepare(call);
  }
}

INSTANTIATE_TEST_SUITE_P(Operators, OperatorTableTest, ::testing::ValuesIn(OperatorTables()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace anyacl::test
