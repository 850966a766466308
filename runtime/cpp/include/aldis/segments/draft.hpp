// Messages of segments that are written field by field into memory of the caller's, without a value object. Objects are
// begun in any order and filled in at any time: each lies behind the one begun before. Where a pointer is set again, zeros take
// the place of what it led to, and stay in the message. What goes wrong is noted in the draft, and `finish` says so: it never
// gives bytes that are no message.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "codec.hpp"
#include "eraser.hpp"

namespace aldis::segments {

class draft;

/// The place of a writer in a draft. The draft's bytes may move, so that places are counted from the first of them. Only
/// generated code makes one.
class draft_place {
public:
    /// `depth` levels of records and lists may still be begun from here. At 0 lies no object: nothing is written there.
    draft_place(draft& out, std::size_t at, std::uint32_t depth) noexcept : out_(&out), at_(at), depth_(depth) {}

    [[nodiscard]] draft& out() const noexcept { return *out_; }
    [[nodiscard]] std::size_t at() const noexcept { return at_; }
    [[nodiscard]] std::uint32_t depth() const noexcept { return depth_; }
    /// The byte itself, until an object is begun; null where nothing is written.
    [[nodiscard]] std::byte* bytes() const noexcept;

    /// The place so many bytes further on in the same object.
    friend draft_place operator+(const draft_place& place, std::size_t bytes) noexcept {
        return {*place.out_, place.at_ == 0 ? 0 : place.at_ + bytes, place.depth_};
    }

    /// Stores a number, an enum or a tag at a byte, as it differs from `meant` for zero.
    template <class T>
    void set(std::size_t at, T value, T meant = T{}) const noexcept {
        if (std::byte* const to = bytes(); to != nullptr) {
            store_apart<T>(to + at, value, meant);
        }
    }
    void set_bit(std::size_t at, unsigned bit, bool value, bool meant = false) const noexcept {
        if (std::byte* const to = bytes(); to != nullptr) {
            to[at] = (to[at] & ~static_cast<std::byte>(1U << bit)) |
                     static_cast<std::byte>(static_cast<unsigned>(value != meant) << bit);
        }
    }

    /// Makes the pointer at a byte null, and zeros of what it led to.
    void set_null(std::size_t at) const noexcept;

    /// Writes what the pointer at a byte leads to from now on, as `Kind` does it; gives the writer of what was begun.
    template <class Kind, class... Values>
    auto put(std::size_t at, Values&&... values) const {
        return Kind::put(*this + at, std::forward<Values>(values)...);
    }

private:
    draft* out_;
    std::size_t at_;
    std::uint32_t depth_;
};

/// A message that is being written: one segment with its table in front. Writers refer to it, so it stays where it is, and
/// may be used again for the next message, when the writers of the one before are done with. Takes no memory but for what is
/// said of a fault, where it writes to an `aldis::buffer` to let that grow, and where `finish` reads what was written, as many
/// elements without bytes may be more than are read. Texts that are given lie elsewhere.
class draft : public trace {
public:
    explicit draft(std::span<std::byte> room, const limits& most = {}) noexcept
        : base_(room.data()), room_(room.size()), most_(most) {}
    explicit draft(buffer& room, const limits& most = {}) noexcept : grows_(&room), most_(most) {}
    draft(const draft&) = delete;
    draft& operator=(const draft&) = delete;

    /// The fault that reading finds in a message (see `detail::refusal`).
    using refusal = std::optional<error>(std::span<const std::byte> written, std::uint64_t unpaid, const limits& most);

