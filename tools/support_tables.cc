// SPDX-License-Identifier: Apache-2.0
// Prints docs/support.md: what each operator accepts, from the tables that check it.
#include <cstdio>
#include <string>

#include "nnop/spec.h"
#include "ops/dynamic_quant/op.h"
#include "ops/ffn_worker_scheduler/op.h"
#include "ops/fused_infer_attention/op.h"
#include "ops/group_norm/op.h"
#include "ops/grouped_matmul/op.h"

int main() {
  std::string text =
      "# What the operators accept\n\n"
      "Generated from the check tables by `cmake --build <build> --target update_support_tables`; "
      "a "
      "test fails when it is out of date. A word in brackets names a size that all tensors of the "
      "call share; `B..` stands for one or more leading sizes, `H/8` for an exact quotient, "
      "`X*` for any number of sizes, `*` for any shape. "
      "Formats: "
      "ND and those that only name axes.\n";
  for (const anyacl::OpSpec* spec :
       {&anyacl::dynamic_quant::kSpecV2, &anyacl::dynamic_quant::kSpecV1,
        &anyacl::ffn_worker_scheduler::kFfnSpec, &anyacl::ffn_worker_scheduler::kAttentionSpec,
        &anyacl::group_norm::kForwardSpec, &anyacl::group_norm::kBackwardSpec,
        &anyacl::fused_infer_attention::kSpecV2}) {
    text += std::string("\n## ") + spec->op->phase_two + "\n\n" + anyacl::SupportTable(*spec);
  }
  // One function, two tables: the type of the weight decides.
  text += std::string("\n## ") + anyacl::grouped_matmul::kOpPlain.phase_two + ", " +
          anyacl::grouped_matmul::kOpWeightNz.phase_two + "\n\nINT8 weights:\n\n" +
          anyacl::SupportTable(anyacl::grouped_matmul::kSpecInt8) + "\nINT4 weights:\n\n" +
          anyacl::SupportTable(anyacl::grouped_matmul::kSpecInt4);
  std::fputs(text.c_str(), stdout);
  return 0;
}
