%% @doc Our reading and writing of terms against jiffy's JSON and the VM's own functions: interleaved, in one run.
-module(etf_bench).

-export([main/0]).

-define(ROUNDS, 31).
-define(SERIALIZER, 'Elixir.Aldis.Phoenix.Serializer').

main() ->
    io:format("Erlang/OTP ~s (erts ~s), jiffy ~s, ~s~n", [
        erlang:system_info(otp_release), erlang:system_info(version), version(jiffy), erlang:system_info(system_architecture)
    ]),
    io:format("Medians and best of ~b rounds, in microseconds; every batch of calls begins in a time slice of its own.~n", [?ROUNDS]),
    table("Reading messages of clients", "decode", "binary_to_term", [{Name, reads(Term)} || {Name, Term} <- etf_loads:up()]),
    table("Writing broadcasts", "fastlane!", "term_to_binary", [{Name, writes(Payload)} || {Name, Payload} <- etf_loads:down()]).

version(App) ->
    _ = application:load(App),
    {ok, Version} = application:get_key(App, vsn),
    Version.

reads(Term) ->
    Frame = term_to_binary(Term),
    Json = iolist_to_binary(jiffy:encode(Term, [use_nil])),
    Limits = aldis_etf:limits(#{}),
    Unchecked = aldis_etf:limits(#{utf8 => false}),
    {ok, Term} = aldis_etf:decode(Frame, Limits),
    {byte_size(Frame), byte_size(Json), [
        fun() -> binary_to_term(Frame) end,
        fun() -> jiffy:decode(Json, [return_maps, use_nil]) end,
        fun() -> aldis_etf:decode(Frame, Unchecked) end,
        fun() -> aldis_etf:decode(Frame, Limits) end
    ]}.

writes(Payload) ->
    Broadcast = #{'__struct__' => 'Elixir.Phoenix.Socket.Broadcast', topic => <<"lv:phx-1">>, event => <<"diff">>, payload => Payload},
    List = [nil, nil, <<"lv:phx-1">>, <<"diff">>, Payload],
    Frame = aldis_etf:encode(List),
    Named = named(List),
    {byte_size(Frame), iolist_size(jiffy:encode(Named, [use_nil])), [
        fun() -> term_to_binary(List) end,
        fun() -> jiffy:encode(Named, [use_nil]) end,
        fun() -> ?SERIALIZER:'fastlane!'(Broadcast) end,
        fun() -> aldis_etf:encode(List, #{utf8 => true}) end
    ]}.

%% jiffy has no keys that are integers, so it gets them as text before its time starts.
named(Map) when is_map(Map) -> maps:from_list([{name(Key), named(Value)} || {Key, Value} <- maps:to_list(Map)]);
named(List) when is_list(List) -> [named(Item) || Item <- List];
named(Other) -> Other.

name(Key) when is_integer(Key) -> integer_to_binary(Key);
name(Key) -> Key.

table(Title, Ours, Vm, Loads) ->
    io:format("~n~s~n~-16s ~7s ~7s | ~21s ~17s | ~21s ~15s ~9s | ~21s ~15s ~9s~n", [
        Title, "", "ETF", "JSON", Vm, "jiffy", Ours, "jiffy/ours", "ours/VM", "with UTF-8 check", "jiffy/ours", "ours/VM"
    ]),
    io:format("~-16s ~7s ~7s | ~12s ~8s ~9s ~7s | ~12s ~8s ~15s ~9s | ~12s ~8s ~15s ~9s~n", [
        "load", "bytes", "bytes", "median", "best", "median", "best", "median", "best", "median (best)", "best", "median", "best", "median (best)", "best"
    ]),
    lists:foreach(fun row/1, Loads).

row({Name, {Etf, Json, Works}}) ->
    Calls = max(10, 600000 div Etf),
    Batch = max(1, 3000 div Etf),
    Rounds = [[time(Work, Calls, Batch) || Work <- Works] || _ <- lists:seq(1, ?ROUNDS)],
    [Vm, Jiffy, Plain, Checked] = [figures(Times) || Times <- transposed(Rounds)],
    {VmMedian, VmBest} = Vm,
    {JiffyMedian, JiffyBest} = Jiffy,
    io:format("~-16s ~7b ~7b | ~12.2f ~8.2f ~9.2f ~7.2f", [Name, Etf, Json, VmMedian, VmBest, JiffyMedian, JiffyBest]),
    [
        io:format(" | ~12.2f ~8.2f ~6.2f x (~.2f x) ~7.2f x", [Median, Best, JiffyMedian / Median, JiffyBest / Best, Best / VmBest])
     || {Median, Best} <- [Plain, Checked]
    ],
    io:nl().

figures(Times) ->
    Sorted = lists:sort(Times),
    {lists:nth((length(Sorted) + 1) div 2, Sorted), hd(Sorted)}.

transposed([[] | _]) -> [];
transposed(Rows) -> [[hd(Row) || Row <- Rows] | transposed([tl(Row) || Row <- Rows])].

%% Microseconds a call, in a process of its own with room for its results, less the yields.
time(Work, Calls, Batch) ->
    {Pid, Monitor} = spawn_opt(
        fun() ->
            run(Work, max(1, Calls div 10), Batch, Batch),
            Start = erlang:monotonic_time(nanosecond),
            run(Work, Calls, Batch, Batch),
            Middle = erlang:monotonic_time(nanosecond),
            %% An empty run takes as long as the yields do; the quickest of three, since one may meet another process.
            Empty = lists:min([empty(Calls, Batch) || _ <- [1, 2, 3]]),
            exit({took, Middle - Start - Empty})
        end,
        [monitor, {min_heap_size, 200000}]
    ),
    receive
        {'DOWN', Monitor, process, Pid, {took, Nanoseconds}} -> Nanoseconds / Calls / 1000
    end.

empty(Calls, Batch) ->
    Start = erlang:monotonic_time(nanosecond),
    run(fun() -> ok end, Calls, Batch, Batch),
    erlang:monotonic_time(nanosecond) - Start.

run(_, 0, _, _) -> ok;
run(Work, Calls, 0, Batch) ->
    true = erlang:yield(),
    run(Work, Calls, Batch, Batch);
run(Work, Calls, Left, Batch) ->
    _ = Work(),
    run(Work, Calls - 1, Left - 1, Batch).
