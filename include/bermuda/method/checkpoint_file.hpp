#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/method/method.hpp"

namespace bermuda {

/// What a fit depends on: two fits with the same key make the same model.
struct FitKey {
  std::string method;
  std::string data;           ///< name of the data set, for people
  std::string data_checksum;  ///< of the graphs to train and to validate on
  int fold = 0;
  std::uint64_t seed = 1;
  nlohmann::ordered_json options = nlohmann::ordered_json::object();  ///< Settings::values()
  std::string initial = {};  ///< checksum of FitTask::initial; empty: none
};

/// SHA-256 over ids, classes and graphs. O(size of the data).
std::string samples_checksum(Samples train, Samples validation);

/// How `stored`, the key of a `what` ("checkpoint"), differs from the key of a fit that is about to
/// go on from there; one text each, e.g. "--width: checkpoint has 146, now 110". Parameters that
/// only say when to stop may differ, and so may the data's name.
std::vector<std::string> key_differences(const FitKey& stored, const FitKey& now,
                                         const Settings& settings, std::string_view what);

/// An interrupted fit.
struct Checkpoint {
  FitKey key;
  int epochs = 0;          ///< completed
  double seconds = 0;      ///< spent on them
  std::string state;       ///< the method's own
  double cpu_seconds = 0;  ///< of the processor, on the epochs
};

/// One file: the line "bermuda-checkpoint 1", a JSON header (key, epochs, seconds), the method's
/// bytes, and the SHA-256 of all that.
std::string encode_checkpoint(const Checkpoint& checkpoint);

/// Throws InputError for a file that is no checkpoint, of another version or damaged.
Checkpoint decode_checkpoint(std::string_view bytes, const std::string& file);

}  // namespace bermuda
