#pragma once

#include <filesystem>

namespace bermuda {

/// A library is code that runs as the user. Throws UsageError, which says what allows it, when
/// somebody else could have put it there: when the file, or the folder it stands in, is writable by
/// everybody or belongs to a stranger; or when everybody may write to a folder above (but for those
/// where only owners may rename, such as /tmp). No stranger is the user, root, and whoever owns the
/// program that runs. Groups are trusted: on Debian a user has one of their own.
void check_trusted(const std::filesystem::path& file);

}  // namespace bermuda
