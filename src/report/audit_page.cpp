#include "bermuda/report/audit_page.hpp"

#include "bermuda/core/version.hpp"
#include "bermuda/graph/drawing.hpp"
#include "compact_svg.hpp"
#include "page_parts.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

/// A tree grows downwards from what it is about; anything else takes the room it needs.
std::string picture_of(const TellingFeature& feature) {
  if (feature.picture.node_count() == 0) return "";
  DrawingOptions options;
  options.node_numbers = false;
  const bool rooted = feature.marked.nodes.size() == 1;
  if (rooted) options.layout = "dot";
  return compact_svg(draw_graph(feature.picture, feature.marked, options));
}

}  // namespace

std::string audit_page(const AuditReport& report) {
  Json audit = to_json(report);
  for (std::size_t i = 0; i < report.telling.size(); ++i) {
    const std::vector<TellingFeature>& features = report.telling[i].features;
    for (std::size_t j = 0; j < features.size(); ++j) {
      audit["telling"][i]["features"][j]["svg"] = picture_of(features[j]);
    }
  }
  return page_of({.title = "Bermuda audit",
                  .without_script = "<code>bermuda audit DATA</code> prints the same as text.",
                  .script = audit_script()},
                 {{"program_version", kVersion}, {"audit", std::move(audit)}});
}

}  // namespace bermuda
