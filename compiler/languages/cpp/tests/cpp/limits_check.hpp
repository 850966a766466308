// Verdicts under any limits. Each line of the input is a form, four limits and a message in hex digits; the answer is what is
// said of it: by the decoder, by the verifier, and by the encoder of the value that the usual limits let through.
#pragma once

#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "aldis/limits.hpp"
#include "aldis/result.hpp"

namespace limits_check {

using answerer = std::function<std::string(std::span<const std::byte>, const aldis::limits&)>;

inline std::string verdict(const auto& result) {
    return result.ok() ? "ok" : std::string(aldis::to_string(result.error().what));
}

template <class T>
answerer answering(auto decode, auto verify, auto encode) {
    return [=](std::span<const std::byte> in, const aldis::limits& most) {
        T value{};
        const std::string decoded = verdict(decode(in, value, most));
        const std::string verified = verify(in, most);
        aldis::buffer out;
        const bool given = decode(in, value, aldis::limits{}).ok();
        return decoded + ' ' + verified + ' ' + (given ? verdict(encode(value, out, most)) : "none");
    };
}

inline std::vector<std::byte> bytes_of(std::string_view digits) {
    std::vector<std::byte> bytes;
    for (std::size_t at = 0; at + 1 < digits.size(); at += 2) {
        bytes.push_back(static_cast<std::byte>(std::stoul(std::string(digits.substr(at, 2)), nullptr, 16)));
    }
    return bytes;
}

inline int answer_all(const std::map<std::string, answerer>& forms) {
    std::string form;
    std::string digits;
    aldis::limits most;
    while (std::cin >> form >> most.depth >> most.budget_factor >> most.budget_base >> most.surcharge >> digits) {
        std::cout << forms.at(form)(bytes_of(digits), most) << '\n';
    }
    return 0;
}

}  // namespace limits_check
