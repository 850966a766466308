-module(aldis_json_keys_tests).

-include_lib("eunit/include/eunit.hrl").

-define(FAULT(Code), {aldis_fault, Code, _, [key]}).

key(Text, Min, Max) -> aldis_json:key_integer(Text, Min, Max, [key]).

as_written_test() ->
    [?assertEqual(N, key(integer_to_binary(N), -128, 127)) || N <- [0, 1, -1, 127, -128]].

other_spellings_test() ->
    Texts = [
        <<>>, <<" 1">>, <<"1 ">>, <<"1e0">>, <<"1.0">>, <<"01">>, <<"+1">>, <<"-">>, <<"-0">>, <<"-01">>, <<"0x1">>,
        <<"null">>, <<"[1]">>, <<"1,">>
    ],
    [?assertThrow(?FAULT(bad_json), key(Text, -128, 127)) || Text <- Texts].

out_of_range_test() ->
    Long = binary:copy(<<"9">>, 60),
    [?assertThrow(?FAULT(out_of_range), key(Text, -128, 127)) || Text <- [<<"128">>, <<"-129">>, Long]].

sets_test() ->
    Size = fun erlang:byte_size/1,
    ?assertEqual([1, 2], aldis_json:to_set([2, 1], [set])),
    ?assertEqual([<<"b">>, <<"aa">>], aldis_json:to_set([<<"aa">>, <<"b">>], Size, [set])),
    ?assertThrow({aldis_fault, bad_json, _, [set]}, aldis_json:to_set([1, 1], [set])),
    ?assertThrow({aldis_fault, bad_json, _, [set]}, aldis_json:to_set([<<"a">>, <<"b">>], Size, [set])),
    ?assertThrow({aldis_fault, bad_json, _, [map]}, aldis_json:to_map([{<<"a">>, 1}, {<<"b">>, 2}], Size, [map])).
