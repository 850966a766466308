%% @doc Budgets and levels, as generated readers keep them.
-module(aldis_wire_tests).

-include_lib("eunit/include/eunit.hrl").

%% Bytes are charged up to the last one, also if limits ask for no surcharges.
a_budget_without_surcharges_test() ->
    Budget = aldis_wire:budget(reference, <<>>, 0),
    ?assertEqual(0, aldis_wire:surcharged(Budget, 24)),
    Left = aldis_wire:charge(Budget, 16#4000000 - 4, 24, <<>>, []),
    None = aldis_wire:charge(Left, 4, 24, <<>>, []),
    ?assertEqual(None, aldis_wire:charge(None, 0, 24, <<>>, [])),
    ?assertThrow({aldis_fault, too_large, _, _}, aldis_wire:charge(None, 1, <<>>, [])),
    ?assertThrow({aldis_fault, too_large, _, _}, aldis_wire:charge(Left, 5, <<>>, [])).

a_budget_with_surcharges_test() ->
    Budget = aldis_wire:budget(1000, <<>>, 0),
    ?assertEqual(24, aldis_wire:surcharged(Budget, 24)),
    ?assertEqual(0, aldis_wire:charge(Budget, 976, 24, <<>>, [])),
    ?assertThrow({aldis_fault, too_large, _, _}, aldis_wire:charge(Budget, 977, 24, <<>>, [])).

%% A root record is read at the depth from which so many levels are left.
depth_test() ->
    ?assertEqual(1, aldis_wire:depth(default)),
    Root = aldis_wire:depth({reference, 3}),
    ?assertEqual(ok, aldis_wire:check_depth(Root + 2, <<>>, [])),
    ?assertThrow({aldis_fault, too_deep, _, _}, aldis_wire:check_depth(Root + 3, <<>>, [])).
