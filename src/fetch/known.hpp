#pragma once

#include <map>
#include <string>
#include <string_view>

namespace bermuda {

/// SHA-256 of what a TU file says: its lines without blanks and line ends, which differ between
/// mirrors.
std::string content_checksum(std::string_view text);

/// Whether this program knows what the data set consists of.
bool is_known(std::string_view name);

/// Throws InputError when a file of a known data set is missing or says something else; files that
/// are not known pass. `files` are by their plain names.
void check_content(const std::string& name, const std::map<std::string, std::string>& files,
                   const std::string& place);

}  // namespace bermuda
