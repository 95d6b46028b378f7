#include "man_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "bermuda/core/version.hpp"

namespace bermuda::app {
namespace {

/// Text as roff prints it unchanged: a bare '-' would become a hyphen, which cannot be searched for
/// or copied, and a dot or quote at the beginning of a line would be a command.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '|':
        out += "|\\:";  // a long list of choices may break here
        break;
      default:
        out += c;
    }
  }
  return out.starts_with('.') ? "\\&" + out : out;
}

std::string in_bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }

std::string in_italics(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string heading(const std::string& name, const std::string& summary) {
  std::string title = name;
  std::ranges::transform(title, title.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  std::string what = summary;
  if (what.ends_with('.')) what.pop_back();
  return fmt::format(
      ".\\\" Written by the program itself: bermuda man\n"
      ".TH {} 1 \"\" \"bermuda {}\" \"Bermuda\"\n.nh\n.ad l\n.SH NAME\n{} \\- {}\n",
      roff(title), kVersion, roff(name), roff(what));
}

std::string item(const std::string& term, const std::string& text) {
  return fmt::format(".TP\n{}\n{}\n", term, text);
}

std::string item_of(const OptionOutline& option) {
  std::vector<std::string> names;
  const bool is_argument = !option.names.front().starts_with('-');
  for (const std::string& name : option.names) {
    names.push_back(is_argument ? in_italics(name) : in_bold(name));
  }
  std::string term = fmt::format("{}", fmt::join(names, ", "));
  if (!is_argument && !option.value.empty()) term += " " + in_italics(option.value);
  if (is_argument && !option.choices.empty()) term += " (" + roff(option.value) + ")";
  return item(term, roff(full_help(option)));
}

std::string items_of(const std::vector<CommandOutline>& commands) {
  std::string out;
  for (const CommandOutline& one : commands) out += item(in_bold(one.name), roff(one.summary));
  return out;
}

/// Options under the headings of their groups, each once, though all tasks have some in common.
std::string options_of(const CommandOutline& command, bool with_inner_commands) {
  std::vector<const OptionOutline*> options;
  for (const OptionOutline& option : command.options) options.push_back(&option);
  if (with_inner_commands) {
    for (const CommandOutline& one : command.commands) {
      for (const OptionOutline& option : one.options) options.push_back(&option);
    }
  }
  std::vector<std::pair<std::string, std::string>> groups;
  std::set<std::pair<std::string, std::string>> seen;
  for (const OptionOutline* option : options) {
    if (!seen.insert({option->group, option->names.back()}).second) continue;
    auto group =
        std::ranges::find(groups, option->group, [](const auto& one) { return one.first; });
    if (group == groups.end()) group = groups.insert(group, {option->group, ""});
    group->second += item_of(*option);
  }
  std::string out;
  for (const auto& [name, text] : groups) {
    out += (out.empty() ? ".SH OPTIONS\n" : fmt::format(".SS {}\n", roff(name))) + text;
  }
  return out;
}

/// Its own, or those that its tasks or methods have.
const std::vector<OptionOutline>& arguments_of(const CommandOutline& command) {
  const auto filled = std::ranges::find_if(
      command.commands, [](const CommandOutline& one) { return !one.arguments.empty(); });
  return filled == command.commands.end() ? command.arguments : filled->arguments;
}

std::string arguments_section(const CommandOutline& command) {
  std::string out;
  for (const OptionOutline& argument : arguments_of(command)) out += item_of(argument);
  return out.empty() ? out : ".SH ARGUMENTS\n" + out;
}

std::string examples_of(const CommandOutline& command) {
  std::string out = ".SH EXAMPLES\n.nf\n";
  for (const std::string& example : command.examples) out += roff(example) + "\n";
  out += ".fi\n";
  return command.remark.empty() ? out : out + ".PP\n" + roff(command.remark) + "\n";
}

std::string end_of_page(const std::vector<std::string>& see_also) {
  std::string out = ".SH EXIT STATUS\n";
  out += item("0", "All is well.");
  out += item("1",
              "Something failed on the way, such as a full disk, was interrupted, or a check found "
              "problems.");
  out += item("2", "The command line or a file that it names is wrong; one line tells why.");
  out += ".SH ENVIRONMENT\n";
  out += item(in_bold("BERMUDA_PLUGINS"),
              "Folders of plug\\-ins with further methods, separated by colons.");
  out += ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < see_also.size(); ++i) {
    out += fmt::format(".BR {} (1){}\n", roff(see_also[i]), i + 1 < see_also.size() ? "," : "");
  }
  return out;
}

}  // namespace

std::string man_page(const CommandOutline& program) {
  std::vector<std::string> pages;
  for (const CommandOutline& one : program.commands) pages.push_back(program.name + "-" + one.name);
  return heading(program.name, program.summary) +
         fmt::format(".SH SYNOPSIS\n{} {} [{}]\n", in_bold(program.name), in_italics("COMMAND"),
                     in_italics("OPTIONS")) +
         ".SH DESCRIPTION\n" + roff(program.summary) +
         "\nIt makes data sets that are, measures data sets that may not be, trains graph neural\n"
         "networks and kernels on them, and shows what these have looked at.\n" +
         ".SH COMMANDS\n" + items_of(program.commands) + options_of(program, false) +
         examples_of(program) + end_of_page(pages);
}

std::string man_page(const CommandOutline& program, const CommandOutline& command,
                     const std::string& usage) {
  const std::string name = program.name + " " + command.name;
  std::string page = heading(program.name + "-" + command.name, command.summary);
  std::string words = usage;
  if (!command.commands.empty()) {
    for (const OptionOutline& argument : arguments_of(command)) words += " " + argument.names[0];
  }
  page += fmt::format(".SH SYNOPSIS\n{} {}\n", in_bold(name), roff(words));
  page += ".SH DESCRIPTION\n" + roff(command.summary) + ".\n" + arguments_section(command);
  if (!command.commands.empty()) {
    page += fmt::format(".SH {}\n", usage.starts_with("TASK") ? "TASKS" : "METHODS");
    page += items_of(command.commands);
  }
  return page + options_of(command, true) + examples_of(command) + end_of_page({program.name});
}

}  // namespace bermuda::app
