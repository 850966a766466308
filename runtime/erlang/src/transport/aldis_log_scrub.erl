%% @doc Reads a log again, slowly, so that damage is found while there may still be another copy of what is damaged.
%%
%% Damage that it finds is told as any reader tells it ({@link aldis_log_reader}); its progress stands in the metrics
%% `scrubbed' and `scrub_offset'.
-module(aldis_log_scrub).

-export([start_link/2, loop/4]).

%% Milliseconds between the end of one reading and the begin of the next, and the shortest pause in between.
-define(REST, 3600000).
-define(PAUSE, 100).

%% @doc Starts a process that ends with its caller, the log. It reads so many bytes a second; 0: there is none.
-spec start_link(aldis_log_reader:handle(), Bytes :: non_neg_integer()) -> pid() | none.
start_link(_, 0) -> none;
start_link(Handle, Bytes) ->
    Log = self(),
    proc_lib:spawn_link(fun() -> loop(monitor(process, Log), Handle, Bytes, aldis_log_reader:open(Handle, 1)) end).

%% @private
-spec loop(reference(), aldis_log_reader:handle(), pos_integer(), aldis_log_reader:cursor()) -> ok.
loop(Log, Handle, Bytes, Cursor) ->
    {Next, Pause} = some(Handle, Bytes * ?PAUSE div 1000 + 1, 0, Cursor),
    receive
        {'DOWN', Log, process, _, _} ->
            _ = aldis_log_reader:close(Next),
            ok
    after Pause -> ?MODULE:loop(Log, Handle, Bytes, Next)
    end.

%% Reads until there were so many bytes; the pause is longer when the last batch was large.
some(_, Most, Read, Cursor) when Read >= Most -> {Cursor, Read * ?PAUSE div Most};
some(#{metrics := Metrics} = Handle, Most, Read, Cursor) ->
    case aldis_log_reader:next(Cursor) of
        {ok, #{offset := Offset, count := Count, entries := Entries}, Next} ->
            aldis_metrics:add(Metrics, scrubbed, Count),
            reached(Offset + Count - 1, Metrics),
            some(Handle, Most, Read + aldis_log_record:header_size() + byte_size(Entries), Next);
        {tail, Next} -> again(Handle, Next);
        {error, Reason, Next} ->
            Reason =:= closed orelse logger:warning("log: what is there cannot be read again (~0tp)", [Reason]),
            again(Handle, Next)
    end.

again(#{metrics := Metrics} = Handle, Cursor) ->
    _ = aldis_log_reader:close(Cursor),
    reached(0, Metrics),
    {aldis_log_reader:open(Handle, 1), ?REST}.

reached(Offset, Metrics) -> aldis_metrics:set(Metrics, scrub_offset, Offset).
