#include "expressivity_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bermuda::app {
namespace {

using Json = nlohmann::ordered_json;

std::size_t count(const std::vector<Telling>& pairs, Telling what) {
  return static_cast<std::size_t>(std::ranges::count(pairs, what));
}

/// Of each category, then of all.
std::vector<std::size_t> by_category(const GraphPairs& pairs, const std::vector<Telling>& told,
                                     Telling what) {
  std::vector<std::size_t> counts(pairs.categories.size() + 1, 0);
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (told[i] == what) ++counts[static_cast<std::size_t>(pairs.pairs[i].category)];
  }
  counts.back() = count(told, what);
  return counts;
}

std::size_t name_width(const std::vector<ExpressivityRow>& rows) {
  std::size_t width = 6;
  for (const ExpressivityRow& row : rows) width = std::max(width, row.method.size());
  return width;
}

/// What the rows rest on, and who was left out.
std::string notes(const std::vector<ExpressivityRow>& rows, std::size_t width) {
  std::string text;
  for (const ExpressivityRow& row : rows) {
    if (row.pairs) text += fmt::format("{:<{}}  {}\n", row.method, width, row.pairs->how);
    if (row.classes) text += fmt::format("{:<{}}  {}\n", row.method, width, row.classes->how);
    if (!row.not_asked.empty()) {
      text += fmt::format("{:<{}}  not asked: {}\n", row.method, width, row.not_asked);
    }
  }
  return text;
}

}  // namespace

std::size_t false_alarms(const std::vector<ExpressivityRow>& rows) {
  std::size_t alarms = 0;
  for (const ExpressivityRow& row : rows) {
    if (row.pairs) alarms += count(row.pairs->control, Telling::kDifferent);
  }
  return alarms;
}

std::string pairs_text(const GraphPairs& pairs, const std::vector<ExpressivityRow>& rows) {
  const std::size_t width = name_width(rows);
  std::vector<std::string> heads = pairs.categories;
  if (heads.size() == 1) heads.clear();
  const auto cells = [&](const std::vector<std::size_t>& counts) {
    std::string text;
    for (std::size_t c = 0; c < heads.size(); ++c) {
      text += fmt::format("  {:>{}}", counts[c], std::max<std::size_t>(heads[c].size(), 4));
    }
    return text + fmt::format("  {:>5}", counts.back());
  };
  std::string text = fmt::format("{:<{}}", "method", width);
  for (const std::string& head : heads) text += fmt::format("  {:>4}", head);
  text += fmt::format("  {:>5}  control\n", "all");
  std::vector<std::size_t> sizes(pairs.categories.size() + 1, 0);
  for (const GraphPair& pair : pairs.pairs) ++sizes[static_cast<std::size_t>(pair.category)];
  sizes.back() = pairs.pairs.size();
  text += fmt::format("{:<{}}{}\n", "pairs", width, cells(sizes));
  std::size_t not_asked = 0;
  for (const ExpressivityRow& row : rows) {
    if (!row.pairs) {
      text += fmt::format("{:<{}}  not asked\n", row.method, width);
      continue;
    }
    not_asked = std::max(not_asked, count(row.pairs->pairs, Telling::kNotAsked));
    text += fmt::format("{:<{}}{}  {:>7}\n", row.method, width,
                        cells(by_category(pairs, row.pairs->pairs, Telling::kDifferent)),
                        count(row.pairs->control, Telling::kDifferent));
  }
  text +=
      "\nPairs that a method could tell apart; control: graphs against themselves, renumbered.\n";
  if (std::ranges::any_of(rows, [](const auto& row) { return row.pairs && row.pairs->at_least; })) {
    text += "Rows that rest on draws are lower bounds: more --draws and --weights may find more.\n";
  }
  if (not_asked > 0) {
    text += fmt::format("{} pairs were not asked: --most-nodes is smaller.\n", not_asked);
  }
  return text + '\n' + notes(rows, width);
}

Json pairs_json(const GraphPairs& pairs, const std::vector<ExpressivityRow>& rows) {
  Json sizes = Json::object();
  for (const std::string& category : pairs.categories) sizes[category] = 0;
  for (const GraphPair& pair : pairs.pairs) {
    Json& size = sizes[pairs.categories[static_cast<std::size_t>(pair.category)]];
    size = size.get<std::size_t>() + 1;
  }
  Json json = {{"pairs", pairs.pairs.size()}, {"categories", sizes}, {"methods", Json::array()}};
  for (const ExpressivityRow& row : rows) {
    Json entry = {{"method", row.method}};
    if (!row.pairs) {
      entry["not_asked"] = row.not_asked;
      json["methods"].push_back(entry);
      continue;
    }
    const ToldApart& told = *row.pairs;
    const auto counts = by_category(pairs, told.pairs, Telling::kDifferent);
    entry["how"] = told.how;
    entry["at_least"] = told.at_least;
    entry["told_apart"] = counts.back();
    for (std::size_t c = 0; c < pairs.categories.size(); ++c) {
      entry["by_category"][pairs.categories[c]] = counts[c];
    }
    entry["control"] = count(told.control, Telling::kDifferent);
    entry["pairs_not_asked"] = count(told.pairs, Telling::kNotAsked);
    entry["largest_rounding"] = told.largest_none;
    entry["smallest_difference"] =
        told.smallest_difference ? Json(*told.smallest_difference) : Json();
    Json which = Json::array();
    for (std::size_t i = 0; i < told.pairs.size(); ++i) {
      if (told.pairs[i] == Telling::kDifferent) which.push_back(i + 1);
    }
    entry["which"] = which;
    json["methods"].push_back(entry);
  }
  return json;
}

std::string classes_text(const std::vector<ExpressivityRow>& rows) {
  const std::size_t width = name_width(rows);
  std::string text = fmt::format("{:<{}}  {:>7}  {:>7}  {:>7}  {:>8}\n", "method", width, "graphs",
                                 "views", "apart %", "at best %");
  for (const ExpressivityRow& row : rows) {
    if (!row.classes) {
      text += fmt::format("{:<{}}  not asked\n", row.method, width);
      continue;
    }
    const SeenClasses& seen = *row.classes;
    const std::size_t asked = seen.graphs - seen.not_asked;
    text += fmt::format(
        "{:<{}}  {:>7}  {:>7}  {:>7.2f}  {:>9.2f}\n", row.method, width, asked, seen.views,
        asked == 0 ? 0 : 100.0 * static_cast<double>(seen.apart) / static_cast<double>(asked),
        100 * seen.best_accuracy());
  }
  return text +
         "\napart: graphs whose view no graph of another class has. At best: the accuracy of the\n"
         "best function of the view on these graphs; a kernel never learns more; of a network "
         "these\nare random weights, and others may show it more.\n\n" +
         notes(rows, width);
}

Json classes_json(const std::vector<ExpressivityRow>& rows) {
  Json json = {{"methods", Json::array()}};
  for (const ExpressivityRow& row : rows) {
    Json entry = {{"method", row.method}};
    if (row.classes) {
      entry["how"] = row.classes->how;
      entry["graphs"] = row.classes->graphs;
      entry["graphs_not_asked"] = row.classes->not_asked;
      entry["views"] = row.classes->views;
      entry["apart"] = row.classes->apart;
      entry["best_accuracy"] = row.classes->best_accuracy();
    } else {
      entry["not_asked"] = row.not_asked;
    }
    json["methods"].push_back(entry);
  }
  return json;
}

}  // namespace bermuda::app
