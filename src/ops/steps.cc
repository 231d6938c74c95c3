// SPDX-License-Identifier: Apache-2.0
#include "ops/steps.h"

#include <optional>
#include <utility>

namespace anyacl {

Status StepsPlan::Run(const Bindings& bindings, const StopToken& stop) const {
  char* scratch = scratch_.In(bindings);
  for (const Step& step : steps_) {
    if (Status s = step(bindings, scratch, stop); !s.ok()) return s;
  }
  return {};
}

InnerTensor Steps::Piece(const char* name, aclDataType dtype, const Dims& shape) {
  InnerTensor piece;
  piece.name = name;
  piece.layout.dtype = dtype;
  const std::optional<int64_t> count = ElementCount(shape);
  const uint64_t booked = plan_->book_.size();
  if (!count || static_cast<uint64_t>(*count) > kMostWorkspace / 8 || booked > kMostWorkspace) {
    if (status_.ok()) {
      status_ = Fail(ACLNN_ERR_PARAM_INVALID,
                     "{} has the shape {} on the way, expected less than 2^57 bytes", name,
                     shape.ToString());
    }
    Dims none = shape;
    for (size_t i = 0; i < none.rank(); ++i) none[i] = 0;
    return piece.As(none);
  }
  piece = piece.As(shape);
  piece.piece = plan_->book_.Book<char>(piece.bytes());
  return piece;
}

Status Steps::Contiguous(int id, const Dims& shape, InnerTensor* tensor) {
  if (Status s = ContiguousAs(id, operands_[id].dtype(), tensor); !s.ok()) return s;
  *tensor = tensor->As(shape);
  return {};
}

Status Steps::ContiguousAs(int id, aclDataType dtype, InnerTensor* tensor) {
  const InnerTensor given = *tensor = TensorOf(operands_, id);
  if (given.layout.dtype == dtype && given.IsContiguous()) return {};
  *tensor = Piece(given.name, dtype, given.layout.shape);
  return Copy(*tensor, given);
}

InnerTensor Steps::Result(int id, const Dims& shape) {
  return ContiguousResultAs(id, operands_[id].dtype()).As(shape);
}

InnerTensor Steps::ContiguousResultAs(int id, aclDataType dtype) {
  const InnerTensor given = TensorOf(operands_, id);
  return given.layout.dtype == dtype && given.IsContiguous() ? given : PieceFor(given, dtype);
}

InnerTensor Steps::ResultAs(int id, aclDataType dtype) {
  const InnerTensor given = TensorOf(operands_, id);
  return given.layout.dtype == dtype ? given : PieceFor(given, dtype);
}

InnerTensor Steps::PieceFor(const InnerTensor& result, aclDataType dtype) {
  const InnerTensor piece = Piece(result.name, dtype, result.layout.shape);
  results_.push_back({result, piece});
  return piece;
}

InnerTensor Steps::Weight(int id) {
  const InnerTensor weight = TensorOf(operands_, id);
  const TensorLayout& layout = weight.layout;
  if (layout.format == ACL_FORMAT_FRACTAL_NZ &&
      layout.storage_shape.rank() == layout.shape.rank() + 2) {
    TensorLayout storage = layout;
    storage.shape = layout.storage_shape;
    storage.strides = ContiguousStrides(storage.shape);
    operands_.Relabel(id, storage);
  }
  return weight;
}

Status Steps::Call(const char* api, std::initializer_list<InnerArgument> arguments) {
  if (!status_.ok()) return status_;
  std::shared_ptr<const InnerCall> call;
  if (Status s = InnerCall::Make(api, arguments, &call); !s.ok()) return s;
  Add([call](const Bindings& bindings, char* scratch,
             const StopToken& stop) { return call->Run(bindings, scratch, stop); },
      call->workspace_size());
  return {};
}

void Steps::AllGather(const InnerTensor& from, const InnerTensor& to) {
  Add([from, to](const Bindings& bindings, char*, const StopToken&) {
    return bindings.ranks->AllGather(from.Address(bindings), to.Address(bindings), from.bytes());
  });
}

void Steps::AllReduce(const InnerTensor& tensor) {
  const auto count = static_cast<uint64_t>(*ElementCount(tensor.layout.shape));
  Add([tensor, count](const Bindings& bindings, char*, const StopToken&) {
    char* data = tensor.Address(bindings);
    return bindings.ranks->AllReduce(data, data, count, tensor.layout.dtype);
  });
}

void Steps::ReduceScatter(const InnerTensor& from, const InnerTensor& to) {
  const auto count = static_cast<uint64_t>(*ElementCount(to.layout.shape));
  Add([from, to, count](const Bindings& bindings, char*, const StopToken&) {
    return bindings.ranks->ReduceScatter(from.Address(bindings), to.Address(bindings), count,
                                         to.layout.dtype);
  });
}

void Steps::AllToAll(const InnerTensor& from, const InnerTensor& to) {
  Add([from, to, ranks = ranks_](const Bindings& bindings, char*, const StopToken&) {
    const uint64_t bytes = from.bytes() / ranks;
    std::vector<RankCollectives::Piece> sent, received;
    for (uint32_t rank = 0; rank < ranks; ++rank) {
      sent.push_back({from.Address(bindings) + rank * bytes, bytes});
      received.push_back({to.Address(bindings) + rank * bytes, bytes});
    }
    return bindings.ranks->AllToAll(sent, received);
  });
}

Status Steps::Finish(std::shared_ptr<RankGroup> group, std::string alike, PreparedCall* call) {
  if (!status_.ok()) return status_;
  for (const CopyOut& result : results_) {
    if (Status s = Copy(result.to, result.from); !s.ok()) return s;
  }
  plan_->scratch_ = plan_->book_.Book<char>(scratch_bytes_);
  call->plan = plan_;
  call->group = std::move(group);
  call->alike = std::move(alike);
  return {};
}

TensorView PlanStep::View(const InnerTensor& tensor) {
  TensorView view;
  if (!tensor.given()) return view;
  view.slot = static_cast<int>(tensors_.size());
  view.dtype = tensor.layout.dtype;
  view.rank = static_cast<int>(tensor.layout.shape.rank());
  std::copy_n(tensor.layout.shape.begin(), view.rank, view.sizes);
  std::copy_n(tensor.layout.strides.begin(), view.rank, view.strides);
  tensors_.push_back(tensor);  // its address is that of the first element
  return view;
}

void PlanStep::AddTo(Steps& steps, std::shared_ptr<const Plan> plan) const {
  const uint64_t scratch_bytes = plan->workspace_size();
  steps.Add(
      [plan = std::move(plan), tensors = tensors_](const Bindings& bindings, char* scratch,
                                                   const StopToken& stop) {
        std::vector<char*> data;
        data.reserve(tensors.size());
        for (const InnerTensor& tensor : tensors) data.push_back(tensor.Address(bindings));
        return plan->Run({data, scratch}, stop);
      },
      scratch_bytes);
}

}  // namespace anyacl
