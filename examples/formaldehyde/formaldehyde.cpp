// The paper's example: formaldehyde as a sparse tensor, and the steps that make node vectors of it.
#include <fmt/format.h>

#include <algorithm>

#include "bermuda/tensor/run.hpp"

namespace {

using bermuda::tensor::MixedTensor;
using bermuda::tensor::Mode;
using bermuda::tensor::ModeKind;
using bermuda::tensor::Plan;
using bermuda::tensor::Step;
using bermuda::tensor::Tables;

/// Carbon is node 0, the hydrogens are 1 and 2, oxygen is 3. Bonds: 0 single, 1 double.
MixedTensor formaldehyde() {
  constexpr int C = 0;
  constexpr int H = 1;
  constexpr int O = 2;
  const torch::Tensor index = torch::tensor({0, 1, C, H, 0,  //
                                             0, 2, C, H, 0,  //
                                             0, 3, C, O, 1,  //
                                             1, 0, H, C, 0,  //
                                             2, 0, H, C, 0,  //
                                             3, 0, O, C, 1},
                                            torch::kInt32)
                                  .view({6, 5});
  return MixedTensor({"i", "j", "label_i", "label_j", "edge"}, index,
                     {torch::ones({6}, torch::kDouble)});
}

/// Numbers that are easy to follow; a network learns them.
Tables example_tables() {
  const auto table = [](std::vector<double> numbers, std::int64_t width) {
    return torch::tensor(numbers, torch::kDouble).view({-1, width});
  };
  return {{"i", table({1, 2, 0, 1, 1, 1, 2, 3}, 2)},
          {"label_i", table({6, 1, 8}, 1)},
          {"label_j", table({1, 0, 0, 1, 2, 1}, 2)},
          {"edge", table({1, 2}, 1)}};
}

std::string coordinate_text(const std::string& mode, std::int32_t value) {
  static const std::vector<std::string> kAtoms = {"C", "H", "O"};
  if (mode.starts_with("label")) return kAtoms.at(static_cast<std::size_t>(value));
  return std::to_string(value);
}

/// The numbers of a row of a dense subtensor, a matrix as [1 2; 3 4].
std::string value_text(const torch::Tensor& value) {
  if (value.dim() == 0) return fmt::format("{:g}", value.item<double>());
  std::string text;
  for (std::int64_t i = 0; i < value.size(0); ++i) {
    const char* separator = value.dim() == 2 ? "; " : " ";
    text += (text.empty() ? "" : separator) + value_text(value[i]);
  }
  return value.dim() == 2 ? "[" + text + "]" : text;
}

/// Lines of cells under each other; bars before the elements of the set.
void print_columns(const std::vector<std::vector<std::string>>& lines, std::size_t modes) {
  for (const std::vector<std::string>& line : lines) {
    std::string text;
    for (std::size_t c = 0; c < line.size(); ++c) {
      std::size_t width = 0;
      for (const std::vector<std::string>& other : lines) width = std::max(width, other[c].size());
      text += fmt::format("{}{:<{}}", c < modes ? (c > 0 ? "  " : "") : " | ", line[c], width);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    fmt::print("{}\n", text);
  }
  fmt::print("\n");
}

void print_tensor(const MixedTensor& tensor) {
  std::vector<std::vector<std::string>> lines = {tensor.modes()};
  for (std::size_t e = 0; e < tensor.values().size(); ++e) {
    lines.front().push_back(fmt::format("V{}", e + 1));
  }
  for (std::int64_t row = 0; row < tensor.rows(); ++row) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const std::string& mode : tensor.modes()) {
      line.push_back(coordinate_text(mode, tensor.coordinates(mode)[row].item<std::int32_t>()));
    }
    for (const torch::Tensor& element : tensor.values()) {
      line.push_back(value_text(element[row]));
    }
  }
  print_columns(lines, tensor.modes().size());
}

void print_tables(const Tables& tables) {
  for (const auto& [name, table] : tables) {
    fmt::print("{:<14}", "table " + name);
    for (std::int64_t row = 0; row < table.size(0); ++row) {
      fmt::print("{}{}: {}", row > 0 ? ",  " : "  ", coordinate_text(name, static_cast<int>(row)),
                 value_text(table[row]));
    }
    fmt::print("\n");
  }
  fmt::print("\n");
}

}  // namespace

int main() {
  const std::vector<Mode> modes = {{"i", ModeKind::kTopology, {}, {}},
                                   {"j", ModeKind::kTopology, {}, {}},
                                   {"label_i", ModeKind::kLabel, {"i"}, {}},
                                   {"label_j", ModeKind::kLabel, {"j"}, {}},
                                   {"edge", ModeKind::kLabel, {"i", "j"}, {}}};
  const Plan plan = bermuda::tensor::make_plan(modes, "i");
  const MixedTensor molecule = formaldehyde();
  const Tables tables = example_tables();

  print_tables(tables);
  fmt::print("formaldehyde\n");
  print_tensor(molecule);
  const MixedTensor nodes =
      bermuda::tensor::run(plan, molecule, tables, [](const Step& step, const MixedTensor& result) {
        fmt::print("{}\n", bermuda::tensor::describe(step));
        print_tensor(result);
      });

  fmt::print("node vectors\n");
  for (std::int64_t row = 0; row < nodes.rows(); ++row) {
    fmt::print("{}: {}\n", nodes.coordinates("i")[row].item<std::int32_t>(),
               value_text(nodes.flatten()[row]));
  }
}
