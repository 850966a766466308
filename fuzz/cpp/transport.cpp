// The bytes that a server sends to a client of aldis/1: frames out of a stream, and the client's half of the protocol on them.
// An input: the client's wishes, the size of pieces, and the stream.
#include <aldis/transport/inbox.hpp>
#include <aldis/transport/session.hpp>

#include <algorithm>
#include <iterator>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "must.hpp"

namespace {

using namespace aldis::transport;

/// Calls `each` with kind and body of all whole frames of a stream that comes in pieces; it gives whether to go on. Gives
/// whether the stream was right to its end.
template <class Each>
bool each_frame(bytes_view stream, std::size_t piece, Each each) {
    inbox in;
    for (;;) {
        for (;;) {
            const auto frame = in.next();
            if (!frame || (*frame && !each((*frame)->kind, (*frame)->body))) {
                return false;
            }
            if (!*frame) {
                break;
            }
        }
        if (stream.empty()) {
            return true;
        }
        const std::span<std::byte> room = in.room();
        const std::size_t size = std::min({piece, stream.size(), room.size()});
        fuzz::must(size > 0, "an inbox without room");
        std::copy_n(stream.begin(), size, room.begin());
        in.came(size);
        stream = stream.subspan(size);
    }
}

/// The frame as bytes again, from what it was decoded to.
byte_vector written(std::uint8_t kind, bytes_view body, const any_frame& frame) {
    byte_vector out;
    std::visit(
        [&](const auto& one) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(one)>, unknown_frame>) {
                encode(out, one);
                const bytes_view again = bytes_view(out).subspan(length_size + kind_size);
                const bool same = std::ranges::equal(again, body) && std::to_integer<std::uint8_t>(out[length_size]) == kind;
                fuzz::must(same, "a frame is written otherwise");
            }
        },
        frame);
    return out;
}

struct read_frames {
    std::vector<byte_vector> frames;
    bool whole = false;

    bool operator==(const read_frames&) const = default;
};

read_frames read_all(bytes_view stream, std::size_t piece) {
    read_frames all;
    all.whole = each_frame(stream, piece, [&](std::uint8_t kind, bytes_view body) {
        const auto frame = decode(kind, body, kind == batch_frame::kind && all.frames.size() % 2 == 1);
        if (!frame) {
            return false;
        }
        if (const auto* batch = std::get_if<batch_frame>(&*frame)) {
            static_cast<void>(batch_crc(*batch));
        }
        all.frames.push_back(written(kind, body, *frame));
        return true;
    });
    return all;
}

/// A client with messages, requests and a subscription that hears what a server says, over as many connections as it takes.
class listener {
public:
    explicit listener(std::uint8_t wants) : config_(wanted(wants)), session_(config_) { session_.connected(now_); }

    /// Whether the client goes on.
    bool hear(std::uint8_t kind, bytes_view body) {
        now_ += std::chrono::milliseconds(700);
        end_ = session_.received(kind, body, now_, tasks_);
        run();
        if (const auto asked = end_ ? std::nullopt : session_.take_asked()) {
            session_.reply(asked->correlation, byte_vector(asked->bytes.begin(), asked->bytes.end()));
        }
        if (!end_) {
            end_ = session_.tick(now_, tasks_);
            run();
        }
        if (!end_ && session_.is_up()) {
            speak();
        }
        const bool said_all = each_frame(session_.control(), session_.control().size(), [](std::uint8_t said, bytes_view its) {
            return decode(said, its).ok();
        });
        fuzz::must(said_all, "the client says what is no frame");
        session_.control().clear();
        return !end_ || connect_again();
    }

private:
    static client_config wanted(std::uint8_t wants) {
        client_config config;
        config.producer = {};
        config.durability = static_cast<durability_level>(wants % 3);
        config.checksum = (wants & 4) != 0;
        config.retry_refused = (wants & 8) != 0;
        config.batch_bytes = 24;
        config.on_ack = [](const watermarks&) {};
        config.on_state = [](client_state, const error&) {};
        return config;
    }

    void run() {
        for (const task& one : std::exchange(tasks_, {})) {
            one();
        }
    }

    void speak() {
        if (!subscribed_) {
            subscription_config feed;
            feed.credit = 2;
            feed.on_push = [](std::uint64_t, std::uint32_t count, const entry_range& entries) {
                fuzz::must(std::distance(entries.begin(), entries.end()) == count, "entries that are not as many as said");
            };
            feed.on_end = [](const error&) {};
            subscribed_ = session_.subscribe(std::move(feed)).ok();
            session_.request(bytes_of("?"), milliseconds(2000), [](const result<bytes_view>&) {}, now_);
        }
        last_ = std::max(last_, session_.send(bytes_of("message"), [this] { return now_; }));
        session_.flush(last_);
        for (auto batch = session_.next(now_); batch && *batch; batch = session_.next(now_)) {
            fuzz::must(entry_range::check((*batch)->entries, (*batch)->count), "a batch whose entries and count disagree");
        }
    }

    bool connect_again() {
        session_.disconnected(end_->why, end_->fatal, tasks_);
        run();
        if (!end_->fatal) {
            session_.connected(now_);
        }
        return !end_->fatal;
    }

    client_config config_;
    client_session session_;
    time_point now_{};
    task_list tasks_;
    std::optional<connection_end> end_;
    bool subscribed_ = false;
    std::uint64_t last_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const bytes_view stream = std::as_bytes(std::span(data, size)).subspan(2);
    const std::size_t piece = data[1] + 1U;
    fuzz::must(read_all(stream, piece) == read_all(stream, size), "pieces give other frames");
    listener client(data[0]);
    each_frame(stream, piece, [&client](std::uint8_t kind, bytes_view body) { return client.hear(kind, body); });
    return 0;
}
