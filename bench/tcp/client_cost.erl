%% client_cost: the CPU time that sending a message of 32 bytes takes in Erlang, by all ways; `server PORT' is what all clients may send to.
-module(client_cost).

-export([main/1]).
-export([init/2, handle_batch/2]).

init(_, State) -> {ok, State}.
handle_batch(_, State) -> {ok, State}.

main(["server", Port]) ->
    {ok, _} = application:ensure_all_started(aldis),
    {ok, _} = aldis_server:start_listener(cost, #{port => list_to_integer(Port), ip => {127, 0, 0, 1}, handler => {?MODULE, []}}),
    receive after infinity -> ok end;
main(["client", Port]) ->
    {ok, Client} = aldis_client:start_link(#{host => "127.0.0.1", port => list_to_integer(Port)}),
    {ok, 1} = aldis_client:send(Client, <<0:256>>),
    ok = aldis_client:flush(Client, 60000),
    [measured(Way, Count, Client) || {Way, Count} <- [{send, 2000000}, {send_many, 2000000}, {batch, 2000000}], _ <- [1, 2, 3]],
    halt().

measured(Way, Count, Client) ->
    {Before, _} = statistics(runtime),
    sent(Way, Client, <<0:256>>, Count),
    ok = aldis_client:flush(Client, 60000),
    {After, _} = statistics(runtime),
    io:format("~-10s ~7.1f ns of CPU a message, all threads~n", [Way, (After - Before) * 1.0e6 / Count]).

sent(send, Client, Message, Count) -> lists:foreach(fun(_) -> {ok, _} = aldis_client:send(Client, Message) end, lists:seq(1, Count));
sent(send_many, Client, Message, Count) ->
    Thousand = lists:duplicate(1000, Message),
    lists:foreach(fun(_) -> {ok, _} = aldis_client:send_many(Client, Thousand) end, lists:seq(1, Count div 1000));
sent(batch, Client, Message, Count) -> gathered(Count, Message, aldis_client_batch:new(Client)).

gathered(0, _, Batch) -> {ok, _, _} = aldis_client_batch:push(Batch);
gathered(Count, Message, Batch) ->
    {ok, More} = aldis_client_batch:add(Message, Batch),
    gathered(Count - 1, Message, More).
