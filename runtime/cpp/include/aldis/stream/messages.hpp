// Values out of a stream of bytes, and values into one. A form of a schema is described by a type with its `framing` (where
// its messages say how long they are), its `messages`, and functions `encode` and `dispatch`, or, where messages do not say
// which they are, `encode` and `decode`; generated code has one.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../limits.hpp"
#include "frames.hpp"

namespace aldis {

/// One function object of several: `overloaded{[](const order& o) {…}, [](const quote& q) {…}}`.
template <class... Functions>
struct overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
overloaded(Functions...) -> overloaded<Functions...>;

/// A value of each of these types to decode messages into: made when the first of its type comes, and used again.
template <class... Messages>
class message_values {
public:
    /// Whether a visitor can be called with one of the messages at least.
    template <class Visitor>
    static constexpr bool visited_by = (std::invocable<Visitor&, const Messages&> || ...);

    /// Has `read` fill the value of type `T` and calls `visitor` with it. A type that the visitor does not
    /// take is not read.
    template <class T, class Visitor, class Read>
    result<void> visit(Visitor& visitor, Read&& read) {
        if constexpr (std::invocable<Visitor&, const T&>) {
            auto& held = std::get<std::unique_ptr<T>>(values_);
            if (held == nullptr) {
                held = std::make_unique<T>();
            }
            if (const auto size = read(*held); !size) {
                return size.error();
            }
            visitor(std::as_const(*held));
        }
        return {};
    }

private:
    std::tuple<std::unique_ptr<Messages>...> values_;
};

/// A form whose messages do not say which they are, in a stream where all are of type `T`.
template <class Form, class T>
struct only : Form {
    using messages = message_values<T>;

    template <class Visitor>
    static result<void> dispatch(bytes_view in, messages& into, Visitor& visitor, const limits& most) {
        return into.template visit<T>(visitor, [&](T& value) { return Form::decode(in, value, most); });
    }
};

/// Encodes values of one form and puts them into a stream.
template <class Form>
class sender : public frame_sender {
public:
    /// A sender of messages that say themselves how long they are.
    sender()
        requires requires { Form::framing; }
        : frame_sender(Form::framing) {}
    /// A sender of messages in frames as both sides agreed on.
    explicit sender(framing how, const limits& most = {}) : frame_sender(how), most_(most) {}

    using frame_sender::send;

    /// Adds a message. One that cannot be encoded adds nothing.
    template <class T>
        requires requires(const T& value, std::span<std::byte> out, const limits& most) { Form::encode(value, out, most); }
    stream_result<void> send(const T& value) {
        return send_with([&](std::span<std::byte> room) { return Form::encode(value, room, most_); });
    }

private:
    limits most_;
};

/// Decodes the values of one form out of a stream.
template <class Form>
class receiver {
public:
    /// A receiver of messages that say themselves how long they are.
    receiver()
        requires requires { Form::framing; }
        : receiver(Form::framing) {}
    /// A receiver of messages in frames of at most `largest` bytes, as both sides agreed on.
    explicit receiver(framing how, std::uint64_t largest = frame_limit, const limits& most = {})
        : frames_(how, largest), most_(most) {}

    /// Calls `visitor` with each message that is complete with these bytes, in their order. Its overloads say which messages
    /// are decoded, each into a value that is used again for the next one of its type; others are passed over. The first
    /// fault, of a frame or of a message, ends the stream: all further calls give it again. A message that the schema does
    /// not know is a fault, too.
    template <class Visitor>
        requires(Form::messages::template visited_by<Visitor>)
    stream_result<void> feed(bytes_view in, Visitor&& visitor) {
        return feed_all(in, visitor, [](bytes_view, const error&) { return false; });
    }

    /// The same, but that messages which the schema does not know go to `on_unknown`: their bytes, there until it returns, and
    /// where in them the id is that means none of the schema's.
    template <class Visitor, std::invocable<bytes_view, const error&> Unknown>
        requires(Form::messages::template visited_by<Visitor>)
    stream_result<void> feed(bytes_view in, Visitor&& visitor, Unknown&& on_unknown) {
        return feed_all(in, visitor, [&](bytes_view message, const error& fault) {
            const bool unknown = fault.what == code::unknown_message;
            if (unknown) {
                on_unknown(message, fault);
            }
            return unknown;
        });
    }

    /// The bytes that were fed and are no whole message yet.
    [[nodiscard]] bytes_view rest() const& noexcept ALDIS_LIFETIMEBOUND { return frames_.rest(); }
    bytes_view rest() const&& = delete;

private:
    /// `pardon` says of a message that cannot be read whether the stream goes on all the same.
    template <class Visitor, class Pardon>
    stream_result<void> feed_all(bytes_view in, Visitor& visitor, Pardon pardon) {
        const auto fed = frames_.feed(in, [&](bytes_view message) {
            const auto which = Form::dispatch(message, values_, visitor, most_);
            const bool go_on = which || pardon(message, which.error());
            if (!go_on) {
                frames_.end({stream_code::bad_message, frames_.offset(), 0, 0, which.error()});
            }
            return go_on;
        });
        return fed ? stream_result<void>() : fed.error();
    }

    frame_receiver frames_;
    typename Form::messages values_;
    limits most_;
};

}  // namespace aldis
