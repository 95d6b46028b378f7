#include "typing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/nearest.hpp"
#include "outline.hpp"

namespace bermuda::app {
namespace {

/// "train gin"; empty for the program itself.
std::string path_of(const CLI::App& command) {
  if (command.get_parent() == nullptr) return {};
  const std::string before = path_of(*command.get_parent());
  return before + (before.empty() ? "" : " ") + command.get_name();
}

std::string before_colon(const CLI::App& command) {
  const std::string path = path_of(command);
  return path.empty() ? path : path + ": ";
}

std::string hint(const CLI::App& command, const char* does) {
  const std::string path = path_of(command);
  return fmt::format(" ('bermuda{}{} --help' {})", path.empty() ? "" : " ", path, does);
}

/// The program, and the commands that were named, the innermost last.
std::vector<const CLI::App*> named_commands(const CLI::App& program) {
  std::vector<const CLI::App*> commands = {&program};
  while (!commands.back()->get_subcommands().empty()) {
    commands.push_back(commands.back()->get_subcommands().front());
  }
  return commands;
}

bool needs_a_name(const CLI::App& command) {
  return command.get_require_subcommand_min() > 0 && command.get_subcommands().empty();
}

bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word != "--";
}

std::string without_dashes(const std::string& word) {
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

/// pairs --of DATA, or pairs triangles --of DATA: the name of a command, typed as an option. Its
/// path; empty when it is none.
std::string command_meant(const CLI::App& command, const std::string& option) {
  const CLI::App* parent = command.get_parent();
  for (const CLI::App* place : {&command, parent}) {
    // Names of the program's own commands are too many to be meant inside of another.
    if (place == nullptr || (place == parent && place->get_parent() == nullptr)) continue;
    const std::vector<std::string> names = visible_names(*place);
    if (std::ranges::find(names, without_dashes(option)) == names.end()) continue;
    const std::string path = path_of(*place);
    return path + (path.empty() ? "" : " ") + without_dashes(option);
  }
  return {};
}

std::string unknown_option(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  if (const std::string meant = command_meant(command, name); !meant.empty()) {
    return fmt::format("{}there is no option {}; did you mean 'bermuda {}'?", before_colon(command),
                       in_quotes(name), meant);
  }
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options({})) {
    for (const std::string& long_name : option->get_lnames()) known.push_back(long_name);
  }
  if (const auto nearest = nearest_name(without_dashes(name), known)) {
    return fmt::format("{}there is no option {}; did you mean --{}?", before_colon(command),
                       in_quotes(name), *nearest);
  }
  const std::string kind = kind_of_names(command);
  if (!kind.empty()) {  // train --fold 3 gin
    return fmt::format("{}found {}, expected a {} first{}", before_colon(command), in_quotes(name),
                       kind, hint(command, "lists them"));
  }
  return fmt::format("{}there is no option {}{}", before_colon(command), in_quotes(name),
                     hint(command, "lists them"));
}

std::string missing(const CLI::App& command) {
  if (needs_a_name(command)) {
    return fmt::format("{}a {} is missing; there are: {}", before_colon(command),
                       kind_of_names(command), fmt::join(visible_names(command), ", "));
  }
  for (const CLI::Option* option : command.get_options({})) {
    if (!option->get_required() || option->count() > 0) continue;
    const OptionOutline outline = outline_of(*option);
    const std::string value = option->get_positional() ? "" : " " + outline.value;
    return fmt::format("{}{}{} is missing{}", before_colon(command), outline.names.back(), value,
                       hint(command, "explains"));
  }
  return {};
}

/// The option of which CLI11 speaks: the longest name in its text, for --train is in --train-folds.
const CLI::Option* option_in(const std::string& text, const CLI::App& command) {
  const CLI::Option* found = nullptr;
  for (const CLI::Option* option : command.get_options({})) {
    const std::string name = option->get_name();
    if (name.empty() || text.find(name) == text.npos) continue;
    if (found == nullptr || name.size() > found->get_name().size()) found = option;
  }
  return found;
}

std::string bad_value(const CLI::Option& option) {
  const OptionOutline outline = outline_of(option);
  std::string value = option.results().back();
  std::string expected = "a whole number";
  if (!outline.choices.empty()) {
    const auto unknown = std::ranges::find_if(option.results(), [&](const std::string& one) {
      return std::ranges::find(outline.choices, one) == outline.choices.end();
    });
    if (unknown != option.results().end()) value = *unknown;
    expected = fmt::format("one of {}{}", fmt::join(outline.choices, ", "),
                           did_you_mean(value, outline.choices));
  } else if (!outline.range.empty()) {
    expected += " in " + outline.range;
  }
  return fmt::format("{}: found {}, expected {}", option.get_name(), in_quotes(value), expected);
}

std::string bad_count(const CLI::Option& option) {
  if (option.count() == 0) {
    return fmt::format("{}: found nothing, expected {}", option.get_name(),
                       outline_of(option).value);
  }
  return fmt::format("{}: given {} times, expected once", option.get_name(), option.count());
}

}  // namespace

void check_names(const CLI::App& program, std::span<const std::string> words) {
  const CLI::App* command = &program;
  for (const std::string& word : words) {
    if (word.starts_with('-') || command->get_require_subcommand_min() == 0) return;
    const auto all =
        command->get_subcommands([&](const CLI::App* one) { return one->get_name() == word; });
    if (all.empty()) {
      const std::vector<std::string> known = visible_names(*command);
      throw UsageError(fmt::format("{}there is no {} {}{}{}", before_colon(*command),
                                   kind_of_names(*command), in_quotes(word),
                                   did_you_mean_or_all(word, known),
                                   nearest_name(word, known) ? hint(*command, "lists all") : ""));
    }
    command = all.front();
  }
}

std::string refusal(const CLI::App& program, const CLI::ParseError& error) {
  const std::vector<const CLI::App*> commands = named_commands(program);
  const CLI::App& innermost = *commands.back();
  // A mistyped option comes first: it is mostly why something else is missing or too much.
  for (const CLI::App* command : commands) {
    for (const std::string& word : command->remaining()) {
      if (is_option(word)) return unknown_option(*command, word);
    }
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return missing(innermost);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    for (const CLI::App* command : commands) {
      for (const std::string& word : command->remaining()) {
        return fmt::format("{}found {}, expected nothing more{}", before_colon(*command),
                           in_quotes(word), hint(*command, "explains"));
      }
    }
  }
  const CLI::Option* option = option_in(error.what(), innermost);
  if (option != nullptr) {
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return bad_count(*option);
    const bool of_value = dynamic_cast<const CLI::ConversionError*>(&error) != nullptr ||
                          dynamic_cast<const CLI::ValidationError*>(&error) != nullptr;
    if (of_value && option->count() > 0) return bad_value(*option);
  }
  return error.what() + hint(innermost, "explains");
}

void check_values(const CLI::App& program) {
  const CLI::App& command = *named_commands(program).back();
  for (const CLI::Option* option : command.get_options({})) {
    if (option->get_items_expected_max() == 0 || option->get_positional()) continue;
    const OptionOutline outline = outline_of(*option);
    for (const std::string& value : option->results()) {
      if (is_option(value) && command.get_option_no_throw(value) != nullptr) {
        throw UsageError(fmt::format("{}: found the option {}, expected {}", option->get_name(),
                                     value, outline.value));
      }
      // CLI11 takes -1 for the largest number that has no sign.
      if (outline.value == "N" && value.starts_with('-')) throw UsageError(bad_value(*option));
    }
  }
}

}  // namespace bermuda::app
