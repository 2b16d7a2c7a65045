# Tests of the house itself: layers, public headers, documentation, packages.
