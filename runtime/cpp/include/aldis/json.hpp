// JSON of whole messages. Generated code brings `write_json` and `read_json` for each record, found by its namespace.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "json/reader.hpp"
#include "json/writer.hpp"

namespace aldis::json {

/// The JSON of a value in a string whose memory is used again; `bad-text` or `bad-value` for what JSON cannot say.
template <policy P, class T>
result<std::string_view> text(const T& value, std::string& made ALDIS_LIFETIMEBOUND) {
    made.clear();
    writer<P> out(made);
    if (!write_json(out, value)) {
        return result<std::string_view>(out.take_fault());
    }
    out.finish();
    return std::string_view(made);
}

/// The same in a string of its own.
template <policy P, class T>
result<std::string> text(const T& value) {
    std::string made;
    const auto written = text<P>(value, made);
    if (!written) {
        return written.error();
    }
    return made;
}

/// Reads a value from JSON with nothing after it; gives the size of the text.
template <policy P, class T>
result<std::size_t> parse(std::string_view given, T& value, const limits& most) {
    reader<P> in(given, most);
    if (!read_json(in, value) || !in.end()) {
        return result<std::size_t>(in.take_fault());
    }
    return given.size();
}

/// The value for people.
template <policy P, class T>
std::string shown(const T& value) {
    constexpr policy printing = [] {
        policy form = P;
        form.printing = true;
        return form;
    }();
    std::string made;
    writer<printing> out(made);
    // Every value can be printed for people.
    write_json(out, value);
    out.finish();
    return made;
}

}  // namespace aldis::json
