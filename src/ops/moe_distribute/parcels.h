// SPDX-License-Identifier: Apache-2.0
// One call of the pair: every rank makes a parcel of rows for every rank, itself included, stores
// it in that rank's memory, and takes those that came for it. README.md draws the memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "acl/acl_base.h"
#include "base/format.h"
#include "ops/moe_distribute/plans.h"
#include "ops/ranks/windows.h"

namespace anyacl::moe_distribute {

// What comes with a row.
struct RowInfo {
  int32_t token = 0;   // of the rank that it belongs to
  int32_t place = 0;   // among the rows of its token; 0 where rows come back by copy
  int32_t expert = 0;  // of the rank that it goes to
  float weight = 0;
};
static_assert(sizeof(RowInfo) == 16);

// What all ranks must pass alike.
struct Facts {
  enum : int {
    kOperator,
    kHidden,
    kChosen,
    kRouted,
    kShared,
    kSharedRanks,
    kMaxTokens,
    kQuant,
    kType,
    kCount
  };
  std::array<int32_t, kCount> values{};
};
Facts FactsOf(const Common& common, bool quantises, aclDataType type);
const char* ApiOf(Operator op);

// A parcel in memory: the head, then rows and their infos elsewhere.
struct Head {
  int32_t turn = 0;  // stored last, with release: the parcel is the one of the n-th call
  int32_t rows = 0;
  Facts facts;
  int32_t reserved[5] = {};
};
static_assert(sizeof(Head) == 64);

// Rows, one behind the other, with their INT8 scales behind them.
int64_t DispatchRowBytes(int64_t hidden, bool quantises);
int64_t CombineRowBytes(int64_t hidden, bool quantises);
// Elements of a row that share a scale on the way back.
inline constexpr int64_t kScaleGroup = 8;

// Where parcels lie in a rank's memory: the number of its last call, heads, infos and rows. There
// are two of each, for even and odd calls: a rank that begins a call has had a parcel of the last
// one from everybody, so everybody has taken those of the call before.
class ParcelTable {
 public:
  ParcelTable(int64_t ranks, int64_t capacity, int64_t row_bytes)
      : ranks_(static_cast<uint64_t>(ranks)),
        infos_(Align(static_cast<uint64_t>(capacity) * sizeof(RowInfo))),
        row_(Align(static_cast<uint64_t>(row_bytes))),
        parcel_(infos_ + static_cast<uint64_t>(capacity) * row_) {}

  uint64_t HeadOf(uint32_t turn, uint32_t source) const {
    return sizeof(Head) * (1 + turn % 2 * ranks_ + source);
  }
  // In memory of `size` bytes. Halves begin where they do whatever the lengths of a call's rows.
  uint64_t Parcel(uint32_t turn, uint32_t source, uint64_t size) const {
    const uint64_t half = (size - heads()) / 2 / sizeof(Head) * sizeof(Head);
    return heads() + turn % 2 * half + source * parcel_;
  }
  // In a parcel.
  uint64_t rows() const { return infos_; }
  uint64_t row() const { return row_; }
  uint64_t bytes() const { return heads() + 2 * ranks_ * parcel_; }

 private:
  static uint64_t Align(uint64_t bytes) { return (bytes + 63) / 64 * 64; }
  uint64_t heads() const { return sizeof(Head) * (1 + 2 * ranks_); }

  const uint64_t ranks_;
  const uint64_t infos_;
  const uint64_t row_;
  const uint64_t parcel_;
};

// A parcel as who fills or reads it sees it.
struct Parcel {
  RowInfo* infos = nullptr;
  char* rows = nullptr;
  int64_t count = 0;
};

class Parcels {
 public:
  Parcels(const Common& common, const Facts& facts, int64_t row_bytes, const StopToken& stop);

  // `rows` to each rank, which are then filled in. Waits for ranks that have not come yet.
  // `cause`: the input that says how many.
  Status Open(const std::vector<int64_t>& rows, const char* cause);
  const Parcel& To(int64_t rank) const { return to_[static_cast<size_t>(rank)]; }
  uint64_t row() const { return table_.row(); }
  // Tells what has been filled in, and waits for what the others tell: how long for each is added
  // to the tensor that is for it, if there is one.
  Status Pass(const Bindings& bindings);
  const Parcel& From(int64_t rank) const { return from_[static_cast<size_t>(rank)]; }

 private:
  class HeadsPoll;

  Status CheckHead(uint32_t source, const Head& head) const;

  const Common& common_;
  const Facts facts_;
  const ParcelTable table_;
  ranks::Waiter waiter_;
  uint32_t turn_ = 0;
  std::vector<RankWindow> windows_;
  std::vector<std::vector<char>> staged_;  // for ranks whose memory is not mapped
  std::vector<Parcel> to_, from_;
};

// Runs the body; if it fails, so do the calls of all other ranks, which wait for this one.
template <class Body>
Status ForAll(RankGroup& group, const char* api, const Body& body) {
  const RankGroup::Task task(group);
  if (Status s = group.Failure(); !s.ok()) return s;
  if (const char* other = group.TakeExchange(api)) {
    const std::string text = Format(
        "{} began while {} of the same rank ran on another stream, expected one after the other",
        api, other);
    group.Abort(text);
    return Fail(ACL_ERROR_RT_AICPU_EXCEPTION, "communicator \"{}\": {}", group.name(), text);
  }
  const struct Turn {
    ~Turn() { group.GiveExchange(); }
    RankGroup& group;
  } turn{group};
  const Status status = body();
  if (!status.ok()) {
    std::string why;
    anyaclTaskFailure(&why);
    group.Abort(Format("{} failed with {}: {}", api, status.code(), why));
  }
  return status;
}

// The tokens that take part, and their rows: `rows[t * chosen + k]` says whether token t goes to
// its expert k. Where some experts are special, `special` has which one takes part instead, counted
// from the first zero expert, or -1.
struct Active {
  std::vector<bool> rows;
  std::vector<bool> tokens;
  std::vector<int32_t> special;
};
Status ReadActive(const Bindings& bindings, const Common& common, Active* active);

// Element `index` of a tensor, in row-major order.
template <class T>
T& At(const Bindings& bindings, const TensorView& view, int64_t index) {
  return reinterpret_cast<T*>(view.Address(bindings))[view.OffsetOf(index)];
}

}  // namespace anyacl::moe_distribute
