-module(aldis_packing_tests).

-include_lib("eunit/include/eunit.hrl").

packed(Bytes) -> iolist_to_binary(aldis_packing:pack(Bytes)).

%% The examples of the specification's section on packing.
words_test() ->
    ?assertEqual(<<16#51, 8, 3, 2, 16#31, 25, 16#AA, 1>>,
        packed(<<8, 0, 0, 0, 3, 0, 2, 0, 25, 0, 0, 0, 16#AA, 1, 0, 0>>)),
    ?assertEqual(<<0, 0>>, packed(<<0:64>>)),
    ?assertEqual(<<0, 3>>, packed(<<0:256>>)),
    ?assertEqual(<<>>, packed(<<>>)).

%% A run of words goes on while each has at most one zero byte.
runs_test() ->
    Dense = <<1, 2, 3, 4, 5, 6, 7, 8>>,
    One = <<1, 2, 3, 0, 5, 6, 7, 8>>,
    Two = <<1, 2, 3, 0, 0, 6, 7, 8>>,
    ?assertEqual(<<255, Dense/binary, 2, Dense/binary, One/binary, 16#E7, 1, 2, 3, 6, 7, 8>>,
        packed(<<Dense/binary, Dense/binary, One/binary, Two/binary>>)),
    Many = binary:copy(Dense, 257),
    ?assertEqual(<<255, Dense/binary, 255, (binary:copy(Dense, 255))/binary, 255, Dense/binary, 0>>, packed(Many)),
    ?assertEqual(<<0, 255, 0, 0>>, packed(<<0:(257 * 64)>>)).

message(Segment) -> <<0:32, (byte_size(Segment) div 8):32/little, Segment/binary>>.

%% The table and the segment are packed apart.
packed_message(Segment) ->
    <<Table:8/binary, _/binary>> = message(Segment),
    <<(packed(Table))/binary, (packed(Segment))/binary>>.

round_test() ->
    Segments = [<<0:64>>, <<1:64>>, binary:copy(<<1, 0, 2, 0, 0, 0, 9, 255>>, 300), binary:copy(<<7>>, 4096)],
    [?assertEqual({message(S), <<"rest">>}, aldis_packing:unpack(<<(packed_message(S))/binary, "rest">>, 1 bsl 20))
        || S <- Segments].

fault(Bin, Limit) ->
    try aldis_packing:unpack(Bin, Limit) of
        Result -> Result
    catch
        throw:{aldis_fault, Code, _, []} -> Code
    end.

faults_test() ->
    Whole = packed_message(<<1:64, 0:128>>),
    [?assertEqual(truncated, fault(binary:part(Whole, 0, Size), 1000)) || Size <- lists:seq(0, byte_size(Whole) - 1)],
    %% A run that goes beyond the table, and one beyond the message.
    ?assertEqual(bad_value, fault(<<0, 1, 0, 0>>, 1000)),
    ?assertEqual(bad_value, fault(<<16, 1, 0, 1>>, 1000)),
    ?assertEqual(bad_value, fault(<<16, 1, 255, 1, 2, 3, 4, 5, 6, 7, 8, 1, 1, 2, 3, 4, 5, 6, 7, 8>>, 1000)),
    ?assertEqual(bad_count, fault(<<16#0F, 255, 255, 255, 255>>, 1000)),
    %% More words than the limit allows, before any is made.
    ?assertEqual(too_large, fault(<<16#F0, 255, 255, 255, 15>>, 1 bsl 20)),
    ?assertEqual(too_large, fault(<<16, 4, 0, 3>>, 39)),
    ?assertMatch({_, <<>>}, fault(<<16, 4, 0, 3>>, 40)).
