-module(aldis_reason_tests).

-include_lib("eunit/include/eunit.hrl").

about(node) -> {record, [{'', {named, choice}}, {next, {optional, {named, node}}}, {names, {list, text}}]};
about(choice) -> {union, [{left, uint8}, {right, {named, node}}]};
about(colour) -> {enum, [red, green], uint8}.

words(Reason, Given) -> aldis_reason:format(Reason, node, Given, fun about/1).

every_code_has_words_test() ->
    Codes = [bad_pointer, truncated, bad_count, bad_text, bad_value, too_deep, too_large, unknown_message, bad_json, out_of_range],
    Words = [aldis_reason:format({Code, 7, <<"a.b[1]">>}) || Code <- Codes],
    ?assertEqual(length(Codes), length(lists:usort(Words))),
    [?assertMatch(<<"a.b[1], byte 7: ", _/binary>>, Text) || Text <- Words].

arms_of_an_unnamed_union_are_found_beside_fields_test() ->
    Wrong = {node, {left, 300}, undefined, []},
    Said = <<"left: 300 is not a whole number from 0 to 255 (out_of_range)">>,
    ?assertEqual(Said, words({out_of_range, '-', <<"left">>}, Wrong)),
    ?assertEqual(Said, words({out_of_range, '-', <<"left">>}, #{union => {left, 300}, next => nil, names => []})),
    ?assertEqual(Said, words({out_of_range, '-', <<"left">>}, <<"{\"left\":300}">>)),
    ?assertEqual(<<"next.right.left: 300 is not a whole number from 0 to 255 (out_of_range)">>,
        words({out_of_range, '-', <<"next.right.left">>}, {node, x, {node, {right, Wrong}, undefined, []}, []})).

names_that_are_not_there_get_those_that_are_test() ->
    ?assertEqual(<<"lfet: there is no such field; there are left, right (bad_json)">>, words({bad_json, '-', <<"lfet">>}, none)),
    ?assertEqual(<<"a: there is no such field; there are b (bad_json)">>,
        aldis_reason:format({bad_json, '-', <<"a">>}, one, none, fun(one) -> {record, [{b, bool}]} end)).

%% A quoted value stays short, readable, and does not command a terminal.
values_are_shown_with_care_test() ->
    Shown = fun(Value) -> aldis_reason:format({bad_value, '-', <<"c">>}, r, {r, Value}, fun(r) -> {record, [{c, {named, colour}}]}; (N) -> about(N) end) end,
    Rest = <<" is none of red, green, and no number from 0 to 255 (bad_value)">>,
    [?assertEqual(<<"c: ", Words/binary, Rest/binary>>, Shown(Value)) || {Value, Words} <- [
        {blue, <<"blue">>}, {<<"blue">>, <<"\"blue\"">>}, {1 bsl 4000, <<"a very large number">>}, {<<255, 254>>, <<"\"\"">>},
        {<<27, "[31mred">>, <<"\"[31mred\"">>}, {{a, b}, <<"this value">>}, {#{}, <<"this map">>}, {<<1:3>>, <<"this value">>},
        {binary:copy(<<"é"/utf8>>, 100), <<"\"", (binary:copy(<<"é"/utf8>>, 20))/binary, "…\""/utf8>>}
    ]].

%% Paths come from names that may be renamed to anything.
odd_paths_get_words_test() ->
    [?assertMatch(<<_, _/binary>>, words({Code, '-', Path}, Given)) ||
        Code <- [bad_value, out_of_range, bad_json], Path <- [<<>>, <<".">>, <<"[">>, <<"[x]">>, <<"names[">>, <<"names[0]">>,
            <<"names[9]">>, <<"a.b.c">>, <<"next.next.names[1].x">>],
        Given <- [none, 7, <<>>, <<"{">>, <<"[]">>, [a | b], {}, {node}, {node, 1, 2, 3}, #{}, #{union => 1}]].
