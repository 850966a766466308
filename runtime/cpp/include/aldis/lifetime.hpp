// Attributes by which compilers warn of views that outlive the bytes that they look at.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

// The library's one macro. It marks a parameter, or behind a member function its object, that the result looks at: clang then
// warns where that is a temporary which is gone before the result is. It is a macro because g++ warns of the attribute itself.
#if defined(__clang__)
#define ALDIS_LIFETIMEBOUND [[clang::lifetimebound]]
#else
#define ALDIS_LIFETIMEBOUND
#endif

namespace aldis {

/// A temporary that owns bytes, such as a `std::vector<std::byte>` which a function returned: a view of them would outlive
/// them. Spans own nothing.
template <class Bytes>
concept owning_temporary = !std::is_lvalue_reference_v<Bytes> && !std::ranges::enable_borrowed_range<std::remove_cvref_t<Bytes>> &&
                           std::convertible_to<Bytes, std::span<const std::byte>>;

}  // namespace aldis
