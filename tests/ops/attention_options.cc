// SPDX-License-Identifier: Apache-2.0
#include "ops/attention_options.h"

#include <algorithm>

namespace anyacl::test {
namespace {

void ChooseHeads(AttentionOptions& o, Choices& choices) {
  o.kv_heads = choices.Int(1, 3);
  o.heads = o.kv_heads * choices.Pick(std::vector<int64_t>{1, 1, 2, 3, 4, 5, 8, 16, 24});
}

Lengths RandomLengths(int64_t batch, int64_t high, Choices& choices) {
  if (choices.Chance(0.2)) return std::vector<int64_t>{choices.Int(0, high)};
  std::vector<int64_t> lengths;
  for (int64_t b = 0; b < batch; ++b) {
    lengths.push_back(choices.Chance(0.1) ? 0 : choices.Int(1, std::max<int64_t>(1, high)));
  }
  // Entries behind the batch say nothing.
  if (batch > 1 && choices.Chance(0.2)) lengths.push_back(1 << 30);
  return lengths;
}

void ChooseMask(AttentionOptions& o, Choices& choices) {
  o.mask = true;
  o.mask_density = choices.Pick(std::vector<double>{0.0, 0.3, 0.9, 1.0});
  o.mask_rank = choices.Int(2, 4);
  o.mask_per_batch = choices.Chance(0.5);
  o.mask_slack = choices.Pick(std::vector<int64_t>{0, 0, 5, 32});
  o.mask_type = choices.Pick(std::vector<aclDataType>{ACL_BOOL, ACL_INT8, ACL_UINT8});
}

void ChooseInt8Output(AttentionOptions& o, Choices& choices) {
  o.out_type = ACL_INT8;
  o.out_per_channel = choices.Chance(0.5);
  o.out_offset = choices.Chance(0.5);
}

// Of a paged cache: some sequence has tokens, or masks would have no columns.
Lengths PagedLengths(int64_t batch, int64_t high, Choices& choices) {
  Lengths lengths = RandomLengths(batch, high, choices);
  (*lengths)[0] = std::max<int64_t>(1, (*lengths)[0]);
  return lengths;
}

// Right or left padding of keys and values.
void ChooseKvPadding(AttentionOptions& o, Choices& choices) {
  o.kv_padding = choices.Int(-1, o.kv_size / 3);
  if (choices.Chance(0.7)) o.kv_lengths = RandomLengths(o.batch, o.kv_size / 2, choices);
}

void ChoosePrefix(AttentionOptions& o, Choices& choices) {
  o.prefix_size = choices.Int(1, 80);
  if (choices.Chance(0.6)) o.prefix = choices.Int(0, o.prefix_size);
}

void ChooseOneTokenAntiquant(AttentionOptions& o, Choices& choices) {
  const bool int4 = o.kv_type != ACL_INT8;
  const bool paged = o.cache == Cache::kPagedRows || o.cache == Cache::kPagedHeads;
  o.antiquant_offset = choices.Chance(0.5);
  if (!int4 && choices.Chance(0.3)) {
    o.antiquant = Antiquant::kCombined;
    o.key_mode = choices.Int(0, 1);
    o.per_tensor = choices.Chance(0.3);
    return;
  }
  o.antiquant = Antiquant::kSeparate;
  o.key_mode = int4 ? choices.Pick(std::vector<int64_t>{0, 1, 3}) : choices.Int(0, paged ? 5 : 3);
  o.value_mode = o.key_mode;
  const bool mixed_types = int4 || (o.query_type == ACL_FLOAT16 && o.out_type == ACL_FLOAT16);
  if (o.key_mode == 0 && mixed_types && choices.Chance(0.4)) o.value_mode = 1;
  o.per_tensor = !int4 && o.value_mode == 0 && choices.Chance(0.3);
}

}  // namespace

AttentionOptions RandomOneToken(Choices& choices) {
  AttentionOptions o;
  o.layout = choices.Pick(std::vector<std::string>{"BSH", "BSND", "BNSD"});
  o.query_type = o.kv_type = o.out_type =
      choices.Pick(std::vector<aclDataType>{ACL_FLOAT16, ACL_BF16});
  if (choices.Chance(0.5)) {
    o.kv_type = choices.Pick(std::vector<aclDataType>{ACL_INT8, ACL_INT8, ACL_INT4, ACL_INT32});
  }
  const bool int4 = o.kv_type == ACL_INT4 || o.kv_type == ACL_INT32;
  o.batch = choices.Int(1, 4);
  o.query_size = 1;
  ChooseHeads(o, choices);
  o.kv_size = choices.Chance(0.1) ? choices.Int(1000, 2200) : choices.Int(1, 200);
  o.dim = int4 ? choices.Pick(std::vector<int64_t>{64, 128})
               : choices.Pick(std::vector<int64_t>{1, 2, 7, 16, 24, 32, 64, 80, 128});
  o.scale = choices.Uniform(-0.1, 0.3);
  o.lse = choices.Chance(0.5);
  o.sparse_mode = choices.Int(0, 7);
  o.next_tokens = choices.Int(-3, 3);
  o.inner_precise = choices.Int(0, 1);
  o.strided = choices.Chance(0.1);
  const int64_t kind = choices.Int(0, int4 ? 1 : 3);
  const bool paged = kind >= 2;
  if (kind == 1 && o.batch > 1) o.cache = Cache::kList;
  if (paged) {
    o.cache = o.layout == "BNSD" && choices.Chance(0.5) ? Cache::kPagedHeads : Cache::kPagedRows;
    o.block_size = choices.Pick(std::vector<int64_t>{32, 64, 128, 160});
    o.kv_lengths = PagedLengths(o.batch, o.kv_size, choices);
  } else if (choices.Chance(0.5)) {
    o.kv_lengths = RandomLengths(o.batch, o.kv_size, choices);
  }
  if (o.cache == Cache::kContiguous && !int4 && choices.Chance(0.2)) {
    ChooseKvPadding(o, choices);
  } else if (o.cache == Cache::kContiguous && choices.Chance(0.3)) {
    ChoosePrefix(o, choices);
  }
  if (!int4 && choices.Chance(0.25)) ChooseInt8Output(o, choices);
  if (o.kv_type != o.query_type) ChooseOneTokenAntiquant(o, choices);
  if (choices.Chance(0.4)) ChooseMask(o, choices);
  o.pse = o.dim % 16 == 0 && choices.Chance(0.3);
  o.pse_per_batch = choices.Chance(0.5);
  return o;
}

namespace {

void ChooseSparse(AttentionOptions& o, Choices& choices) {
  o.sparse_mode = choices.Int(0, 4);
  o.inner_precise = choices.Int(0, 3);
  if (o.sparse_mode == 1 || (o.sparse_mode == 0 && choices.Chance(0.5))) ChooseMask(o, choices);
  o.pre_tokens = choices.Pick(std::vector<int64_t>{INT32_MAX, int64_t{1} << 62, 0, 3, 40});
  o.next_tokens = choices.Pick(std::vector<int64_t>{INT32_MAX, int64_t{1} << 62, 0, 3, 40});
  // Rows that the band excludes beside rows that a mask hides have no defined result.
  if (o.mask && o.sparse_mode == 0 && o.inner_precise < 2) {
    o.mask_density = std::min(o.mask_density, 0.3);
  }
}

void ChoosePromptTypes(AttentionOptions& o, Choices& choices) {
  const int64_t kind = choices.Int(0, 5);
  o.query_type = kind % 2 == 0 ? ACL_FLOAT16 : ACL_BF16;
  o.kv_type = o.out_type = o.query_type;
  if (kind == 4) {  // combined scales
    o.kv_type = ACL_INT8;
    o.antiquant = Antiquant::kCombined;
    o.key_mode = 0;
    o.per_tensor = choices.Chance(0.3);
  } else if (kind == 5) {
    o.query_type = o.kv_type = ACL_INT8;
    o.out_type = ACL_FLOAT16;
  }
  o.antiquant_offset = choices.Chance(0.5);
  if (choices.Chance(0.25)) ChooseInt8Output(o, choices);
}

bool HasOffsetRows(const AttentionOptions& o) { return o.out_type == ACL_INT8 && o.out_offset; }

}  // namespace

AttentionOptions RandomPrompt(Choices& choices) {
  AttentionOptions o;
  o.layout = choices.Pick(std::vector<std::string>{"BSH", "BSND", "BNSD", "BNSD_BSND"});
  ChoosePromptTypes(o, choices);
  o.batch = choices.Int(1, 3);
  o.query_size = choices.Chance(0.3) ? choices.Int(2, 6) : choices.Int(2, 70);
  ChooseHeads(o, choices);
  o.kv_size = choices.Int(1, 150);
  o.dim = 32 * choices.Pick(std::vector<int64_t>{1, 1, 2, 4});
  o.scale = choices.Uniform(-0.1, 0.3);
  o.lse = choices.Chance(0.5) && !o.out_per_channel;
  o.strided = choices.Chance(0.1);
  ChooseSparse(o, choices);
  if (choices.Chance(0.4)) o.query_lengths = RandomLengths(o.batch, o.query_size, choices);
  if (choices.Chance(0.5)) o.kv_lengths = RandomLengths(o.batch, o.kv_size, choices);
  const bool plain = o.kv_type == o.query_type && o.query_type != ACL_INT8;
  const int64_t kind = choices.Int(0, 5);
  if (kind == 0 && o.batch > 1) {
    o.cache = Cache::kList;
  } else if (kind == 1 && plain) {
    o.cache = o.layout[1] == 'N' && choices.Chance(0.5) ? Cache::kPagedHeads : Cache::kPagedRows;
    o.kv_lengths = PagedLengths(o.batch, o.kv_size, choices);
  } else if (kind == 2 && o.query_type != ACL_INT8) {
    ChoosePrefix(o, choices);
  } else if (kind == 3 && !o.out_per_channel) {
    if (choices.Chance(0.6)) ChooseKvPadding(o, choices);
    if (choices.Chance(0.6)) {
      o.query_padding = choices.Int(-1, o.query_size / 3);
      if (choices.Chance(0.7)) {
        o.query_lengths = RandomLengths(o.batch, o.query_size / 2, choices);
      }
    }
  } else if (kind == 4 && o.query_type == ACL_BF16 && o.out_type == ACL_BF16 &&
             o.query_size <= 16) {
    o.kv_type = ACL_INT8;
    o.antiquant = Antiquant::kSeparate;
    o.key_mode = o.value_mode = choices.Int(0, 1);
  }
  o.pse = choices.Chance(0.2);
  o.pse_per_batch = choices.Chance(0.5);
  if (HasOffsetRows(o)) o.out_offset = o.sparse_mode == 1 || o.sparse_mode == 2;
  return o;
}

}  // namespace anyacl::test
