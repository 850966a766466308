-module(aldis_json_sparse_tests).

-include_lib("eunit/include/eunit.hrl").

code(Fun) ->
    try Fun() of
        Result -> Result
    catch
        throw:{aldis_fault, Code, none, _} -> Code
    end.

fields(Text, Keys) -> fields(Text, Keys, 1).

fields(Text, Keys, Depth) -> code(fun() -> aldis_json_sparse:fields(aldis_json:decode(Text), Keys, Depth, []) end).

fields_test() ->
    Keys = [<<"a">>, [<<"x">>, <<"y">>]],
    ?assertEqual([missing, missing], fields(<<"{}">>, Keys)),
    ?assertEqual([null, {<<"y">>, true}], fields(<<"{\"y\":true,\"other\":[{}],\"a\":null}">>, Keys)),
    ?assertEqual(bad_json, fields(<<"{\"y\":true,\"x\":1}">>, Keys)),
    ?assertEqual(bad_json, fields(<<"[]">>, Keys)).

%% Values that are passed over may not nest deeper than those that are read.
skipped_test() ->
    Nested = fun(Levels) ->
        iolist_to_binary(["{\"z\":", lists:duplicate(Levels, "["), lists:duplicate(Levels, "]"), "}"])
    end,
    ?assertEqual([missing], fields(Nested(63), [<<"a">>])),
    ?assertEqual(too_deep, fields(Nested(64), [<<"a">>])),
    ?assertEqual([missing], fields(Nested(4), [<<"a">>], 60)),
    ?assertEqual(too_deep, fields(Nested(5), [<<"a">>], 60)).

integer(Text) -> code(fun() -> aldis_json_sparse:to_integer(aldis_json:decode(Text), -5, 300, []) end).

integers_are_numbers_or_strings_test() ->
    [?assertEqual(300, integer(Text)) || Text <- [<<"300">>, <<"\"300\"">>, <<"3e2">>, <<"\"3.0e2\"">>]],
    [?assertEqual(out_of_range, integer(Text)) || Text <- [<<"301">>, <<"\"301\"">>, <<"\"1.5\"">>]],
    [?assertEqual(bad_json, integer(Text))
        || Text <- [<<"\"\"">>, <<"\" 1\"">>, <<"\"1 \"">>, <<"\"x\"">>, <<"\"null\"">>, <<"\"[1]\"">>, <<"null">>]].

floats_test() ->
    ?assertEqual(nan, aldis_json_sparse:to_float32(null, [])),
    ?assertEqual(infinity, aldis_json_sparse:to_float64(<<"Infinity">>, [])),
    ?assertEqual(1.5, aldis_json_sparse:to_float64({number, <<"1.5">>}, [])).

bytes_test() ->
    ?assertEqual(<<"[0,255]">>, iolist_to_binary(aldis_json_sparse:byte_array([<<0>>, 255], []))),
    ?assertEqual(<<0, 255>>, aldis_json_sparse:to_byte_array(aldis_json:decode(<<"[0,255]">>), [])),
    ?assertEqual(out_of_range, code(fun() -> aldis_json_sparse:to_byte_array([{number, <<"256">>}], []) end)),
    ?assertEqual(bad_json, code(fun() -> aldis_json_sparse:to_byte_array(<<"AP8=">>, []) end)).

objects_leave_out_what_is_not_there_test() ->
    ?assertEqual(<<"{}">>, iolist_to_binary(aldis_json_sparse:object([[], []]))),
    ?assertEqual(<<"{\"a\":1,\"b\":null}">>,
        iolist_to_binary(aldis_json_sparse:object([[<<"\"a\":">>, <<"1">>], [], [<<"\"b\":">>, <<"null">>]]))).

