// SPDX-License-Identifier: Apache-2.0
// The task of combine: rows go back to the ranks of their tokens, which add them up in fp32, in the
// order of their places.
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "acl/acl_base.h"
#include "base/format.h"
#include "nnop/awaited_plan.h"
#include "ops/blocks/blocks.h"
#include "ops/moe_distribute/parcels.h"
#include "ops/moe_distribute/special.h"
#include "runtime/parallel.h"

namespace anyacl::moe_distribute {
namespace {

class CombinePlan final : public Plan, public AwaitedPlan {
 public:
  explicit CombinePlan(const CombineParams& params)
      : p_(params), at_(p_.placement), rank_(p_.group->rank()) {}

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    return ForAll(*p_.group, ApiOf(p_.op), [&]() -> Status {
      std::vector<Sent> sent;
      std::vector<int64_t> rows;
      if (Status s =
              p_.by_copy() ? RouteByCopy(bindings, &sent, &rows) : Route(bindings, &sent, &rows);
          !s.ok()) {
        return s;
      }
      Active active;
      if (Status s = ReadActive(bindings, p_, &active); !s.ok()) return s;
      Parcels parcels(p_, FactsOf(p_, p_.quantises, p_.rows.dtype),
                      CombineRowBytes(p_.hidden, p_.quantises), stop);
      if (Status s = parcels.Open(rows, p_.by_copy() ? "epSendCounts" : "assistInfoForCombine");
          !s.ok())
        return s;
      ParallelFor(static_cast<int64_t>(sent.size()), GrainOf(p_.hidden),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t i = begin; i < end; ++i) {
                      Fill(bindings, parcels, i, sent[static_cast<size_t>(i)]);
                    }
                  });
      if (Status s = parcels.Pass(bindings); !s.ok()) return s;
      std::vector<const char*> returned;
      if (Status s = p_.by_copy() ? ArrangeByCopy(bindings, parcels, &returned)
                                  : Arrange(parcels, active, &returned);
          !s.ok()) {
        return s;
      }
      ParallelFor(p_.tokens, 1, [&](int64_t begin, int64_t end) {
        for (int64_t t = begin; t < end; ++t) {
          if (active.tokens[static_cast<size_t>(t)]) Sum(bindings, active, returned, t);
        }
      });
      return {};
    });
  }
  void Dropped() const override {
    p_.group->Abort(Format("{} was dropped with its stream", ApiOf(p_.op)));
  }

 private:
  // A row of expandX that goes back.
  struct Sent {
    RowInfo info;
    int64_t rank = 0;
    int64_t index = 0;  // in the parcel
  };
  static constexpr int64_t kBlock = blocks::kBlock;
  using Block = std::array<float, kBlock>;
  using Row = std::array<float, kMaxHidden>;

  std::string NameOf(int64_t rank) const { return p_.group->NameOf(static_cast<uint32_t>(rank)); }

  // As dispatch said.
  Status Route(const Bindings& bindings, std::vector<Sent>* sent,
               std::vector<int64_t>* rows) const {
    const int64_t last = at_.ranks * at_.ExpertsOf(rank_) - 1;
    const int64_t total = At<int32_t>(bindings, p_.counts, last);
    if (total < 0 || total > p_.rows.sizes[0]) {
      return Fail(kBad, "epSendCounts[{}] is {}, expected 0 to the {} rows of expandX", last, total,
                  p_.rows.sizes[0]);
    }
    rows->assign(static_cast<size_t>(at_.ranks), 0);
    const struct {
      const char* what;
      int64_t limit;
    } fields[] = {{"rank", at_.ranks}, {"token", p_.max_tokens}, {"place", p_.places()}};
    for (int64_t i = 0; i < total; ++i) {
      std::array<int32_t, 3> values{};
      for (int64_t f = 0; f < 3; ++f) {
        const int32_t value = At<int32_t>(bindings, p_.assist, 3 * i + f);
        if (value < 0 || value >= fields[f].limit) {
          return Fail(kBad, "assistInfoForCombine[{}] is {}, expected a {} of 0 to {}", 3 * i + f,
                      value, fields[f].what, fields[f].limit - 1);
        }
        values[static_cast<size_t>(f)] = value;
      }
      sent->push_back(
          {{values[1], values[2], 0, 0.0f}, values[0], (*rows)[static_cast<size_t>(values[0])]++});
    }
    return {};
  }

  // As the counts say, which are prefix sums by expert and rank.
  Status RouteByCopy(const Bindings& bindings, std::vector<Sent>* sent,
                     std::vector<int64_t>* rows) const {
    rows->assign(static_cast<size_t>(at_.ranks), 0);
    int64_t begin = 0;
    for (int64_t e = 0; e < at_.ExpertsOf(rank_); ++e) {
      for (int64_t source = 0; source < at_.ranks; ++source) {
        const int64_t at = e * at_.ranks + source;
        const int64_t end = At<int32_t>(bindings, p_.counts, at);
        if (end < begin || end > p_.rows.sizes[0]) {
          return Fail(kBad, "epSendCounts[{}] is {}, expected {} to the {} rows of expandX", at,
                      end, begin, p_.rows.sizes[0]);
        }
        for (int64_t i = begin; i < end; ++i) {
          sent->push_back({{static_cast<int32_t>(i - begin), 0, static_cast<int32_t>(e), 0.0f},
                           source,
                           (*rows)[static_cast<size_t>(source)]++});
        }
        begin = end;
      }
    }
    return {};
  }

  void Fill(const Bindings& bindings, const Parcels& parcels, int64_t i, const Sent& row) const {
    const Parcel& parcel = parcels.To(row.rank);
    parcel.infos[row.index] = row.info;
    char* to = parcel.rows + static_cast<uint64_t>(row.index) * parcels.row();
    const int64_t bytes = BytesOf(p_.rows), step = p_.rows.strides[1];
    char* from = p_.rows.Address(bindings) + p_.rows.OffsetOf(i * p_.hidden) * bytes;
    if (!p_.quantises) {
      blocks::Copier(bytes)({from, 1, p_.hidden, 0, step, false}, {to, 1, p_.hidden, 0, 1, false});
      return;
    }
    Block values;
    for (int64_t h = 0; h < p_.hidden; h += kBlock) {
      const int64_t count = std::min(kBlock, p_.hidden - h);
      blocks::LoadRow(p_.rows.dtype, from + h * step * bytes, step, count, values.data());
      Compress(values, count, h, to);
    }
  }

  // Groups of 8 elements share a scale, max|v| / 127, which travels in the type of the rows.
  int64_t ScalesOffset() const { return (p_.hidden + kScaleGroup - 1) / kScaleGroup * kScaleGroup; }
  void Compress(const Block& values, int64_t count, int64_t first, char* row) const {
    const int64_t bytes = BytesOf(p_.rows);
    for (int64_t g = 0; g < count; g += kScaleGroup) {
      const int64_t end = std::min(count, g + kScaleGroup);
      float most = 0.0f;
      for (int64_t i = g; i < end; ++i) {
        const float size = std::fabs(values[static_cast<size_t>(i)]);
        most = size > most || size != size ? size : most;
      }
      const float scale = most * (1.0f / 127.0f);
      for (int64_t i = g; i < end; ++i) {
        const float quotient = values[static_cast<size_t>(i)] / scale;
        const float held = quotient == quotient ? std::clamp(quotient, -127.0f, 127.0f) : 0.0f;
        row[first + i] = static_cast<char>(static_cast<int32_t>(std::nearbyintf(held)));
      }
      blocks::StoreOne(scale, p_.rows.dtype,
                       row + ScalesOffset() + (first + g) / kScaleGroup * bytes);
    }
  }
  void Expand(const char* row, int64_t first, int64_t count, float* to) const {
    const int64_t bytes = BytesOf(p_.rows);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t group = (first + i) / kScaleGroup;
      const float scale =
          blocks::LoadOne<float>(p_.rows.dtype, row + ScalesOffset() + group * bytes);
      to[i] = static_cast<float>(static_cast<signed char>(row[first + i])) * scale;
    }
    // A row is of its type before it is weighed.
    std::array<char, kBlock * sizeof(float)> rounded;
    blocks::StoreRow(to, count, p_.rows.dtype, rounded.data(), 1);
    blocks::LoadRow(p_.rows.dtype, rounded.data(), 1, count, to);
  }

  // Where the rows of each token are.
  Status Arrange(const Parcels& parcels, const Active& active,
                 std::vector<const char*>* returned) const {
    const int64_t places = p_.places();
    returned->assign(static_cast<size_t>(p_.tokens * places), nullptr);
    for (int64_t source = 0; source < at_.ranks; ++source) {
      const Parcel& parcel = parcels.From(source);
      for (int64_t i = 0; i < parcel.count; ++i) {
        const RowInfo& info = parcel.infos[i];
        const bool known =
            info.token >= 0 && info.token < p_.tokens && info.place >= 0 && info.place < places;
        const size_t at = known ? static_cast<size_t>(info.token * places + info.place) : 0;
        if (!known || (*returned)[at] != nullptr) {
          return Fail(kBad,
                      "{} of communicator \"{}\" returns row {} of token {}, expected one row "
                      "for each of {} tokens and {} places",
                      NameOf(source), p_.group->name(), info.place, info.token, p_.tokens, places);
        }
        (*returned)[at] = parcel.rows + static_cast<uint64_t>(i) * parcels.row();
      }
    }
    for (int64_t t = 0; t < p_.tokens; ++t) {
      for (int64_t j = 0; j < places; ++j) {
        if (!Takes(active, t, j) || (*returned)[static_cast<size_t>(t * places + j)] != nullptr)
          continue;
        return Fail(kBad, "row {} of token {} has not come back, expected as dispatch was called",
                    j, t);
      }
    }
    return {};
  }

  // Rows that came back from an expert.
  struct Copies {
    int64_t first = 0;  // in the parcel
    std::vector<bool> taken;
  };

  // Where the rows of each token are: the number of a shared expert's copy is the token.
  Status ArrangeByCopy(const Bindings& bindings, const Parcels& parcels,
                       std::vector<const char*>* returned) const {
    std::vector<Copies> copies(static_cast<size_t>(at_.ranks * at_.local()));
    for (int64_t source = 0; source < at_.ranks; ++source) {
      const Parcel& parcel = parcels.From(source);
      int64_t i = 0;
      for (int64_t e = 0; e < at_.ExpertsOf(source); ++e) {
        Copies& of = copies[static_cast<size_t>(source * at_.local() + e)];
        of.first = i;
        while (i < parcel.count && parcel.infos[i].expert == e) ++i;
        of.taken.resize(static_cast<size_t>(i - of.first));
      }
      if (i == parcel.count) continue;
      return Fail(kBad, "{} of communicator \"{}\" returns rows out of order", NameOf(source),
                  p_.group->name());
    }
    const int64_t places = p_.places();
    returned->reserve(static_cast<size_t>(p_.tokens * places));
    for (int64_t t = 0; t < p_.tokens; ++t) {
      for (int64_t j = 0; j < places; ++j) {
        int64_t rank = 0, expert = 0, index = t;
        if (j >= p_.chosen) {
          rank = at_.SharedRank(j - p_.chosen, rank_);
        } else {
          const int64_t row = t * p_.chosen + j;
          const int64_t id = At<int32_t>(bindings, p_.expert_ids, row);
          if (id < 0 || id >= at_.routed) {
            return Fail(kBad, "expertIds[{}][{}] is {}, expected 0 to {}", t, j, id,
                        at_.routed - 1);
          }
          rank = at_.RankOf(id);
          expert = at_.PlaceOf(id);
          index = At<int32_t>(bindings, p_.assist, row);
        }
        Copies& of = copies[static_cast<size_t>(rank * at_.local() + expert)];
        const auto count = static_cast<int64_t>(of.taken.size());
        if (index < 0 || index >= count || of.taken[static_cast<size_t>(index)]) {
          return Fail(
              kBad,
              "row {} of token {} is number {} of those from expert {} of {}, expected another "
              "one each of the {} that came back (expandIdx)",
              j, t, index, expert, NameOf(rank), count);
        }
        of.taken[static_cast<size_t>(index)] = true;
        returned->push_back(parcels.From(rank).rows +
                            static_cast<uint64_t>(of.first + index) * parcels.row());
      }
    }
    for (size_t i = 0; i < copies.size(); ++i) {
      const std::vector<bool>& taken = copies[i].taken;
      const auto unknown = std::find(taken.begin(), taken.end(), false);
      if (unknown == taken.end()) continue;
      const auto source = static_cast<int64_t>(i) / at_.local();
      return Fail(kBad,
                  "{} of communicator \"{}\" returns {} rows of its expert {}, and no token is "
                  "number {} of them, expected {} as expertIds say (its epSendCounts)",
                  NameOf(source), p_.group->name(), taken.size(),
                  static_cast<int64_t>(i) % at_.local(), unknown - taken.begin(),
                  std::count(taken.begin(), taken.end(), true));
    }
    return {};
  }

  bool Takes(const Active& active, int64_t token, int64_t place) const {
    return place < p_.chosen ? active.rows[static_cast<size_t>(token * p_.chosen + place)]
                             : active.tokens[static_cast<size_t>(token)];
  }

  void Sum(const Bindings& bindings, const Active& active, const std::vector<const char*>& returned,
           int64_t token) const {
    const int64_t bytes = BytesOf(p_.out), places = p_.places();
    const int64_t step = p_.out.strides[p_.out.rank - 1];
    char* out = p_.out.Address(bindings) + p_.out.OffsetOf(token * p_.hidden) * bytes;
    Block sum, row;
    Row kept;
    const SpecialRows special(p_, bindings, active, token);
    double squares = 0;
    for (int64_t h = 0; h < p_.hidden; h += kBlock) {
      const int64_t count = std::min(kBlock, p_.hidden - h);
      std::fill_n(sum.begin(), count, 0.0f);
      const auto add = [&](float weight) {
        for (size_t i = 0; i < static_cast<size_t>(count); ++i) sum[i] += weight * row[i];
      };
      for (int64_t j = 0; j < places; ++j) {
        const char* from = returned[static_cast<size_t>(token * places + j)];
        if (!Takes(active, token, j)) {
          if (!special.Load(j, h, count, row.data())) continue;
        } else if (p_.quantises) {
          Expand(from, h, count, row.data());
        } else {
          blocks::LoadRow(p_.rows.dtype, from + h * BytesOf(p_.rows), 1, count, row.data());
        }
        const bool weighs = p_.weights.given() && j < p_.chosen;
        add(weighs ? At<float>(bindings, p_.weights, token * p_.chosen + j) : 1.0f);
      }
      if (p_.shared_x.given()) {
        const TensorView& x = p_.shared_x;
        blocks::LoadRow(x.dtype,
                        x.Address(bindings) + x.OffsetOf(token * p_.hidden + h) * BytesOf(x),
                        x.strides[x.rank - 1], count, row.data());
        add(1.0f);
      }
      if (p_.normalises()) {
        const TensorView& x = p_.residual;
        blocks::LoadRow(x.dtype,
                        x.Address(bindings) + x.OffsetOf(token * p_.hidden + h) * BytesOf(x),
                        x.strides[x.rank - 1], count, row.data());
        add(1.0f);
        std::copy_n(sum.begin(), count, kept.begin() + h);
        for (size_t i = 0; i < static_cast<size_t>(count); ++i) squares += double{sum[i]} * sum[i];
      }
      blocks::StoreRow(sum.data(), count, p_.out.dtype, out + h * step * bytes, step);
    }
    if (p_.normalises()) Normalise(bindings, squares, &kept, token);
  }

  // y = x / RMS(x) * gamma, both products rounded to the type as the device rounds them.
  void Normalise(const Bindings& bindings, double squares, Row* x, int64_t token) const {
    const auto mean = static_cast<float>(squares / static_cast<double>(p_.hidden));
    const float rstd = 1.0f / std::sqrt(mean + p_.epsilon);
    At<float>(bindings, p_.rstd, token) = rstd;
    const TensorView &gamma = p_.gamma, &y = p_.norm;
    const int64_t step = y.strides[y.rank - 1];
    char* to = y.Address(bindings) + y.OffsetOf(token * p_.hidden) * BytesOf(y);
    Block weights;
    std::array<char, kBlock * sizeof(float)> rounded;
    for (int64_t h = 0; h < p_.hidden; h += kBlock) {
      const int64_t count = std::min(kBlock, p_.hidden - h);
      float* const block = x->data() + h;
      for (int64_t i = 0; i < count; ++i) block[i] *= rstd;
      blocks::StoreRow(block, count, y.dtype, rounded.data(), 1);
      blocks::LoadRow(y.dtype, rounded.data(), 1, count, block);
      blocks::LoadRow(gamma.dtype, gamma.Address(bindings) + h * gamma.strides[0] * BytesOf(gamma),
                      gamma.strides[0], count, weights.data());
      for (int64_t i = 0; i < count; ++i) block[i] *= weights[static_cast<size_t>(i)];
      blocks::StoreRow(block, count, y.dtype, to + h * step * BytesOf(y), step);
    }
  }

  const CombineParams p_;
  const Placement& at_;
  const uint32_t rank_;
};

}  // namespace

std::shared_ptr<const Plan> MakeCombinePlan(const CombineParams& params) {
  return std::make_shared<CombinePlan>(params);
}

}  // namespace anyacl::moe_distribute
