// SPDX-License-Identifier: Apache-2.0
#include "runtime/shared_extent.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <vector>

#include "acl/acl_rt.h"
#include "base/fork_locks.h"
#include "base/format.h"

namespace anyacl {

// An entry of the table of exports at the beginning of the file, in memory that all processes
// share. Whoever takes the last user away gives the pages back.
struct ExtentSlot {
  static constexpr size_t kMaxPids = 54;

  std::atomic<uint32_t> users;  // the process that made the extent and those that imported it
  std::atomic<uint32_t> generation;
  std::atomic<uint32_t> open;    // may be imported
  std::atomic<uint32_t> anyone;  // by every process
  uint64_t offset;
  uint64_t size;
  int32_t device;
  std::atomic<uint32_t> pid_count;
  std::array<std::atomic<int32_t>, kMaxPids> pids;
};
static_assert(sizeof(ExtentSlot) == 256 && std::atomic<uint32_t>::is_always_lock_free);

namespace {

// A token names process, file descriptor, slot and generation.
constexpr int kFdBits = 16, kSlotBits = 18, kGenerationBits = 8;
constexpr uint32_t kSlots = 1u << kSlotBits;
constexpr size_t kTableBytes = kSlots * sizeof(ExtentSlot);
constexpr uint64_t kMagic = 0x316c63617961ull;  // in the first slot, which is never given out
constexpr char kFileName[] = "anyacl-shared";

struct Token {
  int32_t pid;
  int32_t fd;
  uint32_t slot;
  uint32_t generation;

  explicit Token(uint64_t token)
      : pid(static_cast<int32_t>(token >> (kFdBits + kSlotBits + kGenerationBits))),
        fd(static_cast<int32_t>(token >> (kSlotBits + kGenerationBits) & ((1u << kFdBits) - 1))),
        slot(static_cast<uint32_t>(token >> kGenerationBits) & (kSlots - 1)),
        generation(static_cast<uint32_t>(token) & ((1u << kGenerationBits) - 1)) {}
  Token(int32_t pid, int32_t fd, uint32_t slot, uint32_t generation)
      : pid(pid), fd(fd), slot(slot), generation(generation % (1u << kGenerationBits)) {}

  uint64_t number() const {
    return ((uint64_t(pid) << kFdBits | uint64_t(fd)) << kSlotBits | slot) << kGenerationBits |
           generation;
  }
};

}  // namespace

// The file of this process or of another one.
class SharedFile {
 public:
  SharedFile(int fd, pid_t owner, ino_t inode, ExtentSlot* table)
      : fd_(fd), owner_(owner), inode_(inode), table_(table) {}
  // Of a peer: nothing of this process is in it. This process's own is never closed.
  ~SharedFile() {
    munmap(static_cast<void*>(table_), kTableBytes);
    close(fd_);
  }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  static std::shared_ptr<SharedFile> Create();
  static std::shared_ptr<SharedFile> OpenPeer(const Token& token);

  int fd() const { return fd_; }
  pid_t owner() const { return owner_; }
  ino_t inode() const { return inode_; }
  ExtentSlot& slot(uint32_t index) const { return table_[index]; }

  // Offsets are used once: there are 2^63 of them. Called by the owner with the lock of Files().
  bool Grow(size_t size, uint64_t* offset) {
    const uint64_t begin = next_offset_;
    if (size > INT64_MAX - begin || ftruncate(fd_, static_cast<off_t>(begin + size)) != 0) {
      return false;
    }
    next_offset_ = begin + size;
    *offset = begin;
    return true;
  }
  // A slot that nobody uses, or 0. Called by the owner with the lock of Files().
  uint32_t TakeSlot() {
    for (uint32_t tried = 1; tried < kSlots; ++tried) {
      next_slot_ = next_slot_ % (kSlots - 1) + 1;
      if (slot(next_slot_).users.load(std::memory_order_acquire) == 0) return next_slot_;
    }
    return 0;
  }
  void GiveBackPages(uint64_t offset, size_t size) const {
    fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
              static_cast<off_t>(size));
  }

 private:
  const int fd_;
  const pid_t owner_;
  const ino_t inode_;
  ExtentSlot* const table_;
  uint64_t next_offset_ = kTableBytes;
  uint32_t next_slot_ = 0;
};

