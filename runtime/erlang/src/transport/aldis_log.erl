%% @doc The durable log: batches of messages in append-only files, acknowledged when they are on the disk.
%%
%% ```
%% {ok, _} = aldis_log:start_link(#{name => orders, folder => "/var/lib/orders"}),
%% {ok, 0} = aldis_log:producer(orders, Producer, Epoch),
%% ok = aldis_log:append(orders, Producer, Epoch, 1, 2, none, <<2:32/little, "ab", 1:32/little, "c">>, my_tag),
%% receive {aldis_sink, my_tag, {durable, 2}} -> ok end,
%% {ok, 2} = aldis_log:fold(orders, 1, fun(#{count := Count}, Sum) -> {ok, Sum + Count} end, 0)
%% '''
%%
%% One process writes. All that was appended while it wrote and waited for the disk becomes the next write and one
%% fdatasync, so the slower the disk, the more messages share its wait. A batch that cannot be written is cut off again and
%% answered with `unavailable': nothing is ever said to be durable that is not.
%%
%% Options: `name' and `folder' (one owner: a second log on it fails to start); `segment_bytes' (256 MiB: records of about
%% so many bytes are in a file); `retain_bytes' and `retain_ms' (`infinity': how much, and how old, before the oldest segments
%% go); `producer_ms' (30 days: a producer silent for so long is forgotten) and `unused_ms' (an hour: one that has never written
%% is); `max_producers' (100,000: how many are known; further ones are refused until some are forgotten, as forgetting others
%% would let their messages in twice) and `identity_producers' (10,000: how many of them one identity may have); `repair'
%% (`false': with `true', damage in the newest file is replaced by a record of what is lost, and all behind it is kept);
%% `scrub_bytes' (1 MiB: how much of the log is read again each second, to find damage before readers do); `lease_ms' (10,000:
%% when an owner of the folder is taken to be gone where the kernel cannot say; see {@link aldis_log_lock}); `metrics' (its own:
%% an {@link aldis_metrics:ref()} that counts what is written).
-module(aldis_log).
-behaviour(gen_server).
-behaviour(aldis_sink).

-export([start_link/1, child_spec/1, producer/3, claim/4, identity/2, append/8, subscribe/3, subscribe/4, consumed/4, unsubscribe/2, newest/1]).
-export([fold/4, read_batch/2, cursor/2, info/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
-export_type([info/0]).

-type info() :: #{first := aldis_sink:sequence(), last := aldis_sink:sequence(), bytes := non_neg_integer(),
    segments := pos_integer(), producers := non_neg_integer()}.
%% `first' is the oldest offset that is kept, `last' the newest durable one.

-record(state, {
    name :: atom(),
    store :: aldis_log_store:store(),
    handle :: aldis_log_reader:handle(),
    lock :: aldis_log_lock:lock(),
    metrics :: aldis_metrics:ref(),
    %% Subscriptions, and those that want to hear of a durable offset.
    readers = #{} :: #{pid() => true},
    awaiting = [] :: [{pid(), aldis_sink:sequence()}]
}).

%% The most that goes into one write, in bytes of entries, unless one batch alone is larger.
-define(GROUP, 16777216).
%% How long a caller waits for a log that is busy writing, and how often retention is looked at and all numbers are told, in
%% milliseconds.
-define(CALL, 30000).
-define(RETENTION, 10000).

