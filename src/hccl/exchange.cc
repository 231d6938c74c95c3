// SPDX-License-Identifier: Apache-2.0
#include "hccl/exchange.h"

#include <poll.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "acl/error_codes/rt_error_codes.h"
#include "base/format.h"
#include "hccl/label.h"
#include "runtime/spin.h"

namespace anyacl::hccl {
namespace {

// Messages come within a microsecond where the other side runs; two ranks that share a CPU get on
// only when one of them yields.
constexpr int kSpins = 300;
constexpr int kYields = 100;
// While anything moves the clock is read once in so many moves, and reasons to end are looked for
// once in a millisecond.
constexpr int kMovesPerLook = 8;
constexpr std::chrono::milliseconds kBetweenLooks{1};
// So long nothing may move before a rank that is gone counts as lost, what it sent before is in.
constexpr std::chrono::milliseconds kLastWords{100};
// Or nothing of the exchange, where others' messages do not stop.
constexpr std::chrono::seconds kLastOwnWords{2};
constexpr std::chrono::seconds kBeforeTelling{1};

// All ranks replay their graphs in step: the n-th run of an operation meets the others' n-th.
constexpr uint64_t kPairInGraph = uint64_t{1} << 31;
uint64_t NumberInGraph(uint64_t number, uint32_t replay) {
  return (number & 0x7fff) << 16 | (replay & 0xffff);
}

}  // namespace

Exchange::Exchange(Communicator& communicator, const Work& work, uint64_t number,
                   const StopToken* stop, std::optional<std::chrono::milliseconds> timeout,
                   std::optional<uint32_t> replay)
    : communicator_(communicator),
      engine_(communicator.engine()),
      work_(work),
      replay_(replay),
      number_(number),
      stop_(stop),
      timeout_(timeout),
      begin_(Clock::now()) {
  ++communicator_.running_;
}

Exchange::~Exchange() {
  if (!posts_.empty()) EndAll();
  --communicator_.running_;
}

uint64_t Exchange::MakeTag(uint32_t source, uint32_t step) const {
  return replay_
             ? Tag::Make(source, Tag::kReplay, NumberInGraph(number_, *replay_), step, work_.label)
             : Tag::Make(source, Tag::kCollective, number_, step, work_.label);
}

Exchange::Post& Exchange::Add(uint32_t peer, bool receives, uint64_t tag, size_t bytes) {
  Post& post = posts_.emplace_back();
  post.peer = peer;
  post.receives = receives;
  post.tag = tag;
  post.bytes = bytes;
  return post;
}

void Exchange::Send(uint32_t to, uint32_t step, const void* data, size_t bytes, Engine::End end) {
  const uint64_t tag = MakeTag(rank(), step);
  engine_.Send(to, tag, data, bytes, end, &Add(to, false, tag, bytes).transfer);
}

void Exchange::Receive(uint32_t from, uint32_t step, void* data, size_t bytes) {
  const uint64_t tag = MakeTag(from, step);
  engine_.Receive(tag, data, bytes, &Add(from, true, tag, bytes).transfer);
}

void Exchange::Pass(const PairMessage& message) {
  const uint32_t source = message.receives ? message.peer : rank();
  const uint64_t tag =
      replay_ ? Tag::Make(source, Tag::kReplay,
                          kPairInGraph | NumberInGraph(message.number, *replay_), 0, message.label)
              : Tag::Make(source, Tag::kPair, message.number, 0, message.label);
  Post& post = Add(message.peer, message.receives, tag, message.bytes);
  if (message.receives) {
    engine_.Receive(tag, message.data, message.bytes, &post.transfer);
  } else {
    engine_.Send(message.peer, tag, message.data, message.bytes, Engine::End::kTaken,
                 &post.transfer);
  }
}

Status Exchange::FailByArguments(uint32_t peer, const std::string& difference) {
  return Give(HCCL_E_PARA, Format("{} calls {} with {}", communicator_.NameOf(peer), work_.call.api,
                                  difference));
}

char* Exchange::Scratch(size_t bytes) { return scratch_.emplace_back(communicator_, bytes).data(); }

Status Exchange::Judge(const Post& post) {
  const Transfer& transfer = post.transfer;
  if (transfer.state == Transfer::State::kFailed) {
    if (communicator_.failed()) return communicator_.FailAsBefore(stop_ != nullptr);
    communicator_.Hear();
    const std::optional<Failure> gone = communicator_.Gone(post.peer);
    return Give(
        HCCL_E_REMOTE,
        gone ? gone->text : Format("the connection to {} broke", communicator_.NameOf(post.peer)));
  }
  if (post.receives && (transfer.truncated || transfer.size != post.bytes)) {
    return Give(
        HCCL_E_PARA,
        Format("{} sent {} bytes where {} expects {}: the ranks call {} with different sizes",
               communicator_.NameOf(post.peer), transfer.size, communicator_.NameOf(rank()),
               post.bytes, work_.call.api));
  }
  return {};
}

bool Exchange::TakeOldest(Status* status) {
  Post& oldest = posts_.front();
  if (!oldest.transfer.ended()) return false;
  *status = Judge(oldest);
  engine_.Release(&oldest.transfer);
  posts_.pop_front();
  ++first_;
  return true;
}

Status Exchange::WaitFor(size_t count) {
  Clock::time_point since = Clock::now();
  Clock::time_point quiet = since;
  Clock::time_point looked = since;
  size_t seen = first_;
  int moves = 0;
  int idle = 0;
  while (first_ < count) {
    Status status;
    const bool taken = TakeOldest(&status);
    if (!status.ok()) return status;
    if (taken || engine_.Progress()) {
      idle = 0;
      communicator_.beats_.fetch_add(1, std::memory_order_relaxed);
      if (++moves % kMovesPerLook != 0) continue;
    } else if (++idle < kSpins) {
      Pause();
      continue;
    }
    const Clock::time_point now = Clock::now();
    if (std::exchange(seen, first_) != first_) since = now;
    if (idle <= kSpins) quiet = now;
    if (idle == 0 && now - looked < kBetweenLooks) continue;
    looked = now;
    if (const Status reason = LookForReasons(count, now, since, quiet); !reason.ok()) return reason;
    if (idle == 0) continue;
    if (idle < kSpins + kYields) {
      sched_yield();
    } else {
      Sleep(now - quiet);
    }
  }
  return {};
}

Status Exchange::LookForReasons(size_t count, Clock::time_point now, Clock::time_point since,
                                Clock::time_point quiet) {
  communicator_.looks_.fetch_add(1, std::memory_order_relaxed);
  if (communicator_.failed()) return communicator_.FailAsBefore(stop_ != nullptr);
  if (stop_ != nullptr && stop_->Requested()) {
    return Give(HCCL_E_UNAVAIL, "its stream was aborted or its device reset");
  }
  if (timeout_ && now - begin_ > *timeout_) {
    return Give(HCCL_E_TIMEOUT,
                Format("not over after {} s, waits for {}",
                       std::chrono::duration<double>(*timeout_).count(), Missing()));
  }
  const auto waited = now - since;
  if (waited < std::chrono::milliseconds(1)) return {};
  communicator_.Hear();
  if (now - quiet < std::chrono::milliseconds(1) && waited < kLastOwnWords) return {};
  for (size_t i = 0; i < std::min(count - first_, posts_.size()); ++i) {
    const Post& post = posts_[i];
    if (post.transfer.ended()) continue;
    if (post.receives) {
      const auto other = engine_.Unexpected(post.tag, ~Tag::kLabelMask);
      // What two operators differ in is found by the service, which knows their arguments.
      const bool told = IsOperator(post.tag & Tag::kLabelMask);
      if (other && other->tag != post.tag && !(told && IsOperator(other->tag & Tag::kLabelMask))) {
        return Give(
            HCCL_E_PARA,
            Format("the ranks call different things: {} calls {} where {} calls {}",
                   communicator_.NameOf(post.peer), TextOfLabel(other->tag & Tag::kLabelMask),
                   communicator_.NameOf(rank()), TextOfLabel(post.tag & Tag::kLabelMask)));
      }
    }
    if (now - quiet < kLastWords && waited < kLastOwnWords) continue;
    if (const std::optional<Failure> gone = communicator_.Gone(post.peer)) {
      return Give(gone->code, gone->text);
    }
    if (engine_.Lost(post.peer)) {
      return Give(HCCL_E_REMOTE,
                  Format("the connection to {} broke", communicator_.NameOf(post.peer)));
    }
  }
  if (waited > kBeforeTelling && !told_ && work_.IsOfAll()) {
    told_ = true;
    communicator_.control().TellWait(replay_
                                         ? Format("call {} in graphs, run {},", number_, *replay_)
                                         : Format("call {}", number_),
                                     work_.call.Text());
  }
  return {};
}

std::string Exchange::Missing() const {
  std::set<uint32_t> peers;
  for (const Post& post : posts_) {
    if (!post.transfer.ended() && peers.size() < 8) peers.insert(post.peer);
  }
  std::string names;
  for (const uint32_t peer : peers) {
    if (!names.empty()) names += ", ";
    names += communicator_.NameOf(peer);
    const auto message = engine_.Unexpected(Tag::Make(peer, Tag::kPair, 0, 0, 0), Tag::kPairMask);
    if (message) {
      names += Format(", which calls {}", TextOfLabel(message->tag & Tag::kLabelMask));
    }
  }
  return names;
}

// The first failure is everybody's.
Status Exchange::Give(HcclResult code, const std::string& text) {
  const std::string whole =
      Format("{} on {}: {}", work_.call.Text(), communicator_.NameOf(rank()), text);
  if (alone_) return Fail(code, "{}", whole);
  communicator_.Abort(code, whole);
  return communicator_.FailAsBefore(stop_ != nullptr);
}

void Exchange::Sleep(Clock::duration waited) {
  if (!engine_.Arm()) return;
  // The engine wakes no thread for what another one has taken in, nor for room to send.
  // Then a sleep adds at most a sixteenth to the wait: 50 us for ever would take 12 % of a core.
  const bool alone = communicator_.running_ <= 1 && !communicator_.served_;
  const auto time = std::clamp<Clock::duration>(
      waited / (alone ? 8 : 16), std::chrono::microseconds(50), std::chrono::milliseconds(2));
  const timespec limit{0, std::chrono::nanoseconds(time).count()};
  std::array<pollfd, 2> fds{pollfd{engine_.event(), POLLIN, 0},
                            pollfd{communicator_.control().fd(), POLLIN, 0}};
  ppoll(fds.data(), fds.size(), &limit, nullptr);
}

Status Exchange::Finish() {
  if (const Status status = WaitForAll(); !status.ok()) return status;
  engine_.Flush(&Add(rank(), false, 0, 0).transfer);
  return WaitForAll();
}

// Ends are failures: the communicator is of no use any more, unless it is to go on, and whatever is
// under way may be given up. Requests may outlive that: their memory is then left to them.
void Exchange::EndAll() {
  if (!alone_) {
    if (!communicator_.failed()) {
      communicator_.Abort(HCCL_E_INTERNAL, Format("{} ended early", work_.call.Text()));
    }
    engine_.Abort();
  }
  for (Post& post : posts_) {
    if (post.receives) engine_.Cancel(&post.transfer);
  }
  const auto under_way = [](const Post& post) { return !post.transfer.ended(); };
  const auto end = Clock::now() + std::chrono::seconds(1);
  while (std::any_of(posts_.begin(), posts_.end(), under_way) && Clock::now() < end) {
    if (!engine_.Progress()) sched_yield();
  }
  if (std::any_of(posts_.begin(), posts_.end(), under_way)) {
    for (Communicator::Scratch& scratch : scratch_) scratch.Abandon();
    static_cast<void>(new std::deque<Post>(std::move(posts_)));
    static_cast<void>(new std::shared_ptr<Communicator>(communicator_.shared_from_this()));
    return;
  }
  for (Post& post : posts_) engine_.Release(&post.transfer);
}

}  // namespace anyacl::hccl
