#pragma once

#include "bermuda/report/table.hpp"

namespace bermuda {

/// Fills in what models were asked beside the test graphs: table.asked and TableCell::asked.
void add_asked_columns(const Records& records, const Records::GridWithEntries& grid,
                       ResultTable& table);

}  // namespace bermuda
