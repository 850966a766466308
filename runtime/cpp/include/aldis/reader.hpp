// Reading a message: a place in bytes with everything that reading depends on. Generated decoders pass places as pointers
// and give back where the next value lies, or null where the bytes are none of the message's.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "blocks.hpp"
#include "bytes.hpp"
#include "elements.hpp"
#include "limits.hpp"
#include "result.hpp"
#include "values.hpp"

namespace aldis {

namespace detail {

template <class Memory>
[[gnu::noinline]] inline void assign_any(
    std::basic_string<char, std::char_traits<char>, Memory>& value, const std::byte* from, std::size_t size) {
    if (size <= value.size() && size <= short_size) {
        copy_short(value.data(), from, size);
        value.erase(size);
    } else {
        value.assign(reinterpret_cast<const char*>(from), size);
    }
}

/// Assigns text that ends at `to`, in a message that ends at `end`.
template <class Memory>
[[gnu::always_inline]] inline void assign(
    std::basic_string<char, std::char_traits<char>, Memory>& value, const std::byte* from, const std::byte* to,
    const std::byte* end) {
    // In an object that is used again there often is a text of that length or a longer one.
    const auto size = static_cast<std::size_t>(to - from);
    if (has_short_room && size <= value.size() && size < short_size && static_cast<std::size_t>(end - from) >= short_size) {
        std::memcpy(value.data(), from, short_size);
        value.erase(size);
    } else {
        assign_any(value, from, size);
    }
}
template <class Memory>
inline void assign(
    std::vector<std::byte, Memory>& value, const std::byte* from, const std::byte* to, const std::byte* /*end*/) {
    value.assign(from, to);
}

}  // namespace detail

/// The purpose of a reader.
enum class purpose : std::uint8_t {
    /// Telling what is wrong and where.
    explain,
    /// Values: what they cost is paid before memory is taken, and pays for all that they take in memory.
    read,
    /// Telling whether all is right. No memory is taken, so costs are added up, and compared with the budget only where
    /// work can repeat itself and at the end.
    check,
};

/// The trace of a reader that does not explain.
struct no_trace {};

/// Reads numbers of one byte order. Every place that is given was checked to lie within the message. Where few bytes
/// can ask for much work, what is visited is charged. A reader that explains watches all limits, and notes what is wrong and
/// where; others only tell that something is, and as nothing out of line ever sees them, compilers keep them in registers.
template <std::endian Order, watched Watched, purpose For = purpose::explain>
class reader : public std::conditional_t<For == purpose::explain, trace, no_trace> {
    static constexpr bool checks = For == purpose::check;
    static constexpr bool charges = Watched.budget || For == purpose::explain;
    static constexpr bool counts = Watched.depth || For == purpose::explain;
    /// The part of the budget that is left; negative where a reader that checks has spent more.
    using budget_type = std::conditional_t<checks, std::int64_t, std::uint64_t>;
    /// More than any message costs, and yet what is spent between comparisons has room below it.
    static constexpr std::uint64_t unlimited = std::uint64_t{1} << 62;

public:
    static constexpr bool explains = For == purpose::explain;
    static constexpr watched watches = Watched;

    /// The reader of the same bytes for something else.
    template <purpose Other>
    using for_purpose = reader<Order, Watched, Other>;

    reader(std::span<const std::byte> in, const limits& most) noexcept
        // A null place means a fault, so that even no bytes at all lie somewhere.
        : begin_(in.empty() ? &nothing : in.data()),
          end_(begin_ + in.size()),
          budget_(static_cast<budget_type>(detail::smaller(most.budget(in.size()), checks ? unlimited : ~std::uint64_t{0}))),
          extra_(most.surcharge ? ~std::uint64_t{0} : 0),
          depth_(most.depth) {}

    /// A reader that goes on where a quick one is.
    template <purpose Other>
        requires(explains && Other == purpose::read)
    explicit reader(const reader<Order, Watched, Other>& quick) noexcept
        : begin_(quick.begin_),
          end_(quick.end_),
          budget_(quick.budget_),
          pledged_(quick.pledged_),
          extra_(quick.extra_),
          version_(quick.version_),
          depth_(quick.depth_),
          current_(quick.current_),
          is_second_(false) {}
    /// Goes on where another reader is that went on from here, and has redeemed all that it pledged.
    template <purpose Other>
    void follow_up(const reader<Order, Watched, Other>& other) noexcept {
        budget_ = other.budget_;
    }

