// SPDX-License-Identifier: Apache-2.0
// Messages to windows and buffers that cannot be mapped: their bytes, their way, and what happens
// to them where they arrive.
#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <set>
#include <utility>

#include "base/format.h"
#include "hccl/exchange.h"
#include "hccl/label.h"
#include "hccl/window.h"

namespace anyacl::hccl {
namespace {

// Bytes to one rank that it has not begun to take.
constexpr size_t kMaxUnderWay = size_t{64} << 20;

// Bytes from one rank that have come and wait for their guards, or for what has not come yet: as
// much as it may have under way itself.
constexpr size_t kMaxHeld = kMaxUnderWay;

// Bytes of a part of a message: what UCX's TCP carries at once with room for its heads (64 KiB).
// Over it 72 rows of 14 KiB take 310 us with half of this, 410 us with a quarter, 290 us with this.
constexpr size_t kPart = 60000;

constexpr size_t kMaxBufferTelling = 4096;  // bytes of what a rank says of its buffer

// What a message to a window begins with; its pieces, its words and the pieces' bytes follow.
struct Head {
  uint64_t guard;
  uint64_t pieces;
  uint64_t words;
};
struct PieceHead {
  uint64_t offset;
  uint64_t size;
  uint64_t from;  // in the pieces' bytes
};
struct WordHead {
  uint64_t offset;
  int64_t value;
};

// The first pieces that go in one part, as many as `from` gets entries: where each piece's bytes
// are among all. A token's row follows itself, an id between, once for each expert, and travels
// once. How many bytes that makes.
size_t TakePart(std::span<const WindowMessage::Piece> pieces, std::vector<uint64_t>* from) {
  from->clear();
  size_t data = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto repeats = [&](size_t back) {
      return i >= back && pieces[i - back].data == pieces[i].data &&
             pieces[i - back].size == pieces[i].size;
    };
    if (const size_t back = repeats(1) ? 1 : repeats(2) ? 2 : 0; back != 0) {
      from->push_back((*from)[i - back]);
      continue;
    }
    if (i != 0 && data + pieces[i].size > kPart) break;
    from->push_back(data);
    data += pieces[i].size;
  }
  return data;
}

int64_t NowInNs() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

}  // namespace

// In parts, each of which awaits the guard: while one is stored the next is on its way. The words
// go with the last one, whose ticket is the message's.
Status WindowGroup::Send(uint32_t rank, const WindowMessage& message, uint64_t* ticket) {
  *ticket = 0;
  const std::shared_ptr<Communicator> communicator = communicator_.lock();
  if (communicator == nullptr || communicator->failed()) return Failure();
  std::lock_guard lock(mutex_);
  Reap(*communicator);
  if (under_way_[rank] >= kMaxUnderWay) return {};
  const uint64_t label = MakeLabel(message.to_buffer ? Operation::kBuffer : Operation::kWindow);
  size_t whole = 0;
  WindowMessage part{message.guard, message.pieces, {}, message.to_buffer};
  std::vector<uint64_t> from;
  for (bool last = false; !last; part.pieces = part.pieces.subspan(from.size())) {
    const size_t data = TakePart(part.pieces, &from);
    last = from.size() == part.pieces.size();
    if (last) part.words = message.words;
    const size_t total = sizeof(Head) + from.size() * sizeof(PieceHead) +
                         part.words.size() * sizeof(WordHead) + data;
    whole += total;
    Post(*communicator, rank, label, Pack(part, from, total), total,
         last ? Engine::End::kTaken : Engine::End::kSent, last ? whole : 0);
  }
  *ticket = sent_[rank];
  return {};
}

WindowGroup::Block WindowGroup::Pack(const WindowMessage& part, const std::vector<uint64_t>& from,
                                     size_t total) {
  Block bytes = TakeBlock(total);
  char* at = bytes.data();
  const auto put = [&at](const void* data, size_t size) {
    if (size != 0) std::memcpy(at, data, size);
    at += size;
  };
  const Head head{part.guard, from.size(), part.words.size()};
  put(&head, sizeof(head));
  for (size_t i = 0; i < from.size(); ++i) {
    const PieceHead one{part.pieces[i].offset, part.pieces[i].size, from[i]};
    put(&one, sizeof(one));
  }
  for (const auto& word : part.words) {
    const WordHead one{word.offset, word.value};
    put(&one, sizeof(one));
  }
  size_t written = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] != written) continue;
    put(part.pieces[i].data, part.pieces[i].size);
    written += part.pieces[i].size;
  }
  return bytes;
}

