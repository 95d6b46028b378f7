#include "outline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bermuda/core/text.hpp"

namespace bermuda::app {
namespace {

/// CLI11 tells what a value may be in one text: "FORMAT:{csv,json}", "N:INT in [1 - 1024]".
void read_type(const std::string& type, OptionOutline& out) {
  const std::size_t colon = type.find(':');
  out.value = type.substr(0, colon);
  if (colon == std::string::npos) return;
  std::string_view allowed = std::string_view(type).substr(colon + 1);
  if (allowed.starts_with('{') && allowed.ends_with('}')) {
    for (const std::string_view one : split_fields(allowed.substr(1, allowed.size() - 2), ',')) {
      out.choices.emplace_back(one);
    }
    out.value = fmt::format("{}", fmt::join(out.choices, "|"));
    return;
  }
  const std::size_t begin = allowed.find('[');
  const std::size_t middle = allowed.find(" - ");
  if (begin != allowed.npos && middle != allowed.npos && allowed.ends_with(']')) {
    out.range = fmt::format("{}..{}", allowed.substr(begin + 1, middle - begin - 1),
                            allowed.substr(middle + 3, allowed.size() - middle - 4));
  } else {
    out.range = allowed;
  }
}

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { label("Positionals", "Arguments"); }

  std::string make_usage(const CLI::App* command, std::string name) const override {
    return fmt::format("Usage: {} {}\n", name, usage_of(*command));
  }
  std::string make_option_name(const CLI::Option* option, bool /*is_positional*/) const override {
    return fmt::format("{}", fmt::join(outline_of(*option).names, ","));
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    const OptionOutline outline = outline_of(*option);
    const bool shown = !outline.value.empty() && outline.names.front().starts_with('-');
    return (shown ? " " + outline.value : "") + (outline.repeated ? " ..." : "");
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return full_help(outline_of(*option));
  }
};

}  // namespace

OptionOutline outline_of(const CLI::Option& option) {
  OptionOutline out;
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  if (out.names.empty()) out.names.push_back(option.get_name(true));
  if (option.get_items_expected_max() > 0) {
    read_type(option.get_type_name(), out);
    out.standard = option.get_default_str();
    out.repeated = option.get_expected_max() >= CLI::detail::expected_max_vector_size;
  }
  out.help = option.get_description();
  out.group = option.get_group();
  for (const CLI::Option* other : option.get_excludes()) out.excludes.push_back(other->get_name());
  std::ranges::sort(out.excludes);  // CLI11 keeps them by address
  out.required = option.get_required();
  return out;
}

CommandOutline outline_of(const CLI::App& command) {
  CommandOutline out;
  out.name = command.get_name();
  out.summary = command.get_description();
  for (const CLI::Option* option : command.get_options({})) {
    if (option->get_group().empty()) continue;
    (option->get_positional() ? out.arguments : out.options).push_back(outline_of(*option));
  }
  for (const CLI::App* one : command.get_subcommands({})) {
    if (!one->get_group().empty()) out.commands.push_back(outline_of(*one));
  }
  const std::string footer = command.get_footer();
  LineReader lines(footer);
  for (std::string_view line; lines.next(line);) {
    if (line.starts_with("  ")) {
      out.examples.emplace_back(line.substr(2));
    } else if (lines.number() > 1 && !line.empty()) {
      out.remark += (out.remark.empty() ? "" : " ") + std::string(line);
    }
  }
  return out;
}

std::string full_help(const OptionOutline& option) {
  std::vector<std::string> notes;
  if (option.required) notes.emplace_back("required");
  if (!option.standard.empty()) notes.push_back("default " + option.standard);
  if (!option.range.empty()) notes.push_back(option.range);
  if (!option.excludes.empty()) {
    notes.push_back(fmt::format("not with {}", fmt::join(option.excludes, ", ")));
  }
  if (notes.empty()) return option.help;
  const std::string text = fmt::format("{})", fmt::join(notes, "; "));
  if (!option.help.ends_with(')')) return option.help + " (" + text;
  return option.help.substr(0, option.help.size() - 1) + "; " + text;
}

std::string kind_of_names(const CLI::App& command) {
  for (const CLI::App* one : command.get_subcommands({})) {
    std::string heading = one->get_group();  // "Methods"
    if (heading.empty()) continue;
    heading.pop_back();
    return CLI::detail::to_lower(heading);
  }
  return {};
}

std::vector<std::string> visible_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* one : command.get_subcommands({})) {
    if (!one->get_group().empty()) names.push_back(one->get_name());
  }
  return names;
}

std::string usage_of(const CLI::App& command) {
  std::string kind = kind_of_names(command);
  std::ranges::transform(kind, kind.begin(), [](char c) { return c >= 'a' ? c - 'a' + 'A' : c; });
  std::string usage = kind + (kind.empty() ? "" : " ") + "[OPTIONS]";
  for (const OptionOutline& argument : outline_of(command).arguments) {
    const std::string name = argument.names.front() + (argument.repeated ? "..." : "");
    usage += argument.required ? " " + name : " [" + name + "]";
  }
  return usage;
}

std::shared_ptr<CLI::FormatterBase> make_help_formatter() {
  return std::make_shared<HelpFormatter>();
}

}  // namespace bermuda::app
