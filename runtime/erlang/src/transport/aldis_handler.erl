%% @doc The behaviour of those who take what a listener receives, batch first.
%%
%% A handler lives in the connection's process: one state a connection, no message copied, and the time it takes is what
%% slows its producer down. When `handle_batch/2' returns `{ok, State}', all of the batch is *handled*: it is acknowledged
%% as such, and goes to the log where the listener has one.
%%
%% ```
%% -module(counting).
%% -behaviour(aldis_handler).
%% -export([init/2, handle_batch/2]).
%%
%% init(_Connection, Total) -> {ok, Total}.
%%
%% handle_batch(Batch, Total) ->
%%     counters:add(Total, 1, aldis_batch:count(Batch)),
%%     {ok, Total}.
%% '''
%%
%% A handler that raises closes its connection with the reason `handler', and what it raised is logged, never sent. The
%% client sends again what was not taken: all of the batch, or from the message on that `handle_message/2' did not take.
-module(aldis_handler).

-include_lib("kernel/include/logger.hrl").

-export([open/3, batch/2, request/3, takes_requests/1, subscribe/3, takes_subscriptions/1, info/2, close/2, text/1]).
-export_type([connection/0, spec/0, handler/0, from/0, subscription/0]).

-type connection() :: #{
    listener := atom(),
    mode := aldis_listener_options:mode(),
    %% The process that calls, to give to {@link aldis_server:push/2} and {@link aldis_server:request/3}.
    pid := pid(),
    peer := aldis_socket:peer(),
    tls := boolean(),
    %% DER, when the listener asks for certificates.
    certificate => binary(),
    %% The identity that the listener's `auth' gave the client.
    identity => term(),
    %% aldis/1 alone.
    producer => <<_:128>>,
    epoch => 0..16#FFFFFFFF,
    durability => aldis_frame:durability()
}.
-type state() :: term().
-type from() :: {pid(), reference(), aldis_frame:u64()}.
%% Whom {@link aldis_server:reply/2} answers.
-type subscription() :: #{id := 0..16#FFFFFFFF, from := aldis_frame:u64(), pid := pid(), _ => _}.
%% The client's number of it, and the sequence that the client wants to begin at (0: what comes from now on).

-callback init(connection(), Arg :: term()) -> {ok, state()} | {refuse, Text :: unicode:chardata()}.

%% Takes whole messages, at least one. A refused batch is taken up to the message before `FirstRefused', a sequence
%% number; the client is told which and why. In the legacy modes, which cannot say so, refusing closes the connection.
-callback handle_batch(aldis_batch:t(), state()) ->
    {ok, state()}
    | {refuse, FirstRefused :: pos_integer(), Text :: unicode:chardata(), state()}
    | {stop, Text :: unicode:chardata(), state()}.

%% Instead of handle_batch/2: one message, or its record when the listener has a `codec'.
-callback handle_message(binary() | tuple(), state()) ->
    {ok, state()} | {refuse, Text :: unicode:chardata(), state()} | {stop, Text :: unicode:chardata(), state()}.

%% A request of the client. With handle_request/3 the answer may come later, from any process, by aldis_server:reply/2.
-callback handle_request(binary(), state()) ->
    {reply, iodata(), state()} | {error, Text :: unicode:chardata(), state()}
    | {stop, Text :: unicode:chardata(), state()}.
-callback handle_request(binary(), from(), state()) ->
    {noreply, state()} | {reply, iodata(), state()} | {error, Text :: unicode:chardata(), state()}
    | {stop, Text :: unicode:chardata(), state()}.

