%% A record of a number, a text, an enum that may be null and a record within, by its table.
-module(aldis_run_tests).

-include_lib("eunit/include/eunit.hrl").

-export([inner/0, colour/0]).

table() ->
    {record, thing, 6, 13, little,
     [{0, 2, id, uint16}, {3, 3, name, {chars, 4, latin1}}, {7, 4, colour, {or_null, 255, fun ?MODULE:colour/0}},
      {8, 5, kind, {constant, small}}, {8, 6, inner, fun ?MODULE:inner/0, 2}]}.

inner() -> {record, inner, 3, 5, little, [{0, 2, low, int8}, {1, 3, high, float32}]}.

colour() -> {number, fun to/2, fun from/1, uint8}.

to(red, _) -> 1;
to(Other, Path) -> aldis_check:int(Other, 0, 255, Path).

from(1) -> red;
from(Other) -> Other.

thing() -> {thing, 258, <<"ab">>, red, small, {inner, -1, 1.5}}.

bytes() -> <<2, 1, 0, "ab", 0, 0, 1, 255, 0, 0, 16#C0, 16#3F>>.

read(Bin, Extent, Version) -> aldis_run:read(table(), Bin, Extent, Version, 1000, [], []).

there_and_back_test() ->
    ?assertEqual(bytes(), aldis_run:write(table(), thing(), [], [])),
    ?assertEqual({thing(), <<7>>, 987}, read(<<(bytes())/binary, 7>>, 13, 2)),
    ?assertEqual({<<7>>, 987}, aldis_run:skip(table(), <<(bytes())/binary, 7>>, 13, 2, 1000, [], [])).

what_is_not_there_is_null_test() ->
    ?assertMatch({{thing, 258, <<"ab">>, red, small, undefined}, <<>>, _}, read(bytes(), 13, 1)),
    ?assertMatch({{thing, 258, undefined, undefined, small, undefined}, _, _}, read(bytes(), 5, 2)),
    ?assertEqual(undefined, aldis_run:field(table(), colour, <<0:56, 255>>, 0)),
    ?assertEqual(small, aldis_run:field(table(), kind, <<>>, 0)).

the_first_wrong_value_is_told_test() ->
    Wrong = fun(Value) -> catch aldis_run:write(table(), Value, [], []) end,
    ?assertEqual({aldis_fault, bad_value, none, []}, Wrong({thing, 1})),
    ?assertEqual({aldis_fault, bad_value, none, [kind]}, Wrong(setelement(5, setelement(2, thing(), -1), large))),
    ?assertEqual({aldis_fault, out_of_range, none, [id]}, Wrong(setelement(2, thing(), -1))),
    ?assertEqual({aldis_fault, out_of_range, none, [low, inner]}, Wrong(setelement(6, thing(), {inner, 128, 0.0}))).

a_cut_is_told_by_its_member_test() ->
    Cut = fun(Bytes, Version) -> catch read(binary:part(bytes(), 0, Bytes), 13, Version) end,
    ?assertMatch({aldis_fault, truncated, 1, [id]}, Cut(1, 2)),
    ?assertMatch({aldis_fault, truncated, 2, [name]}, Cut(5, 2)),
    ?assertMatch({aldis_fault, truncated, 1, [high, inner]}, Cut(10, 2)).
