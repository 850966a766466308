%% @doc A named consumer of a listener's log: its members share the messages, and the server keeps how far they are.
%%
%% The topic `log/NAME' is one. Each message goes to one member, numbered by itself for each member; what a member has not consumed
%% when its subscription ends goes to others, or waits for the next one. So each message comes at least once: again after a member has
%% died between its work and its CREDIT, and after a server has died within a second of that.
%%
%% There is a process a name and listener from the listener's start on, so that those that nobody serves are told too. While it has members,
%% and a minute longer, it reads the log as one subscriber does. Without members it ends when its file is deleted.
-module(aldis_consumer).
-behaviour(gen_server).

-export([start_link/3, start_kept/1, join/5, consumed/3, leave/1, info/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
-export_type([source/0, info/0]).

-type source() :: {consumer, pid(), reference()}.
-type info() :: #{name := binary(), offset := none | aldis_sink:sequence(), lag := non_neg_integer() | unknown,
    members := non_neg_integer(), given := non_neg_integer()}.
%% `offset': all messages up to it are consumed; `lag': how many durable ones lie behind it; `given': messages that members have and have not
%% consumed.

%% Messages that lie together in the log: their first offset, their number, and their entries.
-type chunk() :: {aldis_sink:sequence(), pos_integer(), binary()}.
-record(member, {
    pid :: pid(),
    monitor :: reference(),
    %% The number that its next message gets, and the last number that it takes now.
    next :: pos_integer(),
    limit :: non_neg_integer(),
    %% The bytes that it has, and how many those may be; of one message more.
    bytes = 0 :: non_neg_integer(),
    most :: pos_integer(),
    %% The chunks that it has and has not consumed, with the number of each chunk's first message.
    given = queue:new() :: queue:queue({pos_integer(), chunk()})
}).
-record(state, {
    name :: binary(),
    listener :: atom(),
    path :: binary(),
    sink :: aldis_sink:sink(),
    metrics :: aldis_metrics:ref(),
    subscription = none :: none | aldis_sink:subscription(),
    origin = false :: boolean(),
    members = #{} :: #{reference() => #member{}},
    %% Chunks for whoever takes them, by offset.
    ready = [] :: [chunk()],
    %% The newest offset that came from the log, and what was written of how far all are; `none' while nobody has said where it begins.
    read = none :: none | aldis_sink:sequence(),
    saved = none :: none | aldis_sink:sequence(),
    %% As the metrics have it.
    lag = 0 :: non_neg_integer() | unknown,
    idle = 0 :: non_neg_integer(),
    %% The memory for what is read, and the counters by which it is given back.
    budget :: aldis_budget:budget(),
    counted = counters:new(5, []) :: counters:counters_ref(),
    lent = 0 :: non_neg_integer(),
    bytes = 1 :: pos_integer()
}).

-define(CALL, 15000).
-define(TICK, 1000).
%% Ticks without a member until the log is no longer read.
-define(IDLE, 60).
%% Messages that are asked of the log at first, and then so many bytes of them; at most so many bytes are with a member. What is read
%% is with the log's reader, on the way, or ready. There are bytes also when the listener's memory has none to lend.
-define(AHEAD, 16).
-define(BYTES, 1048576).
-define(PLACES, 3).
-define(LEAST_BYTES, 16384).
%% Messages that go to a member at a time, so that others get theirs.
-define(SHARE, 256).
-define(MAGIC, "ALDISCON").
-define(VERSION, 1).

%% @private
-spec start_link(atom(), binary(), map()) -> {ok, pid()} | {error, term()} | ignore.
start_link(Listener, Name, Context) ->
    gen_server:start_link({via, aldis_names, {Listener, {consumer, Name}}}, ?MODULE, {Listener, Name, Context}, []).

