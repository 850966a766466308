%% @doc Interleaved timing: in every round each contestant runs once, in turn, so that a busy machine slows all alike.
-module(race).

-export([race/2, race/5, pace/2, ratio/2, words/1]).
-export_type([contestant/0, heap/0, result/0]).

-type contestant() :: {Name :: atom(), fun(() -> term())}.
%% The heap of the process that works: the one that every process begins with, or one with room for the results.
-type heap() :: default | roomy.
-type result() :: #{
    name := atom(), best := float(), median := float(), spread := [float()], ratio := float(), of_bests := float(),
    times := [float()]
}.
%% Times are nanoseconds a call, `spread' their quartiles, `times' one a round; `ratio' is the median over the rounds of
%% the contestant's time to that of the first one in the same round, `of_bests' the ratio of both best times.

-define(ROUNDS, 31).
%% Bytes that pass through a contestant in a round, and before it yields.
-define(ROUND, 600000).
-define(BATCH, 3000).
-define(MESSAGES, 50).
-define(INTERVAL, 20).
%% Calls whose words are counted.
-define(CALLS, 100).

%% @doc Times contestants that work on frames of about so many bytes; the first one is the baseline.
-spec race([contestant()], pos_integer()) -> [result()].
race(Contestants, Size) -> race(Contestants, ?ROUNDS, max(10, ?ROUND div Size), max(1, ?BATCH div Size), roomy).

%% @doc As {@link race/2}, with so many rounds, calls a round, and calls between yields, in processes with such a heap.
-spec race([contestant()], Rounds :: pos_integer(), Calls :: pos_integer(), Batch :: pos_integer(), heap()) -> [result()].
race(Contestants, Count, Calls, Batch, Heap) ->
    Rounds = [[time(Work, Calls, Batch, Heap) || {_, Work} <- Contestants] || _ <- lists:seq(1, Count)],
    summaries([Name || {Name, _} <- Contestants], Rounds).

%% @doc One call every 20 ms, contestants in turn: caches and branches are not as warm as in a loop.
-spec pace([contestant()], pos_integer()) -> [result()].
pace(Contestants, _Size) ->
    Rounds = [[alone(Work) || {_, Work} <- Contestants] || _ <- lists:seq(1, ?MESSAGES)],
    summaries([Name || {Name, _} <- Contestants], Rounds).

%% @doc The median over the rounds of one contestant's time to another's in the same round.
-spec ratio(result(), result()) -> float().
ratio(#{times := Times}, #{times := Others}) -> quantile(lists:sort(quotients(Times, Others)), 0.5).

quotients(Times, Others) -> [Time / Other || {Time, Other} <- lists:zip(Times, Others)].

summaries(Names, [[_ | _] | _] = Rounds) ->
    Baseline = [First || [First | _] <- Rounds],
    [summary(Name, [lists:nth(At, Round) || Round <- Rounds], Baseline) || {At, Name} <- lists:enumerate(Names)].

summary(Name, Times, Baseline) ->
    Sorted = lists:sort(Times),
    Ratios = lists:sort(quotients(Times, Baseline)),
    #{
        name => Name, best => hd(Sorted), median => quantile(Sorted, 0.5), spread => [quantile(Sorted, 0.25), quantile(Sorted, 0.75)],
        ratio => quantile(Ratios, 0.5), of_bests => hd(Sorted) / lists:min(Baseline), times => Times
    }.

quantile(Sorted, Q) -> lists:nth(min(length(Sorted), trunc(Q * length(Sorted)) + 1), Sorted).

%% A call in a process that slept before, as a socket's process does between messages.
alone(Work) ->
    timer:sleep(?INTERVAL),
    Start = erlang:monotonic_time(nanosecond),
    _ = Work(),
    float(erlang:monotonic_time(nanosecond) - Start).

%% @doc The words of its heap that a call takes, results and what becomes garbage; binaries of more than 64 bytes lie elsewhere.
-spec words(fun(() -> term())) -> float().
words(Work) ->
    %% Nothing is collected in a heap of that size, but when it is asked for.
    {Pid, Monitor} = spawn_opt(fun() -> words_of(Work) end, [monitor, {min_heap_size, ?CALLS * 60000}]),
    1 = erlang:trace(Pid, true, [garbage_collection]),
    Pid ! go,
    receive
        {'DOWN', Monitor, process, Pid, normal} -> ok
    end,
    [_, _, First, _, Second] = used(Pid),
    (Second - First) / (2 * ?CALLS).

words_of(Work) ->
    receive
        go -> ok
    end,
    true = erlang:garbage_collect(),
    run(Work, ?CALLS, ?CALLS, ?CALLS),
    true = erlang:garbage_collect(),
    run(Work, ?CALLS, ?CALLS, ?CALLS),
    true = erlang:garbage_collect(),
    true = erlang:garbage_collect(),
    run(Work, 3 * ?CALLS, ?CALLS, ?CALLS),
    true = erlang:garbage_collect().

%% The words of the heap that were used when each collection began.
used(Pid) ->
    receive
        {trace, Pid, gc_major_start, Info} ->
            {heap_size, Words} = lists:keyfind(heap_size, 1, Info),
            [Words | used(Pid)];
        {trace, Pid, gc_major_end, _} -> used(Pid)
    after 100 -> []
    end.

%% Nanoseconds a call, in a process of its own, after some calls that are not timed. Yields are a small part.
time(Work, Calls, Batch, Heap) ->
    {Pid, Monitor} = spawn_opt(
        fun() ->
            run(Work, max(1, Calls div 10), Batch, Batch),
            Start = erlang:monotonic_time(nanosecond),
            run(Work, Calls, Batch, Batch),
            exit({took, erlang:monotonic_time(nanosecond) - Start})
        end,
        [monitor | [{min_heap_size, 200000} || Heap =:= roomy]]
    ),
    receive
        {'DOWN', Monitor, process, Pid, {took, Nanoseconds}} -> Nanoseconds / Calls;
        {'DOWN', Monitor, process, Pid, Reason} -> exit(Reason)
    end.

run(_, 0, _, _) -> ok;
run(Work, Calls, 0, Batch) ->
    true = erlang:yield(),
    run(Work, Calls, Batch, Batch);
run(Work, Calls, Left, Batch) ->
    _ = Work(),
    run(Work, Calls - 1, Left - 1, Batch).
