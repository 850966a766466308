%% A log's behaviour with damaged files, and with files of older versions.
-module(aldis_log_damage_tests).

-include_lib("eunit/include/eunit.hrl").
-include("properties.hrl").
-include("aldis_frame.hrl").

-compile([export_all, nowarn_export_all]).
-import(aldis_log_tests, [with_folder/1, start/1, start/2, stop/1, kill/1, append/4, entries/1, content/1,
    three_records/1, flipped/2]).
-import(testing, [eventually/1]).

-define(P, <<"producer------01">>).

damage_test_() ->
    {timeout, 1800, [{atom_to_list(Name), {timeout, 300, fun() -> with_folder(fun(Folder) -> ?MODULE:Name(Folder) end) end}}
        || {Name, 1} <- ?MODULE:module_info(exports), lists:suffix("_case", atom_to_list(Name))]}.

%% Damage to what was acknowledged is never cut away in silence, not even at the very end.
damage_case(Folder) ->
    {Path, Bytes, [Second, Third]} = three_records(Folder),
    [begin
        Damaged = flipped(Bytes, At),
        ok = file:write_file(Path, Damaged),
        ?assertEqual({error, {damaged, Path, if At < Third -> Second; true -> Third end}},
            aldis_log:start_link(#{name => log, folder => Folder})),
        ?assertEqual({ok, Damaged}, file:read_file(Path))
    end || At <- lists:seq(Second, byte_size(Bytes) - 1, 3)],
    Repaired = flipped(flipped(Bytes, Third - 1), byte_size(Bytes) - 1),
    ok = file:write_file(Path, Repaired),
    Log = start(Folder, #{repair => true}),
    ?assertEqual([{1, <<"first">>}], [{element(1, M), element(5, M)} || M <- content(1)]),
    %% The offsets of what is lost are not given again, and it can be sent again.
    ?assertEqual({durable, 2}, append(?P, 1, 2, [<<"again">>])),
    ?assertEqual([1, 4], [element(1, M) || M <- content(1)]),
    ?assertEqual({ok, binary:part(Repaired, Second, byte_size(Bytes) - Second)}, file:read_file(Path ++ ".damaged")),
    stop(Log),
    start(Folder),
    ?assertEqual([1, 4], [element(1, M) || M <- content(1)]).

%% Bytes that look like the begin of a long record every 80 bytes are not read as often: the one that is whole is found behind all,
%% whether it is short or long.
crafted_case(Folder) ->
    Salt = 16#DEADBEEF,
    Path = filename:join(Folder, "crafted"),
    Count = 1000,
    [begin
        Batch = #{offset => 7, synced => 0, time => 1, producer => ?P, epoch => 1, first => 3, count => 1, schema => none,
            entries => <<Size:32/little, 0:Size/unit:8>>},
        Whole = iolist_to_binary(aldis_log_record:encode(Batch, Salt)),
        <<Begin:4/binary, Crc:32/little, _:32, Rest:68/binary, _/binary>> = Whole,
        Fakes = << <<Begin/binary, (Crc bxor N):32/little, ((Count + 1 - N) * 80 - 12):32/little, Rest/binary>> || N <- lists:seq(1, Count) >>,
        ok = file:write_file(Path, [<<"head">>, Fakes, Whole, <<"tail">>]),
        {ok, File} = file:open(Path, [raw, read, binary]),
        At = 4 + byte_size(Fakes),
        All = At + byte_size(Whole) + 4,
        ?assertEqual({ok, At, Batch}, aldis_log_scan:find(File, Salt, 0, All, fun(#{offset := Offset}) -> Offset =:= 7 end)),
        ?assertEqual(none, aldis_log_scan:find(File, Salt, 0, All - 5, fun(_) -> true end)),
        ?assertEqual(none, aldis_log_scan:find(File, Salt, 0, All, fun(_) -> false end)),
        ok = file:close(File)
    end || Size <- [10, 10000]].

repair_keeps_what_is_behind_case(Folder) ->
    {Path, Bytes, [Second, _]} = three_records(Folder),
    ok = file:write_file(Path, flipped(Bytes, Second + 20)),
    Log = start(Folder, #{repair => true}),
    Kept = [{1, ?P, 1, 1, <<"first">>}, {3, ?P, 1, 3, <<"third">>}],
    ?assertEqual(Kept, content(1)),
    ?assertEqual({ok, 3}, aldis_log:producer(log, ?P, 1)),
    stop(Log),
    start(Folder),
    ?assertEqual(Kept, content(1)).

%% Any bit of a file that is no longer written may flip: all but the record that it is in is read, and what is not is told.
sealed_damage_case(Folder) ->
    Log = start(Folder, #{segment_bytes => 400, scrub_bytes => 0}),
    [{durable, N} = append(?P, 1, N, [integer_to_binary(N)]) || N <- lists:seq(1, 10)],
    stop(Log),
    {ok, [1, Next | _]} = aldis_log_segment:list(Folder),
    Path = aldis_log_segment:path(Folder, 1),
    {ok, Bytes} = file:read_file(Path),
    Self = self(),
    ok = aldis_telemetry:attach(?MODULE, [aldis, log, damaged],
        fun(_, _, #{first := First, last := Last}, _) -> Self ! {lost, lists:seq(First, Last)} end, []),
    [begin
        ok = file:write_file(Path, flipped(Bytes, At)),
        Again = start(Folder, #{scrub_bytes => 0}),
        Read = [Offset || {Offset, _, _, _, _} <- content(1)],
        stop(Again),
        Lost = lists:append(lost()),
        ?assert(length(Lost) =< 1),
        ?assert(lists:all(fun(Offset) -> Offset < Next end, Lost)),
        ?assertEqual(lists:seq(1, 10), lists:sort(Read ++ Lost))
    end || At <- lists:seq(0, byte_size(Bytes) - 1, 7)],
    %% Cut off, too; and nobody has to read it to hear of it.
    ok = file:write_file(Path, binary:part(Bytes, 0, byte_size(Bytes) - 1)),
    start(Folder, #{scrub_bytes => 1000000}),
    eventually(fun() -> receive {lost, _} -> true after 0 -> false end end),
    ?assertEqual(lists:delete(Next - 1, lists:seq(1, 10)), [Offset || {Offset, _, _, _, _} <- content(1)]),
    aldis_telemetry:detach(?MODULE).

lost() ->
    receive {lost, Offsets} -> [Offsets | lost()]
    after 0 -> []
    end.

%% A subscriber gets a gap, and what is behind it.
subscribers_pass_damage_case(Folder) ->
    {Path, Bytes, [Second, _]} = three_records(Folder),
    ok = file:write_file(Path, Bytes),
    Log = start(Folder, #{segment_bytes => 1}),
    {durable, 4} = append(?P, 1, 4, [<<"fourth">>]),
    ok = file:write_file(Path, flipped(Bytes, Second + 50)),
    {ok, S} = aldis_log:subscribe(log, 1, 4),
    Got = fun() -> receive {aldis_sink, S, {entries, First, Count, _}} -> {First, Count} after 60000 -> none end end,
    ?assertEqual({1, 1}, Got()),
    ?assertEqual({3, 2}, Got()),
    stop(Log).

%% A client of a listener sees the gap by the first offset of the PUSH behind it.
pushes_pass_damage_case(Folder) ->
    {Path, Bytes, [Second, _]} = three_records(Folder),
    ok = file:write_file(Path, Bytes),
    Log = start(Folder, #{segment_bytes => 1}),
    {durable, 4} = append(?P, 1, 4, [<<"fourth">>]),
    stop(Log),
    ok = file:write_file(Path, flipped(Bytes, Second + 50)),
    transport_peer:with_listener(#{sink => {aldis_log, #{name => log, folder => Folder}}}, fun(Port) ->
        {Socket, _} = transport_peer:hello(Port, #hello{producer = <<7:128>>, durability = handled, features = ?PUSH}),
        transport_peer:send(Socket, #subscribe{subscription = 1, from = 1, topic = "log", credit = 4}),
        ?assertMatch(#push{subscription = 1, first = 1, count = 1}, transport_peer:frame(Socket)),
        ?assertMatch(#push{subscription = 1, first = 3, count = 2}, transport_peer:frame(Socket))
    end).

%% A log of the first version is read, goes on, and knows its producers.
first_version_case(Folder) ->
    Vectors = filename:join([testing:root(), "conformance", "vectors", "log-1"]),
    {ok, Names} = file:list_dir(Vectors),
    [{ok, _} = file:copy(filename:join(Vectors, Name), filename:join(Folder, Name)) || Name <- Names, Name =/= "README.md"],
    P = <<"producer------01">>,
    Q = <<"producer------02">>,
    Expected = lists:append([[{2 * N - 1, P, 1, 2 * N - 1, integer_to_binary(N)},
        {2 * N, P, 1, 2 * N, <<"message ", (integer_to_binary(N))/binary>>}] || N <- lists:seq(1, 10)])
        ++ [{21, Q, 7, 1, <<>>}, {22, Q, 7, 2, <<"with a schema">>}, {23, P, 2, 1, <<"a newer epoch">>}],
    %% The vectors grow old.
    Kept = #{producer_ms => infinity, unused_ms => infinity},
    Log = start(Folder, Kept),
    ?assertEqual(Expected, content(1)),
    ?assertEqual({ok, 1}, aldis_log:producer(log, P, 2)),
    ?assertEqual({error, {stale_epoch, 8}}, aldis_log:producer(log, Q, 7)),
    {durable, 2} = append(P, 2, 2, [<<"now">>]),
    stop(Log),
    start(Folder, Kept),
    ?assertEqual(Expected ++ [{24, P, 2, 2, <<"now">>}], content(1)),
    {ok, Bases} = aldis_log_segment:list(Folder),
    ?assertEqual([1, 1, 2], [version(Folder, Base) || Base <- Bases]).

version(Folder, Base) ->
    {ok, <<_:64, Version:32/little, _/binary>>} = file:read_file(aldis_log_segment:path(Folder, Base)),
    Version.
