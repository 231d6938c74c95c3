// SPDX-License-Identifier: Apache-2.0
// Copies of pieces of images: positions of a tap, strips, and panels of them.
#include "ops/convolution/kernel.h"

#include "base/turned_rows.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {
namespace {

using convolution::Axis;
using convolution::GatherArgs;
using convolution::kStripLength;
using convolution::Run;
using convolution::StripArgs;
using convolution::StripLine;
using convolution::StripPanel;

constexpr auto kAll = static_cast<int64_t>(kLanes);

// Elements of 4 and of 2 bytes by the vector.
struct Elements32 {
  using Element = int32_t;
  static constexpr int64_t kCount = 16;
  static VecI32 Zero() { return SetI32(0); }
};
struct Elements16 {
  using Element = int16_t;
  static constexpr int64_t kCount = 32;
  static VecI16 Zero() { return SetI16(0); }
};

template <class Unit>
[[gnu::always_inline]] inline void Clear(typename Unit::Element* to, int64_t count) {
  for (; count >= Unit::kCount; count -= Unit::kCount, to += Unit::kCount) Store(to, Unit::Zero());
  if (count > 0) Store(to, Unit::Zero(), static_cast<size_t>(count));
}

template <class Unit>
[[gnu::always_inline]] inline void Copy(const typename Unit::Element* from, int64_t step,
                                        int64_t count, typename Unit::Element* to) {
  if (step != 1) {
    for (int64_t i = 0; i < count; ++i) to[i] = from[i * step];
    return;
  }
  for (; count >= Unit::kCount; count -= Unit::kCount) {
    Store(to, Load(from));
    from += Unit::kCount;
    to += Unit::kCount;
  }
  if (count > 0) Store(to, Load(from, static_cast<size_t>(count)), static_cast<size_t>(count));
}

// Where along the last axis a run is inside of the image.
struct Inside {
  int64_t begin;
  int64_t end;
};
[[gnu::always_inline]] inline Inside InsideOf(int64_t at, int64_t stride, int64_t count,
                                              int64_t size) {
  Inside inside = {0, count};
  if (at < 0) {
    const int64_t skipped = stride == 1 ? -at : (-at + stride - 1) / stride;
    inside.begin = skipped < count ? skipped : count;
  }
  if (at + (count - 1) * stride >= size) {
    const int64_t left = size - at;
    const int64_t end = left <= 0 ? 0 : stride == 1 ? left : (left + stride - 1) / stride;
    inside.end = end > inside.begin ? end : inside.begin;
  }
  return inside;
}

// Elements of a row that come from neighbours in the image, or zeros.
struct Piece {
  int64_t from;  // of the channel; kZeros
  int64_t count;
};
constexpr int64_t kZeros = INT64_MIN;

// The pieces of all runs for one tap, which all channels have in common.
struct Pieces {
  Piece* items;
  int64_t count = 0;

