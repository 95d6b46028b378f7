#include <fmt/format.h>

#include "bermuda/method/views.hpp"
#include "svm_method.hpp"

namespace bermuda {
namespace {

/// Counts that are no multiples of each other differ by more once they are divided by their length,
/// and those that are by less. Without division equal counts are the same bits.
constexpr double kOfLength = 1e-12;

}  // namespace

std::optional<Views> SvmMethod::views(const ViewRequest& request, const Execution& execution) {
  Views views;
  const std::unique_ptr<FeatureMap> map = make_map(request.seed);
  if (!map->is_sampled()) {
    views.how = fmt::format("{}, exact", map->what());
    // The last level has the features of all others.
    FeatureRows rows = std::move(map->fit(request.samples, execution).back());
    if (map->normalised()) normalise(rows);
    views.tolerance = map->normalised() ? kOfLength : 0;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      std::vector<Views::Entry>& row = views.rows.emplace_back();
      for (const SparseMatrix::Entry& entry : rows.row(i)) {
        row.push_back({entry.column, entry.value});
      }
    }
    return views;
  }
  views.how = fmt::format("{}, {} draws", map->what(), request.draws);
  views.draws.resize(request.samples.size());
  for (int draw = 0; draw < request.draws; ++draw) {
    const auto number = static_cast<std::uint32_t>(draw);
    const RenumberedSamples numbered(request, number, execution);
    FeatureRows rows =
        make_map(view_seed(request, number))->transform(numbered.all(), 0, execution);
    if (map->normalised()) normalise(rows);
    views.columns = static_cast<std::size_t>(rows.columns);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      std::vector<double>& all = views.draws[i];
      all.resize(all.size() + views.columns, 0);
      double* row = all.data() + all.size() - views.columns;
      for (const SparseMatrix::Entry& entry : rows.row(i)) row[entry.column] = entry.value;
    }
  }
  return views;
}

}  // namespace bermuda
