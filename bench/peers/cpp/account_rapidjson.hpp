// The account message as JSON by RapidJSON: a document in memory that is used again, its members by their names; numbers with all
// their digits, texts checked to be UTF-8, as generated code does both.
#pragma once

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <memory>

#include "account.hpp"

namespace peer::rapid {

using Writer = rapidjson::Writer<rapidjson::StringBuffer, rapidjson::UTF8<>, rapidjson::UTF8<>, rapidjson::CrtAllocator,
                                 rapidjson::kWriteValidateEncodingFlag>;

inline void put_text(Writer& out, const char* key, const std::string& text) {
    out.Key(key);
    out.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

inline void put_double(Writer& out, const char* key, double value) {
    out.Key(key);
    out.Double(value);
}

inline void put_balance(Writer& out, const char* key, const Balance& value) {
    out.Key(key);
    out.StartObject();
    put_text(out, "currency", value.currency);
    put_double(out, "amount", value.amount);
    out.EndObject();
}

// Writes into the buffer from its beginning on; false for what JSON cannot say.
inline bool write(rapidjson::StringBuffer& buffer, const Account& value) {
    buffer.Clear();
    Writer out(buffer);
    out.StartObject();
    out.Key("id");
    out.Int(value.id);
    put_text(out, "name", value.name);
    out.Key("state");
    out.Uint(value.state);
    put_balance(out, "wallet", value.wallet);
    if (value.asset) {
        put_balance(out, "asset", *value.asset);
    } else {
        out.Key("asset");
        out.Null();
    }
    out.Key("orders");
    out.StartArray();
    for (const Order& order : value.orders) {
        out.StartObject();
        out.Key("id");
        out.Int(order.id);
        put_text(out, "symbol", order.symbol);
        out.Key("side");
        out.Uint(order.side);
        out.Key("type");
        out.Uint(order.type);
        put_double(out, "price", order.price);
        put_double(out, "volume", order.volume);
        out.EndObject();
    }
    out.EndArray();
    return out.EndObject() && out.IsComplete();
}

using Memory = rapidjson::MemoryPoolAllocator<>;
using Document = rapidjson::GenericDocument<rapidjson::UTF8<>, Memory, Memory>;
using Value = Document::ValueType;

inline bool read(const Value& object, const char* key, std::int32_t& value) {
    const auto member = object.FindMember(key);
    if (member == object.MemberEnd() || !member->value.IsInt()) {
        return false;
    }
    value = member->value.GetInt();
    return true;
}

inline bool read(const Value& object, const char* key, std::uint8_t& value) {
    const auto member = object.FindMember(key);
    if (member == object.MemberEnd() || !member->value.IsUint() || member->value.GetUint() > 255) {
        return false;
    }
    value = static_cast<std::uint8_t>(member->value.GetUint());
    return true;
}

inline bool read(const Value& object, const char* key, double& value) {
    const auto member = object.FindMember(key);
    if (member == object.MemberEnd() || !member->value.IsNumber()) {
        return false;
    }
    value = member->value.GetDouble();
    return true;
}

inline bool read(const Value& object, const char* key, std::string& value) {
    const auto member = object.FindMember(key);
    if (member == object.MemberEnd() || !member->value.IsString()) {
        return false;
    }
    value.assign(member->value.GetString(), member->value.GetStringLength());
    return true;
}

inline bool read_balance(const Value& from, Balance& value) {
    return from.IsObject() && read(from, "currency", value.currency) && read(from, "amount", value.amount);
}

// A reader whose memory is used again.
class Reader {
public:
    bool read_account(std::string_view text, Account& value) {
        values_.Clear();
        stack_.Clear();
        Document document(&values_, 1024, &stack_);
        document.Parse<rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
        if (document.HasParseError() || !document.IsObject()) {
            return false;
        }
        const Value& object = document;
        const auto wallet = object.FindMember("wallet");
        const auto asset = object.FindMember("asset");
        const auto orders = object.FindMember("orders");
        if (wallet == object.MemberEnd() || asset == object.MemberEnd() || orders == object.MemberEnd() ||
            !read(object, "id", value.id) || !read(object, "name", value.name) || !read(object, "state", value.state) ||
            !read_balance(wallet->value, value.wallet) || !orders->value.IsArray()) {
            return false;
        }
        if (asset->value.IsNull()) {
            value.asset.reset();
        } else if (!read_balance(asset->value, value.asset ? *value.asset : value.asset.emplace())) {
            return false;
        }
        value.orders.resize(orders->value.Size());
        std::size_t index = 0;
        for (const Value& from : orders->value.GetArray()) {
            Order& order = value.orders[index++];
            if (!from.IsObject() || !read(from, "id", order.id) || !read(from, "symbol", order.symbol) ||
                !read(from, "side", order.side) || !read(from, "type", order.type) || !read(from, "price", order.price) ||
                !read(from, "volume", order.volume)) {
                return false;
            }
        }
        return true;
    }

private:
    static constexpr std::size_t size = 64 * 1024;
    std::unique_ptr<char[]> values_memory_ = std::make_unique<char[]>(size);
    std::unique_ptr<char[]> stack_memory_ = std::make_unique<char[]>(size);
    Memory values_{values_memory_.get(), size};
    Memory stack_{stack_memory_.get(), size};
};

}  // namespace peer::rapid
