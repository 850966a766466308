// The messages that a producer has sent and that are not yet acked: kept to be sent again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "bytes.hpp"
#include "entries.hpp"
#include "frame.hpp"

namespace aldis::transport {

// Entries in the order of their sequences. Shared, so that what is being written outlives its ack.
struct entry_chunk {
    byte_vector entries;
    std::uint32_t count = 0;
};

// The entries of one BATCH.
struct outgoing_batch {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
    bytes_view entries;
    std::shared_ptr<const entry_chunk> keeps;
};

// Sequences here count from 1 over all that was ever appended. Invariant: acked < next <= appended + 1, and `next` is
// the sequence at `next_place_`. Not for several threads at once.
class message_outbox {
public:
    // A chunk is closed when it has `batch_bytes` of entries.
    explicit message_outbox(std::size_t batch_bytes) : batch_bytes_(batch_bytes), open_(std::make_shared<entry_chunk>()) {}
    message_outbox(const message_outbox&) = delete;
    message_outbox& operator=(const message_outbox&) = delete;

    // The messages before the first one are acked already: begins at `last + 1`. Only while empty.
    void begin_after(std::uint64_t last) { acked_ = appended_ = last, next_ = last + 1; }

    // Takes a message and gives its sequence.
    std::uint64_t append(bytes_view message) {
        byte_vector& to = open_->entries;
        std::byte head[entry_head];
        store(head, static_cast<std::uint32_t>(message.size()));
        to.insert(to.end(), head, head + entry_head);
        to.insert(to.end(), message.begin(), message.end());
        ++open_->count;
        kept_bytes_ += entry_head + message.size();
        ++appended_;
        if (to.size() >= batch_bytes_) {
            close_chunk();
        }
        return appended_;
    }

    // Takes entries behind those of the open chunk, which are as good as appended one by one.
    void append_open(bytes_view entries, std::uint32_t count) {
        open_->entries.insert(open_->entries.end(), entries.begin(), entries.end());
        open_->count += count;
        kept_bytes_ += entries.size();
        appended_ += count;
    }

    // Takes messages that are entries already, behind those before, and gives the sequence of the last; the vector gets a buffer that is
    // not needed any more, or none.
    std::uint64_t append_entries(byte_vector& entries, std::uint32_t count) {
        close_chunk();
        open_->entries.swap(entries);
        open_->count = count;
        kept_bytes_ += open_->entries.size();
        appended_ += count;
        close_chunk();
        return appended_;
    }

    // Closes the chunk that is being filled, so that `next` gives it.
    void close_chunk() {
        if (open_->count == 0) {
            return;
        }
        chunks_.push_back(std::move(open_));
        most_kept_ = std::max(most_kept_, kept_bytes_);
        if (reuse_.empty()) {
            open_ = std::make_shared<entry_chunk>();
        } else {
            open_ = std::move(reuse_.back());
            reuse_.pop_back();
            spare_bytes_ -= open_->entries.capacity();
        }
    }

    // Whether `next` has something to give, credit allowing.
    bool has_next() const { return next_place_.chunk < chunks_.size(); }
    // Whether messages wait in a chunk that is not closed.
    bool has_open() const { return open_->count > 0; }
    // Bytes of entries until the open chunk is full.
    std::size_t open_room() const { return batch_bytes_ - std::min(batch_bytes_, open_->entries.size()); }

    // The next entries to send: of one chunk, as many as the credit and a frame's size allow; none when not even one.
    std::optional<outgoing_batch> next(const credit_window& credit, std::size_t frame_entries) {
        if (!has_next()) {
            return std::nullopt;
        }
        const std::shared_ptr<entry_chunk>& chunk = chunks_[next_place_.chunk];
        const std::uint64_t outstanding = next_ - acked_ - 1;
        const std::size_t room_messages = credit.messages > outstanding ? credit.messages - outstanding : 0;
        const std::size_t room_bytes = credit.bytes > sent_bytes_ ? credit.bytes - sent_bytes_ : 0;
        position end{next_place_.chunk, chunk->entries.size(), chunk->count};
        if (end.count - next_place_.count > room_messages ||
            end.offset - next_place_.offset > std::min(room_bytes, frame_entries)) {
            end = fitting_end(*chunk, room_messages, std::min(room_bytes, frame_entries));
        }
        // A single entry may always be sent when nothing is outstanding.
        if (end.count == next_place_.count && outstanding == 0) {
            end = after_entry(*chunk, next_place_);
        }
        if (end.count == next_place_.count) {
            return std::nullopt;
        }
        const outgoing_batch outgoing{
            next_, end.count - next_place_.count,
            bytes_view(chunk->entries).subspan(next_place_.offset, end.offset - next_place_.offset), chunk};
        sent_bytes_ += outgoing.entries.size();
        next_ += outgoing.count;
        next_place_ = end;
        if (end.count == chunk->count) {
            next_place_ = {end.chunk + 1, 0, 0};
        }
        return outgoing;
    }

