-module(aldis_telemetry_tests).

-include_lib("eunit/include/eunit.hrl").

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

%% What happens in a handler is no business of who said what happened.
failing_handler_is_detached_test() ->
    #{level := Level} = logger:get_primary_config(),
    logger:set_primary_config(level, none),
    ok = aldis_telemetry:attach(bad, [aldis, z], fun(_, _, _, _) -> error(oops) end, []),
    ok = aldis_telemetry:execute([aldis, z], #{}, #{}),
    ?assertEqual({error, not_found}, aldis_telemetry:detach(bad)),
    logger:set_primary_config(level, Level).

%% What the handlers said; tests before this one may have left other messages.
flush() ->
    receive {_, [aldis | _], _, _} = Message -> [Message | flush()] after 0 -> [] end.
