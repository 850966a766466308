// Streams that FBE's own sender wrote, into generated receivers and out of generated senders. The first argument is the
// folder of golden messages.
#include "memory.hpp"
#include "proto_stream.hpp"
#include "stream_check.hpp"

namespace {

struct orders_and_accounts {
    std::vector<proto::OrderMessage> orders;
    std::vector<proto::AccountMessage> accounts;

    void operator()(const proto::OrderMessage& message) { orders.push_back(message); }
    void operator()(const proto::AccountMessage& message) { accounts.push_back(message); }
};

void as_expected(const orders_and_accounts& seen) {
    expect(seen.orders.size() == 1 && seen.accounts.size() == 1, "messages are missing or there are too many");
    expect(seen.orders[0].body.symbol == "EURUSD" && seen.accounts[0].body.orders.size() == 3, "messages are read otherwise");
}

template <class Sender, class Receiver>
void golden(const std::vector<std::byte>& stream) {
    however_cut(stream, [] { return Receiver(); }, orders_and_accounts(), as_expected);
    Sender out;
    Receiver in;
    const auto fed = in.feed(stream, [&](const auto& message) { expect(out.send(message).ok(), "a message is not sent"); });
    expect(fed.ok() && same(out.bytes(), stream), "the stream is written otherwise");
}

void memory_is_used_again(const std::vector<std::byte>& stream) {
    proto::receiver in;
    proto::sender out;
    std::size_t sent = 0;
    const auto pass_on = [&] {
        out.clear();
        const auto fed = in.feed(stream, [&](const auto& message) { sent += out.send(message).ok(); });
        expect(fed.ok(), "the stream is refused");
    };
    pass_on();
    expect(memory::taken(pass_on) == 0 && sent == 6, "the second time takes memory");
}

void faults(const std::vector<std::byte>& stream) {
    // The first message's size, then its type.
    std::vector<std::byte> wrong = stream;
    wrong[12] = std::byte{77};
    std::size_t seen = 0;
    const auto count = [&](const proto::OrderMessage&) { ++seen; };
    proto::receiver strict;
    const auto unknown = strict.feed(wrong, count);
    expect(!unknown && to_string(unknown.error()) == "bad-message at byte 0 of the stream: unknown-message at byte 12",
           "an unknown message is no fault");
    expect(!strict.feed(stream, count).ok() && seen == 0, "a broken stream goes on");

    proto::receiver lenient;
    std::size_t strange = 0;
    const auto skipped = lenient.feed(wrong, count, [&](aldis::bytes_view message, const aldis::error& fault) {
        strange += message.size();
        expect(fault.what == aldis::code::unknown_message && fault.offset == 12, "an unknown message has another fault");
    });
    expect(skipped.ok() && strange == static_cast<std::size_t>(wrong[0]) && seen == 0, "an unknown message is not skipped");

    wrong = stream;
    wrong[8] = std::byte{0xFF};
    proto::receiver broken;
    const auto bad = broken.feed(wrong, count);
    expect(!bad && bad.error().what == aldis::stream_code::bad_message && bad.error().offset == 0, "a bad message is read");
    proto::receiver others;
    expect(others.feed(wrong, [](const proto::AccountMessage&) {}).ok(), "a message that nobody wants is read");

    proto::receiver small(aldis::framing::fbe, 60);
    const auto large = small.feed(stream, count);
    expect(!large && large.error().what == aldis::stream_code::frame_too_large && large.error().bound == 60,
           "a frame beyond the limit is read");
}

void dispatch(const std::vector<std::byte>& stream) {
    proto::registry::messages values;
    int id = 0;
    const auto visitor = [&](const proto::OrderMessage& message) { id = message.body.id; };
    const auto which = proto::registry::dispatch(stream, values, visitor);
    expect(which.ok() && *which == proto::message_id::OrderMessage && id == 1, "a message goes elsewhere");
}

}  // namespace

int main(int, char** arguments) {
    const std::string folder = arguments[1];
    const std::vector<std::byte> stream = file(folder + "/stream_proto.stream.bin");
    golden<proto::sender, proto::receiver>(stream);
    golden<proto::sender_final, proto::receiver_final>(file(folder + "/stream_proto_final.stream.bin"));
    memory_is_used_again(stream);
    faults(stream);
    dispatch(stream);
    return failures == 0 ? 0 : 1;
}
