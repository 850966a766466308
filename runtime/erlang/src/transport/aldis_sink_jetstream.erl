%% @doc A sink in NATS JetStream: an external log for servers on several machines.
%%
%% ```
%% {ok, _} = aldis_server:start_listener(orders, #{port => 7100, sink => {aldis_sink_jetstream, #{
%%     name => orders_log, servers => [{"nats-1", 4222}, {"nats-2", 4222}, {"nats-3", 4222}], stream => "ORDERS", replicas => 3}}})
%% '''
%%
%% Each producer has a subject, and the last message there says how far it has come: nothing else decides. A write says which message it
%% expects to be the last one, so of two nodes that write for a producer, as after it has moved, one is refused, reads again, and goes on
%% from what it finds. A claim is such a write, too: it fences older epochs, and proves that what was read was not old.
%% docs/sinks.md says how messages lie in the stream.
%%
%% Options: `name'; `servers', a list of `{Host, Port}'; `stream', which is made where it is missing; `subject', before the producer's own
%% part (`aldis.' and the stream's name); `replicas' (1): more than one, and clients may ask for `replicated'; `sync_always' (`false'): with
%% `true' clients may ask for `durable', as the servers write to the disk before they answer (`sync_interval: always' in their
%% configuration); `monitor', a list of `{Host, Port}' where the servers say so (`http_port'): it is asked with each connection and then
%% every `check_ms' (5,000), as the stream is, and nothing is taken while one says otherwise; `tls', `auth': see {@link aldis_nats};
%% `patience_ms' (5,000): how long JetStream is tried
%% before producers are told `unavailable'.
-module(aldis_sink_jetstream).
-behaviour(gen_server).
-behaviour(aldis_sink).

