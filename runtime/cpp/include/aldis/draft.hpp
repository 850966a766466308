// Messages that are written field by field into memory of the caller's, without a value object. Generated writers are
// places in a draft; what goes wrong is noted in it, and `finish` says so: it never gives bytes that are no message.
#pragma once

#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "writer.hpp"

namespace aldis {

/// One step of a record whose parts follow one another: a run of fields of fixed size, or a part.
struct draft_step {
    /// Bytes of a run.
    std::uint32_t size = 0;
    /// Writes the defaults of a run's fields; null for a part.
    void (*fill)(std::byte* at) = nullptr;
};

/// A field of a block that was begun.
struct draft_field {
    /// The block; null where it could not be begun.
    std::byte* block = nullptr;
    /// The offset of the field in it.
    std::uint32_t at = 0;
    /// Records around what the field leads to.
    std::uint32_t depth = 0;
};

/// A field of a run: which step of its record that is, and where in it the field is.
struct draft_cell {
    std::uint32_t run = 0;
    std::uint32_t at = 0;
};

/// The head of a list: its bytes, and the counts that it can say.
struct draft_head {
    std::uint32_t size = 0;
    std::uint64_t least = 0;
    std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
};

template <class Writer>
class list_draft;
template <class Writer, std::endian Order>
class linked_draft;

/// The place of a writer in a draft: it is told from those that were at the same depth before it by its number.
struct draft_place {
    std::uint32_t depth = 0;
    std::uint32_t number = 0;
};

/// A message that is being written. Writers refer to it, so it stays where it is, and may be used again for the next
/// message. Nothing is written behind `room`, and no memory is taken but for what is said of a fault, and where `finish`
/// reads what was written: low limits, or many elements without bytes, may make a message that is not read.
class draft : public sizer {
public:
    explicit draft(std::span<std::byte> room, const limits& most = {}) noexcept
        : sizer(most), room_(room), most_depth_(most.depth), most_(most) {}
    draft(const draft&) = delete;
    draft& operator=(const draft&) = delete;

    /// The fault that reading finds in a message (see `detail::refusal`).
    using refusal = std::optional<error>(std::span<const std::byte> written, std::uint64_t unpaid, const limits& most);

    /// Begins a message with a head of so many bytes, which `seal` writes when the message's size is known.
    /// One of more than `longest` is refused, and one that `judge` has a fault for.
    void begin(std::size_t head, void (*seal)(std::byte* at, std::uint64_t total), refusal* judge,
               std::uint64_t longest = std::numeric_limits<std::uint32_t>::max()) noexcept {
        fault_.reset();
        start(most_depth_);
        unpaid_ = 0;
        frames_[0] = {0, 0, nullptr, 0, 0, nullptr, 0, 0, 0};
        next_ = 0;
        depth_ = 0;
        awaits_record_ = true;
        owed_ = 0;
        seal_ = seal;
        refuse_ = judge;
        longest_ = longest;
        static_cast<void>(append(head));
    }

    /// The message's bytes; the first fault where there was one. A message of which required parts were not written is
    /// none.
    [[nodiscard]] result<std::span<const std::byte>> finish() {
        if (fault_ == nullptr && (seal_ == nullptr || depth_ != 0 || owed_ != 0)) {
            fail(code::bad_value, "the message is not whole: a part or an element of it was not written");
        }
        if (fault_ == nullptr && (next_ > std::numeric_limits<std::uint32_t>::max() || next_ > longest_)) {
            const std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
            outside(next_, 1, detail::smaller(most, longest_), "bytes");
        }
        if (fault_ != nullptr) {
            return *fault_;
        }
        seal_(room_.data(), next_);
        const std::span<const std::byte> written(room_.data(), next_);
        if (auto fault = refuse_(written, unpaid_, most_)) [[unlikely]] {
            return *std::move(fault);
        }
        return written;
    }

