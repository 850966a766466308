%% The scanners against a reader that takes one message after another apart, on whole, cut and hostile buffers.
-module(aldis_scan_tests).

-include_lib("eunit/include/eunit.hrl").
-include("properties.hrl").

-define(MADE(Pattern, Type, Body), proper_types:bind(Type, fun(Pattern) -> Body end, false)).
-define(RUNS, 2000).

%% A buffer with what is around it: bytes before the offset.
-define(BEFORE, <<"before">>).

empty_test() ->
    [?assertEqual({0, none, 0, 0}, legacy(<<>>, 0, Endian, 10)) || Endian <- [little, big]],
    ?assertEqual({error, bad_count}, entries(<<>>, 0, 0)),
    ?assertEqual({error, bad_count}, entries(<<>>, 0, 1)),
    ?assertEqual({error, bad_count}, entries(<<"abc">>, 3, 0)).

%% The message after the last whole one: what it wants, at every cut.
need_test() ->
    Message = <<"identity", 3:32/little, "abc">>,
    Two = <<Message/binary, Message/binary>>,
    [
        ?assertEqual({1, <<"identity">>, 15, Need}, legacy(binary:part(Two, 0, 15 + Cut), 0, little, 3))
     || {Cut, Need} <- [{0, 0}, {1, 0}, {11, 0}, {12, 3}, {13, 2}, {14, 1}]
    ],
    ?assertEqual({2, <<"identity">>, 30, 0}, legacy(Two, 0, little, 3)).

