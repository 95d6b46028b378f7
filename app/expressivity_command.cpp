#include <fmt/format.h>

#include <algorithm>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/statistics/sign_flip.hpp"
#include "command.hpp"
#include "expressivity_text.hpp"
#include "methods.hpp"

namespace bermuda::app {
namespace {

constexpr const char* kAllMethods = "all";

class ExpressivityCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command =
        add(program, "expressivity", "What could a method tell apart, had it learnt or not?",
            "  bermuda expressivity brec/pairs.tsv\n"
            "  bermuda expressivity twins --methods gin+d,svm-wl,tf+am --json\n"
            "  bermuda expressivity D1 --methods svm-graphlet-exact:size=3,svm-graphlet-exact\n");
    add_data(command, data_);
    command
        ->add_option("--methods", methods_,
                     "Names with commas between, each with options behind colons "
                     "(svm-wl:max-rounds=2); all: every method")
        ->capture_default_str()
        ->type_name("METHODS");
    command->add_option("-o,--output", common_.output, "File to make: what --json prints (.json)")
        ->type_name("FILE");
    command->add_option("--weights", options_.weights, "Networks with random weights of each kind")
        ->check(CLI::Range(1, 64))
        ->capture_default_str()
        ->type_name("N");
    command
        ->add_option("--draws", options_.draws,
                     "Draws per graph for methods that hang on node indices or on sampling")
        ->check(CLI::Range(static_cast<int>(kFewestDraws), 16384))
        ->capture_default_str()
        ->type_name("N");
    command->add_option("--most-nodes", options_.most_nodes, "Larger graphs are not asked about")
        ->check(CLI::Range(1, kMostNodes))
        ->capture_default_str()
        ->type_name("N");
    add_work_options(command);
  }

  int run(Session& session) override {
    if (!common_.output.empty()) {
      if (!common_.output.ends_with(".json")) {
        throw UsageError(fmt::format("--output: found {}, expected a name that ends in .json",
                                     in_quotes(common_.output)));
      }
      check_output(common_.output, common_.force);
    }
    options_.seed = common_.seed;
    const std::vector<Asked> asked = asked_methods();
    const DataSet data = read_dataset(data_, reading_any(session));
    const bool in_pairs = has_pairs(data);
    if (!in_pairs) check_classes(data);
    const GraphPairs pairs = in_pairs ? pairs_of(data) : GraphPairs{};
    check_sizes(data, pairs, in_pairs);
    std::vector<ExpressivityRow> rows;
    for (const Asked& one : asked) rows.push_back(ask(one, data, pairs, in_pairs, session));
    check_asked(rows);

    nlohmann::ordered_json json = {{"bermuda_expressivity", 1},  // src/core/ours.cpp looks for it
                                   {"data", data.name},
                                   {"seed", common_.seed},
                                   {"weights", options_.weights},
                                   {"draws", options_.draws}};
    json.update(in_pairs ? pairs_json(pairs, rows) : classes_json(rows));
    if (!common_.output.empty()) {
      write_output(
          common_.output,
          json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n',
          common_.force);
    }
    session.result(in_pairs ? pairs_text(pairs, rows) : classes_text(rows), json);
    const std::size_t alarms = false_alarms(rows);
    if (alarms == 0) return 0;
    session.note(fmt::format(
        "{} graphs were taken for others when only their nodes were renumbered: do not trust the "
        "rows whose control is not 0",
        alarms));
    return 1;
  }

 private:
  struct Asked {
    std::string name;  ///< with its options
    std::unique_ptr<Method> method;
  };

  static Asked made(std::string_view words) {
    const std::vector<std::string_view> parts = split_fields(words, ':');
    Asked asked{std::string(words), methods().get(parts.front()).make()};
    const ParameterSet parameters = asked.method->parameters();
    for (std::size_t i = 1; i < parts.size(); ++i) {
      try {
        const std::size_t sign = parts[i].find('=');
        if (sign == std::string_view::npos) {
          throw UsageError(fmt::format("found {}, expected OPTION=VALUE", in_quotes(parts[i])));
        }
        parameters.get(parts[i].substr(0, sign)).set(parts[i].substr(sign + 1));
      } catch (const UsageError& error) {
        throw UsageError(fmt::format("method {}: {}", in_quotes(words), error.what()));
      }
    }
    return asked;
  }

  std::vector<Asked> asked_methods() const {
    std::vector<Asked> asked;
    for (const std::string_view words : split_fields(methods_, ',')) {
      if (words != kAllMethods) {
        asked.push_back(made(words));
        continue;
      }
      for (const MethodInfo& info : methods().all()) asked.push_back(made(info.name));
    }
    return asked;
  }

  void check_classes(const DataSet& data) const {
    for (const Sample* sample : data.all()) {
      if (sample->label != Sample::kNoClass) continue;
      throw UsageError(fmt::format("{}: found graph {} without a class, expected classes or pairs",
                                   data_, in_quotes(sample->id)));
    }
  }

  /// That some graphs are small enough: otherwise every figure would be that of nothing.
  void check_sizes(const DataSet& data, const GraphPairs& pairs, bool in_pairs) const {
    const auto is_small = [&](const Sample* sample) {
      return sample->graph.node_count() <= options_.most_nodes;
    };
    const std::vector<const Sample*> samples = data.all();
    const bool any =
        in_pairs ? std::ranges::any_of(pairs.pairs,
                                       [&](const GraphPair& pair) {
                                         return is_small(pair.first) && is_small(pair.second);
                                       })
                 : std::ranges::any_of(samples, is_small);
    if (any) return;
    const std::string why = samples.empty()
                                ? "it has no graphs"
                                : fmt::format("all {} {} are of more than {} nodes (--most-nodes)",
                                              in_pairs ? pairs.pairs.size() : samples.size(),
                                              in_pairs ? "pairs" : "graphs", options_.most_nodes);
    throw UsageError(fmt::format("{}: nothing to ask: {}", data_, why));
  }

  static void check_asked(const std::vector<ExpressivityRow>& rows) {
    if (std::ranges::any_of(rows, [](const auto& row) { return row.pairs || row.classes; })) return;
    const std::size_t more = rows.size() - 1;
    throw UsageError(
        fmt::format("no method could be asked; {}: {}{}", rows[0].method, rows[0].not_asked,
                    more == 0 ? "" : fmt::format(" (and {} other{})", more, more == 1 ? "" : "s")));
  }

  ExpressivityRow ask(const Asked& asked, const DataSet& data, const GraphPairs& pairs,
                      bool in_pairs, Session& session) const {
    ExpressivityRow row{asked.name, {}, {}, {}};
    try {
      if (in_pairs) {
        row.pairs = told_apart(*asked.method, pairs, options_, session.execution());
      } else {
        row.classes = seen_classes(*asked.method, data.all(), options_, session.execution());
      }
    } catch (const UsageError& error) {
      row.not_asked = error.what();  // more than it bears
      return row;
    }
    if (!row.pairs && !row.classes) {
      row.not_asked = in_pairs
                          ? "it does not show what it sees before it has learnt"
                          : "what it sees hangs on chance or on the numbering of the nodes, or "
                            "it does not show it; pairs can be asked";
    }
    return row;
  }

  std::string data_;
  std::string methods_ = "gcn+d,gin+d,gat+d,svm-wl,svm-graphlet-exact,tf+am";
  ToldApartOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_expressivity() { return std::make_unique<ExpressivityCommand>(); }

}  // namespace bermuda::app