namespace {

struct SharedFiles {
  std::mutex mutex;
  std::shared_ptr<SharedFile> own;  // made at first use; a forked child makes its own
  std::vector<std::weak_ptr<SharedFile>> peers;
};

SharedFiles& Files() {
  static SharedFiles* files = [] {
    auto* created = new SharedFiles;
    ForkLocks::Add(ForkOrder::kSharedMemory,
                   {[created] { created->mutex.lock(); }, [created] { created->mutex.unlock(); },
                    [created] {
                      // What the parent made is still mapped, and the parent's to give back.
                      static_cast<void>(new std::shared_ptr<SharedFile>(std::move(created->own)));
                      created->own = nullptr;
                    }});
    return created;
  }();
  return *files;
}
[[maybe_unused]] const bool kSharedExtentMadeAtLoad = (Files(), true);

ExtentSlot* MapTable(int fd) {
  void* table = mmap(nullptr, kTableBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return table == MAP_FAILED ? nullptr : static_cast<ExtentSlot*>(table);
}

Status NotShared(uint64_t token, const char* why) {
  return Fail(ACL_ERROR_RT_PARAM_INVALID,
              "shared memory {:#x} {}, expected what a living process of this user exported", token,
              why);
}

bool MayImport(const ExtentSlot& slot, int32_t pid) {
  if (slot.anyone.load(std::memory_order_acquire) != 0) return true;
  const size_t count =
      std::min<size_t>(slot.pid_count.load(std::memory_order_acquire), ExtentSlot::kMaxPids);
  return std::any_of(slot.pids.begin(), slot.pids.begin() + static_cast<ptrdiff_t>(count),
                     [pid](const auto& allowed) { return allowed.load() == pid; });
}

// Adds a user unless the last one has gone.
bool AddUser(ExtentSlot& slot) {
  uint32_t users = slot.users.load(std::memory_order_acquire);
  while (users != 0 && !slot.users.compare_exchange_weak(users, users + 1)) {
  }
  return users != 0;
}

}  // namespace

std::shared_ptr<SharedFile> SharedFile::Create() {
  const int fd = memfd_create(kFileName, MFD_CLOEXEC);
  struct stat status {};
  ExtentSlot* table = nullptr;
  if (fd < 0 || fd >= 1 << kFdBits || ftruncate(fd, kTableBytes) != 0 || fstat(fd, &status) != 0 ||
      (table = MapTable(fd)) == nullptr) {
    if (fd >= 0) close(fd);
    return nullptr;
  }
  table[0].offset = kMagic;
  return std::make_shared<SharedFile>(fd, getpid(), status.st_ino, table);
}

std::shared_ptr<SharedFile> SharedFile::OpenPeer(const Token& token) {
  const std::string path = Format("/proc/{}/fd/{}", token.pid, token.fd);
  // Anything may have this number by now: look before opening, which can block or have effects.
  char name[64] = {};
  const std::string expected = Format("/memfd:{}", kFileName);
  if (readlink(path.c_str(), name, sizeof(name) - 1) < 0 ||
      std::strncmp(name, expected.c_str(), expected.size()) != 0) {
    return nullptr;
  }
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return nullptr;
  struct stat status {};
  const bool sound = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                     static_cast<size_t>(status.st_size) >= kTableBytes;
  SharedFiles& files = Files();
  std::lock_guard lock(files.mutex);
  std::erase_if(files.peers, [](const auto& peer) { return peer.expired(); });
  if (sound) {
    std::shared_ptr<SharedFile> known = files.own;
    if (known != nullptr && known->inode() != status.st_ino) known = nullptr;
    for (const auto& peer : files.peers) {
      const std::shared_ptr<SharedFile> file = peer.lock();
      if (file != nullptr && file->inode() == status.st_ino) known = file;
    }
    if (known != nullptr) {
      close(fd);
      return known;
    }
  }
  ExtentSlot* table = sound ? MapTable(fd) : nullptr;
  if (table == nullptr || table[0].offset != kMagic) {
    if (table != nullptr) munmap(static_cast<void*>(table), kTableBytes);
    close(fd);
    return nullptr;
  }
  auto file = std::make_shared<SharedFile>(fd, token.pid, status.st_ino, table);
  files.peers.push_back(file);
  return file;
}

SharedExtent::SharedExtent(std::shared_ptr<SharedFile> file, uint64_t offset, size_t size,
                           int32_t device)
    : file_(std::move(file)), offset_(offset), size_(size), device_(device), holder_(getpid()) {}

std::shared_ptr<SharedExtent> SharedExtent::New(size_t size, int32_t device) {
  SharedFiles& files = Files();
  std::lock_guard lock(files.mutex);
  if (files.own == nullptr) files.own = SharedFile::Create();
  uint64_t offset = 0;
  if (files.own == nullptr || !files.own->Grow(size, &offset)) return nullptr;
  return std::shared_ptr<SharedExtent>(new SharedExtent(files.own, offset, size, device));
}

SharedExtent::~SharedExtent() {
  if (getpid() != holder_) return;
  if (slot_) {
    if (!imported_) CloseExport();
    if (file_->slot(*slot_).users.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  }
  file_->GiveBackPages(offset_, size_);
}

void* SharedExtent::Map(void* address, size_t size) const {
  const int fixed = address != nullptr ? MAP_FIXED : 0;
  void* mapped = mmap(address, size, PROT_READ | PROT_WRITE, MAP_SHARED | fixed, file_->fd(),
                      static_cast<off_t>(offset_));
  return mapped == MAP_FAILED ? nullptr : mapped;
}

bool SharedExtent::Replace(void* memory, size_t size) const {
  // Bare calls: other threads may read and write the bytes meanwhile, which the wrappers would have
  // ThreadSanitizer report as races.
  for (size_t done = 0; done < size;) {
    const long written = syscall(SYS_pwrite64, file_->fd(), static_cast<char*>(memory) + done,
                                 size - done, offset_ + done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<size_t>(written);
  }
  return syscall(SYS_mmap, memory, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                 file_->fd(), offset_) != -1;
}

Status SharedExtent::Export(bool anyone, uint64_t* token) {
  if (imported_ || holder_ != getpid()) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "the memory was made by process {}, which alone can export it", file_->owner());
  }
  SharedFiles& files = Files();
  std::lock_guard lock(files.mutex);
  if (!slot_) {
    const uint32_t index = file_->TakeSlot();
    if (index == 0) {
      return Fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "{} blocks are exported already", kSlots - 1);
    }
    ExtentSlot& slot = file_->slot(index);
    slot.generation.fetch_add(1);
    slot.anyone = 0;
    slot.pid_count = 0;
    slot.offset = offset_;
    slot.size = size_;
    slot.device = device_;
    slot.users.store(1, std::memory_order_release);
    slot_ = index;
  }
  ExtentSlot& slot = file_->slot(*slot_);
  if (anyone) slot.anyone.store(1, std::memory_order_release);
  slot.open.store(1, std::memory_order_release);
  *token = Token(holder_, file_->fd(), *slot_, slot.generation.load()).number();
  return {};
}

