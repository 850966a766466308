%% Checks, text, flags, order, uuids, faults.
-module(aldis_values_tests).

-include_lib("eunit/include/eunit.hrl").

path_test() ->
    ?assertEqual(<<"orders[2].price">>, aldis_fault:path([price, 2, orders])),
    ?assertEqual(<<"m[0][1]">>, aldis_fault:path([1, 0, m])),
    ?assertEqual(<<"a.", "b c">>, aldis_fault:path([<<"b c">>, a])),
    ?assertEqual(<<>>, aldis_fault:path([])).

long_names_are_cut_between_characters_test() ->
    Whole = binary:copy(<<"k">>, 600),
    ?assertEqual(Whole, aldis_fault:path([Whole])),
    Ends = binary:copy(<<"k">>, 200),
    Cut = fun(First, Left, Last) ->
        <<First/binary, "… ("/utf8, (integer_to_binary(Left))/binary, " more bytes) …"/utf8, Last/binary>>
    end,
    ?assertEqual(Cut(Ends, 201, Ends), aldis_fault:path([<<Whole/binary, "k">>])),
    Wide = fun(Count) -> binary:copy(<<"€"/utf8>>, Count) end,
    ?assertEqual(<<"a.", (Cut(Wide(66), 2_999_604, Wide(66)))/binary>>, aldis_fault:path([Wide(1_000_000), a])).

offset_test() ->
    ?assertEqual({error, {truncated, 6, <<"x">>}}, aldis_fault:error({aldis_fault, truncated, 4, [x]}, 10)),
    ?assertEqual({error, {bad_json, 3, <<>>}}, aldis_fault:error({aldis_fault, bad_json, {at, 3}, []}, none)),
    ?assertEqual({error, {bad_value, '-', <<>>}}, aldis_fault:error({aldis_fault, bad_value, none, []}, 10)).

chars_test() ->
    ?assertEqual(<<"ab", 0, 0>>, aldis_text:chars(<<"ab">>, 4, latin1, [])),
    ?assertEqual(<<"é"/utf8, 0>>, aldis_text:chars("é", 3, utf8, [])),
    ?assertEqual(<<"ab">>, aldis_text:cut(<<"ab", 0, "c">>)),
    ?assertThrow({aldis_fault, out_of_range, none, [c]}, aldis_text:chars(<<"abc">>, 2, latin1, [c])),
    ?assertThrow({aldis_fault, out_of_range, none, [c]}, aldis_text:chars("€", 9, latin1, [c])),
    ?assertThrow({aldis_fault, bad_value, none, [c]}, aldis_text:chars(abc, 9, utf8, [c])),
    ?assertThrow({aldis_fault, bad_value, none, [c]}, aldis_text:bytes([300], [c])).

flags_test() ->
    Bits = [{1, r}, {2, w}],
    Masks = [{none, 0}, {r, 1}, {w, 2}, {rw, 3}],
    ?assertEqual([r, w, {unknown, 12}], aldis_flags:from_number(15, Bits)),
    ?assertEqual(15, aldis_flags:to_number([rw, {unknown, 12}], Masks, 255, [])),
    ?assertEqual(-1, aldis_flags:signed(255, 8)),
    ?assertThrow({aldis_fault, bad_value, none, [f]}, aldis_flags:to_number([x], Masks, 255, [f])),
    ?assertThrow({aldis_fault, bad_value, none, [f]}, aldis_flags:to_number(r, Masks, 255, [f])),
    ?assertThrow({aldis_fault, out_of_range, none, [f]}, aldis_flags:to_number([{unknown, 256}], Masks, 255, [f])).

%% Bytes are no text: 233 is one byte of it, and two of UTF-8.
order_of_bytes_test() ->
    ?assertEqual(<<233, 200>>, aldis_order:bytes([233, [200]])),
    ?assertEqual(aldis_order:bytes(<<233>>), aldis_order:bytes([233])),
    ?assertEqual(<<"é"/utf8>>, aldis_order:text([233])),
    ?assertEqual(foo, aldis_order:bytes(foo)).

