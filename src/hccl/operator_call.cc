// SPDX-License-Identifier: Apache-2.0
#include "hccl/operator_call.h"

#include <string>
#include <utility>
#include <vector>

#include "acl/error_codes/rt_error_codes.h"
#include "base/format.h"
#include "hccl/collectives.h"
#include "hccl/data_type.h"
#include "hccl/exchange.h"
#include "hccl/label.h"
#include "hccl/window.h"

namespace anyacl::hccl {
namespace {

char* AddressAt(const void* base, uint64_t bytes) {
  return static_cast<char*>(const_cast<void*>(base)) + bytes;
}

class OperatorCollectives final : public RankCollectives {
 public:
  OperatorCollectives(const OperationPart& part, const StopToken& stop,
                      std::optional<uint32_t> replay, RankCollectives* beside)
      : communicator_(*part.communicator),
        work_(part.work),
        number_(part.number),
        stop_(stop),
        replay_(replay),
        beside_(beside) {}

  Status AllGather(const void* from, void* to, uint64_t bytes) override {
    Moves moves;
    for (uint32_t rank = 0; rank < communicator_.ranks(); ++rank) {
      moves.sends.push_back({AddressAt(from, 0), bytes});
      moves.receives.push_back({AddressAt(to, rank * bytes), bytes});
    }
    return Exchanged([&](Exchange& exchange) { return Run(moves, exchange); });
  }

  Status AllReduce(const void* from, void* to, uint64_t count, aclDataType type) override {
    SliceReduction reduction;
    if (Status s = Reduce(type, from, to, &reduction); !s.ok()) return s;
    reduction.slices = EvenSlices(count, SizeOf(reduction.type), communicator_.ranks());
    reduction.result = SliceReduction::Result::kAll;
    return Exchanged([&](Exchange& exchange) { return Run(reduction, exchange); });
  }

  Status ReduceScatter(const void* from, void* to, uint64_t count, aclDataType type) override {
    SliceReduction reduction;
    if (Status s = Reduce(type, from, to, &reduction); !s.ok()) return s;
    for (uint32_t rank = 0; rank < communicator_.ranks(); ++rank) {
      reduction.slices.push_back({rank * count, count});
    }
    return Exchanged([&](Exchange& exchange) { return Run(reduction, exchange); });
  }

  Status AllToAll(std::span<const Piece> sent, std::span<const Piece> received) override {
    const uint32_t own = communicator_.rank();
    if (sent[own].bytes != received[own].bytes) {
      return Fail(ACL_ERROR_RT_AICPU_EXCEPTION, "rank {} sends itself {} bytes and expects {}", own,
                  sent[own].bytes, received[own].bytes);
    }
    Moves moves;
    for (const Piece& piece : sent) moves.sends.push_back({AddressAt(piece.data, 0), piece.bytes});
    for (const Piece& piece : received)
      moves.receives.push_back({AddressAt(piece.data, 0), piece.bytes});
    return Exchanged([&](Exchange& exchange) { return Run(moves, exchange); });
  }

  Status Barrier() override {
    return Exchanged([](Exchange& exchange) { return RunBarrier(exchange); });
  }

  RankCollectives& Beside() override { return beside_ == nullptr ? *this : *beside_; }

 private:
  template <class Body>
  Status Exchanged(const Body& body) {
    Exchange exchange(communicator_, work_, number_, &stop_, communicator_.config().execute_timeout,
                      replay_);
    const Status status = body(exchange);
    return status.ok() ? exchange.Finish() : status;
  }

  static Status Reduce(aclDataType type, const void* from, void* to, SliceReduction* reduction) {
    switch (type) {
      case ACL_FLOAT16:
        reduction->type = HCCL_DATA_TYPE_FP16;
        break;
      case ACL_BF16:
        reduction->type = HCCL_DATA_TYPE_BFP16;
        break;
      case ACL_FLOAT:
        reduction->type = HCCL_DATA_TYPE_FP32;
        break;
      default:
        return Fail(ACL_ERROR_RT_AICPU_EXCEPTION, "type {} is not reduced between ranks",
                    static_cast<int>(type));
    }
    reduction->input = AddressAt(from, 0);
    reduction->output = AddressAt(to, 0);
    return {};
  }

  Communicator& communicator_;
  const Work& work_;
  const uint64_t number_;
  const StopToken& stop_;
  const std::optional<uint32_t> replay_;
  RankCollectives* const beside_;
};

}  // namespace

Status Compute(std::span<const OperationPart> parts, const StopToken& stop,
               std::optional<uint32_t> replay) {
  std::optional<OperatorCollectives> beside;
  if (parts.size() > 1) beside.emplace(parts[1], stop, replay, nullptr);
  OperatorCollectives collectives(parts[0], stop, replay, beside ? &*beside : nullptr);
  return parts[0].work.computation(collectives, stop);
}

void AbortAll(std::span<const OperationPart> parts) {
  HcclResult code = HCCL_E_INTERNAL;
  std::string why;
  for (const OperationPart& part : parts) {
    if (!part.communicator->failed()) continue;
    const Failure first = part.communicator->failure();
    code = first.code;
    why = Format(": communicator {} has failed: {}", part.communicator->name(), first.text);
  }
  for (const OperationPart& part : parts) {
    Communicator& communicator = *part.communicator;
    if (communicator.failed()) continue;
    communicator.Abort(code, Format("{} failed on {}{}", part.work.call.Text(),
                                    communicator.NameOf(communicator.rank()), why));
  }
}

bool WindowGroup::Ended() const { return communicator_.expired() || closed_; }

Status WindowGroup::FindOpen(std::shared_ptr<Communicator>* found) const {
  *found = communicator_.lock();
  if (*found == nullptr || closed_) return Failure();
  return (*found)->CheckProcess().ok() ? Status() : Replay(ACL_ERROR_RT_AICPU_EXCEPTION);
}

Status WindowGroup::Submit(RankCall call, aclrtStream stream) {
  std::vector<OperationPart> parts(1);
  const Status status = FindOpen(&parts[0].communicator);
  if (call.beside != nullptr) {
    const auto beside = std::dynamic_pointer_cast<WindowGroup>(call.beside);
    if (beside == nullptr) {
      return Fail(ACL_ERROR_FEATURE_UNSUPPORTED,
                  "{} of communicators {} and {}: expected two communicators of HCCL", call.api,
                  name_, call.beside->name());
    }
    const Status second = beside->FindOpen(&parts.emplace_back().communicator);
    // The others of the group that is whole would wait for this rank.
    const auto refuse = [&](WindowGroup& whole, const WindowGroup& ended) {
      whole.Abort(Format("{} was refused on rank {}: communicator {} has ended", call.api,
                         whole.rank(), ended.name()));
    };
    if (status.ok() && !second.ok() && beside->Ended()) refuse(*this, *beside);
    if (!status.ok() && second.ok() && Ended()) refuse(*beside, *this);
    if (status.ok() && !second.ok()) return second;
  }
  if (!status.ok()) return status;
  const bool several = parts.size() > 1;
  for (OperationPart& part : parts) {
    Work& work = part.work;
    work.call.api = call.api;
    work.call.arguments = call.arguments;
    if (several) work.call.arguments += &part == &parts[0] ? ", first group" : ", second group";
    work.label = MakeOperatorLabel(work.call.Text());
    work.computation = call.run;
  }
  return Communicator::Submit(std::move(parts), stream);
}

}  // namespace anyacl::hccl
