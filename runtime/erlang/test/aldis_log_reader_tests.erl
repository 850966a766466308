%% Reading a log while it is written and removed: cursors and subscriptions.
-module(aldis_log_reader_tests).

-include_lib("eunit/include/eunit.hrl").

-import(aldis_log_tests, [with_folder/1, start/1, start/2, stop/1, append/4, content/1, messages/1]).

-compile([export_all, nowarn_export_all]).

-define(P, <<"producer------01">>).

reader_test_() ->
    {timeout, 1800, [{atom_to_list(Name), {timeout, 300, fun() -> with_folder(fun(Folder) -> ?MODULE:Name(Folder) end) end}}
        || {Name, 1} <- ?MODULE:module_info(exports), lists:suffix("_case", atom_to_list(Name))]}.

subscription_follows_case(Folder) ->
    start(Folder, #{segment_bytes => 300}),
    [{durable, N} = append(?P, 1, N, [integer_to_binary(N)]) || N <- lists:seq(1, 20)],
    {ok, S} = aldis_log:subscribe(log, 3, 5),
    ?assertEqual([{N, integer_to_binary(N)} || N <- lists:seq(3, 7)], received(S, 5)),
    nothing(S),
    aldis_log:consumed(log, S, 4, 5),
    ?assertEqual([{8, <<"8">>}, {9, <<"9">>}], received(S, 2)),
    nothing(S),
    aldis_log:consumed(log, S, 9, 1000),
    ?assertEqual([{N, integer_to_binary(N)} || N <- lists:seq(10, 20)], received(S, 11)),
    {durable, 21} = append(?P, 1, 21, [<<"21">>]),
    ?assertEqual([{21, <<"21">>}], received(S, 1)),
    aldis_log:unsubscribe(log, S),
    {durable, 22} = append(?P, 1, 22, [<<"22">>]),
    nothing(S),
    {ok, T} = aldis_log:subscribe(log, 0, 10),
    {durable, 23} = append(?P, 1, 23, [<<"23">>]),
    ?assertEqual([{23, <<"23">>}], received(T, 1)),
    %% A reader that has consumed nothing yet need not know where "from now on" is.
    {ok, U} = aldis_log:subscribe(log, 0, 0),
    {durable, 25} = append(?P, 1, 24, [<<"24">>, <<"25">>]),
    nothing(U),
    aldis_log:consumed(log, U, 0, 1),
    ?assertEqual([{24, <<"24">>}], received(U, 1)),
    nothing(U).

%% A subscription from before the oldest offset begins there, whatever its credit.
subscription_behind_retention_case(Folder) ->
    start(Folder, #{segment_bytes => 2000, retain_bytes => 10000}),
    Message = binary:copy(<<"x">>, 400),
    [{durable, N} = append(?P, 1, N, [Message]) || N <- lists:seq(1, 100)],
    #{first := First} = aldis_log:info(log),
    {ok, S} = aldis_log:subscribe(log, 1, 3),
    ?assertEqual([{N, Message} || N <- lists:seq(First, First + 2)], received(S, 3)),
    nothing(S),
    aldis_log:consumed(log, S, First + 2, 1000),
    ?assertEqual([{N, Message} || N <- lists:seq(First + 3, 100)], received(S, 98 - First)).

%% However much the credit is, no more bytes are sent than the subscriber takes, or a message that is larger alone; all come in order.
bytes_are_bounded_case(Folder) ->
    start(Folder, #{segment_bytes => 20000}),
    rand:seed(exsss, 7),
    Batches = [[rand:bytes(rand:uniform(case rand:uniform(10) of 1 -> 3000; _ -> 200 end)) || _ <- lists:seq(1, rand:uniform(20))] || _ <- lists:seq(1, 12)],
    All = lists:append(Batches),
    lists:foldl(fun(Batch, First) ->
        {durable, Last} = append(?P, 1, First, Batch),
        Last + 1
    end, 1, Batches),
    [begin
        {ok, S} = aldis_log:subscribe(log, 1, 1 bsl 40, #{bytes => Bytes, origin => Origin}),
        ?assertEqual(All, taken(S, length(All), Bytes, Origin, [], 0)),
        aldis_log:unsubscribe(log, S)
    end || Bytes <- [1, 500, 5000, 100000], Origin <- [false, true]].

%% Chunks that came and are not consumed, oldest first: the oldest is consumed when nothing else comes, or for every second that does.
taken(_, 0, _, _, _, _) -> [];
taken(S, Left, Bytes, Origin, Held, Turn) ->
    receive
        {aldis_sink, S, {entries, First, Count, Entries}} ->
            Messages = aldis_scan:to_list(Entries, 0, Count),
            Now = Held ++ [{First + Count - 1, Count, byte_size(Entries)}],
            ?assert(lists:sum([Size || {_, _, Size} <- Now]) =< Bytes orelse [C || {_, C, _} <- Now] =:= [1]),
            Rest = case Turn rem 2 of 1 -> consumed(S, Now); 0 -> Now end,
            [case Origin of true -> binary:part(M, 28, byte_size(M) - 28); false -> M end || M <- Messages]
                ++ taken(S, Left - Count, Bytes, Origin, Rest, Turn + 1)
    after case Held of [] -> 60000; _ -> 5 end ->
        [_ | _] = Held,
        taken(S, Left, Bytes, Origin, consumed(S, Held), Turn)
    end.

consumed(S, [{Last, _, _} | Rest]) ->
    aldis_log:consumed(log, S, Last, 1 bsl 40),
    Rest.

%% Credit that ends within a batch, and batches that go on from there.
credit_cuts_batches_case(Folder) ->
    start(Folder, #{segment_bytes => 2000}),
    Numbers = lists:seq(1, 1000),
    [{durable, _} = append(?P, 1, N * 10 + 1, [integer_to_binary(N * 10 + I) || I <- lists:seq(1, 10)]) || N <- lists:seq(0, 99)],
    {ok, S} = aldis_log:subscribe(log, 1, 0),
    Got = lists:foldl(fun(_, Acc) ->
        aldis_log:consumed(log, S, length(Acc), 7),
        Acc ++ received(S, min(7, 1000 - length(Acc)))
    end, [], lists:seq(1, 143)),
    ?assertEqual([{N, integer_to_binary(N)} || N <- Numbers], Got).

%% A subscription ends with its subscriber, and with the log.
subscriptions_end_case(Folder) ->
    Log = start(Folder),
    Self = self(),
    {_, Subscriber} = spawn_monitor(fun() -> {ok, S} = aldis_log:subscribe(log, 1, 5), Self ! S end),
    receive {'DOWN', Subscriber, _, _, _} -> ok after 60000 -> error(timeout) end,
    receive S when is_pid(S) -> gone(S) after 60000 -> error(timeout) end,
    {ok, T} = aldis_log:subscribe(log, 1, 5),
    stop(Log),
    gone(T).

gone(Pid) ->
    Ref = monitor(process, Pid),
    receive {'DOWN', Ref, _, _, _} -> ok after 60000 -> error(timeout) end.

%% Readers go on while a writer writes and rolls; what they get has no holes.
readers_beside_a_writer_case(Folder) ->
    start(Folder, #{segment_bytes => 6000}),
    readers_beside_a_writer(300, fun(Offset, Last) -> Offset =:= Last + 1 end).

%% Beside retention, a reader finds no holes but those of what was removed.
readers_beside_retention_case(Folder) ->
    start(Folder, #{segment_bytes => 6000, retain_bytes => 30000}),
    readers_beside_a_writer(400, fun(Offset, Last) -> Offset > Last end).

readers_beside_a_writer(Batches, Follows) ->
    Self = self(),
    Writer = spawn_link(fun() ->
        [begin
            First = (N - 1) * 3 + 1,
            {durable, _} = append(?P, 1, First, [integer_to_binary(First + I) || I <- [0, 1, 2]])
        end || N <- lists:seq(1, Batches)],
        Self ! {done, self()}
    end),
    {ok, S} = aldis_log:subscribe(log, 1, 1000000),
    ?assert(fold_until_done(Writer, Follows, 0) > 0),
    ?assertEqual(3 * Batches, until(S, 3 * Batches, Follows, 0)).

fold_until_done(Writer, Follows, N) ->
    receive {done, Writer} -> N
    after 0 ->
        {ok, _} = aldis_log:fold(log, 1, fun(Batch, Before) -> {ok, in_order(messages(Batch), Follows, Before)} end, 0),
        fold_until_done(Writer, Follows, N + 1)
    end.

in_order([{Offset, _, _, Offset, Message} | Within], Follows, Before) ->
    true = Follows(Offset, Before),
    Numbers = [binary_to_integer(M) || M <- [Message | [M || {_, _, _, _, M} <- Within]]],
    Last = Offset + length(Within),
    Numbers = lists:seq(Offset, Last),
    Last.

until(_, Last, _, Last) -> Last;
until(S, Last, Follows, Before) ->
    receive
        {aldis_sink, S, {entries, First, Count, Entries}} ->
            true = Follows(First, Before),
            Numbers = [binary_to_integer(M) || <<Size:32/little, M:Size/binary>> <= Entries],
            Numbers = lists:seq(First, First + Count - 1),
            until(S, Last, Follows, First + Count - 1)
    after 60000 -> {timeout, Before}
    end.

%% A file that is missing is no reason not to read what comes after it.
missing_segments_are_passed_over_case(Folder) ->
    Log = start(Folder, #{segment_bytes => 1}),
    [{durable, N} = append(?P, 1, N, [integer_to_binary(N)]) || N <- lists:seq(1, 6)],
    stop(Log),
    [ok = file:delete(aldis_log_segment:path(Folder, N)) || N <- [3, 4]],
    start(Folder, #{segment_bytes => 1000000}),
    [?assertEqual([N || N <- [1, 2, 5, 6], N >= From], [element(1, M) || M <- content(From)]) || From <- lists:seq(1, 6)],
    {ok, S} = aldis_log:subscribe(log, 1, 3),
    ?assertEqual([{N, integer_to_binary(N)} || N <- [1, 2, 5]], received(S, 3)),
    nothing(S).

%% A reader in the middle of a segment goes on when retention has removed it and the ones behind it.
removed_under_a_reader_case(Folder) ->
    Log = start(Folder, #{segment_bytes => 200, files => aldis_failing_files, retain_bytes => 600}),
    aldis_failing_files:fail({delete, filename:basename(aldis_log_segment:path(Folder, 1))}, eacces),
    [{durable, N} = append(?P, 1, N, [integer_to_binary(N)]) || N <- lists:seq(1, 20)],
    {ok, #{offset := 1}, Cursor} = aldis_log_reader:next(aldis_log:cursor(log, 1)),
    aldis_failing_files:heal(),
    Log ! retention,
    #{first := First} = aldis_log:info(log),
    ?assertEqual(lists:seq(First, 20), [N || N <- rest(Cursor), N >= First]).

rest(Cursor) ->
    case aldis_log_reader:next(Cursor) of
        {ok, #{offset := Offset, count := 1}, Next} -> [Offset | rest(Next)];
        {tail, _} -> []
    end.

received(_, 0) -> [];
received(S, Left) ->
    receive
        {aldis_sink, S, {entries, First, Count, Entries}} ->
            Messages = [M || <<Size:32/little, M:Size/binary>> <= Entries],
            Count = length(Messages),
            lists:zip(lists:seq(First, First + Count - 1), Messages) ++ received(S, Left - Count)
    after 60000 -> timeout
    end.

nothing(S) ->
    receive {aldis_sink, S, Message} -> error({unexpected, Message}) after 50 -> ok end.
