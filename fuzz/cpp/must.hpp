// A check that stops the fuzzer.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace fuzz {

/// Ends the run where something does not hold, and says what, with a fault where there is one.
inline void must(bool holds, const char* what, const std::string& fault = {}) {
    if (!holds) {
        std::fprintf(stderr, "%s%s%s\n", what, fault.empty() ? "" : ": ", fault.c_str());
        std::abort();
    }
}

}  // namespace fuzz
