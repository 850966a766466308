-module(aldis_frame_tests).

-include_lib("eunit/include/eunit.hrl").
-include("aldis_frame.hrl").
-include("properties.hrl").
-define(BIND(Pattern, Type, Body), proper_types:bind(Type, fun(Pattern) -> Body end, false)).

%% The frames of the protocol's page, in bytes.
bytes_test_() ->
    Producer = <<"0123456789abcdef">>,
    [?_assertEqual(Hex, hex(aldis_frame:encode(Frame))) || {Hex, Frame} <- [
        {"320000000141" "4c444953" "01" "05000000" "30313233343536373839616263646566" "02000000" "05746f6b656e"
         "0200" "6869" "02" "10000000" "00100000",
         #hello{features = ?NO_CHECKSUM bor ?SCHEMA, producer = Producer, epoch = 2, auth_method = <<"token">>,
                auth_data = <<"hi">>, durability = durable, window_messages = 16, window_bytes = 4096}},
        {"270000000201" "10000000" "0700000000000000" "0000000000000000" "01000000" "02000000" "03000000" "02" "feffffff",
         #welcome{features = ?NEXT_EPOCH, session = 7, last = 0, credit_messages = 1, credit_bytes = 2, max_frame = 3,
                  durability = durable, epoch = 16#FFFFFFFE}},
        {"230000000201" "04000000" "0700000000000000" "0900000000000000" "00000100" "00008000" "00001000" "01",
         #welcome{features = ?SCHEMA, session = 7, last = 9, credit_messages = 65536, credit_bytes = 8388608,
                  max_frame = 1048576, durability = handled}},
        {"1a0000000301000000000000000200000034120000" "0100000061" "00000000",
         #batch{first = 1, count = 2, crc = 16#1234, rest = <<1, 0, 0, 0, $a, 0, 0, 0, 0>>}},
        {"290000000405000000000000000400000000000000030000000000000002000000000000000100000000010000",
         #ack{received = 5, handled = 4, durable = 3, duplicates = 2, credit_messages = 1, credit_bytes = 256}},
        {"0f00000005030000000000000009000200" "6e6f", #nack{expected = 3, code = gap, text = "no"}},
        {"0e000000060100000000000000e803000078", #request{correlation = 1, deadline = 1000, bytes = "x"}},
        {"0e000000070100000000000000" "00000000" "79", #reply{correlation = 1, code = normal, bytes = "y"}},
        {"1600000008020000000a00000000000000010000000100000061",
         #push{subscription = 2, first = 10, count = 1, entries = <<1, 0, 0, 0, $a>>}},
        {"09000000090807060504030201", #ping{opaque = 16#0102030405060708}},
        {"090000000a0807060504030201", #pong{opaque = 16#0102030405060708}},
        {"050000000b88130000", #drain{ms = 5000}},
        {"070000000c07000200c3a4", #close{code = slow, text = [16#E4]}},
        {"160000000d0100000000000000000000000500000003006c6f67", #subscribe{subscription = 1, credit = 5, topic = "log"}},
        {"090000000e010000000c000000", #unsubscribe{subscription = 1, code = refused}},
        {"110000000f010000000700000000000000ff000000", #credit{subscription = 1, consumed = 7, credit = 255}}
    ]].

round_trip_test_() ->
    {timeout, 120, ?_assert(proper:quickcheck(round_trip(), [{numtests, 2000}, {to_file, user}, quiet]))}.

%% Each frame reads as it was written; cut, lengthened or changed it is another frame or none, and nothing raises.
round_trip() ->
    ?FORALL({Frame, At, Byte}, {frame(), range(0, 200), range(0, 255)}, begin
        Bytes = iolist_to_binary(aldis_frame:encode(Frame)),
        Size = byte_size(Bytes),
        {frame, Kind, Body, Size} = aldis_frame:next(Bytes, 0, 16#FFFFFFFF),
        {ok, Frame} = aldis_frame:decode(Kind, Body),
        _ = [refused_or_read(Kind, binary:part(Body, 0, Cut)) || Cut <- lists:seq(0, byte_size(Body))],
        refused_or_read(Kind, <<Body/binary, Byte>>),
        Place = At rem max(1, byte_size(Body)),
        refused_or_read(Kind, change(Body, Place, Byte)),
        {need, Needed} = aldis_frame:next(binary:part(Bytes, 0, Size - 1), 0, 16#FFFFFFFF),
        Needed =< Size
    end).

refused_or_read(Kind, Body) ->
    case aldis_frame:decode(Kind, Body) of
        {ok, _} -> true;
        {error, protocol} -> true
    end.

change(<<>>, _, _) -> <<>>;
change(Body, Place, Byte) ->
    <<Before:Place/binary, _, After/binary>> = Body,
    <<Before/binary, Byte, After/binary>>.

frame() ->
    ?BIND({A, B, C, Code, Text, Bytes}, {u64(), u32(), u32(), code(), text(), binary()},
        oneof([
            #hello{version = A band 255, features = B, producer = <<A:64, B:64>>, epoch = C,
                   auth_method = binary:part(Bytes, 0, min(255, byte_size(Bytes))), auth_data = Bytes,
                   window_messages = C, window_bytes = B},
            #welcome{features = B, session = A, last = A, credit_messages = B, credit_bytes = C, max_frame = C,
                     durability = oneof([received, handled, durable, replicated, 9])},
            #batch{first = A, count = B, crc = C, rest = Bytes},
            #ack{received = A, handled = A, durable = B, duplicates = C, credit_messages = B, credit_bytes = C},
            #nack{expected = A, code = Code, text = Text},
            #request{correlation = A, deadline = B, bytes = Bytes},
            #reply{correlation = A, code = Code, bytes = Bytes},
            #push{subscription = B, first = A, count = C, entries = Bytes},
            #ping{opaque = A}, #pong{opaque = A}, #drain{ms = B},
            #close{code = Code, text = Text},
            #subscribe{subscription = B, from = A, credit = C, topic = Text},
            #unsubscribe{subscription = B, code = Code, text = Text},
            #credit{subscription = B, consumed = A, credit = C}
        ])).

u64() -> range(0, 16#FFFFFFFFFFFFFFFF).
u32() -> range(0, 16#FFFFFFFF).
code() -> ?BIND(Number, oneof([range(0, 19), range(20, 16#FFFF)]), aldis_frame:code(Number)).
text() -> ?BIND(Points, list(oneof([range(32, 126), range(16#80, 16#7FF), range(16#10000, 16#10FFFF)])),
               unicode:characters_to_binary(Points)).

next_test() ->
    ?assertEqual({need, 4}, aldis_frame:next(<<>>, 0, 100)),
    ?assertEqual({need, 4}, aldis_frame:next(<<9, 0, 0>>, 0, 100)),
    ?assertEqual({need, 13}, aldis_frame:next(<<0, 9, 0, 0, 0, 9>>, 1, 100)),
    ?assertEqual({error, frame_too_large}, aldis_frame:next(<<101, 0, 0, 0>>, 0, 100)),
    ?assertEqual({error, protocol}, aldis_frame:next(<<0, 0, 0, 0>>, 0, 100)),
    ?assertEqual({frame, 1, <<>>, 5}, aldis_frame:next(<<1, 0, 0, 0, 1, 2, 3>>, 0, 1)).

unknown_kinds_test() ->
    ?assertEqual({ok, skip}, aldis_frame:decode(16#80, <<1, 2>>)),
    ?assertEqual({ok, skip}, aldis_frame:decode(16#FF, <<>>)),
    ?assertEqual({error, protocol}, aldis_frame:decode(16#00, <<>>)),
    ?assertEqual({error, protocol}, aldis_frame:decode(16#10, <<>>)).

%% The frames of conformance/vectors/transport: each is read, and written as it was; those in `malformed' are refused.
vectors_test_() ->
    Folder = filename:join([testing:root(), "conformance", "vectors", "transport"]),
    [{filename:basename(File), fun() -> vector(File) end} || File <- [_ | _] = filelib:wildcard(Folder ++ "/*.hex")] ++
        [{filename:basename(File), fun() -> malformed(File) end}
         || File <- [_ | _] = filelib:wildcard(Folder ++ "/malformed/*.hex")].

vector(File) ->
    Bytes = bytes(File),
    {frame, Kind, Body, Size} = aldis_frame:next(Bytes, 0, 16#FFFFFFFF),
    ?assertEqual(byte_size(Bytes), Size),
    case aldis_frame:decode(Kind, Body) of
        {ok, skip} -> ?assertMatch("unknown-skipped.hex", filename:basename(File));
        {ok, Frame} ->
            ?assertEqual(Bytes, iolist_to_binary(aldis_frame:encode(Frame))),
            checked(Frame, filename:basename(File))
    end.

%% The checksums of the vectors' batches are right.
checked(#batch{crc = Crc}, "batch-no-checksum.hex") -> ?assertEqual(0, Crc);
checked(#batch{first = First, count = Count, crc = Crc, rest = Rest}, _) ->
    ?assertEqual(Crc, aldis_frame:checksum(First, Count, Rest));
checked(_, _) -> ok.

malformed(File) ->
    case aldis_frame:next(bytes(File), 0, 16#FFFFFFFF) of
        {frame, Kind, Body, _} -> ?assertEqual({error, protocol}, aldis_frame:decode(Kind, Body));
        Refused -> ?assertEqual({error, protocol}, Refused)
    end.

bytes(File) ->
    {ok, Text} = file:read_file(File),
    Lines = [hd(binary:split(Line, <<"#">>)) || Line <- binary:split(Text, <<"\n">>, [global])],
    binary:decode_hex(<< <<Digit>> || <<Digit>> <= iolist_to_binary(Lines), Digit =/= $\s, Digit =/= $\r >>).

%% Texts are valid UTF-8 of at most 1,024 bytes on both ways.
texts_test() ->
    Long = unicode:characters_to_binary(lists:duplicate(600, 16#20AC)),
    {frame, Kind, Body, _} = aldis_frame:next(iolist_to_binary(aldis_frame:encode(#close{text = Long})), 0, 2000),
    {ok, #close{text = Cut}} = aldis_frame:decode(Kind, Body),
    ?assertEqual(binary:part(Long, 0, 1023), Cut),
    ?assertEqual({error, protocol}, aldis_frame:decode(Kind, <<0:16, 1:16/little, 255>>)),
    ?assertEqual({error, protocol}, aldis_frame:decode(Kind, <<0:16, 1025:16/little, 0:8200>>)).

checksum_test() ->
    Batch = aldis_frame:batch(5, {71, 2}, [<<"a">>, ["b", "c"]], ?SCHEMA),
    Rest = <<71:32/little, 2:32/little, 1:32/little, "a", 2:32/little, "bc">>,
    ?assertEqual(Rest, iolist_to_binary(Batch#batch.rest)),
    ?assertEqual(erlang:crc32(<<5:64/little, 2:32/little, Rest/binary>>), Batch#batch.crc),
    ?assertEqual({{71, 2}, binary:part(Rest, 8, 11)}, aldis_frame:schema(Rest)),
    ?assertEqual(0, (aldis_frame:batch(5, none, [<<>>], ?NO_CHECKSUM))#batch.crc).

hex(Frame) -> string:lowercase(binary_to_list(binary:encode_hex(iolist_to_binary(Frame)))).
