#include "bermuda/graph/drawing.hpp"

#include <fmt/format.h>
#include <graphviz/gvc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <vector>

#include "bermuda/core/child.hpp"
#include "bermuda/core/index.hpp"
#include "bermuda/graph/witness.hpp"
#include "ring_layout.hpp"

namespace bermuda {
namespace {

/// Graphviz takes `char*` where it means `const char*`.
char* c_text(const char* text) { return const_cast<char*>(text); }

/// What Graphviz would have printed. Global, because its callback carries no pointer of ours;
/// guarded by the mutex of GraphvizSession.
std::string captured_messages;

int capture(char* message) {
  captured_messages += message;
  return 0;
}

/// Graphviz keeps its state in globals: one caller at a time. Messages are caught while it lives.
class GraphvizSession {
 public:
  GraphvizSession() : lock_(mutex()), previous_(agseterrf(capture)) {
    captured_messages.clear();
    context_ = shared_context();
  }
  ~GraphvizSession() { agseterrf(previous_); }
  GraphvizSession(const GraphvizSession&) = delete;
  GraphvizSession& operator=(const GraphvizSession&) = delete;

  GVC_t* context() const { return context_; }

  /// The first message as part of a sentence.
  std::string message() const {
    std::string_view text = captured_messages;
    for (const std::string_view prefix : {"Error: ", "Warning: "}) {
      if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    }
    text = text.substr(0, text.find('\n'));
    return text.empty() ? "Graphviz gave no reason" : std::string(text);
  }

 private:
  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }
  /// Made once: it reads the list of plugins, and Graphviz does not give all of it back.
  static GVC_t* shared_context() {
    static GVC_t* const instance = gvContext();
    return instance;
  }

  std::lock_guard<std::mutex> lock_;
  agusererrf previous_;
  GVC_t* context_;
};

class Picture {
 public:
  explicit Picture(GVC_t* context)
      : context_(context), graph_(agopen(c_text("graph"), Agstrictundirected, nullptr)) {
    if (graph_ == nullptr) throw Error("Graphviz cannot make a graph");
  }
  ~Picture() {
    if (has_layout_) gvFreeLayout(context_, graph_);
    agclose(graph_);
  }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  /// The value that nodes (AGNODE), edges (AGEDGE) or the graph (AGRAPH) have unless told
  /// otherwise.
  void set_default(int kind, const char* attribute, const std::string& value) {
    agattr(graph_, kind, c_text(attribute), c_text(value.c_str()));
  }
  template <typename Object>
  static void set(Object* object, const char* attribute, const std::string& value) {
    agset(object, c_text(attribute), c_text(value.c_str()));
  }
  Agnode_t* node(int number) {
    return agnode(graph_, c_text(fmt::format("{}", number).c_str()), 1);
  }
  Agedge_t* edge(const Edge& edge) {
    return agedge(graph_, node(edge.u), node(edge.v), nullptr, 1);
  }
  bool lay_out(const std::string& engine) {
    // Some layouts and the removal of overlaps draw from the generators of the C library, which
    // go on from where the picture before left them.
    std::srand(1);
    ::srand48(1);
    has_layout_ = gvLayout(context_, graph_, engine.c_str()) == 0;
    return has_layout_;
  }
  bool render(const char* format, std::string& bytes) {
    char* data = nullptr;
    unsigned length = 0;
    if (gvRenderData(context_, graph_, format, &data, &length) != 0 || data == nullptr) {
      return false;
    }
    bytes.assign(data, length);
    gvFreeRenderData(data);
    return true;
  }

 private:
  GVC_t* context_;
  Agraph_t* graph_;
  bool has_layout_ = false;
};

/// Text as Graphviz shows it letter by letter: backslashes begin escapes there, ampersands names of
/// characters, and control characters other than the end of a line are not allowed in an SVG file.
std::string plain_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? ' ' : c;
    if (c == '&') result += "amp;";
  }
  return result;
}

constexpr const char* kFont = "Helvetica,Arial,sans-serif";
constexpr const char* kRed = "#d62728";
constexpr const char* kDark = "#39424e";
// Pale, so that text on them can be read; told apart by the colour blind (Tol's and Okabe's pale).
constexpr std::array<const char*, kNodeColours> kFills = {
    "#bbd7f0", "#ffe2a8", "#c8e6c0", "#f6c3cf", "#d9cdea", "#b6e3e0", "#e6d2bd", "#dcdcdc"};