    /// Memory for `size` bytes behind what is written; null where there is none or something went wrong before.
    [[nodiscard]] std::byte* append(std::uint64_t size) {
        if (fault_ != nullptr) {
            return nullptr;
        }
        if (size > room_.size() - next_) [[unlikely]] {
            lack(next_ + size);
            return nullptr;
        }
        std::byte* const at = room_.data() + next_;
        next_ += static_cast<std::size_t>(size);
        return at;
    }
    /// The same for as much as was added up.
    [[nodiscard]] std::byte* append_measured() { return append(take_size()); }
    /// The place behind what was appended last.
    [[nodiscard]] const std::byte* end() const noexcept { return room_.data() + next_; }

    [[gnu::cold, gnu::noinline]] void lack(std::uint64_t size) {
        fail(code::no_room, detail::beyond("bytes", size, room_.size()));
    }

    // ---- records whose parts are found by links -----------------------------------------------------------------

    /// Whether nothing went wrong yet; the size of what is to be written is added up from here on.
    /// `depth` records are around it.
    [[nodiscard]] bool measure(std::uint32_t depth) noexcept {
        start(most_depth_ > depth ? most_depth_ - depth : 0);
        return fault_ == nullptr;
    }

    /// A block with its defaults, of whose links `owed` must lead somewhere before the message is one. The root is at
    /// depth 1.
    [[nodiscard]] std::byte* block(const draft_step& run, std::uint32_t owed, std::uint32_t depth) {
        if (depth > most_depth_) {
            fail(code::too_deep, detail::deeper);
        }
        std::byte* const at = append(run.size);
        if (at != nullptr) {
            run.fill(at);
            owed_ += owed;
        }
        return at;
    }
    /// Notes that so many links more must lead somewhere.
    void owe(std::uint64_t links) noexcept { owed_ += links; }
    /// A required link at `at` gets its target: the first one counts.
    void settle(const std::byte* at) noexcept {
        std::uint32_t offset = 0;
        std::memcpy(&offset, at, sizeof offset);
        owed_ -= offset == 0 ? 1 : 0;
    }

    // These are part of what calls them: places and sizes are constants there, and compilers would rather share the code.

    /// Writes a value of fixed size.
    template <std::endian Order, class T>
    [[gnu::always_inline]] bool set(const draft_field& to, T value) noexcept {
        if (fault_ != nullptr) {
            return false;
        }
        store<Order>(to.block + to.at, value);
        return true;
    }

    /// Writes text or bytes behind a count of type `Count`, and links the field, which may lead nowhere, to them.
    template <std::endian Order, std::unsigned_integral Count, class Bytes>
    [[gnu::always_inline]] bool link_bytes(const draft_field& from, const Bytes& value, std::string_view name) {
        if (fault_ != nullptr) {
            return false;
        }
        if (!within(value.size(), 0, std::numeric_limits<Count>::max())) {
            return in_field(name);
        }
        std::byte* const to = append(sizeof(Count) + value.size());
        if (to == nullptr) {
            return refuse_field(name);
        }
        store_distance<Order>(from.block + from.at, from.block, to);
        write_bytes<Order, Count>(to, value);
        return true;
    }

    /// Writes a record's value, and links the field, which must lead to one, to it. `size` and `write` are of the record.
    template <std::endian Order, class T>
    [[gnu::always_inline]] bool link_record(const draft_field& from, const T& value, std::string_view name,
                                            bool (&size)(sizer&, const T&), std::byte* (&write)(std::byte*, const T&, const std::byte*)) {
        if (!measure(from.depth)) {
            return false;
        }
        if (!size(*this, value)) {
            return in_field(name);
        }
        std::byte* const to = append_measured();
        if (to == nullptr) {
            return refuse_field(name);
        }
        settle(from.block + from.at);
        store_distance<Order>(from.block + from.at, from.block, to);
        write(to, value, end());
        return true;
    }

