#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "methods.hpp"

namespace bermuda::app {
namespace {

using Json = nlohmann::ordered_json;

std::string figure_text(double figure) {
  return figure < 0 ? std::string("-") : fmt::format("{:.1f} %", figure);
}

Json entry_of(const MethodInfo& info) {
  Json entry = {{"name", info.name}, {"summary", info.summary}};
  Json paper = Json::object();
  if (info.paper_triangles >= 0) paper["triangles"] = info.paper_triangles;
  if (info.paper_clique_distance >= 0) paper["clique-distance"] = info.paper_clique_distance;
  if (!paper.empty()) entry["paper"] = paper;
  return entry;
}

std::string table_of(const std::vector<MethodInfo>& methods) {
  std::size_t name_width = 6;
  std::size_t summary_width = 12;
  for (const MethodInfo& info : methods) {
    name_width = std::max(name_width, info.name.size());
    summary_width = std::max(summary_width, info.summary.size());
  }
  const auto line = [&](std::string_view name, std::string_view summary, std::string_view triangles,
                        std::string_view cliques) {
    return fmt::format("{:<{}}  {:<{}}  {:>9}  {:>15}\n", name, name_width, summary, summary_width,
                       triangles, cliques);
  };
  std::string text = line("method", "what it does", "triangles", "clique-distance");
  for (const MethodInfo& info : methods) {
    text += line(info.name, info.summary, figure_text(info.paper_triangles),
                 figure_text(info.paper_clique_distance));
  }
  return text +
         "Figures: test accuracy in the paper. 'bermuda methods NAME' lists the options of one.\n";
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