void SharedExtent::CloseExport() {
  if (slot_) file_->slot(*slot_).open.store(0, std::memory_order_release);
}

Status SharedExtent::Import(uint64_t number, std::shared_ptr<SharedExtent>* extent) {
  const Token token(number);
  const std::shared_ptr<SharedFile> file = SharedFile::OpenPeer(token);
  if (file == nullptr || token.slot == 0) {
    return NotShared(number, "is of no process that can be reached");
  }
  ExtentSlot& slot = file->slot(token.slot);
  if (!AddUser(slot)) return NotShared(number, "was freed");
  // From here on the destructor takes the user away again.
  std::shared_ptr<SharedExtent> found(new SharedExtent(file, slot.offset, slot.size, slot.device));
  found->slot_ = token.slot;
  found->imported_ = true;
  if (Token(0, 0, 0, slot.generation.load()).generation != token.generation) {
    return NotShared(number, "was freed");
  }
  if (slot.open.load(std::memory_order_acquire) == 0) return NotShared(number, "was closed");
  if (!MayImport(slot, getpid())) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "shared memory {:#x} is not meant for process {}, expected one that the exporting "
                "process {} named (or an export without validation of processes)",
                number, getpid(), token.pid);
  }
  struct stat status {};
  const bool inside = fstat(file->fd(), &status) == 0 && slot.size != 0 &&
                      slot.offset < static_cast<uint64_t>(status.st_size) &&
                      slot.size <= static_cast<uint64_t>(status.st_size) - slot.offset;
  if (!inside) return NotShared(number, "lies outside its file");
  *extent = std::move(found);
  return {};
}

Status SharedExtent::Allow(uint64_t number, const int32_t* pids, size_t count) {
  const Token token(number);
  SharedFiles& files = Files();
  std::lock_guard lock(files.mutex);
  if (files.own == nullptr || token.pid != getpid() || token.fd != files.own->fd() ||
      token.slot == 0) {
    return NotShared(number, "was not exported by this process");
  }
  ExtentSlot& slot = files.own->slot(token.slot);
  if (slot.users == 0 || slot.open == 0 ||
      Token(0, 0, 0, slot.generation.load()).generation != token.generation) {
    return NotShared(number, "is not exported any more");
  }
  const uint32_t known = slot.pid_count;
  if (count > ExtentSlot::kMaxPids - known) {
    return Fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
                "{} processes are added to {}, expected at most {} in all", count, known,
                ExtentSlot::kMaxPids);
  }
  for (size_t i = 0; i < count; ++i) slot.pids[known + i] = pids[i];
  slot.pid_count.store(known + static_cast<uint32_t>(count), std::memory_order_release);
  return {};
}

}  // namespace anyacl
