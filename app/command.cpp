#include "command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/dataset/io.hpp"
#include "methods.hpp"
#include "output.hpp"

namespace bermuda::app {

Session::Session(const CommonOptions& options, const std::atomic<bool>& stop,
                 std::unique_ptr<Team>& team)
    : json_(options.json),
      in_charge_(team_place().rank == 0),
      threads_(options.threads > 0 ? options.threads : cores_of_a_rank()),
      stop_(&stop),
      team_(team),
      progress_(options.quiet || !in_charge_) {}

Team& Session::team() {
  if (!team_) team_ = join_team(plugin_folders());
  return *team_;
}

void Session::result(std::string_view text, const nlohmann::ordered_json& json) const {
  if (!in_charge_) return;
  if (json_) {
    print_data(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  } else {
    print_text(text);
  }
}

CLI::App* Command::add(CLI::App& parent, const std::string& name, const std::string& description,
                       const std::string& examples) {
  CLI::App* command = parent.add_subcommand(name, description);
  command->footer("Examples:\n" + examples);
  command->callback([this] { chosen_ = true; });
  return command;
}

void Command::add_output(CLI::App* command, const std::string& what) {
  command->add_option("-o,--output", common_.output, what)->required()->type_name("PATH");
}

void Command::add_number(CLI::App* command, const std::string& name, std::uint64_t& place,
                         std::uint64_t low, std::uint64_t high, const std::string& help) {
  // CLI11 takes ' -2' for the largest number but one.
  const bool limited = high < std::numeric_limits<std::uint64_t>::max();
  const std::string range = limited ? fmt::format("{}..{}", low, high) : "";
  const auto set = [&place, name, low, high, range](const std::string& text) {
    const auto value = parse_number<std::uint64_t>(trimmed(text));
    if (!value || *value < low || *value > high) {
      throw UsageError(fmt::format("{}: found {}, expected a whole number{}{}", name,
                                   in_quotes(text), range.empty() ? "" : " in ", range));
    }
    place = *value;
  };
  CLI::Option* option = command->add_option_function<std::string>(name, set, help);
  option->default_str(std::to_string(place))->type_name("N");
  if (limited) option->check(CLI::Validator(range));  // tells only; set() checks
}

void Command::add_seed(CLI::App* command) {
  add_number(command, "--seed", common_.seed, 0, std::numeric_limits<std::uint64_t>::max(),
             "Everything random follows from it");
}

void Command::add_threads(CLI::App* command, bool one_by_default) {
  command
      ->add_option("--threads", common_.threads,
                   one_by_default ? "How many threads (default: 1; best is one run per core)"
                                  : "How many threads; the result does not depend on it (default: "
                                    "all cores)")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
}

void Command::add_quiet(CLI::App* command) {
  command->add_flag("--quiet", common_.quiet, "No progress and no notes");
}

void Command::add_json(CLI::App* command) {
  command->add_flag("--json", common_.json, "Print one JSON object instead of text");
}

void Command::add_force(CLI::App* command) {
  command->add_flag("--force", common_.force, "Overwrite the output if it exists");
}

void Command::add_work_options(CLI::App* command) {
  add_seed(command);
  add_threads(command);
  add_force(command);
  add_json(command);
  add_quiet(command);
}

void Command::add_data(CLI::App* command, std::string& place) {
  command->add_option("DATA", place, "Data set: " + format_descriptions())
      ->required()
      ->type_name("");
  add_max_nodes(command);
}

void Command::add_max_nodes(CLI::App* command) {
  command
      ->add_option("--max-nodes", common_.max_nodes,
                   "Refuse data with larger graphs, or with more isolated nodes than ten such")
      ->check(CLI::Range(1, kMostNodes))
      ->capture_default_str()
      ->type_name("N");
}

void Command::add_run(CLI::App* command, std::string& place) {
  command->add_option("RUN", place, "Run folder that train made, or its model file")
      ->required()
      ->type_name("");
}

void Command::add_folding(CLI::App* command, std::string& place) {
  command
      ->add_option("--folding", place,
                   "grouped: isomorphic graphs are in one fold; stratified: wherever they fall; "
                   "usual: grouped for data with splits train and test, else stratified")
      ->check(CLI::IsMember({"usual", "grouped", "stratified"}))
      ->capture_default_str();
}

void Command::add_epoch(CLI::App* command, WhichEpoch& place) {
  command
      ->add_option_function<std::string>(
          "--epoch",
          [&place](const std::string& name) {
            place = name == "last" ? WhichEpoch::kLast : WhichEpoch::kKept;
          },
          "Which epoch of a run tables show: the one that validation kept, or the last")
      ->check(CLI::IsMember({"kept", "last"}))
      ->default_str("kept")
      ->type_name("kept|last");
}

void Command::add_parameters(CLI::App* command, const ParameterSet& parameters,
                             const std::string& group) {
  for (const Parameter& parameter : parameters.all()) {
    CLI::Option* option = nullptr;
    if (parameter.is_flag()) {
      option = command->add_flag_callback(
          "--" + parameter.name, [parameter] { parameter.set("on"); }, parameter.help);
    } else {
      option = command->add_option_function<std::string>(
          "--" + parameter.name, [parameter](const std::string& text) { parameter.set(text); },
          parameter.help);
      option->default_str(parameter.value_text())->type_name("VALUE");
      // set() checks; this one only tells what is allowed, as CLI11's own do.
      option->check(CLI::Validator(parameter.choices.empty()
                                       ? parameter.range_text()
                                       : fmt::format("{{{}}}", fmt::join(parameter.choices, ","))));
    }
    option->group(group);
  }
}

std::string settings_text(const Settings& settings) {
  std::string text;
  for (const Setting& setting : settings.all()) {
    const std::string range = setting.range_text();
    text += fmt::format("  --{:<14} {} (default {}{})\n", setting.name, setting.help,
                        setting.value_text(), range.empty() ? "" : "; " + range);
  }
  return text;
}

nlohmann::ordered_json settings_json(const Settings& settings) {
  auto entries = nlohmann::ordered_json::array();
  for (const Setting& setting : settings.all()) {
    entries.push_back({{"name", setting.name},
                       {"help", setting.help},
                       {"default", setting.value()},
                       {"range", setting.range_text()}});
    if (!setting.when_open.empty()) entries.back()["when_open"] = setting.when_open;
  }
  return entries;
}

}  // namespace bermuda::app
