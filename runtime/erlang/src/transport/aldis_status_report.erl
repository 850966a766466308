%% @doc The figures of the status page, as JSON: totals, and since the sample before it, rates and times.
-module(aldis_status_report).

-export([sample/0, json/2]).
-export_type([sample/0]).

-type sample() :: #{time := Milliseconds :: integer(), metrics := #{aldis_metrics:source() => aldis_metrics:snapshot()},
    listeners := #{atom() => map()}, connections := #{atom() => [map()]}}.

%% Connections shown of each listener: those with the most messages.
-define(SHOWN, 50).

%% @doc All numbers as they are now.
-spec sample() -> sample().
sample() ->
    Listeners = listeners(),
    #{time => erlang:monotonic_time(millisecond),
        metrics => maps:map(fun(_, Ref) -> aldis_metrics:snapshot(Ref) end, aldis_metrics:all()),
        listeners => Listeners,
        connections => maps:filtermap(fun(Name, _) ->
            case aldis_server:connections(Name) of
                {error, not_found} -> false;
                All -> {true, All}
            end
        end, Listeners)}.

%% There are none while the application is not started.
listeners() ->
    case whereis(aldis_sup) of
        undefined -> #{};
        _ -> maps:filter(fun(_, Info) -> is_map(Info) end, aldis_server:info())
    end.

%% @doc The report of a sample. Without one before, times are since the start, and there are no rates.
-spec json(sample(), Before :: sample() | none) -> iodata().
json(#{metrics := Metrics} = Sample, Before) ->
    All = lists:sort(maps:to_list(Metrics)),
    encode(#{node => node_report(), sources => lists:append([source(Source, Now, Sample, Before) || {Source, Now} <- All])}).

node_report() ->
    {Uptime, _} = erlang:statistics(wall_clock),
    #{name => atom_to_binary(node()), otp => list_to_binary(erlang:system_info(otp_release)), uptime => Uptime div 1000,
        memory => erlang:memory(total), processes => erlang:system_info(process_count),
        run_queue => erlang:statistics(run_queue), time => erlang:system_time(millisecond)}.

%% A listener that is just starting again is left out.
source({Kind, Name} = Source, Now, #{listeners := Listeners, connections := Connections} = Sample, Before) ->
    {Old, Seconds} = before(Source, Sample, Before),
    Totals = maps:filter(fun(Metric, _) -> aldis_metrics:kind(Metric) =/= histogram end, Now),
    Common = #{name => atom_to_binary(Name), kind => atom_to_binary(Kind), totals => Totals, rates => rates(Totals, Old, Seconds),
        times => times(Now, Old)},
    case {Kind, Listeners} of
        {log, _} -> [Common];
        {listener, #{Name := #{port := Port, mode := Mode, tls := Tls, draining := Draining}}} ->
            All = maps:get(Name, Connections, []),
            Busiest = lists:sublist(lists:reverse(lists:keysort(1, [{maps:get(messages, C), C} || C <- All])), ?SHOWN),
            [Common#{port => Port, mode => atom_to_binary(Mode), tls => Tls, draining => Draining,
                connections => [connection(C) || {_, C} <- Busiest]}];
        {listener, #{}} -> []
    end.

before(_, _, none) -> {none, 0};
before(Source, #{time := Time}, #{time := Earlier, metrics := Metrics}) ->
    {maps:get(Source, Metrics, none), max(1, Time - Earlier) / 1000}.

rates(_, none, _) -> null;
rates(Totals, Old, Seconds) ->
    maps:filtermap(fun(Name, Value) ->
        aldis_metrics:kind(Name) =:= counter andalso {true, (Value - maps:get(Name, Old)) / Seconds}
    end, Totals).

times(Now, Old) ->
    maps:from_list([{Name, time(Distribution, Name, Old)}
        || {Name, Distribution} <- maps:to_list(Now), aldis_metrics:kind(Name) =:= histogram]).

time(Now, Name, Old) ->
    Distribution = case Old of
        none -> Now;
        #{Name := Before} -> since(Now, Before)
    end,
    case Distribution of
        #{count := 0} -> null;
        #{count := Count} ->
            #{count => Count, p50 => aldis_metrics:quantile(Distribution, 0.5), p99 => aldis_metrics:quantile(Distribution, 0.99),
                most => aldis_metrics:quantile(Distribution, 1.0)}
    end.

since(#{sum := Sum, buckets := Buckets}, #{sum := OldSum, buckets := OldBuckets}) ->
    Old = maps:from_list(OldBuckets),
    New = [{Bucket, Count - maps:get(Bucket, Old, 0)} || {Bucket, Count} <- Buckets, Count > maps:get(Bucket, Old, 0)],
    #{count => lists:sum([Count || {_, Count} <- New]), sum => Sum - OldSum, buckets => New}.

%% A producer's name is shortened to what tells it from others: the whole name would let anybody supersede it.
connection(#{peer := Peer, since := Since, messages := Messages, bytes := Bytes} = Connection) ->
    #{peer => peer(Peer), since => Since, messages => Messages, bytes => Bytes,
        producer => case Connection of
            #{producer := <<Some:3/binary, _/binary>>} -> binary:encode_hex(Some);
            #{} -> null
        end}.

peer({Ip, Port}) -> iolist_to_binary([inet:ntoa(Ip), $:, integer_to_list(Port)]);
peer(_) -> null.

encode(Map) when is_map(Map) ->
    [${, lists:join($,, [[$", atom_to_binary(Key), $", $:, encode(Value)] || {Key, Value} <- lists:sort(maps:to_list(Map))]), $}];
encode(List) when is_list(List) -> [$[, lists:join($,, [encode(Value) || Value <- List]), $]];
encode(Text) when is_binary(Text) -> aldis_json:text(Text, utf8, []);
encode(Number) when is_integer(Number) -> integer_to_binary(Number);
encode(Number) when is_float(Number) -> float_to_binary(Number, [{decimals, 1}]);
encode(Literal) when is_boolean(Literal); Literal =:= null -> atom_to_binary(Literal).
