// SPDX-License-Identifier: Apache-2.0
#include "hccl/operator_call.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "acl/error_codes/rt_error_codes.h"
#include "hccl/collectives.h"
#include "hccl/data_type.h"
#include "hccl/exchange.h"
#include "hccl/label.h"
#include "hccl/window.h"

namespace anyacl::hccl {
namespace {

char* At(const void* base, uint64_t bytes) {
  return static_cast<char*>(const_cast<void*>(base)) + bytes;
}

class OperatorCollectives final : public RankCollectives {
 public:
  OperatorCollectives(Communicator& communicator, const Work& work, uint64_t number,
                      const StopToken& stop, std::optional<uint32_t> replay)
      : communicator_(communicator), work_(work), number_(number), stop_(stop), replay_(replay) {}

  Status AllGather(const void* from, void* to, uint64_t bytes) override {
    Moves moves;
    for (uint32_t rank = 0; rank < communicator_.ranks(); ++rank) {
      moves.sends.push_back({At(from, 0), bytes});
      moves.receives.push_back({At(to, rank * bytes), bytes});
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
    for (const Piece& piece : sent) moves.sends.push_back({At(piece.data, 0), piece.bytes});
    for (const Piece& piece : received) moves.receives.push_back({At(piece.data, 0), piece.bytes});
    return Exchanged([&](Exchange& exchange) { return Run(moves, exchange); });
  }

  Status Barrier() override {
    return Exchanged([](Exchange& exchange) { return RunBarrier(exchange); });
  }

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
    reduction->input = At(from, 0);
    reduction->output = At(to, 0);
    return {};
  }

  Communicator& communicator_;
  const Work& work_;
  const uint64_t number_;
  const StopToken& stop_;
  const std::optional<uint32_t> replay_;
};

}  // namespace

Status Compute(Communicator& communicator, const Work& work, uint64_t number, const StopToken& stop,
               std::optional<uint32_t> replay) {
  OperatorCollectives collectives(communicator, work, number, stop, replay);
  const Status status = work.computation(collectives, stop);
  if (!status.ok() && !communicator.failed()) {
    // The other ranks wait for what will not come.
    communicator.Abort(HCCL_E_INTERNAL, fmt::format("{} failed on {}", work.call.Text(),
                                                    communicator.NameOf(communicator.rank())));
  }
  return status;
}

Status WindowGroup::Submit(RankCall call, aclrtStream stream) {
  const std::shared_ptr<Communicator> communicator = communicator_.lock();
  if (communicator == nullptr || closed_ || communicator->failed()) return Failure();
  if (!communicator->CheckProcess().ok()) return Replay(ACL_ERROR_RT_AICPU_EXCEPTION);
  if (communicator->suspended()) {
    return Fail(ACL_ERROR_RT_AICPU_EXCEPTION, "communicator {} is suspended (HcclCommSuspend)",
                name_);
  }
  Work work;
  work.call.api = call.api;
  work.call.arguments = std::move(call.arguments);
  work.label = MakeOperatorLabel(work.call.Text());
  work.computation = std::move(call.run);
  return communicator->Submit(std::move(work), stream);
}

}  // namespace anyacl::hccl