    /// Begins the record that the field leads to.
    template <class Writer, std::endian Order>
    [[nodiscard, gnu::always_inline]] Writer link_writer(const draft_field& from) {
        Writer made(*this, from.depth + 1);
        if (const std::byte* const to = start_of(made); to != nullptr) {
            settle(from.block + from.at);
            store_distance<Order>(from.block + from.at, from.block, to);
        }
        return made;
    }

    /// Begins the optional record that the field leads to, by way of a link of its own.
    template <class Writer, std::endian Order>
    [[nodiscard, gnu::always_inline]] Writer link_optional(const draft_field& from) {
        std::byte* const slot = append(4);
        Writer made(*this, from.depth + 1);
        if (const std::byte* const to = start_of(made); to != nullptr) {
            std::byte* const field = from.block + from.at;
            store<Order>(field, true);
            store_distance<Order>(field + 1, from.block, slot);
            store_distance<Order>(slot, slot, to);
        }
        return made;
    }

    /// Begins the list of `count` records that the field leads to, whose head `write_head` writes.
    template <class Writer, std::endian Order, class WriteHead>
    [[nodiscard, gnu::always_inline]] linked_draft<Writer, Order> link_list(
        const draft_field& from, std::uint64_t count, std::string_view name, const draft_head& head, WriteHead write_head) {
        if (!measure(from.depth) || !within(count, head.least, head.most)) {
            refuse_field(name);
        }
        std::byte* const to = append(head.size + 4 * count);
        if (to == nullptr) {
            return {*this, from.block, to, count, from.depth + 1};
        }
        store_distance<Order>(from.block + from.at, from.block, to);
        write_head(to);
        std::memset(to + head.size, 0, static_cast<std::size_t>(4 * count));
        owe(count);
        return {*this, from.block, to + head.size, count, from.depth + 1};
    }

    // ---- records whose parts follow one another -----------------------------------------------------------------

    /// Begins a record.
    [[nodiscard]] draft_place enter_record(std::span<const draft_step> steps) {
        if (!std::exchange(awaits_record_, false)) {
            fail(code::bad_value, "this record was begun already, or another one comes first");
        }
        const draft_place place = push(steps.data(), steps.size(), 1, 0);
        advance();
        return place;
    }

    /// Begins a list of `count` elements, whose head was written.
    [[nodiscard]] draft_place enter_list(std::uint64_t count) {
        awaits_record_ = false;
        const draft_place place = push(nullptr, 0, 0, count);
        advance();
        return place;
    }

    static constexpr const char* out_of_order = "another part comes first: each is written once, in the schema's order";

    /// Whether a list has its next element to be written now.
    [[nodiscard]] bool at_element(const draft_place& place) {
        awaits_record_ = is_top(place) && frames_[depth_].left > 0;
        return awaits_record_ || fail(code::bad_value, "the list has all of its elements, or the one before is not whole");
    }

    /// Whether a record's next step is the part `step`.
    [[nodiscard]] bool at_part(const draft_place& place, std::size_t step) {
        start(most_depth_ - frames_[depth_].records);
        awaits_record_ = is_top(place) && frames_[depth_].step == step;
        return awaits_record_ || fail(code::bad_value, out_of_order);
    }

    /// The run `step` of a record, which is the last one that was begun; null where it is not.
    [[nodiscard]] std::byte* run(const draft_place& place, std::size_t step) {
        frame& own = frames_[place.depth];
        if (fault_ != nullptr || own.number != place.number || own.run_step != step || own.run == nullptr) [[unlikely]] {
            fail(code::bad_value, own.number == place.number ? out_of_order : "another record was begun behind this one");
            return nullptr;
        }
        return own.run;
    }

    /// Writes a value of fixed size.
    template <std::endian Order, class T>
    [[gnu::always_inline]] bool set(const draft_place& place, const draft_cell& cell, T value, std::string_view name) {
        std::byte* const at = run(place, cell.run);
        if (at == nullptr) {
            return refuse_field(name);
        }
        store<Order>(at + cell.at, value);
        return true;
    }