-export([start_link/1, child_spec/1, producer/3, claim/4, identity/2, append/8, subscribe/3, subscribe/4, consumed/4, unsubscribe/2, grants/1, next/1]).
-export([fold/4, source/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-record(state, {
    options :: map(),
    nats :: pid(),
    %% The most bytes of a message while there is a connection and its stream is as wanted.
    max = none :: none | pos_integer(),
    connected = none :: none | pos_integer(),
    producers = #{} :: #{aldis_sink:producer() => aldis_jetstream_producer:t()},
    %% Those that wait for something.
    busy = #{} :: #{aldis_sink:producer() => true},
    %% The open question to JetStream for each, with its number; 0: none, until the next tick.
    flights = #{} :: #{aldis_sink:producer() => {non_neg_integer(), ask | {announce | write, aldis_jetstream_producer:message()}}},
    next = 1 :: pos_integer(),
    %% The timer of the next look at the stream and the servers, and how many looks have had no answer since the last one that had.
    look = none :: none | reference(),
    unanswered = 0 :: non_neg_integer()
}).

-define(CALL, 30000).
%% Milliseconds for an answer of JetStream, and until what failed is tried again.
-define(ANSWER, 3000).
-define(TICK, 100).
%% Milliseconds until a stream that is not as wanted is looked at again.
-define(AGAIN, 1000).
%% Milliseconds for the first answer about the stream, and until it is asked for again; twice as long each time that there is none. A cluster
%% that has just begun, or elects a leader, answers nothing to what it was asked before it was ready.
-define(FIRST_ANSWER, 500).
-define(FIRST_AGAIN, 100).
%% Looks without an answer before that is told.
-define(SILENT, 3).
%% Bytes of a message that its headers may take.
-define(HEADERS, 1024).
%% Idle producers that are kept in memory.
-define(CACHED, 100000).
-define(NOT_FOUND, 10037).
-define(NO_STREAM, 10059).
-define(IS_CONFLICT(Code), (Code =:= 10071 orelse Code =:= 10164)).

%% @doc Starts the sink, with its options or a fun that gives them. It connects when it runs; until then producers are told `unavailable'.
-spec start_link(map() | fun(() -> map())) -> {ok, pid()} | {error, term()}.
start_link(Sealed) when is_function(Sealed, 0) -> start_link(Sealed());
start_link(Options) ->
    case aldis_jetstream_options:check(Options) of
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
child_spec(#{name := Name} = Options) -> #{id => {?MODULE, Name}, start => {?MODULE, start_link, [fun() -> Options end]}}.

%% @doc See {@link aldis_sink}. The producer belongs to nobody.
-spec producer(aldis_sink:name(), aldis_sink:producer(), aldis_sink:epoch()) ->
    {ok, aldis_sink:sequence()} | {error, {stale_epoch, aldis_sink:epoch()} | not_owner | unavailable}.
producer(Sink, Producer, Epoch) ->
    case claim(Sink, Producer, Epoch, <<0:128>>) of
        {ok, Epoch, Last} -> {ok, Last};
        {error, _} = Error -> Error
    end.

%% @doc See {@link aldis_sink}.
-spec claim(aldis_sink:name(), aldis_sink:producer(), aldis_sink:epoch() | next, aldis_sink:identity()) ->
    {ok, aldis_sink:epoch(), aldis_sink:sequence()} | {error, {stale_epoch, aldis_sink:epoch()} | not_owner | unavailable}.
claim(Sink, <<_:128>> = Producer, Epoch, <<_:128>> = Identity) ->
    try gen_server:call(Sink, {claim, Producer, Epoch, Identity}, ?CALL)
    catch exit:_ -> {error, unavailable}
    end.

%% @doc See {@link aldis_sink}.
-spec identity(aldis_sink:name(), aldis_sink:producer()) -> {ok, aldis_sink:identity()} | unknown | {error, unavailable}.
identity(Sink, <<_:128>> = Producer) ->
    try gen_server:call(Sink, {identity, Producer}, ?CALL)
    catch exit:_ -> {error, unavailable}
    end.

%% @doc See {@link aldis_sink}.
-spec append(aldis_sink:name(), aldis_sink:producer(), aldis_sink:epoch(), aldis_sink:sequence(), pos_integer(),
    aldis_sink:schema(), aldis_sink:entries(), term()) -> ok.
append(Sink, <<_:128>> = Producer, Epoch, First, Count, Schema, Entries, Tag) when First > 0, Count > 0, is_binary(Entries) ->
    try
        Sink ! {append, {self(), Tag}, Producer, Epoch, First, Count, Schema, Entries},
        ok
    catch
        error:badarg ->
            self() ! {aldis_sink, Tag, {error, unavailable}},
            ok
    end.

%% @doc The durabilities that clients may ask for: see {@link aldis_sink:grants/1}.
-spec grants(aldis_sink:name()) -> [durable | replicated].
grants(Sink) -> gen_server:call(Sink, grants, ?CALL).

%% @doc See {@link aldis_sink}. The leader of the stream is asked.
-spec next(aldis_sink:name()) -> {ok, aldis_sink:sequence()} | {error, term()}.
next(Sink) -> aldis_jetstream_reader:next(source(Sink)).

%% @doc See {@link aldis_sink}. Offsets grow from message to message, and not by one where a batch ends.
-spec subscribe(aldis_sink:name(), aldis_sink:sequence(), non_neg_integer()) -> {ok, pid()} | {error, unavailable}.
subscribe(Sink, From, Credit) -> subscribe(Sink, From, Credit, #{}).

%% @doc See {@link aldis_sink}.
-spec subscribe(aldis_sink:name(), aldis_sink:sequence(), non_neg_integer(), aldis_sink:options()) -> {ok, pid()} | {error, unavailable}.
subscribe(Sink, From, Credit, Options) ->
    try gen_server:call(Sink, {subscribe, self(), From, Credit, Options}, ?CALL)
    catch exit:_ -> {error, unavailable}
    end.

%% @doc See {@link aldis_sink}.
-spec consumed(aldis_sink:name(), pid(), aldis_sink:sequence(), non_neg_integer()) -> ok.
consumed(_, Subscription, Consumed, Credit) -> aldis_jetstream_reader:consumed(Subscription, Consumed, Credit).

%% @doc See {@link aldis_sink}.
-spec unsubscribe(aldis_sink:name(), pid()) -> ok.
unsubscribe(_, Subscription) -> gen_server:cast(Subscription, unsubscribe).

%% @doc Goes through the batches that are there now, from an offset on, as {@link aldis_log:fold/4} does.
-spec fold(aldis_sink:name(), aldis_sink:sequence(), fun((aldis_log_record:batch(), Acc) -> {ok, Acc} | {stop, Acc}), Acc) ->
    {ok, Acc} | {error, term(), Acc}.
fold(Sink, From, Fun, Acc) -> aldis_jetstream_reader:fold(source(Sink), From, Fun, Acc).

%% @doc The handle for a reader.
-spec source(aldis_sink:name()) -> aldis_jetstream_reader:source().
source(Sink) -> gen_server:call(Sink, source, ?CALL).

-spec init(map()) -> {ok, #state{}}.
init(Options) ->
    process_flag(trap_exit, true),
    {ok, Nats} = aldis_nats:start_link(maps:with([servers, tls, auth], Options)),
    erlang:send_after(?TICK, self(), tick),
    {ok, #state{options = Options, nats = Nats}}.

-spec handle_call(term(), gen_server:from(), #state{}) -> {reply, term(), #state{}} | {noreply, #state{}}.
handle_call({claim, Producer, Epoch, Identity}, From, State) ->
    {noreply, taken(Producer, {claim, From, deadline(State), Epoch, Identity, crypto:strong_rand_bytes(8)}, State)};
handle_call({identity, Producer}, From, State) -> {noreply, taken(Producer, {identity, From, deadline(State)}, State)};
handle_call(grants, _, #state{options = #{sync_always := Synced, replicas := Replicas}} = State) ->
    {reply, [durable || Synced] ++ [replicated || Replicas > 1], State};
handle_call({subscribe, Subscriber, From, Credit, Options}, _, State) ->
    {reply, aldis_jetstream_reader:start_link(where(State), Subscriber, From, Credit, Options), State};
handle_call(source, _, State) -> {reply, where(State), State}.

where(#state{nats = Nats, options = #{stream := Stream, subject := Subject}}) -> {Nats, Stream, Subject}.

-spec handle_cast(term(), #state{}) -> {noreply, #state{}}.
handle_cast(_, State) -> {noreply, State}.

deadline(#state{options = #{patience_ms := Patience}}) -> erlang:monotonic_time(millisecond) + Patience.

-spec handle_info(term(), #state{}) -> {noreply, #state{}} | {stop, term(), #state{}}.
handle_info({append, To, Producer, Epoch, First, Count, Schema, Entries}, State) ->
    {noreply, taken(Producer, {append, To, deadline(State), Epoch, First, Count, Schema, Entries}, State)};
handle_info({aldis_nats, {Producer, Number}, Answer}, #state{flights = Flights} = State) ->
    case Flights of
        #{Producer := {Number, Asked}} -> {noreply, step(Producer, landed(Asked, Producer, Answer, over(Producer, State)))};
        %% Nobody waits for that any more.
        #{} -> {noreply, State}
    end;
handle_info(tick, State) ->
    erlang:send_after(?TICK, self(), tick),
    {noreply, maps:fold(fun(Producer, _, Acc) -> step(Producer, late(Producer, Acc)) end, State, State#state.busy)};
handle_info({aldis_nats, Nats, {connected, #{max_payload := Max}}}, #state{nats = Nats} = State) ->
    {noreply, look(State#state{connected = Max - ?HEADERS})};
handle_info({aldis_nats, Nats, disconnected}, #state{nats = Nats} = State) ->
    {noreply, State#state{connected = none, max = none}};
handle_info({aldis_nats, stream, Answer}, State) -> {noreply, stream(Answer, State)};
handle_info(look, State) -> {noreply, look(State#state{look = none})};
handle_info({monitored, ok}, State) -> {noreply, granted(State)};
handle_info({monitored, {error, Text}}, State) -> {noreply, refused(Text, State)};
handle_info({'EXIT', Nats, Reason}, #state{nats = Nats} = State) -> {stop, Reason, State};
handle_info(_, State) -> {noreply, State}.

%% Is the stream there, and what is it like? Its replicas and the servers' policy may change, so this is asked again and again.
look(#state{connected = none} = State) -> State;
look(#state{nats = Nats, options = #{stream := Stream}} = State) ->
    aldis_nats:request(Nats, stream, [<<"$JS.API.STREAM.INFO.">>, Stream], [], <<>>, doubled(?FIRST_ANSWER, ?ANSWER, State)),
    looked_in(none, State).

doubled(First, Most, #state{unanswered = Times}) -> min(Most, First bsl min(Times, 10)).

looked_in(Ms, #state{look = Before} = State) ->
    _ = Before =:= none orelse erlang:cancel_timer(Before),
    State#state{look = case Ms of none -> none; _ -> erlang:send_after(Ms, self(), look) end}.

granted(#state{connected = Max, options = #{check_ms := Ms}} = State) -> looked_in(Ms, State#state{max = Max, unanswered = 0}).

stream({ok, 0, _, Json}, #state{nats = Nats, options = Options} = State) ->
    #{stream := Stream, replicas := Replicas} = Options,
    case aldis_jetstream_api:fields([[<<"error">>, <<"err_code">>], [<<"config">>, <<"num_replicas">>],
            [<<"config">>, <<"storage">>], [<<"config">>, <<"retention">>]], Json) of
        [?NO_STREAM, _, _, _] ->
            aldis_nats:request(Nats, stream, [<<"$JS.API.STREAM.CREATE.">>, Stream], [],
                aldis_jetstream_api:stream(Options), doubled(?FIRST_ANSWER, ?ANSWER, State)),
            State;
        [missing, Enough, <<"file">>, <<"limits">>] when is_integer(Enough), Enough >= Replicas -> monitored(State);
        [missing, Fewer, Storage, Retention] ->
            refused(io_lib:format("the stream ~s has ~0tp replicas, storage ~0tp and retention ~0tp", [Stream, Fewer, Storage, Retention]), State);
        [Code, _, _, _] -> refused(io_lib:format("JetStream says ~0tp of the stream ~s: ~ts", [Code, Stream, Json]), State)
    end;
stream(_, #state{connected = none} = State) -> State;
%% A cluster that elects a leader answers nothing, and takes nothing either: what was seen last still holds.
stream(_, #state{max = Max} = State) when Max =/= none -> looked_in(?AGAIN, State);
stream(Answer, #state{unanswered = Times} = State) ->
    Times >= ?SILENT andalso told(io_lib:format("JetStream does not answer (~0tP)", [Answer, 9]), State),
    looked_in(doubled(?FIRST_AGAIN, ?AGAIN, State), State#state{unanswered = Times + 1}).

monitored(#state{options = #{sync_always := true, monitor := [_ | _] = Monitors}} = State) ->
    Self = self(),
    _ = spawn_link(fun() -> Self ! {monitored, aldis_jetstream_api:synced(Monitors)} end),
    State;
monitored(State) -> granted(State).

refused(Text, State) ->
    told(Text, State),
    looked_in(?AGAIN, State#state{max = none}).

told(Text, #state{options = #{name := Name}}) -> logger:error("~ts: ~ts; producers are told to send again later", [Name, Text]).

taken(Producer, Op, #state{producers = Producers, busy = Busy} = State) ->
    Now = aldis_jetstream_producer:put(Op, maps:get(Producer, Producers, aldis_jetstream_producer:new())),
    step(Producer, State#state{producers = Producers#{Producer => Now}, busy = Busy#{Producer => true}}).

over(Producer, #state{flights = Flights} = State) -> State#state{flights = maps:remove(Producer, Flights)}.

%% Goes on with a producer as far as can be without an answer of JetStream.
step(Producer, #state{flights = Flights, max = Max} = State) when is_map_key(Producer, Flights); Max =:= none -> State;
step(Producer, #state{producers = Producers, max = Max} = State) ->
    #{Producer := Known} = Producers,
    case aldis_jetstream_producer:judge(Max, Known) of
        idle -> idle(Producer, State);
        ask -> fly(Producer, ask, State);
        {answer, _, _, _, _} = Answer -> step(Producer, answered(Producer, Answer, State));
        {Kind, Message} -> fly(Producer, {Kind, Message}, State)
    end.

idle(Producer, #state{busy = Busy, producers = Producers} = State) ->
    Left = maps:remove(Producer, Busy),
    case map_size(Producers) > ?CACHED + map_size(Left) of
        true -> State#state{busy = Left, producers = maps:with(maps:keys(Left), Producers)};
        false -> State#state{busy = Left}
    end.

answered(Producer, {answer, Kind, To, Outcome, Known}, #state{producers = Producers} = State) ->
    tell(Kind, To, Outcome),
    State#state{producers = Producers#{Producer := Known}}.

tell(Asked, From, Outcome) when Asked =:= claim; Asked =:= identity -> gen_server:reply(From, Outcome);
tell(append, {Caller, Tag}, Outcome) ->
    Caller ! {aldis_sink, Tag, Outcome},
    ok.

fly(Producer, Asked, #state{flights = Flights, next = Number} = State) ->
    {Subject, Headers, Payload} = request(Asked, Producer, State#state.options),
    aldis_nats:request(State#state.nats, {Producer, Number}, Subject, Headers, Payload, ?ANSWER),
    State#state{flights = Flights#{Producer => {Number, Asked}}, next = Number + 1}.

request(ask, Producer, #{stream := Stream, subject := Subject}) ->
    {[<<"$JS.API.STREAM.MSG.GET.">>, Stream], [],
        [<<"{\"last_by_subj\":">>, aldis_json:text(iolist_to_binary(own(Subject, Producer)), utf8, []), $}]};
request({_, #{entries := Entries} = Message}, Producer, #{stream := Stream, subject := Subject}) ->
    {own(Subject, Producer), aldis_jetstream_producer:headers(Stream, Producer, Message), Entries}.

own(Subject, Producer) -> [Subject, $., binary:encode_hex(Producer)].

landed(Asked, Producer, {ok, 0, _, Json}, State) -> landed_in(Asked, Producer, aldis_jetstream_api:answer(Json), State);
%% Whether it was written is not known: it is asked again, with the next tick.
landed(_, Producer, _, State) -> later(Producer, State).

landed_in(ask, Producer, {message, Headers, Sequence}, State) ->
    case aldis_jetstream_producer:known_of(Headers, Sequence) of
        {ok, Known} -> changed(Producer, fun(P) -> aldis_jetstream_producer:known(Known, P) end, State);
        {error, not_ours} ->
            logger:error("message ~b of the stream has a subject of ours and not our headers", [Sequence]),
            later(Producer, State)
    end;
landed_in(ask, Producer, {error, ?NOT_FOUND}, State) ->
    changed(Producer, fun(P) -> aldis_jetstream_producer:known({0, none, 0, <<0:128>>, none}, P) end, State);
landed_in({announce, Message}, Producer, {stored, Sequence}, #state{producers = Producers} = State) ->
    answered(Producer, aldis_jetstream_producer:announced(Message, {Sequence, maps:get(Producer, Producers)}), State);
landed_in({write, Message}, Producer, {stored, Sequence}, State) ->
    changed(Producer, fun(P) -> aldis_jetstream_producer:written(Message, Sequence, P) end, State);
%% Another node has written, or we have and were not told.
landed_in(_, Producer, {error, Code}, State) when ?IS_CONFLICT(Code) ->
    changed(Producer, fun aldis_jetstream_producer:forget/1, State);
landed_in(_, Producer, duplicate, State) ->
    changed(Producer, fun aldis_jetstream_producer:forget/1, State);
landed_in(_, Producer, {error, Code}, State) ->
    logger:warning("JetStream refuses a message or question (~0tp)", [Code]),
    later(Producer, State).

changed(Producer, Change, #state{producers = Producers} = State) ->
    State#state{producers = maps:update_with(Producer, Change, Producers)}.

%% As if the question were still open, until the next tick.
later(Producer, #state{flights = Flights} = State) ->
    Unknown = changed(Producer, fun aldis_jetstream_producer:forget/1, State),
    Unknown#state{flights = Flights#{Producer => {0, ask}}}.

late(Producer, #state{producers = Producers, flights = Flights} = State) ->
    Waited = case Flights of
        #{Producer := {0, ask}} -> over(Producer, State);
        #{} -> State
    end,
    case aldis_jetstream_producer:expired(erlang:monotonic_time(millisecond), maps:get(Producer, Producers)) of
        none -> Waited;
        {Told, Empty} ->
            [tell(Kind, To, {error, unavailable}) || {Kind, To} <- Told],
            over(Producer, Waited#state{producers = Producers#{Producer := Empty}})
    end.
