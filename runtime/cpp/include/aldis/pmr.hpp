// Values whose memory comes from a `std::pmr::memory_resource`: what generated types hold that are made with
// `--option allocator=pmr`. Each gives its allocator to what it holds, as the containers of `std::pmr` do: a copy has the default
// resource's unless it is told another, a value that is moved keeps its own, and what is assigned to stays with its own.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "choice.hpp"
#include "lifetime.hpp"
#include "order.hpp"
#include "values.hpp"

namespace aldis::pmr {

using allocator = std::pmr::polymorphic_allocator<>;

/// `std::optional`, whose value gets the optional's allocator.
template <class T>
class optional {
public:
    using value_type = T;
    using allocator_type = allocator;

    optional() noexcept = default;
    optional(std::nullopt_t) noexcept {}
    explicit optional(const allocator_type& memory) noexcept : memory_(memory) {}
    template <class Value>
        requires(std::constructible_from<T, Value> && !std::same_as<std::remove_cvref_t<Value>, optional> &&
                 !std::convertible_to<Value, allocator_type>)
    optional(Value&& value, const allocator_type& memory = {}) : memory_(memory) {
        emplace(std::forward<Value>(value));
    }
    optional(const optional& other) : optional(other, allocator_type()) {}
    optional(optional&& other) noexcept : memory_(other.memory_), held_(std::move(other.held_)) {}
    optional(const optional& other, const allocator_type& memory) : memory_(memory) { *this = other; }
    optional(optional&& other, const allocator_type& memory) : memory_(memory) { *this = std::move(other); }
    ~optional() = default;

    optional& operator=(const optional& other) {
        assign(other);
        return *this;
    }
    optional& operator=(optional&& other) {
        assign(std::move(other));
        return *this;
    }
    optional& operator=(std::nullopt_t) noexcept {
        reset();
        return *this;
    }
    template <class Value>
        requires(std::constructible_from<T, Value> && std::assignable_from<T&, Value> &&
                 !std::same_as<std::remove_cvref_t<Value>, optional>)
    optional& operator=(Value&& value) {
        set(std::forward<Value>(value));
        return *this;
    }

    [[nodiscard]] bool has_value() const noexcept { return held_.has_value(); }
    explicit operator bool() const noexcept { return has_value(); }
    void reset() noexcept { held_.reset(); }
    template <class... Values>
    T& emplace(Values&&... values) {
        held_.reset();
        return held_.emplace(std::make_obj_using_allocator<T>(memory_, std::forward<Values>(values)...));
    }
    T& operator*() noexcept { return *held_; }
    const T& operator*() const noexcept { return *held_; }
    T* operator->() noexcept { return &*held_; }
    const T* operator->() const noexcept { return &*held_; }
    [[nodiscard]] allocator_type get_allocator() const noexcept { return memory_; }

    /// For functions that take what the value converts to where it is there: `std::optional<std::string_view>` of a text.
    template <class Other>
        requires std::convertible_to<const T&, Other>
    operator std::optional<Other>() const {
        return has_value() ? std::optional<Other>(**this) : std::nullopt;
    }

    bool operator==(const optional& other) const { return held_ == other.held_; }

private:
    template <class Value>
    void set(Value&& value) {
        if (has_value()) {
            *held_ = std::forward<Value>(value);
        } else {
            emplace(std::forward<Value>(value));
        }
    }

    template <class Other>
    void assign(Other&& other) {
        if (other.has_value()) {
            set(*std::forward<Other>(other).held_);
        } else {
            reset();
        }
    }

    allocator_type memory_;
    std::optional<T> held_;
};

/// `aldis::box`, whose value is in the box's memory.
template <class T>
class box {
public:
    using value_type = T;
    using allocator_type = allocator;

    box() noexcept = default;
    box(std::nullopt_t) noexcept {}
    explicit box(const allocator_type& memory) noexcept : memory_(memory) {}
    box(T value, const allocator_type& memory = {}) : memory_(memory) { emplace(std::move(value)); }
    box(const box& other) : box(other, allocator_type()) {}
    box(box&& other) noexcept : memory_(other.memory_), held_(std::exchange(other.held_, nullptr)) {}
    box(const box& other, const allocator_type& memory) : memory_(memory) { *this = other; }
    box(box&& other, const allocator_type& memory) : memory_(memory) { *this = std::move(other); }
    ~box() { reset(); }

    box& operator=(const box& other) {
        if (!other.has_value()) {
            reset();
        } else if (this != &other) {
            // The value that is held is not assigned to, since `other` may lie in it.
            emplace(*other.held_);
        }
        return *this;
    }
    box& operator=(box&& other) {
        if (memory_ == other.memory_) {
            // Taken before anything is given back: `other` may lie in what is held.
            T* const taken = std::exchange(other.held_, nullptr);
            reset();
            held_ = taken;
        } else if (!other.has_value()) {
            reset();
        } else {
            emplace(std::move(*other.held_));
        }
        return *this;
    }

    [[nodiscard]] bool has_value() const noexcept { return held_ != nullptr; }
    explicit operator bool() const noexcept { return has_value(); }
    void reset() noexcept {
        if (held_ != nullptr) {
            memory_.delete_object(std::exchange(held_, nullptr));
        }
    }
    template <class... Values>
    T& emplace(Values&&... values) {
        T* const made = memory_.template new_object<T>(std::forward<Values>(values)...);
        reset();
        held_ = made;
        return *held_;
    }
    T& operator*() noexcept { return *held_; }
    const T& operator*() const noexcept { return *held_; }
    T* operator->() noexcept { return held_; }
    const T* operator->() const noexcept { return held_; }
    [[nodiscard]] allocator_type get_allocator() const noexcept { return memory_; }

