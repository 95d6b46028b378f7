#include "archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <set>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/text.hpp"
#include "fields.hpp"
#include "formats.hpp"

namespace bermuda {
namespace {

using ArchiveHandle = std::unique_ptr<archive, int (*)(archive*)>;

[[noreturn]] void refuse(const std::string& place, std::string found, std::string expected) {
  throw InputError(place, 0, std::move(found), std::move(expected));
}

[[noreturn]] void refuse_damaged(const std::string& place, archive* handle) {
  const char* message = archive_error_string(handle);
  refuse(place, fmt::format("a damaged archive ({})", message == nullptr ? "unknown" : message),
         "a zip archive");
}

bool leaves_folder(std::string_view name) {
  if (name.starts_with('/') || name.starts_with('\\') || name.find(':') != name.npos) return true;
  for (const std::string_view part : split_fields(name, '/')) {
    for (const std::string_view piece : split_fields(part, '\\')) {
      if (piece == "..") return true;
    }
  }
  return false;
}

bool has_control_bytes(std::string_view name) {
  return std::any_of(name.begin(), name.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

std::string checked_name(archive_entry* entry, const std::string& place) {
  const char* name = archive_entry_pathname(entry);
  // In whatever encoding: a file that nobody reads may be called what it likes.
  if (name == nullptr || *name == '\0' || has_control_bytes(name)) {
    refuse(place, "an entry without a readable name", "names of files");
  }
  if (leaves_folder(name)) {
    refuse(place, fmt::format("entry {}", in_quotes(name)), "a path inside the archive");
  }
  if (archive_entry_symlink(entry) != nullptr || archive_entry_hardlink(entry) != nullptr) {
    refuse(place, fmt::format("the link {}", in_quotes(name)), "files and folders only");
  }
  const auto type = archive_entry_filetype(entry);
  if (type != AE_IFREG && type != AE_IFDIR && type != 0) {
    refuse(place, fmt::format("the special file {}", in_quotes(name)), "files and folders only");
  }
  if (archive_entry_is_encrypted(entry) != 0) {
    refuse(place, fmt::format("the encrypted entry {}", in_quotes(name)),
           "an archive without password");
  }
  return name;
}

bool is_folder_entry(archive_entry* entry, const std::string& name) {
  return archive_entry_filetype(entry) == AE_IFDIR || name.ends_with('/');
}

/// Calls visit(handle, entry, name) for every file.
void for_each_file(std::string_view bytes, const std::string& place, const ArchiveLimits& limits,
                   const std::function<void(archive*, archive_entry*, std::string)>& visit) {
  const ArchiveHandle handle(archive_read_new(), archive_read_free);
  if (!handle) throw Error("libarchive cannot start");
  // The seekable reader goes by the table at the archive's end: a truncated file lacks it, while
  // the streaming reader would take what is left for the whole.
  archive_read_support_format_zip_seekable(handle.get());
  if (archive_read_open_memory(handle.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) {
    refuse_damaged(place, handle.get());
  }
  std::set<std::string> seen;
  for (;;) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(handle.get(), &entry);
    if (status == ARCHIVE_EOF) return;
    // A warning concerns the name's characters, which checked_name looks at.
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) refuse_damaged(place, handle.get());
    std::string name = checked_name(entry, place);
    if (is_folder_entry(entry, name)) continue;
    if (!seen.insert(name).second) {
      refuse(place, fmt::format("{} twice", in_quotes(name)), "every file once");
    }
    if (seen.size() > limits.max_files) {
      refuse(place, fmt::format("more than {} files", limits.max_files), "fewer");
    }
    visit(handle.get(), entry, std::move(name));
  }
}

/// How much an archive of this size may hold.
std::uint64_t most_bytes(const ArchiveLimits& limits, std::size_t archive_size) {
  return std::min(limits.max_bytes, limits.free_bytes + limits.max_ratio * archive_size);
}

}  // namespace

FileTexts parse_archive(std::string_view bytes, const std::string& place,
                        const ArchiveLimits& limits, const WantedFile& wanted, StopPoll stop) {
  FileTexts files;
  std::uint64_t total = 0;
  const std::uint64_t most = most_bytes(limits, bytes.size());
  std::vector<char> chunk(std::size_t{1} << 16);
  for_each_file(bytes, place, limits, [&](archive* handle, archive_entry*, std::string name) {
    if (wanted && !wanted(name)) return;
    std::string& text = files[name];
    for (;;) {
      stop.now();
      const la_ssize_t got = archive_read_data(handle, chunk.data(), chunk.size());
      if (got == 0) return;
      if (got < 0) refuse_damaged(place, handle);
      // What the entry's header claims is not trusted: bytes are counted as they come.
      total += static_cast<std::uint64_t>(got);
      if (total > most) {
        refuse(place,
               fmt::format("more than {} bytes unpacked from {} ({})", most, bytes.size(),
                           in_quotes(name)),
               "less");
      }
      text.append(chunk.data(), static_cast<std::size_t>(got));
    }
  });
  return files;
}

std::map<std::string, std::string> read_archive(const std::filesystem::path& path,
                                                const ArchiveLimits& limits,
                                                const WantedFile& wanted, StopPoll stop) {
  return parse_archive(read_file(path), path.string(), limits, wanted, stop);
}

std::vector<std::string> list_archive(const std::filesystem::path& path,
                                      const ArchiveLimits& limits) {
  return list_archive(read_file(path), path.string(), limits);
}

std::vector<std::string> list_archive(std::string_view bytes, const std::string& place,
                                      const ArchiveLimits& limits) {
  std::vector<std::string> names;
  for_each_file(bytes, place, limits, [&](archive*, archive_entry*, std::string name) {
    names.push_back(std::move(name));
  });
  return names;
}

}  // namespace bermuda
