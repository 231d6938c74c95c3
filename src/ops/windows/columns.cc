// SPDX-License-Identifier: Apache-2.0
// Windows as columns: Im2col, and the sums back of Im2colBackward and UnfoldGrad.
#include <algorithm>

#include "base/format.h"
#include "base/wide.h"
#include "nnop/copy_runs.h"
#include "nnop/operands.h"
#include "ops/windows/fold.h"
#include "runtime/parallel.h"

namespace anyacl::windows {
namespace {

// Of height and width.
struct Extent {
  int64_t height = 0;
  int64_t width = 0;
};

struct Window {
  Extent kernel, dilation, padding, stride;
  Extent windows;  // how many there are
};

Status ReadExtent(const Operands& operands, int id, int64_t least, Extent* pair) {
  constexpr int64_t kMost = int64_t{1} << 31;
  const std::span<const int64_t> values = operands.Ints(id);
  if (values.size() != 2) {
    return Fail(operands.spec().codes.shape, "{} has {} elements, expected 2", operands.NameOf(id),
                values.size());
  }
  for (int64_t value : values) {
    if (value >= least && value < kMost) continue;
    return Fail(operands.spec().codes.shape, "{} = [{}], expected numbers from {} to {}",
                operands.NameOf(id), Joined(values), least, kMost - 1);
  }
  *pair = {values[0], values[1]};
  return {};
}

Status ReadWindow(const Operands& operands, Extent image, Window* x) {
  if (Status s = ReadExtent(operands, kKernel, 1, &x->kernel); !s.ok()) return s;
  if (Status s = ReadExtent(operands, kDilation, 1, &x->dilation); !s.ok()) return s;
  if (Status s = ReadExtent(operands, kPadding, 0, &x->padding); !s.ok()) return s;
  if (Status s = ReadExtent(operands, kStride, 1, &x->stride); !s.ok()) return s;
  const auto windows = [](int64_t size, int64_t kernel, int64_t dilation, int64_t padding,
                          int64_t stride) -> int64_t {
    const Int128 room = Int128{size} + 2 * Int128{padding} - Int128{dilation} * (kernel - 1) - 1;
    return room < 0 ? 0 : static_cast<int64_t>(room / stride) + 1;
  };
  x->windows.height = windows(image.height, x->kernel.height, x->dilation.height, x->padding.height,
                              x->stride.height);
  x->windows.width =
      windows(image.width, x->kernel.width, x->dilation.width, x->padding.width, x->stride.width);
  if (x->windows.height > 0 && x->windows.width > 0) return {};
  return Fail(operands.spec().codes.shape,
              "an image of [{}, {}] has no window, expected room for dilation * (kernelSize - 1) + "
              "1 = [{}, {}]",
              image.height, image.width, x->dilation.height * (x->kernel.height - 1) + 1,
              x->dilation.width * (x->kernel.width - 1) + 1);
}

// The columns of an image with `channels`.
Status CheckColumns(const Operands& operands, int id, int64_t channels, const Window& x) {
  const Dims& shape = operands[id].shape();
  const size_t rank = shape.rank();
  const Int128 rows = Int128{channels} * x.kernel.height * x.kernel.width;
  const Int128 columns = Int128{x.windows.height} * x.windows.width;
  if (rows == shape[rank - 2] && columns == shape[rank - 1]) return {};
  return Fail(operands.spec().codes.shape,
              "{}.shape = {}, expected {} * {} * {} rows and {} * {} columns", operands.NameOf(id),
              shape.ToString(), channels, x.kernel.height, x.kernel.width, x.windows.height,
              x.windows.width);
}

// An image without batches is a batch of one.
TensorView AsBatch(const TensorView& view, int rank) {
  return view.rank == rank ? view : WithDim(view, 0);
}

class Im2colPlan final : public Plan {
 public:
  Im2colPlan(const TensorView& self, const TensorView& out, const Window& window)
      : self_(self), out_(out), x_(window), bytes_(BitsOf(self.dtype) / 8) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    WithBytes(bytes_, [&]<class T>(T) { RunOf<T>(bindings); });
    return {};
  }

 private:
  // A unit is one row of windows of one element of the kernel in one channel.
  template <class T>
  void RunOf(const Bindings& bindings) const {
    const char* const self = self_.Address(bindings);
    char* const out = out_.Address(bindings);
    const int64_t rows = out_.sizes[1];
    const int64_t units = out_.sizes[0] * rows * x_.windows.height;
    const int64_t grain = std::max<int64_t>(1, 8192 / x_.windows.width);
    ParallelFor(units, grain, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t y = unit % x_.windows.height;
        const int64_t row = unit / x_.windows.height % rows;
        const int64_t batch = unit / x_.windows.height / rows;
        const int64_t k = row % (x_.kernel.height * x_.kernel.width);
        const int64_t channel = row / (x_.kernel.height * x_.kernel.width);
        const int64_t height =
            y * x_.stride.height - x_.padding.height + k / x_.kernel.width * x_.dilation.height;
        const int64_t first = k % x_.kernel.width * x_.dilation.width - x_.padding.width;
        char* const to = out + (batch * out_.strides[0] + row * out_.strides[1] +
                                y * x_.windows.width * out_.strides[2]) *
                                   bytes_;
        const int64_t offset = batch * self_.strides[0] + channel * self_.strides[1] +
                               height * self_.strides[2] + first * self_.strides[3];
        const bool inside = height >= 0 && height < self_.sizes[2];
        CopyRow<T>(to, self + offset * bytes_, first, inside);
      }
    });
  }

  template <class T>
  void CopyRow(char* to, const char* from, int64_t first, bool inside) const {
    const int64_t width = self_.sizes[3];
    const int64_t to_step = out_.strides[2] * bytes_;
    const int64_t from_step = x_.stride.width * self_.strides[3] * bytes_;
    for (int64_t x = 0; x < x_.windows.width; ++x) {
      const int64_t at = first + x * x_.stride.width;
      const bool there = inside && at >= 0 && at < width;
      StoreElement(to + x * to_step, there ? LoadElement<T>(from + x * from_step) : T());
    }
  }

  const TensorView self_, out_;
  const Window x_;
  const int64_t bytes_;
};

}  // namespace

