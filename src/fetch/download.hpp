#pragma once

#include <string>

#include "bermuda/fetch/fetch.hpp"
#include "partial_file.hpp"

namespace bermuda {

/// Brings the zip at the address into the file, going on from what it holds where that is of the
/// same version of the same address. The number of bytes that were there and could be kept.
/// A name and password in the address are sent, but neither told nor kept. What arrives must begin
/// as a zip archive does. Throws as fetch_tu(); the file keeps what came.
std::uint64_t download(const std::string& address, PartialFile& file, const FetchOptions& options,
                       const Execution& execution);

}  // namespace bermuda
