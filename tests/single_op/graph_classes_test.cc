// SPDX-License-Identifier: Apache-2.0
// Classes of operators of graphs, as torch_npu before 2.7 declares them when it is loaded.
#include <gtest/gtest.h>

#include "graph_engine/graph_engine.h"

namespace anyacl::test {
namespace {

class Scaled : public ge::Operator {
 public:
  explicit Scaled(const char* name) : Operator(name, "Scaled") { Register(); }
  explicit Scaled(const ge::AscendString& name) : Operator(name, "Scaled") { Register(); }

 private:
  void Register() {
    InputRegister("x");
    DynamicInputRegister("others", 2, true);
    DynamicInputRegisterByIndex("others", 1, 3);
    RequiredAttrRegister("axis");
    AttrRegister("axis", int64_t{1});
    AttrRegister("keeps", true);
    OutputRegister("y");
  }
};

// With the names, arguments and sizes that it was built with.
TEST(GraphClasses, OperatorsAreDeclaredAndNeverAskedFor) {
  static_assert(sizeof(ge::AscendString) == sizeof(std::shared_ptr<void>));
  static_assert(sizeof(ge::Operator) == sizeof(void*) + sizeof(std::shared_ptr<void>));
  int created = 0;
  const ge::OperatorCreatorRegister declared("Scaled", [&](const ge::AscendString& name) {
    ++created;
    return Scaled(name);
  });
  EXPECT_FALSE(ge::OperatorFactory::IsExistOp("Scaled"));
  EXPECT_EQ(created, 0);
  const ge::Operator copy = Scaled("scaled");
  ge::Options types;
  EXPECT_EQ(copy.GetAllIrAttrNamesAndTypes(types), ge::kFailed);
}

}  // namespace
}  // namespace anyacl::test
