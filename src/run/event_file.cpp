#include "bermuda/run/event_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegins = "events.out.tfevents.";
constexpr std::string_view kEnds = ".bermuda";
constexpr std::string_view kEventVersion = "brain.Event:2";

struct Scalar {
  const char* tag;
  double EpochRecord::*field;
};
constexpr std::array kScalars = {
    Scalar{"loss/train", &EpochRecord::train_loss},
    Scalar{"loss/validation", &EpochRecord::validation_loss},
    Scalar{"accuracy/train", &EpochRecord::train_accuracy},
    Scalar{"accuracy/validation", &EpochRecord::validation_accuracy},
    Scalar{"learning_rate", &EpochRecord::learning_rate},
    Scalar{"seconds", &EpochRecord::seconds},
};

constexpr std::array<std::uint32_t, 256> crc_table() {
  constexpr std::uint32_t kReversed = 0x82f63b78;
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? kReversed : 0);
    table[byte] = rest;
  }
  return table;
}

/// Little endian, whatever the machine.
template <typename Number>
void put_fixed(std::string& out, Number value) {
  for (std::size_t i = 0; i < sizeof value; ++i) {
    out += static_cast<char>((value >> (8 * i)) & 0xff);
  }
}

// Protocol buffers: a field is its number and kind, then its value.
enum class Wire : std::uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

void put_varint(std::string& out, std::uint64_t value) {
  while (value > 0x7f) {
    out += static_cast<char>((value & 0x7f) | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

void put_key(std::string& out, std::uint32_t field, Wire wire) {
  put_varint(out, (field << 3) | static_cast<std::uint32_t>(wire));
}

void put_bytes(std::string& out, std::uint32_t field, std::string_view bytes) {
  put_key(out, field, Wire::kBytes);
  put_varint(out, bytes.size());
  out += bytes;
}

/// Summary.Value: its tag and simple_value.
std::string value_message(std::string_view tag, double value) {
  std::string message;
  put_bytes(message, 1, tag);
  put_key(message, 2, Wire::kFixed32);
  put_fixed(message, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  return message;
}

/// Event: wall_time and step, then what it tells.
std::string event_start(int step) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  std::string event;
  put_key(event, 1, Wire::kFixed64);
  put_fixed(event, std::bit_cast<std::uint64_t>(std::chrono::duration<double>(now).count()));
  put_key(event, 2, Wire::kVarint);
  put_varint(event, static_cast<std::uint64_t>(step));
  return event;
}

std::string record_of(const std::string& event) {
  const auto masked = [](std::string_view bytes) {
    const std::uint32_t crc = crc32c(bytes);
    return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
  };
  std::string record;
  put_fixed(record, static_cast<std::uint64_t>(event.size()));
  put_fixed(record, masked(record));
  record += event;
  put_fixed(record, masked(event));
  return record;
}

std::string version_record() {
  std::string event = event_start(0);
  put_bytes(event, 3, kEventVersion);
  return record_of(event);
}

/// SessionLog.START: readers drop what earlier files say of this step and later ones.
std::string restart_record(int step) {
  std::string log;
  put_key(log, 1, Wire::kVarint);
  put_varint(log, 1);
  std::string event = event_start(step);
  put_bytes(event, 7, log);
  return record_of(event);
}

std::string summary_record(int step, const std::vector<std::string>& values) {
  std::string summary;
  for (const std::string& value : values) put_bytes(summary, 1, value);
  std::string event = event_start(step);
  put_bytes(event, 5, summary);
  return record_of(event);
}

std::vector<fs::path> event_files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename().string().find("tfevents") != std::string::npos) {
      files.push_back(entry.path());
    }
  }
  return files;
}

bool is_ours(const fs::path& file) {
  const std::string name = file.filename().string();
  if (!name.starts_with(kBegins) || !name.ends_with(kEnds)) return false;
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(file, error))) return false;
  const std::string start = InputFile(file).read(0, 64);
  return start.empty() || start.find(kEventVersion) != std::string::npos;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = crc_table();
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char c : bytes) {
    crc = (crc >> 8) ^ kTable[(crc ^ static_cast<unsigned char>(c)) & 0xff];
  }
  return ~crc;
}

EventFile EventFile::begin(const fs::path& folder, bool overwrite) {
  const std::vector<fs::path> earlier = event_files_in(folder);
  for (const fs::path& file : earlier) {
    if (!overwrite) {
      throw UsageError(
          fmt::format("{}: has event files of another run (--force replaces those "
                      "that bermuda wrote)",
                      folder.string()));
    }
    if (!is_ours(file)) {
      throw UsageError(
          fmt::format("{}: is no event file of ours; only what bermuda wrote is "
                      "overwritten",
                      file.string()));
    }
  }
  // Not before all were looked at: who is refused has lost nothing.
  for (const fs::path& file : earlier) fs::remove(file);
  return EventFile(folder, 0);
}

EventFile EventFile::go_on(const fs::path& folder, int epochs) {
  const bool earlier = !event_files_in(folder).empty();
  EventFile file(folder, earlier ? epochs : 0);
  if (earlier) file.append(restart_record(epochs + 1));
  return file;
}

EventFile::EventFile(const fs::path& folder, int told) : told_(told) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError(folder.string(), "make", error.value());
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  // Readers take files in the order of their names; nanoseconds, for a run may be stopped soon.
  path_ = folder / fmt::format("{}{}.{}{}", kBegins,
                               std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(),
                               ::getpid(), kEnds);
  descriptor_ =
      ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw IoError(path_.string(), "create", errno);
  append(version_record());
}

EventFile::EventFile(EventFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      told_(other.told_) {}

EventFile::~EventFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void EventFile::append(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw IoError(path_.string(), "write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void EventFile::add(std::span<const EpochRecord> epochs) {
  std::string records;
  for (const EpochRecord& epoch : epochs) {
    if (epoch.epoch <= told_) continue;
    std::vector<std::string> values;
    for (const Scalar& scalar : kScalars) {
      values.push_back(value_message(scalar.tag, epoch.*scalar.field));
    }
    records += summary_record(epoch.epoch, values);
    told_ = epoch.epoch;
  }
  append(records);
}

void EventFile::add(const RunResult& result) {
  add(result.curve);
  std::vector<std::string> values = {value_message("accuracy/test", result.test.accuracy),
                                     value_message("macro_f1/test", result.test.macro_f1)};
  if (result.curve.empty()) {
    values.push_back(value_message("accuracy/validation", result.validation_accuracy));
  }
  append(summary_record(result.best_epoch, values));
}

}  // namespace bermuda