    /// Begins a message, with a root of so many words. One that `refuse` has a fault for is refused.
    [[nodiscard]] draft_place begin(std::uint32_t data, std::uint32_t pointers, refusal* refuse) {
        fault_.reset();
        used_ = 0;
        unpaid_ = 0;
        refuse_ = refuse;
        if (grows_ != nullptr) {
            base_ = grows_->extend(0).data();
            room_ = grows_->capacity();
        }
        if (most_.depth == 0) {
            fail(code::too_deep, aldis::detail::deeper);
        }
        const std::size_t table = reserve(2);
        const std::size_t root = reserve(data + pointers);
        if (ok()) {
            store(table + word_size, record_word(data + pointers == 0 ? -1 : 0, data, pointers));
        }
        return {*this, ok() ? root : 0, most_.depth - 1};
    }

    /// The message's bytes; the first fault where there was one.
    [[nodiscard]] result<std::span<const std::byte>> finish() {
        if (ok() && used_ == 0) {
            fail(code::bad_value, "no message was begun");
        }
        if (ok() && used_ / word_size - 1 > max_count) {
            outside("words", used_ / word_size - 1);
        }
        if (!ok()) {
            return *fault_;
        }
        if (grows_ != nullptr) {
            static_cast<void>(grows_->extend(used_));
        }
        detail::write_table(base_, used_ - word_size);
        const std::span<const std::byte> written(base_, used_);
        if (auto fault = refuse_(written, unpaid_, most_)) [[unlikely]] {
            return *std::move(fault);
        }
        return written;
    }

    [[nodiscard]] bool ok() const noexcept { return fault_ == nullptr; }

    /// Nothing that comes later hides the first fault.
    [[gnu::cold, gnu::noinline]] bool fail(code what, std::string_view words = {}) {
        if (ok()) {
            note(what, error::nowhere);
            say(std::string(words));
        }
        return false;
    }

    [[gnu::cold, gnu::noinline]] bool outside(std::string_view what, std::uint64_t count) {
        return fail(code::out_of_range, aldis::detail::beyond(what, count, max_count));
    }
    [[gnu::cold, gnu::noinline]] bool no_element(std::size_t index, std::size_t count) {
        return fail(code::bad_value,
                    "there is no element " + std::to_string(index) + ": the list has " + std::to_string(count));
    }

    /// Memory for `words` words of zeros behind all others; gives its first byte. 0 where there is none or something went
    /// wrong before.
    [[nodiscard]] std::size_t reserve(std::uint64_t words) {
        const std::size_t at = append(words);
        if (ok() && words > 0) {
            std::memset(base_ + at, 0, static_cast<std::size_t>(words * word_size));
        }
        return at;
    }
    void store(std::size_t at, std::uint64_t bits) noexcept {
        if (ok()) {
            store_word(base_ + at, bits);
        }
    }
    void put(std::size_t at, const std::byte* from, std::size_t size) noexcept {
        if (ok() && size > 0) {
            std::memcpy(base_ + at, from, size);
        }
    }

    /// The body of a list of `count` elements of `bits` each: `write` gets a writer there, and the pointer to it.
    template <class Write>
    void row(const draft_place& pointer, std::uint64_t count, std::uint64_t bits, Write write) {
        if (count > max_count) [[unlikely]] {
            outside("elements or bytes", count);
        }
        const std::size_t at = append((count * bits + 63) / 64);
        if (ok() && pointer.at() != 0) {
            erase(pointer);
            write(writer(base_ + at, none_), base_ + pointer.at());
        }
    }

    /// Whether so many levels may be begun at a place.
    [[nodiscard]] bool enters(const draft_place& from, std::uint32_t levels) {
        return from.depth() >= levels || fail(code::too_deep, aldis::detail::deeper);
    }

    /// Begins an object of `words` words of zeros, so many levels down from the pointer that is to lead to it; gives its
    /// first byte, or 0.
    [[nodiscard]] std::size_t begin_object(const draft_place& pointer, std::uint32_t levels, std::uint64_t words) {
        const std::size_t at = enters(pointer, levels) ? reserve(words) : 0;
        if (!ok() || pointer.at() == 0) {
            return 0;
        }
        erase(pointer);
        return at;
    }

