%% The server of a round: one listener with a durable log, on the port and the folder of its command line. It writes to
%% the third argument's file when its handler gets a message twice or out of order. Instead of a folder the second one may be
%% `jetstream:PORT,PORT': its log is a stream of the NATS servers there, which other servers write to as well.
%%
%% A line of standard input is a fault: `handler' fails at its next batch; `write REASON MS', `datasync REASON MS' and `stall DELAY MS': so the
%% disk does for so long.
-module(torture_server).
-behaviour(aldis_handler).

-export([main/1]).
-export([handle_batch/2, init/2]).

%% Small, so that rounds end in the middle of many segments.
-define(SEGMENT_BYTES, 300000).

-spec main([string()]) -> no_return().
main([Port, Folder, Violations]) ->
    %% The sequence up to which each producer's epoch has been handled, over all its connections.
    Handled = ets:new(handled, [public, {write_concurrency, true}]),
    {ok, _} = application:ensure_all_started(aldis),
    Sink = torture_check:sink(Folder, #{segment_bytes => ?SEGMENT_BYTES, files => aldis_failing_files}),
    Crash = atomics:new(1, []),
    {ok, _} = aldis_server:start_listener(torture, #{
        port => list_to_integer(Port),
        ip => {127, 0, 0, 1},
        mode => aldis,
        handler => {?MODULE, {Handled, Violations, element(1, Sink), Crash}},
        sink => Sink,
        max_connections => 1000
    }),
    io:format("listening~n"),
    faults(Crash).

faults(Crash) ->
    case io:get_line("") of
        eof -> receive after infinity -> ok end;
        Line ->
            fault(string:lexemes(Line, " \n"), Crash),
            faults(Crash)
    end.

fault(["handler"], Crash) -> atomics:put(Crash, 1, 1);
fault([Call, What, Ms], _) ->
    Wrong = case Call of
        "stall" -> list_to_integer(What);
        _ -> list_to_atom(What)
    end,
    aldis_failing_files:fail(list_to_atom(Call), Wrong),
    timer:sleep(list_to_integer(Ms)),
    aldis_failing_files:heal().

-spec init(aldis_handler:connection(), term()) -> {ok, term()}.
init(#{producer := Producer, epoch := Epoch}, {Handled, Violations, Log, Crash}) ->
    {ok, {{Producer, Epoch}, Handled, Violations, Log, Crash}}.

%% The log may hold messages of a former life of the server, so the first batch of this one may begin anywhere; so may each
%% where another server has dealt with the producer meanwhile, but never before what was here.
-spec handle_batch(aldis_batch:t(), term()) -> {ok, term()}.
handle_batch(Batch, {Life, Handled, Violations, Log, Crash} = State) ->
    0 = atomics:exchange(Crash, 1, 0),
    First = aldis_batch:first(Batch),
    case ets:lookup(Handled, Life) of
        [{_, Last}] when First =< Last; Log =:= aldis_log, First =/= Last + 1 ->
            ok = file:write_file(Violations, io_lib:format("~0p: ~b after ~b~n", [Life, First, Last]), [append]);
        _ ->
            ok
    end,
    ets:insert(Handled, {Life, aldis_batch:last(Batch)}),
    {ok, State}.