// Up to here a picture takes a fraction of a second in any layout.
constexpr int kMostNodesDrawnInProcess = 60;
constexpr int kMostEdgesDrawnInProcess = 200;
// Up to here all but dot take some seconds: neato's time grows with the cube of the nodes.
constexpr int kMostNodesLaidOut = 1000;
constexpr int kMostEdgesLaidOut = 10'000;
// Takes the positions that nodes have, in points.
constexpr const char* kGivenPositions = "nop2";

bool stands_on_rings(const Graph& graph) {
  return graph.node_count() > kMostNodesLaidOut || graph.edge_count() > kMostEdgesLaidOut;
}

/// Edges that bend around nodes are easier to read, but the routing takes cubic time in all
/// layouts but dot: 0.1 s at 20 nodes, most of a minute at 200.
bool bends_edges(const Graph& graph, const DrawingOptions& options) {
  constexpr int kMostBent = 30;
  if (stands_on_rings(graph)) return false;
  return graph.node_count() <= kMostBent || options.layout == "dot";
}

void set_style(Picture& picture, const Graph& graph, const DrawingOptions& options) {
  picture.set_default(AGRAPH, "bgcolor",
                      options.format == PictureFormat::kSvg ? "transparent" : "white");
  picture.set_default(AGRAPH, "pad", "0.15");
  picture.set_default(AGRAPH, "start", "1");
  picture.set_default(AGRAPH, "overlap", "false");
  picture.set_default(AGRAPH, "sep", "+8");
  picture.set_default(AGRAPH, "splines", bends_edges(graph, options) ? "true" : "line");
  picture.set_default(AGRAPH, "outputorder", "edgesfirst");
  picture.set_default(AGRAPH, "fontname", kFont);
  picture.set_default(AGRAPH, "fontsize", "12");
  picture.set_default(AGRAPH, "fontcolor", kDark);
  picture.set_default(AGRAPH, "labelloc", "b");
  picture.set_default(AGRAPH, "label", plain_text(options.title));
  if (options.format == PictureFormat::kPng) picture.set_default(AGRAPH, "dpi", "144");

  picture.set_default(AGNODE, "shape", "circle");
  picture.set_default(AGNODE, "style", "filled");
  picture.set_default(AGNODE, "fillcolor", "#e8eef7");
  picture.set_default(AGNODE, "color", "#4a6a8a");
  picture.set_default(AGNODE, "penwidth", "1.2");
  picture.set_default(AGNODE, "fontname", kFont);
  picture.set_default(AGNODE, "fontsize", "11");
  picture.set_default(AGNODE, "fontcolor", "#26374a");
  picture.set_default(AGNODE, "fixedsize", "true");
  picture.set_default(AGNODE, "width", "0.32");
  picture.set_default(AGNODE, "label", "");
  picture.set_default(AGNODE, "class", "");
  if (stands_on_rings(graph)) picture.set_default(AGNODE, "pos", "");

  picture.set_default(AGEDGE, "color", "#7a8794");
  picture.set_default(AGEDGE, "penwidth", "1.3");
  picture.set_default(AGEDGE, "len", "0.75");
  picture.set_default(AGEDGE, "class", "");
}

/// The width of each edge, in points, when weights say it.
std::vector<double> edge_widths(const std::vector<double>& weights) {
  constexpr double kThin = 0.6;
  constexpr double kThick = 6;
  const double most = weights.empty() ? 0 : *std::ranges::max_element(weights);
  std::vector<double> widths;
  for (const double weight : weights) {
    widths.push_back(most > 0 ? kThin + (kThick - kThin) * weight / most : kThin);
  }
  return widths;
}

std::string node_text(const Graph& graph, int node, const DrawingOptions& options) {
  if (options.node_numbers) return fmt::format("{}", node);
  if (!graph.has_node_labels()) return "";
  return fmt::format("{}", graph.node_labels()[static_cast<std::size_t>(node)]);
}

