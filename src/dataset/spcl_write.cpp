#include <fmt/format.h>

#include <string>
#include <utility>

#include "bermuda/core/error.hpp"
#include "fields.hpp"
#include "formats.hpp"
#include "spcl.hpp"

namespace bermuda {

FileTexts spcl_files(const DataSet& data) {
  check_class_numbers(data, "SP/CL");
  FileTexts files;
  for (const Split& split : data.splits) {
    if (split.samples.empty()) continue;
    std::string edges;
    std::string classes;
    for (const Sample& sample : split.samples) {
      if (sample.graph.edge_count() == 0) {
        throw UsageError(
            fmt::format("graph {} has no edges: SP/CL cannot carry it", in_quotes(sample.id)));
      }
      for (const Edge edge : sample.graph.edges()) {
        for (const auto& [from, to] : {std::pair(edge.u, edge.v), std::pair(edge.v, edge.u)}) {
          edges += sample.id;
          edges += '\t';
          append_integer(edges, from);
          edges += '\t';
          append_integer(edges, to);
          edges += "\t1.0\n";
        }
      }
      if (sample.label == Sample::kNoClass) continue;
      classes += sample.id;
      classes += '\t';
      classes += data.class_names[static_cast<std::size_t>(sample.label)];
      classes += '\n';
    }
    const std::string prefix = split.name == kUnsplit ? "" : split.name + "_";
    files[prefix + std::string(kSpclEdges)] = std::move(edges);
    if (!classes.empty()) files[prefix + std::string(kSpclClasses)] = std::move(classes);
  }
  return files;
}

}  // namespace bermuda
