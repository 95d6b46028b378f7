#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "bermuda/verify/verify.hpp"

namespace bermuda::test {

inline VerifyReport verified(const DataSet& data, const VerifyOptions& options = {}) {
  return verify_dataset(data, options, {});
}

/// Problems as text, one per line: split/id kind: detail.
inline std::string listed(const VerifyReport& report) {
  std::string text;
  for (const Problem& problem : report.problems) {
    text += problem.split + "/" + problem.id + " " + problem.kind + ": " + problem.detail + "\n";
  }
  return text;
}

/// The data set has exactly one problem, at this place and of this kind, and it says this.
inline void expect_only(const DataSet& data, const std::string& where, const std::string& kind,
                        const std::string& detail, const VerifyOptions& options = {}) {
  const VerifyReport report = verified(data, options);
  EXPECT_EQ(report.problems.size(), 1u) << listed(report);
  EXPECT_THAT(listed(report), ::testing::HasSubstr(where + " " + kind + ": ")) << detail;
  EXPECT_THAT(listed(report), ::testing::HasSubstr(detail));
}

inline Sample& sample_of(DataSet& data, const std::string& id) {
  for (Split& split : data.splits) {
    for (Sample& sample : split.samples) {
      if (sample.id == id) return sample;
    }
  }
  throw std::out_of_range(id);
}

}  // namespace bermuda::test
