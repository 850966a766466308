%% A million producers in one log: how long they take to announce, how long the log takes to start again with them, and how much
%% memory they have then.
%%
%%   erl -noshell -pa EBIN -run torture_producers main [COUNT [CALLERS [SEGMENT_BYTES]]]
%%
%% All callers announce at the same time, each one producer after the other. The exit code is 1 where it takes longer than the goals,
%% 20 s to announce a million and 5 s to start.
-module(torture_producers).

-export([main/1]).

-define(ANNOUNCED_MS, 20000).
-define(STARTED_MS, 5000).

main([]) -> main(["1000000"]);
main([Count]) -> main([Count, "1000"]);
main([Count, Callers]) -> main([Count, Callers, "268435456"]);
main(Given) ->
    [Count, Callers, Bytes] = [list_to_integer(Number) || Number <- Given],
    Folder = string:trim(os:cmd("mktemp -d")),
    Before = memory(),
    Options = #{name => many, folder => Folder, max_producers => Count, segment_bytes => Bytes},
    {ok, Log} = aldis_log:start_link(Options),
    Announced = timed(fun() -> announced(Count, Callers) end),
    Announcing = said("announced", Announced),
    ok = gen_server:stop(Log),
    Started = timed(fun() -> {ok, _} = aldis_log:start_link(Options) end),
    Starting = said("started again", Started),
    #{producers := Count} = aldis_log:info(many),
    io:format("~b bytes of memory for each~n", [(memory() - Before) div Count]),
    ok = gen_server:stop(many),
    ok = file:del_dir_r(Folder),
    halt(case Announcing =< ?ANNOUNCED_MS andalso Starting =< ?STARTED_MS of true -> 0; false -> 1 end).

announced(Count, Callers) ->
    Waiting = [spawn_monitor(fun() -> announce(First, Count, Callers) end) || First <- lists:seq(1, Callers)],
    [receive {'DOWN', Monitor, process, _, Reason} -> normal = Reason end || {_, Monitor} <- Waiting].

announce(Next, Count, _) when Next > Count -> ok;
announce(Next, Count, Callers) ->
    {ok, 0} = aldis_log:producer(many, <<Next:128>>, 1),
    announce(Next + Callers, Count, Callers).

memory() ->
    lists:foreach(fun garbage_collect/1, processes()),
    erlang:memory(total).

%% Milliseconds on the clock, and of processor time.
timed(Do) ->
    {Begin, _} = erlang:statistics(runtime),
    {Time, _} = timer:tc(Do),
    {End, _} = erlang:statistics(runtime),
    {Time div 1000, End - Begin}.

said(What, {Time, Processor}) ->
    io:format("~s in ~b ms, ~b ms of processor time~n", [What, Time, Processor]),
    Time.
