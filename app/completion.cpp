#include "completion.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <optional>
#include <set>

#include "bermuda/generate/task.hpp"
#include "configs.hpp"
#include "methods.hpp"
#include "outline.hpp"
#include "program.hpp"

namespace bermuda::app {
namespace {

const OptionOutline* option_named(const CommandOutline& command, const std::string& name) {
  for (const OptionOutline& option : command.options) {
    if (std::ranges::find(option.names, name) != option.names.end()) return &option;
  }
  return nullptr;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& info : methods().all()) names.push_back(info.name);
  return names;
}

/// By what stands for a value in the help.
Candidates all_values(const OptionOutline& option) {
  const std::string& kind = option.value.empty() ? option.names.front() : option.value;
  if (!option.choices.empty()) return {option.choices};
  if (kind == "TASK") {
    Candidates out;
    for (const TaskInfo& info : tasks()) out.names.emplace_back(info.name);
    return out;
  }
  const bool of_methods = option.value.empty() && kind == "NAME";  // bermuda methods NAME
  if (of_methods || kind == "METHOD" || kind == "NAMES") return {method_names()};
  if (kind == "CONFIG") return {config_names(), true};
  const auto files = {"PATH", "FILE", "FOLDER", "RUN", "DATA", "STORE"};
  return {{}, std::ranges::find(files, kind) != files.end()};
}

/// Those that begin as the word does, behind its last comma if it is a list.
Candidates values(const OptionOutline& option, const std::string& word,
                  const std::string& before = "") {
  Candidates out = all_values(option);
  const std::size_t comma = out.files ? word.npos : word.rfind(',');
  const std::string head = comma == word.npos ? "" : word.substr(0, comma + 1);
  const std::string rest = word.substr(head.size());
  std::erase_if(out.names, [&](const std::string& name) { return !name.starts_with(rest); });
  for (std::string& name : out.names) name.insert(0, before + head);
  return out;
}

Candidates names_of_options(const CommandOutline& command, const std::string& word,
                            const std::set<const OptionOutline*>& given) {
  Candidates out;
  for (const OptionOutline& option : command.options) {
    if (given.contains(&option) && !option.repeated) continue;
    for (const std::string& name : option.names) {
      // A short name is no easier to type by completing it.
      if (name.starts_with("--") && name.starts_with(word)) out.names.push_back(name);
    }
  }
  return out;
}

Candidates names_of_commands(const CommandOutline& command, const std::string& word) {
  Candidates out;
  for (const CommandOutline& one : command.commands) {
    if (one.name.starts_with(word)) out.names.push_back(one.name);
  }
  return out;
}

Candidates complete_in(const CommandOutline& program, const std::vector<std::string>& words,
                       bool only_commands) {
  const CommandOutline* here = &program;
  const OptionOutline* waiting = nullptr;  // for its value
  std::set<const OptionOutline*> given;
  std::size_t arguments = 0;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (waiting != nullptr) {
      waiting = nullptr;
    } else if (word.starts_with('-') && word != "-") {
      const OptionOutline* option = option_named(*here, word.substr(0, word.find('=')));
      if (option == nullptr) continue;
      given.insert(option);
      if (!option->value.empty() && word.find('=') == word.npos) waiting = option;
    } else if (here->commands.empty()) {
      ++arguments;
    } else {
      const auto next = std::ranges::find(here->commands, word, &CommandOutline::name);
      if (next == here->commands.end()) return {};
      here = &*next;
    }
  }
  const std::string& word = words.back();
  if (only_commands) return names_of_commands(*here, word);
  if (waiting != nullptr) return values(*waiting, word);
  if (word.starts_with('-')) {
    const std::size_t equals = word.find('=');
    if (equals == word.npos) return names_of_options(*here, word, given);
    const OptionOutline* option = option_named(*here, word.substr(0, equals));
    if (option == nullptr) return {};
    return values(*option, word.substr(equals + 1), word.substr(0, equals + 1));
  }
  if (!here->commands.empty()) return names_of_commands(*here, word);
  if (here->arguments.empty()) return names_of_options(*here, word, given);
  const OptionOutline& last = here->arguments.back();
  if (arguments < here->arguments.size()) return values(here->arguments[arguments], word);
  return last.repeated ? values(last, word) : names_of_options(*here, word, given);
}

/// Bash takes --to=tu for three words.
void join_at_equals(std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] != "=" || !words[i - 1].starts_with("--")) continue;
    if (i + 1 == words.size()) {
      words[i].clear();
    } else {
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

/// The method whose options are asked for, if it is a plug-in's.
const MethodInfo* plugin_method(const std::vector<std::string>& words) {
  if (words.size() < 3 || words[0] != kMethodsCommand) return nullptr;
  const auto& all = methods().all();
  const auto info = std::ranges::find(all, words[1], &MethodInfo::name);
  return info == all.end() || info->source.empty() ? nullptr : &*info;
}

/// One of the program's own methods has the place of the plug-in's, without its own options.
Candidates complete_without_plugin(std::vector<std::string> words) {
  const auto& all = methods().all();
  const auto own =
      std::ranges::find_if(all, [](const MethodInfo& info) { return info.source.empty(); });
  if (own == all.end()) return {};
  words[1] = own->name;
  CommandOutline program = outline_of(Program(words).tree());
  for (CommandOutline& command : program.commands) {
    if (command.name != kMethodsCommand) continue;
    for (CommandOutline& one : command.commands) {
      std::erase_if(one.options, [](const OptionOutline& option) {
        return option.group.starts_with("Method ");
      });
    }
  }
  return complete_in(program, words, false);
}

}  // namespace

Candidates complete(std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  join_at_equals(words);
  const bool only_commands = words.size() > 1 && words[0] == "help";
  if (only_commands) words.erase(words.begin());
  if (only_commands || plugin_method(words) == nullptr) {
    return complete_in(outline_of(Program(words).tree()), words, only_commands);
  }
  Candidates out = complete_without_plugin(words);
  if (!out.names.empty() || !words.back().starts_with("--")) return out;
  ::unsetenv(kBuilderVariable);  // TAB loads what is there, it does not build
  try {
    return complete_in(outline_of(Program(words).tree()), words, false);
  } catch (const std::exception&) {  // a plug-in that cannot be loaded; train will tell
    return out;
  }
}

}  // namespace bermuda::app