void WindowGroup::Post(Communicator& communicator, uint32_t rank, uint64_t label, Block bytes,
                       size_t size, Engine::End end, size_t weight) {
  Outgoing& outgoing = outgoing_.emplace_back();
  outgoing.rank = rank;
  outgoing.ticket = ++sent_[rank];
  outgoing.bytes = std::move(bytes);
  outgoing.weight = weight;
  outgoing.awaited =
      label == MakeLabel(Operation::kWindow) || label == MakeLabel(Operation::kBuffer);
  under_way_[rank] += weight;
  communicator.engine().Send(rank, Tag::Make(rank_, Tag::kWindow, outgoing.ticket, 0, label),
                             outgoing.bytes.data(), size, end, &outgoing.transfer);
}

WindowGroup::Block WindowGroup::TakeBlock(size_t size) {
  const auto fits = [size](const Block& block) {
    return block.room >= size && block.room / 4 <= size;
  };
  const auto kept = std::find_if(kept_.begin(), kept_.end(), fits);
  if (kept == kept_.end()) return {std::make_unique_for_overwrite<char[]>(size), size};
  Block block = std::move(*kept);
  kept_.erase(kept);
  kept_room_ -= block.room;
  return block;
}

void WindowGroup::KeepBlock(Block block) {
  // Memory that malloc has given back costs a fault for each page: 50 us for the parts of 1 MiB.
  constexpr size_t kKept = size_t{8} << 20;
  if (block.room > kKept) return;
  kept_room_ += block.room;
  kept_.push_back(std::move(block));
  while (kept_room_ > kKept) {
    kept_room_ -= kept_.front().room;
    kept_.erase(kept_.begin());
  }
}

// Forgets what has been taken.
void WindowGroup::Reap(Communicator& communicator) {
  Engine& engine = communicator.engine();
  for (auto it = outgoing_.begin(); it != outgoing_.end();) {
    if (!it->transfer.ended()) {
      ++it;
      continue;
    }
    // Of what is told to all, nobody waits: who has left need not hear it.
    if (it->transfer.state == Transfer::State::kFailed && it->awaited) {
      communicator.Abort(HCCL_E_REMOTE, Format("a message to the window of {} is lost",
                                               communicator.NameOf(it->rank)));
    }
    engine.Release(&it->transfer);
    under_way_[it->rank] -= it->weight;
    KeepBlock(std::move(it->bytes));
    it = outgoing_.erase(it);
  }
}

bool WindowGroup::Delivered(uint32_t rank, uint64_t ticket) {
  Progress();
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return lock && std::none_of(outgoing_.begin(), outgoing_.end(), [&](const Outgoing& one) {
           return one.rank == rank && one.ticket == ticket;
         });
}

void WindowGroup::Progress() {
  polled_.store(NowInNs(), std::memory_order_relaxed);
  Serve();
}

bool WindowGroup::served_by_task() const {
  return NowInNs() - polled_.load(std::memory_order_relaxed) < 100'000;
}

bool WindowGroup::Serve() {
  const std::shared_ptr<Communicator> communicator = communicator_.lock();
  if (communicator == nullptr || communicator->failed()) return false;
  // Another thread is at it.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return false;
  bool moved = communicator->engine().Progress();
  Reap(*communicator);
  while (TakeIn(*communicator)) moved = true;
  for (auto row = waiting_.begin(); row != waiting_.end();) {
    auto& messages = row->second;
    while (!messages.empty() && StoreOne(*communicator, &messages, messages.begin())) moved = true;
    row = messages.empty() ? waiting_.erase(row) : std::next(row);
  }
  // What waits for a guard holds up later messages of the same guard alone; what has not come whole
  // holds up those of its source, which came later.
  std::set<uint32_t> unfinished;
  for (auto it = incoming_.begin(); it != incoming_.end();) {
    const auto message = it++;
    if (!message->transfer.ended()) unfinished.insert(message->source);
    if (unfinished.contains(message->source)) continue;
    const Row row = RowOf(*message);
    if (!waiting_.contains(row) && StoreOne(*communicator, &incoming_, message)) {
      moved = true;
    } else {
      std::list<Incoming>& messages = waiting_[row];
      messages.splice(messages.end(), incoming_, message);
    }
  }
  blocked_ = !waiting_.empty();
  return moved;
}

