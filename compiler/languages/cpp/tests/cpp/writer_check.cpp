// The account message of FBE written field by field. The first argument is the folder of golden messages.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>

#include "proto_view.hpp"
#include "proto_writer.hpp"

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

/// Every field of the README's account in wire order.
template <class Account>
void fill(Account account) {
    account.id(1);
    account.name("Test");
    account.state(proto::State::good);
    auto wallet = account.wallet();
    wallet.currency("USD");
    wallet.amount(1000.0);
    auto asset = account.asset();
    asset.currency("EUR");
    asset.amount(100.0);
    auto orders = account.orders(3);
    for (std::int32_t id = 1; id <= 3; ++id) {
        auto order = orders.next();
        order.id(id);
        order.symbol("EURUSD");
        order.side(id == 2 ? proto::OrderSide::sell : proto::OrderSide::buy);
        order.type(static_cast<proto::OrderType>(id - 1));
        order.price(id == 1 ? 1.23456 : id == 2 ? 1.0 : 1.5);
        order.volume(id == 1 ? 1000.0 : id == 2 ? 100.0 : 10.0);
    }
}

bool is(const aldis::result<std::span<const std::byte>>& made, const std::vector<std::byte>& golden) {
    return made.ok() && std::equal(made->begin(), made->end(), golden.begin(), golden.end());
}

void golden(const std::vector<std::byte>& standard, const std::vector<std::byte>& final_form) {
    std::vector<std::byte> room(4096, std::byte{0xFF});
    aldis::draft draft(room);
    const std::size_t before = allocations;
    fill(proto::write<proto::Account>(draft));
    expect(is(draft.finish(), standard), "standard is written otherwise");
    fill(proto::write_final<proto::Account>(draft));
    expect(is(draft.finish(), final_form), "Final is written otherwise");
    expect(allocations == before, "a writer takes memory");
}

/// Each room that is too small.
void room(std::size_t size) {
    for (std::size_t less = 0; less < size; ++less) {
        std::vector<std::byte> small(less);
        aldis::draft draft(small);
        fill(proto::write<proto::Account>(draft));
        const auto made = draft.finish();
        fill(proto::write_final<proto::Account>(draft));
        expect(!made && made.error().what == aldis::code::no_room, "what does not fit is written");
    }
}

/// The words of the fault that a draft ends with.
std::string said(aldis::draft& draft) { return to_string(draft.finish().error()); }

/// Writing that leaves a part out, or goes out of order, never ends in a message.
void misuse() {
    std::vector<std::byte> room(4096);
    aldis::draft draft(room);
    {
        static_cast<void>(proto::write<proto::Account>(draft));
        expect(said(draft) == "bad-value: the message is not whole: a part or an element of it was not written",
               "an account without wallet is a message");
    }
    {
        auto account = proto::write<proto::Account>(draft);
        account.wallet(proto::Balance{});
        auto orders = account.orders(2);
        orders.next().id(1);
        expect(!draft.finish(), "a list of too few elements is a message");
        orders.next().id(2);
        expect(!draft.finish(), "a fault goes away");
    }
    {
        auto account = proto::write_final<proto::Account>(draft);
        expect(!account.state(proto::State::good), "a field is written before what comes first");
        expect(said(draft) == "bad-value in state: another part comes first: each is written once, in the schema's order",
               "the fault is not where it was made");
    }
    {
        auto account = proto::write_final<proto::Account>(draft);
        expect(!account.orders(std::vector<proto::Order>(1)), "a list is written before what comes first");
        expect(!draft.within(2, 0, 1), "two are one at the most");
        const auto made = draft.finish();
        expect(!made && made.error().what == aldis::code::bad_value && made.error().path == "orders",
               "a later fault hides the first");
    }
    {
        auto account = proto::write_final<proto::Account>(draft);
        account.name("x");
        account.wallet(proto::Balance{});
        account.asset(std::nullopt);
        auto orders = account.orders(1);
        expect(!draft.finish(), "a list without its element is a message");
        static_cast<void>(orders);
    }
    {
        auto account = proto::write_final<proto::Account>(draft);
        account.name("x");
        account.wallet(proto::Balance{});
        account.asset(std::nullopt);
        account.orders(std::vector<proto::Order>(2));
        expect(draft.finish().ok() && !account.name("y") && !draft.finish(), "a text is written twice");
    }
    {
        auto account = proto::write<proto::Account>(draft);
        auto wallet = account.wallet();
        wallet.currency("EUR");
        const auto made = draft.finish();
        expect(made.ok() && proto::verify<proto::Account>(*made)->wallet().currency() == "EUR" &&
                   proto::verify<proto::Account>(*made)->orders().empty(),
               "what nobody sets is no default");
    }
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
    golden(standard, final_form);
    room(standard.size());
    misuse();
    return failures == 0 ? 0 : 1;
}
