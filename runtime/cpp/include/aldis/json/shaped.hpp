// JSON objects that hold more than the members of one record: of flattened values, and members that tell which arm of a union
// is active. They may come in any order, so the members are found first and read then.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "reader.hpp"

namespace aldis::json {

/// The places of an object's members' values in the text.
struct found_members {
    std::map<std::string, std::size_t, std::less<>> at;
    /// The end of the object.
    std::size_t end = 0;

    [[nodiscard]] bool has(std::string_view name) const { return at.find(name) != at.end(); }
};

/// Finds the members of the object that comes, and goes to its end.
template <policy P>
bool find_members(reader<P>& in, found_members& members) {
    if (!in.expect('{')) {
        return false;
    }
    for (bool first = true; !in.take('}'); first = false) {
        if (!first && !in.expect(',')) {
            return false;
        }
        in.peek();
        const std::size_t start = in.position();
        std::string_view name;
        if (!in.string(name)) {
            return false;
        }
        const std::string kept(name);
        if (!in.expect(':')) {
            return false;
        }
        in.peek();
        if (!members.at.emplace(kept, in.position()).second) {
            in.fail(code::bad_json, start);
            return in.in_field(kept);
        }
        if (!in.skip(in.depth())) {
            return in.in_field(kept);
        }
    }
    members.end = in.position();
    return true;
}

/// Goes to a member's value, where it is given.
template <policy P>
bool go_to(reader<P>& in, const found_members& members, std::string_view name) {
    const auto found = members.at.find(name);
    if (found == members.at.end()) {
        return false;
    }
    in.go(found->second);
    return true;
}

/// Finds the arm that the member of that name says is active, by the arms' names. `arm` stays as it is where there is no such
/// member.
template <policy P, std::size_t Arms>
bool read_told(reader<P>& in, const found_members& members, std::string_view name,
               const std::array<std::string_view, Arms>& arms, std::size_t& arm) {
    if (!go_to(in, members, name)) {
        return true;
    }
    const std::size_t start = in.position();
    std::string_view told;
    if (!in.string(told)) {
        return false;
    }
    for (std::size_t index = 0; index < Arms; ++index) {
        if (arms[index] == told) {
            arm = index;
            return true;
        }
    }
    return in.fail(code::bad_json, start);
}

/// Reads a record or union from an object of its own; `read_members` is generated for each such type.
template <policy P, class T>
bool read_shaped(reader<P>& in, T& value) {
    found_members members;
    if (!find_members(in, members) || !read_members(in, members, std::string(), value)) {
        return false;
    }
    in.go(members.end);
    return true;
}

}  // namespace aldis::json
