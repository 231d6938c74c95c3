// SPDX-License-Identifier: Apache-2.0
// Integers beside scalars that the tensor's type does not hold.
#include <algorithm>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_left_shift.h"
#include "aclnnop/aclnn_right_shift.h"
#include "elementwise_case.h"

namespace anyacl::test {
namespace {

struct IntegerType {
  aclDataType dtype;
  Int128 least, greatest;
};

template <class T>
constexpr IntegerType Of(aclDataType dtype) {
  return {dtype, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
}

constexpr IntegerType kTypes[] = {
    Of<int8_t>(ACL_INT8),     Of<int16_t>(ACL_INT16),   Of<int32_t>(ACL_INT32),
    Of<int64_t>(ACL_INT64),   Of<uint8_t>(ACL_UINT8),   Of<uint16_t>(ACL_UINT16),
    Of<uint32_t>(ACL_UINT32), Of<uint64_t>(ACL_UINT64),
};

class ElementwiseIntegerTest : public DeviceTest {
 protected:
  void Run(const char* name, Tensor& self, const std::vector<const aclScalar*>& scalars,
           Tensor& out) {
    const ElementwiseOperator& op = OperatorNamed(name);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return op.first({self.handle()}, scalars, out.handle(), size, executor);
        },
        op.second);
  }
};

bool Holds(const std::string& name, Int128 a, Int128 b) {
  if (name == "EqScalar") return a == b;
  if (name == "NeScalar") return a != b;
  if (name == "LtScalar") return a < b;
  if (name == "LeScalar") return a <= b;
  return name == "GtScalar" ? a > b : a >= b;
}

// Which elements an Atlas A2 compares.
bool Takes(const std::string& name, aclDataType type) {
  if (name == "EqScalar" || name == "NeScalar") {
    return type != ACL_UINT16 && type != ACL_UINT32 && type != ACL_UINT64;
  }
  return name != "LeScalar" || (type != ACL_UINT32 && type != ACL_UINT64);
}

// As numbers, whatever the types are: -1 is no 255 and no 2^64 - 1.
TEST_F(ElementwiseIntegerTest, ComparisonsWithScalarsCompareNumbers) {
  for (const IntegerType& type : kTypes) {
    const std::vector<Int128> values = {
        type.least, type.least + 1, 0, 1, type.greatest / 2, type.greatest / 2 + 1, type.greatest};
    Tensor self({.dims = {7}, .dtype = type.dtype}), out({.dims = {7}, .dtype = ACL_BOOL});
    WriteBits(self, values);
    for (const IntegerType& scalar_type : kTypes) {
      for (Int128 number : {scalar_type.least, Int128{-1}, Int128{0}, scalar_type.greatest / 2 + 1,
                            scalar_type.greatest}) {
        if (number < scalar_type.least) continue;
        auto bits = static_cast<uint64_t>(number);
        const aclScalar* scalar = aclCreateScalar(&bits, scalar_type.dtype);
        for (const char* name :
             {"EqScalar", "NeScalar", "LtScalar", "LeScalar", "GtScalar", "GeScalar"}) {
          if (!Takes(name, type.dtype)) continue;
          Run(name, self, {scalar}, out);
          const std::vector<uint8_t> results = out.Read<uint8_t>();
          for (size_t i = 0; i < values.size(); ++i) {
            EXPECT_EQ(results[i], Holds(name, values[i], number))
                << name << " of type " << type.dtype << ", element " << i << ", and "
                << static_cast<double>(number) << " of type " << scalar_type.dtype;
          }
        }
        aclDestroyScalar(scalar);
      }
    }
  }
}

// UINT16, UINT32 and UINT64 promote with themselves alone, and not with fractions.
TEST_F(ElementwiseIntegerTest, WideUnsignedTypesAreNotMixed) {
  Tensor self({.dims = {2}, .dtype = ACL_UINT16}), other({.dims = {2}, .dtype = ACL_UINT32});
  Tensor out({.dims = {2}, .dtype = ACL_BOOL});
  const ScalarHandle half(0.5, ACL_FLOAT);
  const auto refused = [&](const char* name, const Tensors& tensors, const ScalarList& scalars) {
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return OperatorNamed(name).first(tensors, scalars, out.handle(), size, executor);
        },
        ACLNN_ERR_PARAM_INVALID, {"self", "UINT16", "promote"});
  };
  refused("LtTensor", {self.handle(), other.handle()}, {});
  refused("GtScalar", {self.handle()}, {half.get()});
}

TEST_F(ElementwiseIntegerTest, ClampTakesBoundsThatNoElementReaches) {
  const std::vector<int64_t> values = {INT64_MIN, -1, 0, 1, INT64_MAX};
  Tensor self({.dims = {5}, .dtype = ACL_INT64}), out({.dims = {5}, .dtype = ACL_INT64});
  self.Write(values);
  uint64_t low = 0, high = uint64_t{1} << 63;
  const aclScalar* const scalars[] = {aclCreateScalar(&low, ACL_UINT64),
                                      aclCreateScalar(&high, ACL_UINT64)};
  Run("Clamp", self, {scalars[0], scalars[1]}, out);
  EXPECT_EQ(out.Read<int64_t>(), (std::vector<int64_t>{0, 0, 0, 1, INT64_MAX}));
  for (const aclScalar* scalar : scalars) aclDestroyScalar(scalar);
}

// The number of the type that equals x modulo 2^bits.
Int128 Wrapped(Int128 x, const IntegerType& type) {
  const Int128 range = type.greatest - type.least + 1;
  const Int128 above = (x - type.least) % range;
  return type.least + (above < 0 ? above + range : above);
}

