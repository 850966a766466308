-module(aldis_producers_tests).

-include_lib("eunit/include/eunit.hrl").

-define(A, <<1:128>>).
-define(B, <<2:128>>).
-define(C, <<3:128>>).
%% Milliseconds: on the slowest machine a claim that is granted or refused takes less, and one that is busy takes these.
-define(PATIENCE, 30000).
-define(BUSY, 200).

%% A test that fails leaves neither its list nor its messages to the next one.
producers_test_() ->
    [{Name, {spawn, {timeout, 60, fun() ->
        {ok, _} = application:ensure_all_started(aldis),
        {ok, Pid} = aldis_producers:start_link(tests, #{max_producers => 2}),
        try Test() after gen_server:stop(Pid) end
    end}}} || {Name, Test} <- [
        {"one holder at a time, and what it left is kept", fun held/0},
        {"of those who wait the last one gets it", fun waiting/0},
        {"what was accepted before does not come after", fun late/0},
        {"a holder that does not end", fun busy/0},
        {"a holder that lets go", fun released/0},
        {"those gone longest are forgotten", fun forgotten/0},
        {"epochs that are counted here", fun next/0},
        {"whose a producer is", fun owners/0},
        {"strangers bring so many new ones and no more", fun strangers/0}
    ]].

%% A process that claims, tells the outcome, sets the last sequence when told, and ends.
claimer(Producer, Epoch) -> claimer(Producer, Epoch, erlang:unique_integer([monotonic]), ?PATIENCE).

claimer(Producer, Epoch, Accepted, Timeout) ->
    Test = self(),
    spawn_link(fun() ->
        Claimed = case aldis_producers:claim(tests, Producer, Epoch, <<0:128>>, Accepted, Timeout) of
            {ok, Epoch, Atomic} -> {ok, Atomic};
            Refused -> Refused
        end,
        Test ! {self(), Claimed},
        receive {leave, Last} ->
            {ok, Kept} = Claimed,
            atomics:put(Kept, 1, Last)
        end
    end).

refused_as_busy() ->
    ?assertEqual({error, busy}, claimed(claimer(?A, 1, erlang:unique_integer([monotonic]), ?BUSY))).

claimed(Pid) -> receive {Pid, Claimed} -> Claimed after ?PATIENCE -> none end.

last(Pid) ->
    {ok, Atomic} = claimed(Pid),
    atomics:get(Atomic, 1).

leave(Pid, Last) ->
    Monitor = erlang:monitor(process, Pid),
    Pid ! {leave, Last},
    receive {'DOWN', Monitor, process, _, _} -> ok after 60000 -> error(timeout) end.

next() ->
    Claim = fun(Producer, Epoch) -> aldis_producers:claim(tests, Producer, Epoch, <<0:128>>, erlang:unique_integer([monotonic]), ?PATIENCE) end,
    [begin
        ?assertMatch({ok, Epoch, _}, Claim(?A, next)),
        aldis_producers:release(tests, ?A)
    end || Epoch <- [1, 2, 3]],
    ?assertMatch({error, {stale_epoch, 3}}, Claim(?A, 2)),
    %% An epoch from a clock is only a number: the next one follows it.
    ?assertMatch({ok, 2000000000, _}, Claim(?B, 2000000000)),
    aldis_producers:release(tests, ?B),
    ?assertMatch({ok, 2000000001, _}, Claim(?B, next)).

owners() ->
    Claim = fun(Identity) -> aldis_producers:claim(tests, ?A, 1, Identity, erlang:unique_integer([monotonic]), ?PATIENCE) end,
    {ok, 1, _} = Claim(<<1:128>>),
    ?assertEqual({error, not_owner}, Claim(<<2:128>>)),
    receive aldis_superseded -> error(told) after 0 -> ok end,
    aldis_producers:release(tests, ?A),
    ?assertEqual({error, not_owner}, Claim(<<0:128>>)),
    ?assertMatch({ok, 1, _}, Claim(<<1:128>>)).

strangers() ->
    Admitted = [N || N <- lists:seq(1, 11000), aldis_producers:admitted(tests, <<N:128>>, {10, 0, 0, 1})],
    ?assert(length(Admitted) >= 10000),
    ?assert(length(Admitted) < 10500),
    ?assert(aldis_producers:admitted(tests, ?A, {10, 0, 0, 2})).

held() ->
    First = claimer(?A, 1),
    ?assertEqual(0, last(First)),
    ?assertEqual({error, {stale_epoch, 1}}, claimed(claimer(?A, 0))),
    Second = claimer(?A, 1),
    leave(First, 7),
    ?assertEqual(7, last(Second)),
    leave(Second, 8),
    Third = claimer(?A, 2),
    ?assertEqual(0, last(Third)),
    ?assertEqual({error, {stale_epoch, 2}}, claimed(claimer(?A, 1))),
    leave(Third, 1).

waiting() ->
    First = claimer(?A, 1),
    0 = last(First),
    Second = claimer(?A, 3),
    %% The list has seen the second one when it asks the first one to end.
    testing:eventually(fun() -> {messages, [aldis_superseded]} =:= process_info(First, messages) end),
    ?assertEqual({error, {stale_epoch, 3}}, claimed(claimer(?A, 2))),
    Third = claimer(?A, 3),
    ?assertEqual({error, superseded}, claimed(Second)),
    leave(First, 5),
    ?assertEqual(0, last(Third)),
    leave(Third, 1).

late() ->
    Before = erlang:unique_integer([monotonic]),
    {ok, 1, _} = aldis_producers:claim(tests, ?A, 1, <<0:128>>, erlang:unique_integer([monotonic]), ?PATIENCE),
    ?assertEqual({error, superseded}, claimed(claimer(?A, 1, Before, ?PATIENCE))),
    receive aldis_superseded -> error(told) after 0 -> ok end,
    Newer = claimer(?A, 2, Before, ?PATIENCE),
    receive aldis_superseded -> ok after 60000 -> error(timeout) end,
    ok = aldis_producers:release(tests, ?A),
    ?assertEqual(0, last(Newer)),
    leave(Newer, 1).

busy() ->
    First = claimer(?A, 1),
    0 = last(First),
    refused_as_busy(),
    leave(First, 1).

released() ->
    {ok, 1, Atomic} = aldis_producers:claim(tests, ?A, 1, <<0:128>>, erlang:unique_integer([monotonic]), ?PATIENCE),
    atomics:put(Atomic, 1, 4),
    ok = aldis_producers:release(tests, ?B),
    Next = claimer(?A, 1),
    receive aldis_superseded -> ok after 60000 -> error(timeout) end,
    ok = aldis_producers:release(tests, ?A),
    ?assertEqual(4, last(Next)),
    %% Not the caller's any more.
    ok = aldis_producers:release(tests, ?A),
    refused_as_busy(),
    leave(Next, 5).

forgotten() ->
    [begin
        Pid = claimer(Producer, 5),
        0 = last(Pid),
        leave(Pid, 9)
    end || Producer <- [?A, ?B, ?C]],
    eventually_last(?C, 9),
    eventually_last(?B, 9),
    eventually_last(?A, 0).

eventually_last(Producer, Last) ->
    Pid = claimer(Producer, 5),
    ?assertEqual(Last, last(Pid)),
    leave(Pid, Last).
