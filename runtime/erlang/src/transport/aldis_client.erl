%% @doc A producer of aldis/1 (docs/protocol.md): sends messages in batches, and knows which ones have arrived.
%%
%% ```
%% {ok, Client} = aldis_client:start_link(#{host => "localhost", port => 7100, durability => durable}),
%% {ok, 1} = aldis_client:send(Client, <<"hello">>),
%% {ok, 4} = aldis_client:send_many(Client, [<<"a">>, <<"b">>, <<"c">>]),
%% ok = aldis_client:flush(Client, 5000)          % all four are on the server's disk
%% '''
%%
%% Messages get numbers from 1 on. They are kept until the server acknowledges them at the wanted durability; a connection
%% that is lost is made again, with growing pauses, and what was not acknowledged is sent again. The server drops what it
%% has already. When the queue is full, {@link send/3} waits.
%%
%% With `notify => Pid' the process gets `{aldis_client, Client, Event}'; with `notify => Fun' the client calls `Fun(Event)'.
%% Events are {@link event()}. A client stops with `{shutdown, {closed, Code, Text}}' when connecting again would end alike;
%% docs/protocol.md, section "Endings", says what is such an end.
%%
%% Options: `host' and `port'; `others' (`[]'), `{Host, Port}' of servers with the same log: when one cannot be reached or is
%% lost the next is tried, in turn; `name' registers the client; `producer' (random: 16 bytes) and `epoch' (`next': the server
%% counts them) for a producer that goes on after a restart; `durability' (`handled'; or `received', `durable',
%% `replicated'); `checksum' (`true'); `schema' (`none', or `{Schema, Template}' of all messages); `auth' (`none', `{Method,
%% Data}', or a fun that gives them at each connecting and keeps them out of reports); `tls' (`false', or options of `ssl');
%% `notify'; `on_request' (a fun that answers what the server asks: `{reply, iodata()}' or `{error, Text}'); `retry_refused'
%% (`true': what the server's handler refuses is offered again; `false': the client stops); `batch_messages' (1,000) and
%% `batch_bytes' (64 KiB) fill a batch; `linger_ms' (1: how long an unfilled batch waits while others are out);
%% `queue_messages' (100,000) and `queue_bytes' (64 MiB) bound what is kept; `window_messages', `window_bytes' (0: the
%% server's choice); `connect_ms' (5,000), `ping_ms' (10,000: silence after which the server is asked whether it lives),
%% `backoff_ms' (`{50, 5000}').
-module(aldis_client).

-export([start_link/1, child_spec/1, send/2, send/3, send_many/2, send_many/3, send_entries/4, flush/2, request/3, subscribe/4, consumed/4,
    unsubscribe/2, drain/2, stop/1, info/1]).
-export_type([client/0, event/0, info/0]).

-type client() :: pid() | atom().
-type event() ::
    {connected, #{session := non_neg_integer(), durability := aldis_frame:durability(), last := aldis_frame:u64()}}
    | {disconnected, Reason :: term()}
    | {acked, Last :: pos_integer()}
    | {refused, Number :: pos_integer(), Text :: binary()}
    | {new_epoch, aldis_sink:epoch()}.
%% `last': the last message that the server has of this producer and epoch. A producer that goes on after a restart sends
%% what it kept behind that one: the client's message 1 is the server's `last + 1'. `acked': all messages up to `Last' have
%% arrived at the wanted durability. `refused': the server did not take this one; it is offered again, with growing pauses
%% (option `retry_refused').
%% `new_epoch': the server had forgotten this producer, which begins anew with what is not acknowledged; some of that may
%% have been handled before.
-type info() :: #{state := atom(), next := pos_integer(), acked := non_neg_integer(), held_messages := non_neg_integer(),
    held_bytes := non_neg_integer(), outstanding := non_neg_integer(), epoch := aldis_sink:epoch() | next,
    connections := non_neg_integer(), duplicates := non_neg_integer()}.

-define(SEND, 5000).
-define(MAX_TOPIC, 1024).

%% @doc Starts a client, which connects in the background. `{bad_option, Text}' says what is wrong with an option. A fun that gives
%% the options keeps secrets among them out of the reports of supervisors.
-spec start_link(map() | fun(() -> map())) -> {ok, pid()} | {error, term()}.
start_link(Sealed) when is_function(Sealed, 0) -> start_link(Sealed());
start_link(Options) ->
    case aldis_client_options:check(Options) of
        {ok, Checked} -> aldis_client_process:start_link(Checked);
        {error, _} = Error -> Error
    end.

%% @doc For a supervisor.
-spec child_spec(map()) -> supervisor:child_spec().
child_spec(Options) -> #{id => maps:get(name, Options, ?MODULE), start => {?MODULE, start_link, [fun() -> Options end]}}.

%% @doc Sends a message: its number. Waits up to 5 s while the queue is full.
-spec send(client(), iodata()) -> {ok, pos_integer()} | {error, timeout | too_large | closing}.
send(Client, Message) -> send(Client, Message, ?SEND).

%% @doc Sends a message, and waits so many milliseconds while the queue is full. After `timeout' it is not sent.
-spec send(client(), iodata(), timeout()) -> {ok, pos_integer()} | {error, timeout | too_large | closing}.
send(Client, Message, Timeout) ->
    Bytes = iolist_to_binary(Message),
    case aldis_client_front:send(Client, Bytes) of
        {ok, _} = Sent -> Sent;
        ask ->
            Size = byte_size(Bytes),
            call(Client, {send, 1, Size, <<Size:32/little, Bytes/binary>>, Timeout})
    end.

%% @doc Sends messages: the number of the last. All of them or none are taken.
-spec send_many(client(), [iodata(), ...]) -> {ok, pos_integer()} | {error, timeout | too_large | closing}.
send_many(Client, Messages) -> send_many(Client, Messages, ?SEND).

%% @doc Sends messages, and waits so many milliseconds while the queue is full.
-spec send_many(client(), [iodata(), ...], timeout()) -> {ok, pos_integer()} | {error, timeout | too_large | closing}.
send_many(Client, [_ | _] = Messages, Timeout) ->
    {Count, Largest, Entries} = entries(Messages, 0, 0, <<>>),
    call(Client, {send, Count, Largest, Entries, Timeout}).

%% One binary that grows costs less than a list that is made into one.
entries([Message | Messages], Count, Largest, Entries) when is_binary(Message), byte_size(Message) =< Largest ->
    entries(Messages, Count + 1, Largest, <<Entries/binary, (byte_size(Message)):32/little, Message/binary>>);
entries([Message | Messages], Count, _, Entries) when is_binary(Message) ->
    entries(Messages, Count + 1, byte_size(Message), <<Entries/binary, (byte_size(Message)):32/little, Message/binary>>);
entries([Message | Messages], Count, Largest, Entries) -> entries([iolist_to_binary(Message) | Messages], Count, Largest, Entries);
entries([], Count, Largest, Entries) -> {Count, Largest, Entries}.

%% @private Sends what an {@link aldis_client_batch} has gathered.
-spec send_entries(client(), pos_integer(), Largest :: non_neg_integer(), binary()) ->
    {ok, pos_integer()} | {error, timeout | too_large | closing}.
send_entries(Client, Count, Largest, Entries) -> call(Client, {send, Count, Largest, Entries, ?SEND}).

%% @doc Waits until all that was sent so far is acknowledged. `Why' says what it waited for, e.g. `<<"3 messages are not acknowledged: there is
%% no connection (econnrefused), after 5 attempts">>'.
-spec flush(client(), timeout()) -> ok | {error, {timeout, Why :: binary()}}.
flush(Client, Timeout) -> call(Client, {flush, Timeout}).

%% @doc Asks the server, and waits for its answer, `Deadline' milliseconds at most. Requests are not sent again: after an
%% error the server may have done what was asked, or not.
-spec request(client(), iodata(), pos_integer()) ->
    {ok, binary()} | {error, deadline | disconnected | too_large | {aldis_frame:code32(), Text :: binary()}}.
request(Client, Bytes, Deadline) -> call(Client, {request, iolist_to_binary(Bytes), Deadline}).

%% @doc Wants what comes to a topic from `From' on (0: from now on), at most `Credit' messages beyond what is consumed. The
%% caller gets `{aldis_client, Client, {pushed, Subscription, First, Messages}}', and at an end that it did not ask for
%% `{aldis_client, Client, {unsubscribed, Subscription, Code, Text}}'. A new connection goes on where the old one was.
%% `bad_topic': it is no text, or has more than 1,024 bytes as UTF-8.
-spec subscribe(client(), unicode:chardata(), non_neg_integer(), non_neg_integer()) ->
    {ok, Subscription :: pos_integer()} | {error, bad_topic}.
subscribe(Client, Topic, From, Credit) ->
    case unicode:characters_to_binary(Topic) of
        Utf8 when is_binary(Utf8), byte_size(Utf8) =< ?MAX_TOPIC -> call(Client, {subscribe, self(), Utf8, From, Credit});
        _ -> {error, bad_topic}
    end.

%% @doc The subscriber is done with all up to `Consumed', and takes `Credit' messages beyond.
-spec consumed(client(), pos_integer(), non_neg_integer(), non_neg_integer()) -> ok.
consumed(Client, Subscription, Consumed, Credit) -> gen_statem:cast(Client, {consumed, Subscription, Consumed, Credit}).

%% @doc Ends a subscription. Messages on their way may still come.
-spec unsubscribe(client(), pos_integer()) -> ok.
unsubscribe(Client, Subscription) -> gen_statem:cast(Client, {unsubscribe, Subscription}).

%% @doc Takes nothing more, waits until all is acknowledged, tells the server and stops. After `{error, timeout}' some
%% messages may not have arrived; the client has stopped all the same.
-spec drain(client(), timeout()) -> ok | {error, timeout}.
drain(Client, Timeout) -> call(Client, {drain, Timeout}).

%% @doc Stops at once. Messages that are not acknowledged may be lost.
-spec stop(client()) -> ok.
stop(Client) -> gen_statem:stop(Client).

%% @doc How it stands.
-spec info(client()) -> info().
info(Client) -> call(Client, info).

%% The client itself watches the time.
call(Client, Request) -> gen_statem:call(Client, Request, infinity).
