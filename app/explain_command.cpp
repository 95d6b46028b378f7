#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/graph/drawing.hpp"
#include "bermuda/graph/witness.hpp"
#include "bermuda/method/evaluation.hpp"
#include "bermuda/method/explanation.hpp"
#include "bermuda/run/folder.hpp"
#include "command.hpp"
#include "methods.hpp"
#include "picture_file.hpp"
#include "selection.hpp"
#include "trained_model.hpp"

namespace bermuda::app {
namespace {

using Json = nlohmann::ordered_json;

/// How the edges a model looks at meet the witnesses, beside what chance would give.
struct Tally {
  TopEdgesMean found;
  TopEdgesMean random;
  explicit Tally(int top) : found(top), random(top) {}

  Json json() const {
    const TopEdgesSummary hit = found.summary();
    const TopEdgesSummary chance = random.summary();
    return {{"graphs", hit.graphs},    {"share", hit.share},       {"share_random", chance.share},
            {"any", hit.any},          {"any_random", chance.any}, {"all", hit.all},
            {"all_random", chance.all}};
  }

  std::string row(const char* name) const {
    const TopEdgesSummary hit = found.summary();
    const TopEdgesSummary chance = random.summary();
    if (hit.graphs == 0) return fmt::format("{:<16}{:>7}\n", name, 0);
    const auto pair = [](double share, double by_chance) {
      return fmt::format("{:>9.1f} %{:>9}", share * 100,
                         fmt::format("({:.1f} %)", by_chance * 100));
    };
    return fmt::format("{:<16}{:>7}{}{}{}\n", name, hit.graphs, pair(hit.share, chance.share),
                       pair(hit.any, chance.any), pair(hit.all, chance.all));
  }
};

class ExplainCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command =
        add(program, "explain", "Show which edges a trained model looks at, and how well it looks",
            "  bermuda explain run D1 --split test\n"
            "  bermuda explain run D1 --weights weights.tsv\n"
            "  bermuda explain run D1 --graph TR0000017 -o graph.svg\n");
    add_run(command, run_);
    add_data(command, data_);
    command->add_option("--graph", selection_.id, "Draw the graph of this id")->type_name("ID");
    command
        ->add_option("-o,--output", common_.output,
                     "With --graph the picture, .svg or .png; without it a table, .tsv, of id, "
                     "class, answer, hits, edges of the witness and edges")
        ->type_name("PATH");
    selection_.add_split(command);
    selection_.add_class(command);
    command
        ->add_option("--top", top_, "How many edges of largest weight are held against the witness")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str()
        ->excludes("--graph")
        ->type_name("K");
    command
        ->add_option("--weights", weights_,
                     "Table to write, .tsv: the weight of every edge of every graph, with witness "
                     "or without: id, both nodes, weight, whether the witness has it")
        ->excludes("--graph")
        ->type_name("PATH");
    command->add_option("--layers", layers_, "Layers to look at, such as 1,2 (default: all)")
        ->type_name("LIST");
    add_threads(command);
    add_force(command);
    add_json(command);
    add_quiet(command);
  }

  int run(Session& session) override {
    const bool draws = !selection_.id.empty();
    if (draws && common_.output.empty()) {
      throw UsageError("--graph needs --output: a name that ends in .svg or .png");
    }
    DrawingOptions drawing;
    if (draws) drawing.format = picture_format(common_.output);
    if (!common_.output.empty()) {
      if (!draws) check_table_name("--output", common_.output, "; --graph ID draws a picture");
      check_output(common_.output, common_.force);
    }
    if (!weights_.empty()) {
      check_table_name("--weights", weights_, "");
      check_output(weights_, common_.force);
    }
    parse_layers();
    const Model model = read_model(run_, methods());
    const DataSet data = read_dataset_for(model, data_, reading_any(session));
    const std::vector<Selected> selected = selection_.of(data, data_);
    note_differences(model, samples_of(selected), data, session);
    if (draws) {
      draw(model, selected.front(), drawing, session);
    } else {
      count(model, samples_of(selected), session);
    }
    return 0;
  }

 private:
  static void check_table_name(const char* option, const std::string& name, const char* more) {
    if (std::filesystem::path(name).extension() != ".tsv") {
      throw UsageError(fmt::format("{}: found {}, expected a name that ends in .tsv{}", option,
                                   in_quotes(name), more));
    }
  }

  void parse_layers() {
    if (layers_.empty()) return;
    for (const std::string_view field : split_fields(layers_, ',')) {
      const auto layer = parse_number<int>(trimmed(field));
      if (!layer || *layer < 1) {
        throw UsageError(fmt::format("--layers: found {}, expected numbers from 1, such as 1,2",
                                     in_quotes(layers_)));
      }
      options_.layers.push_back(*layer);
    }
  }

