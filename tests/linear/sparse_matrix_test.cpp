#include "bermuda/linear/sparse_matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bermuda {
namespace {

TEST(SparseMatrix, AddRowSortsAndAddsUp) {
  SparseMatrix matrix;
  matrix.add_row({{3, 1.0}, {1, 2.0}, {3, 0.5}});
  matrix.add_row({});
  ASSERT_EQ(matrix.rows(), 2U);
  EXPECT_EQ(matrix.columns, 4);
  ASSERT_EQ(matrix.row(0).size(), 2U);
  EXPECT_EQ(matrix.row(0)[0], (SparseMatrix::Entry{1, 2.0}));
  EXPECT_EQ(matrix.row(0)[1], (SparseMatrix::Entry{3, 1.5}));
  EXPECT_TRUE(matrix.row(1).empty());
}

TEST(SparseMatrix, GramMatrixByHand) {
  SparseMatrix left;
  left.add_row({{0, 1.0}, {2, 2.0}});
  left.add_row({{5, 3.0}});  // a column that the other side does not have
  SparseMatrix right;
  right.add_row({{2, 10.0}});
  right.add_row({});
  right.add_row({{0, 4.0}, {1, 7.0}, {2, 0.5}});
  EXPECT_THAT(gram_matrix(left, right), testing::ElementsAre(20, 0, 5, 0, 0, 0));
  EXPECT_THAT(gram_matrix(right, left), testing::ElementsAre(20, 0, 0, 0, 5, 0));
}

}  // namespace
}  // namespace bermuda