    /// Makes zeros of a pointer and of what it leads to, which nothing else does.
    void erase(const draft_place& pointer) noexcept {
        if (pointer.at() != 0 && !load_word(base_ + pointer.at()).is_null()) [[unlikely]] {
            erase_object(pointer.at());
        }
    }

    /// Notes what readers charge for elements without bytes.
    void add_unpaid(std::uint64_t cost) noexcept { unpaid_ += cost; }

    [[nodiscard]] std::byte* base() const noexcept { return base_; }

private:
    /// Room for words of any bytes.
    [[nodiscard]] std::size_t append(std::uint64_t words) {
        const std::uint64_t size = words * word_size;
        if (!ok() || (size > room_ - used_ && !grow(words))) [[unlikely]] {
            return 0;
        }
        return std::exchange(used_, used_ + static_cast<std::size_t>(size));
    }

    [[gnu::cold, gnu::noinline]] bool grow(std::uint64_t words) {
        if (grows_ == nullptr) {
            return fail(code::no_room, aldis::detail::beyond("bytes", used_ + words * word_size, room_));
        }
        if (used_ / word_size + words > max_count) {
            return outside("words", used_ / word_size + words);
        }
        static_cast<void>(grows_->extend(used_));
        base_ = grows_->extend(used_ + static_cast<std::size_t>(words * word_size)).data();
        room_ = grows_->capacity();
        return true;
    }

    [[gnu::cold, gnu::noinline]] void erase_object(std::size_t pointer) noexcept {
        eraser({base_, used_}).pointer(pointer, most_.depth);
    }

    std::byte* base_ = nullptr;
    std::size_t room_ = 0;
    buffer* grows_ = nullptr;
    std::size_t used_ = 0;
    std::uint64_t unpaid_ = 0;
    refusal* refuse_ = nullptr;
    limits most_;
    copies none_;
};

inline std::byte* draft_place::bytes() const noexcept { return at_ == 0 ? nullptr : out_->base() + at_; }

inline void draft_place::set_null(std::size_t at) const noexcept { out_->erase(*this + at); }

/// The records of a list that was begun.
template <class Writer>
class record_list {
public:
    record_list(const draft_place& first, std::size_t count, std::size_t stride) noexcept
        : first_(first), count_(count), stride_(stride) {}

    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    /// The record at `index`; one that is not there is a fault.
    [[nodiscard]] Writer operator[](std::size_t index) const {
        if (index >= count_) {
            first_.out().no_element(index, count_);
            return Writer(draft_place(first_.out(), 0, first_.depth()));
        }
        return Writer(first_ + index * stride_);
    }

private:
    draft_place first_;
    std::size_t count_;
    std::size_t stride_;
};

/// A kind whose setter takes one value of a known type, so that the compiler converts arguments to it.
template <class Kind>
concept takes_one = requires { typename Kind::argument; };

/// The elements of any other list that was begun, each put by `Element`. An element that is not there is a fault.
template <class Element>
class element_list {
public:
    element_list(const draft_place& first, std::size_t count) noexcept : first_(first), count_(count) {}

    [[nodiscard]] std::size_t size() const noexcept { return count_; }

    /// Sets a number or a bit.
    template <takes_one Of = Element>
    void set(std::size_t index, typename Of::argument value) const {
        Of::put_at(found(index), index, value);
    }
    /// Writes what the pointer leads to; gives its writer where it has one.
    template <class... Values>
        requires(!takes_one<Element>)
    auto set(std::size_t index, Values&&... values) const {
        return Element::put_at(found(index), index, std::forward<Values>(values)...);
    }

private:
    [[nodiscard]] draft_place found(std::size_t index) const {
        if (index < count_) {
            return first_;
        }
        first_.out().no_element(index, count_);
        return {first_.out(), 0, first_.depth()};
    }

    draft_place first_;
    std::size_t count_;
};

}  // namespace aldis::segments