    // ---- where and how much -------------------------------------------------------------------------------------

    [[nodiscard]] const std::byte* begin() const noexcept { return begin_; }
    [[nodiscard]] const std::byte* end() const noexcept { return end_; }

    /// Bytes from `at` to the message's end.
    [[nodiscard]] std::size_t left(const std::byte* at) const noexcept { return static_cast<std::size_t>(end_ - at); }

    [[nodiscard]] bool has(const std::byte* at, std::uint64_t size) const noexcept { return size <= left(at); }

    /// The same, and a fault where they are not.
    [[nodiscard]] bool need(const std::byte* at, std::uint64_t size) {
        if (!has(at, size)) [[unlikely]] {
            fail(code::truncated, at);
            return false;
        }
        return true;
    }
    /// The same, and they are charged, with a surcharge of `beside`.
    [[nodiscard]] bool need(const std::byte* at, std::uint64_t size, std::uint64_t beside) {
        return need(at, size) && pay(size + extra(beside), at);
    }

    /// The same for a run with these members, one of which is cut where they are not.
    [[nodiscard]] bool need_run(const std::byte* at, std::uint64_t size, std::span<const cut> members) {
        if (!has(at, size)) [[unlikely]] {
            if constexpr (explains) {
                note_cut(at, size, members);
            }
            return false;
        }
        return true;
    }
    /// The same, and they are charged, with a surcharge of `beside`.
    [[nodiscard]] bool need_run(const std::byte* at, std::uint64_t size, std::uint64_t beside, std::span<const cut> members) {
        return need_run(at, size, members) && pay(size + extra(beside), at);
    }
    /// The same for a head, which has no surcharge.
    [[nodiscard]] bool need_head(const std::byte* at, std::uint64_t size, std::initializer_list<cut> members) {
        return need_run(at, size, 0, std::span(members.begin(), members.size()));
    }

    template <class T>
    [[nodiscard]] static T load(const std::byte* at) noexcept {
        return aldis::load<T, Order>(at);
    }
    template <class T>
    static void load_row(const std::byte* at, std::size_t count, T* values) noexcept {
        aldis::load_row<Order>(at, count, values);
    }

    /// The writer's version of the schema, of which readers of `known` know all fields.
    void set_version(std::uint64_t version, std::uint64_t known) noexcept {
        version_ = version;
        current_ = version >= known;
    }
    [[nodiscard]] std::uint64_t version() const noexcept { return version_; }
    [[nodiscard]] bool current() const noexcept { return current_; }

    // ---- faults -------------------------------------------------------------------------------------------------

    std::nullptr_t fail(code what, const std::byte* at) {
        if constexpr (explains) {
            note(what, at);
        }
        return nullptr;
    }
    std::nullptr_t in_field(std::string_view name) {
        if constexpr (explains) {
            this->note_field(name);
        }
        return nullptr;
    }
    std::nullptr_t in_element(std::size_t index) {
        if constexpr (explains) {
            this->note_element(index);
        }
        return nullptr;
    }
    /// A type id that is not the expected one: another message, or, further in, a bad value.
    std::nullptr_t fail_type(const std::byte* at) {
        if constexpr (explains) {
            of_type_ = true;
        }
        return fail(code::bad_value, at);
    }
    /// A length that is too large for what is left; its own bytes are paid for before it is looked at.
    std::nullptr_t fail_length(std::size_t size, const std::byte* at) {
        if constexpr (explains) {
            return fail(budget_ < size ? code::too_large : code::bad_count, at);
        }
        return nullptr;
    }
    [[nodiscard]] detail::owned<error> finish_fault()
        requires explains
    {
        if (of_type_ && this->fault_->path.empty()) {
            this->fault_->what = code::unknown_message;
        }
        return this->take_fault();
    }

    // ---- budget -------------------------------------------------------------------------------------------------

    [[nodiscard]] bool charge(std::uint64_t bytes, const std::byte* at) {
        if constexpr (!charges) {
            return true;
        } else if constexpr (checks) {
            if (bytes > unlimited) [[unlikely]] {
                return false;
            }
            budget_ -= static_cast<std::int64_t>(bytes);
            return affords();
        } else if (__builtin_sub_overflow(budget_, bytes, &budget_)) [[unlikely]] {
            fail(code::too_large, at);
            return false;
        }
        return true;
    }

