#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "methods.hpp"

namespace bermuda::app {
namespace {

using Json = nlohmann::ordered_json;

Json entry_of(const MethodInfo& info) { return {{"name", info.name}, {"summary", info.summary}}; }

std::string table_of(const std::vector<MethodInfo>& methods) {
  std::size_t width = 6;
  for (const MethodInfo& info : methods) width = std::max(width, info.name.size());
  std::string text = fmt::format("{:<{}}  what it does\n", "method", width);
  for (const MethodInfo& info : methods) {
    text += fmt::format("{:<{}}  {}\n", info.name, width, info.summary);
  }
  return text +
         "'bermuda methods NAME' lists the options of one; 'bermuda bench table1' sets what they\n"
         "reach beside the paper's figures.\n";
}

class MethodsCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command = add(program, "methods", "List the methods, or the options of some",
                            "  bermuda methods\n"
                            "  bermuda methods svm-wl\n"
                            "  bermuda methods svm-wl svm-graphlet --json\n");
    command->add_option("NAME", names_, "Methods to explain (default: list them all)")
        ->type_name("");
    add_json(command);
    add_quiet(command);
  }

  int run(Session& session) override {
    auto entries = Json::array();
    if (names_.empty()) {
      for (const MethodInfo& info : methods().all()) entries.push_back(entry_of(info));
      session.result(table_of(methods().all()), {{"methods", entries}});
      return 0;
    }
    std::string text;
    for (const std::string& name : names_) {
      const MethodInfo& info = methods().get(name);
      const std::unique_ptr<Method> method = info.make();
      const Settings settings = method->settings();
      text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", info.name, info.summary);
      text += settings.all().empty() ? "  (no options)\n" : settings_text(settings);
      Json entry = entry_of(info);
      entry["parameters"] = settings_json(settings);
      entries.push_back(entry);
    }
    session.result(text, {{"methods", entries}});
    return 0;
  }

 private:
  std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<Command> make_methods() { return std::make_unique<MethodsCommand>(); }

}  // namespace bermuda::app
