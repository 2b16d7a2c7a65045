// The plain primitives of grids, for the table of the reference backend.
#pragma once

#include "backend/grid.hpp"

namespace askrff::backend::reference {

template <class T>
GridPrimitives<T> grid_primitives();

}  // namespace askrff::backend::reference