    /// Writes the part `step`: text or bytes behind a count of type `Count`, which is `most` or less.
    template <std::endian Order, std::unsigned_integral Count, class Bytes>
    [[gnu::always_inline]] bool put_bytes(const draft_place& place, std::size_t step, const Bytes& value, std::string_view name,
                   std::uint64_t most = std::numeric_limits<Count>::max()) {
        if (!at_part(place, step)) {
            return refuse_field(name);
        }
        if (!within(value.size(), 0, most)) {
            return in_field(name);
        }
        std::byte* const to = append(sizeof(Count) + value.size());
        if (to == nullptr) {
            return refuse_field(name);
        }
        write_bytes<Order, Count>(to, value);
        return next_step();
    }

    /// Writes the part `step`: a record's value. `size` and `write` are of the record.
    template <class T>
    [[gnu::always_inline]] bool put_record(const draft_place& place, std::size_t step, const T& value, std::string_view name,
                    bool (&size)(sizer&, const T&), std::byte* (&write)(std::byte*, const T&, const std::byte*)) {
        if (!at_part(place, step)) {
            return refuse_field(name);
        }
        if (!size(*this, value)) {
            return in_field(name);
        }
        std::byte* const to = append_measured();
        if (to == nullptr) {
            return refuse_field(name);
        }
        write(to, value, end());
        return next_step();
    }

    /// Begins the record that is the part `step`.
    template <class Writer>
    [[nodiscard, gnu::always_inline]] Writer put_writer(const draft_place& place, std::size_t step, std::string_view name) {
        if (!at_part(place, step)) {
            refuse_field(name);
        }
        return Writer(*this);
    }

    /// Begins the optional record that is the part `step`, behind a byte that tells that it is there.
    template <class Writer>
    [[nodiscard, gnu::always_inline]] Writer put_optional(const draft_place& place, std::size_t step, std::string_view name) {
        if (!at_part(place, step)) {
            refuse_field(name);
        } else if (std::byte* const at = append(1); at != nullptr) {
            *at = std::byte{1};
        }
        return Writer(*this);
    }

    /// Begins the list of `count` elements that is the part `step`, whose head `write_head` writes.
    template <class Writer, class WriteHead>
    [[nodiscard, gnu::always_inline]] list_draft<Writer> put_list(
        const draft_place& place, std::size_t step, std::uint64_t count, std::string_view name, const draft_head& head,
        WriteHead write_head) {
        if (!at_part(place, step) || !within(count, head.least, head.most)) {
            refuse_field(name);
        }
        if (std::byte* const at = append(head.size); at != nullptr) {
            write_head(at);
        }
        return {*this, enter_list(count)};
    }

    /// The part was written: what follows it begins.
    bool next_step() {
        awaits_record_ = false;
        ++frames_[depth_].step;
        advance();
        return fault_ == nullptr;
    }

    /// A fault in a field; one that was noted before stays the first.
    [[gnu::cold, gnu::noinline]] bool refuse_field(std::string_view name) {
        if (fault_ != nullptr && fault_->path.empty() && fault_->what != code::no_room) {
            note_field(name);
        }
        return false;
    }

private:
    /// A record or a list that was begun. `run` is there until another one begins at the same depth.
    struct frame {
        std::uint32_t number;
        /// Records that this one is within, and itself.
        std::uint32_t records;
        const draft_step* steps;
        std::size_t count;
        std::size_t step;
        std::byte* run;
        std::size_t run_step;
        /// Elements of a list that are to come.
        std::uint64_t left;
        /// How many bytes were written before it.
        std::size_t start;
    };

    static constexpr std::size_t most_frames = 129;

    /// A link: how far from its base what it leads to is.
    template <std::endian Order>
    static void store_distance(std::byte* at, const std::byte* base, const std::byte* to) noexcept {
        store<Order>(at, static_cast<std::uint32_t>(to - base));
    }

