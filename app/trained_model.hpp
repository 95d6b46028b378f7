#pragma once

#include <string>
#include <vector>

#include "bermuda/dataset/dataset.hpp"
#include "bermuda/method/model_file.hpp"
#include "command.hpp"

namespace bermuda::app {

/// Reads data whose classes are then numbered as the model's, which may be listed in another order
/// or be more. Throws UsageError for a class that the model does not know; without_classes leaves
/// all of them out instead.
DataSet read_dataset_for(const Model& model, const std::string& place, const ReadOptions& options,
                         bool without_classes = false);

/// What the model was not prepared for, told in notes: unlike_training(). Returns the sentences.
std::vector<std::string> note_differences(const Model& model,
                                          const std::vector<const Sample*>& asked,
                                          const DataSet& data, Session& session);

/// A model may be somebody else's, and with it its command: it is run where the user said
/// --run-command. Throws UsageError otherwise.
void allow_command(Method& method, const std::string& run, bool allowed);

/// One thread for methods that are best run so, unless the user says otherwise.
Execution execution_for(const Method& method, const CommonOptions& options, Session& session);

}  // namespace bermuda::app