Status PrepareIm2col(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView self = AsBatch(ViewOf(operands, kSelf), 4);
  const TensorView out = AsBatch(ViewOf(operands, kOut), 3);
  Window x;
  if (Status s = ReadWindow(operands, {self.sizes[2], self.sizes[3]}, &x); !s.ok()) return s;
  if (Status s = CheckColumns(operands, kOut, self.sizes[1], x); !s.ok()) return s;
  if (operands[kSelf].shape().rank() != operands[kOut].shape().rank() + 1) {
    return Fail(operands.spec().codes.shape, "out.shape = {}, expected rank {}: self.shape = {}",
                operands[kOut].shape().ToString(), operands[kSelf].shape().rank() - 1,
                operands[kSelf].shape().ToString());
  }
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<Im2colPlan>(self, out, x);
  return {};
}

Status PrepareIm2colBackward(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView grad = AsBatch(ViewOf(operands, kGrad), 3);
  const TensorView out = AsBatch(ViewOf(operands, kOut), 4);
  Extent image;
  if (Status s = ReadExtent(operands, kInputSize, 1, &image); !s.ok()) return s;
  if (image.height != out.sizes[2] || image.width != out.sizes[3] ||
      operands[kOut].shape().rank() != operands[kGrad].shape().rank() + 1) {
    return Fail(operands.spec().codes.shape,
                "out.shape = {}, expected inputSize = [{}, {}] and one dimension more than "
                "gradOutput.shape = {}",
                operands[kOut].shape().ToString(), image.height, image.width,
                operands[kGrad].shape().ToString());
  }
  Window w;
  if (Status s = ReadWindow(operands, image, &w); !s.ok()) return s;
  if (Status s = CheckColumns(operands, kGrad, out.sizes[1], w); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  Folding x;
  x.out = WithoutDim(WithoutDim(out, 3), 2);
  x.grad = WithoutDim(grad, 2);
  x.grad.sizes[1] = out.sizes[1];
  x.grad.strides[1] = grad.strides[1] * w.kernel.height * w.kernel.width;
  x.out_strides = {0, out.strides[2], out.strides[3]};
  x.grad_strides = {0, grad.strides[2] * w.windows.width, grad.strides[2]};
  x.places[1] = {.size = image.height,
                 .count = w.windows.height,
                 .step = w.stride.height,
                 .begin = -w.padding.height};
  x.places[2] = {.size = image.width,
                 .count = w.windows.width,
                 .step = w.stride.width,
                 .begin = -w.padding.width};
  x.sheets = {w.kernel.height, w.kernel.width};
  x.sheet_strides = {grad.strides[1] * w.kernel.width, grad.strides[1]};
  x.sheet_begins = {w.dilation.height, w.dilation.width};
  call->plan = MakeFold(x);
  return {};
}

Status PrepareUnfoldGrad(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const std::span<const int64_t> sizes = operands.Ints(kInputSize);
  const Dims& grad_shape = operands[kGrad].shape();
  // The document gives the code of its tiling to what follows.
  const int code = operands.spec().constraint_code;
  // PyTorch takes a number for a row of one, which it unfolds to the windows' dimension alone.
  const bool number = sizes.empty();
  if (sizes.size() + 1 != grad_shape.rank()) {
    return Fail(code, "inputSizes has {} elements, expected {}: gradOut.shape = {}", sizes.size(),
                grad_shape.rank() - 1, grad_shape.ToString());
  }
  const Dims given(sizes.data(), sizes.size());
  if (Status s = CheckShapeIs(operands, kOut, given); !s.ok()) return s;
  const Dims input = number ? Dims{1} : given;
  int dim = 0;
  if (Status s = CheckDim(operands, "dim", operands.Int(kDim), input.rank(), &dim); !s.ok()) {
    return s;
  }
  const int64_t size = operands.Int(kSize), step = operands.Int(kStep);
  const auto at = static_cast<size_t>(dim);
  if (size > input[at]) {
    return Fail(code, "size = {}, expected at most {}: inputSizes[{}]", size, input[at], dim);
  }
  Dims expected = input;
  expected[at] = (input[at] - size) / step + 1;
  const int64_t windows = expected[at];
  if (number) expected = {};
  expected.push_back(size);
  if (!(grad_shape == expected)) {
    return Fail(code, "gradOut.shape = {}, expected {}", grad_shape.ToString(),
                expected.ToString());
  }
  if (operands[kOut].IsEmpty()) return {};
  const TensorView grad = ViewOf(operands, kGrad);
  const TensorView out = ViewOf(operands, kOut);
  Folding x;
  x.grad = WithoutDim(grad, grad.rank - 1);
  x.out = out;
  if (!number) {
    x.grad = WithoutDim(x.grad, dim);
    x.out = WithoutDim(out, dim);
    x.grad_strides[2] = grad.strides[dim];
    x.out_strides[2] = out.strides[dim];
  }
  x.places[2] = {.size = input[at], .count = windows, .step = step};
  x.sheets = {1, size};
  x.sheet_strides = {0, grad.strides[grad.rank - 1]};
  x.sheet_begins = {0, 1};
  call->plan = MakeFold(x);
  return {};
}

}  // namespace anyacl::windows