  // What goes on where the last piece ends becomes part of it.
  void Add(int64_t from, int64_t length, int64_t step) {
    if (length == 0) return;
    if (count > 0) {
      Piece& last = items[count - 1];
      const bool zeros = from == kZeros && last.from == kZeros;
      const bool next =
          from != kZeros && last.from != kZeros && from == last.from + last.count * step;
      if (zeros || next) {
        last.count += length;
        return;
      }
    }
    items[count++] = {from, length};
  }
};

void AddPieces(const GatherArgs& args, const int64_t (&shifts)[3], Pieces& pieces) {
  const Axis& depth = args.axes[0];
  const Axis& height = args.axes[1];
  const Axis& width = args.axes[2];
  const int64_t step = args.stride * width.step;
  for (int64_t i = 0; i < args.run_count; ++i) {
    const Run& run = args.runs[i];
    const int64_t d = run.begin[0] + shifts[0];
    const int64_t h = run.begin[1] + shifts[1];
    const int64_t w = run.begin[2] + shifts[2];
    if (d < 0 || d >= depth.size || h < 0 || h >= height.size) {
      pieces.Add(kZeros, run.count, step);
      continue;
    }
    const Inside inside = InsideOf(w, args.stride, run.count, width.size);
    const int64_t first = run.offset + d * depth.step + h * height.step + w * width.step;
    pieces.Add(kZeros, inside.begin, step);
    pieces.Add(first + inside.begin * step, inside.end - inside.begin, step);
    pieces.Add(kZeros, run.count - inside.end, step);
  }
}

template <class Unit>
[[gnu::always_inline]] inline void CopyPieces(const Pieces& pieces,
                                              const typename Unit::Element* channel, int64_t step,
                                              typename Unit::Element* to) {
  for (const Piece *p = pieces.items, *end = p + pieces.count; p < end; to += p->count, ++p) {
    if (p->from == kZeros) {
      Clear<Unit>(to, p->count);
    } else {
      Copy<Unit>(channel + p->from, step, p->count, to);
    }
  }
}

// Of an image whose channels lie next to each other: `rows` of them, to_step apart, from `count`
// positions that are `step` apart.
template <class Element>
[[gnu::noinline]] void TurnRun(const Element* from, int64_t step, int64_t count, int64_t rows,
                               Element* to, int64_t to_step) {
  constexpr int64_t kSize = sizeof(Element);
  anyacl::TurnTile<kSize>(reinterpret_cast<char*>(to), to_step * kSize,
                          reinterpret_cast<const char*>(from), step * kSize, rows, count);
}

template <class Unit>
void TurnPieces(const Pieces& pieces, const typename Unit::Element* image, int64_t step,
                int64_t rows, typename Unit::Element* to, int64_t to_step) {
  for (const Piece *p = pieces.items, *end = p + pieces.count; p < end; to += p->count, ++p) {
    if (p->from == kZeros) {
      for (int64_t r = 0; r < rows; ++r) Clear<Unit>(to + r * to_step, p->count);
    } else {
      TurnRun(image + p->from, step, p->count, rows, to, to_step);
    }
  }
}

// Taps outside, channels inside: where a tap's positions lie is found out once.
template <class Unit>
void Gather(const GatherArgs& args) {
  using Element = typename Unit::Element;
  const int64_t taps = args.axes[0].taps * args.axes[1].taps * args.axes[2].taps;
  const int64_t step = args.stride * args.axes[2].step;
  const auto* const image = static_cast<const Element*>(args.image);
  constexpr int64_t kTogether = 16 / static_cast<int64_t>(sizeof(Element));
  constexpr int64_t kMost = 1024;
  Piece items[kMost];
  for (int64_t t = 0; t < taps && t < args.rows; ++t) {
    int64_t channel = (args.first_row + t) / taps;
    int64_t rest = (args.first_row + t) % taps;
    int64_t shifts[3];
    for (int i = 3; i-- > 0; rest /= args.axes[i].taps) {
      shifts[i] = args.axes[i].shifts[rest % args.axes[i].taps];
    }
    // Each run has three pieces at the most; as many runs as have room are gathered at a time.
    GatherArgs some = args;
    int64_t done = 0;
    for (int64_t run = 0; run < args.run_count; run += some.run_count) {
      some.runs = args.runs + run;
      some.run_count = args.run_count - run < kMost / 3 ? args.run_count - run : kMost / 3;
      Pieces pieces{.items = items};
      AddPieces(some, shifts, pieces);
      const Element* from = image + channel * args.channel_step;
      auto* to = static_cast<Element*>(args.to) + t * args.to_step + done;
      for (int64_t i = 0; i < some.run_count; ++i) done += some.runs[i].count;
      const int64_t channels = (args.rows - t + taps - 1) / taps;
      if (args.channel_step == 1 && step != 1 && channels >= kTogether) {
        TurnPieces<Unit>(pieces, from, step, channels, to, taps * args.to_step);
        continue;
      }
      for (int64_t r = t; r < args.rows; r += taps) {
        CopyPieces<Unit>(pieces, from, step, to);
        from += args.channel_step;
        to += taps * args.to_step;
      }
    }
  }
}

// What an element of an image is, and what it becomes in a strip.
template <class T, VecF32 (*kLoad)(const T*), VecF32 (*kLoadSome)(const T*, size_t)>
struct AsFp32 {
  using Element = T;
  using Number = float;
  // Writes whole vectors.
  [[gnu::always_inline]] static void LoadLine(const T* from, int64_t count, float* to) {
    int64_t i = 0;
    for (; i + kAll <= count; i += kAll) Store(to + i, kLoad(from + i));
    if (i == count) return;
    if (count > kAll) return Store(to + count - kAll, kLoad(from + count - kAll));
    Store(to + i, kLoadSome(from + i, static_cast<size_t>(count - i)));
  }
  // A padding of one number is most often all there is: the compiler calls memset for the loop.
  static void ClearLine(float* to, int64_t count) {
    if (count > 0) Store(to, SetF32(0.0f));
    for (int64_t i = kAll; i < count; i += kAll) Store(to + i, SetF32(0.0f));
  }
};
struct AsBf16 {
  using Element = int16_t;
  using Number = int16_t;
  [[gnu::always_inline]] static void LoadLine(const Element* from, int64_t count, Number* to) {
    Copy<Elements16>(from, 1, count, to);
  }
  static void ClearLine(Number* to, int64_t count) { Clear<Elements16>(to, count); }
};

// The part of a line that is inside of the image.
[[gnu::always_inline]] inline Inside InsideOf(const StripArgs& args, const StripLine& line) {
  if (line.offset == convolution::kOutside) return {0, 0};
  return InsideOf(line.first, 1, line.length, args.size);
}

template <class Element>
void TurnLine(const StripArgs& args, const Element* from, int64_t count, Element* to) {
  if (args.channel_step == 1) {
    return TurnRun(from, args.step, count, args.channels, to, args.raw_step);
  }
  for (int64_t c = 0; c < args.channels; ++c) {
    for (int64_t i = 0; i < count; ++i) {
      to[c * args.raw_step + i] = from[c * args.channel_step + i * args.step];
    }
  }
}

// Brings the insides of lines whose neighbours are not contiguous into rows.
template <class Element>
void TurnStrip(const StripArgs& args) {
  auto* to = static_cast<Element*>(args.raw);
  for (int64_t l = 0; l < args.line_count; ++l) {
    const StripLine& line = args.lines[l];
    const Inside inside = InsideOf(args, line);
    const int64_t count = inside.end - inside.begin;
    if (count > 0) {
      const Element* const from = static_cast<const Element*>(args.image) + line.offset +
                                  (line.first + inside.begin) * args.step;
      TurnLine(args, from, count, to);
    }
    to += (line.length + kAll - 1) / kAll * kAll;
  }
}

template <int kStride, class Number>
[[gnu::always_inline]] inline void SplitResidues(const Number* from, int64_t stride, int64_t length,
                                                 Number* to) {
  if (kStride != 0) stride = kStride;
  const int64_t count = (length + stride - 1) / stride;
  for (int64_t r = 0; r < stride; ++r, to += count) {
    if constexpr (kStride == 2 && sizeof(Number) == 2) {
      // Without a rest to do one by one: 64 x 28 x 28 to half the size took 0.25 ms, it takes 0.20.
      for (int64_t i = 0; i < count; i += kAll) {
        const VecI32 both = __builtin_bit_cast(VecI32, Load(from + 2 * i));
        StoreLow16(reinterpret_cast<uint16_t*>(to + i), r == 0 ? both : ShiftRight<16>(both));
      }
    } else {
      for (int64_t i = 0; i < count; ++i) to[i] = from[r + i * stride];
    }
  }
}

// What is written behind a line belongs to the next one, which is written after it.
template <class As>
void LoadStripAs(const StripArgs& args) {
  using Element = typename As::Element;
  using Number = typename As::Number;
  const bool turned = args.step != 1;
  if (turned) TurnStrip<Element>(args);
  alignas(64) Number split[kStripLength + kAll];
  for (int64_t c = 0; c < args.channels; ++c) {
    const auto* const channel = static_cast<const Element*>(args.image) + c * args.channel_step;
    const auto* raw = static_cast<const Element*>(args.raw) + c * args.raw_step;
    for (int64_t l = 0; l < args.line_count; ++l) {
      const StripLine& line = args.lines[l];
      Number* const own = static_cast<Number*>(args.to) + c * args.to_step + line.at;
      Number* const to = args.stride == 1 ? own : split;
      const Inside inside = InsideOf(args, line);
      const int64_t count = inside.end - inside.begin;
      As::ClearLine(to, inside.begin);
      if (count > 0) {
        const Element* const from =
            turned ? raw : channel + line.offset + line.first + inside.begin;
        As::LoadLine(from, count, to + inside.begin);
      }
      As::ClearLine(to + inside.end, line.length - inside.end);
      raw += (line.length + kAll - 1) / kAll * kAll;
      if (args.stride == 1) continue;
      args.stride == 2 ? SplitResidues<2>(split, 2, line.length, own)
                       : SplitResidues<0>(split, args.stride, line.length, own);
    }
  }
}

void LoadStrip(const StripArgs& args) {
  if (args.rows != convolution::kFp32Rows) return LoadStripAs<AsBf16>(args);
  switch (args.type) {
    case Element::kFp16:
      return LoadStripAs<AsFp32<uint16_t, LoadFp16, LoadFp16>>(args);
    case Element::kBf16:
      return LoadStripAs<AsFp32<uint16_t, LoadBf16, LoadBf16>>(args);
    default:
      return LoadStripAs<AsFp32<float, Load, Load>>(args);
  }
}

// What packed rows are made of: the strip's numbers, or two rows of bf16 as one.
struct Fp32Rows {
  using Number = float;
  using Unit = float;
  static constexpr int64_t kDepth = 1;
  static void Clear(Unit* to) { Store(to, SetF32(0.0f)); }
  static void Put(Unit* to, const Number* from) { Store(to, Load(from)); }
};
struct Bf16Rows {
  using Number = uint16_t;
  using Unit = uint16_t;
  static constexpr int64_t kDepth = 1;
  static void Clear(Unit* to) { StoreLow16(to, SetI32(0)); }
  static void Put(Unit* to, const Number* from) { StoreLow16(to, LoadU16(from)); }
};
struct Bf16Pairs {
  using Number = uint16_t;
  using Unit = int32_t;
  static constexpr int64_t kDepth = 2;
  static void Clear(Unit* to) { Store(to, SetI32(0)); }
  static void Put(Unit* to, const Number* first) { Store(to, LoadU16(first)); }
  static void Put(Unit* to, const Number* first, const Number* second) {
    Store(to, Or(LoadU16(first), ShiftLeft<16>(LoadU16(second))));
  }
};

// A row's numbers of a strip: those of a channel at a tap's offsets.
template <class Number>
struct StripRow {
  const Number* channel;
  const int32_t* offsets;
  int64_t tap = 0;

