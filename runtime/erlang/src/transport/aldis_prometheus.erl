%% @doc All metrics in the text format that Prometheus reads (version 0.0.4).
-module(aldis_prometheus).

-export([text/1, content_type/0]).

%% Upper ends of the buckets told, in powers of two of nanoseconds: 1 µs to 17 s, a factor of two apart.
-define(LEAST, 10).
-define(MOST, 34).

%% @doc The content type of the text.
-spec content_type() -> string().
content_type() -> "text/plain; version=0.0.4; charset=utf-8".

%% @doc The text for snapshots of listeners and logs. The label says which it is: what a listener gives to its log both count.
-spec text(#{aldis_metrics:source() => aldis_metrics:snapshot()}) -> iodata().
text(Snapshots) ->
    Sorted = lists:sort(maps:to_list(Snapshots)),
    [family(Name, aldis_metrics:kind(Name), Sorted) || Name <- aldis_metrics:names()].

family(Name, Kind, Snapshots) ->
    Full = full(Name, Kind),
    [["# HELP ", Full, $\s, aldis_metrics:about(Name), $\n, "# TYPE ", Full, $\s, atom_to_list(Kind), $\n]
        | [samples(Full, Kind, label(Of), map_get(Name, Snapshot)) || {Of, Snapshot} <- Snapshots, is_map_key(Name, Snapshot)]].

full(Name, gauge) -> ["aldis_", atom_to_list(Name)];
full(Name, counter) -> ["aldis_", atom_to_list(Name), "_total"];
full(handler_time, histogram) -> "aldis_handler_seconds";
full(fsync_time, histogram) -> "aldis_fsync_seconds";
full(ack_latency, histogram) -> "aldis_ack_seconds".

label({Kind, Name}) ->
    Escaped = [case C of $\\ -> "\\\\"; $" -> "\\\""; $\n -> "\\n"; _ -> C end || C <- atom_to_list(Name)],
    [atom_to_list(Kind), "=\"", unicode:characters_to_binary(Escaped), $"].

samples(Full, histogram, Label, #{count := Count, sum := Sum, buckets := Buckets}) ->
    [[[Full, "_bucket{", Label, ",le=\"", seconds(1 bsl Power), "\"} ", integer_to_list(N), $\n]
        || {Power, N} <- cumulative(?LEAST, Buckets, 0)],
        [Full, "_bucket{", Label, ",le=\"+Inf\"} ", integer_to_list(Count), $\n],
        [Full, "_sum{", Label, "} ", seconds(Sum), $\n],
        [Full, "_count{", Label, "} ", integer_to_list(Count), $\n]];
samples(Full, _, Label, Value) ->
    [Full, ${, Label, "} ", integer_to_list(Value), $\n].

%% How many are below each power of two; our buckets end at each of them.
cumulative(Power, _, _) when Power > ?MOST -> [];
cumulative(Power, Buckets, Before) ->
    {Below, Rest} = lists:splitwith(fun({Bucket, _}) -> aldis_metrics:upper(Bucket) =< 1 bsl Power end, Buckets),
    Sum = lists:foldl(fun({_, N}, Acc) -> Acc + N end, Before, Below),
    [{Power, Sum} | cumulative(Power + 1, Rest, Sum)].

seconds(Nanoseconds) -> float_to_list(Nanoseconds / 1.0e9, [{decimals, 9}, compact]).
