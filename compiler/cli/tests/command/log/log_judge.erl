%% The verdicts of the log in Erlang on folders: the other side of the tests of `aldis log`.
-module(log_judge).

-export([make/1, judge/1]).

-define(P, <<"producer------01">>).
-define(Q, <<"producer------02">>).

%% A log of three files; some records announce epochs, some have a schema.
make([Folder]) ->
    quiet(),
    {ok, Log} = aldis_log:start_link(options(Folder, #{segment_bytes => 600})),
    {ok, 0} = aldis_log:producer(log, ?Q, 3),
    lists:foreach(fun(N) ->
        append(?P, 1, 2 * N - 1, none, [integer_to_binary(N), <<"message ", (integer_to_binary(N))/binary>>]),
        N rem 4 =:= 0 andalso append(?Q, 3, N div 4, {7, N}, [<<>>])
    end, lists:seq(1, 13)),
    gen_server:stop(Log),
    halt(0).

append(Producer, Epoch, First, Schema, Messages) ->
    Entries = << <<(byte_size(M)):32/little, M/binary>> || M <- Messages >>,
    ok = aldis_log:append(log, Producer, Epoch, First, length(Messages), Schema, Entries, tag),
    receive {aldis_sink, tag, {durable, _}} -> ok end.

%% A line for each folder with a word about repair before it: `damaged POSITION`, or the messages that are read.
judge(Arguments) ->
    quiet(),
    process_flag(trap_exit, true),
    judged(Arguments),
    halt(0).

judged([Repair, Folder | Arguments]) ->
    Said = case aldis_log:start_link(options(Folder, #{repair => Repair =:= "repair"})) of
        {ok, Log} ->
            {ok, Messages} = aldis_log:fold(log, 1, fun(Batch, All) -> {ok, [messages(Batch) | All]} end, []),
            gen_server:stop(Log),
            ["messages", lists:reverse(Messages)];
        {error, {damaged, _, Position}} -> ["damaged ", integer_to_list(Position)]
    end,
    io:format("~s~n", [Said]),
    judged(Arguments);
judged([]) -> ok.

messages(#{offset := Offset, first := First, entries := Entries}) ->
    Messages = [M || <<Size:32/little, M:Size/binary>> <= Entries],
    [[" ", integer_to_list(Offset + I), ":", integer_to_list(First + I), ":", string:lowercase(binary:encode_hex(M))]
        || {I, M} <- lists:zip(lists:seq(0, length(Messages) - 1), Messages)].

%% The vectors of the first version are old: nothing that was silent is forgotten.
options(Folder, More) ->
    maps:merge(#{name => log, folder => Folder, scrub_bytes => 0, lease_ms => 500, producer_ms => infinity,
        unused_ms => infinity}, More).

quiet() -> logger:set_primary_config(level, none).
