-module(aldis_log_tests).

-include_lib("eunit/include/eunit.hrl").
-include("properties.hrl").

-compile([export_all, nowarn_export_all]).
-import(testing, [eventually/1]).

-define(P, <<"producer------01">>).
-define(Q, <<"producer------02">>).

%% The beginning of every test: an empty folder, and a quiet logger.
with_folder(Test) ->
    Folder = string:trim(os:cmd("mktemp -d")),
    process_flag(trap_exit, true),
    try testing:quietly(fun() -> Test(Folder) end)
    after
        testing:quietly(fun() -> stop(whereis(log)) end),
        aldis_failing_files:heal(),
        file:del_dir_r(Folder)
    end.

start(Folder) -> start(Folder, #{}).
start(Folder, Options) ->
    {ok, Pid} = aldis_log:start_link(maps:merge(#{name => log, folder => Folder}, Options)),
    Pid.

stop(undefined) -> ok;
stop(Pid) -> gen_server:stop(Pid).

kill(Pid) ->
    exit(Pid, kill),
    receive {'EXIT', Pid, killed} -> ok after 60000 -> error(timeout) end.

entries(Messages) -> << <<(byte_size(M)):32/little, M/binary>> || M <- Messages >>.

append(Producer, Epoch, First, Messages) ->
    Tag = make_ref(),
    ok = aldis_log:append(log, Producer, Epoch, First, length(Messages), none, entries(Messages), Tag),
    outcome(Tag).

outcome(Tag) ->
    receive {aldis_sink, Tag, Outcome} -> Outcome after 60000 -> timeout end.

%% {Offset, Producer, Epoch, Sequence, Message} for all that is in the log from an offset on.
content(From) ->
    {ok, All} = aldis_log:fold(log, From, fun(Batch, Acc) -> {ok, Acc ++ messages(Batch)} end, []),
    All.

messages(#{offset := Offset, producer := Producer, epoch := Epoch, first := First, count := Count, entries := Entries}) ->
    Messages = [M || <<Size:32/little, M:Size/binary>> <= Entries],
    Count = length(Messages),
    [{Offset + I, Producer, Epoch, First + I, M} || {I, M} <- lists:zip(lists:seq(0, Count - 1), Messages)].

log_test_() ->
    {timeout, 1800, [{atom_to_list(Name), {timeout, 300, fun() -> with_folder(fun(Folder) -> ?MODULE:Name(Folder) end) end}}
        || {Name, 1} <- ?MODULE:module_info(exports), lists:suffix("_case", atom_to_list(Name))]}.

what_was_appended_is_read_case(Folder) ->
    start(Folder),
    ?assertEqual({ok, 0}, aldis_log:producer(log, ?P, 1)),
    ?assertEqual({durable, 2}, append(?P, 1, 1, [<<"a">>, <<>>])),
    ?assertEqual({durable, 3}, append(?P, 1, 3, [<<"ccc">>])),
    ?assertEqual({durable, 1}, append(?Q, 7, 1, [<<"q">>])),
    All = [{1, ?P, 1, 1, <<"a">>}, {2, ?P, 1, 2, <<>>}, {3, ?P, 1, 3, <<"ccc">>}, {4, ?Q, 7, 1, <<"q">>}],
    ?assertEqual(All, content(1)),
    ?assertEqual(lists:nthtail(1, All), content(2)),
    ?assertMatch({ok, #{offset := 2, first := 2, count := 1}}, aldis_log:read_batch(log, 2)),
    ?assertEqual(tail, aldis_log:read_batch(log, 5)),
    ?assertEqual({ok, 3}, aldis_log:producer(log, ?P, 1)),
    ?assertMatch(#{first := 1, last := 4, segments := 1, producers := 2}, aldis_log:info(log)).

schemas_and_time_are_kept_case(Folder) ->
    start(Folder),
    ok = aldis_log:append(log, ?P, 0, 1, 1, {7, 16#FFFFFFFF}, entries([<<"x">>]), t),
    {durable, 1} = outcome(t),
    {ok, #{schema := {7, 16#FFFFFFFF}, time := Time}} = aldis_log:read_batch(log, 1),
    ?assert(abs(Time - erlang:system_time(millisecond)) < 60000).

known_messages_are_not_kept_twice_case(Folder) ->
    start(Folder),
    {durable, 3} = append(?P, 1, 1, [<<"1">>, <<"2">>, <<"3">>]),
    ?assertEqual({durable, 3}, append(?P, 1, 1, [<<"1">>, <<"2">>, <<"3">>])),
    ?assertEqual({durable, 5}, append(?P, 1, 3, [<<"3">>, <<"4">>, <<"5">>])),
    ?assertEqual({error, {gap, 6}}, append(?P, 1, 7, [<<"7">>])),
    %% Two of three entries, and the first is known: there is no message 6.
    ok = aldis_log:append(log, ?P, 1, 5, 3, none, <<9:32/little>>, t),
    ?assertEqual({error, bad_count}, outcome(t)),
    ?assertEqual([<<"1">>, <<"2">>, <<"3">>, <<"4">>, <<"5">>], [element(5, M) || M <- content(1)]).

epochs_are_fenced_case(Folder) ->
    Log = start(Folder),
    {durable, 1} = append(?P, 5, 1, [<<"five">>]),
    ?assertEqual({ok, 0}, aldis_log:producer(log, ?P, 6)),
    kill(Log),
    %% Announced is enough, also over a kill.
    start(Folder),
    ?assertEqual({error, {stale_epoch, 6}}, aldis_log:producer(log, ?P, 5)),
    ?assertEqual({error, {stale_epoch, 6}}, append(?P, 5, 2, [<<"late">>])),
    ?assertEqual({durable, 1}, append(?P, 6, 1, [<<"six">>])),
    ?assertEqual([{1, ?P, 5, 1, <<"five">>}, {2, ?P, 6, 1, <<"six">>}], content(1)).

nobody_there_case(_) ->
    ?assertEqual({error, unavailable}, append(?P, 1, 1, [<<"x">>])),
    ?assertEqual({error, unavailable}, aldis_log:producer(log, ?P, 1)),
    ?assertEqual({error, unavailable}, aldis_log:subscribe(log, 1, 1)).

%% Every way to end within the last record, or to have a wrong bit in it, leaves exactly the records before.
torn_tail_case(Folder) ->
    {Path, Bytes, [_, Last]} = three_records(Folder),
    unmarked(Folder),
    Size = byte_size(Bytes),
    [begin
        ok = file:write_file(Path, binary:part(Bytes, 0, Cut)),
        opens_with(Folder, 2)
    end || Cut <- lists:seq(Last, Size - 1, 3)],
    [begin
        ok = file:write_file(Path, flipped(Bytes, At)),
        opens_with(Folder, 2)
    end || At <- lists:seq(Last, Size - 1, 5)],
    ok = file:write_file(Path, Bytes),
    opens_with(Folder, 3).

%% A whole record behind a hole that was not yet on the disk was never acknowledged; it must go, or the hole's messages
%% would be forgotten.
hole_case(Folder) ->
    {Path, Bytes, [Second, Third]} = three_records(Folder),
    %% Both records in one write: the third doesn't know that the second was on the disk.
    Log = start(Folder),
    {ok, File} = file:open(Path, [raw, binary, read]),
    {ok, #{salt := Salt, start := Start}} = aldis_log_segment:head(File),
    file:close(File),
    stop(Log),
    unmarked(Folder),
    {ok, Batch, _} = aldis_log_record:decode(Bytes, Third, Salt),
    One = iolist_to_binary(aldis_log_record:encode(Batch#{synced := Second}, Salt)),
    ?assert(Start < Second),
    <<Before:Second/binary, Hole:(Third - Second)/binary, _/binary>> = Bytes,
    ok = file:write_file(Path, [Before, <<0:(byte_size(Hole))/unit:8>>, One]),
    opens_with(Folder, 1).

broken_header_case(Folder) ->
    {Path, Bytes, _} = three_records(Folder),
    [begin
        ok = file:write_file(Path, flipped(Bytes, At)),
        {error, Reason} = aldis_log:start_link(#{name => log, folder => Folder}),
        ?assertMatch({At, true}, {At, lists:member(element(1, Reason), [damaged, unreadable])})
    end || At <- lists:seq(0, 43)].

%% Nobody knows any more up to where the newest segment was on the disk.
unmarked(Folder) -> file:delete(aldis_log_owner:path(Folder)).

%% The path of a segment with three records of one message, each synced alone; its bytes; where the last two begin.
three_records(Folder) ->
    Log = start(Folder),
    Ends = [begin
        {durable, N} = append(?P, 1, N, [M]),
        maps:get(bytes, aldis_log:info(log))
    end || {N, M} <- [{1, <<"first">>}, {2, <<"second">>}, {3, <<"third">>}]],
    stop(Log),
    Path = aldis_log_segment:path(Folder, 1),
    {ok, Bytes} = file:read_file(Path),
    [Second, Third, End] = Ends,
    End = byte_size(Bytes),
    {Path, Bytes, [Second, Third]}.

flipped(Bytes, At) ->
    <<Before:At/binary, Byte, After/binary>> = Bytes,
    <<Before/binary, (Byte bxor (1 bsl (At rem 8))), After/binary>>.

opens_with(Folder, Count) ->
    unmarked(Folder),
    Log = start(Folder),
    ?assertEqual(lists:sublist([<<"first">>, <<"second">>, <<"third">>], Count), [element(5, M) || M <- content(1)]),
    ?assertEqual({ok, Count}, aldis_log:producer(log, ?P, 1)),
    stop(Log).

%% A client cannot make its bytes pass for a record, not even with the bytes of a real one.
records_in_messages_case(Folder) ->
    {Path, Bytes, [Second, _]} = three_records(Folder),
    Log = start(Folder),
    {ok, File} = file:open(Path, [raw, binary, read]),
    {ok, #{salt := Salt}} = aldis_log_segment:head(File),
    file:close(File),
    {ok, Batch, _} = aldis_log_record:decode(Bytes, Second, Salt),
    Fake = iolist_to_binary(aldis_log_record:encode(Batch#{synced := 1 bsl 40}, Salt bxor 1)),
    {durable, 4} = append(?P, 1, 4, [Fake]),
    #{bytes := End} = aldis_log:info(log),
    stop(Log),
    unmarked(Folder),
    {ok, All} = file:read_file(Path),
    ok = file:write_file(Path, binary:part(All, 0, End - 1)),
    opens_with(Folder, 3).

%% Nor can it make recovery look for records everywhere, by a message that is full of what may be their begin.
recovery_is_not_slowed_case(Folder) ->
    {Path, Bytes, [Second, _]} = three_records(Folder),
    Head = binary:part(Bytes, Second + 8, 72),
    Stuffed = entries([binary:copy(<<0:32, 0:32, (8 bsl 20):32/little, Head/binary>>, 100000)]),
    Log = start(Folder),
    {durable, 4} = append(?P, 1, 4, [Stuffed]),
    #{bytes := End} = aldis_log:info(log),
    stop(Log),
    unmarked(Folder),
    {ok, All} = file:read_file(Path),
    ok = file:write_file(Path, binary:part(All, 0, End - 1)),
    {Time, ok} = timer:tc(fun() -> opens_with(Folder, 3) end),
    ?assert(Time < 5000000).

retention_by_size_case(Folder) ->
    Log = start(Folder, #{segment_bytes => 2000, retain_bytes => 10000}),
    Message = binary:copy(<<"x">>, 400),
    [{durable, N} = append(?P, 3, N, [Message]) || N <- lists:seq(1, 100)],
    #{first := First, last := 100, bytes := Bytes, segments := Segments} = aldis_log:info(log),
    ?assert(Bytes =< 12000 andalso Bytes > 5000),
    ?assertEqual(lists:seq(First, 100), [element(1, M) || M <- content(1)]),
    {ok, Names} = file:list_dir(Folder),
    ?assertEqual(Segments, length([Name || Name <- Names, filename:extension(Name) =:= ".log"])),
    %% Each but the newest has its index.
    ?assertEqual(Segments - 1, length([Name || Name <- Names, filename:extension(Name) =:= ".index"])),
    %% Knowledge of a producer outlives its messages.
    stop(Log),
    start(Folder, #{segment_bytes => 2000, retain_bytes => 0}),
    {durable, 1} = append(?Q, 0, 1, [Message]),
    [{durable, N} = append(?Q, 0, N, [Message]) || N <- lists:seq(2, 10)],
    ?assertEqual({ok, 100}, aldis_log:producer(log, ?P, 3)),
    ?assertMatch(#{segments := 1}, aldis_log:info(log)).

%% A file that retention has removed is cut off while somebody reads it: that is no damage, and reading goes on with what is kept.
removed_while_it_is_read_case(Folder) ->
    start(Folder, #{segment_bytes => 6000000, retain_bytes => 12000000, scrub_bytes => 0}),
    Append = fun(Numbers) -> [{durable, N} = append(?P, 1, N, [binary:copy(<<N>>, 1000000)]) || N <- Numbers] end,
    Append(lists:seq(1, 6)),
    {ok, #{offset := 1}, Cursor} = aldis_log_reader:next(aldis_log:cursor(log, 1)),
    {ok, First} = file:open(aldis_log_segment:path(Folder, 1), [raw, read]),
    Self = self(),
    ok = aldis_telemetry:attach(?MODULE, [aldis, log, damaged], fun(_, _, Lost, _) -> Self ! {lost, Lost} end, []),
    Append(lists:seq(7, 20)),
    eventually(fun() -> {ok, Size} = file:position(First, eof), Size < 2000000 end),
    ok = file:close(First),
    #{first := Oldest} = aldis_log:info(log),
    ?assert(Oldest > 2),
    {ok, #{offset := Next}, Later} = aldis_log_reader:next(Cursor),
    ?assertEqual(Oldest, Next),
    _ = aldis_log_reader:close(Later),
    ok = aldis_telemetry:detach(?MODULE),
    receive {lost, Lost} -> error({lost, Lost}) after 0 -> ok end.

%% A backup of hard links keeps what the log removes.
removed_with_another_name_case(Folder) ->
    start(Folder, #{segment_bytes => 6000000, retain_bytes => 0, scrub_bytes => 0}),
    Append = fun(Numbers) -> [{durable, N} = append(?P, 1, N, [binary:copy(<<N>>, 1000000)]) || N <- Numbers] end,
    Append(lists:seq(1, 6)),
    Path = aldis_log_segment:path(Folder, 1),
    {ok, Bytes} = file:read_file(Path),
    Backup = filename:join(Folder, "backup"),
    ok = file:make_link(Path, Backup),
    Append(lists:seq(7, 13)),
    Next = aldis_log_segment:path(Folder, 7),
    eventually(fun() -> not filelib:is_file(Path) andalso not filelib:is_file(Next) end),
    %% Zeros that filled its last block went when the log was through with the file.
    {ok, Kept} = file:read_file(Backup),
    ?assert(byte_size(Kept) > 6000000 andalso Kept =:= binary:part(Bytes, 0, byte_size(Kept))).

%% Whoever appends sums the entries up; the record is the same as if they were summed up when it is written.
sums_are_joined_case(_) ->
    [begin
        Entries = entries([rand:bytes(Size)]),
        Batch = #{offset => 7, synced => 1, time => 2, producer => ?P, epoch => 3, first => 4, count => 1, schema => {5, 6},
            entries => Entries},
        Sum = aldis_log_record:sum(Entries),
        ?assertEqual(Size >= 4092, is_integer(Sum)),
        ?assertEqual(iolist_to_binary(aldis_log_record:encode(Batch, 99)),
            iolist_to_binary(aldis_log_record:encode(Batch#{sum => Sum}, 99))),
        ?assertEqual({ok, Batch}, aldis_log_record:drop(Batch, 0))
    end || Size <- [0, 1, 4091, 4092, 4093, 70000, 300000]],
    Two = #{offset => 1, first => 1, count => 2, entries => entries([<<"a">>, <<"b">>]), sum => 1},
    {ok, One} = aldis_log_record:drop(Two, 1),
    ?assertNot(is_map_key(sum, One)).

retention_by_age_case(Folder) ->
    Log = start(Folder, #{retain_ms => 1000}),
    {durable, 1} = append(?P, 3, 1, [<<"old">>]),
    Retained = fun(Segments) -> Log ! retention, Info = aldis_log:info(log), maps:get(segments, Info) =:= Segments andalso Info end,
    ?assertMatch(#{first := 1, last := 1}, eventually(fun() -> Retained(2) end)),
    ?assertMatch(#{first := 2, last := 1}, eventually(fun() -> Retained(1) end)),
    ?assertEqual([], content(1)),
    {durable, 2} = append(?P, 3, 2, [<<"new">>]),
    ?assertEqual([{2, ?P, 3, 2, <<"new">>}], content(1)).

%% There is no hole, whichever segments cannot be removed, and whenever that ends.
retention_leaves_no_hole_case(Folder) ->
    Log = start(Folder, #{segment_bytes => 1, files => aldis_failing_files, retain_bytes => 400}),
    [aldis_failing_files:fail({delete, filename:basename(aldis_log_segment:path(Folder, N))}, eacces) || N <- [1, 3]],
    [{durable, N} = append(?P, 1, N, [<<"message">>]) || N <- lists:seq(1, 6)],
    ?assertMatch(#{first := 1, segments := 6}, aldis_log:info(log)),
    ?assertEqual(lists:seq(1, 6), [element(1, M) || M <- content(1)]),
    aldis_failing_files:heal(),
    aldis_failing_files:fail({delete, filename:basename(aldis_log_segment:path(Folder, 3))}, eacces),
    Log ! retention,
    ?assertMatch(#{first := 3, segments := 4}, aldis_log:info(log)),
    stop(Log),
    Again = start(Folder, #{segment_bytes => 1000000}),
    ?assertEqual(lists:seq(3, 6), [element(1, M) || M <- content(1)]),
    %% A segment that somebody removed by hand does not keep the rest.
    stop(Again),
    aldis_failing_files:heal(),
    Last = start(Folder, #{segment_bytes => 1000000, retain_bytes => 400}),
    ok = file:delete(aldis_log_segment:path(Folder, 3)),
    Last ! retention,
    #{first := First} = aldis_log:info(log),
    ?assert(First > 3),
    ?assertEqual(lists:seq(First, 6), [element(1, M) || M <- content(1)]).

%% A header with many producers is no reason to begin another file.
many_producers_case(Folder) ->
    Log = start(Folder, #{segment_bytes => 2000}),
    [ok = gen_call(Log, N) || N <- lists:seq(1, 200)],
    [receive {_, {ok, 1, 0}} -> ok after 60000 -> error(timeout) end || _ <- lists:seq(1, 200)],
    #{segments := Before} = aldis_log:info(log),
    [{durable, N} = append(?P, 1, N, [<<"m">>]) || N <- lists:seq(1, 50)],
    #{segments := Segments, producers := 201} = aldis_log:info(log),
    ?assert(Segments - Before =< 4),
    stop(Log),
    start(Folder, #{segment_bytes => 2000}),
    ?assertMatch(#{producers := 201}, aldis_log:info(log)).

gen_call(Log, N) ->
    Log ! {'$gen_call', {self(), make_ref()}, {producer, <<N:128>>, 1, <<0:128>>}},
    ok.

%% A producer is of whom announced it first, in files too; epochs are counted here if the producer says so.
producers_have_owners_case(Folder) ->
    [Alice, Bob] = [<<N:128>> || N <- [1, 2]],
    Log = start(Folder, #{segment_bytes => 300, identity_producers => 2}),
    ?assertEqual({ok, 1, 0}, aldis_log:claim(log, ?P, next, Alice)),
    ?assertEqual({error, not_owner}, aldis_log:claim(log, ?P, next, Bob)),
    ?assertEqual({error, not_owner}, aldis_log:producer(log, ?P, 7)),
    [{durable, N} = append(?P, 1, N, [<<"m">>]) || N <- lists:seq(1, 5)],
    ?assertEqual({ok, 0}, aldis_log:producer(log, ?Q, 1)),
    {durable, 1} = append(?Q, 1, 1, [<<"q">>]),
    %% A client that announces nobody's producer has it, and how far it came stays known.
    ?assertEqual({ok, 1, 1}, aldis_log:claim(log, ?Q, 1, Alice)),
    ?assertEqual({error, not_owner}, aldis_log:claim(log, ?Q, 1, Bob)),
    ?assertEqual({error, full}, aldis_log:claim(log, <<3:128>>, 1, Alice)),
    ?assertEqual({ok, 1, 0}, aldis_log:claim(log, <<3:128>>, 1, Bob)),
    [begin
        ?assertEqual({error, not_owner}, aldis_log:claim(log, ?P, next, Bob)),
        ?assertEqual({ok, 2 + I, 0}, aldis_log:claim(log, ?P, next, Alice)),
        kill(whereis(log)),
        start(Folder, #{segment_bytes => 300, identity_producers => 2})
    end || I <- lists:seq(0, 3)],
    ?assertEqual({ok, Alice}, aldis_log:identity(log, ?P)),
    ?assertNotEqual(Log, whereis(log)).

silent_producers_are_forgotten_case(Folder) ->
    Log = start(Folder, #{segment_bytes => 1, producer_ms => 50}),
    {durable, 1} = append(?P, 3, 1, [<<"once">>]),
    timer:sleep(80),
    {durable, 1} = append(?Q, 3, 1, [<<"now">>]),
    ?assertMatch(#{producers := 1}, aldis_log:info(log)),
    stop(Log).

%% A producer that has written in an older epoch is not unused: the messages it sent then would come twice.
written_in_older_epochs_case(Folder) ->
    Options = #{segment_bytes => 1, unused_ms => 20},
    Log = start(Folder, Options),
    {durable, 1} = append(?P, 1, 1, [<<"once">>]),
    {ok, 0} = aldis_log:producer(log, ?P, 2),
    {ok, 0} = aldis_log:producer(log, ?Q, 1),
    timer:sleep(60),
    %% Into the header of a new segment, and from there into the next one.
    [begin
        {durable, N} = append(<<3:128>>, 1, N, [<<"roll">>]),
        ?assertMatch(#{producers := 2}, aldis_log:info(log)),
        ?assertEqual({error, {stale_epoch, 2}}, append(?P, 1, 1, [<<"once">>])),
        stop(whereis(log)),
        start(Folder, Options)
    end || N <- [1, 2, 3]],
    ?assertNotEqual(Log, whereis(log)),
    ?assertEqual([<<"once">>, <<"roll">>, <<"roll">>, <<"roll">>], [element(5, M) || M <- content(1)]).

%% Anybody may choose names of producers: what is known of them is bounded, and nobody known is forgotten for it.
producers_are_bounded_case(Folder) ->
    Log = start(Folder, #{max_producers => 2}),
    {durable, 1} = append(?P, 1, 1, [<<"a">>]),
    {ok, 0} = aldis_log:producer(log, ?Q, 1),
    #{bytes := Bytes} = aldis_log:info(log),
    ?assertEqual({error, full}, append(<<3:128>>, 1, 1, [<<"c">>])),
    [?assertEqual({error, full}, aldis_log:producer(log, <<N:128>>, 1)) || N <- lists:seq(1, 100)],
    ?assertMatch(#{producers := 2, bytes := Bytes}, aldis_log:info(log)),
    ?assertEqual({durable, 2}, append(?P, 1, 2, [<<"d">>])),
    ?assertEqual({ok, 0}, aldis_log:producer(log, ?Q, 2)),
    stop(Log),
    %% A producer that is silent for long makes room for others.
    Again = start(Folder, #{max_producers => 1, producer_ms => 50}),
    eventually(fun() -> Again ! retention, {ok, 0} =:= aldis_log:producer(log, <<3:128>>, 1) end),
    stop(Again).

%% A piece that is read at once when a log opens may be a megabyte for each producer.
names_of_producers_are_copies_test() ->
    <<Producer:16/binary, _/binary>> = binary:copy(?P, 1000),
    Known = aldis_log_segment:remember(#{producer => Producer, epoch => 1, first => 1, count => 2, time => 3}, #{}),
    ?assertEqual(#{?P => {1, 2, 3, <<0:128>>, true}}, Known),
    %% OTP 27 says the size of a small binary in bits.
    ?assertMatch([Size] when Size =< 128, [binary:referenced_byte_size(Name) || Name <- maps:keys(Known)]).

options_case(Folder) ->
    Bad = [{#{name => log}, "folder is missing"}, {#{folder => Folder}, "name is missing"}, {[], "are a map"},
        {#{name => "log", folder => Folder}, "name => \"log\": an atom"},
        {#{name => log, folder => Folder, retain_bytes => -1}, "bytes or infinity"},
        {#{name => log, folder => Folder, segment_byte => 1}, "no such option"}],
    [begin
        {error, {bad_option, Text}} = aldis_log:start_link(Options),
        ?assertMatch({Options, true}, {Options, string:find(Text, Words) =/= nomatch})
    end || {Options, Words} <- Bad],
    ok = file:write_file(filename:join(Folder, "file"), <<>>),
    ?assertMatch({error, {folder, _, enotdir}}, aldis_log:start_link(#{name => log, folder => filename:join([Folder, "file", "x"])})).

%% Each failure is answered, nothing of it is kept, and the next write after it works.
failing_disk_case(Folder) ->
    Log = start(Folder, #{files => aldis_failing_files}),
    {durable, 1} = append(?P, 1, 1, [<<"1">>]),
    lists:foldl(fun({Calls, Reason}, N) ->
        [aldis_failing_files:fail(Call, Reason) || Call <- Calls],
        ?assertEqual({error, unavailable}, append(?P, 1, N, [<<"lost">>])),
        ?assertEqual({error, unavailable}, append(?P, 1, N, [<<"lost too">>])),
        ?assertEqual({error, unavailable}, aldis_log:producer(log, ?Q, N)),
        ?assertEqual(N - 1, length(content(1))),
        aldis_failing_files:heal(),
        ?assertEqual({ok, N - 1}, aldis_log:producer(log, ?P, 1)),
        ?assertEqual({durable, N}, append(?P, 1, N, [integer_to_binary(N)])),
        N + 1
    end, 2, [{[write], enospc}, {[datasync], eio}, {[write, truncate], enospc}, {[datasync, truncate], eio},
        {[datasync, rename], eio}, {[write, open], enospc}]),
    All = [{N, ?P, 1, N, integer_to_binary(N)} || N <- lists:seq(1, 7)],
    ?assertEqual(All, content(1)),
    stop(Log),
    start(Folder),
    ?assertEqual(All, content(1)).

big_batches_case(Folder) ->
    start(Folder, #{segment_bytes => 5000000}),
    Messages = [rand:bytes(N * 1000) || N <- lists:seq(1, 100)],
    [{durable, _} = append(?P, 1, 1 + 100 * N, Messages) || N <- lists:seq(0, 5)],
    ?assertEqual(lists:append(lists:duplicate(6, Messages)), [element(5, M) || M <- content(1)]),
    ?assertEqual(lists:nthtail(177, lists:append(lists:duplicate(6, Messages))), [element(5, M) || M <- content(178)]).

%% Many at once: all of it, once, in order for each, and in fewer syncs than batches.
concurrent_producers_case(Folder) ->
    start(Folder, #{segment_bytes => 100000}),
    Self = self(),
    Pids = [spawn_link(fun() ->
        Producer = <<I:128>>,
        {ok, 0} = aldis_log:producer(log, Producer, 0),
        [ok = aldis_log:append(log, Producer, 0, N, 1, none, entries([<<I:32, N:32>>]), N) || N <- lists:seq(1, 500)],
        [receive {aldis_sink, N, {durable, N}} -> ok after 60000 -> error(timeout) end || N <- lists:seq(1, 500)],
        Self ! {done, self()}
    end) || I <- lists:seq(1, 8)],
    [receive {done, Pid} -> ok after 60000 -> error(timeout) end || Pid <- Pids],
    All = content(1),
    ?assertEqual(lists:seq(1, 4000), [Offset || {Offset, _, _, _, _} <- All]),
    [?assertEqual(lists:seq(1, 500), [N || {_, <<J:128>>, 0, N, <<J:32, N:32>>} <- All, J =:= I]) || I <- lists:seq(1, 8)],
    #{fsync_time := #{count := Syncs}} = aldis_metrics:snapshot(aldis_metrics:new(log, log)),
    aldis_metrics:delete(log, log),
    ?assert(Syncs < 2000).

%% A real process, killed as it appends: all that it heard to be durable is there, and what is there is in order.
killed_process_case(Folder) ->
    [begin
        Acked = killed_once(Folder, 5 + rand:uniform(40)),
        Log = start(Folder),
        Numbers = [binary_to_integer(M) || {_, _, _, _, M} <- content(1)],
        ?assertEqual(lists:seq(1, length(Numbers)), Numbers),
        ?assert(length(Numbers) >= Acked),
        stop(Log)
    end || _ <- lists:seq(1, 3)].

%% Killed when it has said so often that something is durable; the last that it said.
killed_once(Folder, Times) ->
    Paths = lists:append([["-pa", filename:dirname(code:which(M))] || M <- [aldis_log, ?MODULE]]),
    Port = open_port({spawn_executable, os:find_executable("erl")},
        [{args, ["-noshell" | Paths] ++ ["-run", ?MODULE_STRING, "append_forever", Folder]}, {line, 100}, exit_status]),
    {os_pid, Pid} = erlang:port_info(Port, os_pid),
    Said = [receive {Port, {data, {eol, Line}}} -> list_to_integer(Line) after 120000 -> error(timeout) end || _ <- lists:seq(1, Times)],
    os:cmd("kill -9 " ++ integer_to_list(Pid)),
    last_said(Port, lists:last(Said)).

last_said(Port, Acked) ->
    receive
        {Port, {data, {eol, Line}}} -> last_said(Port, list_to_integer(Line));
        {Port, {exit_status, _}} -> Acked
    after 120000 -> error(timeout)
    end.

append_forever([Folder]) ->
    {ok, _} = aldis_log:start_link(#{name => log, folder => Folder, segment_bytes => 20000}),
    {ok, Last} = aldis_log:producer(log, ?P, 1),
    append_next(Last + 1).

append_next(N) ->
    {durable, Last} = append(?P, 1, N, [integer_to_binary(M) || M <- lists:seq(N, N + 6)]),
    io:format("~b~n", [Last]),
    append_next(Last + 1).

%% Appends, announcements, kills and torn tails in any order: the log is what a list would be.
model_case(Folder) ->
    ?assert(proper:quickcheck(prop_model(Folder), [{numtests, 60}, {max_size, 30}, quiet])).

prop_model(Root) ->
    Step = oneof([{append, range(1, 2), range(1, 3), range(-3, 2), range(1, 5)}, {append, range(1, 2), 2, 1, range(1, 5)},
        {producer, range(1, 2), range(1, 3)}, restart, {tear, range(1, 200)}]),
    ?FORALL(Steps, list(Step), begin
        Folder = filename:join(Root, integer_to_list(erlang:unique_integer([positive]))),
        start(Folder, #{segment_bytes => 700}),
        {Model, _, Agreed} = lists:foldl(fun(S, Acc) -> step(S, Folder, Acc) end, {[], #{}, true}, Steps),
        Same = [{P, E, N, M} || {_, P, E, N, M} <- content(1)] =:= lists:reverse(Model),
        stop(whereis(log)),
        Agreed andalso Same
    end).

step(_, _, {Model, Known, false}) -> {Model, Known, false};
step({append, P, Epoch, Ahead, Count}, _, {Model, Known, true}) ->
    {Newest, Last} = maps:get(P, Known, {0, 0}),
    From = case Epoch of Newest -> Last; _ -> 0 end,
    First = max(1, From + Ahead),
    Messages = [integer_to_binary(N) || N <- lists:seq(First, First + Count - 1)],
    Expected = if
        Epoch < Newest -> {error, {stale_epoch, Newest}};
        First > From + 1 -> {error, {gap, From + 1}};
        true -> {durable, max(From, First + Count - 1)}
    end,
    case {append(<<P:128>>, Epoch, First, Messages), Expected} of
        {{durable, New}, {durable, New}} ->
            Added = [{<<P:128>>, Epoch, N, integer_to_binary(N)} || N <- lists:seq(New, From + 1, -1)],
            {Added ++ Model, Known#{P => {Epoch, New}}, true};
        {Got, Expected} -> {Model, Known, Got =:= Expected}
    end;
step({producer, P, Epoch}, _, {Model, Known, true}) ->
    {Newest, Last} = maps:get(P, Known, {0, 0}),
    {Expected, New} = if
        Epoch < Newest -> {{error, {stale_epoch, Newest}}, Known};
        Epoch > Newest -> {{ok, 0}, Known#{P => {Epoch, 0}}};
        true -> {{ok, Last}, Known}
    end,
    {Model, New, aldis_log:producer(log, <<P:128>>, Epoch) =:= Expected};
step(restart, Folder, Acc) ->
    kill(whereis(log)),
    start(Folder, #{segment_bytes => 700}),
    Acc;
%% The beginning of a record that never was written whole.
step({tear, Size}, Folder, Acc) ->
    kill(whereis(log)),
    {ok, Bases} = aldis_log_segment:list(Folder),
    Path = aldis_log_segment:path(Folder, lists:last(Bases)),
    Record = iolist_to_binary(aldis_log_record:encode(#{offset => 1, synced => 0, time => 0, producer => ?P, epoch => 1,
        first => 1, count => 1, schema => none, entries => entries([binary:copy(<<"t">>, 200)])}, 0)),
    ok = file:write_file(Path, binary:part(Record, 0, Size), [append]),
    start(Folder, #{segment_bytes => 700}),
    Acc.
