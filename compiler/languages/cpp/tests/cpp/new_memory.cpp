// A message of SBE written into a buffer that has no memory yet: compilers that follow it must not take that for its size.
#include "h2dims.hpp"

std::size_t size_of(const h2dims::OnlyData& value) {
    aldis::buffer out;
    const auto written = h2dims::encode(value, out);
    return written ? written->size() : 0;
}
