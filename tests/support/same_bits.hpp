// Two matrices that must agree to the bit.
#pragma once

#include <gtest/gtest.h>

#include "askrff/views.hpp"

namespace askrff::test {

template <class T>
void expect_same(const Matrix<T>& a, const Matrix<T>& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  for (std::size_t i = 0; i < a.rows() * a.cols(); ++i) ASSERT_EQ(a.data()[i], b.data()[i]) << i;
}

}  // namespace askrff::test
