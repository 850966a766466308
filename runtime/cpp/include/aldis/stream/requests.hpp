// Requests and what answers them, found by the id that both have. Generated code says of a schema's requests what answers
// each (`answers_of`) and of all these messages where their id is (`correlation_id`).
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../order.hpp"
#include "../pending.hpp"
#include "../values.hpp"
#include "error.hpp"

namespace aldis {

/// Why a request has no answer.
enum class unanswered : std::uint8_t {
    /// None came before the deadline.
    late,
    /// None can come: the connection is gone, or the requests were given up.
    given_up,
};

/// The messages that answer a request.
template <class... Messages>
struct answers {
    template <class T>
    static constexpr bool has = (std::same_as<T, Messages> || ...);

    /// Whether a handler can be called with each of them, and with why there is none.
    template <class Handler>
    static constexpr bool handled_by =
        (std::invocable<Handler&, const Messages&> && ...) && std::invocable<Handler&, unanswered>;
};

/// A UUID of random bits (version 4) from a generator such as `std::mt19937_64` or `std::random_device`: an id for a request.
template <std::uniform_random_bit_generator Random>
uuid random_uuid(Random& random) {
    std::uniform_int_distribution<std::uint32_t> bits;
    uuid id;
    for (std::size_t index = 0; index < id.octets.size(); index += 4) {
        store<big>(reinterpret_cast<std::byte*>(id.octets.data()) + index, bits(random));
    }
    // RFC 9562, section 5.4: the version, and the variant.
    id.octets[6] = static_cast<std::uint8_t>((id.octets[6] & 0x0F) | 0x40);
    id.octets[8] = static_cast<std::uint8_t>((id.octets[8] & 0x3F) | 0x80);
    return id;
}

/// Requests that wait for their answers. It moves no bytes, has no thread and no clock: whoever uses it gives it the answers
/// that came (`answer`) and says what time it is (`expire`). Handlers are called from within these, and may send further
/// requests.
template <class Id, class... Answers>
class requests {
public:
    /// Sends a request through `out` and notes that it waits until `deadline`. `handler` is called once: with one of the
    /// messages that answer this request, or with why none did (`unanswered`); it needs an overload for each of them. The
    /// request needs an id that no other has that waits. A request that cannot be sent does not wait.
    template <class Sender, class Request, class Handler>
    stream_result<void> send(Sender& out, const Request& request, time_point deadline, Handler handler) {
        using expected = decltype(answers_of(request));
        static_assert(expected::template handled_by<Handler>,
                      "the handler needs an overload for each message that answers the request, and for aldis::unanswered");
        const Id& id = correlation_id(request);
        if (waiting_.find(id) != nullptr) {
            return stream_error{stream_code::duplicate_request, out.offset(), 0, 0, {}};
        }
        auto sent = out.send(request);
        if (sent) {
            waiting_.add(id, deadline, {{expected::template has<Answers>...}, told<expected>(std::move(handler))});
        }
        return sent;
    }

    /// Gives a message to the request that waits for it. False where none does: the answer came too late or twice, or is
    /// none of the messages that answer the request of that id.
    template <class Answer>
        requires(std::same_as<Answer, Answers> || ...)
    bool answer(const Answer& message) {
        const Id& id = correlation_id(message);
        const waiting* const found = waiting_.find(id);
        if (found == nullptr || !found->expects[index_of<Answer>()]) {
            return false;
        }
        waiting_.take(id)->tell(&message);
        return true;
    }

    /// Tells the requests whose deadline is `now` or was before that nothing came; gives how many there were.
    std::size_t expire(time_point now) { return give_up(waiting_.take_late(now), unanswered::late); }

    /// Tells all requests that nothing will come, as when the connection is gone; gives how many there were.
    std::size_t give_up() { return give_up(waiting_.take_all(), unanswered::given_up); }

    /// When `expire` has something to do next: how long to wait for input. `time_point::max()` where nothing waits.
    [[nodiscard]] time_point earliest() const { return waiting_.earliest(); }

    [[nodiscard]] std::size_t size() const noexcept { return waiting_.size(); }

private:
    using outcome = std::variant<unanswered, const Answers*...>;

    struct waiting {
        std::array<bool, sizeof...(Answers)> expects{};
        std::function<void(const outcome&)> tell;
    };

    template <class Answer>
    static constexpr std::size_t index_of() {
        constexpr std::array<bool, sizeof...(Answers)> same{std::same_as<Answer, Answers>...};
        return static_cast<std::size_t>(std::find(same.begin(), same.end(), true) - same.begin());
    }

    template <class Expected, class Handler>
    static std::function<void(const outcome&)> told(Handler handler) {
        return [handler = std::move(handler)](const outcome& what) mutable {
            std::visit(
                [&]<class Given>(const Given& given) {
                    if constexpr (std::same_as<Given, unanswered>) {
                        handler(given);
                    } else if constexpr (Expected::template has<std::remove_cvref_t<decltype(*given)>>) {
                        handler(*given);
                    }
                },
                what);
        };
    }

    static std::size_t give_up(std::vector<waiting> gone, unanswered why) {
        for (waiting& request : gone) {
            request.tell(why);
        }
        return gone.size();
    }

    pending_table<Id, waiting, less> waiting_;
};

}  // namespace aldis