    template <std::endian Order, class Count, class Bytes>
    static void write_bytes(std::byte* to, const Bytes& value) noexcept {
        store<Order>(to, static_cast<Count>(value.size()));
        store_bytes(to + sizeof(Count), value);
    }

    [[nodiscard]] bool is_top(const draft_place& place) const noexcept {
        return fault_ == nullptr && depth_ == place.depth && frames_[depth_].number == place.number;
    }

    draft_place push(const draft_step* steps, std::size_t count, std::uint32_t more_records, std::uint64_t left) {
        const std::uint32_t records = frames_[depth_].records + more_records;
        if (depth_ + 1 >= most_frames || records > most_depth_) {
            fail(code::too_deep, detail::deeper);
        }
        if (fault_ != nullptr) {
            return {};
        }
        frames_[++depth_] = {++numbers_, records, steps, count, 0, nullptr, 0, left, next_};
        return {static_cast<std::uint32_t>(depth_), numbers_};
    }

    /// Begins the runs that come next; what is whole ends, and with it the element or part that it was.
    void advance() {
        while (fault_ == nullptr && depth_ > 0) {
            frame& top = frames_[depth_];
            while (top.step < top.count && top.steps[top.step].fill != nullptr) {
                const draft_step& run = top.steps[top.step];
                top.run = append(run.size);
                if (top.run == nullptr) {
                    return;
                }
                run.fill(top.run);
                top.run_step = top.step++;
            }
            if (top.step < top.count || top.left > 0) {
                return;
            }
            frame& owner = frames_[--depth_];
            if (owner.left > 0) {
                // An element of a list ends.
                add_empty(next_ == frames_[depth_ + 1].start ? 1 : 0);
                --owner.left;
            } else {
                ++owner.step;
            }
        }
    }

    std::span<std::byte> room_;
    std::uint32_t most_depth_;
    limits most_;
    std::size_t next_ = 0;
    std::size_t depth_ = 0;
    std::uint32_t numbers_ = 0;
    std::uint64_t owed_ = 0;
    void (*seal_)(std::byte* at, std::uint64_t total) = nullptr;
    refusal* refuse_ = nullptr;
    std::uint64_t longest_ = 0;
    /// A place was found where a record is to begin.
    bool awaits_record_ = false;
    /// The first one is of nothing: what is whole ends there. The others are not looked at before they are begun.
    std::array<frame, most_frames> frames_;
};

/// Writes the elements of a list in place: `next()` gives the writer of each, in order, as many as were said.
template <class Writer>
class list_draft {
public:
    list_draft(draft& to, const draft_place& place) noexcept : draft_(&to), place_(place) {}

    /// The next element.
    [[nodiscard]] Writer next() {
        static_cast<void>(draft_->at_element(place_));
        return Writer(*draft_);
    }

private:
    draft* draft_;
    draft_place place_;
};

/// The same where elements are found by links in a table.
template <class Writer, std::endian Order>
class linked_draft {
public:
    linked_draft(draft& to, const std::byte* base, std::byte* table, std::uint64_t count, std::uint32_t depth) noexcept
        : draft_(&to), base_(base), table_(table), left_(table == nullptr ? 0 : count), depth_(depth) {}

    /// The next element.
    [[nodiscard]] Writer next() {
        if (left_ == 0) {
            draft_->fail(code::bad_value, "the list has all of its elements");
            return Writer(*draft_, depth_);
        }
        Writer element(*draft_, depth_);
        if (start_of(element) != nullptr) {
            draft_->settle(table_);
            store<Order>(table_, static_cast<std::uint32_t>(start_of(element) - base_));
        }
        table_ += 4;
        --left_;
        return element;
    }

private:
    draft* draft_;
    const std::byte* base_;
    std::byte* table_;
    std::uint64_t left_;
    std::uint32_t depth_;
};

}  // namespace aldis
