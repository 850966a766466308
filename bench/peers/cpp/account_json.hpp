// The account message as JSON (compact, in schema order, enums as numbers), written by hand with `to_chars`.
#pragma once

#include <charconv>
#include <cmath>

#include "account.hpp"

namespace peer::json {

inline void put_escaped(std::string& out, char byte) {
    constexpr char digits[] = "0123456789abcdef";
    switch (byte) {
        case '"': out += "\\\""; return;
        case '\\': out += "\\\\"; return;
        case '\b': out += "\\b"; return;
        case '\f': out += "\\f"; return;
        case '\n': out += "\\n"; return;
        case '\r': out += "\\r"; return;
        case '\t': out += "\\t"; return;
        default:
            out += "\\u00";
            out += digits[byte >> 4];
            out += digits[byte & 15];
    }
}

inline void put_text(std::string& out, std::string_view text) {
    out += '"';
    std::size_t plain = 0;
    for (std::size_t index = 0; index < text.size(); ++index) {
        const char byte = text[index];
        if (static_cast<unsigned char>(byte) >= 0x20 && byte != '"' && byte != '\\') {
            continue;
        }
        out.append(text, plain, index - plain);
        plain = index + 1;
        put_escaped(out, byte);
    }
    out.append(text, plain);
    out += '"';
}

template <class Integer>
inline void put_integer(std::string& out, Integer value) {
    char digits[24];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// The shortest text that reads back, with a point where it would be an integer; false for what JSON cannot say.
inline bool put_double(std::string& out, double value) {
    if (!std::isfinite(value)) {
        return false;
    }
    char digits[32];
    const char* const end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    const std::string_view text(digits, static_cast<std::size_t>(end - digits));
    out += text;
    if (text.find_first_of(".e") == std::string_view::npos) {
        out += ".0";
    }
    return true;
}

inline bool put_balance(std::string& out, const Balance& value) {
    out += R"({"currency":)";
    put_text(out, value.currency);
    out += R"(,"amount":)";
    if (!put_double(out, value.amount)) {
        return false;
    }
    out += '}';
    return true;
}

inline bool put_order(std::string& out, const Order& value) {
    out += R"({"id":)";
    put_integer(out, value.id);
    out += R"(,"symbol":)";
    put_text(out, value.symbol);
    out += R"(,"side":)";
    put_integer(out, value.side);
    out += R"(,"type":)";
    put_integer(out, value.type);
    out += R"(,"price":)";
    if (!put_double(out, value.price)) {
        return false;
    }
    out += R"(,"volume":)";
    if (!put_double(out, value.volume)) {
        return false;
    }
    out += '}';
    return true;
}

// Appends the account's JSON; false for numbers that JSON cannot say.
inline bool write(std::string& out, const Account& value) {
    out += R"({"id":)";
    put_integer(out, value.id);
    out += R"(,"name":)";
    put_text(out, value.name);
    out += R"(,"state":)";
    put_integer(out, value.state);
    out += R"(,"wallet":)";
    if (!put_balance(out, value.wallet)) {
        return false;
    }
    out += R"(,"asset":)";
    if (!value.asset) {
        out += "null";
    } else if (!put_balance(out, *value.asset)) {
        return false;
    }
    out += R"(,"orders":[)";
    bool first = true;
    for (const Order& order : value.orders) {
        if (!first) {
            out += ',';
        }
        first = false;
        if (!put_order(out, order)) {
            return false;
        }
    }
    out += "]}";
    return true;
}

}  // namespace peer::json
