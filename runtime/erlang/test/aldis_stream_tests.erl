-module(aldis_stream_tests).

-include_lib("eunit/include/eunit.hrl").
-include("properties.hrl").

-define(FRAMINGS, [u16le, u16be, u32le, u32be, sofh]).
-define(ALL_FRAMINGS, [fbe, capnp, capnp_packed, {length, 2, 16, big, 4} | ?FRAMINGS]).

empty_frames_test_() ->
    [?_assertMatch({ok, [<<>>], _}, aldis_stream:feed(framed(Framing, <<>>), aldis_stream:new(Framing)))
        || Framing <- ?FRAMINGS].

rest_is_kept_test() ->
    {ok, [<<"ab">>], R} = aldis_stream:feed(<<2:16, "ab", 3:16, "c">>, aldis_stream:new(u16be)),
    ?assertEqual(<<3:16, "c">>, aldis_stream:rest(R)),
    ?assertMatch({ok, [<<"cde">>], _}, aldis_stream:feed(<<"de">>, R)).

own_length_test() ->
    Message = <<12:32/little, "abcdefgh">>,
    Framing = {length, 0, 32, little, 8},
    ?assertMatch({ok, [Message, Message], _}, aldis_stream:feed(<<Message/binary, Message/binary>>, aldis_stream:new(Framing))),
    ?assertEqual({ok, Message}, aldis_stream:frame(fbe, Message)).

broken_frames_test() ->
    ?assertEqual({error, {frame_too_large, 104, 100}, []}, aldis_stream:feed(<<100:32>>, aldis_stream:new(u32be, 100))),
    ?assertMatch({error, {frame_too_small, 5, 6}, []}, aldis_stream:feed(<<5:32, 0:16>>, aldis_stream:new(sofh))),
    Good = <<8:32/little, "good">>,
    ?assertMatch({error, {frame_too_small, 7, 8}, [Good]},
        aldis_stream:feed(<<Good/binary, 7:32/little, 0:64>>, aldis_stream:new(fbe))),
    ?assertMatch({error, {frame_too_large, 65536, 65535}}, aldis_stream:frame(u16le, <<0:65536/unit:8>>)).

%% A length that does not count itself would never move on.
length_below_itself_test() ->
    [?assertMatch({error, {frame_too_small, 0, 6}, []},
        aldis_stream:feed(<<0:64>>, aldis_stream:new({length, 4, 16, Order, 0}))) || Order <- [little, big]].

not_a_framing_test_() ->
    Bad = [none, {length, -1, 16, big, 4}, {length, 0, 24, big, 4}, {length, 0, 16, middle, 4}, {length, 0, 16, big, x}, {}, 7],
    [?_assertError(badarg, aldis_stream:new(Framing)) || Framing <- Bad] ++ [?_assertError(badarg, aldis_stream:new(fbe, 0))].

segments_test() ->
    One = <<0:32, 2:32/little, 1:64, 2:64>>,
    Three = <<2:32/little, 1:32/little, 0:32, 2:32/little, 0:192>>,
    Stream = <<One/binary, Three/binary, One/binary>>,
    [?assertEqual([One, Three, One], received(chunks(Stream, lists:duplicate(90, Cut)), aldis_stream:new(capnp)))
        || Cut <- [1, 3, 8, 20]],
    ?assertEqual({error, {too_many_segments, 512, 511}, [One]},
        aldis_stream:feed(<<One/binary, 511:32/little, 0:32>>, aldis_stream:new(capnp))),
    ?assertEqual({error, {frame_too_large, 88, 80}, []}, aldis_stream:feed(<<0:32, 10:32/little>>, aldis_stream:new(capnp, 80))),
    %% A table alone can be too large.
    ?assertEqual({error, {frame_too_large, 80, 64}, []}, aldis_stream:feed(<<17:32/little>>, aldis_stream:new(capnp, 64))),
    ?assertEqual({ok, One}, aldis_stream:frame(capnp, One)).

packed_test() ->
    Messages = packed_messages(),
    Stream = iolist_to_binary(Messages),
    [?assertEqual(Messages, received(chunks(Stream, lists:duplicate(byte_size(Stream), Cut)), aldis_stream:new(capnp_packed)))
        || Cut <- [1, 2, 3, 7, 64]],
    [?assertEqual({At, Messages}, {At, received(cut(Stream, At), aldis_stream:new(capnp_packed))})
        || At <- lists:seq(0, byte_size(Stream))],
    %% The receiver keeps the bytes as they came.
    {ok, [], Receiver} = aldis_stream:feed(<<16, 4, 1>>, aldis_stream:new(capnp_packed)),
    ?assertEqual(<<16, 4, 1>>, aldis_stream:rest(Receiver)).

