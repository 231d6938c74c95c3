// SPDX-License-Identifier: Apache-2.0
// Integers beside scalars that the tensor's type does not hold.
#include <limits>

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

}  // namespace
}  // namespace anyacl::test
