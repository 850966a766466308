%% @doc Reads the batches of {@link aldis_sink_jetstream}: all at once, or as a subscription.
%%
%% An offset is the place of a batch in the stream, times 2^20, and the number of a message within the batch.
-module(aldis_jetstream_reader).
-behaviour(gen_server).

-export([fold/4, next/1, start_link/5, consumed/3]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).
-export_type([source/0]).

-type source() :: {Nats :: pid(), Stream :: binary(), Subject :: binary()}.

-define(BITS, 20).
%% Messages and bytes that are asked for at a time, and how long for: in milliseconds, as is the pause of a subscription that has
%% read all.
-define(BATCHES, 64).
-define(BYTES, 4194304).
-define(ANSWER, 5000).
-define(PAUSE, 50).
-define(TRIES, 20).
-define(NOT_FOUND, 10037).

%% @doc Folds over the batches that are there now.
-spec fold(source(), aldis_sink:sequence(), fun((aldis_log_record:batch(), Acc) -> {ok, Acc} | {stop, Acc}), Acc) ->
    {ok, Acc} | {error, term(), Acc}.
fold(Source, From, Fun, Acc) -> folded(fetched(Source, place(From), ?TRIES), Source, From, Fun, Acc).

folded({error, Reason}, _, _, _, Acc) -> {error, Reason, Acc};
folded({ok, [], Next}, Source, From, Fun, Acc) ->
    case has_more(Source, Next, ?TRIES) of
        false -> {ok, Acc};
        true -> folded(fetched(Source, Next, ?TRIES), Source, From, Fun, Acc);
        {error, Reason} -> {error, Reason, Acc}
    end;
folded({ok, Batches, Next}, Source, From, Fun, Acc) ->
    case each([Batch || {ok, Batch} <- [behind(From, B) || B <- Batches]], Fun, Acc) of
        {ok, Acc1} -> folded(fetched(Source, Next, ?TRIES), Source, From, Fun, Acc1);
        {stop, Acc1} -> {ok, Acc1}
    end.

each([], _, Acc) -> {ok, Acc};
each([Batch | Batches], Fun, Acc) ->
    case Fun(Batch, Acc) of
        {ok, Acc1} -> each(Batches, Fun, Acc1);
        {stop, _} = Stop -> Stop
    end.

%% Any replica answers direct questions, also one that lags. The leader alone knows whether there is more; then others are asked again.
has_more({Nats, Stream, Subject} = Source, Next, Tries) ->
    Tag = make_ref(),
    Asked = io_lib:format("{\"seq\":~b,\"next_by_subj\":\"~s.*\"}", [Next, Subject]),
    aldis_nats:request(Nats, Tag, [<<"$JS.API.STREAM.MSG.GET.">>, Stream], [], Asked, ?ANSWER),
    Said = receive {aldis_nats, Tag, Answer} -> Answer after ?ANSWER * 2 -> {error, timeout} end,
    case leader_said(Said) of
        false -> false;
        {error, _} = Error when Tries =:= 1 -> Error;
        Known ->
            timer:sleep(?PAUSE),
            Known =:= true orelse has_more(Source, Next, Tries - 1)
    end.

leader_said({ok, 0, _, Json}) ->
    case aldis_jetstream_api:answer(Json) of
        {message, _, _} -> true;
        {error, ?NOT_FOUND} -> false;
        Other -> {error, Other}
    end;
leader_said({ok, Status, _, _}) -> {error, {status, Status}};
leader_said({error, _} = Error) -> Error.

%% @doc The offset of the next message, as the leader of the stream says.
-spec next(source()) -> {ok, aldis_sink:sequence()} | {error, term()}.
next({Nats, Stream, _}) ->
    Tag = make_ref(),
    ask_newest(Nats, Stream, Tag),
    receive
        {aldis_nats, Tag, {ok, 0, _, Json}} -> newest(Json);
        {aldis_nats, Tag, {ok, Status, _, _}} -> {error, {status, Status}};
        {aldis_nats, Tag, {error, _} = Error} -> Error
    after ?ANSWER * 2 -> {error, timeout}
    end.

ask_newest(Nats, Stream, Tag) -> aldis_nats:request(Nats, Tag, [<<"$JS.API.STREAM.INFO.">>, Stream], [], <<>>, ?ANSWER).

newest(Json) ->
    case aldis_jetstream_api:fields([[<<"state">>, <<"last_seq">>]], Json) of
        [Last] when is_integer(Last) -> {ok, (Last + 1) bsl ?BITS};
        _ -> {error, unavailable}
    end.

place(From) -> max(1, From bsr ?BITS).

