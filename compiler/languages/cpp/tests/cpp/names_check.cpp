// Every name of the schema in its place.
#include "class_json.hpp"
#include "class_view.hpp"
#include "class_writer.hpp"

int main() {
    class_::encode_ value;
    value.std.union_ = class_::union_::new_;
    value.decode.emplace_back();
    aldis::buffer out;
    return class_::encode(value, out) && class_::to_json(value) ? 0 : 1;
}