void add_graph(Picture& picture, const Graph& graph, const Witness& witness,
               const DrawingOptions& options) {
  std::vector<int> marked_nodes = witness.nodes;
  std::ranges::sort(marked_nodes);
  for (int v = 0; v < graph.node_count(); ++v) {
    Agnode_t* node = picture.node(v);
    const std::string text = node_text(graph, v, options);
    Picture::set(node, "label", text);
    // Circles of one size look calm; three digits fit, only longer text needs more room.
    if (text.size() > 3) {
      Picture::set(node, "width", fmt::format("{:.2f}", 0.11 * static_cast<double>(text.size())));
    }
    const int colour = options.node_colours.empty() ? -1 : options.node_colours[at(v)];
    if (colour >= 0) {
      Picture::set(node, "fillcolor", kFills.at(at(colour)));
      Picture::set(node, "class", fmt::format("c{}", colour));
    }
    if (std::ranges::binary_search(marked_nodes, v)) {
      Picture::set(node, "color", kRed);
      Picture::set(node, "fillcolor", "#fbe3e3");
      Picture::set(node, "fontcolor", "#8c1a1b");
      Picture::set(node, "penwidth", "2.2");
      Picture::set(node, "class", "witness");
    }
  }
  if (stands_on_rings(graph)) {
    int v = 0;
    for (const RingPlace& place : ring_layout(graph)) {
      Picture::set(picture.node(v++), "pos", fmt::format("{:.1f},{:.1f}", place.x, place.y));
    }
  }
  const std::vector<bool> marked = witness_edges(graph, witness);
  const std::vector<double> widths = edge_widths(options.edge_weights);
  for (std::size_t i = 0; i < marked.size(); ++i) {
    Agedge_t* line = picture.edge(graph.edges()[i]);
    if (marked[i]) {
      Picture::set(line, "color", kRed);
      Picture::set(line, "penwidth", "2.8");
      Picture::set(line, "class", "witness");
    }
    if (!widths.empty()) {
      if (!marked[i]) Picture::set(line, "color", kDark);
      Picture::set(line, "penwidth", fmt::format("{:.2f}", widths[i]));
    }
  }
}

std::string draw_by_graphviz(const Graph& graph, const Witness& witness,
                             const DrawingOptions& options);

}  // namespace

std::string layout_note(const Graph& graph, const DrawingOptions& options) {
  if (!stands_on_rings(graph)) return "";
  return fmt::format(
      "{} nodes and {} edges are too many for layout {} ({} and {}): nodes stand on rings by their "
      "distance from the middle",
      graph.node_count(), graph.edge_count(), options.layout, kMostNodesLaidOut, kMostEdgesLaidOut);
}

std::string draw_graph(const Graph& graph, const Witness& witness, const DrawingOptions& options,
                       StopPoll stop) {
  if (!options.edge_weights.empty() && options.edge_weights.size() != graph.edges().size()) {
    throw Error(fmt::format("{} edge weights for {} edges", options.edge_weights.size(),
                            graph.edge_count()));
  }
  const auto nodes = static_cast<std::size_t>(graph.node_count());
  if (!options.node_colours.empty() && options.node_colours.size() != nodes) {
    throw Error(fmt::format("{} node colours for {} nodes", options.node_colours.size(), nodes));
  }
  const bool quick = graph.node_count() <= kMostNodesDrawnInProcess &&
                     graph.edge_count() <= kMostEdgesDrawnInProcess;
  if (quick) return draw_by_graphviz(graph, witness, options);
  return run_in_child(stop, [&] { return draw_by_graphviz(graph, witness, options); });
}

namespace {

std::string draw_by_graphviz(const Graph& graph, const Witness& witness,
                             const DrawingOptions& options) {
  const GraphvizSession session;
  if (session.context() == nullptr) throw Error("Graphviz cannot be started");
  Picture picture(session.context());
  set_style(picture, graph, options);
  add_graph(picture, graph, witness, options);
  if (!picture.lay_out(stands_on_rings(graph) ? kGivenPositions : options.layout)) {
    throw UsageError(fmt::format("layout {}: {}", in_quotes(options.layout), session.message()));
  }
  std::string bytes;
  const char* format = options.format == PictureFormat::kSvg ? "svg" : "png";
  if (!picture.render(format, bytes)) {
    throw Error(fmt::format("cannot draw a picture as {}: {}", format, session.message()));
  }
  return bytes;
}

}  // namespace

}  // namespace bermuda
