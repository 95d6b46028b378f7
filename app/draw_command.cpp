#include <fmt/format.h>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/graph/drawing.hpp"
#include "command.hpp"
#include "picture_file.hpp"
#include "selection.hpp"

namespace bermuda::app {
namespace {

class DrawCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command = add(program, "draw", "Draw a graph as SVG or PNG, its witness in red",
                            "  bermuda draw D1 --graph TR0000017 -o graph.svg\n"
                            "  bermuda draw D1 --class 1 -o one.png\n");
    add_data(command, data_);
    add_output(command, "Picture to make; the ending .svg or .png says which kind");
    command->add_option("--graph", selection_.id, "Id of the graph (default: the first that fits)")
        ->type_name("ID");
    selection_.add_split(command);
    selection_.add_class(command);
    command->add_option("--layout", drawing_.layout, "Graphviz layout")
        ->capture_default_str()
        ->type_name("NAME");
    command->add_flag("--title", title_, "Print id and class below the graph");
    command->add_flag("!--no-numbers", drawing_.node_numbers, "Nodes without their numbers");
    add_force(command);
    add_json(command);
    add_quiet(command);
  }

  int run(Session& session) override {
    check_output(common_.output, common_.force);
    drawing_.format = picture_format(common_.output);
    const DataSet data = read_dataset(data_, reading_any(session));
    const auto [split, sample] = selection_.of(data, data_).front();
    const std::string class_name = class_text(data.class_names, sample->label);
    if (title_) drawing_.title = fmt::format("{}, class {}", sample->id, class_name);
    write_picture(common_.output,
                  draw_graph(sample->graph, sample->witness, drawing_, session.execution()),
                  common_.force);
    const std::string note = layout_note(sample->graph, drawing_);
    if (!note.empty()) session.note("note: " + note);
    session.result(
        fmt::format("{}: graph {} of {}, class {}, {} nodes, {} edges{}\n", common_.output,
                    sample->id, split->name, class_name, sample->graph.node_count(),
                    sample->graph.edge_count(), sample->witness.empty() ? "" : ", witness in red"),
        {{"output", common_.output},
         {"id", sample->id},
         {"split", split->name},
         {"class", class_json(data.class_names, sample->label)},
         {"nodes", sample->graph.node_count()},
         {"edges", sample->graph.edge_count()},
         {"layout_note", note}});
    return 0;
  }

 private:
  std::string data_;
  Selection selection_;
  bool title_ = false;
  DrawingOptions drawing_;
};

}  // namespace

std::unique_ptr<Command> make_draw() { return std::make_unique<DrawCommand>(); }

}  // namespace bermuda::app