%% Empty, short, of several segments, with runs of both kinds as long as runs get.
packed_messages() ->
    Dense = binary:copy(<<7>>, 8 * 300),
    [<<(aldis_packing:pack(table(Segments)))/binary, (aldis_packing:pack(iolist_to_binary(Segments)))/binary>>
        || Segments <- [[<<>>], [<<1:64>>], [<<0:(600 * 64)>>], [<<5:64/little>>, <<>>, Dense, <<1, 0:56, 3:64>>], [Dense]]].

table(Segments) ->
    Sizes = << <<(byte_size(Segment) div 8):32/little>> || Segment <- Segments >>,
    <<(length(Segments) - 1):32/little, Sizes/binary, 0:(32 * (1 - length(Segments) rem 2))>>.

cut(Stream, At) ->
    <<Before:At/binary, Behind/binary>> = Stream,
    [Before, Behind].

broken_packing_test() ->
    Good = <<16, 1, 1, 5>>,
    Fault = fun(Bytes) ->
        Whole = aldis_stream:feed(<<Good/binary, Bytes/binary>>, aldis_stream:new(capnp_packed, 64)),
        %% Cut, it is found all the same.
        ?assertEqual(Whole, byte_by_byte(<<Good/binary, Bytes/binary>>, aldis_stream:new(capnp_packed, 64), [])),
        {error, Reason, [Good]} = Whole,
        Reason
    end,
    %% Runs of both kinds that go beyond the message, and one beyond the table.
    ?assertEqual({bad_packing, bad_value}, Fault(<<16, 1, 0, 1>>)),
    ?assertEqual({bad_packing, bad_value}, Fault(<<16, 1, 255, 1:64, 1>>)),
    ?assertEqual({bad_packing, bad_value}, Fault(<<0, 1>>)),
    ?assertEqual({bad_packing, bad_count}, Fault(<<16#0F, 255, 255, 255, 255>>)),
    ?assertEqual({frame_too_large, 72, 64}, Fault(<<16, 8>>)).

byte_by_byte(<<Byte:1/binary, Rest/binary>>, Receiver, Acc) ->
    case aldis_stream:feed(Byte, Receiver) of
        {ok, Messages, Next} -> byte_by_byte(Rest, Next, Acc ++ Messages);
        {error, Reason, Messages} -> {error, Reason, Acc ++ Messages}
    end.

records_test() ->
    Decode = fun
        (<<Number:16, Rest/binary>>) -> {ok, Number, Rest};
        (Short) -> {error, {truncated, byte_size(Short), <<>>}}
    end,
    Encode = fun(Number) when is_integer(Number) -> {ok, <<Number:16>>}; (_) -> {error, {bad_value, '-', <<>>}} end,
    {ok, First} = aldis_stream:send(Encode, 7, u16be),
    {ok, Second} = aldis_stream:send(Encode, 8, u16be),
    Both = iolist_to_binary([First, Second]),
    {ok, [7], Receiver} = aldis_stream:records(Decode, binary:part(Both, 0, 5), aldis_stream:new(u16be)),
    ?assertMatch({ok, [8], _}, aldis_stream:records(Decode, binary:part(Both, 5, 3), Receiver)),
    ?assertEqual({error, {truncated, 1, <<>>}, [7, 8]},
        aldis_stream:records(Decode, <<Both/binary, 1:16, 0>>, aldis_stream:new(u16be))),
    ?assertEqual({error, {frame_too_large, 1002, 100}, [7]},
        aldis_stream:records(Decode, <<2:16, 7:16, 1000:16>>, aldis_stream:new(u16be, 100))),
    ?assertEqual({error, {bad_value, '-', <<>>}}, aldis_stream:send(Encode, seven, u16be)).

%% Messages with ids that a schema does not know; the number is the id.
unknown_messages_test() ->
    Decode = fun
        (<<Id:16, Rest/binary>>) when Id < 10 -> {ok, Id, Rest};
        (<<_:16, _/binary>>) -> {error, {unknown_message, 0, <<>>}};
        (Short) -> {error, {truncated, byte_size(Short), <<>>}}
    end,
    Stream = iolist_to_binary([framed(u16be, <<Id:16>>) || Id <- [7, 99, 8]]),
    Records = fun(Bytes, Options) -> aldis_stream:records(Decode, Bytes, aldis_stream:new(u16be), Options) end,
    Stopped = {error, {unknown_message, 0, <<>>}, [7]},
    ?assertEqual(Stopped, aldis_stream:records(Decode, Stream, aldis_stream:new(u16be))),
    ?assertEqual(Stopped, Records(Stream, #{})),
    ?assertEqual(Stopped, Records(Stream, #{unknown => stop})),
    ?assertMatch({ok, [7, 8], _}, Records(Stream, #{unknown => skip})),
    ?assertMatch({ok, [7, {unknown, <<99:16>>}, 8], _}, Records(Stream, #{unknown => keep})),
    ?assertEqual({error, {truncated, 1, <<>>}, [7, 8]}, Records(<<Stream/binary, 1:16, 0>>, #{unknown => skip})),
    ?assertEqual({error, {frame_too_large, 102, 100}, [7, 8]},
        aldis_stream:records(Decode, <<Stream/binary, 100:16>>, aldis_stream:new(u16be, 100), #{unknown => skip})),
    [?assertError(badarg, Records(Stream, Options)) || Options <- [#{unknown => drop}, #{known => skip}, []]],
    %% A format without ids knows none of its messages: to skip all of them would hide that.
    NoIds = fun(_) -> {error, {unknown_message, '-', <<>>}} end,
    ?assertEqual({error, {unknown_message, '-', <<>>}, []},
        aldis_stream:records(NoIds, Stream, aldis_stream:new(u16be), #{unknown => skip})).

errors_in_words_test() ->
    Words = fun(Reason) -> unicode:characters_to_binary(aldis_stream:format_error(Reason)) end,
    ?assertEqual(<<"the size of a frame is 104, where 100 is the most: is this the peer's framing?">>,
        Words({frame_too_large, 104, 100})),
    ?assertEqual(<<"a message cannot be read or written: bad_value, byte 8, field orders[2].side">>,
        Words({bad_value, 8, <<"orders[2].side">>})),
    ?assertEqual(<<"a message cannot be read or written: truncated">>, Words({truncated, '-', <<>>})),
    Others = [{frame_too_small, 1, 2}, {too_many_segments, 512, 511}, {bad_packing, bad_count}, {bad_packing, bad_value},
        {unknown_message, '-', <<>>}, {unknown_message, 4, <<>>}],
    Texts = [Words(Reason) || Reason <- Others],
    ?assertEqual(length(Texts), length(lists:usort(Texts))).

properties_test() ->
    [?assert(proper:quickcheck(Property, [{numtests, 1000}, quiet])) || Property <- [prop_any_chunks(), prop_any_bytes()]].

%% However a stream is cut, its messages come out.
prop_any_chunks() ->
    ?FORALL({Framing, Contents, Cuts}, {oneof(?ALL_FRAMINGS), list(binary()), list(range(1, 9))},
        begin
            Messages = [message(Framing, Content) || Content <- Contents],
            Stream = iolist_to_binary([framed(Framing, Message) || Message <- Messages]),
            Messages =:= received(chunks(Stream, Cuts), aldis_stream:new(Framing))
        end).

%% However bytes are cut that may be no stream at all, the same messages come out, and the same fault.
prop_any_bytes() ->
    ?FORALL({Framing, Chunks}, {oneof(?ALL_FRAMINGS), list(binary())},
        begin
            Bytes = iolist_to_binary(Chunks),
            Receiver = aldis_stream:new(Framing, 40),
            outcome([Bytes], Receiver, []) =:= outcome(Chunks, Receiver, [])
        end).

outcome([], Receiver, Acc) -> {Acc, aldis_stream:rest(Receiver)};
outcome([Chunk | Chunks], Receiver, Acc) ->
    case aldis_stream:feed(Chunk, Receiver) of
        {ok, Messages, Next} -> outcome(Chunks, Next, Acc ++ Messages);
        {error, Fault, Messages} -> {Acc ++ Messages, Fault}
    end.

%% A message as the framing has it, with this content.
message(fbe, Content) -> <<(byte_size(Content) + 8):32/little, 0:32, Content/binary>>;
message({length, At, Bits, big, _}, Content) -> <<0:At/unit:8, (At + Bits div 8 + byte_size(Content)):Bits, Content/binary>>;
message(capnp, Content) -> <<(table([words(Content)]))/binary, (words(Content))/binary>>;
message(capnp_packed, Content) ->
    <<(aldis_packing:pack(table([words(Content)])))/binary, (aldis_packing:pack(words(Content)))/binary>>;
message(_, Content) -> Content.

words(Content) -> <<Content/binary, 0:(-byte_size(Content) band 7)/unit:8>>.

framed(Framing, Message) ->
    {ok, Frame} = aldis_stream:frame(Framing, Message),
    iolist_to_binary(Frame).

chunks(<<>>, _) -> [];
chunks(Stream, []) -> [Stream];
chunks(Stream, [Cut | Cuts]) ->
    Size = min(Cut, byte_size(Stream)),
    <<Chunk:Size/binary, Rest/binary>> = Stream,
    [Chunk | chunks(Rest, Cuts)].

received([], _) -> [];
received([Chunk | Chunks], Receiver) ->
    {ok, Messages, Next} = aldis_stream:feed(Chunk, Receiver),
    Messages ++ received(Chunks, Next).
