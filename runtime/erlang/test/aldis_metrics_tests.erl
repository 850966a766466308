-module(aldis_metrics_tests).

-include_lib("eunit/include/eunit.hrl").
-include("properties.hrl").

counts_test() ->
    Ref = aldis_metrics:new(?FUNCTION_NAME),
    [aldis_metrics:add(Ref, Name, N) || {N, Name} <- lists:enumerate(aldis_metrics:names()), aldis_metrics:kind(Name) =/= histogram],
    aldis_metrics:add(Ref, connections, -3),
    #{connections := -2, accepted := 2, queue := 10, unlogged := 11, handler_time := #{count := 0, sum := 0, buckets := []}} =
        aldis_metrics:snapshot(Ref),
    ?assertEqual(Ref, aldis_metrics:new(?FUNCTION_NAME)),
    ?assertEqual(Ref, maps:get(?FUNCTION_NAME, aldis_metrics:all())),
    aldis_metrics:delete(?FUNCTION_NAME),
    ?assertNot(maps:is_key(?FUNCTION_NAME, aldis_metrics:all())).

histograms_do_not_touch_each_other_test() ->
    Ref = aldis_metrics:new(?FUNCTION_NAME),
    [aldis_metrics:observe(Ref, Name, Time) || Name <- [handler_time, fsync_time, ack_latency], Time <- [-5, 0, 1 bsl 70]],
    #{handler_time := H, fsync_time := H, ack_latency := H, queue := 0} = aldis_metrics:snapshot(Ref),
    ?assertMatch(#{count := 3, sum := 16#FFFFFFFFF, buckets := [{0, 2}, {527, 1}]}, H),
    aldis_metrics:delete(?FUNCTION_NAME).

quantiles_test() ->
    Ref = aldis_metrics:new(?FUNCTION_NAME),
    [aldis_metrics:observe(Ref, ack_latency, 1000 * N) || N <- lists:seq(1, 1000)],
    #{ack_latency := Latency} = aldis_metrics:snapshot(Ref),
    [?assert(abs(aldis_metrics:quantile(Latency, F) / (F * 1000000) - 1) < 0.07) || F <- [0.5, 0.9, 0.99, 1.0]],
    ?assertEqual(0, aldis_metrics:quantile(#{count => 0, sum => 0, buckets => []}, 0.5)),
    aldis_metrics:delete(?FUNCTION_NAME).

buckets_test() ->
    ?assert(proper:quickcheck(prop_bucket_holds_its_time(), [{numtests, 2000}, quiet])).

%% A time is below the upper end of its bucket and not below the one before.
prop_bucket_holds_its_time() ->
    Ref = aldis_metrics:new(?MODULE),
    ?FORALL({Bits, Low}, {range(0, 35), range(0, 16#FFFFFFFFF)},
        begin
            Time = (1 bsl Bits) + Low rem (1 bsl Bits),
            #{fsync_time := #{buckets := Before}} = aldis_metrics:snapshot(Ref),
            aldis_metrics:observe(Ref, fsync_time, Time),
            #{fsync_time := #{buckets := After}} = aldis_metrics:snapshot(Ref),
            [{Bucket, _}] = After -- Before,
            Time < aldis_metrics:upper(Bucket) andalso (Bucket =:= 0 orelse Time >= aldis_metrics:upper(Bucket - 1))
        end).
