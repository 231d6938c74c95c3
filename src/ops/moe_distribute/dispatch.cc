// SPDX-License-Identifier: Apache-2.0
// The task of dispatch: a parcel for each rank, its rows sorted by expert, and what the parcels of
// all ranks are as tensors.
#include <array>
#include <cstring>
#include <vector>

#include "acl/acl_base.h"
#include "base/format.h"
#include "nnop/awaited_plan.h"
#include "ops/blocks/blocks.h"
#include "ops/moe_distribute/parcels.h"
#include "runtime/parallel.h"

namespace anyacl::moe_distribute {
namespace {

class DispatchPlan final : public Plan, public AwaitedPlan {
 public:
  explicit DispatchPlan(const DispatchParams& params)
      : p_(params), at_(p_.placement), rank_(p_.group->rank()) {}

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    return ForAll(*p_.group, ApiOf(p_.op), [&]() -> Status {
      std::vector<Sent> sent;
      std::vector<int64_t> rows;
      if (Status s = Route(bindings, &sent, &rows); !s.ok()) return s;
      Parcels parcels(p_, FactsOf(p_, p_.quantises, p_.x.dtype),
                      DispatchRowBytes(p_.hidden, p_.quantises), stop);
      if (Status s = parcels.Open(rows, "expertIds"); !s.ok()) return s;
      ParallelFor(Count(sent), GrainOf(p_.hidden), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) Fill(bindings, parcels, sent[static_cast<size_t>(i)]);
      });
      if (Status s = parcels.Pass(bindings); !s.ok()) return s;
      std::vector<Received> received;
      if (Status s = Arrange(bindings, parcels, &received); !s.ok()) return s;
      ParallelFor(Count(received), GrainOf(p_.hidden), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          Store(bindings, parcels, i, received[static_cast<size_t>(i)]);
        }
      });
      return {};
    });
  }
  void Dropped() const override {
    p_.group->Abort(Format("{} was dropped with its stream", ApiOf(p_.op)));
  }

 private:
  // A row that leaves.
  struct Sent {
    RowInfo info;
    int64_t rank = 0;
    int64_t index = 0;  // in the parcel
    int64_t scales = 0;
  };
  // One that has come.
  struct Received {
    uint32_t source = 0;
    int64_t index = 0;  // in the parcel
  };

  template <class Row>
  static int64_t Count(const std::vector<Row>& rows) {
    return static_cast<int64_t>(rows.size());
  }

  // Who gets what; rows of a rank by expert, those of one expert by token and place.
  Status Route(const Bindings& bindings, std::vector<Sent>* sent,
               std::vector<int64_t>* rows) const {
    Active active;
    if (Status s = ReadActive(bindings, p_, &active); !s.ok()) return s;
    for (int64_t row = 0; row < p_.tokens * p_.chosen; ++row) {
      if (!active.rows[static_cast<size_t>(row)]) continue;
      const int64_t t = row / p_.chosen, k = row % p_.chosen;
      const int64_t expert = At<int32_t>(bindings, p_.expert_ids, row);
      if (expert < 0 || expert >= at_.routed) {
        return Fail(kBad, "expertIds[{}][{}] is {}, expected 0 to {}", t, k, expert,
                    at_.routed + p_.special.count() - 1);
      }
      const float weight = p_.weights.given() ? At<float>(bindings, p_.weights, row) : 0.0f;
      sent->push_back({{static_cast<int32_t>(t), static_cast<int32_t>(k),
                        static_cast<int32_t>(at_.PlaceOf(expert)), weight},
                       at_.RankOf(expert),
                       0,
                       at_.shared + expert});
    }
    for (int64_t j = 0; j < at_.shared; ++j) {
      for (int64_t t = 0; t < p_.tokens; ++t) {
        if (!active.tokens[static_cast<size_t>(t)]) continue;
        sent->push_back({{static_cast<int32_t>(t), static_cast<int32_t>(p_.chosen + j), 0, 1.0f},
                         at_.SharedRank(j, rank_),
                         0,
                         j});
      }
    }
    // By rank and expert.
    std::vector<int64_t> next(static_cast<size_t>(at_.ranks * at_.local()), 0);
    const auto slot = [&](const Sent& row) {
      return static_cast<size_t>(row.rank * at_.local() + row.info.expert);
    };
    for (const Sent& row : *sent) ++next[slot(row)];
    rows->assign(static_cast<size_t>(at_.ranks), 0);
    for (size_t i = 0; i < next.size(); ++i) {
      int64_t& before = (*rows)[i / static_cast<size_t>(at_.local())];
      const int64_t count = std::exchange(next[i], before);
      before += count;
    }
    const std::vector<int64_t> first = next;
    for (Sent& row : *sent) {
      row.index = next[slot(row)]++;
      if (!p_.by_copy() || row.info.place == p_.chosen) continue;
      At<int32_t>(bindings, p_.assist, row.info.token * p_.chosen + row.info.place) =
          static_cast<int32_t>(row.index - first[slot(row)]);
    }
    return {};
  }

  void Fill(const Bindings& bindings, const Parcels& parcels, const Sent& row) const {
    const Parcel& parcel = parcels.To(row.rank);
    parcel.infos[row.index] = row.info;
    char* to = parcel.rows + static_cast<uint64_t>(row.index) * parcels.row();
    const char* from =
        p_.x.Address(bindings) + p_.x.OffsetOf(row.info.token * p_.hidden) * BytesOf(p_.x);
    if (!p_.quantises) {
      blocks::Copier(BytesOf(p_.x))(
          {const_cast<char*>(from), 1, p_.hidden, 0, p_.x.strides[1], false},
          {to, 1, p_.hidden, 0, 1, false});
      return;
    }
    std::array<float, kMaxHidden> values;
    Load(p_.x, from, values.data());
    if (p_.scales.given()) {
      std::array<float, kMaxHidden> scales;
      Load(p_.scales,
           p_.scales.Address(bindings) +
               p_.scales.OffsetOf(row.scales * p_.hidden) * BytesOf(p_.scales),
           scales.data());
      for (size_t i = 0; i < static_cast<size_t>(p_.hidden); ++i) values[i] *= scales[i];
    }
    const float back = ranks::Quantise(values.data(), p_.hidden, to);
    std::memcpy(to + ScaleOffset(), &back, sizeof(back));
  }

  int64_t ScaleOffset() const {
    return DispatchRowBytes(p_.hidden, true) - static_cast<int64_t>(sizeof(float));
  }

  void Load(const TensorView& view, const char* from, float* to) const {
    const int64_t step = view.strides[1];
    for (int64_t i = 0; i < p_.hidden; i += blocks::kBlock) {
      blocks::LoadRow(view.dtype, from + i * step * BytesOf(view), step,
                      std::min(blocks::kBlock, p_.hidden - i), to + i);
    }
  }

  // The rows of all parcels by expert and source, and how many there are.
  Status Arrange(const Bindings& bindings, const Parcels& parcels,
                 std::vector<Received>* received) const {
    const int64_t experts = at_.ExpertsOf(rank_);
    std::vector<int64_t> next(static_cast<size_t>(at_.ranks), 0);
    int64_t in_expert = 0;
    for (int64_t e = 0; e < experts; ++e) {
      for (uint32_t source = 0; source < next.size(); ++source) {
        const Parcel& parcel = parcels.From(source);
        int64_t& i = next[source];
        for (; i < parcel.count && parcel.infos[i].expert == e; ++i) {
          received->push_back({source, i});
        }
        At<int32_t>(bindings, p_.counts, e * at_.ranks + source) =
            static_cast<int32_t>(received->size());
      }
      const int64_t so_far = Count(*received);
      At<int64_t>(bindings, p_.expert_counts, e) = p_.prefix_sums ? so_far : so_far - in_expert;
      in_expert = so_far;
    }
    for (uint32_t source = 0; source < next.size(); ++source) {
      if (next[source] == parcels.From(source).count) continue;
      return Fail(kBad, "{} of communicator \"{}\" sends rows out of order",
                  p_.group->NameOf(source), p_.group->name());
    }
    if (Count(*received) <= p_.out.sizes[0]) return {};
    return Fail(kBad, "{} rows come, expected at most the {} of the rows' tensor", received->size(),
                p_.out.sizes[0]);
  }

  void Store(const Bindings& bindings, const Parcels& parcels, int64_t row,
             const Received& received) const {
    const Parcel& parcel = parcels.From(received.source);
    const RowInfo& info = parcel.infos[received.index];
    char* from = parcel.rows + static_cast<uint64_t>(received.index) * parcels.row();
    const int64_t bytes = BytesOf(p_.out);
    char* to = p_.out.Address(bindings) + p_.out.OffsetOf(row * p_.hidden) * bytes;
    blocks::Copier(bytes)({from, 1, p_.hidden, 0, 1, false},
                          {to, 1, p_.hidden, 0, p_.out.strides[1], false});
    if (p_.quantises) {
      std::memcpy(&At<float>(bindings, p_.out_scales, row), from + ScaleOffset(), sizeof(float));
    }
    if (!p_.by_copy()) {
      At<int32_t>(bindings, p_.assist, 3 * row) = static_cast<int32_t>(received.source);
      At<int32_t>(bindings, p_.assist, 3 * row + 1) = info.token;
      At<int32_t>(bindings, p_.assist, 3 * row + 2) = info.place;
    }
    if (p_.weights.given() && p_.out_weights.given()) {
      At<float>(bindings, p_.out_weights, row) = info.weight;
    }
  }

  const DispatchParams p_;
  const Placement& at_;
  const uint32_t rank_;
};

}  // namespace

std::shared_ptr<const Plan> MakeDispatchPlan(const DispatchParams& params) {
  return std::make_shared<DispatchPlan>(params);
}

}  // namespace anyacl::moe_distribute
