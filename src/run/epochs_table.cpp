#include <fmt/format.h>

#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/method/epoch_columns.hpp"
#include "bermuda/run/result.hpp"

namespace bermuda {

std::string epochs_table(std::span<const EpochRecord> epochs) {
  std::string table = "epoch";
  for (const EpochColumn& column : kEpochColumns) table += fmt::format("\t{}", column.name);
  table += '\n';
  for (const EpochRecord& record : epochs) {
    table += fmt::format("{}", record.epoch);
    for (const EpochColumn& column : kEpochColumns) {
      table += '\t' + fmt::format(fmt::runtime(column.format), record.*column.field);
    }
    table += '\n';
  }
  return table;
}

std::vector<EpochRecord> parse_epochs_table(std::string_view text, const std::string& file) {
  std::vector<EpochRecord> epochs;
  LineReader lines(text);
  std::string_view line;
  lines.next(line);  // names of the columns
  while (lines.next(line)) {
    const std::vector<std::string_view> fields = split_fields(line, '\t');
    if (fields.size() != 1 + kEpochColumns.size()) {
      throw InputError(file, lines.number(), fmt::format("{} columns", fields.size()),
                       fmt::format("the {} that train writes", 1 + kEpochColumns.size()));
    }
    EpochRecord& record = epochs.emplace_back();
    record.epoch = static_cast<int>(epochs.size());
    if (parse_number<int>(fields[0]) != record.epoch) {
      throw InputError(file, lines.number(), fmt::format("epoch {}", in_quotes(fields[0])),
                       fmt::format("epoch {}", record.epoch));
    }
    for (std::size_t i = 0; i < kEpochColumns.size(); ++i) {
      const auto number = parse_number<double>(fields[i + 1]);
      if (!number) {
        throw InputError(file, lines.number(),
                         fmt::format("{} as {}", in_quotes(fields[i + 1]), kEpochColumns[i].name),
                         "a number");
      }
      record.*kEpochColumns[i].field = *number;
    }
  }
  return epochs;
}

}  // namespace bermuda