%% @doc Starts a log. Errors teach: `{bad_option, Text}', `{locked, Folder, Who}', `{damaged, File, Position}'.
-spec start_link(map()) -> {ok, pid()} | {error, term()}.
start_link(Options) ->
    case aldis_log_options:check(Options) of
        {ok, #{name := Name} = Checked} ->
            case gen_server:start_link({local, Name}, ?MODULE, Checked, []) of
                {ok, Pid} -> {ok, Pid};
                {error, _} = Error -> Error;
                ignore -> {error, ignore}
            end;
        {error, _} = Error -> Error
    end.

%% @doc For a supervisor of one's own.
-spec child_spec(map()) -> supervisor:child_spec().
child_spec(#{name := Name} = Options) ->
    #{id => {?MODULE, Name}, start => {?MODULE, start_link, [Options]}, shutdown => ?CALL}.

%% @doc See {@link aldis_sink}. The producer belongs to nobody.
-spec producer(aldis_sink:name(), aldis_sink:producer(), aldis_sink:epoch()) ->
    {ok, aldis_sink:sequence()} | {error, {stale_epoch, aldis_sink:epoch()} | not_owner | full | unavailable}.
producer(Log, Producer, Epoch) ->
    case claim(Log, Producer, Epoch, <<0:128>>) of
        {ok, Epoch, Last} -> {ok, Last};
        {error, _} = Error -> Error
    end.

%% @doc See {@link aldis_sink}.
-spec claim(aldis_sink:name(), aldis_sink:producer(), aldis_sink:epoch() | next, aldis_sink:identity()) ->
    {ok, aldis_sink:epoch(), aldis_sink:sequence()}
    | {error, {stale_epoch, aldis_sink:epoch()} | not_owner | full | unavailable}.
claim(Log, <<_:128>> = Producer, Epoch, <<_:128>> = Identity)
        when is_integer(Epoch), Epoch >= 0, Epoch =< 16#FFFFFFFF; Epoch =:= next ->
    try gen_server:call(Log, {producer, Producer, Epoch, Identity}, ?CALL)
    catch exit:_ -> {error, unavailable}
    end.

%% @doc See {@link aldis_sink}.
-spec identity(aldis_sink:name(), aldis_sink:producer()) -> {ok, aldis_sink:identity()} | unknown | {error, unavailable}.
identity(Log, Producer) ->
    try gen_server:call(Log, {identity, Producer}, ?CALL)
    catch exit:_ -> {error, unavailable}
    end.

%% @doc See {@link aldis_sink}. The caller has made sure that the entries are exactly `Count'.
-spec append(aldis_sink:name(), aldis_sink:producer(), aldis_sink:epoch(), aldis_sink:sequence(), pos_integer(),
    aldis_sink:schema(), aldis_sink:entries(), term()) -> ok.
append(Log, <<_:128>> = Producer, Epoch, First, Count, Schema, Entries, Tag)
        when First > 0, Count > 0, is_binary(Entries), byte_size(Entries) =< 16#FFFFFF00 ->
    try
        Log ! {append, {self(), Tag}, Producer, Epoch, First, Count, Schema, Entries, aldis_log_record:sum(Entries)},
        ok
    catch
        %% Nobody has this name.
        error:badarg ->
            self() ! {aldis_sink, Tag, {error, unavailable}},
            ok
    end.

%% @doc See {@link aldis_sink}. The subscription is a process; it ends with its subscriber and with the log.
-spec subscribe(aldis_sink:name(), aldis_sink:sequence(), non_neg_integer()) -> {ok, pid()} | {error, unavailable}.
subscribe(Log, From, Credit) -> subscribe(Log, From, Credit, #{}).

%% @doc See {@link aldis_sink}.
-spec subscribe(aldis_sink:name(), aldis_sink:sequence(), non_neg_integer(), aldis_sink:options()) -> {ok, pid()} | {error, unavailable}.
subscribe(Log, From, Credit, Options) when is_integer(From), From >= 0, is_integer(Credit), Credit >= 0 ->
    try gen_server:call(Log, {subscribe, self(), From, Credit, Options}, ?CALL)
    catch exit:_ -> {error, unavailable}
    end.

%% @doc See {@link aldis_sink}.
-spec consumed(aldis_sink:name(), pid(), aldis_sink:sequence(), non_neg_integer()) -> ok.
consumed(_, Subscription, Consumed, Credit) -> aldis_log_reader:consumed(Subscription, Consumed, Credit).

%% @doc See {@link aldis_sink}.
-spec unsubscribe(aldis_sink:name(), pid()) -> ok.
unsubscribe(_, Subscription) -> gen_server:cast(Subscription, unsubscribe).

%% @doc Goes through what is durable now from offset `From' on, oldest first. The first batch has no messages before `From';
%% it begins later when retention has removed them. Entries are parts of what was read: copy what is to stay.
-spec fold(aldis_sink:name(), aldis_sink:sequence(), fun((aldis_log_record:batch(), Acc) -> {ok, Acc} | {stop, Acc}), Acc) ->
    {ok, Acc} | {error, aldis_log_reader:fault(), Acc}.
fold(Log, From, Fun, Acc) when is_integer(From), From > 0 ->
    folded(cursor(Log, From), Fun, Acc).

folded(Cursor, Fun, Acc) ->
    case aldis_log_reader:next(Cursor) of
        {ok, Batch, Cursor1} ->
            try Fun(Batch, Acc) of
                {ok, Acc1} -> folded(Cursor1, Fun, Acc1);
                {stop, Acc1} ->
                    _ = aldis_log_reader:close(Cursor1),
                    {ok, Acc1}
            catch
                Class:Reason:Stack ->
                    _ = aldis_log_reader:close(Cursor1),
                    erlang:raise(Class, Reason, Stack)
            end;
        {tail, Cursor1} ->
            _ = aldis_log_reader:close(Cursor1),
            {ok, Acc};
        {error, Reason, Cursor1} ->
            _ = aldis_log_reader:close(Cursor1),
            {error, Reason, Acc}
    end.

%% @doc The batch that holds an offset, from it on; the oldest that is kept when that is gone.
-spec read_batch(aldis_sink:name(), aldis_sink:sequence()) ->
    {ok, aldis_log_record:batch()} | tail | {error, aldis_log_reader:fault()}.
read_batch(Log, Offset) ->
    case fold(Log, Offset, fun(Batch, none) -> {stop, Batch} end, none) of
        {ok, none} -> tail;
        {ok, Batch} -> {ok, Batch};
        {error, Reason, none} -> {error, Reason}
    end.

%% @doc A cursor for {@link aldis_log_reader:next/1}, to read at one's own pace; the process that made it closes it.
-spec cursor(aldis_sink:name(), aldis_sink:sequence()) -> aldis_log_reader:cursor().
cursor(Log, From) -> aldis_log_reader:open(gen_server:call(Log, handle, ?CALL), From).

%% @doc The first and last offset of the log, its size, and its numbers of files and producers.
-spec info(aldis_sink:name()) -> info().
info(Log) -> gen_server:call(Log, info, ?CALL).

%% @doc See {@link aldis_sink}.
-spec newest(aldis_sink:name()) -> aldis_sink:sequence().
newest(Log) ->
    #{last := Last} = info(Log),
    Last.

-spec init(map()) -> {ok, #state{}} | {stop, term()}.
init(#{name := Name, folder := Folder, scrub_bytes := Scrub} = Options) ->
    process_flag(trap_exit, true),
    %% All who append wait for this process, which mostly waits for the disk.
    process_flag(priority, high),
    case aldis_log_store:open(Options) of
        {ok, Store, Lock} ->
            erlang:send_after(?RETENTION, self(), retention),
            Metrics = case Options of
                #{metrics := Given} -> Given;
                #{} -> aldis_metrics:new(log, Name)
            end,
            Handle = #{log => Name, folder => Folder, table => aldis_log_store:table(Store), metrics => Metrics},
            _ = aldis_log_scrub:start_link(Handle, Scrub),
            {ok, #state{name = Name, store = Store, handle = Handle, lock = Lock, metrics = Metrics}};
        {error, Reason} -> {stop, Reason}
    end.

-spec handle_call(term(), gen_server:from(), #state{}) -> {reply, term(), #state{}} | {noreply, #state{}}.
handle_call({producer, Producer, Epoch, Identity}, From, State) ->
    {noreply, commit([{producer, From, Producer, Epoch, Identity}], 0, State)};
handle_call({identity, Producer}, _, #state{store = Store} = State) ->
    {reply, aldis_log_store:identity(Producer, Store), State};
handle_call({subscribe, Subscriber, From, Credit, Options}, _, #state{handle = Handle, readers = Readers} = State) ->
    case aldis_log_reader:start_link(Handle, Subscriber, From, Credit, Options) of
        {ok, Pid} = Started -> {reply, Started, State#state{readers = Readers#{Pid => true}}};
        {error, _} = Error -> {reply, Error, State}
    end;
handle_call(handle, _, #state{handle = Handle} = State) ->
    {reply, Handle, State};
handle_call(info, _, #state{store = Store} = State) ->
    {reply, aldis_log_store:info(Store), State}.

-spec handle_cast({await, pid(), aldis_sink:sequence()}, #state{}) -> {noreply, #state{}}.
handle_cast({await, Reader, Offset}, #state{awaiting = Awaiting} = State) ->
    {noreply, tell(State#state{awaiting = [{Reader, Offset} | Awaiting]})}.

-spec handle_info(term(), #state{}) -> {noreply, #state{}} | {stop, term(), #state{}}.
handle_info({append, _, _, _, _, _, _, Entries, _} = Append, State) ->
    {noreply, commit([Append], byte_size(Entries), State)};
handle_info(retention, #state{name = Name, store = Store, metrics = Metrics} = State) ->
    erlang:send_after(?RETENTION, self(), retention),
    aldis_metrics:tell([aldis, log, metrics], Metrics, #{log => Name}),
    {noreply, State#state{store = aldis_log_store:retain(Store)}};
%% Somebody else has the folder.
handle_info({'EXIT', _, {locked, _, _} = Reason}, State) ->
    {stop, Reason, State};
%% Subscriptions are linked, so that they end with the log; the log does not end with them.
handle_info({'EXIT', Pid, _}, #state{readers = Readers, awaiting = Awaiting} = State) ->
    {noreply, State#state{readers = maps:remove(Pid, Readers), awaiting = lists:keydelete(Pid, 1, Awaiting)}};
handle_info(_, State) ->
    {noreply, State}.

%% Group commit: whatever waits in the mailbox goes with the same fdatasync.
commit(Group, Bytes, State) when Bytes < ?GROUP ->
    receive
        {append, _, _, _, _, _, _, Entries, _} = Append -> commit([Append | Group], Bytes + byte_size(Entries), State);
        {'$gen_call', From, {producer, Producer, Epoch, Identity}} ->
            commit([{producer, From, Producer, Epoch, Identity} | Group], Bytes, State)
    after 0 ->
        written(lists:reverse(Group), State)
    end;
commit(Group, _, State) ->
    written(lists:reverse(Group), State).

written(Group, #state{store = Store} = State) ->
    {Outcomes, Seen, Store1} = aldis_log_store:write(Group, way(State), Store),
    lists:foreach(fun answer/1, Outcomes),
    measure(Seen, State),
    tell(State#state{store = Store1}).

%% The cache is for those who read: without it a write takes a fraction of the processor's time.
way(#state{readers = Readers}) when map_size(Readers) =:= 0 -> past;
way(_) -> cached.

answer({{Caller, Tag}, append, Outcome}) ->
    Caller ! {aldis_sink, Tag, Outcome},
    ok;
answer({From, producer, Outcome}) ->
    gen_server:reply(From, Outcome).

measure(#{messages := Messages, bytes := Bytes, batches := Batches, duplicates := Duplicates, fsync := Fsync},
        #state{name = Name, metrics = Metrics}) ->
    aldis_metrics:add(Metrics, messages, Messages),
    aldis_metrics:add(Metrics, bytes, Bytes),
    aldis_metrics:add(Metrics, batches, Batches),
    Duplicates > 0 andalso aldis_metrics:add(Metrics, duplicates, Duplicates),
    case Fsync of
        none -> ok;
        Time ->
            aldis_metrics:observe(Metrics, fsync_time, Time),
            aldis_telemetry:execute([aldis, log, fsync], #{duration => Time, messages => Messages, bytes => Bytes},
                #{log => Name})
    end.

tell(#state{awaiting = []} = State) -> State;
tell(#state{awaiting = Awaiting, store = Store} = State) ->
    Durable = aldis_log_store:durable(Store),
    {Ready, Rest} = lists:partition(fun({_, Offset}) -> Offset =< Durable end, Awaiting),
    lists:foreach(fun({Reader, _}) -> gen_server:cast(Reader, {durable, Durable}) end, Ready),
    State#state{awaiting = Rest}.

-spec terminate(term(), #state{}) -> ok.
terminate(Reason, #state{name = Name, store = Store, lock = Lock}) ->
    %% A log that was stopped has no numbers to show; one that failed goes on with them.
    (Reason =:= normal orelse Reason =:= shutdown) andalso aldis_metrics:delete(log, Name),
    aldis_log_store:close(Store),
    aldis_log_lock:release(Lock).
