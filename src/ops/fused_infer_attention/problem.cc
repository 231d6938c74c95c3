// SPDX-License-Identifier: Apache-2.0
// From arguments to what the rules look at.
#include "ops/fused_infer_attention/problem.h"

#include "aclnn/opdev/op_errno.h"
#include "ops/fused_infer_attention/rules.h"

namespace anyacl::fused_infer_attention {
namespace {

Status FailAt(Problem& problem, const char* rule, Status status) {
  problem.failed_rule = rule;
  return status;
}

// An INT32 tensor that packs eight INT4 per word, described as those. Strides count INT4: only the
// innermost one cannot be said so; its words must be neighbours (CheckStrides of INT4).
std::shared_ptr<const TensorLayout> Unpacked(const TensorLayout& packed) {
  auto layout = std::make_shared<TensorLayout>(packed);
  layout->dtype = ACL_INT4;
  const size_t last = layout->shape.rank() - 1;
  if (__builtin_mul_overflow(packed.shape[last], 8, &layout->shape[last])) {
    layout->shape[last] = INT64_MAX;
  }
  const auto eightfold = [](int64_t v) {
    return static_cast<int64_t>(static_cast<uint64_t>(v) * 8);
  };
  for (size_t i = 0; i < last; ++i) layout->strides[i] = eightfold(packed.strides[i]);
  layout->strides[last] = packed.strides[last] == 1 || packed.shape[last] <= 1 ? 1 : 0;
  layout->offset = eightfold(packed.offset);
  return layout;
}

void Unpack(std::span<Operand> operands) {
  for (Operand& operand : operands) {
    if (operand.given() && operand.dtype() == ACL_INT32 && operand.shape().rank() > 0) {
      operand.layout = Unpacked(*operand.layout);
    }
  }
}

Status CheckList(Problem& problem, int id) {
  const std::span<const Operand> list = problem.operands.List(id);
  const char* name = problem.operands.NameOf(id);
  if (!list.front().given()) {
    return FailAt(problem, "ListsHaveATensor",
                  Fail(ACLNN_ERR_PARAM_NULLPTR, "{} has 0 tensors, expected at least 1", name));
  }
  constexpr size_t kMaxTensors = 256;
  if (list.size() <= kMaxTensors) return {};
  return FailAt(problem, "ListsHaveAtMost256Tensors",
                Fail(ACLNN_ERR_PARAM_INVALID, "{} has {} tensors, expected at most {}", name,
                     list.size(), kMaxTensors));
}

std::shared_ptr<const IntArray> LengthsOf(const Operands& operands, int id) {
  if (!operands.Given(id)) return nullptr;
  std::shared_ptr<const IntArray> lengths = operands.IntArrayAt(id);
  return lengths == nullptr || lengths->empty() ? nullptr : lengths;
}

Args ArgsOf(const Operands& call) {
  Args args;
  args.num_heads = call.Int(kNumHeads);
  args.scale = call.Real(kScaleValue);
  args.layout = call.Text(kInputLayout);
  args.num_kv_heads = call.Int(kNumKvHeads);
  // The older operators have not got all of these.
  const auto take = [&](int id, int64_t* value) {
    if (call.Given(id)) *value = call.Int(id);
  };
  take(kPreTokens, &args.pre_tokens);
  take(kNextTokens, &args.next_tokens);
  take(kSparseMode, &args.sparse_mode);
  take(kInnerPrecise, &args.inner_precise);
  take(kBlockSize, &args.block_size);
  take(kAntiquantMode, &args.antiquant_mode);
  args.lse_flag = call.Given(kLseFlag) && call.Flag(kLseFlag);
  take(kKeyMode, &args.key_mode);
  take(kValueMode, &args.value_mode);
  take(kQueryMode, &args.query_mode);
  take(kPseType, &args.pse_type);
  return args;
}

// By the arguments that each version has brought.
int VersionOf(const Operands& call) {
  if (call.Given(kPseType)) return 5;
  if (call.Given(kQueryMode)) return 4;
  return call[kQueryRope].spec != nullptr ? 3 : 2;
}

// D of a tensor of keys or values, whatever it is a part of; 0 if its shape is none of the known.
int64_t HeadSizeOf(const Problem& p, const Dims& shape) {
  const int64_t heads = p.args.num_kv_heads == 0 ? p.args.num_heads : p.args.num_kv_heads;
  if (shape.rank() == 4) return shape[3];
  if (shape.rank() != 3) return 0;
  const bool rows = p.Given(kBlockTable) || p.layout == Layout::kBsh;
  return !rows ? shape[2] : heads > 0 ? shape[2] / heads : 0;
}

}  // namespace

bool IsExtended(const Problem& p) {
  if (p.version < 3) return false;
  const bool known_layout =
      !p.Ragged() &&
      (p.out_layout == p.layout || (p.layout == Layout::kBnsd && p.out_layout == Layout::kBsnd));
  if (!known_layout || p.HasRope() || p.HasQueryScale() || p.Given(kSink)) return true;
  if (p.args.sparse_mode == Problem::kTreeMode || p.key[0].shape().rank() == 5) return true;
  const int64_t dim = HeadSizeOf(p, p.key[0].shape());
  return dim != HeadSizeOf(p, p.value[0].shape());
}

Problem::Problem(Operands& call, Form the_form)
    : form(the_form),
      operands(call),
      args(ArgsOf(call)),
      key(call.List(kKey)),
      value(call.List(kValue)),
      query_lengths(LengthsOf(call, kQueryLengths)),
      kv_lengths(LengthsOf(call, kKvLengths)),
      prefix_lengths(LengthsOf(call, kPrefixLength)),
      version(VersionOf(call)) {
  // Without the flag the tensor is neither looked at nor written.
  if (!args.lse_flag && call[kSoftmaxLse].given()) call.Drop(kSoftmaxLse);
}

int64_t Problem::KvSize(int64_t b) const {
  if (paged || !listed) return kv_size;
  return key[static_cast<size_t>(b)].shape()[static_cast<size_t>(SizeDim(layout))];
}

Status CheckLists(Problem& problem) {
  if (Status s = CheckList(problem, kKey); !s.ok()) return s;
  if (Status s = CheckList(problem, kValue); !s.ok()) return s;
  Operands& operands = problem.operands;
  // Only both lists together are packed: one alone is a wrong pair of types.
  const auto packed = [&](int id) {
    return operands[id].given() && operands[id].dtype() == ACL_INT32;
  };
  const auto unpack = [&](int key, int value) {
    if (!packed(key) || !packed(value)) return;
    Unpack(operands.List(key));
    Unpack(operands.List(value));
  };
  unpack(kKey, kValue);
  unpack(kKeyPrefix, kValuePrefix);
  return {};
}

}  // namespace anyacl::fused_infer_attention