checks_test() ->
    ?assertThrow({aldis_fault, out_of_range, none, [n]}, aldis_check:int(256, 0, 255, [n])),
    ?assertThrow({aldis_fault, bad_value, none, [n]}, aldis_check:int(1.0, 0, 255, [n])),
    ?assertThrow({aldis_fault, bad_value, none, [n]}, aldis_check:list([a | b], [n])),
    ?assertThrow({aldis_fault, out_of_range, none, [n]}, aldis_check:array([a], 2, [n])),
    ?assertThrow({aldis_fault, too_deep, none, [n]}, aldis_check:depth(65, [n])),
    ?assertEqual(ok, aldis_check:depth(64, [n])).

float_order_test() ->
    Sorted = ['-infinity', -1.0, 0.0, 2.5, infinity, nan],
    ?assertEqual(Sorted, aldis_order:values([{aldis_order:float(F), F} || F <- lists:reverse(Sorted) ++ [0.0, nan]])),
    ?assert(aldis_order:float(-0.0) == aldis_order:float(0.0)).

uuid_test() ->
    Text = <<"e7854072-f0a5-11e8-8f69-ac220bcdd8e0">>,
    {ok, Uuid} = aldis_uuid:from_text(Text),
    ?assertEqual(Text, aldis_uuid:to_text(Uuid)),
    ?assertEqual({ok, Uuid}, aldis_uuid:from_text(string:uppercase(Text))),
    [?assertEqual(error, aldis_uuid:from_text(Bad))
        || Bad <- [<<>>, <<"e7854072f0a511e88f69ac220bcdd8e0">>, <<"g7854072-f0a5-11e8-8f69-ac220bcdd8e0">>]],
    ?assertMatch(<<_:48, 4:4, _:12, 2:2, _:62>>, aldis_uuid:v4()),
    ?assertMatch(<<_:48, 1:4, _:12, 2:2, _:62>>, aldis_uuid:v1()).

time_test() ->
    ?assertEqual(<<"2018-11-25T11:39:46.060361000Z">>, aldis_time:to_rfc3339(1543145986060361000)),
    ?assert(aldis_time:now() > 1543145986060361000).

copy_test() ->
    Whole = binary:copy(<<"x">>, 10000),
    Record = {r, binary:part(Whole, 0, 100), [#{binary:part(Whole, 0, 90) => 1}]},
    Decoded = fun(Result, Options) -> aldis:decoded(fun(_) -> Result end, Whole, Options) end,
    {ok, {r, Copied, [Map]}, <<>>} = Decoded({ok, Record, <<>>}, #{copy => true}),
    ?assertEqual(100, binary:referenced_byte_size(Copied)),
    [Key] = maps:keys(Map),
    ?assertEqual(90, binary:referenced_byte_size(Key)),
    ?assertEqual({ok, Record, <<>>}, Decoded({ok, Record, <<>>}, #{})),
    {ok, Value} = Decoded({ok, binary:part(Whole, 0, 100)}, #{copy => true}),
    ?assertEqual(100, binary:referenced_byte_size(Value)).

%% A decoder that visits no byte takes all limits there are.
limits_test() ->
    Decode = fun(<<Value:4/binary, Rest/binary>>) -> {ok, Value, Rest}; (_) -> {error, {truncated, 0, <<>>}} end,
    Decoded = fun(Bin, Limits) -> aldis:decoded(Decode, Bin, #{limits => Limits}) end,
    [?assertEqual({ok, <<"1234">>, <<"5">>}, Decoded(<<"12345">>, Limits)) || Limits <- [default, reference, 0]],
    ?assertEqual({error, {truncated, 0, <<>>}}, Decoded(<<"1">>, 0)),
    [?assertError(badarg, Decoded(<<"1">>, Wrong)) || Wrong <- [-1, 1.0, large, []]].

%% The careful reader is asked only where the usual one does not decide.
usual_first_test() ->
    Usual = fun(<<"a">>) -> {ok, usual}; (_) -> {error, {too_large, 0, <<>>}} end,
    Careful = fun(_, Limits) -> {ok, {careful, Limits}} end,
    Decoded = fun(Bin, Options) -> aldis:decoded(Usual, Careful, Bin, Options) end,
    ?assertEqual({ok, usual}, Decoded(<<"a">>, #{limits => reference})),
    ?assertEqual({ok, {careful, reference}}, Decoded(<<"b">>, #{limits => reference})),
    ?assertEqual({ok, {careful, 10}}, Decoded(<<"a">>, #{limits => 10})),
    [?assertMatch({error, _}, Decoded(<<"b">>, Options)) || Options <- [#{}, #{limits => default}]].
