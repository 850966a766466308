%% @private The process of {@link aldis_client}.
%%
%% States: `waiting' before the next attempt to connect, `connecting', `greeting' (HELLO is sent), `ready', and `leaving'
%% (either side has said DRAIN: nothing new is sent). Whatever is called in any state is answered; what needs a connection
%% waits in the queue.
%%
%% An event's functions change the data, in which they note the state to go to and the actions for gen_statem; {@link done/1}
%% says them at the end.
-module(aldis_client_process).
-behaviour(gen_statem).

-include("aldis_frame.hrl").

-export([start_link/1]).
-export([callback_mode/0, init/1, handle_event/4, terminate/3, format_status/1]).

-record(subscription, {
    owner :: pid(),
    monitor :: reference(),
    topic :: binary(),
    %% The message at which a new connection goes on; 0 before the first message of a subscription "from now on" has come.
    from :: non_neg_integer(),
    consumed :: non_neg_integer(),
    credit :: non_neg_integer()
}).

-record(data, {
    state = waiting :: waiting | connecting | greeting | ready | leaving,
    %% Last first.
    actions = [] :: [gen_statem:action()],
    stop = no :: no | {yes, Reason :: term()},
    options :: map(),
    queue :: aldis_client_queue:queue(),
    %% Messages that the queue has not taken yet.
    front :: aldis_client_front:front(),
    %% `next' until the server has said which one that is.
    epoch :: aldis_sink:epoch() | next,
    %% The epoch in the last HELLO, which a server that counts none has taken.
    offered = 0 :: aldis_sink:epoch(),
    %% The number that is added to a message's number to make its sequence; known with the first WELCOME of an epoch.
    shift = unknown :: unknown | integer(),
    socket = none :: none | aldis_socket:t(),
    connector = none :: none | pid(),
    %% Bytes that have come and are no whole frame yet, last first, and how many there must be before looking again.
    came = [] :: [binary()],
    have = 0 :: non_neg_integer(),
    need = 0 :: non_neg_integer(),
    features = 0 :: non_neg_integer(),
    credit = {0, 0} :: {non_neg_integer(), non_neg_integer()},
    max_frame = 1048576 :: pos_integer(),
    level = handled :: aldis_frame:durability(),
    duplicates = 0 :: non_neg_integer(),
    connections = 0 :: non_neg_integer(),
    %% Counts the servers that were tried.
    attempts = counters:new(1, []) :: counters:counters_ref(),
    %% Attempts to connect since the last success, and what the handler refused or came damaged since the last ack.
    failures = 0 :: non_neg_integer(),
    refusals = 0 :: non_neg_integer(),
    damaged = 0 :: non_neg_integer(),
    trouble = none :: aldis_client_waits:trouble(),
    %% Whether anything came since the last look, and whether the server was asked.
    heard = true :: boolean(),
    asked = false :: boolean(),
    %% A refused batch waits to be offered again; an open one for more messages.
    paused = false :: boolean(),
    lingering = false :: boolean(),
    %% The callers that wait for room in the queue, first come first; for acks; for answers.
    blocked = [] :: [{reference(), gen_statem:from(), pos_integer(), binary()}],
    flushes = [] :: [{reference(), gen_statem:from(), non_neg_integer()}],
    requests = #{} :: #{non_neg_integer() => gen_statem:from()},
    correlation = 1 :: pos_integer(),
    subscriptions = #{} :: #{pos_integer() => #subscription{}},
    subscription = 1 :: pos_integer(),
    draining = none :: none | gen_statem:from()
}).

%% Kind, first, count, checksum, schema and template of a batch.
-define(BATCH_HEAD, 25).
-define(REQUEST_HEAD, 13).
%% The origin that a message may have in front, and its PUSH be longer than a frame.
-define(ORIGIN, 28).
%% The system stops reading after so many pieces, until they are looked at.
-define(ACTIVE, 100).
%% How long the server has to close what is drained, in milliseconds, beyond the time that it asked for.
-define(LEAVING, 5000).
%% NACKs of damage without an ack in between before the connection is given up.
-define(MOST_NACKS, 8).

%% @doc Starts the process, with options that are checked.
-spec start_link(map()) -> {ok, pid()} | {error, term()}.
start_link(Options) ->
    Result = case Options of
        #{name := Name} -> gen_statem:start_link({local, Name}, ?MODULE, Options, []);
        #{} -> gen_statem:start_link(?MODULE, Options, [])
    end,
    case Result of
        ignore -> {error, ignore};
        Started -> Started
    end.

-spec callback_mode() -> handle_event_function.
callback_mode() -> handle_event_function.

-spec init(map()) -> gen_statem:init_result(waiting, #data{}).
init(#{batch_messages := Messages, batch_bytes := Bytes, epoch := Epoch} = Options) ->
    process_flag(trap_exit, true),
    {ok, waiting, #data{options = Options, queue = aldis_client_queue:new(Messages, Bytes), epoch = Epoch,
        front = aldis_client_front:new(Options)},
        [{state_timeout, 0, connect}]}.

%% Secrets stay out of crash reports.
-spec format_status(gen_statem:format_status()) -> gen_statem:format_status().
format_status(#{data := #data{options = Options} = Data} = Status) ->
    Status#{data := Data#data{options = Options#{auth => hidden, tls => hidden}, came = [], blocked = []}};
format_status(Status) ->
    Status.

-spec handle_event(gen_statem:event_type(), term(), atom(), #data{}) -> gen_statem:event_handler_result(atom()).
handle_event({call, From}, Request, _, Data) -> done(pump(called(Request, From, gathered(Data))));
handle_event(cast, {consumed, Id, Consumed, Credit}, _, Data) -> done(consumed(Id, Consumed, Credit, Data));
handle_event(cast, {unsubscribe, Id}, _, Data) -> done(unsubscribe(Id, Data));
handle_event(cast, {answered, Socket, Reply}, _, #data{socket = Socket} = Data) -> done(out([Reply], Data));
handle_event(cast, {answered, _, _}, _, _) -> keep_state_and_data;
handle_event(info, Message, _, Data) -> done(told(Message, Data));
handle_event(_, Timeout, _, Data) -> done(late(Timeout, Data)).

done(#data{stop = no, state = State, actions = Actions, front = Front, queue = Queue, blocked = Blocked, max_frame = Max} = Data) ->
    ok = aldis_client_front:tell(Front, Queue, Max - ?BATCH_HEAD - 4, Blocked =/= []),
    {next_state, State, Data#data{actions = []}, lists:reverse(Actions)};
done(#data{stop = {yes, Reason}, actions = Actions} = Data) ->
    {stop_and_reply, Reason, [Reply || {reply, _, _} = Reply <- lists:reverse(Actions)], Data#data{actions = []}}.

act(Action, #data{actions = Actions} = Data) -> Data#data{actions = [Action | Actions]}.
reply(From, Answer, Data) -> act({reply, From, Answer}, Data).
stop(Reason, Data) -> Data#data{stop = {yes, Reason}}.

-spec terminate(term(), atom(), #data{}) -> ok.
terminate(_, _, #data{socket = none}) -> ok;
terminate(_, _, #data{socket = Socket}) -> aldis_socket:close(Socket, when_read).

%% Timers.

late(connect, #data{options = Options, attempts = Attempts} = Data) ->
    Data#data{state = connecting, connector = aldis_client_link:connect(Options, Attempts)};
late(welcome, Data) -> lost(no_welcome, Data);
late(close, Data) -> lost(drained, Data);
late(linger, Data) ->
    #data{queue = Queue} = Gathered = gathered(Data),
    pump(Gathered#data{queue = aldis_client_queue:seal(Queue), lingering = false});
late(refused, Data) -> pump(Data#data{paused = false});
late(drain, #data{draining = From} = Data) -> stop(normal, reply(From, {error, timeout}, Data));
late({request, Id}, #data{requests = Requests} = Data) ->
    {From, Rest} = maps:take(Id, Requests),
    reply(From, {error, deadline}, Data#data{requests = Rest});
late({waiting, Ref}, #data{blocked = Blocked, flushes = Flushes} = Data) ->
    {From, Error} = case lists:keyfind(Ref, 1, Flushes) of
        {_, Who, _} -> {Who, {timeout, why(Data)}};
        false -> {element(2, lists:keyfind(Ref, 1, Blocked)), timeout}
    end,
    reply(From, {error, Error},
        Data#data{blocked = lists:keydelete(Ref, 1, Blocked), flushes = lists:keydelete(Ref, 1, Flushes)});
%% Asks a silent server whether it lives, and gives up one that does not say so.
late(ping, #data{heard = true} = Data) -> next_ping(Data#data{heard = false, asked = false});
late(ping, #data{asked = true} = Data) -> lost(idle, Data);
late(ping, Data) -> next_ping(out([#ping{}], Data#data{asked = true})).

next_ping(#data{socket = none} = Data) -> Data;
next_ping(#data{options = #{ping_ms := Ms}} = Data) -> act({{timeout, ping}, Ms, ping}, Data).

%% Calls.

called({send, _, _, _, _}, From, #data{draining = Draining} = Data) when Draining =/= none ->
    reply(From, {error, closing}, Data);
called({send, _, Largest, _, _}, From, #data{max_frame = Max} = Data) when Largest + 4 + ?BATCH_HEAD > Max ->
    reply(From, {error, too_large}, Data);
called({send, Count, _, Entries, Timeout}, From, #data{blocked = Blocked} = Data) ->
    case Blocked =:= [] andalso room(Count, Entries, Data) of
        true -> add(Count, Entries, From, Data);
        false ->
            Ref = make_ref(),
            act({{timeout, Ref}, Timeout, {waiting, Ref}}, Data#data{blocked = Blocked ++ [{Ref, From, Count, Entries}]})
    end;
called({flush, Timeout}, From, #data{queue = Queue, flushes = Flushes} = Data) ->
    Last = aldis_client_queue:next(Queue) - 1,
    case aldis_client_queue:acked(Queue) of
        Last -> reply(From, ok, Data);
        _ ->
            Ref = make_ref(),
            act({{timeout, Ref}, Timeout, {waiting, Ref}},
                Data#data{queue = aldis_client_queue:seal(Queue), flushes = Flushes ++ [{Ref, From, Last}]})
    end;
called({request, Bytes, Deadline}, From, #data{state = ready, max_frame = Max} = Data) ->
    case byte_size(Bytes) + ?REQUEST_HEAD > Max of
        true -> reply(From, {error, too_large}, Data);
        false -> ask(Bytes, Deadline, From, Data)
    end;
called({request, _, _}, From, Data) -> reply(From, {error, disconnected}, Data);
called({subscribe, Owner, Topic, Offset, Credit}, From, Data) -> subscribe(Owner, Topic, Offset, Credit, From, Data);
called({drain, Timeout}, From, #data{draining = none, blocked = Blocked, front = Front} = Data) ->
    ok = aldis_client_front:close(Front),
    Told = lists:foldl(fun({Ref, Who, _, _}, D) -> act({{timeout, Ref}, cancel}, reply(Who, {error, closing}, D)) end,
        gathered(Data#data{blocked = []}), Blocked),
    Sealed = aldis_client_queue:seal(Told#data.queue),
    leave_when_done(pump(act({{timeout, drain}, Timeout, drain}, Told#data{draining = From, queue = Sealed})));
called({drain, _}, From, Data) -> reply(From, {error, closing}, Data);
called(front, From, #data{front = Front} = Data) -> reply(From, Front, Data);
called(info, From, Data) -> reply(From, info(Data), Data).

why(#data{failures = Failures, options = #{durability := Level}, trouble = Trouble} = Data) ->
    aldis_client_waits:why((info(Data))#{failures => Failures, durability => Level}, Trouble).

info(#data{state = State, queue = Queue, epoch = Epoch, connections = Connections, duplicates = Duplicates}) ->
    {Messages, Bytes} = aldis_client_queue:held(Queue),
    #{state => State, next => aldis_client_queue:next(Queue), acked => aldis_client_queue:acked(Queue),
        held_messages => Messages, held_bytes => Bytes, outstanding => aldis_client_queue:outstanding(Queue),
        epoch => Epoch, connections => Connections, duplicates => Duplicates}.

%% A batch that is larger than the queue goes in when the queue is empty.
room(Count, Entries, #data{queue = Queue, options = #{queue_messages := MostMessages, queue_bytes := MostBytes}}) ->
    {Messages, Bytes} = aldis_client_queue:held(Queue),
    Messages =:= 0 orelse Messages + Count =< MostMessages andalso Bytes + byte_size(Entries) =< MostBytes.

add(Count, Entries, From, #data{queue = Queue, front = Front} = Data) ->
    Added = aldis_client_queue:add(Count, Entries, aldis_client_front:take(Front, Count, Queue)),
    reply(From, {ok, aldis_client_queue:next(Added) - 1}, Data#data{queue = Added}).

ask(Bytes, Deadline, From, #data{requests = Requests, correlation = Id} = Data) ->
    out([#request{correlation = Id, deadline = Deadline, bytes = Bytes}],
        act({{timeout, {request, Id}}, Deadline, {request, Id}},
            Data#data{requests = Requests#{Id => From}, correlation = Id + 1})).

%% Sending.

%% Sends what may be sent. An open batch does not wait for company when nothing is out: its ack is what the next waits for.
pump(#data{state = ready, paused = false} = Behind) ->
    #data{queue = Queue} = Data = gathered(Behind),
    Sealed = case aldis_client_queue:outstanding(Queue) of
        0 -> aldis_client_queue:seal(Queue);
        _ -> Queue
    end,
    case batches(Sealed, [], Data) of
        {[], Rest} -> linger(Data#data{queue = Rest});
        {Frames, Rest} -> linger(out(lists:reverse(Frames), Data#data{queue = Rest}));
        too_large ->
            over(frame_too_large, io_lib:format("a message that waits is larger than the server's max frame of ~b bytes",
                [Data#data.max_frame]), Data)
    end;
pump(Data) ->
    Data.

batches(Queue, Frames, #data{credit = Credit, max_frame = Max} = Data) ->
    case aldis_client_queue:take(Credit, Max - ?BATCH_HEAD, Queue) of
        {ok, Batch, Rest} -> batches(Rest, [frame(Batch, Data) | Frames], Data);
        none -> {Frames, Queue};
        {error, too_large} -> too_large
    end.

frame({Number, Count, Entries}, #data{shift = Shift, features = Features, options = #{schema := Schema}}) ->
    First = Number + Shift,
    Rest = case {Features band ?SCHEMA, Schema} of
        {0, _} -> Entries;
        {_, {Id, Template}} -> [<<Id:32/little, Template:32/little>>, Entries]
    end,
    Crc = case Features band ?NO_CHECKSUM of
        0 -> aldis_frame:checksum(First, Count, Rest);
        _ -> 0
    end,
    #batch{first = First, count = Count, crc = Crc, rest = Rest}.

gathered(#data{front = Front, queue = Queue} = Data) -> Data#data{queue = aldis_client_front:take(Front, 0, Queue)}.

%% A timer that runs is left alone: begun anew with every message it might never end.
linger(#data{state = ready, queue = Queue} = Data) ->
    case aldis_client_queue:open(Queue) of
        true -> lingering(Data);
        false -> Data
    end;
linger(Data) ->
    Data.

lingering(#data{lingering = false, options = #{linger_ms := Ms}} = Data) -> act({{timeout, linger}, Ms, linger}, Data#data{lingering = true});
lingering(Data) -> Data.

out(_, #data{socket = none} = Data) -> Data;
out(Frames, #data{socket = Socket} = Data) ->
    case aldis_socket:send(Socket, [aldis_frame:encode(Frame) || Frame <- Frames]) of
        ok -> Data;
        {error, Reason} -> lost(Reason, Data)
    end.

%% Messages from the socket, the connector and the system.

told({aldis_front, first}, #data{state = State, queue = Queue} = Data) ->
    case {State, aldis_client_queue:outstanding(Queue)} of
        {ready, 0} -> pump(Data);
        {ready, _} -> lingering(Data);
        _ -> Data
    end;
told({aldis_front, full}, Data) -> pump(gathered(Data));
told({connected, Pid, Socket}, #data{connector = Pid} = Data) -> greet(Data#data{socket = Socket, connector = none});
told({not_connected, Pid, Reason}, #data{connector = Pid} = Data) -> lost(Reason, Data#data{connector = none});
told({'EXIT', Pid, Reason}, #data{connector = Pid} = Data) -> lost(Reason, Data#data{connector = none});
told({Kind, Socket, Bytes}, #data{socket = {_, Socket}, came = Came, have = Have} = Data) when Kind =:= tcp; Kind =:= ssl ->
    look_for_frames(Data#data{came = [Bytes | Came], have = Have + byte_size(Bytes), heard = true});
told({Kind, Socket}, #data{socket = {_, Socket} = Mine} = Data) when Kind =:= tcp_passive; Kind =:= ssl_passive ->
    _ = aldis_client_link:activate(Mine, ?ACTIVE),
    Data;
told({Kind, Socket}, #data{socket = {_, Socket}} = Data) when Kind =:= tcp_closed; Kind =:= ssl_closed ->
    lost(closed, Data);
told({Kind, Socket, Reason}, #data{socket = {_, Socket}} = Data) when Kind =:= tcp_error; Kind =:= ssl_error ->
    lost(Reason, Data);
told({'DOWN', Monitor, process, _, _}, #data{subscriptions = Subscriptions} = Data) ->
    case [Id || {Id, #subscription{monitor = M}} <- maps:to_list(Subscriptions), M =:= Monitor] of
        [Id] -> unsubscribe(Id, Data);
        [] -> Data
    end;
%% Connectors that are done, and what an old socket still says.
told(_, Data) -> Data.

greet(#data{options = #{auth := Auth}} = Data) ->
    case aldis_client_options:credentials(Auth) of
        {Method, Secret} -> greet(Method, Secret, Data);
        none -> lost(no_credentials, Data)
    end.

greet(Method, Secret, #data{options = #{connect_ms := Patience} = Options, epoch = Epoch, socket = Socket} = Data) ->
    #hello{epoch = Offered} = Hello = aldis_client_link:hello(Method, Secret, Epoch, Options),
    _ = aldis_client_link:activate(Socket, ?ACTIVE),
    out([Hello], act({state_timeout, Patience, welcome}, Data#data{state = greeting, offered = Offered})).

%% The server is told why, as far as it reads, and the connection is no more.
broken(Code, Text, Data) -> broken({bad_frame, Code}, Code, Text, Data).

broken(Reason, Code, Text, #data{socket = Socket} = Data) ->
    ok = aldis_client_link:farewell(Socket, #close{code = Code, text = Text}),
    unconnected(Reason, Data).

%% The server is told why, and the client stops: a new connection would end alike.
over(Code, Text, Data) ->
    Said = unicode:characters_to_binary(Text),
    closed_for_good(Code, Said, out([#close{code = Code, text = Said}], Data)).

closed_for_good(Code, Text, Data) ->
    logger:error("aldis client: the client stops, as connecting again would not help: ~0tp, ~0tp", [Code, Text]),
    stop({shutdown, {closed, Code, Text}}, Data).

%% The connection is no more; what flew on it has to be sent again.
lost(Reason, #data{socket = Socket} = Data) ->
    Socket =:= none orelse aldis_socket:close(Socket, now),
    unconnected(Reason, Data).

unconnected(Reason, #data{queue = Queue, socket = Socket, requests = Requests, failures = Failures} = Data) ->
    #data{options = #{backoff_ms := {Least, Most}}} = Data,
    Socket =:= none orelse notify({disconnected, Reason}, Data),
    Clean = Data#data{state = waiting, socket = none, requests = #{}, failures = Failures + 1, refusals = 0, damaged = 0,
        paused = false, trouble = {disconnected, Reason}, queue = aldis_client_queue:rewind(0, aldis_client_queue:seal(Queue)), came = [], have = 0, need = 0},
    Pause = min(Most, Least bsl min(Failures, 20)),
    %% Many clients of one server don't come back at the same moment.
    Jitter = rand:uniform(Pause div 2 + 1) - 1,
    Told = maps:fold(fun(Id, From, D) ->
        act({{timeout, {request, Id}}, cancel}, reply(From, {error, disconnected}, D))
    end, Clean, Requests),
    gone_when_done(act({state_timeout, Pause - Jitter, connect},
        act({{timeout, ping}, cancel}, act({{timeout, refused}, cancel}, Told)))).

%% Frames.

look_for_frames(#data{have = Have, need = Need} = Data) when Have < Need -> Data;
look_for_frames(#data{came = Came} = Data) ->
    after_frames(frames(iolist_to_binary(lists:reverse(Came)), 0, Data#data{came = [], have = 0, need = 0})).

%% The connection, or the client, may end with any frame.
frames(_, _, #data{socket = none} = Data) -> Data;
frames(_, _, #data{stop = {yes, _}} = Data) -> Data;
frames(Bytes, At, #data{max_frame = Max} = Data) ->
    case aldis_frame:next(Bytes, At, Max + ?ORIGIN) of
        {frame, Kind, Body, Next} ->
            case aldis_frame:decode(Kind, Body) of
                {ok, skip} -> frames(Bytes, Next, Data);
                {ok, Frame} -> frames(Bytes, Next, received(Frame, Data));
                {error, Code} -> broken(Code, io_lib:format("a frame of kind ~b cannot be understood", [Kind]), Data)
            end;
        {need, More} ->
            Rest = binary:copy(binary:part(Bytes, At, byte_size(Bytes) - At)),
            Data#data{came = [Rest], have = byte_size(Rest), need = More};
        {error, Code} -> broken(Code, <<"a frame of a length that cannot be">>, Data)
    end.

%% Acks make room, answer who waited for them, and let more be sent; once for all that came together.
after_frames(#data{queue = Queue, flushes = Flushes} = Data) ->
    Acked = aldis_client_queue:acked(Queue),
    {Done, Open} = lists:partition(fun({_, _, Last}) -> Last =< Acked end, Flushes),
    Told = lists:foldl(fun({Ref, From, _}, D) -> act({{timeout, Ref}, cancel}, reply(From, ok, D)) end,
        Data#data{flushes = Open}, Done),
    leave_when_done(pump(unblock(Told))).

unblock(#data{blocked = [{Ref, From, Count, Entries} | Rest]} = Data) ->
    case room(Count, Entries, Data) of
        true -> unblock(act({{timeout, Ref}, cancel}, add(Count, Entries, From, Data#data{blocked = Rest})));
        false -> Data
    end;
unblock(Data) ->
    Data.

%% A draining client with nothing left says so, and is gone when the server has answered.
leave_when_done(#data{draining = none} = Data) -> Data;
leave_when_done(#data{state = ready, queue = Queue} = Data) ->
    case aldis_client_queue:held(Queue) of
        {0, _} -> out([#drain{ms = ?LEAVING}], act({state_timeout, ?LEAVING, close}, Data#data{state = leaving}));
        _ -> Data
    end;
leave_when_done(Data) ->
    gone_when_done(Data).

gone_when_done(#data{draining = From, socket = none, queue = Queue} = Data) when From =/= none ->
    case aldis_client_queue:held(Queue) of
        {0, _} -> stop(normal, reply(From, ok, Data));
        _ -> Data
    end;
gone_when_done(Data) ->
    Data.

received(#welcome{} = Welcome, #data{state = greeting, options = Options} = Data) ->
    case aldis_client_endings:of_welcome(Welcome, Options) of
        ok -> welcomed(Welcome, numbered(Welcome, Data));
        {again, Code, Text} -> broken(Code, Text, Data);
        {over, Code, Text} -> over(Code, Text, Data)
    end;
received(#close{code = Code, text = Text}, Data) -> closed(Code, Text, Data);
received(_, #data{state = greeting} = Data) -> broken(protocol, <<"the server's first frame is no WELCOME">>, Data);
received(#ping{opaque = Opaque}, Data) -> out([#pong{opaque = Opaque}], Data);
received(#pong{}, Data) -> Data;
received(#ack{} = Ack, Data) -> acked(Ack, Data);
received(#nack{expected = Expected, code = Code, text = Text}, Data) -> nacked(Expected, Code, Text, Data);
received(#reply{correlation = Id, code = Code, bytes = Bytes}, #data{requests = Requests} = Data) ->
    case maps:take(Id, Requests) of
        {From, Rest} -> reply(From, answer(Code, Bytes), act({{timeout, {request, Id}}, cancel}, Data#data{requests = Rest}));
        error -> Data
    end;
received(#request{correlation = Id, bytes = Bytes}, Data) -> asked(Id, Bytes, Data);
received(#push{subscription = Id} = Push, Data) -> pushed(Id, Push, Data);
received(#unsubscribe{subscription = Id, code = Code, text = Text}, #data{subscriptions = Subscriptions} = Data) ->
    case maps:take(Id, Subscriptions) of
        {#subscription{owner = Owner, monitor = Monitor}, Rest} ->
            demonitor(Monitor, [flush]),
            Owner ! {aldis_client, self(), {unsubscribed, Id, Code, Text}},
            Data#data{subscriptions = Rest};
        error -> Data
    end;
%% The answer says that no batch is on its way any more.
received(#drain{ms = Ms}, #data{state = ready} = Data) ->
    out([#drain{ms = Ms}], act({state_timeout, Ms + ?LEAVING, close}, Data#data{state = leaving}));
received(#drain{}, Data) -> Data;
received(_, Data) -> broken(protocol, <<"a frame that a server does not say">>, Data).

answer(normal, Bytes) -> {ok, Bytes};
answer(Code, Bytes) -> {error, {Code, Bytes}}.

%% One that drains and has nothing left does not mind how the connection ends.
closed(Code, Text, #data{draining = Draining, queue = Queue} = Data) ->
    Drained = Draining =/= none andalso element(1, aldis_client_queue:held(Queue)) =:= 0,
    case aldis_client_endings:of_close(Code) of
        over when not Drained -> closed_for_good(Code, Text, Data);
        _ -> lost({closed, Code, Text}, Data)
    end.

numbered(#welcome{epoch = none}, #data{epoch = next, offered = Offered} = Data) -> Data#data{epoch = Offered};
numbered(#welcome{epoch = Epoch}, #data{epoch = next} = Data) -> Data#data{epoch = Epoch};
numbered(_, Data) -> Data.

welcomed(#welcome{last = Last} = Welcome, #data{queue = Queue, shift = Shift, epoch = Epoch} = Data) ->
    Acked = aldis_client_queue:acked(Queue),
    Known = case Shift of
        unknown -> Acked;
        _ -> Last - Shift
    end,
    case Known < aldis_client_queue:next(Queue) of
        true when Known >= Acked ->
            note_acked(Acked, ready(Welcome, Data#data{shift = Last - Known, queue = aldis_client_queue:ack(Known, Queue)}));
        true ->
            logger:warning("aldis client: the server has forgotten this producer, which begins a new epoch"),
            notify({new_epoch, Epoch + 1}, Data),
            broken(forgotten, unavailable, <<"the server has forgotten this producer; a new epoch begins">>,
                Data#data{epoch = Epoch + 1, shift = unknown});
        false ->
            over(superseded, <<"the server has messages of this producer and epoch that this client never sent">>, Data)
    end.

ready(#welcome{session = Session, last = Last, features = Features, credit_messages = Messages, credit_bytes = Bytes,
        max_frame = Max, durability = Level}, #data{subscriptions = Subscriptions, connections = Connections} = Data) ->
    notify({connected, #{session => Session, durability => Level, last => Last}}, Data),
    Ready = Data#data{state = ready, features = Features, credit = {Messages, Bytes}, max_frame = Max, level = Level,
        failures = 0, trouble = none, connections = Connections + 1, heard = true, asked = false},
    out([resumed(Id, Subscription) || {Id, Subscription} <- lists:sort(maps:to_list(Subscriptions))], next_ping(Ready)).

acked(#ack{duplicates = Duplicates, credit_messages = Messages, credit_bytes = Bytes} = Ack,
        #data{queue = Queue, shift = Shift, level = Level} = Data) ->
    Last = watermark(Level, Ack) - Shift,
    case Last =< aldis_client_queue:sent(Queue) of
        true ->
            Before = aldis_client_queue:acked(Queue),
            note_acked(Before, Data#data{queue = aldis_client_queue:ack(Last, Queue), credit = {Messages, Bytes},
                duplicates = Duplicates});
        false -> broken(protocol, <<"an ACK of what was not sent">>, Data)
    end.

watermark(received, #ack{received = Last}) -> Last;
watermark(handled, #ack{handled = Last}) -> Last;
watermark(_, #ack{durable = Last}) -> Last.

note_acked(Before, #data{queue = Queue} = Data) ->
    case aldis_client_queue:acked(Queue) of
        Before -> Data;
        Last ->
            notify({acked, Last}, Data),
            Data#data{refusals = 0, damaged = 0, trouble = none}
    end.

%% Messages that the server did not take are offered again.
nacked(Expected, Code, Text, #data{queue = Queue, shift = Shift} = Data) ->
    Number = Expected - Shift,
    case Number > aldis_client_queue:acked(Queue) andalso Number =< aldis_client_queue:sent(Queue) + 1 of
        true -> refused(Code, Text, Data#data{queue = aldis_client_queue:rewind(Number, Queue)}, Number);
        false -> broken(protocol, <<"a NACK of what is acked or was not sent">>, Data)
    end.

refused(refused, Text, #data{options = #{retry_refused := false}} = Data, Number) ->
    over(refused, io_lib:format("message ~b: ~ts", [Number, Text]), Data);
refused(refused, Text, #data{refusals = Refusals, options = #{backoff_ms := {Least, Most}}} = Data, Number) ->
    notify({refused, Number, Text}, Data),
    Pause = min(Most, Least bsl min(Refusals, 20)),
    act({{timeout, refused}, Pause, refused}, Data#data{paused = true, refusals = Refusals + 1, trouble = {refused, Number, Text}});
refused(Code, Text, #data{damaged = ?MOST_NACKS} = Data, _) -> broken({nack, Code}, Code, Text, Data);
refused(_, _, #data{damaged = Damaged} = Data, _) -> Data#data{damaged = Damaged + 1}.

%% A request of the server is answered by a process of its own.
asked(Id, Bytes, #data{options = #{on_request := Fun}, max_frame = Max, socket = Socket} = Data) ->
    Client = self(),
    _ = spawn(fun() ->
        gen_statem:cast(Client, {answered, Socket, aldis_client_answer:to(Fun, Id, Bytes, Max)})
    end),
    Data.

%% Subscriptions.

subscribe(Owner, Topic, From, Credit, Caller, #data{subscriptions = Subscriptions, subscription = Id} = Data) ->
    Subscription = #subscription{owner = Owner, monitor = monitor(process, Owner), topic = Topic, from = From,
        consumed = max(0, From - 1), credit = Credit},
    Added = reply(Caller, {ok, Id}, Data#data{subscriptions = Subscriptions#{Id => Subscription}, subscription = Id + 1}),
    case Added of
        #data{state = ready} -> out([resumed(Id, Subscription)], Added);
        _ -> Added
    end.

%% A new connection goes on behind what came, with what was left of the credit.
resumed(Id, #subscription{topic = Topic, from = From, consumed = Consumed, credit = Credit}) ->
    #subscribe{subscription = Id, from = From, credit = max(0, Consumed + Credit - max(0, From - 1)), topic = Topic}.

consumed(Id, Consumed, Credit, #data{subscriptions = Subscriptions, state = State} = Data) ->
    case Subscriptions of
        #{Id := Subscription} ->
            Changed = Subscription#subscription{consumed = Consumed, credit = Credit},
            Noted = Data#data{subscriptions = Subscriptions#{Id := Changed}},
            case State of
                ready -> out([#credit{subscription = Id, consumed = Consumed, credit = Credit}], Noted);
                _ -> Noted
            end;
        #{} -> Data
    end.

unsubscribe(Id, #data{subscriptions = Subscriptions, state = State} = Data) ->
    case maps:take(Id, Subscriptions) of
        {#subscription{monitor = Monitor}, Rest} when State =:= ready; State =:= leaving ->
            demonitor(Monitor, [flush]),
            out([#unsubscribe{subscription = Id}], Data#data{subscriptions = Rest});
        {#subscription{monitor = Monitor}, Rest} ->
            demonitor(Monitor, [flush]),
            Data#data{subscriptions = Rest};
        error -> Data
    end.

pushed(_, #push{count = 0}, Data) -> broken(bad_count, <<"a PUSH of nothing">>, Data);
pushed(Id, #push{first = First, count = Count, entries = Entries}, #data{subscriptions = Subscriptions} = Data) ->
    case {Subscriptions, aldis_scan:entries(Entries, 0, Count)} of
        {_, {error, bad_count}} -> broken(bad_count, <<"a PUSH whose entries and count disagree">>, Data);
        {#{Id := #subscription{owner = Owner, from = From, consumed = Consumed} = Subscription}, {ok, _}} ->
            Owner ! {aldis_client, self(), {pushed, Id, First, aldis_scan:to_list(Entries, 0, Count)}},
            %% A subscription to messages from now on learns from its first push where that is.
            Since = case From of 0 -> First - 1; _ -> Consumed end,
            Data#data{subscriptions = Subscriptions#{Id := Subscription#subscription{from = First + Count, consumed = Since}}};
        %% It was ended when this was on its way.
        {#{}, {ok, _}} -> Data
    end.

notify(Event, #data{options = #{notify := To}}) -> aldis_client_answer:notify(Event, To).
