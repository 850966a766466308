// Unions: one of several alternatives, told apart by a number.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <variant>

#include "lifetime.hpp"

namespace aldis {

/// An alternative of a `choice`: the number that stands for it, and the type of its value.
template <auto Tag, class T>
struct arm {
    static constexpr auto tag = Tag;
    using type = T;
};

namespace detail {

/// The place of the arm of that number among those of a choice.
template <auto Wanted, class... Arms>
constexpr std::size_t index_of_arm() {
    constexpr std::array tags{Arms::tag...};
    std::size_t index = 0;
    while (tags[index] != Wanted) {
        ++index;
    }
    return index;
}

}  // namespace detail

/// One of the arms, or the number of one that only a newer schema knows, without its value. The first arm that is given is
/// the one that a choice begins with.
///
///     if (const auto* school = person.employment.get<Person_employment::tag::school>()) { … }
///     person.employment.set<Person_employment::tag::school>("MIT");
template <class Tag, class... Arms>
class choice {
public:
    using tag = Tag;

    /// The arm that is active.
    [[nodiscard]] Tag which() const noexcept { return which_; }

    /// The value of an arm; null where another one is active.
    template <Tag Wanted>
    [[nodiscard]] auto* get() & noexcept ALDIS_LIFETIMEBOUND {
        return which_ == Wanted ? std::get_if<index_of<Wanted>()>(&held_) : nullptr;
    }
    template <Tag Wanted>
    [[nodiscard]] const auto* get() const& noexcept ALDIS_LIFETIMEBOUND {
        return which_ == Wanted ? std::get_if<index_of<Wanted>()>(&held_) : nullptr;
    }
    template <Tag Wanted>
    void get() const&& = delete;

    /// Makes an arm active with a value of its own, and gives that.
    template <Tag Wanted, class... Values>
    auto& set(Values&&... values) {
        which_ = Wanted;
        return held_.template emplace<index_of<Wanted>()>(std::forward<Values>(values)...);
    }

    /// Makes an arm active; one that is active already keeps its value and memory.
    template <Tag Wanted>
    auto& present() {
        auto* const held = get<Wanted>();
        return held != nullptr ? *held : set<Wanted>();
    }

    /// Makes an arm active that the schema does not know.
    void set_unknown(Tag newer) {
        which_ = newer;
        held_.template emplace<sizeof...(Arms)>();
    }

    /// A choice with that arm active.
    template <Tag Wanted, class... Values>
    [[nodiscard]] static choice of(Values&&... values) {
        choice made;
        made.template set<Wanted>(std::forward<Values>(values)...);
        return made;
    }

    bool operator==(const choice&) const = default;

private:
    template <Tag Wanted>
    static constexpr std::size_t index_of() {
        return detail::index_of_arm<Wanted, Arms...>();
    }

    static constexpr Tag first() {
        constexpr std::array<Tag, sizeof...(Arms)> tags{Arms::tag...};
        return tags[0];
    }

    Tag which_ = first();
    std::variant<typename Arms::type..., std::monostate> held_;
};

}  // namespace aldis
