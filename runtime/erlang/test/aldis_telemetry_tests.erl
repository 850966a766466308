-module(aldis_telemetry_tests).

-include_lib("eunit/include/eunit.hrl").
-include("aldis_frame.hrl").

handlers_are_called_in_order_test() ->
    Self = self(),
    Say = fun(Event, Measurements, Metadata, Config) -> Self ! {Config, Event, Measurements, Metadata} end,
    ok = aldis_telemetry:attach(one, [aldis, x], Say, 1),
    ok = aldis_telemetry:attach(two, [aldis, x], Say, 2),
    ?assertEqual({error, already_exists}, aldis_telemetry:attach(one, [aldis, y], Say, 3)),
    ok = aldis_telemetry:execute([aldis, x], #{n => 1}, #{who => me}),
    ok = aldis_telemetry:execute([aldis, y], #{}, #{}),
    ?assertEqual([{N, [aldis, x], #{n => 1}, #{who => me}} || N <- [1, 2]], flush()),
    ok = aldis_telemetry:detach(one),
    ok = aldis_telemetry:detach(two),
    ?assertEqual({error, not_found}, aldis_telemetry:detach(two)),
    ok = aldis_telemetry:execute([aldis, x], #{}, #{}),
    ?assertEqual([], flush()).

%% A handler's failure does not reach the process that told the event.
failing_handler_is_detached_test() ->
    testing:quietly(fun() ->
        ok = aldis_telemetry:attach(bad, [aldis, z], fun(_, _, _, _) -> error(oops) end, []),
        ok = aldis_telemetry:execute([aldis, z], #{}, #{}),
        ?assertEqual({error, not_found}, aldis_telemetry:detach(bad))
    end).

%% All numbers of a listener and of a log: as they run, and the last ones when the listener stops.
metrics_test_() -> {timeout, 30, fun metrics/0}.

metrics() ->
    Self = self(),
    Say = fun(_, Measured, Metadata, _) -> Self ! {Metadata, Measured} end,
    [ok = aldis_telemetry:attach({?MODULE, Of}, [aldis, Of, metrics], Say, none) || Of <- [listener, log]],
    Folder = string:trim(os:cmd("mktemp -d")),
    Options = #{metrics_interval => 20, sink => {aldis_log, #{name => telemetry_log, folder => Folder}}},
    transport_peer:with_listener(Options, fun(Port) ->
        {Socket, _} = transport_peer:hello(Port, #hello{producer = <<1:128>>, durability = durable}),
        transport_peer:send(Socket, transport_peer:batch(1, [<<"a">>, <<"bc">>])),
        ?assertMatch(#{acks := 1, handler_time := #{count := 1}}, measured(#{listener => listener}, 2)),
        telemetry_log ! retention,
        ?assertMatch(#{batches := 1, fsync_time := #{count := 2}}, measured(#{log => telemetry_log}, 2)),
        %% Two more, which are acked together with the listener's end.
        transport_peer:send(Socket, transport_peer:batch(3, [<<"d">>])),
        [<<"a">>, <<"bc">>, <<"d">>] = transport_peer:messages(3),
        aldis_server:stop_listener(listener),
        ?assertMatch(#{messages := 3, connections := 0}, last(#{listener => listener}, none))
    end),
    [ok = aldis_telemetry:detach({?MODULE, Of}) || Of <- [listener, log]],
    ok = file:del_dir_r(Folder).

%% The first numbers with so many acknowledged messages.
measured(Metadata, Messages) ->
    receive
        {Metadata, #{messages := Messages, queue := 0, acks := Acks} = Measured} when Acks > 0; is_map_key(log, Metadata) -> Measured
    after 10000 -> error(timeout)
    end.

last(Metadata, Before) ->
    receive {Metadata, Measured} -> last(Metadata, Measured) after 0 -> Before end.

%% The handlers' messages; tests before this one may have left others.
flush() ->
    receive {_, [aldis | _], _, _} = Message -> [Message | flush()] after 0 -> [] end.
