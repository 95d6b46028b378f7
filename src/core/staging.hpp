#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bermuda {

/// Something hidden beside its target, `.TARGET.writing-0123456789abcdef`, that is filled and then
/// takes the target's place. Its name cannot be guessed and nothing that stands there is opened or
/// followed. Whoever writes holds a lock on it, which goes with the process however that ends: so
/// the next one who wants the target can tell what a killed program left, and takes it away.
class Staging {
 public:
  enum class Kind { kFile, kFolder };
  /// Throws IoError.
  Staging(const std::filesystem::path& target, Kind kind);
  /// Removes what stands under its name, if anything.
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return descriptor_; }

 private:
  bool create(Kind kind);

  std::filesystem::path path_;
  int descriptor_ = -1;
};

/// Whether a Staging for this target, or for any when it is empty, has such a name.
bool is_staging_name(std::string_view name, std::string_view target = {});

/// Removes a file, a link, or a folder without folders in it. Follows nothing; what it cannot
/// remove stays.
void remove_flat(const std::filesystem::path& path);

}  // namespace bermuda
