// The account message of FBE read in place. The first argument is the folder of golden messages.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>
#include <ranges>

#include "proto_view.hpp"

namespace {

int failures = 0;
std::size_t allocations = 0;

void expect(bool condition, const char* what) {
    if (!condition) {
        std::fprintf(stderr, "%s\n", what);
        ++failures;
    }
}

std::vector<std::byte> file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
    return {bytes, bytes + text.size()};
}

template <class View>
void fields(const View& account, const char* what) {
    using orders = decltype(account.orders());
    static_assert(std::ranges::forward_range<orders> && std::ranges::view<orders> && std::ranges::borrowed_range<orders>);
    double volume = 0;
    for (const auto& order : account.orders()) {
        volume += order.volume();
    }
    const auto symbol = [](const auto& order) { return order.symbol() == "EURUSD"; };
    const bool good = account.id() == 1 && account.name() == "Test" && has(account.state(), proto::State::good) &&
                      account.wallet().currency() == "USD" && account.wallet().amount() == 1000.0 &&
                      account.asset().has_value() && account.asset()->currency() == "EUR" &&
                      account.orders().size() == 3 && account.orders().front().side() == proto::OrderSide::buy &&
                      std::ranges::count_if(account.orders(), symbol) == 3 && volume > 0;
    expect(good, what);
}

/// The last order's block cut to its first version: symbol and what follows it are not there.
void older(std::vector<std::byte> standard) {
    const auto whole = proto::verify<proto::Account>(standard);
    const std::string_view symbol = "EURUSD";
    const auto found = std::find_end(standard.begin(), standard.end(), symbol.begin(), symbol.end(),
                                     [](std::byte a, char b) { return static_cast<char>(a) == b; });
    std::byte* const block = &*found - 4 - 34;
    aldis::store<aldis::little>(block, std::uint32_t{12});
    const auto cut = proto::verify<proto::Account>(standard);
    expect(whole.ok() && cut.ok(), "an older block is refused");
    const auto order = cut->orders()[2];
    expect(order.id() == 3 && order.symbol().empty() && order.type() == proto::OrderType::market && order.price() == 0.0,
           "fields that an older writer did not have are no defaults");
}

/// The value that is given where there is a fault.
template <class View>
void nothing(const View& account, const char* what) {
    const bool good = account.id() == 0 && account.name().empty() && account.wallet().currency().empty() &&
                      account.wallet().amount() == 0.0 && !account.asset().has_value() && account.orders().empty();
    expect(good, what);
}

/// An element that is found in a range is there without it.
void found_in_a_range(const std::vector<std::byte>& standard) {
    const auto account = *proto::verify<proto::Account>(standard);
    static_assert(std::ranges::view<decltype(account.orders())>);
    const auto second = [](const auto& order) { return order.id() == 2; };
    const auto found = std::ranges::find_if(account.orders(), second);
    expect((*found).id() == 2, "what a range no longer there had is not found");
}

void faults(const std::vector<std::byte>& standard) {
    for (std::size_t size = 0; size < standard.size(); ++size) {
        const std::span<const std::byte> cut(standard.data(), size);
        const auto view = proto::verify<proto::Account>(cut);
        const auto value = proto::decode<proto::Account>(cut);
        expect(!view && !value && view.error() == value.error(), "verify and decode do not find the same fault");
    }
}

/// With budgets that end anywhere in the message, verify and decode stop at the same byte, and at the same budget no more.
void budgets(const std::vector<std::byte>& standard) {
    bool enough = false;
    for (std::uint64_t budget = 0; budget < 2000; ++budget) {
        const aldis::limits most{.budget_factor = 0, .budget_base = budget};
        const auto view = proto::verify<proto::Account>(standard, most);
        const auto value = proto::decode<proto::Account>(standard, most);
        expect(view.ok() == value.ok() && (view.ok() || view.error() == value.error()), "they cost unlike much");
        expect(view.ok() || (view.error().what == aldis::code::too_large && !enough), "a larger budget is less");
        enough = view.ok();
    }
    expect(enough, "the message is too dear");
}

}  // namespace

void* operator new(std::size_t size) {
    ++allocations;
    return std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main(int, char** arguments) {
    const std::string folder = arguments[1];
    const auto standard = file(folder + "/proto_account_readme.std.bin");
    const auto final_form = file(folder + "/proto_account_readme.final.bin");
    const std::size_t before = allocations;
    const auto view = proto::verify<proto::Account>(standard);
    const auto other = proto::verify_final<proto::Account>(final_form);
    expect(view.ok() && other.ok(), "a golden message is refused");
    static_assert(std::ranges::random_access_range<decltype(view->orders())>);
    fields(*view, "standard is read otherwise");
    fields(*other, "Final is read otherwise");
    expect(allocations == before, "a view takes memory");
    older(standard);
    faults(standard);
    budgets(standard);
    found_in_a_range(standard);
    nothing(*proto::verify<proto::Account>({}), "a view of nothing has something");
    nothing(*proto::verify_final<proto::Account>({}), "a view of nothing has something in Final");
    nothing(proto::view_final::Account(), "a view of nothing has something by itself");
    return failures == 0 ? 0 : 1;
}
