#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bermuda {

/// One setting of a task or a method: what it means and what it holds. Written once, it feeds the
/// command line, configuration files, manifests and the docs. It is bound to the variable that
/// holds the value; only a Parameter can change that.
class Setting {
 public:
  using Target = std::variant<int*, double*, bool*, std::string*, std::vector<std::string>*,
                              std::vector<double>*, std::optional<int>*, std::optional<double>*>;

  std::string name;  ///< as on the command line, without dashes: "min-nodes"
  std::string help;
  double low = 0;                    ///< numbers: smallest value
  double high = 0;                   ///< numbers: largest value
  std::vector<std::string> choices;  ///< texts: what is allowed; empty for anything
  std::string when_open;    ///< what holds while nothing is set: "as the recipe says: 128 or 20"
  bool only_stops = false;  ///< says when to stop, not what is learnt up to then

  nlohmann::ordered_json value() const;  ///< null: left open
  std::string value_text() const;        ///< "0.15,0.2", "on"; when_open while it is open
  std::string range_text() const;  ///< "1..1000", "knn|radius|random"; empty when anything goes
  std::string key() const;         ///< name in JSON and TOML: "min_nodes"
  bool is_flag() const { return std::holds_alternative<bool*>(target_); }
  bool is_open() const;  ///< may be left open, and is

 protected:
  Setting(std::string name, Target target, std::string help);

  Target target_;
};

/// A setting that can be changed.
class Parameter : public Setting {
 public:
  /// Parses, checks the range and stores. Throws UsageError that names the parameter.
  void set(std::string_view text) const;

 private:
  friend class ParameterSet;
  using Setting::Setting;
};

/// Settings to look at: what a const object shows of its parameters, for as long as it lives.
class Settings {
 public:
  explicit Settings(std::vector<Setting> settings) : settings_(std::move(settings)) {}
  const std::vector<Setting>& all() const { return settings_; }
  /// By name or key. Throws UsageError for an unknown one, which tells the nearest, or else all.
  const Setting& get(std::string_view name) const;
  nlohmann::ordered_json values() const;  ///< by key

 private:
  std::vector<Setting> settings_;
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
  /// A number that may be left open; `when_open` tells what holds then, for people.
  ParameterSet& add(std::string name, std::optional<int>& target, int low, int high,
                    std::string help, std::string when_open);
  ParameterSet& add(std::string name, std::optional<double>& target, double low, double high,
                    std::string help, std::string when_open);
  /// Marks the parameter added last as one that only says when to stop (most epochs, patience): it
  /// may change when an interrupted run is resumed.
  ParameterSet& only_stops();

  const std::vector<Parameter>& all() const { return parameters_; }
  /// By name or key. Throws UsageError for an unknown one, which tells the nearest, or else all.
  const Parameter& get(std::string_view name) const;
  nlohmann::ordered_json values() const { return settings().values(); }
  Settings settings() const { return Settings({parameters_.begin(), parameters_.end()}); }

 private:
  Parameter& append(std::string name, Setting::Target target, std::string help);
  ParameterSet& append_number(std::string name, Setting::Target target, double low, double high,
                              std::string help, std::string when_open = {});
  ParameterSet& append_text(std::string name, Setting::Target target,
                            std::vector<std::string> choices, std::string help);

  std::vector<Parameter> parameters_;
};

/// Something that has parameters.
class Configurable {
 public:
  virtual ~Configurable() = default;
  /// Bound to this object: changing one changes it.
  virtual ParameterSet parameters() = 0;
  /// The same to look at, while this object lives.
  Settings settings() const;
};

}  // namespace bermuda
