#include <fmt/format.h>

#include "bermuda/kernel/register.hpp"
#include "command.hpp"
#include "methods.hpp"

namespace bermuda::app {
namespace {

std::string paper_text(const MethodInfo& info) {
  if (info.paper_triangles < 0) return "";
  return fmt::format(" (paper: {:.1f} % triangles, {:.1f} % clique distance)", info.paper_triangles,
                     info.paper_clique_distance);
}

class MethodsCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command = add(program, "methods", "List the methods and their options",
                            "  bermuda methods\n"
                            "  bermuda methods --json\n");
    add_json(command);
    add_quiet(command);
  }

  int run(Session& session) override {
    std::string text;
    auto json = nlohmann::ordered_json::array();
    for (const MethodInfo& info : methods().all()) {
      const std::unique_ptr<Method> method = info.make();
      const ParameterSet parameters = method->parameters();
      text += fmt::format("{}: {}{}\n", info.name, info.summary, paper_text(info));
      text += parameters_text(parameters);
      nlohmann::ordered_json entry = {{"name", info.name},
                                      {"summary", info.summary},
                                      {"parameters", parameters_json(parameters)}};
      if (info.paper_triangles >= 0) {
        entry["paper"] = {{"triangles", info.paper_triangles},
                          {"clique-distance", info.paper_clique_distance}};
      }
      json.push_back(entry);
    }
    session.result(text, {{"methods", json}});
    return 0;
  }
};

}  // namespace

const MethodRegistry& methods() {
  static const MethodRegistry registry = [] {
    MethodRegistry made;
    register_kernel_methods(made);
    return made;
  }();
  return registry;
}

std::unique_ptr<Command> make_methods() { return std::make_unique<MethodsCommand>(); }

}  // namespace bermuda::app
