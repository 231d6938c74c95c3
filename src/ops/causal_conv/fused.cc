// SPDX-License-Identifier: Apache-2.0
// The convolution of sequences behind the tokens that lines of a cache keep. Threads share columns,
// and each goes through all sequences in their order, so that a line which several of them name has
// the same result for any number of threads.
#include "nnop/integers.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/causal_conv/checks.h"
#include "ops/causal_conv/window.h"
#include "runtime/parallel.h"

namespace anyacl::causal_conv {
namespace {

struct Params {
  TensorView x, weight, states, starts, lines, accepted, computed, first, last, initial, y;
  int64_t sequences, pad_slot, block_size;
  bool residual, resets;
};

// What a call's integers say of a sequence.
struct Sequence {
  int64_t begin, end;          // of its tokens
  int64_t read;                // the line before it; -1: zeros
  int64_t write;               // the line behind it; -1: it is passed over
  int64_t offset = 0;          // of the first of the W - 1 tokens before it, in its line
  int64_t resets = 0;          // tokens whose sum is zeros, if above 0
  int64_t fills = 0;           // blocks that end within it or before
  int64_t first_fill = 0;      // which of its blocks the first of them is
  int64_t first_boundary = 0;  // tokens before the first one's end; of others a block more each
};

Status InRange(std::string_view name, int64_t i, int64_t value, int64_t least, int64_t most) {
  if (value >= least && value <= most) return {};
  return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "{}[{}] = {}, expected {} to {}", name, i, value,
              least, most);
}

class FusedPlan final : public BookedPlan {
 public:
  explicit FusedPlan(const Params& params)
      : p_(params),
        taps_(p_.weight.sizes[0]),
        kept_(p_.states.sizes[1]),
        blocks_(p_.first.given() ? p_.lines.sizes[1] : 1),
        tiles_(p_.weight.sizes[1], ThreadCount()) {
    scratch_ = book_.Book<float>(ThreadCount(), scratch_floats());
    sequences_ = book_.Book<Sequence>(static_cast<size_t>(p_.sequences));
    if (p_.lines.given()) lines_ = book_.Book<int32_t>(static_cast<size_t>(p_.lines.elements()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (Status s = ReadIntegers(bindings); !s.ok()) return s;
    ParallelFor(tiles_.count(), 1, [&](int64_t begin, int64_t end, int64_t slot) {
      float* const scratch = scratch_.In(bindings) + static_cast<size_t>(slot) * scratch_floats();
      for (int64_t tile = begin; tile < end; ++tile) RunTile(bindings, tile, scratch);
    });
    return {};
  }

 private:
  // Behind the window the line that a sequence begins with, and a token.
  size_t scratch_floats() const {
    return Window::Floats(taps_, tiles_.width()) +
           static_cast<size_t>((kept_ + 1) * tiles_.width());
  }

  // Each of the client's integers is read once, before anything is written: results may lie there.
  Status ReadIntegers(const Bindings& bindings) const {
    int32_t* const lines = p_.lines.given() ? lines_.In(bindings) : nullptr;
    if (p_.lines.given()) {
      for (int64_t i = 0; i < p_.lines.elements(); ++i) {
        lines[i] = IntegerAt(bindings, p_.lines, i);
      }
    }
    int64_t begin = 0;
    if (p_.starts.given()) {
      begin = IntegerAt(bindings, p_.starts, 0);
      if (Status s = InRange("queryStartLoc", 0, begin, 0, tokens()); !s.ok()) return s;
    }
    for (int64_t b = 0; b < p_.sequences; ++b) {
      int64_t end = begin + (p_.starts.given() ? 0 : p_.x.sizes[1]);
      if (p_.starts.given()) {
        end = IntegerAt(bindings, p_.starts, b + 1);
        if (Status s = InRange("queryStartLoc", b + 1, end, begin, tokens()); !s.ok()) return s;
      }
      Sequence& sequence = sequences_.In(bindings)[b];
      sequence = {.begin = begin, .end = end, .read = b, .write = b};
      if (Status s = ReadSequence(bindings, b, lines, &sequence); !s.ok()) return s;
      begin = end;
    }
    return {};
  }

  Status ReadSequence(const Bindings& bindings, int64_t b, const int32_t* lines,
                      Sequence* s) const {
    const int64_t computed = p_.computed.given() ? IntegerAt(bindings, p_.computed, b) : -1;
    if (p_.computed.given()) {
      if (Status r = InRange("numComputedTokens", b, computed, 0, INT32_MAX); !r.ok()) return r;
    }
    s->offset = kept_ - (taps_ - 1);
    if (computed == 0) {
      s->offset = 0;
    } else if (p_.accepted.given()) {
      // 0 stands for none that was guessed, as of prompts beside sequences that go on.
      const int64_t accepted = IntegerAt(bindings, p_.accepted, b);
      if (Status r = InRange("numAcceptedTokens", b, accepted, 0, kept_ - taps_ + 2); !r.ok()) {
        return r;
      }
      s->offset = std::max<int64_t>(accepted - 1, 0);
    }
    if (p_.resets) s->resets = taps_ - 1 - computed;
    if (lines != nullptr) {
      if (Status r = ReadLines(bindings, b, lines + b * blocks_, computed, s); !r.ok()) return r;
    }
    if (computed == 0) s->read = -1;
    return {};
  }

  // Of a sequence's lines, one for each of its blocks.
  Status ReadLines(const Bindings& bindings, int64_t b, const int32_t* lines, int64_t computed,
                   Sequence* s) const {
    int64_t first = 0, last = 0, initial = 0;
    if (p_.first.given()) {
      const auto read = [&](const char* name, const TensorView& view, int64_t most, int64_t* to) {
        *to = IntegerAt(bindings, view, b);
        return InRange(name, b, *to, 0, most);
      };
      if (Status r = read("blockIdxLastScheduledToken", p_.last, blocks_ - 1, &last); !r.ok()) {
        return r;
      }
      if (Status r = read("blockIdxFirstScheduledToken", p_.first, last, &first); !r.ok()) return r;
      initial = last;
      if (computed != 0) {
        if (Status r = read("initialStateIdx", p_.initial, blocks_ - 1, &initial); !r.ok())
          return r;
      }
    }
    s->read = lines[initial];
    s->write = lines[last];
    if (s->read == p_.pad_slot || s->write == p_.pad_slot) {
      s->write = -1;
      return {};
    }
    const auto check = [&](int64_t block) {
      return InRange("cacheIndices", b * blocks_ + block, lines[block], 0, p_.states.sizes[0] - 1);
    };
    if (Status r = check(initial); !r.ok()) return r;
    if (Status r = check(last); !r.ok()) return r;
    if (!p_.first.given()) return {};
    const int64_t size = p_.block_size, length = s->end - s->begin;
    const int64_t to_end = size - computed % size;  // of the block that goes on
    const int64_t behind = ((length - to_end) % size + size) % size;
    s->fills = last - first;
    s->first_fill = first;
    s->first_boundary = length - behind - (behind == 0 ? size : 0) - (s->fills - 1) * size;
    for (int64_t i = 0; i < s->fills; ++i) {
      if (lines[first + i] == p_.pad_slot) continue;
      if (Status r = check(first + i); !r.ok()) return r;
    }
    return {};
  }

  void RunTile(const Bindings& bindings, int64_t tile, float* scratch) const {
    const int64_t column = tiles_.Begin(tile), count = tiles_.Count(tile);
    for (int64_t b = 0; b < p_.sequences; ++b) {
      const Sequence& s = sequences_.In(bindings)[b];
      if (s.write < 0) continue;
      float* const line = scratch + Window::Floats(taps_, count);
      const int64_t known = s.offset + taps_ - 1;
      for (int64_t i = 0; i < known; ++i) {
        if (s.read < 0) {
          std::fill_n(line + i * count, count, 0.0f);
        } else {
          blocks::LoadRow(p_.states.dtype, StateAt(bindings, s.read, i, column),
                          p_.states.strides[2], count, line + i * count);
        }
      }
      Keep(bindings, b, column, count, line);
      Convolve(bindings, s, column, count, scratch);
    }
  }

  // What lines keep: the end of the line before and the sequence, and for every block that ends
  // here the taps before its end. `line` holds the former and has room for a token behind it.
  void Keep(const Bindings& bindings, int64_t b, int64_t column, int64_t count, float* line) const {
    const Sequence& s = sequences_.In(bindings)[b];
    const int64_t known = s.offset + taps_ - 1, length = known + s.end - s.begin;
    const auto keep = [&](int64_t to, int64_t place, int64_t i) {
      float* row = line + i * count;
      if (i >= known) {
        row = line + kept_ * count;
        LoadToken(bindings, s.begin + i - known, column, count, row);
      }
      blocks::StoreRow(row, count, p_.states.dtype, StateAt(bindings, to, place, column),
                       p_.states.strides[2]);
    };
    const int64_t most = std::min(kept_, length);
    for (int64_t i = 0; i < most; ++i) keep(s.write, kept_ - most + i, length - most + i);
    for (int64_t fill = 0; fill < s.fills; ++fill) {
      const int64_t to = lines_.In(bindings)[b * blocks_ + s.first_fill + fill];
      const int64_t boundary = s.first_boundary + fill * p_.block_size;
      if (to == p_.pad_slot || boundary <= 0) continue;
      for (int64_t i = 0; i < taps_ - 1; ++i) {
        keep(to, kept_ - (taps_ - 1) + i, s.offset + boundary + i);
      }
    }
  }

  void Convolve(const Bindings& bindings, const Sequence& s, int64_t column, int64_t count,
                float* scratch) const {
    Window window(scratch, taps_, count);
    const float* const line = scratch + Window::Floats(taps_, count);
    for (int64_t k = 0; k < taps_; ++k) {
      blocks::LoadRow(p_.weight.dtype, AddressOf(bindings, p_.weight, k, column),
                      p_.weight.strides[1], count, window.weight(k));
    }
    for (int64_t k = 0; k < taps_ - 1; ++k) {
      std::copy_n(line + (s.offset + k) * count, count, window.Next());
    }
    const int last = p_.y.rank - 1;
    for (int64_t i = s.begin; i < s.end; ++i) {
      LoadToken(bindings, i, column, count, window.Next());
      float* const sum = i - s.begin < s.resets ? window.Zero() : window.Sum();
      if (p_.residual) {
        blocks::Rows{count}(elementwise::Op::kAdd, sum, sum, window.row(taps_ - 1));
      }
      blocks::StoreRow(sum, count, p_.y.dtype, AddressOf(bindings, p_.y, i, column),
                       p_.y.strides[last]);
    }
  }

  int64_t tokens() const { return p_.x.rank == 3 ? p_.x.sizes[0] * p_.x.sizes[1] : p_.x.sizes[0]; }
  // Of a column in row `i`, counted over all dimensions but the last.
  static char* AddressOf(const Bindings& bindings, const TensorView& view, int64_t i,
                         int64_t column) {
    const int last = view.rank - 1;
    const int64_t offset = view.OffsetOf(i, last) + column * view.strides[last];
    return view.Address(bindings) + offset * BytesOf(view);
  }
  char* StateAt(const Bindings& bindings, int64_t line, int64_t i, int64_t column) const {
    return AddressOf(bindings, p_.states, line * kept_ + i, column);
  }
  void LoadToken(const Bindings& bindings, int64_t i, int64_t column, int64_t count,
                 float* to) const {
    blocks::LoadRow(p_.x.dtype, AddressOf(bindings, p_.x, i, column), p_.x.strides[p_.x.rank - 1],
                    count, to);
  }

  const Params p_;
  const int64_t taps_;
  const int64_t kept_;    // tokens of a line
  const int64_t blocks_;  // lines of a sequence
  const ColumnTiles tiles_;
  WorkspaceSlot<float> scratch_;
  WorkspaceSlot<Sequence> sequences_;
  WorkspaceSlot<int32_t> lines_;
};

}  // namespace

Status PrepareFused(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckSizes(operands); !s.ok()) return s;
  int64_t sequences = 0;
  if (Status s = CheckFused(operands, &sequences); !s.ok()) return s;
  call->plan =
      std::make_shared<FusedPlan>(Params{.x = ViewOf(operands, kX),
                                         .weight = ViewOf(operands, kWeight),
                                         .states = ViewOf(operands, kStates),
                                         .starts = ViewOf(operands, kStarts),
                                         .lines = ViewOf(operands, kLines),
                                         .accepted = ViewOf(operands, kAccepted),
                                         .computed = ViewOf(operands, kComputed),
                                         .first = ViewOf(operands, kFirstBlock),
                                         .last = ViewOf(operands, kLastBlock),
                                         .initial = ViewOf(operands, kInitialBlock),
                                         .y = ViewOf(operands, operands.HasRow(kOut) ? kOut : kX),
                                         .sequences = sequences,
                                         .pad_slot = operands.Int(kPadSlot),
                                         .block_size = operands.Int(kBlockSize),
                                         .residual = operands.Int(kResidual) == 1,
                                         .resets = operands.Int(kConvMode) == 1});
  return {};
}

}  // namespace anyacl::causal_conv