// Receives what has come, if there is something; false if there is not.
bool WindowGroup::TakeIn(Communicator& communicator) {
  Engine& engine = communicator.engine();
  const std::optional<Engine::Message> message = NextMessage(engine);
  if (!message) return false;
  const uint64_t label = message->tag & Tag::kLabelMask;
  const uint32_t source = Tag::SourceOf(message->tag);
  // Of what is longer than any the beginning shows that it is.
  const size_t size = message->size <= MostBytes(label) ? message->size : sizeof(Head);
  Block bytes;
  try {
    bytes = TakeBlock(size);
  } catch (const std::bad_alloc&) {
    communicator.Abort(HCCL_E_MEMORY,
                       Format("{} has no memory for a message of {} bytes from {}",
                              communicator.NameOf(rank_), size, communicator.NameOf(source)));
    return false;
  }
  Incoming& incoming = incoming_.emplace_back();
  incoming.source = source;
  incoming.label = label;
  incoming.bytes = std::move(bytes);
  incoming.size = message->size;
  if (source < size_) held_[source] += incoming.weight();
  engine.Receive(message->tag, incoming.bytes.data(), size, &incoming.transfer);
  return true;
}

// Of a rank of which much waits here the next ones wait there: the last part of its message does
// not end before it is taken, so it sends no more.
std::optional<Engine::Message> WindowGroup::NextMessage(Engine& engine) const {
  // Both bits of the class are set: of any rank and number.
  const uint64_t any = Tag::Make(0, Tag::kWindow, 0, 0, 0);
  const uint64_t of_one = any | Tag::Make(Tag::kMaxSource, Tag::kWindow, 0, 0, 0);
  const auto full = [this](uint32_t rank) { return rank < size_ && held_[rank] >= kMaxHeld; };
  std::optional<Engine::Message> message = engine.Unexpected(any, any);
  if (!message || !full(Tag::SourceOf(message->tag))) return message;
  message.reset();
  for (uint32_t rank = 0; rank < size_ && !message; ++rank) {
    if (!full(rank))
      message = engine.Unexpected(any | Tag::Make(rank, Tag::kWindow, 0, 0, 0), of_one);
  }
  return message;
}

size_t WindowGroup::MostBytes(uint64_t label) const {
  if (label != MakeLabel(Operation::kWindow) && label != MakeLabel(Operation::kBuffer))
    return kMaxBufferTelling;
  // Heads are smaller than what they store: 64 bytes for a row, and for the flags of small windows
  // four times as much.
  const size_t room = std::max(window_ == nullptr ? size_t{0} : window_->size,
                               buffer_ == nullptr ? size_t{0} : buffer_->size());
  return 2 * room + (size_t{64} << 10);
}

WindowGroup::Row WindowGroup::RowOf(const Incoming& message) {
  Head head{};
  if (message.size >= sizeof(head)) std::memcpy(&head, message.bytes.data(), sizeof(head));
  return {message.source, message.label, head.guard};
}

bool WindowGroup::StoreOne(Communicator& communicator, std::list<Incoming>* from,
                           std::list<Incoming>::iterator at) {
  Incoming& message = *at;
  const Outcome outcome = Store(message);
  if (outcome == Outcome::kBlocked) return false;
  if (outcome == Outcome::kLost) {
    communicator.Abort(HCCL_E_REMOTE,
                       Format("a message of {} to the window of {} is lost",
                              communicator.NameOf(message.source), communicator.NameOf(rank_)));
  }
  if (outcome == Outcome::kBad) {
    communicator.Abort(HCCL_E_PARA,
                       Format("{} wrote nonsense, or outside of the window of {}",
                              communicator.NameOf(message.source), communicator.NameOf(rank_)));
  }
  communicator.engine().Release(&message.transfer);
  if (message.source < size_) held_[message.source] -= message.weight();
  KeepBlock(std::move(message.bytes));
  from->erase(at);
  return true;
}

