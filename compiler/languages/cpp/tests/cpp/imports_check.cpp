// Types of schemas that others import: one type whoever uses it, its values exchanged, its functions those of all.
#include <cstdio>
#include <cstdlib>

#include "also_json.hpp"
#include "also_view.hpp"
#include "left_json.hpp"
#include "left_view.hpp"
#include "left_writer.hpp"
#include "one_json.hpp"
#include "one_stream.hpp"
#include "one_view.hpp"
#include "one_writer.hpp"
#include "right_stream.hpp"
#include "right_view.hpp"
#include "two_json.hpp"
#include "two_stream.hpp"
#include "two_view.hpp"
#include "two_writer.hpp"
#include "uses_json.hpp"
#include "uses_view.hpp"
#include "uses_writer.hpp"

namespace {

void check(bool right, int line) {
    if (!right) {
        std::fprintf(stderr, "line %d\n", line);
        std::exit(1);
    }
}
#define CHECK(condition) check(static_cast<bool>(condition), __LINE__)

void values_of_plain_messages_are_exchanged() {
    two::Fill fill;
    fill.level.price = 7;
    fill.level.note = "note";
    fill.order.best = fill.level;
    one::Order order;
    order.level = fill.level;
    order.many.assign(3, fill.level);
    order.keys.insert(fill.level);
    order.by_level[fill.level] = 4;
    order.inner = fill.order;
    aldis::buffer out;
    const auto bytes = one::encode(order, out);
    CHECK(bytes && *one::decode<one::Order>(*bytes) == order);
    const auto view = one::verify<one::Order>(*bytes);
    CHECK(view && view->many()[1].note() == "note" && view->inner().best().price() == 7);
    one::Order same;
    CHECK(one::from_json(*one::to_json(order), same) && same == order);

    // The functions of an imported schema are functions of those that import it.
    aldis::buffer one_way;
    aldis::buffer other_way;
    CHECK(one::encode(fill.order, one_way) && two::encode(fill.order, other_way));
    one::common_Order again;
    CHECK(two::decode(one_way.bytes(), again) && again == fill.order && common::verify<common::Order>(other_way.bytes()));
}

void depth_counts_through_imports() {
    one::Tree tree;
    one::Tree* last = &tree;
    for (int depth = 1; depth < 62; ++depth) {
        last = &last->kids.emplace_back();
    }
    aldis::buffer out;
    const auto bytes = one::encode(tree, out);
    CHECK(bytes && one::decode<one::Tree>(*bytes));
    last->leaf.other.emplace();
    CHECK(one::encode(tree, out));
    // A level more, and the records of the other schema within it are the ones that are too deep.
    last->kids.emplace_back();
    const auto refused = one::encode(tree, out);
    CHECK(!refused && refused.error().what == aldis::code::too_deep);
}

void values_of_segments_are_exchanged() {
    also::Quote quote;
    quote.bid.emplace().price = 3;
    quote.bid->note.text = "text";
    uses::Level level;
    level.inner = quote.bid;
    level.many.emplace().push_back(*quote.bid);
    level.box.emplace().value.emplace().side = base::Side::sell;
    level.other.emplace().value = quote.bid;
    aldis::buffer out;
    const auto bytes = uses::encode_packed(level, out);
    CHECK(bytes && *uses::decode_packed<uses::Level>(*bytes) == level);
    uses::Level same;
    CHECK(uses::from_json(*uses::to_json(level), same) && same == level);
}

void circles_hold() {
    left::Node node;
    node.others.emplace().emplace_back().back.emplace().v = 5;
    node.leaf.emplace().plain.emplace().name = "name";
    node.pick.set<left::Node_pick::tag::far_>(right::Node{});
    aldis::buffer out;
    const auto bytes = right::encode(node, out);
    CHECK(bytes && *left::decode<left::Node>(*bytes) == node);
    const auto view = left::verify<left::Node>(*bytes);
    CHECK(view && view->leaf()->plain()->name() == "name" && view->others()[0].back()->v() == 5);
}

void flags_are_combined_in_place() {
    auto marks = common::Marks::none;
    marks |= common::Marks::a;
    marks ^= common::Marks::a | common::Marks::b;
    CHECK(marks == common::Marks::b && (marks ^ common::Marks::b) == common::Marks::none);
    marks &= common::Marks::a;
    CHECK(marks == common::Marks::none);
}

}  // namespace

int main() {
    flags_are_combined_in_place();
    values_of_plain_messages_are_exchanged();
    depth_counts_through_imports();
    values_of_segments_are_exchanged();
    circles_hold();
}
