// SPDX-License-Identifier: Apache-2.0
// aclopAttr: the attributes of a single operator.
#include "base/entry.h"
#include "runtime/arguments.h"
#include "single_op/exports.h"
#include "single_op/objects.h"

namespace anyacl {

HandleTable<OpAttributes, HandleKind::kOpAttributes>& OpAttributeTable() {
  static auto* table = HandleTable<OpAttributes, HandleKind::kOpAttributes>::NewGlobal();
  return *table;
}

namespace {

[[maybe_unused]] const bool kAttributesMadeAtLoad = (OpAttributeTable(), true);

// make(&value) fills the value or fails.
template <class Make>
aclError Set(const char* api, aclopAttr* handle, const char* name, Make make) {
  return Entry(api, [&]() -> Status {
    const auto attributes = OpAttributeTable().Find(handle);
    if (attributes == nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM, "attr {} is not a live set of attributes",
                  static_cast<void*>(handle));
    }
    if (Status s = NotNull(name, "attrName"); !s.ok()) return s;
    OpAttributes::Value value;
    if (Status s = make(&value); !s.ok()) return s;
    attributes->values.insert_or_assign(name, std::move(value));
    return {};
  });
}

template <class Value>
aclError SetOne(const char* api, aclopAttr* handle, const char* name, Value value) {
  return Set(api, handle, name, [&](OpAttributes::Value* stored) -> Status {
    *stored = std::move(value);
    return {};
  });
}

Status CheckList(int count, const void* values, const char* count_name) {
  if (count < 0) {
    return Fail(ACL_ERROR_INVALID_PARAM, "{} is {}, expected 0 or more", count_name, count);
  }
  return count == 0 ? Status() : NotNull(values, "values");
}

template <class Element, class Source>
aclError SetList(const char* api, aclopAttr* handle, const char* name, int count,
                 const Source* values) {
  return Set(api, handle, name, [&](OpAttributes::Value* stored) -> Status {
    if (Status s = CheckList(count, values, "numValues"); !s.ok()) return s;
    *stored = std::vector<Element>(values, values + count);
    return {};
  });
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

bool anyaclFindOpAttributes(const aclopAttr* handle,
                            std::shared_ptr<anyacl::OpAttributes>* attributes) {
  *attributes = OpAttributeTable().Find(handle);
  return *attributes != nullptr;
}

aclopAttr* aclopCreateAttr(void) {
  void* handle = nullptr;
  (void)Entry("aclopCreateAttr", [&]() -> Status {
    handle = OpAttributeTable().Add(std::make_shared<OpAttributes>());
    return {};
  });
  return static_cast<aclopAttr*>(handle);
}

void aclopDestroyAttr(const aclopAttr* attr) {
  if (attr == nullptr) return;
  (void)Entry("aclopDestroyAttr", [&]() -> Status {
    if (OpAttributeTable().Remove(attr) != nullptr) return {};
    return Fail(ACL_ERROR_INVALID_PARAM, "attr {} is not a live set of attributes",
                static_cast<const void*>(attr));
  });
}

aclError aclopSetAttrBool(aclopAttr* attr, const char* attrName, uint8_t attrValue) {
  return SetOne("aclopSetAttrBool", attr, attrName, attrValue != 0);
}

aclError aclopSetAttrInt(aclopAttr* attr, const char* attrName, int64_t attrValue) {
  return SetOne("aclopSetAttrInt", attr, attrName, attrValue);
}

aclError aclopSetAttrFloat(aclopAttr* attr, const char* attrName, float attrValue) {
  return SetOne("aclopSetAttrFloat", attr, attrName, attrValue);
}

aclError aclopSetAttrDataType(aclopAttr* attr, const char* attrName, aclDataType attrValue) {
  return SetOne("aclopSetAttrDataType", attr, attrName, attrValue);
}

aclError aclopSetAttrString(aclopAttr* attr, const char* attrName, const char* attrValue) {
  return Set("aclopSetAttrString", attr, attrName, [&](OpAttributes::Value* stored) -> Status {
    if (Status s = NotNull(attrValue, "attrValue"); !s.ok()) return s;
    *stored = std::string(attrValue);
    return {};
  });
}

aclError aclopSetAttrListDataType(aclopAttr* attr, const char* attrName, int numValues,
                                  const aclDataType values[]) {
  return SetList<aclDataType>("aclopSetAttrListDataType", attr, attrName, numValues, values);
}

aclError aclopSetAttrListBool(aclopAttr* attr, const char* attrName, int numValues,
                              const uint8_t* values) {
  return SetList<bool>("aclopSetAttrListBool", attr, attrName, numValues, values);
}

aclError aclopSetAttrListInt(aclopAttr* attr, const char* attrName, int numValues,
                             const int64_t* values) {
  return SetList<int64_t>("aclopSetAttrListInt", attr, attrName, numValues, values);
}

aclError aclopSetAttrListFloat(aclopAttr* attr, const char* attrName, int numValues,
                               const float* values) {
  return SetList<float>("aclopSetAttrListFloat", attr, attrName, numValues, values);
}

aclError aclopSetAttrListString(aclopAttr* attr, const char* attrName, int numValues,
                                const char** values) {
  return Set("aclopSetAttrListString", attr, attrName, [&](OpAttributes::Value* stored) -> Status {
    if (Status s = CheckList(numValues, values, "numValues"); !s.ok()) return s;
    std::vector<std::string> texts;
    for (int i = 0; i < numValues; ++i) {
      if (values[i] == nullptr) {
        return Fail(ACL_ERROR_INVALID_PARAM, "values[{}] is null, expected a text", i);
      }
      texts.emplace_back(values[i]);
    }
    *stored = std::move(texts);
    return {};
  });
}

aclError aclopSetAttrListListInt(aclopAttr* attr, const char* attrName, int numLists,
                                 const int* numValues, const int64_t* const values[]) {
  return Set("aclopSetAttrListListInt", attr, attrName, [&](OpAttributes::Value* stored) -> Status {
    if (Status s = CheckList(numLists, values, "numLists"); !s.ok()) return s;
    if (numLists > 0) {
      if (Status s = NotNull(numValues, "numValues"); !s.ok()) return s;
    }
    std::vector<std::vector<int64_t>> lists;
    for (int i = 0; i < numLists; ++i) {
      if (numValues[i] < 0 || (numValues[i] > 0 && values[i] == nullptr)) {
        return Fail(ACL_ERROR_INVALID_PARAM,
                    "list {} has numValues {} and the address {}, expected 0 or more values at an "
                    "address",
                    i, numValues[i], static_cast<const void*>(values[i]));
      }
      lists.emplace_back(values[i], values[i] + numValues[i]);
    }
    *stored = std::move(lists);
    return {};
  });
}
}
