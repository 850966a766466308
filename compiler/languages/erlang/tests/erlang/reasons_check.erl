%% The words that users read about values, JSON and bytes that are refused.
-module(reasons_check).

-include("reasons.hrl").

-export([main/0]).

-spec main() -> no_return().
main() ->
    Cases = values() ++ json() ++ bytes() ++ new(),
    [stop(Given, Wanted) || {Given, Wanted} <- Cases, Given =/= Wanted],
    io:format("~b~n", [length(Cases)]),
    halt(0).

stop(Given, Wanted) ->
    io:format("~ts~nin place of~n~ts~n", [Given, Wanted]),
    halt(1).

of_value(Value) ->
    {error, Reason} = reasons:'encode_Match'(Value),
    reasons:format_error(Reason, 'Match', Value).

values() ->
    New = reasons:'new_Match'(),
    Part = reasons:'new_Part'(),
    [{of_value(Value), Text} || {Value, Text} <- [
        {New#'Match'{id = 1 bsl 40}, <<"id: 1099511627776 is not a whole number from 0 to 4294967295 (out_of_range)">>},
        {New#'Match'{id = <<"7">>}, <<"id: \"7\" is not a whole number from 0 to 4294967295 (bad_value)">>},
        {New#'Match'{id = undefined}, <<"id: it has no value, and must be a whole number from 0 to 4294967295 (bad_value)">>},
        {New#'Match'{team = red}, <<"team: red is none of home, away, and no number from 0 to 255 (bad_value)">>},
        {New#'Match'{team = 256}, <<"team: 256 is none of home, away, and no number from 0 to 255 (out_of_range)">>},
        {New#'Match'{guest = red}, <<"guest: red is none of home, away, and no number from 0 to 255 (bad_value)">>},
        {New#'Match'{both = [home, red]}, <<"both: element 1: red is none of home, away, and no number from 0 to 255 (bad_value)">>},
        {New#'Match'{both = [home]}, <<"both: a list of 1 is not a list of 2 (out_of_range)">>},
        {New#'Match'{marks = [third]}, <<"marks: element 0: third is none of first, last (bad_value)">>},
        {New#'Match'{name = 7}, <<"name: 7 is not text (bad_value)">>},
        {New#'Match'{key = <<"short">>}, <<"key: \"short\" is not a uuid (bad_value)">>},
        {New#'Match'{whole = part}, <<"whole: part is not a Part of size, team (bad_value)">>},
        {New#'Match'{parts = [Part, Part#'Part'{size = 40000}]},
            <<"parts[1].size: 40000 is not a whole number from -32768 to 32767 (out_of_range)">>},
        {New#'Match'{byName = [a]}, <<"byName: this list is not a map, with each key once (bad_value)">>},
        {New#'Match'{pin = 1234}, <<"pin: the value *** is not a whole number from -128 to 127 (out_of_range)">>}
    ]].

of_json(Json) ->
    {error, Reason} = reasons:'from_json_Match'(Json),
    reasons:format_error(Reason, 'Match', Json).

json() ->
    Long = fun(Count) -> binary:copy(<<"k">>, Count) end,
    [{of_json(Json), Text} || {Json, Text} <- [
        {<<"{\"", (Long(3_000_000))/binary, "\":1}">>,
            <<(Long(200))/binary, "… (2999600 more bytes) …"/utf8, (Long(200))/binary,
                ": there is no such field; there are id, team, guest, both, marks, name, raw, key, price, whole, parts, byName, "
                "pin (bad_json)">>},
        {<<"{\"id\":-1}">>, <<"id: -1 is not a whole number from 0 to 4294967295 (out_of_range)">>},
        {<<"{\"team\":\"red\"}">>, <<"team: \"red\" is none of home, away, and no number from 0 to 255 (bad_json)">>},
        {<<"{\"taem\":\"home\"}">>,
            <<"taem: there is no such field; there are id, team, guest, both, marks, name, raw, key, price, whole, parts, "
                "byName, pin (bad_json)">>},
        {<<"{\"parts\":[{\"size\":\"x\"}]}">>,
            <<"parts[0].size: \"x\" is not a whole number from -32768 to 32767 (bad_json)">>},
        {<<"{\"id\":7 \"team\":1}">>,
            <<"byte 8: this is no JSON, or not the JSON of this message, at the character \" (bad_json)">>}
    ]].

bytes() ->
    {error, Reason} = reasons:'decode_Match'(<<1, 2, 3>>),
    [
        {reasons:format_error(Reason, 'Match'), <<"size, byte 0: the bytes end too early (truncated)">>},
        {reasons:format_error(Reason, 'Match', <<1, 2, 3>>), <<"size, byte 0: the bytes end too early: there are 3 (truncated)">>}
    ].

%% A new record holds enumerants, since that is what its types say.
new() ->
    #'Match'{team = Team, both = Both, whole = #'Part'{team = Inner}} = reasons:'new_Match'(),
    [{Team, home}, {Both, [home, home]}, {Inner, home}].