%% A size beyond the limit is an error as soon as it is there; the messages before it count.
too_large_test() ->
    Bin = <<"identity", 0:32, "identity", 16#FFFFFFFF:32>>,
    [
        ?assertEqual({1, <<"identity">>, 12, {error, {too_large, 16#FFFFFFFF}}}, legacy(Bin, 0, Endian, 1 bsl 20))
     || Endian <- [little, big]
    ],
    ?assertEqual({1, <<"identity">>, 12, 16#FFFFFFFF}, legacy(Bin, 0, big, 1 bsl 40)),
    Whole = <<"identity", 2:32/little, "ab", "identity", 3:32/little, "abc">>,
    ?assertEqual({1, <<"identity">>, 14, {error, {too_large, 3}}}, legacy(Whole, 0, little, 2)),
    %% In the middle of messages that are walked in rows.
    Row = binary:copy(<<"identity", 1:32/little, "x">>, 100),
    ?assertMatch({100, _, 1300, {error, {too_large, 2}}}, legacy(<<Row/binary, Whole/binary>>, 0, little, 1)).

hostile_counts_test() ->
    Entries = <<1:32/little, "a", 0:32, 2:32/little, "bc">>,
    ?assertEqual({ok, 15}, entries(Entries, 0, 3)),
    [?assertEqual({error, bad_count}, entries(Entries, 0, Count)) || Count <- [0, 1, 2, 4, 16#FFFFFFFF, 1 bsl 64]],
    [?assertEqual({error, bad_count}, entries(binary:part(Entries, 0, Cut), 0, 3)) || Cut <- lists:seq(0, 14)],
    ?assertEqual({error, bad_count}, entries(<<16#FFFFFFFF:32, "abc">>, 0, 1)).

%% Ids are no parts of the buffer, which would keep it alive. How much a copy takes is the release's affair.
id_is_a_copy_test() ->
    Bin = binary:copy(<<"identity", 0:32>>, 100),
    {100, Id, _, _} = legacy(Bin, 0, little, 10),
    ?assertEqual(<<"identity">>, Id),
    ?assert(binary:referenced_byte_size(Id) < byte_size(Bin) div 4).

%% At every size around the steps that the checksum in C takes, and for bytes that need several calls.
crc32_test() ->
    Bytes = rand:bytes(3000),
    [
        ?assertEqual(erlang:crc32(Before, Part), aldis_scan:crc32(Before, Part))
     || Size <- lists:seq(0, 260) ++ lists:seq(1000, 1100) ++ [2999],
        Before <- [0, 16#FFFFFFFF, 16#DEADBEEF],
        Part <- [binary:part(Bytes, 1, Size)]
    ],
    [
        ?assertEqual(erlang:crc32(1, Large), aldis_scan:crc32(1, Large))
     || Size <- [999999, 1000000, 1000001, 3500000], Large <- [binary:copy(<<"x">>, Size)]
    ],
    ?assertEqual(erlang:crc32(7, [Bytes, [<<"and">> | "more"]]), aldis_scan:crc32(7, [Bytes, [<<"and">> | "more"]])).

%% The one in C without the others, also for sizes that are not worth a call.
native_crc32_test() ->
    Bytes = rand:bytes(3000),
    Native = aldis_scan_nif:loaded() andalso aldis_scan_nif:crc32(0, <<>>) =/= false,
    [
        ?assertEqual(erlang:crc32(5, Part), aldis_scan_nif:crc32(5, Part))
     || Native, Size <- lists:seq(0, 600) ++ [3000], Part <- [binary:part(Bytes, 0, Size)]
    ].

folds_test() ->
    Entries = [<<"one">>, <<>>, <<"three">>],
    Bin = iolist_to_binary([?BEFORE, [[<<(byte_size(E)):32/little>>, E] || E <- Entries], "behind"]),
    ?assertEqual(Entries, aldis_scan:to_list(Bin, 6, 3)),
    ?assertEqual(lists:reverse(Entries), aldis_scan:fold(fun(E, Acc) -> [E | Acc] end, [], Bin, 6, 3)),
    ?assertEqual([6, 13, 17, 26], [aldis_scan:skip(Bin, 6, N) || N <- [0, 1, 2, 3]]),
    [
        ?assertEqual([{<<"12345678">>, <<"ab">>}, {<<"22345678">>, <<>>}], aldis_scan:legacy_fold(fun(I, P, A) -> A ++ [{I, P}] end, [], M, 6, E, 2))
     || {E, M} <- [
            {little, <<"before12345678", 2:32/little, "ab22345678", 0:32>>},
            {big, <<"before12345678", 2:32, "ab22345678", 0:32>>}
        ]
    ].

properties_test_() ->
    [
        {timeout, 120, {Name, fun() -> ?assert(proper:quickcheck(Property, [{numtests, ?RUNS}, {to_file, user}, quiet])) end}}
     || {Name, Property} <- [
            {"any buffer", prop_any_buffer()},
            {"any split", prop_any_split()},
            {"entries", prop_entries()}
        ]
    ].

%% Both scanners find what the plain reader finds, whatever the bytes are.
prop_any_buffer() ->
    ?FORALL({Bin, Endian, Max}, {buffer(), oneof([little, big]), oneof([range(0, 40), 16#FFFFFFFF])}, begin
        Whole = <<(?BEFORE)/binary, Bin/binary>>,
        legacy(Whole, byte_size(?BEFORE), Endian, Max) =:= plain(Whole, byte_size(?BEFORE), Endian, Max)
    end).

%% However a stream is cut into receives, the same messages come out, and nothing is left.
prop_any_split() ->
    ?FORALL({Sizes, Cuts, Endian}, {list(size()), list(range(1, 60)), oneof([little, big])}, begin
        Stream = messages(Sizes, Endian),
        received(Stream, Cuts, Endian, <<>>, []) =:= [<<I:64>> || I <- lists:seq(1, length(Sizes))]
    end).

%% Entries are accepted with their own count alone, and not when bytes are missing, added or changed.
prop_entries() ->
    ?FORALL({Bin, Count}, {entry_buffer(), range(0, 40)}, begin
        Whole = <<(?BEFORE)/binary, Bin/binary>>,
        Sizes = plain_entries(Bin),
        Expected = case Sizes =/= none andalso Count > 0 andalso length(Sizes) =:= Count of
            true -> {ok, byte_size(Bin)};
            false -> {error, bad_count}
        end,
        Own = Sizes =:= none orelse Sizes =:= [] orelse entries(Whole, 6, length(Sizes)) =:= {ok, byte_size(Bin)},
        Own andalso entries(Whole, 6, Count) =:= Expected
    end).

%% Sizes are often alike, since messages of the same size in a row are walked in a way of their own.
size() -> oneof([range(0, 40), 5, 5, 5]).

sizes() -> oneof([list(size()), ?MADE({N, Size, More}, {range(0, 60), range(0, 9), list(size())}, lists:duplicate(N, Size) ++ More)]).

buffer() ->
    oneof([
        binary(),
        ?MADE({Sizes, Endian}, {sizes(), oneof([little, big])}, messages(Sizes, Endian)),
        ?MADE({Sizes, Cut}, {sizes(), range(0, 30)}, cut(messages(Sizes, little), Cut)),
        ?MADE({Sizes, At, Byte}, {sizes(), range(0, 600), range(0, 255)}, changed(messages(Sizes, little), At, Byte))
    ]).

entry_buffer() ->
    oneof([
        binary(),
        ?MADE(Sizes, sizes(), entry_bytes(Sizes)),
        ?MADE({Sizes, Cut}, {sizes(), range(0, 30)}, cut(entry_bytes(Sizes), Cut)),
        ?MADE({Sizes, At, Byte}, {sizes(), range(0, 300), range(0, 255)}, changed(entry_bytes(Sizes), At, Byte))
    ]).

messages(Sizes, Endian) ->
    iolist_to_binary([[<<Id:64>>, size_field(Size, Endian), binary:copy(<<"x">>, Size)] || {Id, Size} <- lists:zip(lists:seq(1, length(Sizes)), Sizes)]).

size_field(Size, little) -> <<Size:32/little>>;
size_field(Size, big) -> <<Size:32>>.

entry_bytes(Sizes) -> iolist_to_binary([[<<Size:32/little>>, binary:copy(<<"x">>, Size)] || Size <- Sizes]).

cut(Bin, Cut) -> binary:part(Bin, 0, max(0, byte_size(Bin) - Cut)).

changed(Bin, At, Byte) when At < byte_size(Bin) ->
    <<Before:At/binary, _, Behind/binary>> = Bin,
    <<Before/binary, Byte, Behind/binary>>;
changed(Bin, _, _) ->
    Bin.

%% One message after another, as one would write it who has never heard of speed.
plain(Bin, Offset, Endian, Max) -> plain(Bin, Offset, Endian, Max, 0, none).

plain(Bin, Offset, Endian, Max, Count, Last) ->
    case Bin of
        <<_:Offset/binary, Id:8/binary, Field:4/binary, Rest/binary>> ->
            case binary:decode_unsigned(Field, Endian) of
                Size when Size > Max -> {Count, Last, Offset, {error, {too_large, Size}}};
                Size when Size > byte_size(Rest) -> {Count, Last, Offset, Size - byte_size(Rest)};
                Size -> plain(Bin, Offset + 12 + Size, Endian, Max, Count + 1, Id)
            end;
        _ ->
            {Count, Last, Offset, 0}
    end.

plain_entries(<<>>) ->
    [];
plain_entries(<<Size:32/little, _:Size/binary, Rest/binary>>) ->
    case plain_entries(Rest) of
        none -> none;
        Sizes -> [Size | Sizes]
    end;
plain_entries(_) ->
    none.

%% The stream in pieces of these sizes, again and again, what is left of one put before the next.
received(<<>>, _, _, <<>>, Ids) -> lists:reverse(Ids);
received(<<>>, _, _, _, _) -> left_over;
received(Stream, Cuts, Endian, Kept, Ids) ->
    {Cut, More} = case Cuts of
        [] -> {byte_size(Stream), []};
        [C | Cs] -> {min(C, byte_size(Stream)), Cs ++ [C]}
    end,
    <<Piece:Cut/binary, Rest/binary>> = Stream,
    Buffer = <<Kept/binary, Piece/binary>>,
    {Count, _, Next, _} = legacy(Buffer, 0, Endian, 1000),
    Found = aldis_scan:legacy_fold(fun(Id, _, Acc) -> [Id | Acc] end, Ids, Buffer, 0, Endian, Count),
    received(Rest, More, Endian, binary:part(Buffer, Next, byte_size(Buffer) - Next), Found).

%% All scanners' one answer.
legacy(Bin, Offset, Endian, Max) ->
    agreed([aldis_scan:pure_legacy(Bin, Offset, Endian, Max), aldis_scan:legacy(Bin, Offset, Endian, Max) | native_legacy(Bin, Offset, Endian, Max)]).

%% The scanner in C finds the same messages; what is made of them is the same function.
native_legacy(Bin, Offset, Endian, Max) ->
    case aldis_scan_nif:loaded() of
        true ->
            Pure = {Count, _, Next, _} = aldis_scan:pure_legacy(Bin, Offset, Endian, Max),
            {Count, At, Next} = aldis_scan_nif:legacy(Bin, Offset, Endian, min(Max, 16#FFFFFFFF)),
            Last = case At of none -> none; _ -> binary:part(Bin, At, 8) end,
            [setelement(2, Pure, Last)];
        false ->
            []
    end.

entries(Bin, Offset, Count) ->
    Native = case aldis_scan_nif:loaded() andalso Count < 1 bsl 32 of
        true -> [case aldis_scan_nif:entries(Bin, Offset, Count) of true -> {ok, byte_size(Bin) - Offset}; false -> {error, bad_count} end];
        false -> []
    end,
    agreed([aldis_scan:pure_entries(Bin, Offset, Count), aldis_scan:entries(Bin, Offset, Count) | Native]).

agreed([Answer | Others]) ->
    [?assertEqual(Answer, Other) || Other <- Others],
    Answer.