    // Forgets all up to `sequence`, which must have been sent or be in closed chunks; less than before does nothing.
    void ack(std::uint64_t sequence) {
        if (sequence <= acked_) {
            return;
        }
        std::uint64_t left = sequence - acked_;
        while (left > 0 && !chunks_.empty() && chunks_.front()->count - acked_place_.count <= left) {
            left -= chunks_.front()->count - acked_place_.count;
            forget(chunks_.front()->entries.size() - acked_place_.offset);
            drop_front();
        }
        for (; left > 0 && !chunks_.empty(); --left) {
            const position after = after_entry(*chunks_.front(), acked_place_);
            forget(after.offset - acked_place_.offset);
            acked_place_ = after;
        }
        acked_ = sequence;
        if (next_ <= acked_) {
            next_ = acked_ + 1;
            next_place_ = acked_place_;
            sent_bytes_ = 0;
        }
    }

    // Sends again from `sequence` on, or from what is not acked.
    void rewind(std::uint64_t sequence) {
        if (sequence >= next_) {
            return;
        }
        next_ = acked_ + 1;
        next_place_ = acked_place_;
        sent_bytes_ = 0;
        while (next_ < sequence) {
            const entry_chunk& chunk = *chunks_[next_place_.chunk];
            const position after = after_entry(chunk, next_place_);
            sent_bytes_ += after.offset - next_place_.offset;
            next_place_ = after.count == chunk.count ? position{after.chunk + 1, 0, 0} : after;
            ++next_;
        }
    }

    // Lets go of the memory of messages that are acked, which is kept for those to come.
    void give_back() {
        reuse_ = {};
        spare_bytes_ = 0;
        most_kept_ = kept_bytes_;
    }
    // The bytes of such memory.
    std::size_t spare_bytes() const { return spare_bytes_; }

    std::uint64_t appended() const { return appended_; }
    std::uint64_t acked() const { return acked_; }
    // The last sequence that `next` has given since the last rewind.
    std::uint64_t sent() const { return next_ - 1; }
    // Bytes of entries that are kept, sizes included.
    std::size_t kept_bytes() const { return kept_bytes_; }

private:
    // Before the entry number `count` of the chunk with that index, which begins at `offset`.
    struct position {
        std::size_t chunk = 0;
        std::size_t offset = 0;
        std::uint32_t count = 0;
    };

    static position after_entry(const entry_chunk& chunk, position place) {
        place.offset += entry_head + load<std::uint32_t>(chunk.entries.data() + place.offset);
        ++place.count;
        return place;
    }

    position fitting_end(const entry_chunk& chunk, std::size_t messages, std::size_t bytes) const {
        position end = next_place_;
        while (end.count < chunk.count && end.count - next_place_.count < messages) {
            const position after = after_entry(chunk, end);
            if (after.offset - next_place_.offset > bytes) {
                break;
            }
            end = after;
        }
        return end;
    }

    void forget(std::size_t bytes) {
        kept_bytes_ -= bytes;
        sent_bytes_ -= std::min(sent_bytes_, bytes);
    }

    void drop_front() {
        std::shared_ptr<entry_chunk> done = std::move(chunks_.front());
        chunks_.pop_front();
        acked_place_ = {};
        next_place_ =
            next_place_.chunk > 0 ? position{next_place_.chunk - 1, next_place_.offset, next_place_.count} : position{};
        // Memory that the system has given already is worth more than new one, whose pages come one by one when they are written; nobody
        // else may still read it.
        const std::size_t size = done->entries.capacity();
        if (done.use_count() == 1 && spare_bytes_ + size <= most_kept_ + reused_batches * batch_bytes_) {
            done->entries.clear();
            done->count = 0;
            spare_bytes_ += size;
            reuse_.push_back(std::move(done));
        }
    }

    // So many of a batch's size may always be kept.
    static constexpr std::size_t reused_batches = 16;

    std::size_t batch_bytes_;
    std::deque<std::shared_ptr<entry_chunk>> chunks_;
    std::shared_ptr<entry_chunk> open_;
    // Buffers whose messages are acked, with the sum of their sizes, and the most bytes of messages that there were at once: so much may
    // be kept for those to come, until `give_back`.
    std::vector<std::shared_ptr<entry_chunk>> reuse_;
    std::size_t spare_bytes_ = 0;
    std::size_t most_kept_ = 0;
    std::uint64_t appended_ = 0;
    std::uint64_t acked_ = 0;
    std::uint64_t next_ = 1;
    position acked_place_;
    position next_place_;
    std::size_t kept_bytes_ = 0;
    std::size_t sent_bytes_ = 0;
};

}  // namespace aldis::transport
