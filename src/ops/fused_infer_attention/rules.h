// SPDX-License-Identifier: Apache-2.0
// Rules: what a check table cannot say, in the order in which they are tested. Each has a name, by
// which tests find a call that breaks it, and the section of the document that it comes from.
#pragma once

#include <initializer_list>
#include <span>

#include "aclnn/opdev/op_errno.h"
#include "ops/fused_infer_attention/problem.h"

namespace anyacl::fused_infer_attention {

// Of queries, without their ropes.
inline constexpr int64_t kMaxHeadSize = 512;

enum class Branch { kBoth, kPrompt, kOneToken };

// The titles of the document's sections ("aclnnFusedInferAttentionScoreV2").
namespace section {
inline constexpr char kParameters[] = "参数说明";
inline constexpr char kReturns[] = "返回值";
// What follows stands under this one.
inline constexpr char kConstraints[] = "约束与限制";
inline constexpr char kInt8[] = "int8量化相关入参数量与输入、输出数据格式的综合限制";
inline constexpr char kAntiquant[] = "伪量化参数 antiquantScale和antiquantOffset约束";
inline constexpr char kPrompt[] = "当Q_S大于1时";
// These stand there for more than one query row and again for one ("当Q_S等于1时").
inline constexpr char kSizes[] = "query,key,value输入,功能使用限制如下";
inline constexpr char kPages[] = "page attention场景";
inline constexpr char kKvPaddings[] = "kv左padding场景";
inline constexpr char kPseShifts[] = "pseShift功能使用限制如下";
inline constexpr char kPrefix[] = "prefix相关参数约束";
inline constexpr char kSeparate[] = "kv伪量化参数分离";
// In no section: the device's own checks refuse it.
inline constexpr char kDevice[] = "";
}  // namespace section

struct Rule {
  const char* name;
  const char* section;
  Branch branch;
  Status (*check)(const Problem&);
};

inline constexpr int64_t kMaxSequence = 20971520;

// In the order of testing; check.cc fills sizes in between them.
extern const std::span<const Rule> kTypeRules;
extern const std::span<const Rule> kLayoutRules;
extern const std::span<const Rule> kRankRules;
extern const std::span<const Rule> kQueryRules;
extern const std::span<const Rule> kHeadRules;
extern const std::span<const Rule> kGroupRules;
extern const std::span<const Rule> kListRules;
extern const std::span<const Rule> kKvSizeRules;
extern const std::span<const Rule> kPagedRules;
extern const std::span<const Rule> kLengthRules;
extern const std::span<const Rule> kPrefixRules;
extern const std::span<const Rule> kPaddingRules;
extern const std::span<const Rule> kQuantRules;
extern const std::span<const Rule> kAntiquantRules;
extern const std::span<const Rule> kMaskRules;
extern const std::span<const Rule> kWindowRules;
extern const std::span<const Rule> kOutputRules;

// Of arguments that V3 and later have brought, whatever the call.
extern const std::span<const Rule> kVersionRules;
// Parts of those above.
extern const std::span<const Rule> kGroupCountRules;
extern const std::span<const Rule> kFullMaskRules;
// Those of extended calls only.
extern const std::span<const Rule> kExtendedFeatureRules;
extern const std::span<const Rule> kExtendedRankRules;
extern const std::span<const Rule> kExtendedSizeRules;
extern const std::span<const Rule> kExtendedCacheRules;
extern const std::span<const Rule> kExtendedQuantRules;
extern const std::span<const Rule> kExtendedTableRules;
extern const std::span<const Rule> kExtendedMaskRules;
extern const std::span<const Rule> kExtendedOutputRules;

// False if the text names no layout that the version of the operator has; null is BSH.
bool ParseLayout(const char* text, int version, Layout* layout, Layout* out);

// Shape is one of several, each written as its sizes.
bool IsOneOf(const Dims& shape, std::initializer_list<Dims> shapes);

// What this version of the operator calls an argument; one that it lacks has the last one's name.
inline const char* ParameterOf(const Problem& problem, int id) {
  if (const ParamSpec* row = problem.operands.RowOf(id)) return row->name;
  for (const ParamSpec& row : kParamsV5) {
    if (row.id == id) return row.name;
  }
  return "";
}

}  // namespace anyacl::fused_infer_attention
