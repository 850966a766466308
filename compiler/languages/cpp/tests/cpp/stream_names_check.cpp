// Every name of the schema in its place, and all of them through a stream.
#include "stream_stream.hpp"
#include "stream_check.hpp"

int main() {
    stream::sender out;
    stream::sender_final out_final;
    expect(out.send(stream::messages_()).ok() && out.send(stream::framing_()).ok(), "a message is not sent");
    expect(out_final.send(stream::correlation_id_()).ok() && out_final.send(stream::requests_()).ok(), "none is sent");
    int seen = 0;
    stream::receiver in;
    stream::receiver_final in_final;
    const auto count = [&](const auto&) { ++seen; };
    expect(in.feed(out.bytes(), count).ok() && in_final.feed(out_final.bytes(), count).ok() && seen == 4, "some are lost");
    stream::requests waiting;
    expect(waiting.send(out, stream::requests_(), {}, count).ok() && waiting.answer(stream::answers_of_()) && seen == 5,
           "a request is not answered");
    return failures == 0 ? 0 : 1;
}