  [[gnu::always_inline]] StripRow Take(const StripPanel& args) {
    const StripRow own = *this;
    offsets += args.offset_step;
    if (++tap == args.taps) {
      tap = 0;
      offsets -= args.taps * args.offset_step;
      channel += args.channel_step;
    }
    return own;
  }
};

// What is written behind a piece belongs to the next one or to the next row. kPieces: of the panel;
// 0: as many as there are.
template <class Rows, int kPieces>
[[gnu::always_inline]] inline void PackPieces(const StripPanel& args) {
  const int64_t pieces = kPieces != 0 ? kPieces : args.pieces;
  const int32_t* const columns = args.piece_columns;
  auto* to = static_cast<typename Rows::Unit*>(args.to);
  using Number = typename Rows::Number;
  StripRow<Number> next{static_cast<const Number*>(args.from), args.offsets};
  int64_t left = args.channels * args.taps;
  for (; left >= Rows::kDepth; left -= Rows::kDepth, to += args.panel_columns) {
    const auto a = next.Take(args);
    if constexpr (Rows::kDepth == 2) {
      const auto b = next.Take(args);
#pragma GCC unroll 4
      for (int64_t i = 0; i < pieces; ++i) {
        Rows::Put(to + columns[i], a.channel + a.offsets[i], b.channel + b.offsets[i]);
      }
    } else {
#pragma GCC unroll 4
      for (int64_t i = 0; i < pieces; ++i) {
        Rows::Put(to + columns[i], a.channel + a.offsets[i]);
      }
    }
  }
  if (left == 0) return;
  for (int64_t i = 0; i < pieces; ++i) {
    Rows::Put(to + columns[i], next.channel + next.offsets[i]);
  }
}

template <class Rows>
void PackStrip(const StripPanel& args) {
  // Columns that do not exist are nobody's, but numbers.
  if (args.columns < args.panel_columns) {
    auto* const to = static_cast<typename Rows::Unit*>(args.to);
    const int64_t rows = (args.channels * args.taps + Rows::kDepth - 1) / Rows::kDepth;
    for (int64_t i = 0; i < rows * args.panel_columns; i += kAll) Rows::Clear(to + i);
  }
  switch (args.pieces) {
    case 1:
      return PackPieces<Rows, 1>(args);
    case 2:
      return PackPieces<Rows, 2>(args);
    case 3:
      return PackPieces<Rows, 3>(args);
    default:
      return PackPieces<Rows, 0>(args);
  }
}

}  // namespace

extern constinit const convolution::KernelSet kConvolutionKernels;
constinit const convolution::KernelSet kConvolutionKernels = {
    .gather16 = Gather<Elements16>,
    .gather32 = Gather<Elements32>,
    .load_strip = LoadStrip,
    .pack_strip = {PackStrip<Fp32Rows>, PackStrip<Bf16Rows>, PackStrip<Bf16Pairs>},
    .correlate = ConvolutionCorrelate,
    .dot = ConvolutionDot,
    .sum = ConvolutionSum,
};

}  // namespace anyacl::ANYACL_ISA
