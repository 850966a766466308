// Values that writers are given and that lie elsewhere, whatever their memory is.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include "../lifetime.hpp"

namespace aldis {

/// A type that holds a value of open type as `any_pointer` does.
template <class Any>
concept open_message = requires(const Any& value) {
    { value.message } -> std::convertible_to<std::span<const std::byte>>;
};

/// A value of open type that lies elsewhere: an `any_pointer`, or one of `aldis::pmr`.
struct any_view {
    std::span<const std::byte> message;

    template <open_message Any>
    any_view(const Any& value ALDIS_LIFETIMEBOUND) noexcept : message(value.message) {}
};

/// A `std::vector<bool>` that lies elsewhere, with whatever allocator.
class bits_view {
public:
    template <class Memory>
    bits_view(const std::vector<bool, Memory>& bits ALDIS_LIFETIMEBOUND) noexcept
        : bits_(&bits), get_(&get<std::vector<bool, Memory>>), size_(bits.size()) {}

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool operator[](std::size_t index) const noexcept { return get_(bits_, index); }

private:
    template <class Bits>
    [[nodiscard]] static bool get(const void* bits, std::size_t index) noexcept {
        return (*static_cast<const Bits*>(bits))[index];
    }

    const void* bits_;
    bool (*get_)(const void*, std::size_t) noexcept;
    std::size_t size_;
};

}  // namespace aldis
