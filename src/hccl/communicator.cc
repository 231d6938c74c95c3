// SPDX-License-Identifier: Apache-2.0
#include "hccl/communicator.h"

#include <unistd.h>

#include <array>
#include <cstring>
#include <thread>
#include <utility>

#include "acl/acl.h"
#include "acl/error_codes/rt_error_codes.h"
#include "base/format.h"
#include "hccl/data_type.h"
#include "hccl/exchange.h"
#include "hccl/label.h"
#include "hccl/operator_call.h"
#include "hccl/window.h"
#include "runtime/exports.h"

namespace anyacl::hccl {
namespace {

std::string HostName() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace

// A task of a stream. One that never runs leaves its peers waiting, so it fails its communicators,
// and so does one that fails in another of them.
class OperationTask final : public Task {
 public:
  // `in_graph`: it becomes a node, and runs as often as its graph.
  OperationTask(std::vector<OperationPart> parts, bool in_graph)
      : Task(TaskKind::kGraph, parts[0].work.call.api),
        parts_(std::move(parts)),
        in_graph_(in_graph) {
    if (in_graph_) return;
    for (const OperationPart& part : parts_) ++part.communicator->outstanding_;
  }

  ~OperationTask() override {
    if (in_graph_ || runs_ != 0) return;
    if (!forgotten_) Dropped();
    for (const OperationPart& part : parts_) --part.communicator->outstanding_;
  }

  void Dropped() override {
    for (const OperationPart& part : parts_) {
      Communicator& communicator = *part.communicator;
      communicator.Abort(HCCL_E_UNAVAIL,
                         Format("{} was dropped with its stream on {}", part.work.call.Text(),
                                communicator.NameOf(communicator.rank())));
    }
  }

  // It was never in a stream.
  void Forget() { forgotten_ = true; }

  const std::vector<OperationPart>& parts() const { return parts_; }

  Status Run(const StopToken& stop) override {
    const uint32_t run = runs_++;
    const OneRun one_run(*this);
    for (const OperationPart& part : parts_) {
      if (!part.communicator->failed()) continue;
      AbortAll(parts_);
      return part.communicator->FailAsBefore(true);
    }
    try {
      const Status status = Exchanged(stop, run);
      // The other ranks wait for what will not come.
      if (!status.ok() && parts_[0].work.computation) AbortAll(parts_);
      return status;
    } catch (...) {
      for (const OperationPart& part : parts_) {
        Communicator& communicator = *part.communicator;
        communicator.Abort(HCCL_E_MEMORY, Format("{} could not run on {}", part.work.call.Text(),
                                                 communicator.NameOf(communicator.rank())));
      }
      throw;
    }
  }

 private:
  // A run, which ends however that comes; one of a graph is outstanding from here on.
  struct OneRun {
    explicit OneRun(const OperationTask& task) : task(task) {
      if (!task.in_graph_) return;
      for (const OperationPart& part : task.parts_) ++part.communicator->outstanding_;
    }
    ~OneRun() {
      for (const OperationPart& part : task.parts_) --part.communicator->outstanding_;
    }
    const OperationTask& task;
  };

  Status Exchanged(const StopToken& stop, uint32_t run) {
    const std::optional<uint32_t> replay = in_graph_ ? std::optional(run) : std::nullopt;
    const auto& [communicator, work, number] = parts_[0];
    if (work.computation) return Compute(parts_, stop, replay);
    Exchange exchange(*communicator, work, number, &stop, communicator->config().execute_timeout,
                      replay);
    Status status;
    if (work.collective) {
      status = work.collective(exchange);
    } else {
      for (const PairMessage& message : work.pairs) exchange.Pass(message);
    }
    return status.ok() ? exchange.Finish() : status;
  }

