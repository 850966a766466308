%% Batches in the caller's process, and what those are told who wait in vain.
-module(aldis_client_batch_tests).

-include_lib("eunit/include/eunit.hrl").
-include("properties.hrl").

-import(transport_peer, [with_listener/2]).

%% Under any bounds, all messages come once, in order, and their numbers are right.
property_test_() ->
    {timeout, 120, fun() ->
        {ok, _} = application:ensure_all_started(aldis),
        with_listener(#{}, fun(Port) ->
            {ok, Client} = aldis_client:start_link(#{host => "127.0.0.1", port => Port}),
            ?assert(proper:quickcheck(prop_in_order(Client), [{numtests, 60}, {to_file, user}])),
            ok = aldis_client:stop(Client)
        end)
    end}.

prop_in_order(Client) ->
    ?FORALL({Messages, Most, Bytes}, {list(oneof([binary(), [binary(), $x], proper_types:binary(40)])), range(1, 20), range(1, 100)}, begin
        #{next := Next} = aldis_client:info(Client),
        Added = lists:foldl(fun(Message, Batch) ->
            {ok, More} = aldis_client_batch:add(Message, Batch),
            More
        end, aldis_client_batch:new(Client, #{messages => Most, bytes => Bytes}), Messages),
        {ok, Last, Empty} = aldis_client_batch:push(Added),
        ok = aldis_client:flush(Client, 60000),
        {ok, none, Empty} = aldis_client_batch:push(Empty),
        #{next := After} = aldis_client:info(Client),
        Count = length(Messages),
        [iolist_to_binary(Message) || Message <- Messages] =:= transport_peer:messages(Count) andalso After =:= Next + Count
            andalso (Last =:= none orelse Last =:= After - 1)
    end).

%% After an error the batch is as it was.
too_large_test() ->
    {ok, _} = application:ensure_all_started(aldis),
    with_listener(#{max_frame => 1000}, fun(Port) ->
        {ok, Client} = aldis_client:start_link(#{host => "127.0.0.1", port => Port}),
        testing:eventually(fun() -> #{state := ready} = aldis_client:info(Client) end),
        {ok, Batch} = aldis_client_batch:add(<<"a">>, aldis_client_batch:new(Client, #{bytes => 500})),
        ?assertEqual({error, too_large}, aldis_client_batch:add(binary:copy(<<"x">>, 2000), aldis_client_batch:new(Client, #{bytes => 500}))),
        {ok, 1, _} = aldis_client_batch:push(Batch),
        ok = aldis_client:flush(Client, 60000),
        ok = aldis_client:stop(Client)
    end).

why_test_() ->
    Info = #{state => ready, held_messages => 3, outstanding => 0, failures => 5, durability => durable},
    [?_assertEqual(<<"3 messages are not acknowledged: ", Why/binary>>, aldis_client_waits:why(maps:merge(Info, More), Trouble))
        || {More, Trouble, Why} <- [
            {#{}, none, <<"the server gives no credit for more">>},
            {#{outstanding => 2}, none, <<"the server has not said yet that the 2 of them that are sent are durable">>},
            {#{outstanding => 2}, {refused, 7, <<"full">>}, <<"the server refuses message 7 (full), which is offered again">>},
            {#{state => waiting}, {disconnected, econnrefused}, <<"there is no connection (econnrefused), after 5 attempts">>},
            {#{state => leaving}, none, <<"the server is draining, and the client connects again after that">>},
            {#{state => connecting}, none, <<"there is no connection yet">>}]].

not_connected_test() ->
    {ok, Client} = aldis_client:start_link(#{host => "127.0.0.1", port => 1, backoff_ms => {1, 5}}),
    {ok, 1} = aldis_client:send(Client, <<"a">>),
    testing:eventually(fun() ->
        {error, {timeout, <<"1 messages are not acknowledged: there is no connection (econnrefused), after ", _/binary>>}} =
            aldis_client:flush(Client, 10)
    end),
    ok = aldis_client:stop(Client).
