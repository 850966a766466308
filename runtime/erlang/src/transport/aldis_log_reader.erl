%% @doc Reads a durable log while it is written: a cursor over its segments, and the process behind a subscription.
%%
%% Damage is passed over: the next whole record, or the next segment, is where a reader goes on. The loss is logged,
%% counted (metric `damaged') and told by the event `[aldis, log, damaged]', and the next batch begins behind it.
%%
%% A reader goes no further than what is durable. It asks the log's table, not its process, and checks every record again.
-module(aldis_log_reader).
-behaviour(gen_server).

-export([open/2, next/1, close/1]).
-export([start_link/5, consumed/3]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2]).
-export_type([handle/0, cursor/0, fault/0]).

-type handle() :: #{log := atom(), folder := file:filename_all(), table := ets:table(), metrics := aldis_metrics:ref()}.
%% The table holds `{durable, Offset, Base, Position}'; for each segment `{{segment, Base}, Salt}'; and where records
%% begin, for each segment's first and some others: `{{index, Offset}, Base, Position}'.
-type fault() :: file:posix() | badarg | terminated | closed.

-define(CHUNK, 262144).
-define(LEAST_CHUNK, 16384).

-record(cursor, {
    handle :: handle(),
    %% The offset of the message that is wanted next.
    wanted :: aldis_sink:sequence(),
    file = none :: none | file:fd(),
    base = 0 :: aldis_sink:sequence(),
    salt = 0 :: aldis_log_record:salt(),
    position = 0 :: non_neg_integer(),
    %% The bytes that were read from `position - at' on.
    bytes = <<>> :: binary(),
    at = 0 :: non_neg_integer(),
    %% How many bytes are read at a time, if a record is no larger.
    chunk = ?CHUNK :: pos_integer()
}).
-opaque cursor() :: #cursor{}.

%% Small batches go to a subscriber together, up to so many bytes.
-define(TOGETHER, 65536).

%% @doc A cursor at an offset; 0 is behind all that is durable now. Offsets that retention has removed begin at the oldest.
-spec open(handle(), aldis_sink:sequence()) -> cursor().
open(Handle, 0) -> #cursor{handle = Handle, wanted = durable(Handle) + 1};
open(Handle, From) -> #cursor{handle = Handle, wanted = From}.

durable(#{table := Table}) ->
    try ets:lookup_element(Table, durable, 2)
    catch error:badarg -> 0
    end.

%% @doc The batch that holds the wanted message, without what is before that. `tail': it is not durable yet.
-spec next(cursor()) -> {ok, aldis_log_record:batch(), cursor()} | {tail, cursor()} | {error, fault(), cursor()}.
next(#cursor{handle = #{table := Table}} = Cursor) ->
    try look(Cursor)
    catch
        error:badarg:Stack ->
            case ets:info(Table, size) of
                undefined -> {error, closed, Cursor};
                _ -> erlang:raise(error, badarg, Stack)
            end
    end.

look(#cursor{handle = #{table := Table}, wanted = Wanted} = Cursor) ->
    case ets:lookup(Table, durable) of
        [{durable, Offset, _, _}] when Wanted > Offset -> {tail, Cursor};
        [{durable, _, Base, Position}] -> seek(Cursor, Base, Position)
    end.

seek(#cursor{file = none, handle = #{table := Table}, wanted = Wanted} = Cursor, Newest, End) ->
    Key = case ets:prev(Table, {index, Wanted + 1}) of
        {index, _} = Before -> Before;
        _ -> ets:next(Table, {index, -1})
    end,
    case ets:lookup(Table, Key) of
        [{{index, Offset}, Base, Position}] when Offset =< Wanted ->
            open_segment(Cursor#cursor{base = Base, position = Position}, Newest, End);
        %% Retention has removed what was wanted, or was just here.
        [{{index, Offset}, _, _}] -> look(Cursor#cursor{wanted = Offset});
        [] -> look(Cursor)
    end;
seek(Cursor, Newest, End) ->
    record(Cursor, Newest, End).

open_segment(#cursor{handle = #{folder := Folder, table := Table}, base = Base} = Cursor, Newest, End) ->
    case {ets:lookup(Table, {segment, Base}), file:open(aldis_log_segment:path(Folder, Base), [raw, read, binary])} of
        {[{_, Salt}], {ok, File}} ->
            record(Cursor#cursor{file = File, salt = Salt, bytes = <<>>, at = 0}, Newest, End);
        {[], {ok, File}} ->
            _ = file:close(File),
            look(Cursor);
        {_, {error, Reason}} ->
            %% Retention takes a segment out of the table before it removes the file.
            case ets:member(Table, {segment, Base}) of
                false -> look(Cursor);
                true -> {error, Reason, Cursor}
            end
    end.

record(#cursor{handle = #{table := Table}, base = Base, wanted = Wanted, bytes = Bytes, at = At, salt = Salt} = Cursor,
        Newest, End) ->
    case ets:next(Table, {segment, Base}) of
        %% A segment's messages from the next segment's first offset on were never durable.
        {segment, Later} when Wanted >= Later -> look(close(Cursor));
        _ ->
            case aldis_log_record:decode(Bytes, At, Salt) of
                {ok, Batch, Next} -> found(Batch, moved(Cursor, Next), Newest, End);
                {more, Need} -> more(Cursor, Need, Newest, End);
                damaged -> damaged(Cursor, Newest, End)
            end
    end.

moved(#cursor{position = Position, at = At} = Cursor, Next) -> Cursor#cursor{position = Position + Next - At, at = Next}.

%% Records before the wanted message, and announcements of epochs, are passed over.
found(#{lost := Lost, offset := Offset}, #cursor{wanted = Wanted} = Cursor, Newest, End) when Lost > 0 ->
    record(Cursor#cursor{wanted = max(Wanted, Offset + Lost)}, Newest, End);
found(#{offset := Offset, count := Count}, #cursor{wanted = Wanted} = Cursor, Newest, End) when Offset + Count =< Wanted ->
    record(Cursor, Newest, End);
found(#{offset := Offset, count := Count} = Batch, #cursor{wanted = Wanted} = Cursor, Newest, End) when Offset =< Wanted ->
    case aldis_log_record:drop(Batch, Wanted - Offset) of
        {ok, Rest} -> {ok, Rest, Cursor#cursor{wanted = Offset + Count}};
        {error, bad_count} -> damaged(Cursor, Newest, End)
    end;
%% The messages that should lie between are not there.
found(#{count := 0}, Cursor, Newest, End) -> record(Cursor, Newest, End);
found(#{offset := Offset, count := Count} = Batch, Cursor, _, _) ->
    lost(Offset - 1, Cursor),
    {ok, Batch, Cursor#cursor{wanted = Offset + Count}}.

%% Only the durable part of the newest segment may be looked at: behind it there may be half a record.
more(#cursor{file = File, position = Position, chunk = Chunk} = Cursor, Need, Newest, End) ->
    case readable(Cursor, Newest, End) of
        {ok, Size} when Position >= Size -> ended(Cursor, Newest);
        {ok, Size} when Position + Need > Size -> damaged(Cursor, Newest, End);
        {ok, Size} ->
            case file:pread(File, Position, min(Size - Position, max(Need, Chunk))) of
                {ok, Bytes} when byte_size(Bytes) >= Need -> record(Cursor#cursor{bytes = Bytes, at = 0}, Newest, End);
                {error, Reason} -> {error, Reason, Cursor};
                _ -> damaged(Cursor, Newest, End)
            end;
        {error, Reason} -> {error, Reason, Cursor}
    end.

readable(#cursor{base = Newest}, Newest, End) -> {ok, End};
readable(#cursor{file = File}, _, _) -> file:position(File, eof).

%% A segment ends behind a whole record, and the next one begins later than that: either retention has removed this one too,
%% or files are missing, which leaves nothing to read but what comes after them.
ended(#cursor{base = Newest} = Cursor, Newest) -> passed(Cursor);
ended(#cursor{handle = #{table := Table}, base = Base} = Cursor, _) ->
    ets:member(Table, {segment, Base}) andalso lost(next_base(Cursor) - 1, Cursor),
    passed(Cursor).

%% On to what is behind this segment.
passed(Cursor) ->
    Next = next_base(Cursor),
    look((close(Cursor))#cursor{wanted = max(Next, Cursor#cursor.wanted)}).

next_base(#cursor{handle = #{table := Table} = Handle, base = Base}) ->
    case ets:next(Table, {segment, Base}) of
        {segment, Later} -> Later;
        _ -> durable(Handle) + 1
    end.

%% A segment that retention has removed while it was read is cut off by and by, which is no damage.
damaged(#cursor{handle = #{table := Table}, base = Base} = Cursor, Newest, End) ->
    case ets:member(Table, {segment, Base}) of
        true -> behind(Cursor, Newest, End);
        false -> passed(Cursor)
    end.

%% A whole record behind the damage, or the next segment, is where it goes on.
behind(#cursor{file = File, position = Position, salt = Salt, wanted = Wanted, base = Base} = Cursor, Newest, End) ->
    Next = next_base(Cursor),
    Good = fun(#{offset := Offset} = Batch) ->
        After = Offset + maps:get(count, Batch) + maps:get(lost, Batch, 0),
        Offset >= Base andalso After > Wanted andalso After =< Next
    end,
    case readable(Cursor, Newest, End) of
        {ok, Size} ->
            case aldis_log_scan:find(File, Salt, Position + 1, Size, Good) of
                {ok, At, #{offset := Offset}} when Offset > Wanted ->
                    lost(Offset - 1, Cursor),
                    record(Cursor#cursor{position = At, bytes = <<>>, at = 0, wanted = Offset}, Newest, End);
                {ok, At, _} -> record(Cursor#cursor{position = At, bytes = <<>>, at = 0}, Newest, End);
                none ->
                    lost(Next - 1, Cursor),
                    passed(Cursor);
                {error, Reason} -> {error, Reason, Cursor}
            end;
        {error, Reason} -> {error, Reason, Cursor}
    end.

%% Says which messages, from the wanted one on, cannot be read.
lost(Last, #cursor{wanted = First}) when Last < First -> ok;
lost(Last, #cursor{handle = #{log := Log, folder := Folder, metrics := Metrics}, wanted = First, base = Base} = Cursor) ->
    #cursor{position = Position} = Cursor,
    Path = aldis_log_segment:path(Folder, Base),
    logger:error("log: ~ts is damaged or missing at byte ~b: the messages ~b to ~b are lost; readers go on behind them",
        [Path, Position, First, Last]),
    aldis_metrics:add(Metrics, damaged, Last - First + 1),
    aldis_telemetry:execute([aldis, log, damaged], #{messages => Last - First + 1},
        #{log => Log, file => Path, position => Position, first => First, last => Last}).

%% @doc Lets go of the file; the cursor may go on.
-spec close(cursor()) -> cursor().
close(#cursor{file = none} = Cursor) -> Cursor;
close(#cursor{file = File} = Cursor) ->
    _ = file:close(File),
    Cursor#cursor{file = none, bytes = <<>>, at = 0}.

%% The process of a subscription.

-record(state, {
    log :: pid(),
    subscriber :: pid(),
    %% Whether messages have their origin in front.
    origin :: boolean(),
    cursor :: cursor(),
    %% The offset before the subscription's first: credit counts from there as long as less is consumed.
    before :: aldis_sink:sequence(),
    %% The last offset that may be sent.
    allowed :: aldis_sink:sequence(),
    ahead :: aldis_ahead:ahead(),
    %% Whether the log will say when there is more.
    awaiting = false :: boolean()
}).

%% @doc Starts a subscription below the log's process.
-spec start_link(handle(), Subscriber :: pid(), From :: aldis_sink:sequence(), Credit :: non_neg_integer(), aldis_sink:options()) ->
    {ok, pid()} | {error, term()}.
start_link(Handle, Subscriber, From, Credit, Options) ->
    case gen_server:start_link(?MODULE, {self(), Handle, Subscriber, From, Credit, Options}, []) of
        {ok, Pid} -> {ok, Pid};
        {error, _} = Error -> Error;
        ignore -> {error, ignore}
    end.

%% @doc The subscriber is done with all up to `Consumed'.
-spec consumed(pid(), aldis_sink:sequence(), non_neg_integer()) -> ok.
consumed(Reader, Consumed, Credit) -> gen_server:cast(Reader, {consumed, Consumed, Credit}).

-spec init({pid(), handle(), pid(), aldis_sink:sequence(), non_neg_integer(), aldis_sink:options()}) -> {ok, #state{}, {continue, send}}.
init({Log, Handle, Subscriber, From, Credit, Options}) ->
    %% A log that ends normally ends its subscriptions too.
    process_flag(trap_exit, true),
    _ = monitor(process, Subscriber),
    Ahead = aldis_ahead:new(Options),
    #cursor{wanted = Wanted} = Cursor = open(Handle, From),
    {ok, #state{log = Log, subscriber = Subscriber, origin = maps:get(origin, Options, false), before = Wanted - 1, ahead = Ahead,
                cursor = Cursor#cursor{chunk = max(?LEAST_CHUNK, aldis_ahead:most(?CHUNK, Ahead))}, allowed = Wanted - 1 + Credit}, {continue, send}}.

-spec handle_call(term(), gen_server:from(), #state{}) -> {reply, {error, unsupported}, #state{}}.
handle_call(_, _, State) -> {reply, {error, unsupported}, State}.

-spec handle_cast({consumed, aldis_sink:sequence(), non_neg_integer()} | {durable, aldis_sink:sequence()} | unsubscribe,
    #state{}) -> {noreply, #state{}, {continue, send}} | {stop, normal, #state{}}.
handle_cast(unsubscribe, State) ->
    {stop, normal, State};
handle_cast({consumed, Consumed, Credit}, #state{before = Before, allowed = Allowed, ahead = Ahead} = State) ->
    Known = State#state{allowed = max(Allowed, max(Consumed, Before) + Credit), ahead = aldis_ahead:consumed(Consumed, Ahead)},
    {noreply, Known, {continue, send}};
handle_cast({durable, _}, State) ->
    {noreply, State#state{awaiting = false}, {continue, send}}.

-spec handle_continue(send, #state{}) ->
    {noreply, #state{}} | {noreply, #state{}, {continue, send}} | {stop, normal, #state{}}.
handle_continue(send, #state{cursor = #cursor{wanted = Wanted}, allowed = Allowed} = State) when Wanted > Allowed ->
    {noreply, idle(State)};
handle_continue(send, #state{cursor = Cursor, allowed = Allowed, ahead = Ahead} = State) ->
    case aldis_ahead:open(Ahead) of
        true ->
            {Batches, Cursor1, Reason} = gather(Cursor, {Allowed, Ahead}, [], 0),
            continued(Reason, send(Batches, State#state{cursor = Cursor1}));
        false -> {noreply, idle(State)}
    end.

%% One that waits keeps nothing of what it has read.
idle(#state{cursor = Cursor} = State) -> State#state{cursor = Cursor#cursor{bytes = <<>>, at = 0}}.

continued(more, State) -> {noreply, State, {continue, send}};
continued(tail, State) -> {noreply, await(idle(State))};
continued(full, #state{ahead = Ahead} = State) -> {noreply, idle(State#state{ahead = aldis_ahead:full(Ahead)})};
%% Messages that retention or damage has removed use no credit.
continued({removed, Count}, #state{allowed = Allowed} = State) ->
    {noreply, State#state{allowed = Allowed + Count}, {continue, send}};
continued(Reason, #state{subscriber = Subscriber} = State) ->
    Subscriber ! {aldis_sink, self(), {closed, Reason}},
    {stop, normal, State}.

await(#state{awaiting = true} = State) -> State;
await(#state{log = Log, cursor = #cursor{wanted = Wanted}} = State) ->
    gen_server:cast(Log, {await, self(), Wanted}),
    State#state{awaiting = true}.

%% Batches that lie one behind the other, last first, and why they end.
gather(#cursor{wanted = Wanted} = Cursor, Bounds, Batches, Size) ->
    case next(Cursor) of
        {ok, #{offset := Offset}, Cursor1} when Offset > Wanted ->
            {Batches, (close(Cursor1))#cursor{wanted = Offset}, {removed, Offset - Wanted}};
        {ok, Batch, Cursor1} -> fits(Batch, Cursor, Cursor1, Bounds, Batches, Size);
        {tail, Cursor1} -> {Batches, Cursor1, tail};
        {error, Reason, Cursor1} -> {Batches, Cursor1, Reason}
    end.

fits(#{entries := Entries, offset := Offset}, Before, Cursor, _, [#{offset := Last, count := Count} | _] = Batches, Size)
        when Size + byte_size(Entries) > ?TOGETHER; Offset =/= Last + Count ->
    {Batches, back(Before, Cursor), more};
fits(#{offset := Offset, count := Count, entries := Entries} = Batch, Before, Cursor, {Allowed, Ahead} = Bounds, Batches, Size) ->
    case aldis_ahead:fits(Entries, min(Count, Allowed - Offset + 1), Size, Ahead) of
        Count when Offset + Count - 1 =:= Allowed -> {[Batch | Batches], Cursor, more};
        Count -> gather(Cursor, Bounds, [Batch | Batches], Size + aldis_ahead:size(Entries, Count, Ahead));
        0 -> {Batches, back(Before, Cursor), full};
        Some ->
            Why = case Offset + Some > Allowed of true -> more; false -> full end,
            {[first(Batch, Some) | Batches], (back(Before, Cursor))#cursor{wanted = Offset + Some}, Why}
    end.

%% The cursor as it was before it read a batch that comes later; by the index, if it has left that segment.
back(#cursor{file = File} = Before, #cursor{file = File}) -> Before;
back(#cursor{wanted = Wanted}, Cursor) -> (close(Cursor))#cursor{wanted = Wanted}.

first(#{entries := Entries} = Batch, Count) ->
    {ok, End} = aldis_log_record:skip(Entries, Count),
    Batch#{count := Count, entries := binary:part(Entries, 0, End)}.

send([], State) -> State;
send(Batches, #state{subscriber = Subscriber, origin = Origin, ahead = Ahead} = State) ->
    [#{offset := First} | _] = InOrder = lists:reverse(Batches),
    Count = lists:sum([C || #{count := C} <- InOrder]),
    Entries = [case Origin of true -> aldis_log_record:with_origin(Batch); false -> maps:get(entries, Batch) end || Batch <- InOrder],
    Bytes = aldis_ahead:compact(iolist_to_binary(Entries)),
    Subscriber ! {aldis_sink, self(), {entries, First, Count, Bytes}},
    State#state{ahead = aldis_ahead:sent(First + Count - 1, byte_size(Bytes), Ahead)}.

-spec handle_info(term(), #state{}) -> {noreply, #state{}} | {stop, normal, #state{}}.
handle_info({'DOWN', _, process, Subscriber, _}, #state{subscriber = Subscriber} = State) -> {stop, normal, State};
handle_info(_, State) -> {noreply, State}.

-spec terminate(term(), #state{}) -> ok.
terminate(_, #state{cursor = Cursor}) ->
    _ = close(Cursor),
    ok.