  void draw(const Model& model, const Selected& chosen, DrawingOptions& drawing,
            Session& session) const {
    const Sample& sample = *chosen.sample;
    const std::vector<const Sample*> samples = {&sample};
    const Execution execution = execution_for(*model.method, common_, session);
    const Explanations found = explain_edges(*model.method, samples, options_, execution);
    const auto answers = model.method->predict(samples, execution);
    check_predictions(answers, samples.size(), static_cast<int>(model.class_names.size()));
    const auto answer = answers.front().label;
    const std::string class_name = class_text(model.class_names, sample.label);
    const std::string said = class_text(model.class_names, answer);
    const std::vector<bool> in_witness = witness_edges(sample.graph, sample.witness);

    drawing.edge_weights = found.edge_weights.front();
    drawing.title = fmt::format("{}, class {}, {} says {}\nwidth of edges: {}", sample.id,
                                class_name, model.method->name(), said, found.how);
    write_picture(common_.output, draw_graph(sample.graph, sample.witness, drawing, execution),
                  common_.force);
    const std::string note = layout_note(sample.graph, drawing);
    if (!note.empty()) session.note("note: " + note);

    auto edges = Json::array();
    for (std::size_t i = 0; i < in_witness.size(); ++i) {
      const Edge& edge = sample.graph.edges()[i];
      edges.push_back({{"edge", {edge.u, edge.v}},
                       {"weight", drawing.edge_weights[i]},
                       {"witness", bool{in_witness[i]}}});
    }
    session.result(
        fmt::format("{}: graph {} of {}, class {}, {} says {}; width of edges: {}{}\n",
                    common_.output, sample.id, chosen.split->name, class_name, model.method->name(),
                    said, found.how, sample.witness.empty() ? "" : "; witness in red"),
        {{"output", common_.output},
         {"method", model.method->name()},
         {"how", found.how},
         {"id", sample.id},
         {"split", chosen.split->name},
         {"class", class_json(model.class_names, sample.label)},
         {"answer", said},
         {"edges", edges}});
  }

  void count(const Model& model, const std::vector<const Sample*>& all, Session& session) const {
    std::vector<const Sample*> samples;
    std::vector<std::vector<bool>> in_witness;
    const bool asks_all = !weights_.empty();
    for (const Sample* sample : all) {
      std::vector<bool> flags = witness_edges(sample->graph, sample->witness);
      if (!asks_all && std::ranges::find(flags, true) == flags.end()) continue;
      samples.push_back(sample);
      in_witness.push_back(std::move(flags));
    }
    if (samples.empty()) {
      throw UsageError(
          fmt::format("{}: none of {} graphs has a witness with edges to hold against the model's",
                      data_, all.size()));
    }
    const Execution execution = execution_for(*model.method, common_, session);
    const Explanations found = explain_edges(*model.method, samples, options_, execution);
    const auto predictions = model.method->predict(samples, execution);
    check_predictions(predictions, samples.size(), static_cast<int>(model.class_names.size()));

    Tally every(top_);
    Tally right(top_);
    std::string table = "#id\tclass\tanswer\thits\twitness_edges\tedges\n";
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const std::size_t edges = in_witness[i].size();
      const auto witness = static_cast<std::size_t>(std::ranges::count(in_witness[i], true));
      if (witness == 0) continue;
      const TopEdges hit = top_edges(found.edge_weights[i], in_witness[i], top_);
      const TopEdges chance = random_edges(edges, witness, top_);
      const bool is_right = predictions[i].label == samples[i]->label;
      for (Tally* tally : {&every, is_right ? &right : nullptr}) {
        if (tally == nullptr) continue;
        tally->found.add(hit, edges);
        tally->random.add(chance, edges);
      }
      table += fmt::format("{}\t{}\t{}\t{:.6g}\t{}\t{}\n", samples[i]->id,
                           class_text(model.class_names, samples[i]->label),
                           class_text(model.class_names, predictions[i].label), hit.hits, witness,
                           edges);
    }
    if (!common_.output.empty()) write_output(common_.output, table, common_.force);
    if (asks_all) {
      write_output(weights_, weights_table(samples, in_witness, found), common_.force);
    }
    session.result(text(model, found.how, all.size(), every, right),
                   {{"method", model.method->name()},
                    {"how", found.how},
                    {"top", top_},
                    {"graphs", all.size()},
                    {"with_witness", every.json()},
                    {"answered_right", right.json()}});
  }

  static std::string weights_table(const std::vector<const Sample*>& samples,
                                   const std::vector<std::vector<bool>>& in_witness,
                                   const Explanations& found) {
    std::string table = "#id\tu\tv\tweight\twitness\n";
    for (std::size_t i = 0; i < samples.size(); ++i) {
      for (std::size_t e = 0; e < in_witness[i].size(); ++e) {
        const Edge& edge = samples[i]->graph.edges()[e];
        table += fmt::format("{}\t{}\t{}\t{}\t{}\n", samples[i]->id, edge.u, edge.v,
                             found.edge_weights[i][e], in_witness[i][e] ? 1 : 0);
      }
    }
    return table;
  }

  std::string text(const Model& model, const std::string& how, std::size_t asked,
                   const Tally& every, const Tally& right) const {
    std::string text = fmt::format("{}: {}\n{} of {} graphs have a witness with edges\n",
                                   model.method->name(), how, every.found.summary().graphs, asked);
    text += fmt::format("{:<16}{:>7}{:>20}{:>20}{:>20}\n",
                        top_ == 1 ? "top edge" : fmt::format("top {} edges", top_), "graphs",
                        "in the witness", "at least one", "all of them");
    text += every.row("with witness");
    text += right.row("answered right");
    text += "in brackets: as many edges drawn at random\n";
    for (const std::string* name : {&common_.output, &weights_}) {
      if (!name->empty()) text += fmt::format("written to {}\n", *name);
    }
    return text;
  }

  std::string run_;
  std::string data_;
  Selection selection_;
  int top_ = 3;
  std::string layers_;
  std::string weights_;
  ExplainOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_explain() { return std::make_unique<ExplainCommand>(); }

}  // namespace bermuda::app