// By the documents: self 2^places, modulo 2^bits, and input / 2^places, down, where negative places
// are 0. Beyond the bits of the type, which the documents leave open, as PyTorch has it.
Int128 ShiftedLeft(Int128 x, Int128 places, const IntegerType& type) {
  if (places < 0 || places >= 64) return 0;
  return Wrapped(x * (Int128{1} << static_cast<int>(places)), type);
}
Int128 ShiftedRight(Int128 x, Int128 places) {
  const Int128 divisor = Int128{1} << static_cast<int>(std::clamp<Int128>(places, 0, 100));
  const Int128 quotient = x / divisor;
  return x < 0 && quotient * divisor != x ? quotient - 1 : quotient;
}

std::vector<Int128> NumbersIn(const Tensor& tensor, const IntegerType& type) {
  std::vector<Int128> numbers = ReadBits(tensor);
  for (Int128& number : numbers) number = Wrapped(number, type);
  return numbers;
}

// The numbers of self stand in rows, the places in columns, of the same type or of a narrower one.
TEST_F(ElementwiseIntegerTest, ShiftsAreProductsAndQuotients) {
  for (const IntegerType& type : kTypes) {
    for (aclDataType places_type : {type.dtype, ACL_INT8}) {
      const bool unsigned_64 = type.dtype == ACL_UINT64;
      if (places_type == ACL_INT8 && type.least == 0) continue;  // they promote to a wider type
      SCOPED_TRACE(::testing::Message() << type.dtype << " by " << places_type);
      const std::vector<Int128> x = {type.least,        type.least + 1, 0, 1, 5,
                                     type.greatest / 2, type.greatest};
      std::vector<Int128> y = {0, 1, 3, 7, 8, 15, 31, 63, 64, 100};
      if (type.least < 0) y.insert(y.end(), {-1, -100});
      if (unsigned_64) y.push_back(type.greatest);
      const auto rows = static_cast<int64_t>(x.size()), columns = static_cast<int64_t>(y.size());
      Tensor self({.dims = {rows, 1}, .dtype = type.dtype, .strides = {3, 1}});
      Tensor places({.dims = {columns}, .dtype = places_type});
      Tensor left({.dims = {rows, columns}, .dtype = type.dtype, .strides = {1, rows}});
      Tensor right({.dims = {rows, columns}, .dtype = type.dtype});
      WriteBits(self, x);
      WriteBits(places, y);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnLeftShiftGetWorkspaceSize(self.handle(), places.handle(), left.handle(),
                                                  size, executor);
          },
          aclnnLeftShift);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnRightShiftGetWorkspaceSize(self.handle(), places.handle(), right.handle(),
                                                   size, executor);
          },
          aclnnRightShift);
      std::vector<Int128> products, quotients;
      for (const Int128 a : x) {
        for (const Int128 b : y) {
          products.push_back(ShiftedLeft(a, b, type));
          quotients.push_back(ShiftedRight(a, b));
        }
      }
      EXPECT_EQ(NumbersIn(left, type), products);
      EXPECT_EQ(NumbersIn(right, type), quotients);
    }
    // One number for all, in place: `x <<= 2`.
    const std::vector<Int128> x = {type.least, 0, 1, type.greatest / 3, type.greatest};
    for (int64_t places : {0, 2, 7, 64, -1}) {
      Tensor self({.dims = {5}, .dtype = type.dtype, .strides = {2}});
      WriteBits(self, x);
      const aclScalar* scalar = aclCreateScalar(&places, ACL_INT64);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnLeftShiftsGetWorkspaceSize(self.handle(), scalar, self.handle(), size,
                                                   executor);
          },
          aclnnLeftShifts);
      aclDestroyScalar(scalar);
      std::vector<Int128> products;
      for (const Int128 a : x) products.push_back(ShiftedLeft(a, places, type));
      EXPECT_EQ(NumbersIn(self, type), products) << type.dtype << " by " << places;
    }
  }
}

// They meet in INT64: 100 << 1 is no INT8, and INT16 takes its lower bits.
TEST_F(ElementwiseIntegerTest, ShiftsComputeInThePromotedType) {
  Tensor self({.dims = {3}, .dtype = ACL_INT8}), places({.dims = {3}, .dtype = ACL_INT64});
  Tensor narrow({.dims = {3}, .dtype = ACL_INT8}), wide({.dims = {3}, .dtype = ACL_INT64});
  WriteBits(self, {100, -1, 3});
  WriteBits(places, {1, 40, 62});
  WriteBits(narrow, {1, 1, 1});
  const auto shift = [&](const Tensor& by, const Tensor& out) {
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnLeftShiftGetWorkspaceSize(self.handle(), by.handle(), out.handle(), size,
                                                executor);
        },
        aclnnLeftShift);
    return out.Read<int64_t>();
  };
  const int64_t one = 1;
  EXPECT_EQ(shift(places, wide), (std::vector<int64_t>{200, -(one << 40), -(one << 62)}));
  EXPECT_EQ(shift(narrow, wide), (std::vector<int64_t>{-56, -2, 6}));
  const double number = 1;
  const aclScalar* scalar = aclCreateScalar(const_cast<double*>(&number), ACL_DOUBLE);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnLeftShiftsGetWorkspaceSize(self.handle(), scalar, self.handle(), &size, &executor),
            ACLNN_ERR_PARAM_INVALID);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("shiftBits.dtype = DOUBLE"), std::string::npos);
  aclDestroyScalar(scalar);
}

}  // namespace
}  // namespace anyacl::test
