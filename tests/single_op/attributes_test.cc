// SPDX-License-Identifier: Apache-2.0
// aclopAttr.
#include <array>

#include "fixture.h"

namespace anyacl::test {
namespace {

TEST(OpAttributesTest, TakesEveryKindOfValue) {
  aclopAttr* attr = aclopCreateAttr();
  ASSERT_NE(attr, nullptr);
  const int64_t ints[] = {1, -2};
  const float floats[] = {0.5f};
  const uint8_t bools[] = {1, 0, 1};
  const aclDataType types[] = {ACL_FLOAT, ACL_INT8};
  std::array<const char*, 2> texts = {"a", "b"};
  const int counts[] = {2, 0};
  const int64_t* const lists[] = {ints, nullptr};
  EXPECT_OK(aclopSetAttrBool(attr, "bool", 1));
  EXPECT_OK(aclopSetAttrInt(attr, "int", INT64_MIN));
  EXPECT_OK(aclopSetAttrFloat(attr, "float", 1.5f));
  EXPECT_OK(aclopSetAttrString(attr, "string", "text"));
  EXPECT_OK(aclopSetAttrDataType(attr, "type", ACL_BF16));
  EXPECT_OK(aclopSetAttrListBool(attr, "bools", 3, bools));
  EXPECT_OK(aclopSetAttrListInt(attr, "ints", 2, ints));
  EXPECT_OK(aclopSetAttrListFloat(attr, "floats", 1, floats));
  EXPECT_OK(aclopSetAttrListString(attr, "strings", 2, texts.data()));
  EXPECT_OK(aclopSetAttrListDataType(attr, "types", 2, types));
  EXPECT_OK(aclopSetAttrListListInt(attr, "lists", 2, counts, lists));
  // Empty lists, and another value in place of one.
  EXPECT_OK(aclopSetAttrListInt(attr, "int", 0, nullptr));
  EXPECT_OK(aclopSetAttrListListInt(attr, "lists", 0, nullptr, nullptr));
  aclopDestroyAttr(attr);
}

TEST(OpAttributesTest, SaysWhatIsWrong) {
  aclopAttr* attr = aclopCreateAttr();
  const int64_t one = 1;
  const int bad_count[] = {-1};
  const int count[] = {1};
  const int64_t* const nowhere[] = {nullptr};
  const char* no_text[] = {nullptr};
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopSetAttrInt(attr, nullptr, 1), "attrName");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopSetAttrString(attr, "s", nullptr), "attrValue");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopSetAttrListInt(attr, "i", -1, &one), "numValues");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopSetAttrListInt(attr, "i", 1, nullptr), "values");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopSetAttrListString(attr, "s", 1, no_text), "values[0]");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopSetAttrListListInt(attr, "l", 1, bad_count, nowhere),
               "numValues", "-1");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopSetAttrListListInt(attr, "l", 1, count, nowhere),
               "address");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopSetAttrListListInt(attr, "l", 1, nullptr, nowhere),
               "numValues");
  aclopDestroyAttr(attr);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopSetAttrInt(attr, "i", 1), "attr");
  aclopDestroyAttr(attr);
  aclopDestroyAttr(nullptr);
}

}  // namespace
}  // namespace anyacl::test