WindowGroup::Outcome WindowGroup::Store(Incoming& message) {
  if (message.transfer.state == Transfer::State::kFailed) return Outcome::kLost;
  if (message.stale) return Outcome::kStored;
  // What came may be a stranger's: numbers of ranks that are none, any size.
  const bool of_a_rank = message.source < size_ && message.source != rank_;
  if (message.label == MakeLabel(Operation::kBufferTelling)) {
    if (!of_a_rank || message.size > kMaxBufferTelling) return Outcome::kBad;
    buffers_[message.source].telling.assign(message.bytes.data(), message.size);
    buffers_[message.source].told = true;
    return Outcome::kStored;
  }
  if (message.label == MakeLabel(Operation::kNotice)) {
    if (!of_a_rank || message.size != 1) return Outcome::kBad;
    switch (static_cast<WindowNotice>(*message.bytes.data())) {
      case WindowNotice::kRegistered:
        buffers_[message.source].registered = true;
        return Outcome::kStored;
      case WindowNotice::kDeregistered:
        buffers_[message.source].registered = false;
        return Outcome::kStored;
      case WindowNotice::kUnmapped:
        if (const auto communicator = communicator_.lock()) ServeApart(*communicator);
        return Outcome::kStored;
      case WindowNotice::kLeft:
        if (const auto communicator = communicator_.lock()) communicator->NoteLeft(message.source);
        return Outcome::kStored;
    }
    return Outcome::kBad;
  }
  const bool to_buffer = message.label == MakeLabel(Operation::kBuffer);
  // It was taken away in time: what comes late has nowhere to go.
  if (to_buffer ? buffer_ == nullptr : window_ == nullptr) return Outcome::kStored;
  char* const base = to_buffer ? buffer_->base() : window_->base;
  const uint64_t room = to_buffer ? buffer_->size() : window_->size;
  const auto fits = [room](uint64_t offset, uint64_t size) {
    return offset <= room && size <= room - offset;
  };
  const auto word_at = [&](uint64_t offset) {
    return std::atomic_ref<int32_t>(*reinterpret_cast<int32_t*>(base + offset));
  };
  if (message.transfer.truncated) return Outcome::kBad;
  Head head;
  if (message.size < sizeof(head)) return Outcome::kBad;
  std::memcpy(&head, message.bytes.data(), sizeof(head));
  size_t left = message.size - sizeof(head);
  if (head.pieces > left / sizeof(PieceHead)) return Outcome::kBad;
  left -= head.pieces * sizeof(PieceHead);
  if (head.words > left / sizeof(WordHead)) return Outcome::kBad;
  left -= head.words * sizeof(WordHead);
  const char* const pieces = message.bytes.data() + sizeof(head);
  const char* const words = pieces + head.pieces * sizeof(PieceHead);
  const char* const data = words + head.words * sizeof(WordHead);
  if (!message.checked) {
    for (uint64_t i = 0; i < head.pieces; ++i) {
      PieceHead piece;
      std::memcpy(&piece, pieces + i * sizeof(piece), sizeof(piece));
      if (piece.from > left || piece.size > left - piece.from || !fits(piece.offset, piece.size))
        return Outcome::kBad;
    }
    for (uint64_t i = 0; i < head.words; ++i) {
      WordHead word;
      std::memcpy(&word, words + i * sizeof(word), sizeof(word));
      if (word.offset % 4 != 0 || !fits(word.offset, 4)) return Outcome::kBad;
    }
    if (head.guard != WindowMessage::kNoGuard && (head.guard % 4 != 0 || !fits(head.guard, 4)))
      return Outcome::kBad;
    message.checked = true;
  }
  if (head.guard != WindowMessage::kNoGuard &&
      word_at(head.guard).load(std::memory_order_acquire) == 1) {
    return Outcome::kBlocked;
  }
  for (uint64_t i = 0; i < head.pieces; ++i) {
    PieceHead piece;
    std::memcpy(&piece, pieces + i * sizeof(piece), sizeof(piece));
    if (piece.size != 0) std::memcpy(base + piece.offset, data + piece.from, piece.size);
  }
  for (uint64_t i = 0; i < head.words; ++i) {
    WordHead word;
    std::memcpy(&word, words + i * sizeof(word), sizeof(word));
    word_at(word.offset).store(static_cast<int32_t>(word.value), std::memory_order_release);
  }
  return Outcome::kStored;
}

}  // namespace anyacl::hccl
