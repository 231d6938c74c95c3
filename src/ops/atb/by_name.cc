// SPDX-License-Identifier: Apache-2.0
// Finds what libatb asks for.
#include <string_view>

#include "base/entry.h"
#include "nnop/phases.h"
#include "ops/atb/exports.h"
#include "ops/atb/operators.h"
#include "ops/operators.h"

namespace anyacl::atb_operations {
namespace {

const OpSpec* Find(std::string_view name) {
  for (const OpSpec& spec : kOperations) {
    if (spec.op.phase_two == name) return &spec;
  }
  return FindOperator(name);
}

int NotOffered(const char* name) {
  return Entry(name, [&] { return Fail(ACLNN_ERR_INNER, "{} is not offered by anyacl", name); });
}

}  // namespace
}  // namespace anyacl::atb_operations

extern "C" {

int anyaclPrepareByName(const char* name, const anyacl::Argument* arguments, size_t count,
                        uint64_t* workspace_size, aclOpExecutor** executor) {
  const anyacl::OpSpec* spec = anyacl::atb_operations::Find(name);
  if (spec == nullptr) return anyacl::atb_operations::NotOffered(name);
  return anyacl::PhaseOne(*spec, std::span(arguments, count), workspace_size, executor);
}

int anyaclRunByName(const char* name, void* workspace, uint64_t workspace_size,
                    aclOpExecutor* executor, aclrtStream stream) {
  const anyacl::OpSpec* spec = anyacl::atb_operations::Find(name);
  if (spec == nullptr) return anyacl::atb_operations::NotOffered(name);
  return anyaclRunExecutor(spec->op, workspace, workspace_size, executor, stream);
}
}
