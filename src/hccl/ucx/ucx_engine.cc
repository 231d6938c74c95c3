// SPDX-License-Identifier: Apache-2.0
// Engine on UCX: a worker for each communicator, an endpoint for each peer, messages by tags.
#include <ucp/api/ucp.h>
#include <unistd.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "hccl/engine.h"
#include "hccl/hccl_types.h"
#include "hccl/ucx/exports.h"

namespace anyacl::hccl {
namespace {

std::string TextOf(ucs_status_t status) { return ucs_status_string(status); }

// One of the process: it finds out what devices there are, and registers memory with them.
Status ProcessContext(ucp_context_h* context) {
  static std::mutex mutex;
  static ucp_context_h made = nullptr;
  static pid_t process = 0;
  std::lock_guard lock(mutex);
  // Its thread, which accepts connections, is not in the child.
  if (made != nullptr && process != getpid()) {
    return Fail(HCCL_E_UNAVAIL,
                "process {} has started UCX and forked this one, which has no communicators then: "
                "expected a fork before the first communicator, or a program of its own (exec)",
                process);
  }
  if (made == nullptr) {
    ucp_config_t* config = nullptr;
    ucs_status_t status = ucp_config_read(nullptr, nullptr, &config);
    if (status == UCS_OK) {
      ucp_params_t params{};
      params.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED;
      params.features = UCP_FEATURE_TAG | UCP_FEATURE_WAKEUP;
      params.mt_workers_shared = 1;
      status = ucp_init(&params, config, &made);
      ucp_config_release(config);
    }
    if (status != UCS_OK) {
      made = nullptr;
      return Fail(HCCL_E_NETWORK, "UCX did not start: {}", TextOf(status));
    }
    process = getpid();
  }
  *context = made;
  return {};
}

class UcxEngine final : public Engine {
 public:
  ~UcxEngine() override {
    CloseEndpoints(aborted_ ? UCP_EP_CLOSE_FLAG_FORCE : 0);
    if (worker_ != nullptr) ucp_worker_destroy(worker_);
  }

  Status Open() {
    ucp_context_h context = nullptr;
    if (const Status status = ProcessContext(&context); !status.ok()) return status;
    ucp_worker_params_t params{};
    params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
    params.thread_mode = UCS_THREAD_MODE_MULTI;
    ucs_status_t status = ucp_worker_create(context, &params, &worker_);
    if (status != UCS_OK) worker_ = nullptr;
    if (status == UCS_OK) status = ucp_worker_get_efd(worker_, &event_);
    ucp_address_t* address = nullptr;
    size_t size = 0;
    if (status == UCS_OK) status = ucp_worker_get_address(worker_, &address, &size);
    if (status != UCS_OK) {
      return Fail(HCCL_E_NETWORK, "UCX has no worker for the communicator: {}", TextOf(status));
    }
    address_.assign(reinterpret_cast<const char*>(address), size);
    ucp_worker_release_address(worker_, address);
    return {};
  }

  const std::string& address() const override { return address_; }

  Status Connect(const std::vector<std::string>& addresses) override {
    peers_ = std::vector<Peer>(addresses.size());
    for (size_t rank = 0; rank < addresses.size(); ++rank) {
      ucp_ep_params_t params{};
      params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                          UCP_EP_PARAM_FIELD_ERR_HANDLER;
      params.address = reinterpret_cast<const ucp_address_t*>(addresses[rank].data());
      params.err_mode = UCP_ERR_HANDLING_MODE_PEER;
      params.err_handler = {&UcxEngine::OnLost, &peers_[rank]};
      const ucs_status_t status = ucp_ep_create(worker_, &params, &peers_[rank].endpoint);
      if (status != UCS_OK) {
        peers_[rank].endpoint = nullptr;
        return Fail(HCCL_E_NETWORK, "UCX reaches rank {} in no way: {}", rank, TextOf(status));
      }
    }
    return {};
  }

  void Send(uint32_t rank, uint64_t tag, const void* data, size_t size, End end,
            Transfer* transfer) override {
    std::lock_guard lock(endpoints_);
    if (aborted_ || Lost(rank)) return Finish(transfer, Transfer::State::kFailed);
    ucp_request_param_t param = ParamOf(transfer);
    param.cb.send = &UcxEngine::OnSent;
    const auto send = end == End::kTaken ? &ucp_tag_send_sync_nbx : &ucp_tag_send_nbx;
    Take(transfer, send(peers_[rank].endpoint, data, size, tag, &param));
  }

  std::optional<Message> Unexpected(uint64_t tag, uint64_t mask) override {
    ucp_tag_recv_info_t info{};
    if (ucp_tag_probe_nb(worker_, tag, mask, 0, &info) == nullptr) return std::nullopt;
    return Message{info.sender_tag, info.length};
  }

