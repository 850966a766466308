// The tables of the bench; each adds its benchmarks.
#pragma once

#include <string>

/// `folder`: the golden messages of FBE.
void add_account(const std::string& folder);
void add_libraries(const std::string& folder);
void add_car();
void add_capnp();
