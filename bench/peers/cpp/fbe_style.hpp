// FBE's account message as the C++ works that FBE's own compiler makes: a model over a growing buffer, in which each field is an object
// with a virtual size and place, looks its offset up at each access, and asks whether it is within the buffer and within its record.
// Own writing in that style, as the generated code and its runtime are in no registry.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "account.hpp"

namespace peer::style {

// The bytes of a message, of which a part is looked at.
class Buffer {
public:
    std::byte* data() { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t offset() const { return offset_; }

    void attach(std::span<const std::byte> bytes) {
        own_.assign(bytes.begin(), bytes.end());
        data_ = own_.data();
        size_ = bytes.size();
        offset_ = 0;
    }

    void reset() { size_ = offset_ = 0; }

    // Room for so many bytes, which are zero; gives where they begin behind the part that is looked at.
    std::size_t allocate(std::size_t more) {
        const std::size_t at = size_;
        if (size_ + more > own_.size()) {
            own_.resize(std::max(size_ + more, 2 * own_.size()));
        }
        data_ = own_.data();
        std::memset(data_ + size_, 0, more);
        size_ += more;
        return at - offset_;
    }

    void shift(std::size_t by) { offset_ += by; }
    void unshift(std::size_t by) { offset_ -= by; }

private:
    std::vector<std::byte> own_;
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t offset_ = 0;
};

// A field at a place.
class Field {
public:
    Field(Buffer& buffer, std::size_t at) : buffer_(buffer), at_(at) {}
    Field(const Field&) = delete;
    Field& operator=(const Field&) = delete;
    virtual ~Field() = default;

    [[nodiscard]] virtual std::size_t size() const = 0;
    [[nodiscard]] virtual bool verify() { return true; }

    [[nodiscard]] std::size_t at() const { return at_; }
    void move(std::size_t by) { at_ += by; }
    void place(std::size_t at) { at_ = at; }

protected:
    [[nodiscard]] bool is_within() const { return buffer_.offset() + at_ + size() <= buffer_.size(); }
    [[nodiscard]] std::byte* here(std::size_t behind = 0) { return buffer_.data() + buffer_.offset() + at_ + behind; }
    [[nodiscard]] std::byte* there(std::size_t offset) { return buffer_.data() + buffer_.offset() + offset; }

    Buffer& buffer_;
    std::size_t at_;
};

template <class T>
class Number final : public Field {
public:
    using Field::Field;
    [[nodiscard]] std::size_t size() const override { return sizeof(T); }

    void get(T& value, T otherwise = T{}) { value = is_within() ? load<T>(here()) : otherwise; }

    void set(T value) {
        if (is_within()) {
            store(here(), value);
        }
    }
};

class Text final : public Field {
public:
    using Field::Field;
    [[nodiscard]] std::size_t size() const override { return 4; }

    [[nodiscard]] bool verify() override {
        if (!is_within()) {
            return true;
        }
        const auto offset = load<std::uint32_t>(here());
        if (offset == 0) {
            return true;
        }
        if (buffer_.offset() + offset + 4 > buffer_.size()) {
            return false;
        }
        return buffer_.offset() + offset + 4 + load<std::uint32_t>(there(offset)) <= buffer_.size();
    }

    void get(std::string& value) {
        value.clear();
        if (!is_within()) {
            return;
        }
        const auto offset = load<std::uint32_t>(here());
        if (offset == 0 || buffer_.offset() + offset + 4 > buffer_.size()) {
            return;
        }
        const auto length = load<std::uint32_t>(there(offset));
        if (buffer_.offset() + offset + 4 + length <= buffer_.size()) {
            value.assign(reinterpret_cast<const char*>(there(offset + 4)), length);
        }
    }

    void set(const std::string& value) {
        if (!is_within()) {
            return;
        }
        const std::size_t offset = buffer_.allocate(4 + value.size());
        store(here(), static_cast<std::uint32_t>(offset));
        store_text(there(offset), value);
    }
};

// A record behind an offset.
template <class T>
class Record : public Field {
public:
    using Field::Field;
    [[nodiscard]] std::size_t size() const override { return 4; }
    [[nodiscard]] virtual std::size_t body() const = 0;
    [[nodiscard]] virtual std::uint32_t type() const = 0;
    [[nodiscard]] virtual bool verify_fields(std::size_t size) = 0;
    virtual void get_fields(T& value, std::size_t size) = 0;
    virtual void set_fields(const T& value) = 0;

    [[nodiscard]] bool verify() override {
        if (!is_within()) {
            return true;
        }
        const auto offset = load<std::uint32_t>(here());
        if (offset == 0 || buffer_.offset() + offset + 8 > buffer_.size()) {
            return false;
        }
        const auto size = load<std::uint32_t>(there(offset));
        if (size < 8 || load<std::uint32_t>(there(offset + 4)) != type()) {
            return false;
        }
        buffer_.shift(offset);
        const bool is_good = verify_fields(size);
        buffer_.unshift(offset);
        return is_good;
    }

