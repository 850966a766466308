-module(aldis_json_tests).

-include_lib("eunit/include/eunit.hrl").
-include("properties.hrl").

-define(FAULT(Code, Path), {aldis_fault, Code, none, Path}).

terms_test() ->
    Text = <<" {\"a\" : [1, -2.5e3, true, null], \"b\":{}, \"c\":\"x\"} ">>,
    ?assertEqual(
        {[{<<"a">>, [1, {number, <<"-2.5e3">>}, true, null]}, {<<"b">>, {[]}}, {<<"c">>, <<"x">>}]},
        aldis_json:decode(Text)
    ).

strings_test_() ->
    Cases = [
        {<<"\"a\\u00e9\\ud83d\\ude80\\n\"">>, <<"aé🚀\n"/utf8>>},
        {<<"\"\\\"\\\\\\/\\b\\f\\r\\t\"">>, <<"\"\\/\b\f\r\t">>},
        {<<"\"é\""/utf8>>, <<"é"/utf8>>}
    ],
    [?_assertEqual(Value, aldis_json:decode(Text)) || {Text, Value} <- Cases].

bad_text_test_() ->
    Cases = [
        {<<>>, 0}, {<<"{">>, 1}, {<<"[1,]">>, 3}, {<<"{\"a\":1,}">>, 7}, {<<"nullx">>, 0}, {<<"1 2">>, 2},
        {<<"{\"a\":1,\"a\":2}">>, 7}, {<<"01">>, 0}, {<<"1.">>, 0}, {<<"-">>, 0}, {<<"+1">>, 0}, {<<"1e">>, 0},
        {<<"\"\\ud83d\"">>, 0}, {<<"\"\\ud83d\\u0041\"">>, 0}, {<<"\"\\x\"">>, 0}, {<<"\"a\nb\"">>, 0},
        {<<"\"", 255, "\"">>, 0}, {<<"\"a">>, 0}, {<<"{a:1}">>, 1}, {<<"[1 2]">>, 3}
    ],
    [?_assertThrow({aldis_fault, bad_json, {at, Offset}, []}, aldis_json:decode(Text)) || {Text, Offset} <- Cases].

objects_of_an_array_share_keys_test() ->
    Read = fun(Text) -> aldis_json:decode(Text) end,
    [{[{First, 1}, {<<"b">>, 2}]}, {[{Second, 3}, {<<"c">>, 4}]}] = Read(<<"[{\"long name\":1,\"b\":2},{\"long name\":3,\"c\":4}]">>),
    ?assert(erts_debug:same(First, Second)),
    ?assertEqual([{[{<<"a\"">>, 1}]}, {[{<<"a">>, 2}]}], Read(<<"[{\"a\\\"\":1},{\"a\":2}]">>)),
    ?assertThrow({aldis_fault, bad_json, {at, 15}, []}, Read(<<"[{\"a\\\"\":1},{\"a\"\":2}]">>)),
    ?assertThrow({aldis_fault, bad_json, {at, 16}, []}, Read(<<"[{\"a\":1},{\"a\":1,\"a\":1}]">>)).

deep_test() ->
    Text = binary:copy(<<"[">>, 1000000),
    ?assertThrow({aldis_fault, bad_json, _, []}, aldis_json:decode(Text)).

%% Modules that are loaded bring atoms: the same with other keys has loaded all that it takes.
no_atoms_test() ->
    Object = fun(Key) ->
        iolist_to_binary([${, lists:join($,, [io_lib:format("\"~s~p\":~p", [Key, N, N]) || N <- lists:seq(1, 1000)]), $}])
    end,
    Text = Object("k"),
    _ = aldis_json:decode(Object("warm")),
    Before = erlang:system_info(atom_count),
    _ = aldis_json:decode(Text),
    ?assertEqual(Before, erlang:system_info(atom_count)).

integers_test_() ->
    Good = [{<<"0">>, 0}, {<<"-0">>, 0}, {<<"12">>, 12}, {<<"-1.50e1">>, -15}, {<<"1e3">>, 1000}, {<<"100e-2">>, 1},
        {<<"0e999999999">>, 0}, {<<"0.00e99999999999999999999">>, 0}, {<<"1e0000000000000000002">>, 100}, {<<"18446744073709551615">>, 18446744073709551615}],
    Bad = [<<"1.5">>, <<"1e-1">>, <<"1e39">>, <<"1e99999999999999999999">>, <<"1e-99999999999999999">>],
    Read = fun(Text) -> aldis_json:to_integer(aldis_json:decode(Text), -100, 18446744073709551615, [n]) end,
    [?_assertEqual(Value, Read(Text)) || {Text, Value} <- Good]
        ++ [?_assertThrow(?FAULT(out_of_range, [n]), Read(Text)) || Text <- Bad]
        ++ [?_assertThrow(?FAULT(bad_json, [n]), Read(<<"\"1\"">>))].

%% A megabyte of digits in any place of a number takes no time to speak of.
long_numbers_test_() ->
    Digits = fun(Digit) -> binary:copy(<<Digit>>, 1000000) end,
    Nines = Digits($9),
    Zeros = Digits($0),
    Exponents = [<<"1e", Nines/binary>>, <<"1e-", Nines/binary>>],
    Long = [Nines, <<"0.", Nines/binary>>, <<"1", Zeros/binary>> | Exponents],
    Whole = [{<<"12.", Zeros/binary>>, 12}, {<<"0.", Zeros/binary, "12e1000002">>, 12}, {<<"0e", Nines/binary>>, 0},
        {<<"12", Zeros/binary, "e-1000000">>, 12}, {<<"12e", Zeros/binary>>, 12}],
    Read = fun(Text) -> aldis_json:to_integer(aldis_json:decode(Text), 0, 1 bsl 64, [n]) end,
    Decimal = fun(Text) -> aldis_json:to_decimal(Text, [d]) end,
    [?_assertThrow(?FAULT(out_of_range, [n]), quick(Read, Text)) || Text <- Long]
        ++ [?_assertEqual(Value, quick(Read, Text)) || {Text, Value} <- Whole]
        ++ [?_assertThrow(?FAULT(out_of_range, [d]), quick(Decimal, Text)) || Text <- Long]
        ++ [?_assertEqual({decimal, 1, 12, 0}, Decimal(<<"0.", (binary:copy(<<"0">>, 98))/binary, "12e100">>))].

