// Views that would outlive what they look at. Without `CASE` this compiles; with any case it must not: the first ones are
// refused by every compiler, the others by clang, which knows `[[clang::lifetimebound]]`.
#include <array>
#include <span>
#include <vector>

#include "proto_view.hpp"
#include "proto_writer.hpp"

#ifndef CASE
#define CASE 0
#endif

namespace {

std::vector<std::byte> received() { return std::vector<std::byte>(64); }
[[maybe_unused]] std::array<std::byte, 4> four() { return {}; }
[[maybe_unused]] aldis::buffer filled() { return {}; }

[[maybe_unused]] aldis::result<std::span<const std::byte>> encoded([[maybe_unused]] const proto::Account& account) {
#if CASE == 11
    aldis::buffer out;
    return proto::encode(account, out);
#else
    static aldis::buffer out;
    return proto::encode(account, out);
#endif
}

}  // namespace

int main() {
    const auto bytes = received();
    const auto account = proto::verify<proto::Account>(bytes);
    const auto spanned = proto::verify_final<proto::Account>(std::span(bytes).first(8));
    // The values that a view gives look at the bytes, not at the view or at the result that holds it.
    const auto name = proto::verify<proto::Account>(bytes)->name();
    const std::span<const std::byte> made = *encoded({});
#if CASE == 1
    const auto gone = proto::verify<proto::Account>(received());
#elif CASE == 2
    const auto gone = proto::verify_final<proto::Account>(received());
#elif CASE == 3
    const auto gone = proto::verify<proto::Account>(four());
#elif CASE == 4
    const auto gone = filled().bytes();
#elif CASE == 5
    const auto gone = filled().prepare(8);
#elif CASE == 12
    const auto& gone = *proto::decode<proto::Account>(bytes);
#else
    const int gone = 0;
#endif
    static_cast<void>(gone);
    return account.ok() && spanned.ok() && name.empty() && made.empty() ? 1 : 0;
}
