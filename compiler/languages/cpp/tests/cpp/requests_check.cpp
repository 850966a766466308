// Requests and their answers. The first argument is the folder of golden messages.
#include <random>

#include "extra_stream.hpp"
#include "stream_check.hpp"

namespace {

using namespace std::chrono_literals;

constexpr aldis::time_point start{};

/// The answers that a request got.
struct outcome {
    std::string ok;
    std::string refused;
    std::string none;

    auto handler() {
        return aldis::overloaded{
            [this](const extra::RespOk& answer) { ok += std::to_string(answer.code) + " "; },
            [this](const extra::RespErr& answer) { refused += answer.why + " "; },
            [this](aldis::unanswered why) { none += why == aldis::unanswered::late ? "late " : "given up "; },
        };
    }
};

extra::Req request(std::uint8_t number) {
    extra::Req made;
    made.id.octets[15] = number;
    made.what = "what " + std::to_string(number);
    return made;
}

template <class Answer>
Answer answer_to(const extra::Req& request) {
    Answer made;
    made.id = request.id;
    return made;
}

/// A client and a server with a stream each way, as FBE's own client and sender write them.
void golden(const std::vector<std::byte>& stream) {
    extra::requests waiting;
    extra::sender out;
    outcome seen;
    std::string notices;
    std::size_t strays = 0;
    extra::receiver in;
    const auto fed = in.feed(stream, aldis::overloaded{
        [&](const extra::Req& request) {
            expect(waiting.send(out, request, start + 1s, seen.handler()).ok(), "a request is not sent");
        },
        [&](const extra::RespOk& answer) { strays += !waiting.answer(answer); },
        [&](const extra::RespErr& answer) { strays += !waiting.answer(answer); },
        [&](const extra::Notice& notice) { notices += notice.text; },
    });
    expect(fed.ok() && notices == "hey", "the stream is read otherwise");
    expect(seen.ok == "200 " && seen.refused.empty() && strays == 1 && waiting.size() == 0, "answers go elsewhere");
    expect(same(out.bytes(), aldis::bytes_view(stream).first(out.bytes().size())), "the request is written otherwise");
}

void answers() {
    extra::requests waiting;
    extra::sender_final out;
    outcome seen[4];
    for (std::uint8_t number = 0; number < 4; ++number) {
        expect(waiting.send(out, request(number), start + std::chrono::seconds(9 - number), seen[number].handler()).ok(),
               "a request is not sent");
    }
    const std::size_t sent = out.bytes().size();
    const auto twice = waiting.send(out, request(2), start + 1s, seen[2].handler());
    expect(!twice && twice.error().what == aldis::stream_code::duplicate_request && out.bytes().size() == sent,
           "two requests with one id wait");
    auto no = answer_to<extra::RespErr>(request(2));
    no.why = "no";
    expect(waiting.answer(no) && seen[2].refused == "no ", "a reject is not told");
    expect(!waiting.answer(answer_to<extra::RespOk>(request(2))) && seen[2].ok.empty(), "a second answer is told");
    expect(waiting.answer(answer_to<extra::RespOk>(request(0))) && seen[0].ok == "0 ", "an answer is not told");
    expect(waiting.earliest() == start + 6s && waiting.expire(start + 6s - 1ns) == 0, "a request is late too early");
    expect(waiting.expire(start + 7s) == 1 && seen[3].none == "late ", "a request is not late");
    expect(!waiting.answer(answer_to<extra::RespOk>(request(3))), "an answer that is late is told");
    expect(waiting.give_up() == 1 && seen[1].none == "given up " && waiting.size() == 0, "a request goes on waiting");
    expect(waiting.earliest() == aldis::time_point::max(), "something is waited for");
}

/// A handler sends the next request, with the id of the one that it is told of.
void requests_from_handlers() {
    extra::requests waiting;
    extra::sender out;
    int told = 0;
    const auto again = [&](const auto&) {
        ++told;
        expect(waiting.send(out, request(1), start + 5s, [&](const auto&) { ++told; }).ok(), "the next one is not sent");
    };
    expect(waiting.send(out, request(1), start + 5s, again).ok(), "a request is not sent");
    expect(waiting.expire(start + 5s) == 1 && waiting.size() == 1, "the next one does not wait");
    expect(waiting.answer(answer_to<extra::RespOk>(request(1))) && told == 2 && waiting.size() == 0, "it is not answered");
}

void ids() {
    std::mt19937 random(5);
    const aldis::uuid first = aldis::random_uuid(random);
    expect(first != aldis::random_uuid(random), "two ids are the same");
    const std::string text = to_string(first);
    expect(text[14] == '4' && std::string("89ab").find(text[19]) != std::string::npos, "an id is no random UUID");
}

}  // namespace

int main(int, char** arguments) {
    golden(file(std::string(arguments[1]) + "/stream_extra_requests.stream.bin"));
    answers();
    requests_from_handlers();
    ids();
    return failures == 0 ? 0 : 1;
}