  const std::vector<OperationPart> parts_;
  const bool in_graph_;
  uint32_t runs_ = 0;
  bool forgotten_ = false;
};

std::string Work::Call::Text() const {
  std::string text = api;
  if (count) text += Format(" of {} {}", *count, type ? hccl::NameOf(*type) : "messages");
  if (!count && type) text += Format(" of {}", hccl::NameOf(*type));
  if (op) text += Format(", {}", hccl::NameOf(*op));
  if (root) text += Format(", root {}", *root);
  if (peer) text += Format(", rank {}", *peer);
  if (!arguments.empty()) text += " of " + arguments;
  return text;
}

CommunicatorTable& Communicators() {
  static CommunicatorTable* table = CommunicatorTable::NewGlobal();
  return *table;
}

Status Communicator::Create(const RootInfo& root, uint32_t rank, uint32_t ranks,
                            const Config& config, const Environment& environment,
                            std::shared_ptr<Communicator>* made) {
  std::shared_ptr<Communicator> communicator(new Communicator);
  int32_t device = 0;
  if (const int code = aclrtGetDevice(&device); code != ACL_SUCCESS) return Replay(code);
  communicator->device_ = device;
  communicator->process_ = getpid();
  communicator->rank_ = rank;
  communicator->ranks_ = ranks;
  communicator->config_ = config;
  if (config.name.empty()) {
    communicator->config_.name =
        Format("{}_{}_{}", root.address.host(), root.address.port(), root.id);
  }
  if (const Status status = communicator->Open(root, environment); !status.ok()) return status;
  communicator->windows_ = std::make_shared<WindowGroup>(communicator);
  if (const int code = anyaclRegisterRankGroup(device, communicator->windows_); code != 0) {
    communicator->Abort(HCCL_E_PARA, "its name is taken on " + communicator->NameOf(rank));
    return Replay(HCCL_E_PARA);
  }
  *made = std::move(communicator);
  return {};
}

Status Communicator::Open(const RootInfo& root, const Environment& environment) {
  SetTransportEnvironment(environment, root.address);
  if (const Status status = MakeEngine(&engine_); !status.ok()) return status;
  const Member self{
      HostName(),         getpid(),      device_, ProcessToken(), ServesRoot(root.secret),
      engine_->address(), ProcessSight()};
  if (const Status status = control_.Join(root, rank_, ranks_, config_.name, self,
                                          environment.connect_timeout, &members_);
      !status.ok()) {
    return status;
  }
  for (Numbers* numbers : {&in_streams_, &in_graphs_}) {
    numbers->sends.resize(ranks_);
    numbers->receives.resize(ranks_);
  }
  gone_.resize(ranks_);
  std::vector<std::string> addresses;
  for (const Member& member : members_) addresses.push_back(member.address);
  if (const Status status = engine_->Connect(addresses); !status.ok()) {
    Abort(HCCL_E_NETWORK, Format("{} has no way to the others", NameOf(rank_)));
    return status;
  }
  return Greet(environment.connect_timeout);
}

Status Communicator::CheckProcess() const {
  if (process_ == getpid()) return {};
  return Fail(HCCL_E_UNAVAIL, "communicator {} is of the parent process {}, which forked", name(),
              process_);
}

Status Communicator::PassRootInfo(HcclRootInfo* root, const std::vector<uint32_t>& members,
                                  uint64_t id, std::chrono::milliseconds timeout) {
  // A step of its own: the number is not one of the communicator's operations. It has 32 bits, so
  // the upper ones of the client's are mixed in.
  constexpr uint32_t kStep = 63;
  const uint64_t number = (id ^ (id >> 32) * 0x9e3779b1) & UINT32_MAX;
  Work passing{{"HcclCreateSubCommConfig"}, MakeLabel(Operation::kSubCommunicator), {}, {}};
  Exchange exchange(*this, passing, number, nullptr, timeout);
  exchange.FailAlone();
  char* bytes = exchange.Scratch(sizeof(*root));
  if (members.front() == rank_) {
    std::memcpy(bytes, root, sizeof(*root));
    for (const uint32_t member : members) {
      if (member != rank_) exchange.Send(member, kStep, bytes, sizeof(*root));
    }
  } else {
    exchange.Receive(members.front(), kStep, bytes, sizeof(*root));
  }
  if (const Status status = exchange.Finish(); !status.ok()) return status;
  std::memcpy(root, bytes, sizeof(*root));
  return {};
}

// Makes the connections while everybody is here: a first message in one direction would have to
// wait for the other rank to come. kTaken: UCX 1.13 lets ranks know each other's endpoints at the
// first message that wants an answer, and aborts the process if the other one has closed its own
// meanwhile, as one whose first operation fails does.
Status Communicator::Greet(std::chrono::milliseconds timeout) {
  Work greeting{{"HcclCommInit"}, MakeLabel(Operation::kInit), {}, {}};
  Exchange exchange(*this, greeting, UINT32_MAX, nullptr, timeout);
  // With more ranks than that every one greets the neighbours in powers of two, and the other
  // connections are made when they are needed, in the danger that kTaken keeps these from.
  constexpr uint32_t kAll = 64;
  for (uint32_t away = 1; away < ranks_; away = ranks_ <= kAll ? away + 1 : 2 * away) {
    exchange.Receive((rank_ + ranks_ - away) % ranks_, 0, nullptr, 0);
    exchange.Send((rank_ + away) % ranks_, 0, nullptr, 0, Engine::End::kTaken);
  }
  return exchange.Finish();
}

Communicator::~Communicator() {
  if (engine_ != nullptr && failed() && !left_) engine_->Abort();
}

std::string Communicator::NameOf(uint32_t rank) const {
  if (rank >= members_.size()) return Format("rank {}", rank);
  return Format("rank {} on {} (process {})", rank, members_[rank].host, members_[rank].process);
}

// An operator's codes are those of a task. With two communicators the other ranks of the one that
// is whole would wait for this one.
Status Communicator::CheckOpen(std::span<const OperationPart> parts) {
  const bool of_operator = parts[0].work.computation != nullptr;
  for (const OperationPart& part : parts) {
    const Communicator& closed = *part.communicator;
    if (closed.failed()) {
      if (parts.size() > 1) AbortAll(parts);
      return closed.FailAsBefore(of_operator);
    }
    if (!closed.suspended()) continue;
    for (const OperationPart& other : parts) {
      if (&other == &part) continue;
      other.communicator->Abort(
          HCCL_E_SUSPENDING,
          Format("{} was refused on {}: communicator {} is suspended", other.work.call.Text(),
                 other.communicator->NameOf(other.communicator->rank()), closed.name()));
    }
    return Fail(of_operator ? int{ACL_ERROR_RT_AICPU_EXCEPTION} : int{HCCL_E_SUSPENDING},
                "communicator {} is suspended (HcclCommSuspend)", closed.name());
  }
  return {};
}

Status Communicator::Submit(Work work, aclrtStream stream) {
  std::vector<OperationPart> parts;
  parts.push_back({shared_from_this(), std::move(work)});
  return Submit(std::move(parts), stream);
}

Status Communicator::Submit(std::vector<OperationPart> parts, aclrtStream stream) {
  if (const Status status = CheckOpen(parts); !status.ok()) return status;
  const bool in_graph = anyaclEnqueuesForGraph(stream);
  std::unique_lock lock(parts[0].communicator->order_, std::defer_lock);
  std::unique_lock<std::mutex> other;
  if (parts.size() == 1) {
    lock.lock();
  } else {
    other = std::unique_lock(parts[1].communicator->order_, std::defer_lock);
    std::lock(lock, other);
  }
  for (OperationPart& part : parts) {
    Numbers& next = part.communicator->Next(in_graph);
    for (PairMessage& message : part.work.pairs) {
      message.number = (message.receives ? next.receives : next.sends)[message.peer]++;
    }
    if (part.work.IsOfAll()) part.number = next.collective++;
  }
  const auto task = std::make_shared<OperationTask>(std::move(parts), in_graph);
  if (const int code = anyaclEnqueue(stream, task); code != 0) {
    // With ACL_LAUNCH_BLOCKING=1 it may also be the operation's own failure, which is for ever.
    task->Forget();
    for (const OperationPart& part : task->parts()) {
      Numbers& next = part.communicator->Next(in_graph);
      if (part.work.IsOfAll()) --next.collective;
      for (const PairMessage& pair : part.work.pairs) {
        --(pair.receives ? next.receives : next.sends)[pair.peer];
      }
    }
    return Replay(code);
  }
  return {};
}

Failure Communicator::failure() const {
  std::lock_guard lock(state_);
  return failure_.value_or(Failure{HCCL_SUCCESS, ""});
}

void Communicator::Abort(HcclResult code, const std::string& text) {
  {
    std::lock_guard lock(state_);
    if (failure_) return;
    failure_ = Failure{code, text};
    failed_.store(true, std::memory_order_release);
  }
  control_.TellAbort({code, text});
}

Status Communicator::FailAsBefore(bool acl) const {
  const Failure first = failure();
  // What a device reports when a notify does not come, and when an operation fails on it.
  const int code =
      first.code == HCCL_E_TIMEOUT ? ACL_ERROR_RT_FFTS_PLUS_TIMEOUT : ACL_ERROR_RT_AICPU_EXCEPTION;
  return Fail(acl ? code : first.code, "communicator {} has failed: {}", name(), first.text);
}

void Communicator::Hear() {
  while (const std::optional<News> news = control_.Hear()) {
    std::lock_guard lock(state_);
    if (news->gone) {
      for (uint32_t rank = 0; rank < ranks_; ++rank) {
        const bool root = *news->gone == News::kRoot;
        const bool meant = root ? members_[rank].root : rank == *news->gone;
        if (!meant || gone_[rank]) continue;
        gone_[rank] = news->failure;
        if (root) gone_[rank]->text = NameOf(rank) + " is lost: " + news->failure.text;
        if (!news->left && rank != rank_ && !lost_) lost_ = gone_[rank];
      }
    } else if (!failure_) {
      failure_ = news->failure;
      failed_.store(true, std::memory_order_release);
    }
  }
}

void Communicator::NoteLeft(uint32_t rank) {
  std::lock_guard lock(state_);
  if (!gone_[rank]) {
    gone_[rank] = Failure{HCCL_E_REMOTE, NameOf(rank) + " has destroyed its communicator"};
  }
}

std::optional<Failure> Communicator::Gone(uint32_t rank) const {
  std::lock_guard lock(state_);
  return gone_[rank];
}

std::optional<Failure> Communicator::AnyLost() const {
  std::lock_guard lock(state_);
  return lost_;
}

void Communicator::Destroy() {
  windows_->Close();
  // What runs waits for other ranks; what is queued waits for its stream, which may compute long.
  // Threads that have no CPU do not look for it: that is no silence of the others.
  constexpr std::chrono::milliseconds kPatience{200};
  constexpr uint64_t kLooks = 20;
  constexpr std::chrono::seconds kPatienceWithStreams{10};
  auto quiet = std::chrono::steady_clock::now();
  uint64_t beats = beats_;
  uint64_t looks = looks_;
  int running = running_;
  while ((outstanding_ > 0 || running_ > 0) && !failed()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const auto now = std::chrono::steady_clock::now();
    if (std::exchange(beats, beats_.load()) != beats ||
        std::exchange(running, running_.load()) != running) {
      quiet = now;
      looks = looks_;
    }
    const bool silent = running > 0 && now - quiet > kPatience && looks_ - looks > kLooks;
    if (silent || now - quiet > kPatienceWithStreams) {
      Abort(HCCL_E_UNAVAIL,
            Format("{} destroyed the communicator while an operation waited", NameOf(rank_)));
    }
  }
  // What runs sees the failure and ends; what is queued behind something else will see it.
  while (running_ > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  left_ = !failed();
  {
    // Graphs may hold operations, and streams those that were never asked to run.
    std::lock_guard lock(state_);
    if (!failure_) failure_ = Failure{HCCL_E_UNAVAIL, "it has been destroyed"};
    failed_.store(true, std::memory_order_release);
  }
  control_.Leave(rank_, members_[rank_].root);
}

Communicator::Scratch::Scratch(Communicator& communicator, size_t bytes)
    : communicator_(communicator), size_(bytes) {
  {
    std::lock_guard lock(communicator.state_);
    auto& kept = communicator.scratch_;
    for (auto it = kept.begin(); it != kept.end(); ++it) {
      if (it->first < bytes) continue;
      size_ = it->first;
      bytes_ = std::move(it->second);
      kept.erase(it);
      return;
    }
  }
  bytes_.reset(new char[bytes]);
}

Communicator::Scratch::~Scratch() {
  if (bytes_ == nullptr) return;
  std::lock_guard lock(communicator_.state_);
  // Pieces on their way fit; a staged copy of a large vector is given back.
  constexpr size_t kKept = size_t{64} << 20;
  if (communicator_.scratch_.size() < 4 && size_ <= kKept) {
    communicator_.scratch_.emplace_back(size_, std::move(bytes_));
  }
}

}  // namespace anyacl::hccl