quick(Read, Text) ->
    Start = erlang:monotonic_time(millisecond),
    try
        Read(Text)
    after
        ?assert(erlang:monotonic_time(millisecond) - Start < 400)
    end.

iodata_test() ->
    ?assertEqual([12], aldis_json:decode(["[", [<<"1">>, $2], "]"])),
    ?assertThrow(?FAULT(bad_value, []), aldis_json:decode(foo)).

floats_test() ->
    Read = fun(Text) -> aldis_json:to_float64(aldis_json:decode(Text), [f]) end,
    ?assertEqual(1.0e3, Read(<<"1e3">>)),
    ?assertEqual(0.0, Read(<<"1e-400">>)),
    ?assertEqual(<<1:1, 0:63>>, <<(Read(<<"-0">>))/float>>),
    ?assertThrow(?FAULT(out_of_range, [f]), Read(<<"1e400">>)),
    ?assertThrow(?FAULT(bad_json, [f]), Read(<<"\"NaN\"">>)),
    ?assertThrow(?FAULT(bad_value, [f]), aldis_json:any_float64(half, [f])),
    ?assertEqual(nan, aldis_json:to_any_float32(<<"NaN">>, [])),
    ?assertThrow(?FAULT(out_of_range, [f]), aldis_json:to_float32({number, <<"3.5e38">>}, [f])).

fields_test() ->
    Names = [<<"a">>, <<"b">>],
    ?assertEqual([null, true], aldis_json:fields({[{<<"a">>, null}, {<<"b">>, true}]}, Names, [])),
    ?assertEqual([missing, true], aldis_json:fields({[{<<"b">>, true}]}, Names, [])),
    ?assertThrow(?FAULT(bad_json, [<<"c">>, m]), aldis_json:fields({[{<<"c">>, true}]}, Names, [m])),
    ?assertThrow(?FAULT(bad_json, []), aldis_json:fields([], Names, [])).

wide_records_are_paid_for_test() ->
    Wide = [integer_to_binary(Name) || Name <- lists:seq(1, 2000)],
    Rows = fun(Count) -> ["[", lists:join(",", lists:duplicate(Count, "{}")), "]"] end,
    [begin
        Read = fun(Json) -> aldis_json:to_list(Json, [], Fields) end,
        ?assertEqual(50, length(aldis_json:read(Rows(50), Read))),
        ?assertThrow(?FAULT(too_large, [_]), aldis_json:read(Rows(200), Read)),
        ?assertEqual(undefined, get(aldis_json))
    end || Fields <- [
        fun(Row, Path) -> aldis_json:fields(Row, Wide, Path) end,
        fun(Row, Path) -> aldis_json_sparse:fields(Row, Wide, 1, Path) end,
        fun(_, Path) -> aldis_json:take(length(Wide), Path) end
    ]].

base64_test() ->
    ?assertEqual(<<"ab">>, aldis_json:to_bytes(<<"YWI=">>, [])),
    [?assertThrow(?FAULT(bad_json, [b]), aldis_json:to_bytes(Text, [b]))
        || Text <- [<<"YWI">>, <<"YW I=">>, <<"YWJ=">>, <<"!">>, null]].

text_test() ->
    ?assertEqual(<<"\"\\u0000\\u001f\\n\\\"\\\\/\x{7f}é\""/utf8>>,
        iolist_to_binary(aldis_json:text(<<0, 31, "\n\"\\/", 127, "é"/utf8>>, utf8, []))),
    ?assertEqual(<<"\"ÿ\""/utf8>>, iolist_to_binary(aldis_json:text(<<255>>, latin1, []))),
    ?assertThrow(?FAULT(bad_text, [t]), aldis_json:text(<<255>>, utf8, [t])),
    ?assertThrow(?FAULT(out_of_range, [t]), aldis_json:to_text(<<"€"/utf8>>, latin1, [t])).

properties_test_() ->
    {timeout, 120, fun() ->
        ?assert(proper:quickcheck(prop_any_bytes(), [{numtests, 3000}, quiet])),
        ?assert(proper:quickcheck(prop_text_reads_back(), [{numtests, 1000}, quiet]))
    end}.

%% Reading any bytes gives a term or a fault with an offset within them.
prop_any_bytes() ->
    ?FORALL(Pieces, list(oneof(["{", "}", "[", "]", ",", ":", "\"a\"", "1", "-0.5e1", "null", "true", "\\u", <<255>>, " "])),
        begin
            Text = iolist_to_binary(Pieces),
            try aldis_json:decode(Text) of
                _ -> true
            catch
                throw:{aldis_fault, bad_json, {at, Offset}, []} -> Offset =< byte_size(Text)
            end
        end).

prop_text_reads_back() ->
    ?FORALL(Text, list(oneof([range(0, 16#D7FF), range(16#E000, 16#10FFFF)])),
        begin
            Bytes = unicode:characters_to_binary(Text),
            Bytes =:= aldis_json:decode(iolist_to_binary(aldis_json:text(Bytes, utf8, [])))
        end).