%% A batch without the messages before an offset; announcements have none.
behind(_, #{count := 0}) -> none;
behind(From, #{offset := Offset} = Batch) when From =< Offset -> {ok, Batch};
behind(From, #{offset := Offset, count := Count}) when From >= Offset + Count -> none;
behind(From, #{offset := Offset} = Batch) -> aldis_log_record:drop(Batch, From - Offset).

fetched(Source, Next, Tries) ->
    Tag = make_ref(),
    ask(Source, Tag, Next, ?BYTES),
    case answers(Tag, [], Next) of
        {error, _} when Tries > 1 ->
            timer:sleep(?PAUSE),
            fetched(Source, Next, Tries - 1);
        Fetched -> Fetched
    end.

ask({Nats, Stream, Subject}, Tag, Next, Bytes) ->
    Asked = io_lib:format("{\"seq\":~b,\"batch\":~b,\"max_bytes\":~b,\"next_by_subj\":\"~s.*\"}", [Next, ?BATCHES, Bytes, Subject]),
    aldis_nats:requests(Nats, Tag, [<<"$JS.API.DIRECT.GET.">>, Stream], [], Asked, ?ANSWER).

answers(Tag, Batches, Next) ->
    receive {aldis_nats, Tag, Answer} ->
        case answer(Answer, Batches, Next) of
            {more, More, Behind} -> answers(Tag, More, Behind);
            Done -> Done
        end
    after ?ANSWER * 2 -> {error, timeout}
    end.

%% Statuses: 204 is the end of the answers, 404 says that there is nothing.
answer({ok, 0, #{<<"Nats-Sequence">> := Text} = Headers, Entries}, Batches, _) ->
    Sequence = binary_to_integer(Text),
    case batch(Sequence, Headers, Entries) of
        {ok, Batch} -> {more, [Batch | Batches], Sequence + 1};
        none -> {more, Batches, Sequence + 1}
    end;
answer({ok, Status, _, _}, Batches, Next) when Status =:= 204; Status =:= 404 -> {ok, lists:reverse(Batches), Next};
answer({ok, Status, _, _}, _, _) -> {error, {status, Status}};
answer({error, _} = Error, _, _) -> Error.

%% A message that somebody else wrote below our subject is no batch.
batch(Sequence, #{<<"Aldis-Batch">> := _} = Headers, Entries) ->
    try read(Sequence, Headers, Entries)
    catch error:_ -> none
    end;
batch(_, _, _) -> none.

read(Sequence, #{<<"Aldis-Batch">> := Numbers, <<"Nats-Subject">> := Subject} = Headers, Entries) ->
    [Epoch, First, Count] = [binary_to_integer(N) || N <- binary:split(Numbers, <<".">>, [global])],
    Producer = binary:decode_hex(lists:last(binary:split(Subject, <<".">>, [global]))),
    Schema = case Headers of
        #{<<"Aldis-Schema">> := Two} -> list_to_tuple([binary_to_integer(N) || N <- binary:split(Two, <<".">>)]);
        #{} -> none
    end,
    {ok, _} = aldis_log_record:skip(Entries, Count),
    {ok, #{offset => Sequence bsl ?BITS, synced => 0, time => time(Headers), producer => Producer, epoch => Epoch, first => First,
        count => Count, schema => Schema, entries => Entries}}.

time(#{<<"Nats-Time-Stamp">> := Text}) ->
    try calendar:rfc3339_to_system_time(binary_to_list(Text), [{unit, millisecond}])
    catch error:_ -> 0
    end;
time(_) -> 0.

%% The process of a subscription.

-record(state, {
    source :: source(),
    subscriber :: pid(),
    %% Whether messages have their origin in front.
    origin :: boolean(),
    %% The offset that comes next, and the last one that may be sent.
    wanted :: aldis_sink:sequence(),
    allowed :: aldis_sink:sequence(),
    ahead :: aldis_ahead:ahead(),
    %% The place in the stream to ask for, what came and was not sent, and the question that is open.
    next :: pos_integer(),
    waiting = [] :: [aldis_log_record:batch()],
    asked = none :: none | reference(),
    came = [] :: [aldis_log_record:batch()]
}).

%% @doc Starts a subscription below the sink's process.
-spec start_link(source(), pid(), aldis_sink:sequence(), non_neg_integer(), aldis_sink:options()) -> {ok, pid()} | {error, term()}.
start_link(Source, Subscriber, From, Credit, Options) ->
    case gen_server:start_link(?MODULE, {Source, Subscriber, From, Credit, Options}, []) of
        {ok, Pid} -> {ok, Pid};
        {error, _} = Error -> Error;
        ignore -> {error, ignore}
    end.

%% @doc The subscriber is done with all up to `Consumed'.
-spec consumed(pid(), aldis_sink:sequence(), non_neg_integer()) -> ok.
consumed(Reader, Consumed, Credit) -> gen_server:cast(Reader, {consumed, Consumed, Credit}).

-spec init({source(), pid(), aldis_sink:sequence(), non_neg_integer(), aldis_sink:options()}) -> {ok, #state{}}.
init({Source, Subscriber, From, Credit, Options}) ->
    _ = monitor(process, Subscriber),
    self() ! case From of 0 -> newest; _ -> ask end,
    {ok, #state{source = Source, subscriber = Subscriber, origin = maps:get(origin, Options, false), ahead = aldis_ahead:new(Options),
        wanted = From, allowed = max(From, 1) - 1 + Credit, next = place(From)}}.

-spec handle_call(term(), gen_server:from(), #state{}) -> {reply, {error, unsupported}, #state{}}.
handle_call(_, _, State) -> {reply, {error, unsupported}, State}.

-spec handle_cast(term(), #state{}) -> {noreply, #state{}} | {stop, normal, #state{}}.
handle_cast(unsubscribe, State) -> {stop, normal, State};
handle_cast({consumed, Consumed, Credit}, #state{allowed = Allowed, wanted = Wanted, ahead = Ahead} = State) ->
    %% Nothing is consumed yet: the credit counts from where the subscription begins.
    Done = case Consumed of 0 -> max(Wanted, 1) - 1; _ -> Consumed end,
    {noreply, given(State#state{allowed = max(Allowed, Done + Credit), ahead = aldis_ahead:consumed(Consumed, Ahead)})}.

-spec handle_info(term(), #state{}) -> {noreply, #state{}} | {stop, normal, #state{}}.
handle_info({'DOWN', _, process, Subscriber, _}, #state{subscriber = Subscriber} = State) -> {stop, normal, State};
handle_info(newest, #state{source = {Nats, Stream, _}} = State) ->
    Tag = make_ref(),
    ask_newest(Nats, Stream, Tag),
    {noreply, State#state{asked = Tag}};
handle_info({aldis_nats, Tag, {ok, 0, _, Json}}, #state{asked = Tag, wanted = 0} = State) ->
    case newest(Json) of
        {ok, Wanted} ->
            self() ! ask,
            Credit = State#state.allowed,
            {noreply, State#state{wanted = Wanted, allowed = Wanted - 1 + Credit, next = place(Wanted), asked = none}};
        {error, _} -> again(newest, State)
    end;
handle_info({aldis_nats, Tag, _}, #state{asked = Tag, wanted = 0} = State) -> again(newest, State);
handle_info(ask, #state{source = Source, next = Next, asked = none, waiting = [], ahead = Ahead} = State) ->
    Tag = make_ref(),
    ask(Source, Tag, Next, aldis_ahead:most(?BYTES, Ahead)),
    {noreply, State#state{asked = Tag, came = []}};
handle_info({aldis_nats, Tag, Answer}, #state{asked = Tag, came = Came, next = Next} = State) ->
    case answer(Answer, Came, Next) of
        {more, More, Behind} -> {noreply, State#state{came = More, next = Behind}};
        {ok, Batches, Next} -> came(Batches, State);
        {error, _} -> came(lists:reverse(Came), State)
    end;
handle_info(_, State) -> {noreply, State}.

again(Message, State) ->
    erlang:send_after(?PAUSE, self(), Message),
    {noreply, State#state{asked = none}}.

came([], State) -> again(ask, State);
came(Batches, #state{wanted = Wanted} = State) ->
    {noreply, given(State#state{asked = none, came = [], waiting = [Batch || {ok, Batch} <- [behind(Wanted, B) || B <- Batches]]})}.

%% Sends what may be sent, and asks for more when all is sent.
given(#state{waiting = [], asked = none} = State) when State#state.wanted > 0 ->
    self() ! ask,
    State;
given(#state{waiting = []} = State) -> State;
%% The gap between two batches uses no credit.
given(#state{waiting = [#{offset := Offset} | _], wanted = Wanted, allowed = Allowed} = State) when Offset > Wanted ->
    given(State#state{wanted = Offset, allowed = Allowed + Offset - max(Wanted, 1)});
given(#state{wanted = Wanted, allowed = Allowed} = State) when Wanted > Allowed -> State;
given(#state{waiting = [#{offset := Offset, count := Count, entries := Entries} = Batch | Batches], allowed = Allowed, ahead = Ahead} = State) ->
    Open = aldis_ahead:open(Ahead),
    case Open andalso aldis_ahead:fits(Entries, min(Count, Allowed - Offset + 1), 0, Ahead) of
        false -> State;
        0 -> State#state{ahead = aldis_ahead:full(Ahead)};
        Fits ->
            {ok, End} = aldis_log_record:skip(Entries, Fits),
            Sent = send(Batch#{entries := binary:part(Entries, 0, End), count := Fits}, State),
            Left = case aldis_log_record:drop(Batch, Fits) of
                {ok, #{count := 0}} -> Batches;
                {ok, Rest} -> [Rest | Batches]
            end,
            given(Sent#state{wanted = Offset + Fits, waiting = Left})
    end.

send(#{offset := Offset, count := Count, entries := Entries} = Batch, #state{subscriber = Subscriber, origin = Origin, ahead = Ahead} = State) ->
    Bytes = case Origin of
        true -> aldis_log_record:with_origin(Batch);
        false -> aldis_ahead:compact(Entries)
    end,
    Subscriber ! {aldis_sink, self(), {entries, Offset, Count, Bytes}},
    State#state{ahead = aldis_ahead:sent(Offset + Count - 1, byte_size(Bytes), Ahead)}.
