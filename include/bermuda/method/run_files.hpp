#pragma once

namespace bermuda {

/// What stands in the folder of a run that `bermuda train` made.
inline constexpr const char* kModelFile = "model.bermuda";
inline constexpr const char* kRunFile = "run.json";
inline constexpr const char* kCheckpointFile = "checkpoint.bermuda";  ///< while it is unfinished
inline constexpr const char* kEpochsFile = "epochs.tsv";              ///< methods with epochs
inline constexpr const char* kCurvesFile = "curves.svg";              ///< methods with epochs

}  // namespace bermuda