    void get(T& value) {
        if (!is_within()) {
            return;
        }
        const auto offset = load<std::uint32_t>(here());
        if (offset == 0 || buffer_.offset() + offset + 8 > buffer_.size() || load<std::uint32_t>(there(offset)) < 8) {
            return;
        }
        buffer_.shift(offset);
        get_fields(value, load<std::uint32_t>(there(0)));
        buffer_.unshift(offset);
    }

    void set(const T& value) {
        if (!is_within()) {
            return;
        }
        const std::size_t offset = buffer_.allocate(body());
        store(here(), static_cast<std::uint32_t>(offset));
        store(there(offset), static_cast<std::uint32_t>(body()));
        store(there(offset + 4), type());
        buffer_.shift(offset);
        set_fields(value);
        buffer_.unshift(offset);
    }
};

// Whether a record of so many bytes has a field behind those that were looked at; those are one more then.
inline bool has(const Field& field, std::size_t& now, std::size_t size) {
    now += field.size();
    return now <= size;
}

inline bool verify_all(std::initializer_list<Field*> fields, std::size_t size) {
    std::size_t now = 8;
    for (Field* field : fields) {
        if (!has(*field, now, size)) {
            return true;
        }
        if (!field->verify()) {
            return false;
        }
    }
    return true;
}

class BalanceField final : public Record<Balance> {
public:
    BalanceField(Buffer& buffer, std::size_t at)
        : Record(buffer, at), currency_(buffer, 8), amount_(buffer, currency_.at() + currency_.size()) {}

    [[nodiscard]] std::size_t body() const override { return 8 + currency_.size() + amount_.size(); }
    [[nodiscard]] std::uint32_t type() const override { return 2; }
    [[nodiscard]] bool verify_fields(std::size_t size) override { return verify_all({&currency_, &amount_}, size); }

    void get_fields(Balance& value, std::size_t size) override {
        std::size_t now = 8;
        has(currency_, now, size) ? currency_.get(value.currency) : value.currency.clear();
        has(amount_, now, size) ? amount_.get(value.amount) : void(value.amount = 0);
    }

    void set_fields(const Balance& value) override {
        currency_.set(value.currency);
        amount_.set(value.amount);
    }

private:
    Text currency_;
    Number<double> amount_;
};

class OptionalBalance final : public Field {
public:
    OptionalBalance(Buffer& buffer, std::size_t at) : Field(buffer, at), value_(buffer, 0) {}
    [[nodiscard]] std::size_t size() const override { return 5; }

    [[nodiscard]] bool verify() override {
        if (!is_within() || !has_value()) {
            return true;
        }
        const auto offset = load<std::uint32_t>(here(1));
        if (offset == 0) {
            return false;
        }
        buffer_.shift(offset);
        const bool is_good = value_.verify();
        buffer_.unshift(offset);
        return is_good;
    }

    void get(std::optional<Balance>& value) {
        value.reset();
        if (!is_within() || !has_value()) {
            return;
        }
        const auto offset = load<std::uint32_t>(here(1));
        if (offset == 0) {
            return;
        }
        buffer_.shift(offset);
        value_.get(value.emplace());
        buffer_.unshift(offset);
    }

    void set(const std::optional<Balance>& value) {
        if (!is_within()) {
            return;
        }
        store(here(), static_cast<std::uint8_t>(value.has_value()));
        if (!value) {
            return;
        }
        const std::size_t offset = buffer_.allocate(value_.size());
        store(here(1), static_cast<std::uint32_t>(offset));
        buffer_.shift(offset);
        value_.set(*value);
        buffer_.unshift(offset);
    }

private:
    bool has_value() { return load<std::uint8_t>(here()) != 0; }

    BalanceField value_;
};

class OrderField final : public Record<Order> {
public:
    OrderField(Buffer& buffer, std::size_t at)
        : Record(buffer, at),
          id_(buffer, 8),
          symbol_(buffer, id_.at() + id_.size()),
          side_(buffer, symbol_.at() + symbol_.size()),
          type_(buffer, side_.at() + side_.size()),
          price_(buffer, type_.at() + type_.size()),
          volume_(buffer, price_.at() + price_.size()) {}

    [[nodiscard]] std::size_t body() const override {
        return 8 + id_.size() + symbol_.size() + side_.size() + type_.size() + price_.size() + volume_.size();
    }
    [[nodiscard]] std::uint32_t type() const override { return 1; }
    [[nodiscard]] bool verify_fields(std::size_t size) override {
        return verify_all({&id_, &symbol_, &side_, &type_, &price_, &volume_}, size);
    }

    void get_fields(Order& value, std::size_t size) override {
        std::size_t now = 8;
        has(id_, now, size) ? id_.get(value.id) : void(value.id = 0);
        has(symbol_, now, size) ? symbol_.get(value.symbol) : value.symbol.clear();
        has(side_, now, size) ? side_.get(value.side) : void(value.side = 0);
        has(type_, now, size) ? type_.get(value.type) : void(value.type = 0);
        has(price_, now, size) ? price_.get(value.price) : void(value.price = 0);
        has(volume_, now, size) ? volume_.get(value.volume) : void(value.volume = 0);
    }

