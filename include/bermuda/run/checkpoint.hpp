#pragma once

#include <string>
#include <string_view>

#include "bermuda/run/spec.hpp"

namespace bermuda {

/// An interrupted fit.
struct Checkpoint {
  RunSpec spec;            ///< without data_checksum: the file knows fit_checksum only
  int epochs = 0;          ///< completed
  double seconds = 0;      ///< spent on them
  std::string state;       ///< the method's own
  double cpu_seconds = 0;  ///< of the processor, on the epochs
};

/// One file: the line "bermuda-checkpoint 1", a JSON header (fit_json(), epochs, seconds), the
/// method's bytes, and the SHA-256 of all that.
std::string encode_checkpoint(const Checkpoint& checkpoint);

/// Throws InputError for a file that is no checkpoint, of another version or damaged.
Checkpoint decode_checkpoint(std::string_view bytes, const std::string& file);

}  // namespace bermuda
