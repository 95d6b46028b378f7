#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/method/method.hpp"
#include "bermuda/method/training_summary.hpp"

namespace bermuda {

/// A fitted method with what is needed to use it on other data.
struct Model {
  std::unique_ptr<Method> method;
  std::vector<std::string> class_names;     ///< of the data it was fitted on
  std::optional<TrainingSummary> training;  ///< older files do not have it
};

/// One file: the line "bermuda-model 2", a JSON header (method, options, classes and, where it is
/// known, what training was like), the method's own bytes, and the SHA-256 of all that.
std::string encode_model(const Method& method, const std::vector<std::string>& class_names,
                         const std::optional<TrainingSummary>& training = {});

/// What a model file tells of itself without its method.
struct ModelHeader {
  std::string method;
  std::vector<std::string> class_names;
  nlohmann::ordered_json options;  ///< by key, texts; those that were left open are missing
  std::optional<TrainingSummary> training;
};

/// Throws InputError for a file that is no model, of another version or damaged.
ModelHeader decode_model_header(std::string_view bytes, const std::string& file);

/// Throws InputError for a file that is no model, of another version, damaged, or made by a method
/// that the registry lacks. `file` is for the message only.
Model decode_model(std::string_view bytes, const std::string& file, const MethodRegistry& registry);

}  // namespace bermuda