%% @doc Starts those that the disk tells of. What stops one of them is logged, and hinders no other.
-spec start_kept(map()) -> ok.
start_kept(#{sink := Sink, consumers := Folder} = Context) when Sink =/= none, Folder =/= none ->
    Files = filelib:wildcard("*.consumer", unicode:characters_to_list(Folder)),
    lists:foreach(fun(File) ->
        aldis_listener_sup:start_consumer(Context, unicode:characters_to_binary(filename:rootname(File)))
    end, Files);
start_kept(_) -> ok.

%% @doc The caller takes part, with messages up to number `From' - 1 + `Credit' and numbers from `From' on. A name that is new begins at the
%% offset `From' (0: with what comes from now on). Messages come as of {@link aldis_sink:subscribe/4}, to all members with their origin or to all
%% without; at most `bytes' (1 MiB) of them, or one, are with the caller. `timeout' (15,000) is how many milliseconds the log may take to open.
-spec join(map(), binary(), From :: non_neg_integer(), Credit :: non_neg_integer(),
        #{origin => boolean(), bytes => pos_integer(), timeout => pos_integer()}) ->
    {ok, source()} | {error, bad_name | other_origin | too_many | unavailable | unsupported}.
join(Context, Name, From, Credit, Options) ->
    case re:run(Name, "^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$", [{capture, none}, dollar_endonly]) of
        match ->
            Request = {join, self(), make_ref(), From, Credit, Options},
            Timeout = maps:get(timeout, Options, ?CALL),
            case joined(Context, Name, Request, Timeout) of
                %% It has just ended, or another one was quicker to start it.
                gone -> case joined(Context, Name, Request, Timeout) of gone -> {error, unavailable}; Answer -> Answer end;
                Answer -> Answer
            end;
        nomatch -> {error, bad_name}
    end.

joined(#{listener := Listener} = Context, Name, Request, Timeout) ->
    case aldis_names:whereis_name({Listener, {consumer, Name}}) of
        undefined ->
            case aldis_listener_sup:start_consumer(Context, Name) of
                {ok, Pid} -> asked(Pid, Request, Timeout);
                {error, too_many} = Error -> Error;
                {error, _} -> gone
            end;
        Pid -> asked(Pid, Request, Timeout)
    end.

asked(Pid, {join, _, Ref, _, _, _} = Request, Timeout) ->
    try gen_server:call(Pid, Request, Timeout)
    catch
        %% When it comes to the request after all, it finds behind it that nobody waits for messages any more.
        exit:{timeout, _} ->
            ok = leave({consumer, Pid, Ref}),
            {error, unavailable};
        exit:_ -> gone
    end.

%% @doc The member is done with all up to that number, and takes `Credit' messages beyond.
-spec consumed(source(), non_neg_integer(), non_neg_integer()) -> ok.
consumed({consumer, Pid, Ref}, Number, Credit) -> gen_server:cast(Pid, {consumed, Ref, Number, Credit}).

%% @doc The member is gone.
-spec leave(source()) -> ok.
leave({consumer, Pid, Ref}) -> gen_server:cast(Pid, {leave, Ref}).

%% @doc How it stands.
-spec info(pid()) -> info().
info(Pid) -> gen_server:call(Pid, info, ?CALL).

%% @private
-spec init({atom(), binary(), map()}) -> {ok, #state{}} | {stop, term()}.
init({Listener, Name, #{consumers := Folder, max_consumers := Max, sink := Sink, metrics := Metrics, budget := Budget}}) ->
    process_flag(trap_exit, true),
    Path = unicode:characters_to_binary(filename:join(Folder, <<Name/binary, ".consumer">>)),
    State = #state{name = Name, listener = Listener, path = Path, sink = Sink, metrics = Metrics, budget = Budget},
    case {filelib:ensure_dir(Path), file:read_file(Path)} of
        {ok, {ok, <<?MAGIC, ?VERSION:32/little, Offset:64/little, Crc:32/little>> = Bytes}} ->
            case erlang:crc32(binary:part(Bytes, 0, byte_size(Bytes) - 4)) of
                Crc -> started(State#state{saved = Offset});
                _ -> damaged(Path)
            end;
        {ok, {error, enoent}} -> new(Folder, Max, State);
        %% Its place was taken, and nobody came.
        {ok, {ok, <<>>}} -> started(State);
        {ok, {ok, _}} -> damaged(Path);
        {_, {error, Reason}} -> {stop, {shutdown, {Path, Reason}}};
        {{error, Reason}, _} -> {stop, {shutdown, {Path, Reason}}}
    end.

%% Its place among those that there may be is taken at once: one begins after the other, and another one may be next.
new(Folder, Max, #state{path = Path} = State) ->
    case length(filelib:wildcard("*.consumer", unicode:characters_to_list(Folder))) of
        Count when Count >= Max -> {stop, {shutdown, too_many}};
        _ ->
            case file:write_file(Path, <<>>) of
                ok -> started(State);
                {error, Reason} -> {stop, {shutdown, {Path, Reason}}}
            end
    end.

started(#state{sink = Sink, saved = Saved} = State) ->
    _ = aldis_sink:monitor(Sink),
    erlang:send_after(?TICK, self(), tick),
    {ok, measured(State#state{read = Saved})}.

damaged(Path) ->
    logger:error("the consumer's file ~ts is damaged; without it the consumer begins where its first member wants", [Path]),
    {stop, {shutdown, damaged}}.

%% @private
-spec handle_call(term(), gen_server:from(), #state{}) -> {reply, term(), #state{}}.
handle_call({join, Pid, Ref, From, Credit, Options}, _, #state{members = Members} = State) ->
    case subscribed(From, maps:get(origin, Options, false), State) of
        {ok, Subscribed} ->
            Monitor = monitor(process, Pid, [{tag, {member_gone, Ref}}]),
            Member = #member{pid = Pid, monitor = Monitor, next = max(1, From), limit = max(1, From) - 1 + Credit,
                most = maps:get(bytes, Options, ?BYTES)},
            {reply, {ok, {consumer, self(), Ref}}, dealt(Subscribed#state{members = Members#{Ref => Member}, idle = 0})};
        {error, _} = Error -> {reply, Error, State}
    end;
handle_call(info, _, #state{name = Name, members = Members} = State) ->
    Given = lists:sum([N || #member{given = Chunks} <- maps:values(Members), {_, {_, N, _}} <- queue:to_list(Chunks)]),
    {reply, #{name => Name, offset => done(State), lag => lag(State), members => map_size(Members), given => Given}, State}.

subscribed(_, Origin, #state{subscription = Known, origin = Origin} = State) when Known =/= none -> {ok, State};
subscribed(_, _, #state{subscription = Known}) when Known =/= none -> {error, other_origin};
subscribed(From, Origin, #state{sink = Sink, budget = Budget, counted = Counted} = State) ->
    case first(From, State) of
        {ok, First} ->
            Lent = aldis_budget:lend(Budget, Counted, ?PLACES * ?BYTES),
            Bytes = max(?LEAST_BYTES, Lent div ?PLACES),
            case aldis_sink:subscribe(Sink, First, ?AHEAD, #{origin => Origin, bytes => Bytes}) of
                {ok, Subscription} -> begun(First, State#state{subscription = Subscription, origin = Origin, bytes = Bytes, lent = Lent});
                {error, Reason} ->
                    ok = aldis_budget:take(Budget, Counted, -Lent),
                    {error, case Reason of unsupported -> unsupported; _ -> unavailable end}
            end;
        {error, _} -> {error, unavailable}
    end.

first(_, #state{read = Read}) when is_integer(Read) -> {ok, Read + 1};
first(0, #state{sink = Sink}) ->
    try aldis_sink:next(Sink) of
        %% The sink knows with the first message.
        unknown -> {ok, 0};
        Known -> Known
    catch exit:_ -> {error, unavailable}
    end;
first(From, _) -> {ok, From}.

%% The begin of a consumer is on the disk before its first member is in: messages from then on wait for it, whoever goes.
begun(0, State) -> {ok, State};
begun(First, State) ->
    case saved(State#state{read = First - 1}) of
        #state{saved = none} ->
            _ = unread(State),
            {error, unavailable};
        Saved -> {ok, Saved}
    end.

%% A log that is stuck does not end its consumers.
newest(Sink) ->
    try aldis_sink:newest(Sink) catch exit:_ -> unknown end.

%% @private
-spec handle_cast(term(), #state{}) -> {noreply, #state{}}.
handle_cast({consumed, Ref, Number, Credit}, #state{members = Members} = State) ->
    case Members of
        #{Ref := #member{next = Next} = Member} ->
            Known = min(Number, Next - 1),
            Done = forget(Known, Member#member{limit = Known + Credit}),
            {noreply, dealt(State#state{members = Members#{Ref := Done}})};
        #{} -> {noreply, State}
    end;
handle_cast({leave, Ref}, State) -> {noreply, left(Ref, State)}.

forget(Number, #member{given = Given, bytes = Bytes} = Member) ->
    case queue:peek(Given) of
        {value, {First, {_, Count, Entries}}} when First + Count - 1 =< Number ->
            forget(Number, Member#member{given = queue:drop(Given), bytes = Bytes - byte_size(Entries)});
        {value, {First, Chunk}} when First =< Number ->
            {{_, Count, Done}, Rest} = split(Number - First + 1, Chunk),
            Member#member{given = queue:in_r({First + Count, Rest}, queue:drop(Given)), bytes = Bytes - byte_size(Done)};
        _ -> Member
    end.

split(Some, {Offset, Count, Entries}) when Some < Count ->
    At = aldis_scan:skip(Entries, 0, Some),
    <<Head:At/binary, Tail/binary>> = Entries,
    {{Offset, Some, Head}, {Offset + Some, Count - Some, Tail}}.

%% The chunks that it had go to others.
left(Ref, #state{members = Members, ready = Ready} = State) ->
    case maps:take(Ref, Members) of
        {#member{given = Given, monitor = Monitor}, Others} ->
            demonitor(Monitor, [flush]),
            Back = [Chunk || {_, Chunk} <- queue:to_list(Given)],
            dealt(State#state{members = Others, ready = lists:keymerge(1, lists:keysort(1, Back), Ready)});
        error -> State
    end.

%% @private
-spec handle_info(term(), #state{}) -> {noreply, #state{}} | {stop, term(), #state{}}.
handle_info({aldis_sink, Its, {entries, First, Count, Entries}}, #state{subscription = Its, ready = Ready} = State) ->
    {noreply, dealt(more(Count, byte_size(Entries), State#state{ready = Ready ++ [{First, Count, Entries}], read = First + Count - 1}))};
handle_info({aldis_sink, Its, {closed, Reason}}, #state{subscription = Its} = State) -> {stop, {shutdown, Reason}, State};
handle_info(tick, #state{members = Members, idle = Idle} = State) ->
    erlang:send_after(?TICK, self(), tick),
    Saved = measured(saved(State)),
    case {map_size(Members), filelib:is_file(Saved#state.path)} of
        {0, false} -> {stop, normal, Saved};
        {0, true} when Idle >= ?IDLE -> {noreply, unread(Saved)};
        {0, true} -> {noreply, Saved#state{idle = Idle + 1}};
        _ -> {noreply, Saved}
    end;
handle_info({{member_gone, Ref}, _, process, _, _}, State) -> {noreply, left(Ref, State)};
%% The log is gone.
handle_info({'DOWN', _, process, _, _}, State) -> {stop, {shutdown, log_gone}, State};
handle_info(_, State) -> {noreply, State}.

%% The log is read no longer; who joins later goes on behind what is consumed.
unread(#state{subscription = none} = State) -> State;
unread(#state{sink = Sink, subscription = Subscription, budget = Budget, counted = Counted, lent = Lent} = State) ->
    ok = aldis_sink:unsubscribe(Sink, Subscription),
    ok = aldis_budget:take(Budget, Counted, -Lent),
    State#state{subscription = none, ready = [], read = done(State), lent = 0}.

%% The log may go on while less than a few waits.
more(Count, Bytes, #state{sink = Sink, subscription = Subscription, ready = Ready, read = Read, bytes = Most} = State) ->
    Waiting = lists:sum([byte_size(Entries) || {_, _, Entries} <- Ready]),
    %% The next messages may be larger than the last ones.
    Ahead = min(?SHARE, max(?AHEAD, Most * Count div Bytes)),
    Waiting > 0 andalso Waiting + Bytes > Most orelse aldis_sink:consumed(Sink, Subscription, Read, Ahead),
    State.

%% Gives what is ready to the members that have the least and take more.
dealt(#state{ready = []} = State) -> State;
dealt(#state{ready = [{Offset, Count, Entries} = Chunk | Rest], members = Members} = State) ->
    <<First:32/little, _/binary>> = Entries,
    case lists:sort([{Bytes, Next, Ref} || {Ref, #member{bytes = Bytes, next = Next, limit = Limit, most = Most}} <- maps:to_list(Members),
            Next =< Limit, Bytes =:= 0 orelse Bytes + 4 + First =< Most]) of
        [] -> State;
        [{_, _, Ref} | _] ->
            #{Ref := #member{pid = Pid, next = Next, limit = Limit, bytes = Bytes, most = Most, given = Given} = Member} = Members,
            {{_, Some, Part} = Its, Left} = case fits(Entries, min(Count, min(?SHARE, Limit - Next + 1)), Most - Bytes) of
                Count -> {{Offset, Count, Entries}, Rest};
                Fewer ->
                    {Head, Tail} = split(Fewer, Chunk),
                    {Head, [Tail | Rest]}
            end,
            Pid ! {aldis_sink, {consumer, self(), Ref}, {entries, Next, Some, Part}},
            Given1 = queue:in({Next, Its}, Given),
            Taken = Member#member{next = Next + Some, bytes = Bytes + byte_size(Part), given = Given1},
            Dealt = State#state{ready = Left, members = Members#{Ref := Taken}},
            dealt(case Left of [] -> more(Count, byte_size(Entries), Dealt); _ -> Dealt end)
    end.

%% How many of the first messages have no more than so many bytes, or 1.
fits(Entries, Count, Room) -> max(1, aldis_ahead:fits(Entries, Count, 0, aldis_ahead:new(#{bytes => max(1, Room)}))).

%% All up to here is consumed.
done(#state{members = Members, ready = Ready, read = Read}) ->
    Firsts = [Offset || {Offset, _, _} <- lists:sublist(Ready, 1)]
        ++ [Offset || #member{given = Given} <- maps:values(Members), {_, {Offset, _, _}} <- queue:to_list(Given)],
    %% An atom is more than any number.
    lists:min([Read | [First - 1 || First <- Firsts]]).

lag(#state{sink = Sink} = State) ->
    case {newest(Sink), done(State)} of
        {Newest, Done} when is_integer(Newest), is_integer(Done) -> max(0, Newest - Done);
        _ -> unknown
    end.

measured(#state{metrics = Metrics, lag = Before} = State) ->
    Lag = lag(State),
    counted(-1, Before, Metrics),
    counted(1, Lag, Metrics),
    State#state{lag = Lag}.

counted(Sign, unknown, Metrics) -> aldis_metrics:add(Metrics, lag_unknown, Sign);
counted(Sign, Lag, Metrics) -> aldis_metrics:add(Metrics, lag, Sign * Lag).

%% The file is replaced as a whole: whenever the machine fails there is an old one or a new one.
saved(#state{path = Path, saved = Before} = State) ->
    case done(State) of
        Before -> State;
        Offset ->
            Bytes = <<?MAGIC, ?VERSION:32/little, Offset:64/little>>,
            New = <<Path/binary, ".new">>,
            case written(New, [Bytes, <<(erlang:crc32(Bytes)):32/little>>]) of
                ok ->
                    case renamed(New, Path, Before) of
                        ok -> State#state{saved = Offset};
                        {error, Reason} -> not_saved(Reason, State)
                    end;
                {error, Reason} -> not_saved(Reason, State)
            end
    end.

%% A file that replaces one may come back as that; the first one is there for good.
renamed(New, Path, none) ->
    case file:rename(New, Path) of
        ok -> aldis_log_segment:sync_folder(filename:dirname(Path));
        {error, _} = Error -> Error
    end;
renamed(New, Path, _) -> file:rename(New, Path).

written(Path, Bytes) ->
    case file:open(Path, [raw, write, binary]) of
        {ok, File} ->
            Result = case file:write(File, Bytes) of
                ok -> file:sync(File);
                Error -> Error
            end,
            _ = file:close(File),
            Result;
        {error, _} = Error -> Error
    end.

not_saved(Reason, #state{path = Path} = State) ->
    logger:error("how far the consumer is cannot be written to ~ts (~0tp); it is tried again", [Path, Reason]),
    State.

%% @private
-spec terminate(term(), #state{}) -> ok.
terminate(_, #state{metrics = Metrics, lag = Lag, members = Members, budget = Budget, counted = Counted} = State) ->
    _ = saved(State),
    aldis_budget:given_back(Budget, Counted),
    counted(-1, Lag, Metrics),
    maps:foreach(fun(Ref, #member{pid = Pid}) -> Pid ! {aldis_sink, {consumer, self(), Ref}, {closed, ended}} end, Members).
