// Objects on the heap that belong to one place.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace aldis::detail {

/// A pointer to an object, or to an array, that is its own, or null. `std::unique_ptr` is the same, but its header would take as
/// long to compile as all others here together.
template <class T>
class owned {
    using object = std::remove_extent_t<T>;

public:
    owned() noexcept = default;
    explicit owned(object* place) noexcept : place_(place) {}
    owned(owned&& other) noexcept : place_(std::exchange(other.place_, nullptr)) {}
    owned& operator=(owned&& other) noexcept {
        owned(std::move(other)).swap(*this);
        return *this;
    }
    ~owned() {
        if constexpr (std::is_array_v<T>) {
            delete[] place_;
        } else if (place_ != nullptr) {
            discard(place_);
        }
    }

    /// A copy of the object, where there is one.
    [[nodiscard]] owned copy() const { return owned(place_ == nullptr ? nullptr : new T(*place_)); }

    void swap(owned& other) noexcept { std::swap(place_, other.place_); }
    void reset() noexcept { *this = owned(); }

    [[nodiscard]] object* get() const noexcept { return place_; }
    explicit operator bool() const noexcept { return place_ != nullptr; }
    bool operator==(std::nullptr_t) const noexcept { return place_ == nullptr; }
    object& operator*() const noexcept { return *place_; }
    object* operator->() const noexcept { return place_; }

private:
    // Not in each place that ends the life of an owner, as most of them own nothing.
    [[gnu::noinline]] static void discard(object* place) noexcept { delete place; }

    object* place_ = nullptr;
};

}  // namespace aldis::detail
