#pragma once

#include <sys/types.h>

#include <filesystem>

namespace bermuda {

/// What may be overwritten when the user says so: what this program writes, and nothing else.
///
/// A file: one that begins as those that our commands write (a model, a table, a picture, a report,
/// an export, a data set in one file), or an empty one. A folder: a data set in one of our formats
/// or a run of train, whose files begin as theirs do, with nothing else in it, not even another
/// folder; or an empty one. Nothing else: no link, no device, pipe or socket, no other file.
///
/// Throws UsageError that names what is not ours. Nothing there is fine.
void check_replaceable(const std::filesystem::path& path);

/// In words: "a named pipe".
const char* kind_of_file(mode_t mode);

}  // namespace bermuda
