// SPDX-License-Identifier: Apache-2.0
// What UCX takes for messages between two processes: no faster can an operation on it be.
#include <ucp/api/ucp.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "hccl_ranks.h"
#include "measure.h"

namespace anyacl::bench {
namespace {

void Must(ucs_status_t status, const char* what) {
  if (status == UCS_OK) return;
  std::fprintf(stderr, "%s: %s\n", what, ucs_status_string(status));
  std::exit(1);
}

class Peer {
 public:
  Peer(int rank, Meeting& meeting) {
    ucp_config_t* config = nullptr;
    Must(ucp_config_read(nullptr, nullptr, &config), "ucp_config_read");
    ucp_params_t params{};
    params.field_mask = UCP_PARAM_FIELD_FEATURES;
    params.features = UCP_FEATURE_TAG | UCP_FEATURE_AM;
    Must(ucp_init(&params, config, &context_), "ucp_init");
    ucp_config_release(config);
    ucp_worker_params_t worker_params{};
    worker_params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
    worker_params.thread_mode = UCS_THREAD_MODE_SINGLE;
    Must(ucp_worker_create(context_, &worker_params, &worker_), "ucp_worker_create");
    ucp_address_t* address = nullptr;
    size_t bytes = 0;
    Must(ucp_worker_get_address(worker_, &address, &bytes), "ucp_worker_get_address");
    if (bytes > Meeting::kBlob) std::exit(1);
    std::memcpy(meeting.blobs[rank], address, bytes);
    ucp_worker_release_address(worker_, address);
    meeting.Wait(0);
    ucp_ep_params_t endpoint_params{};
    // With word of lost peers, as a communicator wants it: without, UCX ends the process of whoever
    // loses one, and 64 MiB take 20 instead of 33 ms over TCP.
    endpoint_params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS |
                                 UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                                 UCP_EP_PARAM_FIELD_ERR_HANDLER;
    endpoint_params.err_mode = UCP_ERR_HANDLING_MODE_PEER;
    endpoint_params.err_handler.cb = [](void*, ucp_ep_h, ucs_status_t) {};
    endpoint_params.address = reinterpret_cast<const ucp_address_t*>(meeting.blobs[1 - rank]);
    Must(ucp_ep_create(worker_, &endpoint_params, &endpoint_), "ucp_ep_create");
  }

  void Send(const void* data, size_t bytes) {
    const ucp_request_param_t param{};
    Wait(ucp_tag_send_nbx(endpoint_, data, bytes, 1, &param));
  }
  void Receive(void* data, size_t bytes) {
    const ucp_request_param_t param{};
    Wait(ucp_tag_recv_nbx(worker_, data, bytes, 1, ~ucp_tag_t{0}, &param));
  }
  // Active messages, which the other one takes as they announce themselves.
  void TakeActive(void* data, size_t bytes) {
    active_ = {data, bytes};
    ucp_am_handler_param_t param{};
    param.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
                       UCP_AM_HANDLER_PARAM_FIELD_ARG;
    param.id = kActive;
    param.cb = &Peer::OnActive;
    param.arg = this;
    Must(ucp_worker_set_am_recv_handler(worker_, &param), "ucp_worker_set_am_recv_handler");
  }
  void SendActive(const void* data, size_t bytes) {
    const ucp_request_param_t param{};
    Wait(ucp_am_send_nbx(endpoint_, kActive, nullptr, 0, data, bytes, &param));
  }
  void AwaitActive() {
    while (!come_) ucp_worker_progress(worker_);
    come_ = false;
    Wait(taking_);
    taking_ = nullptr;
  }

  void Exchange(const void* sent, void* received, size_t bytes) {
    const ucp_request_param_t param{};
    ucs_status_ptr_t receive = ucp_tag_recv_nbx(worker_, received, bytes, 1, ~ucp_tag_t{0}, &param);
    Wait(ucp_tag_send_nbx(endpoint_, sent, bytes, 1, &param));
    Wait(receive);
  }