%% The client wants a topic. Who says ok sees to it that messages are pushed, by aldis_server:push/2; when the client has
%% had enough the handler gets the info `{aldis_unsubscribed, Id}'. With the option `log_topic => ask' it is asked whether
%% the client may read the log, as the topic `log'; then there is nothing to push, and no such info.
-callback handle_subscribe(Topic :: binary(), subscription(), state()) ->
    {ok, state()} | {refuse, Text :: unicode:chardata(), state()}.

%% Any other message that the connection's process gets. It traps exits: without this callback, a linked process that fails
%% closes the connection.
-callback handle_info(term(), state()) -> {ok, state()} | {stop, Text :: unicode:chardata(), state()}.

-callback terminate(Reason :: aldis_frame:code() | closed, state()) -> term().

-optional_callbacks([handle_batch/2, handle_message/2, handle_request/2, handle_request/3, handle_subscribe/3,
                     handle_info/2, terminate/2]).

-type spec() :: #{handler := none | {module(), term()}, codec := none | module(), _ => _}.

-record(handler, {
    module :: module(),
    state :: state(),
    take :: batch | message | {message, Codec :: module()} | nothing,
    request :: 2 | 3 | none,
    subscribe :: boolean(),
    info :: boolean(),
    terminate :: boolean()
}).

-opaque handler() :: #handler{}.

%% @private The handler of a new connection.
-spec open(spec(), none | {module(), term()}, connection()) -> {ok, handler()} | {refuse, binary()} | failed.
open(_, none, _) ->
    {ok, #handler{module = ?MODULE, state = none, take = nothing, request = none, subscribe = false, info = false,
                  terminate = false}};
open(#{codec := Codec}, {Module, Arg}, Connection) ->
    %% Exports are asked once: no batch looks them up.
    _ = code:ensure_loaded(Module),
    case guarded(Module, init, [Connection, Arg]) of
        {ok, State} ->
            {ok, #handler{module = Module, state = State, take = take(Module, Codec), request = request(Module),
                          subscribe = erlang:function_exported(Module, handle_subscribe, 3),
                          info = erlang:function_exported(Module, handle_info, 2),
                          terminate = erlang:function_exported(Module, terminate, 2)}};
        {refuse, Text} -> {refuse, text(Text)};
        failed -> failed;
        Other -> wrong(Module, init, Other)
    end.

take(Module, Codec) ->
    case erlang:function_exported(Module, handle_batch, 2) of
        true -> batch;
        false when Codec =:= none -> message;
        false -> {message, Codec}
    end.

request(Module) ->
    case {erlang:function_exported(Module, handle_request, 3), erlang:function_exported(Module, handle_request, 2)} of
        {true, _} -> 3;
        {false, true} -> 2;
        _ -> none
    end.

%% @private What became of a batch. With the reason goes the sequence of the first message that was not taken.
-spec batch(aldis_batch:t(), handler()) ->
    {ok, handler()} | {refuse | stop, pos_integer(), binary(), handler()} | {failed, pos_integer()}.
batch(_, #handler{take = nothing} = Handler) -> {ok, Handler};
batch(Batch, #handler{module = Module, state = State, take = batch} = Handler) ->
    case guarded(Module, handle_batch, [Batch, State]) of
        {ok, Next} -> {ok, Handler#handler{state = Next}};
        {refuse, First, Text, Next} when is_integer(First) ->
            Within = min(max(First, aldis_batch:first(Batch)), aldis_batch:last(Batch)),
            {refuse, Within, text(Text), Handler#handler{state = Next}};
        Other -> stopped_at(aldis_batch:first(Batch), stopped(Other, handle_batch, Handler))
    end;
batch(Batch, #handler{module = Module, state = State, take = Take} = Handler) ->
    case aldis_batch:each(by_message(Take, Module), State, Batch) of
        {ok, Next} -> {ok, Handler#handler{state = Next}};
        {stopped, Sequence, {refuse, Text, Next}} -> {refuse, Sequence, text(Text), Handler#handler{state = Next}};
        {stopped, Sequence, Other} -> stopped_at(Sequence, stopped(Other, handle_message, Handler));
        {raised, Sequence, {Class, Reason, Stack}} -> stopped_at(Sequence, raised(Module, handle_message, Class, Reason, Stack))
    end.

stopped_at(Sequence, {stop, Text, Handler}) -> {stop, Sequence, Text, Handler};
stopped_at(Sequence, failed) -> {failed, Sequence}.

by_message(message, Module) -> fun Module:handle_message/2;
by_message({message, Codec}, Module) ->
    fun(Message, State) ->
        case Codec:decode(Message) of
            {ok, Record, <<>>} -> Module:handle_message(Record, State);
            {ok, _, Rest} -> {refuse, io_lib:format("~b bytes are left over behind the message", [byte_size(Rest)]), State};
            {error, Reason} -> {refuse, io_lib:format("not a message of ~ts: ~0tp", [Codec, Reason]), State}
        end
    end.

%% @private Whether requests of clients are answered.
-spec takes_requests(handler()) -> boolean().
takes_requests(#handler{request = Request}) -> Request =/= none.

%% @private
-spec request(binary(), from(), handler()) ->
    {reply, iodata(), handler()} | {error, binary(), handler()} | {noreply, handler()} | {stop, binary(), handler()}
    | failed.
request(Bytes, From, #handler{module = Module, state = State, request = Arity} = Handler) ->
    Arguments = case Arity of
        2 -> [Bytes, State];
        3 -> [Bytes, From, State]
    end,
    case guarded(Module, handle_request, Arguments) of
        {reply, Answer, Next} = Result ->
            case is_iodata(Answer) of
                true -> {reply, Answer, Handler#handler{state = Next}};
                false -> wrong(Module, handle_request, Result)
            end;
        {error, Text, Next} -> {error, text(Text), Handler#handler{state = Next}};
        {noreply, Next} when Arity =:= 3 -> {noreply, Handler#handler{state = Next}};
        Other -> stopped(Other, handle_request, Handler)
    end.

is_iodata(Answer) ->
    try iolist_size(Answer) of
        _ -> true
    catch
        error:badarg -> false
    end.

%% @private Whether clients may subscribe.
-spec takes_subscriptions(handler()) -> boolean().
takes_subscriptions(#handler{subscribe = Subscribe}) -> Subscribe.

%% @private
-spec subscribe(binary(), subscription(), handler()) ->
    {ok, handler()} | {refuse, binary(), handler()} | {stop, binary(), handler()} | failed.
subscribe(Topic, Subscription, #handler{module = Module, state = State} = Handler) ->
    case guarded(Module, handle_subscribe, [Topic, Subscription, State]) of
        {ok, Next} -> {ok, Handler#handler{state = Next}};
        {refuse, Text, Next} -> {refuse, text(Text), Handler#handler{state = Next}};
        Other -> stopped(Other, handle_subscribe, Handler)
    end.

%% @private
-spec info(term(), handler()) -> {ok, handler()} | {stop, binary(), handler()} | failed.
info({'EXIT', _, Reason}, #handler{info = false} = Handler) when Reason =/= normal ->
    {stop, <<"a process that the handler was linked to failed">>, Handler};
info(_, #handler{info = false} = Handler) -> {ok, Handler};
info(Message, #handler{module = Module, state = State} = Handler) ->
    case guarded(Module, handle_info, [Message, State]) of
        {ok, Next} -> {ok, Handler#handler{state = Next}};
        Other -> stopped(Other, handle_info, Handler)
    end.

%% @private
-spec close(aldis_frame:code() | closed, handler()) -> ok.
close(Reason, #handler{module = Module, state = State, terminate = true}) ->
    _ = guarded(Module, terminate, [Reason, State]),
    ok;
close(_, _) -> ok.

stopped({stop, Text, State}, _, Handler) -> {stop, text(Text), Handler#handler{state = State}};
stopped(failed, _, _) -> failed;
stopped(Other, Function, #handler{module = Module}) -> wrong(Module, Function, Other).

wrong(Module, Function, Result) ->
    ?LOG_ERROR("~ts:~ts returned ~0tP, which is none of what aldis_handler allows", [Module, Function, Result, 20]),
    failed.

guarded(Module, Function, Arguments) ->
    try
        apply(Module, Function, Arguments)
    catch
        Class:Reason:Stack -> raised(Module, Function, Class, Reason, Stack)
    end.

raised(Module, Function, Class, Reason, Stack) ->
    ?LOG_ERROR("~ts:~ts failed: ~tp:~tP~n~tP", [Module, Function, Class, Reason, 20, Stack, 40]),
    failed.

%% @private What is to be said to a client: UTF-8, whatever a handler gave.
-spec text(term()) -> binary().
text(Text) ->
    try unicode:characters_to_binary(Text) of
        Bytes when is_binary(Bytes) -> Bytes;
        _ -> <<"?">>
    catch
        error:badarg -> <<"?">>
    end.