    /// Charges `bytes` for each of `count` elements.
    [[nodiscard]] bool charge_each(std::uint64_t count, std::uint64_t bytes, const std::byte* at) {
        if constexpr (!charges) {
            return true;
        }
        std::uint64_t all = 0;
        if (__builtin_mul_overflow(count, bytes, &all) || all > unlimited) [[unlikely]] {
            fail(code::too_large, at);
            return false;
        }
        return charge(all, at);
    }

    /// Pays `cost` for each of `count` elements where there is enough for all of them; where there is not, or it must
    /// be told which of them is one too many, they are to be paid for one by one.
    [[nodiscard]] bool pays_for(std::uint64_t count, std::uint64_t cost) noexcept {
        if constexpr (!charges) {
            return true;
        }
        std::uint64_t all = 0;
        const bool fits = !explains && !__builtin_mul_overflow(count, cost, &all);
        if (!fits || all > static_cast<std::uint64_t>(budget_)) [[unlikely]] {
            return false;
        }
        budget_ -= static_cast<budget_type>(all);
        return true;
    }

    /// Charges for what lies within the message and does not repeat itself, where anything is charged at all.
    [[nodiscard]] bool pay(std::uint64_t bytes, const std::byte* at) {
        if constexpr (charges && checks) {
            budget_ -= static_cast<std::int64_t>(bytes);
            return true;
        } else {
            return charge(bytes, at);
        }
    }

    /// Whether no more was spent than the budget has.
    [[nodiscard]] bool affords() const noexcept {
        if constexpr (charges && checks) {
            return budget_ >= 0;
        } else {
            return true;
        }
    }

    /// The surcharge of `bytes` where the limits ask for surcharges, else zero.
    [[nodiscard]] std::uint64_t extra(std::uint64_t bytes) const noexcept { return bytes & extra_; }

    /// Pays for `count` elements in blocks of `extent` bytes what they lack (see `lacks`), and for blocks without bytes.
    template <const auto& Known>
    [[nodiscard]] bool pay_short(std::uint64_t count, std::uint64_t extent, const std::byte* at) {
        const std::uint64_t empty = Known.is_empty(extent, version_) ? empty_element : 0;
        return charge_each(count, empty + Known.rows.within(extent, version_), at);
    }

    // ---- memory -------------------------------------------------------------------------------------------------

    /// Makes room for a list of `count` elements, the first of which lies at `at`, but for no more than can still be paid
    /// for: what elements cost may only be known when they are read.
    template <class T, class Memory>
    void make_room(std::vector<T, Memory>& values, std::uint64_t count, const std::byte* at) {
        static_cast<void>(pledge_room(values, count, at));
    }
    /// The same for elements with lists in them, which are to be redeemed one by one.
    template <class T, class Memory>
    [[nodiscard]] pledge pledge_room(std::vector<T, Memory>& values, std::uint64_t count, const std::byte* at) {
        constexpr std::uint64_t each = (sizeof(T) + 7) / 8;
        const std::uint64_t all = means(at);
        const std::uint64_t most = detail::smaller(count, (all > pledged_ ? all - pledged_ : 0) / each + 1);
        // A list that has room for some was read by a quick reader, which may have taken all the memory that there may be.
        const bool is_given = explains && is_second_ && values.capacity() > 0;
        if (most > values.capacity() && !is_given) {
            detail::reserve(values, static_cast<std::size_t>(most));
        }
        return {pledged_, most, each};
    }

    // ---- depth --------------------------------------------------------------------------------------------------

    /// Enters a record, where records may nest deeper than the limit.
    [[nodiscard]] bool enter(const std::byte* at) {
        if constexpr (counts) {
            if (depth_ == 0) [[unlikely]] {
                fail(code::too_deep, at);
                return false;
            }
            --depth_;
        }
        return true;
    }
    void leave() noexcept {
        if constexpr (counts) {
            ++depth_;
        }
    }

    // ---- frames and links ---------------------------------------------------------------------------------------

    /// Lets the message end where a frame size of `size` at `at` says, behind a head of `head` bytes.
    [[nodiscard]] bool bound(std::uint64_t size, std::size_t head, const std::byte* at) {
        if (size > left(begin_)) [[unlikely]] {
            fail(code::truncated, at);
            return false;
        }
        if (size < head) [[unlikely]] {
            fail(code::bad_value, at);
            return false;
        }
        end_ = begin_ + size;
        return true;
    }

