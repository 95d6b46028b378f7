#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "bermuda/dataset/dataset.hpp"
#include "fields.hpp"
#include "formats.hpp"

namespace bermuda {

// What formats share that have one graph per file: a folder of such files, with a table of their
// classes beside them, or one file alone.

using Endings = std::span<const std::string_view>;

/// The graph in a text; takes its nodes from the budget. Throws Fault with its line.
using ParseGraph =
    std::function<Graph(std::string_view text, const std::string& id, NodeBudget& budget)>;

bool has_graph_files(const Place& place, Endings endings);

/// The folder at the path, or the one where the file at the path stands.
std::string folder_of(const std::filesystem::path& path);

/// The files with these endings and, where there is one, the table of classes. Without it, and for
/// graphs that it does not name, there is no class.
FileTexts load_graph_files(const std::filesystem::path& path, Endings endings);

/// Of what load_graph_files() gives. `place` is the folder; of one file alone, the folder it is in.
DataSet parse_graph_files(const FileTexts& files, const std::string& place, const std::string& name,
                          Endings endings, const ParseGraph& parse, const ReadOptions& options);

}  // namespace bermuda
