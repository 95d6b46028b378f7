#include <fmt/format.h>

#include <array>
#include <unordered_map>

#include "bermuda/core/error.hpp"
#include "bermuda/method/evaluation.hpp"
#include "command.hpp"
#include "output.hpp"

namespace bermuda::app {
namespace {

using Json = nlohmann::ordered_json;

class FoldsCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command =
        add(program, "folds", "Tell which fold each graph is in, for models trained elsewhere",
            "  bermuda folds D1 -o folds.tsv\n"
            "  bermuda folds MUTAG --folding grouped --json\n");
    add_data(command, data_);
    command
        ->add_option("-o,--output", common_.output,
                     "Table to write: id, split, fold (default: standard output)")
        ->type_name("PATH");
    add_folding(command, folding_);
    add_force(command);
    add_json(command);
    add_quiet(command);
  }

  int run(Session& session) override {
    if (!common_.output.empty()) check_output(common_.output, common_.force);
    const DataSet data = read_dataset(data_, reading(session));
    const Folding folding = folding_named(folding_);
    std::unordered_map<const Sample*, int> fold_of;
    std::array<std::size_t, kEvaluationFolds> sizes{};
    for (int fold = 0; fold < kEvaluationFolds; ++fold) {
      const FoldParts parts = fold_parts(data, fold, folding, session.execution());
      const auto& held_out = data.has_test_split() ? parts.validation : parts.test;
      for (const Sample* sample : held_out) fold_of.emplace(sample, fold);
      sizes[static_cast<std::size_t>(fold)] = held_out.size();
    }
    const std::string table = table_of(data, fold_of);
    if (!common_.output.empty()) {
      write_output(common_.output, table, common_.force);
    } else if (!common_.json) {
      print_data(table);
      return 0;
    }
    session.result(summary(data, sizes), json_of(data, fold_of));
    return 0;
  }

 private:
  using FoldOf = std::unordered_map<const Sample*, int>;

  /// Graphs that are in no fold, those of a fixed test split, have a dash.
  static std::string table_of(const DataSet& data, const FoldOf& fold_of) {
    std::string table = "#id\tsplit\tfold\n";
    for (const Split& split : data.splits) {
      for (const Sample& sample : split.samples) {
        const auto found = fold_of.find(&sample);
        table += fmt::format("{}\t{}\t{}\n", sample.id, split.name,
                             found == fold_of.end() ? "-" : std::to_string(found->second));
      }
    }
    return table;
  }

  std::string summary(const DataSet& data,
                      const std::array<std::size_t, kEvaluationFolds>& sizes) const {
    std::string text = fmt::format("{}: {} folds of", data.name, kEvaluationFolds);
    for (const std::size_t size : sizes) text += fmt::format(" {}", size);
    text += data.has_test_split()
                ? " graphs of the split train; run f validates on fold f, tests on the split test\n"
                : " graphs; run f tests on fold f, validates on fold f + 1\n";
    return text + fmt::format("written to {}\n", common_.output);
  }

  Json json_of(const DataSet& data, const FoldOf& fold_of) const {
    std::vector<std::vector<std::string>> folds(kEvaluationFolds);
    for (const Split& split : data.splits) {
      for (const Sample& sample : split.samples) {
        const auto found = fold_of.find(&sample);
        if (found != fold_of.end()) {
          folds[static_cast<std::size_t>(found->second)].push_back(sample.id);
        }
      }
    }
    return {{"data", data.name},
            {"folding", folding_},
            {"test", data.has_test_split() ? "split" : "fold"},
            {"folds", folds}};
  }

  std::string data_;
  std::string folding_ = std::string(folding_name(Folding::kUsual));
};

}  // namespace

std::unique_ptr<Command> make_folds() { return std::make_unique<FoldsCommand>(); }

}  // namespace bermuda::app