    /// The target of an offset that was read at `from` and counts from `base`.
    [[nodiscard]] const std::byte* follow(const std::byte* base, std::uint64_t offset, const std::byte* from) {
        if (offset > left(base)) [[unlikely]] {
            return fail(code::bad_pointer, from);
        }
        return base + offset;
    }

    /// The same where an offset of zero is a fault.
    [[nodiscard]] const std::byte* follow_some(const std::byte* base, std::uint64_t offset, const std::byte* from) {
        // One comparison for both ends.
        if (offset - 1 >= left(base)) [[unlikely]] {
            return fail(code::bad_pointer, from);
        }
        return base + offset;
    }

    // ---- values of variable size --------------------------------------------------------------------------------

    /// The place behind `length` bytes at `at`, as a head at `head` says.
    [[nodiscard]] const std::byte* pass(const std::byte* at, std::uint64_t length, const std::byte* head) {
        if (length > left(at)) [[unlikely]] {
            return fail(code::bad_count, head);
        }
        return at + length;
    }
    /// The same, and the bytes.
    template <class Bytes>
    [[nodiscard]] const std::byte* take(const std::byte* at, std::uint64_t length, const std::byte* head, Bytes& value) {
        const std::byte* const end = pass(at, length, head);
        if (end != nullptr) {
            detail::assign(value, at, end, end_);
        }
        return end;
    }

    /// Whether `count` elements of at least `least` bytes can lie at `at`, as a head at `head` says.
    [[nodiscard]] bool fits(std::uint64_t count, std::uint64_t least, const std::byte* at, const std::byte* head) {
        std::uint64_t size = 0;
        if (__builtin_mul_overflow(count, least, &size) || size > left(at)) [[unlikely]] {
            fail(code::bad_count, head);
            return false;
        }
        return true;
    }

    /// Reads `count` numbers side by side, which were checked to fit.
    template <class T, class Memory>
    [[nodiscard]] static const std::byte* take_row(const std::byte* at, std::size_t count, std::vector<T, Memory>& values) {
        values.resize(count);
        if constexpr (std::is_same_v<T, bool>) {
            for (std::size_t index = 0; index < count; ++index) {
                values[index] = load<bool>(at + index);
            }
            return at + count;
        } else {
            load_row(at, count, values.data());
            return at + count * sizeof(T);
        }
    }

private:
    template <std::endian, watched, purpose>
    friend class reader;

    [[gnu::cold, gnu::noinline]] void note(code what, const std::byte* at) {
        trace::note(what, static_cast<std::size_t>(at - begin_));
    }

    [[gnu::cold, gnu::noinline]] void note_cut(const std::byte* at, std::uint64_t size, std::span<const cut> members) {
        const std::uint64_t room = left(at);
        for (const cut& member : members) {
            const std::uint32_t least = member.least == 0 ? member.end : member.least;
            if (member.end > room && least <= size && member.since <= version_) {
                note(code::truncated, at + detail::smaller(member.at, room));
                if (!member.path.empty()) {
                    in_field(member.path);
                }
                return;
            }
        }
        note(code::truncated, at + room);
    }

    /// How many times 8 bytes of memory can be paid for: by the budget, or by the bytes that are left, 8 each.
    [[nodiscard]] std::uint64_t means([[maybe_unused]] const std::byte* at) const noexcept {
        if constexpr (charges) {
            return static_cast<std::uint64_t>(budget_);
        } else {
            return 8 * std::uint64_t{left(at)};
        }
    }

    static constexpr std::byte nothing{};

