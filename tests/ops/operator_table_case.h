// SPDX-License-Identifier: Apache-2.0
// The fixture of the tests of every operator against its own declaration.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "ops/operator_calls.h"

namespace anyacl::test {

inline std::vector<aclDataType> AllTypes() {
  std::vector<aclDataType> types;
  for (int i = -1; i < 64; ++i) types.push_back(static_cast<aclDataType>(i));
  return types;
}

// Of a declared shape: it stands for any number of axes.
inline bool IsRun(std::string_view word) { return word.ends_with("..") || word.ends_with("*"); }

class OperatorTableTest : public DeviceTest, public ::testing::WithParamInterface<OperatorTable> {
 protected:
  const OperatorTable& table() const { return GetParam(); }
  const OpSpec& spec() const { return *table().spec; }
  const CallHints& hints() const { return HintsOf(table()); }
  Call Right() const { return RightCall(table()); }

  void ExpectAccepted(const Call& call) {
    const CallObjects objects(table(), call);
    const Prepared prepared = Prepare(objects.PhaseOne());
    EXPECT_OK(prepared.code);
    if (prepared.executor != nullptr && prepared.code == ACL_SUCCESS) {
      EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
    }
  }
  bool Accepts(const Call& call) {
    const CallObjects objects(table(), call);
    const Prepared prepared = Prepare(objects.PhaseOne());
    if (prepared.code != ACL_SUCCESS) return false;
    EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
    return true;
  }
  // Accepted or not: a refusal names the row, and leaves no executor.
  void ExpectAnswer(const Call& call, const ParamSpec& row) {
    const CallObjects objects(table(), call);
    const Prepared prepared = Prepare(objects.PhaseOne());
    if (prepared.code == ACL_SUCCESS) {
      EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
      return;
    }
    EXPECT_EQ(prepared.executor, nullptr);
    const std::string message = TakeMessages();
    EXPECT_NE(message.find(row.name), std::string::npos) << message;
  }
  void ExpectBroken(const Call& call, int code, std::initializer_list<std::string_view> words) {
    const CallObjects objects(table(), call);
    ExpectRefused(objects.PhaseOne(), code, words);
  }

  // The objects of a right call in which argument i, and nothing else, is another: most of their
  // time goes into making them, so the others are made once.
  const CallObjects& Changed(const Call& call, size_t i) {
    if (objects_ && changed_ == i && table().rows[i].kind == Kind::kTensor) {
      objects_->Replace(i, *call[i].layout);
    } else {
      objects_.emplace(table(), call);
      changed_ = i;
    }
    return *objects_;
  }

  // body(index, row) for each row whose tensor the right call has.
  template <class Body>
  void ForTensors(const Body& body) {
    const Call right = Right();
    for (size_t i = 0; i < right.size(); ++i) {
      if (!right[i].layout) continue;
      SCOPED_TRACE(table().rows[i].name);
      body(i, table().rows[i]);
    }
  }

  // The row whose type decides on this one's.
  int TypeOwner(const ParamSpec& row) const {
    for (const ParamSpec& other : table().rows) {
      if (row.same_dtype_as == other.id) return TypeOwner(other);
    }
    return row.id;
  }

  // A right call in which a row, and those that follow it, have this type.
  Call WithType(size_t i, aclDataType type) const {
    Call call = Right();
    const bool was_packed = call[i].layout && call[i].layout->dtype == ACL_INT32;
    const auto rows = table().rows;
    for (size_t k = 0; k < call.size(); ++k) {
      if (call[k].layout && (k == i || TypeOwner(rows[i]) == TypeOwner(rows[k]))) {
        call[k].layout->dtype = type;
      }
    }
    if (rows[i].packed_dims != nullptr && (type == ACL_INT32 || was_packed)) {
      call[i].layout->dims =
          DimsOf(table(), rows[i], type == ACL_INT32 ? rows[i].packed_dims : rows[i].dims);
    }
    hints().fit(call, i);
    return call;
  }

 private:
  std::optional<CallObjects> objects_;
  size_t changed_ = 0;
};

}  // namespace anyacl::test