    void set_fields(const Order& value) override {
        id_.set(value.id);
        symbol_.set(value.symbol);
        side_.set(value.side);
        type_.set(value.type);
        price_.set(value.price);
        volume_.set(value.volume);
    }

private:
    Number<std::int32_t> id_;
    Text symbol_;
    Number<std::uint8_t> side_;
    Number<std::uint8_t> type_;
    Number<double> price_;
    Number<double> volume_;
};

class OrdersField final : public Field {
public:
    OrdersField(Buffer& buffer, std::size_t at) : Field(buffer, at), item_(buffer, 0) {}
    [[nodiscard]] std::size_t size() const override { return 4; }

    [[nodiscard]] bool verify() override {
        if (!is_within()) {
            return true;
        }
        const auto offset = load<std::uint32_t>(here());
        if (offset == 0) {
            return true;
        }
        if (buffer_.offset() + offset + 4 > buffer_.size()) {
            return false;
        }
        item_.place(offset + 4);
        for (auto left = load<std::uint32_t>(there(offset)); left > 0; --left) {
            if (!item_.verify()) {
                return false;
            }
            item_.move(item_.size());
        }
        return true;
    }

    void get(std::vector<Order>& values) {
        values.clear();
        if (!is_within()) {
            return;
        }
        const auto offset = load<std::uint32_t>(here());
        if (offset == 0 || buffer_.offset() + offset + 4 > buffer_.size()) {
            return;
        }
        const auto count = load<std::uint32_t>(there(offset));
        values.reserve(count);
        item_.place(offset + 4);
        for (std::uint32_t left = count; left > 0; --left) {
            Order value;
            item_.get(value);
            values.push_back(std::move(value));
            item_.move(item_.size());
        }
    }

    void set(const std::vector<Order>& values) {
        if (!is_within()) {
            return;
        }
        const std::size_t offset = buffer_.allocate(4 + 4 * values.size());
        store(here(), static_cast<std::uint32_t>(offset));
        store(there(offset), static_cast<std::uint32_t>(values.size()));
        item_.place(offset + 4);
        for (const Order& value : values) {
            item_.set(value);
            item_.move(item_.size());
        }
    }

private:
    OrderField item_;
};

class AccountField final : public Record<Account> {
public:
    AccountField(Buffer& buffer, std::size_t at)
        : Record(buffer, at),
          id_(buffer, 8),
          name_(buffer, id_.at() + id_.size()),
          state_(buffer, name_.at() + name_.size()),
          wallet_(buffer, state_.at() + state_.size()),
          asset_(buffer, wallet_.at() + wallet_.size()),
          orders_(buffer, asset_.at() + asset_.size()) {}

    [[nodiscard]] std::size_t body() const override {
        return 8 + id_.size() + name_.size() + state_.size() + wallet_.size() + asset_.size() + orders_.size();
    }
    [[nodiscard]] std::uint32_t type() const override { return 3; }
    [[nodiscard]] bool verify_fields(std::size_t size) override {
        return verify_all({&id_, &name_, &state_, &wallet_, &asset_, &orders_}, size);
    }

    void get_fields(Account& value, std::size_t size) override {
        std::size_t now = 8;
        has(id_, now, size) ? id_.get(value.id) : void(value.id = 0);
        has(name_, now, size) ? name_.get(value.name) : value.name.clear();
        has(state_, now, size) ? state_.get(value.state) : void(value.state = 0);
        has(wallet_, now, size) ? wallet_.get(value.wallet) : void(value.wallet = Balance{});
        has(asset_, now, size) ? asset_.get(value.asset) : value.asset.reset();
        has(orders_, now, size) ? orders_.get(value.orders) : value.orders.clear();
    }

    void set_fields(const Account& value) override {
        id_.set(value.id);
        name_.set(value.name);
        state_.set(value.state);
        wallet_.set(value.wallet);
        asset_.set(value.asset);
        orders_.set(value.orders);
    }

private:
    Number<std::int32_t> id_;
    Text name_;
    Number<std::uint8_t> state_;
    BalanceField wallet_;
    OptionalBalance asset_;
    OrdersField orders_;
};

// A model with its buffer, which are made once and used again.
class Model {
public:
    // Copies a message, to be looked at from then on.
    void attach(std::span<const std::byte> message) { buffer_.attach(message); }

    std::size_t serialize(const Account& value) {
        buffer_.reset();
        buffer_.allocate(8);
        account_.set(value);
        store(buffer_.data(), static_cast<std::uint32_t>(buffer_.size()));
        return buffer_.size();
    }

    [[nodiscard]] bool verify() {
        return buffer_.size() >= 8 && load<std::uint32_t>(buffer_.data()) >= 8 && account_.verify();
    }

    void deserialize(Account& value) { account_.get(value); }

    [[nodiscard]] std::span<const std::byte> bytes() { return {buffer_.data(), buffer_.size()}; }

private:
    Buffer buffer_;
    AccountField account_{buffer_, 4};
};

}  // namespace peer::style
