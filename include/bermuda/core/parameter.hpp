#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bermuda {

/// One setting of a task or a method, bound to the variable that holds it. Written once, it feeds
/// the command line, configuration files, manifests and the docs.
struct Parameter {
  using Target = std::variant<int*, double*, bool*, std::string*, std::vector<std::string>*,
                              std::vector<double>*>;

  std::string name;  ///< as on the command line, without dashes: "min-nodes"
  std::string help;
  Target target;
  double low = 0;                    ///< numbers: smallest value
  double high = 0;                   ///< numbers: largest value
  std::vector<std::string> choices;  ///< texts: what is allowed; empty for anything
  bool only_stops = false;           ///< says when to stop, not what is learnt up to then

  /// Parses, checks the range and stores. Throws UsageError that names the parameter.
  void set(std::string_view text) const;
  nlohmann::ordered_json value() const;
  std::string value_text() const;  ///< "0.15,0.2", "on"
  std::string range_text() const;  ///< "1..1000", "knn|radius|random"; empty when anything goes
  std::string key() const;         ///< name in JSON and TOML: "min_nodes"
  bool is_flag() const { return std::holds_alternative<bool*>(target); }
};

class ParameterSet {
 public:
  ParameterSet& add(std::string name, int& target, int low, int high, std::string help);
  ParameterSet& add(std::string name, double& target, double low, double high, std::string help);
  ParameterSet& add(std::string name, bool& target, std::string help);
  ParameterSet& add(std::string name, std::string& target, std::vector<std::string> choices,
                    std::string help);
  ParameterSet& add(std::string name, std::vector<std::string>& target,
                    std::vector<std::string> choices, std::string help);
  ParameterSet& add(std::string name, std::vector<double>& target, double low, double high,
                    std::string help);
  /// Marks the parameter added last as one that only says when to stop (most epochs, patience): it
  /// may change when an interrupted run is resumed.
  ParameterSet& only_stops();

  const std::vector<Parameter>& all() const { return parameters_; }
  /// By name or key. Throws UsageError for an unknown one.
  const Parameter& get(std::string_view name) const;
  nlohmann::ordered_json values() const;

 private:
  std::vector<Parameter> parameters_;
};

}  // namespace bermuda
