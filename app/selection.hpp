#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bermuda/dataset/dataset.hpp"

namespace bermuda::app {

struct Selected {
  const Split* split = nullptr;
  const Sample* sample = nullptr;
};

/// Which graphs of a data set a command looks at; an empty field leaves nothing out.
struct Selection {
  std::string split;
  std::string class_name;
  std::string id;

  void add_split(CLI::App* command);
  void add_class(CLI::App* command);

  /// In the order of the data. Throws UsageError for a split that is not there and when nothing
  /// fits; `place` is for the message.
  std::vector<Selected> of(const DataSet& data, const std::string& place) const;
};

/// The name of a class for people and, as JSON, for programs; "?" and null for none.
std::string class_text(const std::vector<std::string>& names, int label);
nlohmann::ordered_json class_json(const std::vector<std::string>& names, int label);

std::vector<const Sample*> samples_of(const std::vector<Selected>& selected);

}  // namespace bermuda::app
