// SPDX-License-Identifier: Apache-2.0
#include "fuzz/attention_fuzz.h"

#include <algorithm>
#include <set>

#include "ops/attention_extended_case.h"
#include "ops/attention_options.h"
#include "ops/attention_problem.h"

namespace anyacl::test {
namespace {

// Larger tensors have no memory, so a call of them ends with the first phase.
constexpr int64_t kMaxBytes = 1 << 18;

const std::vector<int64_t> kNumbers = {
    -1,        0,         1,         2,         3,         8,         15,        16,
    17,        32,        64,        128,       255,       256,       257,       512,
    513,       2048,      65535,     65536,     65537,     20971520,  20971521,  INT32_MAX,
    INT32_MIN, 1LL << 31, 1LL << 32, 1LL << 40, 1LL << 58, 1LL << 62, INT64_MAX, INT64_MIN};

int64_t AnyNumber(Choices& choices) {
  return choices.OneIn(2) ? choices.Int(-2, 40) : choices.Pick(kNumbers);
}

// Some tensor of the call, those in the lists included; null if there is none.
OptionalLayout* AnyTensor(Choices& choices, AttentionCall& call) {
  const int64_t which = choices.Int(0, 3);
  if (which >= 2) {
    const size_t last = call.version > 2 ? size_t{kAttentionTensors} - 1 : size_t{kLse};
    return &call.tensors[static_cast<size_t>(choices.Int(0, static_cast<int64_t>(last)))];
  }
  auto& list = which == 0 ? call.key : call.value;
  if (!list || list->empty()) return nullptr;
  return &(*list)[static_cast<size_t>(choices.Int(0, static_cast<int64_t>(list->size()) - 1))];
}

void BreakTensor(Choices& choices, OptionalLayout& tensor) {
  if (!tensor) tensor = Layout{.dims = {choices.Int(0, 4)}, .dtype = ACL_FLOAT16};
  Layout& layout = *tensor;
  const size_t axis =
      layout.dims.empty()
          ? 0
          : static_cast<size_t>(choices.Int(0, static_cast<int64_t>(layout.dims.size()) - 1));
  switch (choices.Int(0, 6)) {
    case 0:
      tensor.reset();
      return;
    case 1:
      layout.dtype = static_cast<aclDataType>(choices.Int(-1, 40));
      return;
    case 2:
      layout.format = static_cast<aclFormat>(choices.Int(-1, 60));
      return;
    case 3:
      layout.dims.resize(static_cast<size_t>(choices.Int(0, 8)), choices.Int(0, 3));
      layout.strides.clear();
      return;
    case 4:
      if (layout.strides.empty()) layout.strides = ContiguousStrides(layout.dims);
      if (axis < layout.strides.size()) layout.strides[axis] = AnyNumber(choices);
      return;
    case 5:
      layout.offset = AnyNumber(choices);
      return;
    default:
      if (axis < layout.dims.size()) layout.dims[axis] = AnyNumber(choices);
  }
}

void BreakLengths(Choices& choices, Lengths& lengths) {
  if (!lengths || choices.OneIn(3)) {
    lengths.emplace(static_cast<size_t>(choices.Int(0, 5)), AnyNumber(choices));
  } else if (!lengths->empty()) {
    (*lengths)[static_cast<size_t>(choices.Int(0, static_cast<int64_t>(lengths->size()) - 1))] =
        AnyNumber(choices);
  }
}

void Break(Choices& choices, AttentionCall& call) {
  int64_t* const numbers[] = {&call.num_heads,   &call.num_kv_heads,   &call.pre_tokens,
                              &call.next_tokens, &call.sparse_mode,    &call.inner_precise,
                              &call.block_size,  &call.antiquant_mode, &call.key_mode,
                              &call.value_mode,  &call.query_mode,     &call.pse_type};
  const bool later = call.version > 2;
  switch (choices.Int(0, 9)) {
    case 0:
    case 1:
      *numbers[choices.Int(0, later ? 11 : 9)] = AnyNumber(choices);
      return;
    case 2:
      BreakLengths(choices, call.query_lengths);
      return;
    case 3:
      BreakLengths(choices, call.kv_lengths);
      return;
    case 4:
      BreakLengths(choices, call.prefix_length);
      return;
    case 5:
      call.layout = choices.Pick(
          later ? std::vector<std::string>{"BSH", "BSND", "BNSD", "BNSD_BSND", "BSH_NBSD", "TND",
                                           "NTD", "TND_NTD", "NTD_TND", "BSND_BNSD", "NSD"}
                : std::vector<std::string>{"BSH", "BSND", "BNSD", "BNSD_BSND", "", "SH", "TND",
                                           "BNSDX"});
      return;
    case 6: {
      auto& list = choices.OneIn(2) ? call.key : call.value;
      if (choices.OneIn(6)) {
        list.reset();
      } else if (list) {
        list->resize(static_cast<size_t>(choices.Int(0, 4)), (*list)[0]);
      }
      return;
    }
    case 7:
      call.lse_flag = !call.lse_flag;
      return;
    default:
      if (OptionalLayout* tensor = AnyTensor(choices, call)) BreakTensor(choices, *tensor);
  }
}

bool Fits(const AttentionObjects& objects) {
  const auto fits = [](const std::optional<Tensor>& t) { return !t || t->fits(); };
  return std::all_of(objects.tensors.begin(), objects.tensors.end(), fits) &&
         std::all_of(objects.key.begin(), objects.key.end(), fits) &&
         std::all_of(objects.value.begin(), objects.value.end(), fits);
}

// Calls are to be many.
void MakeSmall(AttentionOptions& o) {
  o.kv_size = std::min<int64_t>(o.kv_size, 40);
  o.query_size = std::min<int64_t>(o.query_size, 8);
  o.batch = std::min<int64_t>(o.batch, 2);
  o.dim = std::min<int64_t>(o.dim, 64);
  o.heads = o.kv_heads * std::min<int64_t>(o.heads / o.kv_heads, 3);
  const auto limit = [](Lengths& lengths, int64_t size) {
    if (!lengths) return;
    for (int64_t& length : *lengths) length = std::min(length, size);
  };
  limit(o.query_lengths, o.query_size);
  limit(o.kv_lengths, o.kv_size);
}

// The elements are whatever the memory holds: nothing outside of the outputs may change.
void RunBlindly(const AttentionObjects& objects, const Prepared& prepared) {
  if (prepared.workspace_size > uint64_t{1} << 28 || !Fits(objects)) {
    EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
    return;
  }
  std::vector<std::vector<uint8_t>> before;
  const auto is_output = [](size_t i) { return i == kOut || i == kLse; };
  for (size_t i = 0; i < kAttentionTensors; ++i) {
    before.push_back(objects.tensors[i] ? objects.tensors[i]->Bytes() : std::vector<uint8_t>());
  }
  const Tensor workspace(
      {.dims = {static_cast<int64_t>(prepared.workspace_size)}, .dtype = ACL_UINT8});
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  const int code =
      objects.PhaseTwo()(workspace.data(), prepared.workspace_size, prepared.executor, stream);
  // Block ids are garbage; with ACL_LAUNCH_BLOCKING the second phase itself says so.
  EXPECT_TRUE(code == 0 || code == 161002 || code == 507015) << code;
  const int end = aclrtSynchronizeStream(stream);
  EXPECT_TRUE(end == 0 || end == 507015) << end;
  EXPECT_OK(aclrtDestroyStream(stream));
  TakeMessages();
  EXPECT_TRUE(workspace.GuardsIntact());
  EXPECT_TRUE(objects.GuardsIntact());
  for (size_t i = 0; i < kAttentionTensors; ++i) {
    if (objects.tensors[i] && !is_output(i)) {
      EXPECT_EQ(objects.tensors[i]->Bytes(), before[i]) << i;
    }
  }
}

// Breaks a right call, or not, and makes it.
Outcome FuzzCall(Choices& choices, AttentionCall call, const std::string& name) {
  const int64_t breaks = choices.OneIn(4) ? 0 : choices.Int(1, 3);
  for (int64_t i = 0; i < breaks; ++i) Break(choices, call);
  // A run costs as much as dozens of first phases.
  const bool run = choices.OneIn(4);
  const AttentionObjects objects(call, run ? kMaxBytes : 0);
  const Prepared prepared = Prepare(objects.PhaseOne());
  if (prepared.code == ACL_SUCCESS) {
    if (run) {
      RunBlindly(objects, prepared);
    } else {
      EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
    }
    return {};
  }
  const std::string message = TakeMessages();
  EXPECT_NE(breaks, 0) << name << "\n" << message;
  static const std::set<int> kCodes = {161001, 161002, 561002};
  EXPECT_EQ(kCodes.count(prepared.code), 1u) << prepared.code << " " << message;
  EXPECT_EQ(prepared.executor, nullptr);
  EXPECT_EQ(prepared.workspace_size, 0u);
  EXPECT_FALSE(message.empty());
  return {prepared.code, message};
}

std::vector<int64_t> SomeLengths(Choices& choices, size_t count, int64_t least, int64_t most) {
  std::vector<int64_t> lengths;
  for (size_t i = 0; i < count; ++i) lengths.push_back(choices.Int(least, most));
  return lengths;
}

ExtendedOptions RandomExtended(Choices& choices) {
  ExtendedOptions o;
  o.version = static_cast<int>(choices.Int(3, 5));
  const bool latent = choices.OneIn(4);
  o.layout = choices.Pick(
      o.version == 3 || latent
          ? std::vector<std::string>{"TND", "TND_NTD", "BSH_NBSD", "BSND_NBSD", "BNSD_NBSD"}
          : std::vector<std::string>{"TND", "NTD", "NTD_TND", "BSH_BNSD", "BSND_BNSD", "TND_NTD"});
  o.type = choices.OneIn(2) ? ACL_BF16 : ACL_FLOAT16;
  o.kv_type = o.type;
  o.rope = latent || choices.OneIn(3);
  if (latent) {
    o.heads = int64_t{1} << choices.Int(0, 4);
    o.kv_heads = 1;
  }
  o.dim = o.value_dim = latent ? 512 : o.rope ? 128 : 16 * choices.Int(1, 8);
  o.pages = latent ? static_cast<size_t>(choices.Int(3, 5)) : choices.OneIn(2) ? 3 : 0;
  if (o.version >= 4 && o.pages == 5 && choices.OneIn(2)) o.type = o.kv_type = ACL_INT8;
  const auto entries = static_cast<size_t>(choices.Int(1, 3));
  o.query_lengths = SomeLengths(choices, entries, o.Ragged() ? 0 : 1, 5);
  o.kv_lengths = SomeLengths(choices, entries, 6, 90);
  o.sparse_mode = choices.Pick(std::vector<int64_t>{0, 0, 3, 4, 9});
  if (o.layout.find("NTD") == 0 && o.sparse_mode == 9) o.sparse_mode = 2;
  o.sink = o.version >= 4 && (o.value_dim == 64 || o.value_dim == 128) && choices.OneIn(3);
  o.lse = choices.OneIn(2);
  o.strided = choices.OneIn(4);
  return o;
}

}  // namespace

Outcome FuzzAttention(Choices& choices) {
  AttentionOptions options = choices.OneIn(2) ? RandomOneToken(choices) : RandomPrompt(choices);
  MakeSmall(options);
  Random random(static_cast<uint64_t>(choices.Int(0, 255)));
  AttentionCall call = MakeShapes(options, random).call;
  const bool needs_v2 = options.antiquant == Antiquant::kSeparate || options.prefix_size > 0;
  if (!needs_v2 && choices.OneIn(8)) call.version = 1;
  return FuzzCall(choices, std::move(call), NameOf(options));
}

Outcome FuzzExtendedAttention(Choices& choices) {
  const ExtendedOptions options = RandomExtended(choices);
  Random random(static_cast<uint64_t>(choices.Int(0, 255)));
  return FuzzCall(choices, MakeExtendedCall(options, random).call, NameOf(options));
}

}  // namespace anyacl::test