    bool operator==(const box& other) const {
        return has_value() == other.has_value() && (!has_value() || *held_ == *other.held_);
    }

private:
    allocator_type memory_;
    T* held_ = nullptr;
};

/// `std::array`, whose elements get the array's allocator when it is made.
template <class T, std::size_t Size>
struct array : std::array<T, Size> {
    using allocator_type = allocator;

    array() : array(allocator_type()) {}
    explicit array(const allocator_type& memory) : array(memory, std::make_index_sequence<Size>()) {}
    array(const array&) = default;
    array(array&&) = default;
    array(const array& other, const allocator_type& memory) : array(memory) { *this = other; }
    array(array&& other, const allocator_type& memory) : array(memory) { *this = std::move(other); }
    array& operator=(const array&) = default;
    array& operator=(array&&) = default;
    ~array() = default;

    bool operator==(const array&) const = default;

private:
    template <std::size_t... Index>
    array(const allocator_type& memory, std::index_sequence<Index...>)
        : std::array<T, Size>{(static_cast<void>(Index), std::make_obj_using_allocator<T>(memory))...} {}
};

/// `aldis::choice`, whose active arm gets the choice's allocator.
template <class Tag, class... Arms>
class choice {
    using plain = aldis::choice<Tag, Arms...>;
    template <Tag Wanted>
    using value_of = std::remove_pointer_t<decltype(std::declval<plain&>().template get<Wanted>())>;

public:
    using tag = Tag;
    using allocator_type = allocator;

    choice() : choice(allocator_type()) {}
    explicit choice(const allocator_type& memory) : memory_(memory) { begin(); }
    choice(const choice& other) : choice(other, allocator_type()) {}
    choice(choice&& other) noexcept : memory_(other.memory_), held_(std::move(other.held_)) {}
    choice(const choice& other, const allocator_type& memory) : memory_(memory) { assign(other.held_); }
    choice(choice&& other, const allocator_type& memory) : memory_(memory) { assign(std::move(other.held_)); }
    ~choice() = default;

    choice& operator=(const choice& other) {
        if (this != &other) {
            assign(other.held_);
        }
        return *this;
    }
    choice& operator=(choice&& other) {
        if (this != &other) {
            assign(std::move(other.held_));
        }
        return *this;
    }

    [[nodiscard]] Tag which() const noexcept { return held_.which(); }
    template <Tag Wanted>
    [[nodiscard]] auto* get() & noexcept ALDIS_LIFETIMEBOUND {
        return held_.template get<Wanted>();
    }
    template <Tag Wanted>
    [[nodiscard]] const auto* get() const& noexcept ALDIS_LIFETIMEBOUND {
        return held_.template get<Wanted>();
    }
    template <Tag Wanted>
    void get() const&& = delete;
    template <Tag Wanted, class... Values>
    auto& set(Values&&... values) {
        return held_.template set<Wanted>(
            std::make_obj_using_allocator<value_of<Wanted>>(memory_, std::forward<Values>(values)...));
    }
    template <Tag Wanted>
    auto& present() {
        auto* const held = get<Wanted>();
        return held != nullptr ? *held : set<Wanted>();
    }
    void set_unknown(Tag newer) { held_.set_unknown(newer); }
    template <Tag Wanted, class... Values>
    [[nodiscard]] static choice of(Values&&... values) {
        choice made;
        made.template set<Wanted>(std::forward<Values>(values)...);
        return made;
    }
    [[nodiscard]] allocator_type get_allocator() const noexcept { return memory_; }

    bool operator==(const choice& other) const { return held_ == other.held_; }

private:
    /// Makes the first arm active.
    void begin() {
        constexpr std::array<Tag, sizeof...(Arms)> tags{Arms::tag...};
        set<tags[0]>();
    }

    template <class Held>
    void assign(Held&& from) {
        const bool known = ((from.which() == Arms::tag && take<Arms::tag>(std::forward<Held>(from))) || ...);
        if (!known) {
            set_unknown(from.which());
        }
    }
    template <Tag Wanted, class Held>
    bool take(Held&& from) {
        auto* const held = from.template get<Wanted>();
        if constexpr (std::is_const_v<std::remove_reference_t<Held>>) {
            set<Wanted>(*held);
        } else {
            set<Wanted>(std::move(*held));
        }
        return true;
    }

    allocator_type memory_;
    plain held_;
};

/// A value of open type, as `aldis::any_pointer` is one.
struct any_pointer {
    using allocator_type = allocator;

    std::pmr::vector<std::byte> message;

    any_pointer() = default;
    explicit any_pointer(const allocator_type& memory) : message(memory) {}
    any_pointer(const any_pointer&) = default;
    any_pointer(any_pointer&&) = default;
    any_pointer(const any_pointer& other, const allocator_type& memory) : message(other.message, memory) {}
    any_pointer(any_pointer&& other, const allocator_type& memory) : message(std::move(other.message), memory) {}
    any_pointer& operator=(const any_pointer&) = default;
    any_pointer& operator=(any_pointer&&) = default;
    ~any_pointer() = default;

    bool operator==(const any_pointer&) const = default;
};

template <class T>
int compare(const optional<T>& a, const optional<T>& b) {
    return aldis::detail::compare_maybe(a, b);
}

template <class T>
int compare(const box<T>& a, const box<T>& b) {
    return aldis::detail::compare_maybe(a, b);
}

}  // namespace aldis::pmr

namespace aldis {

template <class T>
inline constexpr bool is_boxed<pmr::box<T>> = true;

}  // namespace aldis