  void Receive(uint64_t tag, void* data, size_t size, Transfer* transfer) override {
    if (aborted_) return Finish(transfer, Transfer::State::kFailed);
    ucp_request_param_t param = ParamOf(transfer);
    // By the callback alone: a message that is there already leaves recv_info as it was in
    // UCX 1.13.
    param.op_attr_mask |= UCP_OP_ATTR_FLAG_NO_IMM_CMPL;
    param.cb.recv = &UcxEngine::OnReceived;
    Take(transfer, ucp_tag_recv_nbx(worker_, data, size, tag, UINT64_MAX, &param));
  }

  void Flush(Transfer* transfer) override {
    ucp_request_param_t param = ParamOf(transfer);
    param.cb.send = &UcxEngine::OnSent;
    Take(transfer, ucp_worker_flush_nbx(worker_, &param));
  }

  void Release(Transfer* transfer) override {
    if (transfer->request != nullptr) ucp_request_free(transfer->request);
    transfer->request = nullptr;
  }

  bool Progress() override { return ucp_worker_progress(worker_) != 0; }
  int event() const override { return event_; }
  bool Arm() override { return ucp_worker_arm(worker_) == UCS_OK; }

  bool Lost(uint32_t rank) const override {
    return peers_[rank].lost.load(std::memory_order_acquire);
  }

  void Cancel(Transfer* transfer) override {
    if (transfer->request != nullptr && !transfer->ended()) {
      ucp_request_cancel(worker_, transfer->request);
    }
  }

  void Abort() override {
    if (aborted_.exchange(true)) return;
    CloseEndpoints(UCP_EP_CLOSE_FLAG_FORCE);
  }

 private:
  struct Peer {
    ucp_ep_h endpoint = nullptr;
    std::atomic<bool> lost{false};
  };

  static ucp_request_param_t ParamOf(Transfer* transfer) {
    ucp_request_param_t param{};
    param.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
    param.user_data = transfer;
    return param;
  }

  static void Finish(Transfer* transfer, Transfer::State state) {
    transfer->state.store(state, std::memory_order_release);
  }

  static void OnSent(void*, ucs_status_t status, void* user_data) {
    Finish(static_cast<Transfer*>(user_data),
           status == UCS_OK ? Transfer::State::kDone : Transfer::State::kFailed);
  }

  static void OnReceived(void*, ucs_status_t status, const ucp_tag_recv_info_t* info,
                         void* user_data) {
    auto* transfer = static_cast<Transfer*>(user_data);
    if (status == UCS_OK || status == UCS_ERR_MESSAGE_TRUNCATED) {
      transfer->size = info->length;
      transfer->truncated = status == UCS_ERR_MESSAGE_TRUNCATED;
      status = UCS_OK;
    }
    OnSent(nullptr, status, transfer);
  }

  static void OnLost(void* peer, ucp_ep_h, ucs_status_t) {
    static_cast<Peer*>(peer)->lost.store(true, std::memory_order_release);
  }

  void Take(Transfer* transfer, ucs_status_ptr_t request) {
    if (request == nullptr) {
      Finish(transfer, Transfer::State::kDone);
    } else if (UCS_PTR_IS_ERR(request)) {
      Finish(transfer, Transfer::State::kFailed);
    } else {
      transfer->request = request;
    }
  }

  // Waits for what closing needs, unless a peer makes it last: half a second, no more.
  void CloseEndpoints(unsigned flags) {
    std::vector<ucs_status_ptr_t> closing;
    std::lock_guard lock(endpoints_);
    for (Peer& peer : peers_) {
      if (peer.endpoint == nullptr) continue;
      ucp_request_param_t param{};
      param.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
      param.flags = peer.lost ? unsigned{UCP_EP_CLOSE_FLAG_FORCE} : flags;
      ucs_status_ptr_t request = ucp_ep_close_nbx(peer.endpoint, &param);
      peer.endpoint = nullptr;
      if (UCS_PTR_IS_PTR(request)) closing.push_back(request);
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    for (ucs_status_ptr_t request : closing) {
      while (ucp_request_check_status(request) == UCS_INPROGRESS &&
             std::chrono::steady_clock::now() < end) {
        if (ucp_worker_progress(worker_) == 0) std::this_thread::yield();
      }
      ucp_request_free(request);
    }
  }

  ucp_worker_h worker_ = nullptr;
  int event_ = -1;
  std::string address_;
  std::mutex endpoints_;  // nobody sends while they are closed
  std::vector<Peer> peers_;
  std::atomic<bool> aborted_{false};
};

}  // namespace
}  // namespace anyacl::hccl

using namespace anyacl;

int anyaclMakeUcxEngine(std::unique_ptr<hccl::Engine>* engine) {
  auto made = std::make_unique<hccl::UcxEngine>();
  if (const Status status = made->Open(); !status.ok()) return status.code();
  *engine = std::move(made);
  return 0;
}