    const std::byte* begin_;
    const std::byte* end_;
    budget_type budget_;
    /// The part of the means that is pledged.
    std::uint64_t pledged_ = 0;
    /// All bits where surcharges are asked for, else none.
    std::uint64_t extra_;
    std::uint64_t version_ = std::numeric_limits<std::uint64_t>::max();
    std::uint32_t depth_;
    bool current_ = true;
    bool of_type_ = false;
    /// Whether a quick reader may have read the bytes before.
    bool is_second_ = explains;
};

/// Whether a reader, by its type or that of a reference to it, explains.
template <class Reader>
inline constexpr bool explains = std::remove_cvref_t<Reader>::explains;

namespace detail {

/// The place behind a length at `head`, behind which there are `room` bytes, and as many bytes as it says.
template <class Length>
[[nodiscard, gnu::always_inline]] inline const std::byte* pass_length(
    auto& in,
    const std::byte* head,
    std::uint64_t room) {
    const std::uint64_t length = in.template load<Length>(head);
    if (length > room) [[unlikely]] {
        return in.fail_length(sizeof(Length), head);
    }
    const std::byte* const content = head + sizeof(Length);
    if constexpr (std::remove_cvref_t<decltype(in)>::explains) {
        return in.pay(sizeof(Length), head) && in.pay(length, content) ? content + length : nullptr;
    }
    return in.pay(sizeof(Length) + length, head) ? content + length : nullptr;
}

}  // namespace detail

/// The place behind a length at `at`, which is called `name`, and that many bytes.
template <class Length>
[[nodiscard, gnu::always_inline]] inline const std::byte* pass_counted(auto& in, const std::byte* at, std::string_view name) {
    if (!in.need(at, sizeof(Length))) {
        return in.in_field(name);
    }
    return detail::pass_length<Length>(in, at, in.left(at) - sizeof(Length));
}
/// The same, and the bytes.
template <class Length, class Bytes>
[[nodiscard, gnu::always_inline]] inline const std::byte* take_counted(
    auto& in,
    const std::byte* at,
    Bytes& value,
    std::string_view name) {
    const std::byte* const end = pass_counted<Length>(in, at, name);
    if (end != nullptr) {
        detail::assign(value, at + sizeof(Length), end, in.end());
    }
    return end;
}

namespace detail {

/// The place behind a length, `offset` bytes from `base` as was read at `from`, and that many bytes; null for an offset
/// of zero too, which leads nowhere.
template <class Length>
[[nodiscard, gnu::always_inline]] inline const std::byte* pass_behind(
    auto& in,
    const std::byte* base,
    std::uint32_t offset,
    const std::byte* from,
    std::string_view name) {
    static_assert(sizeof(Length) <= sizeof offset, "a length has room where the link lies, at `base` or behind it");
    const std::uint64_t last = in.left(base) - sizeof(Length);
    // One comparison for both ends.
    if (std::uint64_t{offset} - 1 >= last) [[unlikely]] {
        if (offset == 0) {
            return nullptr;
        }
        if (offset > in.left(base)) {
            return in.fail(code::bad_pointer, from);
        }
        in.fail(code::truncated, base + offset);
        return in.in_field(name);
    }
    return pass_length<Length>(in, base + offset, last - offset);
}

}  // namespace detail

/// Whether the u32 link at `from` leads to a length, which is called `name`, and that many bytes, or is zero.
template <class Length>
[[nodiscard, gnu::always_inline]] inline bool pass_linked(
    auto& in,
    const std::byte* base,
    const std::byte* from,
    std::string_view name) {
    const auto offset = in.template load<std::uint32_t>(from);
    return detail::pass_behind<Length>(in, base, offset, from, name) != nullptr || offset == 0;
}
/// The same, and the bytes: a link of zero is the empty value.
template <class Length, class Bytes>
[[nodiscard, gnu::always_inline]] inline bool take_linked(
    auto& in,
    const std::byte* base,
    const std::byte* from,
    Bytes& value,
    std::string_view name) {
    const auto offset = in.template load<std::uint32_t>(from);
    const std::byte* const end = detail::pass_behind<Length>(in, base, offset, from, name);
    if (end == nullptr) [[unlikely]] {
        value.clear();
        return offset == 0;
    }
    detail::assign(value, base + offset + sizeof(Length), end, in.end());
    return true;
}

/// Sets an optional number to what was read, or to null where that is what stands for it.
template <class T>
inline void set_unless(std::optional<T>& place, T read, T null) noexcept {
    place = read == null ? std::nullopt : std::optional<T>(read);
}
template <class T>
inline void set_unless_nan(std::optional<T>& place, T read) noexcept {
    place = __builtin_isnan(read) ? std::nullopt : std::optional<T>(read);
}

/// The text in a field of `Size` bytes.
template <std::size_t Size>
inline void load_chars(const std::byte* at, auto& value) {
    detail::assign(value, at, at + length_of_chars<Size>(at), at + Size);
}

}  // namespace aldis