 private:
  static constexpr unsigned kActive = 1;

  static ucs_status_t OnActive(void* peer, const void*, size_t, void* data, size_t bytes,
                               const ucp_am_recv_param_t* param) {
    auto* self = static_cast<Peer*>(peer);
    self->come_ = true;
    if (bytes != self->active_.bytes) std::exit(1);
    if ((param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) == 0) {
      std::memcpy(self->active_.data, data, bytes);
      return UCS_OK;
    }
    const ucp_request_param_t receive{};
    self->taking_ = ucp_am_recv_data_nbx(self->worker_, data, self->active_.data, bytes, &receive);
    return UCS_OK;
  }

  void Wait(ucs_status_ptr_t request) {
    if (!UCS_PTR_IS_PTR(request)) return Must(UCS_PTR_STATUS(request), "a message");
    while (ucp_request_check_status(request) == UCS_INPROGRESS) ucp_worker_progress(worker_);
    Must(ucp_request_check_status(request), "a message");
    ucp_request_free(request);
  }

  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
  ucp_ep_h endpoint_ = nullptr;
  struct {
    void* data = nullptr;
    size_t bytes = 0;
  } active_;
  bool come_ = false;
  ucs_status_ptr_t taking_ = nullptr;
};

}  // namespace

double UcxMessage(size_t bytes, int rounds) {
  Meeting* meeting = RunTwo(false, [&](int rank, Meeting& shared) {
    Peer peer(rank, shared);
    std::vector<char> data(bytes, 1);
    std::vector<double> seconds;
    for (int i = 0; i < rounds + 5; ++i) {
      const double begin = Now();
      if (rank == 0) {
        peer.Send(data.data(), bytes);
        peer.Receive(data.data(), bytes);
      } else {
        peer.Receive(data.data(), bytes);
        peer.Send(data.data(), bytes);
      }
      if (i >= 5) seconds.push_back((Now() - begin) / 2);
    }
    if (rank == 0) shared.figures[0] = Median(seconds);
    shared.Wait(1);
  });
  return meeting == nullptr ? -1 : meeting->figures[0];
}

double UcxActiveMessage(size_t bytes, int rounds, const std::function<void(int)>& place) {
  Meeting* meeting = RunTwo(false, [&](int rank, Meeting& shared) {
    place(rank);
    Peer peer(rank, shared);
    std::vector<char> sent(bytes, static_cast<char>(1 + rank)), received(bytes, 0);
    peer.TakeActive(received.data(), bytes);
    shared.Wait(2);
    std::vector<double> seconds;
    for (int i = 0; i < rounds + 5; ++i) {
      const double begin = Now();
      if (rank == 0) {
        peer.SendActive(sent.data(), bytes);
        peer.AwaitActive();
      } else {
        peer.AwaitActive();
        peer.SendActive(sent.data(), bytes);
      }
      if (i >= 5) seconds.push_back((Now() - begin) / 2);
    }
    if (received.back() != 2 - rank) std::exit(1);
    if (rank == 0) shared.figures[0] = Median(seconds);
    shared.Wait(1);
  });
  return meeting == nullptr ? -1 : meeting->figures[0];
}

double UcxExchange(size_t bytes, int rounds) {
  Meeting* meeting = RunTwo(false, [&](int rank, Meeting& shared) {
    Peer peer(rank, shared);
    std::vector<char> sent(bytes, 1), received(bytes, 2);
    std::vector<double> seconds;
    for (int i = 0; i < rounds + 2; ++i) {
      const double begin = Now();
      peer.Exchange(sent.data(), received.data(), bytes);
      if (i >= 2) seconds.push_back(Now() - begin);
    }
    if (rank == 0) shared.figures[0] = Median(seconds);
    shared.Wait(1);
  });
  return meeting == nullptr ? -1 : meeting->figures[0];
}

}  // namespace anyacl::bench
