%% Messages that callers put into the buffer that they share with their client.
-module(aldis_client_front_tests).
-behaviour(aldis_handler).

-include_lib("eunit/include/eunit.hrl").

-compile([export_all, nowarn_export_all]).
-import(testing, [eventually/1]).

-define(DEADLINE, 60000).

front_test_() ->
    [{atom_to_list(Name), {timeout, 300, fun() -> testing:quietly(fun ?MODULE:Name/0) end}}
        || {Name, 0} <- ?MODULE:module_info(exports), lists:suffix("_case", atom_to_list(Name))].

%% The buffer has to be there where it can be built, or the tests below would not be of it.
there_case() -> ?assertEqual(sanitized:buildable(), aldis_front_nif:loaded()).

%% The buffer's code outside of the VM, with sanitizers, against a plain model.
outside_of_the_vm_case() -> sanitized:steps("front_check", 20000, fun(_) -> "" end).

init(_, Test) -> {ok, Test}.
handle_batch(Batch, Test) ->
    Test ! {batch, aldis_batch:first(Batch), lists:reverse(aldis_batch:fold(fun(Message, All) -> [binary:copy(Message) | All] end, [], Batch))},
    {ok, Test}.

%% Whoever sends, in whatever way and at the same time: the number that it got is the message's, and none is missing.
numbers_case() ->
    transport_peer:with_listener(#{handler => {?MODULE, self()}}, fun(Port) ->
        {ok, Client} = aldis_client:start_link(#{host => "127.0.0.1", port => Port, name => fronted, queue_messages => 500, batch_messages => 40}),
        Test = self(),
        Senders = [spawn_link(fun() -> Test ! {self(), [sent(Way(N rem 5, Client), <<Sender:16, N:32>>) || N <- lists:seq(1, 3000)]} end)
            || {Sender, Way} <- [{1, fun by_pid/2}, {2, fun by_name/2}, {3, fun by_pid/2}, {4, fun mixed/2}]],
        Numbers = lists:sort(lists:append([receive {Sender, Sent} -> Sent after ?DEADLINE -> error(timeout) end || Sender <- Senders])),
        ok = aldis_client:flush(Client, ?DEADLINE),
        ?assertEqual(lists:zip(lists:seq(1, 12000), [Message || {_, Message} <- Numbers]), Numbers),
        ?assertEqual(Numbers, lists:sort(batches(12000))),
        ?assertMatch(#{next := 12001, acked := 12000, held_messages := 0, held_bytes := 0}, aldis_client:info(Client)),
        aldis_client:stop(Client)
    end).

by_pid(_, Client) -> fun(Message) -> aldis_client:send(Client, Message) end.
by_name(_, _) -> fun(Message) -> aldis_client:send(fronted, [Message]) end.
mixed(0, Client) -> fun(Message) -> aldis_client:send_many(Client, [Message]) end;
mixed(_, Client) -> by_pid(1, Client).

sent(Send, Message) ->
    {ok, Number} = Send(Message),
    {Number, Message}.

batches(Left) when Left =< 0 -> [];
batches(Left) ->
    receive {batch, First, Messages} ->
        lists:zip(lists:seq(First, First + length(Messages) - 1), Messages) ++ batches(Left - length(Messages))
    after ?DEADLINE -> error(timeout)
    end.

nobody_there() ->
    {ok, Socket} = gen_tcp:listen(0, [{ip, {127, 0, 0, 1}}]),
    {ok, Port} = inet:port(Socket),
    gen_tcp:close(Socket),
    Port.

%% A queue has its bound, by messages and by bytes, wherever they are.
bounds_case() ->
    process_flag(trap_exit, true),
    Port = nobody_there(),
    {ok, Few} = aldis_client:start_link(#{host => "127.0.0.1", port => Port, queue_messages => 5}),
    ?assertEqual([{ok, N} || N <- lists:seq(1, 5)], [aldis_client:send(Few, <<N>>) || N <- lists:seq(1, 5)]),
    ?assertEqual({error, timeout}, aldis_client:send(Few, <<6>>, 10)),
    ?assertMatch(#{next := 6, held_messages := 5, held_bytes := 25}, aldis_client:info(Few)),
    {ok, Small} = aldis_client:start_link(#{host => "127.0.0.1", port => Port, queue_bytes => 100}),
    {ok, 1} = aldis_client:send(Small, <<0:(50 * 8)>>),
    ?assertEqual({error, timeout}, aldis_client:send(Small, <<0:(50 * 8)>>, 10)),
    ?assertEqual({ok, 2}, aldis_client:send(Small, <<0:(42 * 8)>>)),
    ?assertEqual({error, too_large}, aldis_client:send(Small, <<0:(2 * 1048576 * 8)>>)),
    [aldis_client:stop(Client) || Client <- [Few, Small]].

%% A caller that waits for room comes before one that sends later.
waiting_case() ->
    process_flag(trap_exit, true),
    {ok, Client} = aldis_client:start_link(#{host => "127.0.0.1", port => nobody_there(), queue_messages => 10}),
    {ok, 9} = aldis_client:send_many(Client, [<<>> || _ <- lists:seq(1, 9)]),
    Waiting = spawn_link(fun() -> aldis_client:send_many(Client, [<<>>, <<>>], infinity) end),
    eventually(fun() -> {message_queue_len, 0} = process_info(Client, message_queue_len), {status, waiting} = process_info(Waiting, status) end),
    _ = sys:get_state(Client),
    ?assertEqual({error, timeout}, aldis_client:send(Client, <<>>, 10)),
    aldis_client:stop(Client).

%% A client that drains takes nothing more, and what it had before arrives.
drain_case() ->
    transport_peer:with_listener(#{handler => {?MODULE, self()}}, fun(Port) ->
        {ok, Client} = aldis_client:start_link(#{host => "127.0.0.1", port => Port, linger_ms => 10000}),
        Sent = [sent(by_pid(1, Client), <<N:32>>) || N <- lists:seq(1, 100)],
        ok = aldis_client:drain(Client, ?DEADLINE),
        ?assertEqual(Sent, batches(100)),
        ?assertExit({noproc, _}, aldis_client:send(Client, <<>>))
    end).

%% A client that was killed is gone for who knew it, and its name is of the next one.
gone_case() ->
    process_flag(trap_exit, true),
    Options = #{host => "127.0.0.1", port => nobody_there(), name => fronted},
    {ok, First} = aldis_client:start_link(Options),
    {ok, 1} = aldis_client:send(First, <<"a">>),
    {ok, 2} = aldis_client:send(fronted, <<"b">>),
    exit(First, kill),
    receive {'EXIT', First, killed} -> ok end,
    ?assertExit({noproc, _}, aldis_client:send(First, <<"c">>)),
    {ok, Second} = aldis_client:start_link(Options),
    ?assertEqual({ok, 1}, aldis_client:send(fronted, <<"c">>)),
    ?assertMatch(#{held_messages := 1}, aldis_client:info(Second)),
    aldis_client:stop(Second).