%% The members of an object count from the level around it, whether they are known or not.
members_test() ->
    Members = fun(Text, Depth) ->
        code(fun() -> aldis_json_sparse:members(aldis_json:decode(Text), Depth, []) end)
    end,
    ?assertEqual(#{}, Members(<<"{}">>, 64)),
    ?assertEqual(#{<<"a">> => null, <<"b">> => {[]}}, Members(<<"{\"a\":null,\"b\":{}}">>, 63)),
    ?assertEqual(too_deep, Members(<<"{\"a\":null,\"b\":{}}">>, 64)),
    ?assertEqual(too_deep, Members(<<"{\"a\":[[]]}">>, 63)),
    ?assertEqual(bad_json, Members(<<"[]">>, 1)).

deeper_test() ->
    ?assert(aldis_json_sparse:deeper(63)),
    ?assertNot(aldis_json_sparse:deeper(64)).

%% A name stands for an arm whose value is the name, but for one that cannot be read.
read(<<"wide">>) -> throw({aldis_fault, out_of_range, none, []});
read(Name) -> {arm, Name}.

one_arm_is_given_test() ->
    Given = fun(Names) -> code(fun() -> aldis_json_sparse:given(Names, fun read/1, []) end) end,
    ?assertEqual(missing, Given([{<<"a">>, false}])),
    ?assertEqual({arm, <<"b">>}, Given([{<<"a">>, false}, {<<"b">>, true}])),
    ?assertEqual(bad_json, Given([{<<"a">>, true}, {<<"b">>, true}])),
    ?assertEqual(out_of_range, Given([{<<"a">>, true}, {<<"wide">>, true}])).

an_arm_is_told_test() ->
    ReadTold = fun(Name) -> {told, Name} end,
    Told = fun(Name, Names) ->
        code(fun() -> aldis_json_sparse:told(Name, ReadTold, Names, fun read/1, []) end)
    end,
    Names = [{<<"a">>, true}, {<<"b">>, false}],
    ?assertEqual({arm, <<"a">>}, Told(missing, Names)),
    ?assertEqual({told, <<"b">>}, Told(<<"b">>, Names)),
    [?assertEqual(bad_json, Told(Name, Names)) || Name <- [<<"c">>, null, 1, {[]}, [<<"a">>]]].

hex_test() ->
    ?assertEqual(<<"\"000aff\"">>, iolist_to_binary(aldis_json_sparse:hex([<<0, 10>>, 255], []))),
    ?assertEqual(<<"\"\"">>, iolist_to_binary(aldis_json_sparse:hex(<<>>, []))),
    Hex = fun(Json) -> code(fun() -> aldis_json_sparse:to_hex(Json, []) end) end,
    ?assertEqual(<<0, 10, 255>>, Hex(<<"000aFf">>)),
    ?assertEqual(<<>>, Hex(<<>>)),
    [?assertEqual(bad_json, Hex(Json)) || Json <- [<<"0">>, <<"0g">>, <<"g0">>, <<" 00 ">>, null, [0], <<"\x{e9}"/utf8>>]].

%% The table of an object whose member `kind' tells what it holds: a number, a flattened record, or nothing.
shape() ->
    Number = {field, {number, <<"number">>, <<"\"number\":">>, uint8}, []},
    Nothing = {field, {nothing, <<"nothing">>, <<"\"nothing\":">>, {void, undefined}}, {absent, undefined}},
    Flat = {flat, flat, <<"f_">>, <<"f_">>, fun flat/0, [], true, []},
    {choice, shaped, {<<"kind">>, <<"\"kind\":">>, none},
        [{number, <<"number">>, Number, <<"\"number\"">>, Number},
         {flat, <<"flat">>, Flat, <<"\"flat\"">>, Flat},
         {nothing, <<"nothing">>, Nothing, <<"\"nothing\"">>, Nothing}],
        [{number, 0}]}.

flat() -> {object, [<<"x">>], {record, pair}, record, [{field, {x, <<"x">>, <<"\"x\":">>, uint8}, [undefined, []]}]}.

objects_of_tables_go_there_and_back_test() ->
    There = fun(Value) -> aldis_json_table:to_json(shape(), Value) end,
    Back = fun(Text) -> aldis_json_table:from_json(shape(), Text) end,
    [begin
        ?assertEqual({ok, Text}, There(Value)),
        ?assertEqual({ok, Value}, Back(Text))
     end || {Value, Text} <- [
        {{number, 7}, <<"{\"kind\":\"number\",\"number\":7}">>},
        {{flat, {pair, 8}}, <<"{\"kind\":\"flat\",\"f_x\":8}">>}
     ]],
    ?assertEqual({ok, <<"{\"kind\":\"nothing\"}">>}, There({nothing, undefined})),
    ?assertEqual({ok, {flat, {pair, 3}}}, Back(<<"{\"f_x\":3}">>)),
    ?assertEqual({ok, {number, 0}}, Back(<<"{}">>)),
    [?assertMatch({error, {bad_value, '-', _}}, There(Wrong)) || Wrong <- [{nothing, 1}, {other, 1}, {flat, {pair}}, x]],
    ?assertEqual({ok, <<"{}">>}, aldis_json_table:to_json(flat(), {pair, undefined})).
