// SPDX-License-Identifier: Apache-2.0
// Randperm: numbers are dealt to random buckets, in their order, and each bucket is shuffled by
// itself in a cache (Rao 1961, Sandelius 1962): every permutation is as likely as any other, the
// cost is linear, and threads share it.
#include <bit>
#include <utility>

#include "base/philox.h"
#include "nnop/workspace.h"
#include "ops/generators/random.h"

namespace anyacl::generators {
namespace {

// Numbers of 8 bytes in a bucket, on the average: half of a first cache.
constexpr uint64_t kBucket = 2048;
// Up to here there is one bucket.
constexpr int64_t kSmall = 4 * kBucket;
// The words that shuffle come from the upper half of the sequence.
constexpr uint64_t kShuffling = uint64_t{1} << 63;

class RandpermPlan final : public BookedPlan {
 public:
  explicit RandpermPlan(const Operands& operands)
      : seeds_(operands),
        out_(ViewOf(operands, kOut), Element::kInt64),
        count_(operands.Int(kRows)) {
    if (count_ > kSmall) {
      bucket_bits_ = std::bit_width((static_cast<uint64_t>(count_) - 1) / kBucket);
      bucket_bits_ = std::min(bucket_bits_, 32);
    }
    // A chunk of the dealing has a counter for each bucket: less than one for 16 numbers.
    chunk_ = std::max(kChunk, 16 * Buckets());
    chunks_ = (count_ + chunk_ - 1) / chunk_;
    order_ = book_.Book<int64_t>(static_cast<size_t>(count_));
    places_ = book_.Book<int64_t>(static_cast<size_t>(chunks_ * Buckets()));
    begins_ = book_.Book<int64_t>(static_cast<size_t>(Buckets() + 1));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Sequence sequence = seeds_.Read(bindings);
    int64_t* const order = order_.In(bindings);
    const int64_t* const begins = Deal(sequence, bindings);
    ParallelFor(Buckets(), std::max<int64_t>(Buckets() * kChunk / count_, 1),
                [&](int64_t first, int64_t end) {
                  for (int64_t bucket = first; bucket < end; ++bucket) {
                    Shuffle(sequence, order, begins[bucket], begins[bucket + 1]);
                  }
                });
    ForBlocks(count_, [&](int64_t first, int64_t count) {
      out_.Store(bindings, first, count, order + first);
    });
    return {};
  }

 private:
  int64_t Buckets() const { return int64_t{1} << bucket_bits_; }

  // Calls f(i, bucket) for the numbers of a chunk.
  template <class Function>
  void ForNumbers(const Sequence& sequence, int64_t chunk, const Function& f) const {
    const int64_t end = std::min((chunk + 1) * chunk_, count_);
    alignas(64) uint32_t words[kBlock];
    for (int64_t first = chunk * chunk_; first < end; first += kBlock) {
      const int64_t count = std::min(kBlock, end - first);
      anyacl::Kernels().generators.words(sequence, first, count, words);
      for (int64_t i = 0; i < count; ++i) {
        f(first + i, static_cast<int64_t>(uint64_t{words[i]} << bucket_bits_ >> 32));
      }
    }
  }

  // Puts the numbers of each bucket beside each other, in their order; returns where buckets begin.
  const int64_t* Deal(const Sequence& sequence, const Bindings& bindings) const {
    int64_t* const order = order_.In(bindings);
    int64_t* const places = places_.In(bindings);
    int64_t* const begins = begins_.In(bindings);
    const int64_t buckets = Buckets();
    ParallelFor(chunks_, 1, [&](int64_t first, int64_t end) {
      std::fill(places + first * buckets, places + end * buckets, int64_t{0});
      for (int64_t chunk = first; chunk < end; ++chunk) {
        int64_t* const counts = places + chunk * buckets;
        ForNumbers(sequence, chunk, [=](int64_t, int64_t bucket) { ++counts[bucket]; });
      }
    });
    int64_t place = 0;
    for (int64_t bucket = 0; bucket < buckets; ++bucket) {
      begins[bucket] = place;
      for (int64_t chunk = 0; chunk < chunks_; ++chunk) {
        place += std::exchange(places[chunk * buckets + bucket], place);
      }
    }
    begins[buckets] = place;
    ParallelFor(chunks_, 1, [&](int64_t first, int64_t end) {
      for (int64_t chunk = first; chunk < end; ++chunk) {
        int64_t* const next = places + chunk * buckets;
        ForNumbers(sequence, chunk, [=](int64_t i, int64_t bucket) { order[next[bucket]++] = i; });
      }
    });
    return begins;
  }

  // From the last place down, each changes with one of those up to it (Fisher and Yates). Which one
  // is decided by the word of the place, so that each word is used once.
  static void Shuffle(const Sequence& sequence, int64_t* order, int64_t begin, int64_t end) {
    PhiloxBlock block{};
    for (int64_t place = end - 1; place > begin; --place) {
      if (place == end - 1 || place % 4 == 3) {
        block = Philox(kShuffling + static_cast<uint64_t>(place) / 4, sequence.high, sequence.key);
      }
      const uint64_t choices = static_cast<uint64_t>(place - begin) + 1;
      const auto chosen = static_cast<int64_t>(block.words[place % 4] * choices >> 32);
      std::swap(order[place], order[begin + chosen]);
    }
  }

  const Seeds seeds_;
  const Elements out_;
  const int64_t count_;
  int bucket_bits_ = 0;
  int64_t chunk_ = 0, chunks_ = 0;
  WorkspaceSlot<int64_t> order_, places_, begins_;
};

}  // namespace

Status PrepareRandperm(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<RandpermPlan>(operands);
  return {};
}

}  // namespace anyacl::generators
