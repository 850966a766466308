%% @doc Counters, gauges and histograms of a listener or log: cheap to write from any process, read by {@link snapshot/1}.
%%
%% A histogram has 16 buckets for each doubling of nanoseconds, so a quantile is right to 6 %; what takes more than 68 s
%% counts as 68 s.
-module(aldis_metrics).

-export([new/2, delete/2, all/0, add/3, set/3, observe/3, snapshot/1, tell/3, quantile/2, upper/1, names/0, kind/1, about/1]).
-export_type([ref/0, source/0, counter/0, histogram/0, snapshot/0, distribution/0]).

-type counter() :: connections | accepted | rejected | messages | bytes | batches | acks | duplicates | nacks | queue |
    unlogged | damaged | scrubbed | scrub_offset | lag | lag_unknown.
-type histogram() :: handler_time | fsync_time | ack_latency.
-type source() :: {listener | log, Name :: atom()}.
-opaque ref() :: counters:counters_ref().
-type distribution() :: #{count := non_neg_integer(), sum := non_neg_integer(),
    buckets := [{Bucket :: non_neg_integer(), Count :: pos_integer()}]}.
%% Nanoseconds; only buckets that hold something, smallest first.
-type snapshot() :: #{counter() => integer(), histogram() => distribution()}.
%% Without `lag' where a consumer's log does not say it.

%% Each histogram has its sum, then its buckets.
-define(COUNTERS, 16).
-define(BUCKETS, 528).
-define(HISTOGRAM, (?BUCKETS + 1)).
-define(LONGEST, 16#FFFFFFFFF).

%% @doc Every name, counters first.
-spec names() -> [counter() | histogram()].
names() ->
    [connections, accepted, rejected, messages, bytes, batches, acks, duplicates, nacks, queue, unlogged, damaged,
        scrubbed, scrub_offset, lag, lag_unknown, handler_time, fsync_time, ack_latency].

%% @doc The help of a counter, as a sentence.
-spec about(counter() | histogram()) -> string().
about(connections) -> "Connections that are open";
about(accepted) -> "Connections accepted";
about(rejected) -> "Connections turned away: too many, draining, or not authorized";
about(messages) -> "Messages taken, duplicates left out";
about(bytes) -> "Bytes of messages taken, sizes included";
about(batches) -> "Batches, or receives with whole messages, taken";
about(acks) -> "Acknowledgements sent";
about(duplicates) -> "Messages that were known already, and dropped";
about(nacks) -> "Batches refused";
about(queue) -> "Messages taken and not yet acknowledged";
about(unlogged) -> "Messages acknowledged as handled that the log, as it failed, may not have";
about(damaged) -> "Messages that a reader found damaged or missing in the log, each time";
about(scrubbed) -> "Messages of the log read again to find damage";
about(scrub_offset) -> "Offset up to which the log has been read again this time";
about(lag) -> "Durable messages that named consumers have yet to consume, each for itself";
about(lag_unknown) -> "Named consumers whose log does not say how many messages they have yet to consume";
about(handler_time) -> "Time that the handler took for a batch";
about(fsync_time) -> "Time until written bytes were on the disk";
about(ack_latency) -> "Time from the arrival of a batch to its acknowledgement".

%% @doc A gauge goes up and down, a counter only up.
-spec kind(counter() | histogram()) -> gauge | counter | histogram.
kind(Name) when Name =:= connections; Name =:= queue; Name =:= scrub_offset; Name =:= lag; Name =:= lag_unknown -> gauge;
kind(Name) when Name =:= handler_time; Name =:= fsync_time; Name =:= ack_latency -> histogram;
kind(_) -> counter.

%% @doc The metrics of a listener or log; those that are there already go on, so a part of it that restarts loses none.
-spec new(listener | log, Name :: atom()) -> ref().
new(Kind, Name) when is_atom(Name), Kind =:= listener orelse Kind =:= log ->
    Source = {Kind, Name},
    changed(fun
        (#{Source := Ref} = All) -> {Ref, All};
        (All) ->
            Ref = counters:new(?COUNTERS + 3 * ?HISTOGRAM, [write_concurrency]),
            {Ref, All#{Source => Ref}}
    end).

%% @doc Forgets the metrics of a listener or log. A process that holds the reference may go on writing.
-spec delete(listener | log, Name :: atom()) -> ok.
delete(Kind, Name) -> changed(fun(All) -> {ok, maps:remove({Kind, Name}, All)} end).

%% @doc All metrics.
-spec all() -> #{source() => ref()}.
all() -> persistent_term:get(?MODULE, #{}).

changed(Change) ->
    global:trans({?MODULE, self()}, fun() ->
        All = all(),
        {Result, New} = Change(All),
        New =:= All orelse persistent_term:put(?MODULE, New),
        Result
    end, [node()]).

%% @doc Adds to a counter, or to a gauge what may be negative.
-spec add(ref(), counter(), integer()) -> ok.
add(Ref, Name, N) -> counters:add(Ref, index(Name), N).

%% @doc Sets a gauge that one process alone writes.
-spec set(ref(), counter(), integer()) -> ok.
set(Ref, Name, Value) -> counters:put(Ref, index(Name), Value).

index(connections) -> 1;
index(accepted) -> 2;
index(rejected) -> 3;
index(messages) -> 4;
index(bytes) -> 5;
index(batches) -> 6;
index(acks) -> 7;
index(duplicates) -> 8;
index(nacks) -> 9;
index(queue) -> 10;
index(unlogged) -> 11;
index(damaged) -> 12;
index(scrubbed) -> 13;
index(scrub_offset) -> 14;
index(lag) -> 15;
index(lag_unknown) -> 16;
index(handler_time) -> ?COUNTERS + 1;
index(fsync_time) -> ?COUNTERS + 1 + ?HISTOGRAM;
index(ack_latency) -> ?COUNTERS + 1 + 2 * ?HISTOGRAM.

%% @doc Notes how long something took. Clocks that go back count as 0.
-spec observe(ref(), histogram(), Nanoseconds :: integer()) -> ok.
observe(Ref, Name, Nanoseconds) ->
    At = index(Name),
    Time = min(max(Nanoseconds, 0), ?LONGEST),
    counters:add(Ref, At, Time),
    counters:add(Ref, At + 1 + bucket(Time), 1).

%% Exponent and first four bits of the fraction, as the float has them.
bucket(Time) when Time < 16 -> Time;
bucket(Time) ->
    <<0:1, Exponent:11, Fraction:4, _:48>> = <<Time:64/float>>,
    (Exponent - 1023 - 3) * 16 + Fraction.

%% @doc The least number of nanoseconds that is beyond a bucket.
-spec upper(Bucket :: non_neg_integer()) -> pos_integer().
upper(Bucket) when Bucket < 16 -> Bucket + 1;
upper(Bucket) -> (17 + Bucket rem 16) bsl (Bucket div 16 - 1).

%% @doc All numbers as they are now. Written while being read, they may be a moment apart.
-spec snapshot(ref()) -> snapshot().
snapshot(Ref) ->
    told(maps:from_list([{Name, value(kind(Name), Ref, index(Name))} || Name <- names()])).

%% A part of the lag would pass for all of it.
told(#{lag_unknown := 0} = Snapshot) -> Snapshot;
told(Snapshot) -> maps:remove(lag, Snapshot).

value(histogram, Ref, At) ->
    Buckets = [{Bucket, Count} || Bucket <- lists:seq(0, ?BUCKETS - 1), Count <- [counters:get(Ref, At + 1 + Bucket)],
        Count > 0],
    #{count => lists:sum([Count || {_, Count} <- Buckets]), sum => counters:get(Ref, At), buckets => Buckets};
value(_, Ref, At) ->
    counters:get(Ref, At).

%% @doc Says {@link snapshot/1} as the measurements of an event, where anybody is attached to it.
-spec tell(aldis_telemetry:event(), ref(), Metadata :: map()) -> ok.
tell(Event, Ref, Metadata) ->
    case aldis_telemetry:attached(Event) of
        true -> aldis_telemetry:execute(Event, snapshot(Ref), Metadata);
        false -> ok
    end.

%% @doc The nanoseconds that a fraction of all stays below, e.g. 0.99; 0 when nothing was observed.
-spec quantile(distribution(), Fraction :: float()) -> non_neg_integer().
quantile(#{count := 0}, _) -> 0;
quantile(#{count := Count, buckets := Buckets}, Fraction) -> reach(Buckets, max(1, ceil(Count * Fraction))).

reach([{_, Count} | Rest], Rank) when Count < Rank, Rest =/= [] -> reach(Rest, Rank - Count);
reach([{Bucket, _} | _], _) -> upper(Bucket).
