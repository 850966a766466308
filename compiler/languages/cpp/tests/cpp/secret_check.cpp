// The words of faults about fields that are not shown: where they are, and nothing of their values.
#include <cstdio>

#include "secret_json.hpp"

int main() {
    int failures = 0;
    const auto said = [&failures](std::string_view json, std::string_view wanted) {
        secret::Card card;
        const auto read = secret::from_json(json, card);
        if (read || to_string(read.error()) != wanted) {
            std::fprintf(stderr, "%s\n", to_string(read.error()).c_str());
            ++failures;
        }
    };
    said(R"({"id":4711471147})", "out-of-range at byte 6 in id: 4711471147 is not a whole number from -2147483648 to 2147483647");
    said(R"({"pin":4711})", "out-of-range at byte 7 in pin");
    said(R"({"colour":"blue"})", "bad-json at byte 10 in colour");
    return failures;
}
