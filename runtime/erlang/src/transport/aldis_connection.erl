%% @doc A connection's process: the loop around its socket, from accept to close.
%%
%% A protocol module ({@link aldis_legacy}, {@link aldis_session}) knows the meaning of the bytes, holds the state, runs
%% the handler and sends. This module keeps bytes that are no whole message yet, waits for the first event of any kind,
%% and closes so that the last words are still read. It is a process as OTP knows them: it answers system messages, and
%% its code can be changed while it runs.
%%
%% Events ({@link aldis_telemetry}): `[aldis, connection, opened]' with `listener', `pid', `peer' and `mode', and
%% `[aldis, connection, closed]' with what it sent (`messages', `bytes'), `listener', `pid' and the `reason', a code of
%% aldis/1 or `closed' when the client just went away.
-module(aldis_connection).

-include_lib("kernel/include/logger.hrl").
-include("aldis_frame.hrl").

-export([start_link/3, init/4, wake/2]).
-export([system_continue/3, system_terminate/4, system_code_change/4, system_get_state/1, system_replace_state/2]).
-export_type([context/0, role/0, outcome/1]).

-type context() :: map().
%% The listener's options and `listener', `metrics', `connections', `producers': see aldis_listener; and `accepted', a number
%% that grows with each connection.
-type role() :: serve | {reject, too_many_connections | draining}.
-type state() :: term().
-type outcome(State) :: {ok, State} | {stop, aldis_frame:code() | closed, Text :: binary(), State}.

%% The protocol takes over a socket; `Counted' has the connection's messages and bytes.
-callback open(aldis_socket:t(), context(), aldis_handler:connection(), counters:counters_ref()) ->
    outcome(state()).
%% Whole messages at the begin of what came. `Need' bytes from `Next' on are worth calling again; if there are so many already, then when
%% the protocol is ready.
-callback data(binary(), state()) ->
    {ok, Next :: non_neg_integer(), Need :: pos_integer(), state()}
    | {stop, aldis_frame:code() | closed, Text :: binary(), state()}.
%% Whether more is to be received; asked again when anything has happened.
-callback ready(state()) -> boolean().
%% From now on nothing is received, as there is no memory for it; or there is again.
-callback starved(boolean(), state()) -> state().
-callback message(term(), state()) -> outcome(state()).
%% The peer has half-closed its end, or the listener stops.
-callback finish(peer_done | shutdown, state()) -> outcome(state()).
%% When, in monotonic milliseconds, tick/2 wants to be called.
-callback deadline(state()) -> integer() | infinity.
-callback tick(Now :: integer(), state()) -> outcome(state()).
%% Last words, if the peer is still there to read them.
-callback close(aldis_frame:code() | closed, Text :: binary(), state()) -> ok.

-record(connection, {
    parent :: pid(),
    listener :: atom(),
    counted :: counters:counters_ref(),
    socket :: aldis_socket:t(),
    protocol :: module(),
    state :: term(),
    %% Bytes behind the last whole message, and how many there have to be before the protocol is asked again.
    rest = <<>> :: binary(),
    need = 1 :: pos_integer(),
    %% Bytes claimed for an unfinished frame, and whether there is no memory for more.
    budget :: aldis_budget:budget(),
    connections :: aldis_connections:handle(),
    claimed = 0 :: non_neg_integer(),
    starved = false :: boolean(),
    %% Receives that were asked for and have not come.
    ahead = 0 :: non_neg_integer(),
    %% Bytes of a receive at most, and of one now; few until the first has come.
    buffer :: pos_integer(),
    receives = 0 :: non_neg_integer(),
    %% The peer has closed its end, and is told of no second time.
    peer_done = false :: boolean()
}).

%% Receives that may wait in the mailbox, and how few of them may be left before more are asked for. The last one must not
%% come before that: a socket that nothing is asked of leaves the set that the VM polls where it runs, and each of its
%% receives then takes a way over another thread. With two, a busy client often got there; with four it does not.
-define(AHEAD, 4).
-define(AHEAD_LEFT, 2).

%% Words of binaries after which garbage is collected, and after how many collections of the young all of it is: seldom done,
%% buffers that were in use at one collection stay for many, a receive or a whole frame each.
-define(GARBAGE_WORDS, 32768).
-define(FULLSWEEP_AFTER, 1).
%% Milliseconds without anything to do after which the process gives back its memory.
-define(QUIET, 500).
%% Bytes of a frame that is not whole for which no memory is claimed, what one takes of it for each byte while it grows, and
%% milliseconds until a claim that was in vain is tried again.
-define(SMALL, 65536).
-define(GROWING, 2).
-define(STARVED, 20).
%% The part of a connection's share of memory that its receives may take, and the bytes that each has at least.
-define(RECEIVES, 4).
-define(LEAST_BUFFER, 1024).
%% Milliseconds, and bytes, that a peer gets to read the last words and close its end.
-define(LINGER, 1000).
-define(LINGER_BYTES, 4194304).
%% Milliseconds until the acceptor has handed over the socket.
-define(HANDOVER, 5000).

%% @doc Starts the process; it begins when it is sent `go', as the socket's owner.
-spec start_link(context(), gen_tcp:socket(), role()) -> {ok, pid()}.
start_link(Context, Socket, Role) ->
    {ok, proc_lib:spawn_link(?MODULE, init, [self(), Context, Socket, Role])}.

%% @private
-spec init(pid(), context(), gen_tcp:socket(), role()) -> no_return().
init(Parent, Context, Accepted, Role) ->
    process_flag(trap_exit, true),
    %% Received bytes are garbage soon: little of it may gather.
    process_flag(min_bin_vheap_size, ?GARBAGE_WORDS),
    process_flag(fullsweep_after, ?FULLSWEEP_AFTER),
    receive
        go -> begin_as(Role, Parent, Context, Accepted);
        {'EXIT', Parent, Reason} -> exit(Reason)
    after ?HANDOVER -> exit(normal)
    end.

begin_as({reject, Code}, _, #{mode := aldis, tls := none}, Accepted) ->
    Socket = {tcp, Accepted},
    Frame = aldis_frame:encode(#close{code = Code, text = rejection(Code)}),
    linger(aldis_socket:send(Socket, Frame), Socket);
begin_as({reject, _}, _, _, Accepted) ->
    %% The legacy modes have no words for it, and a TLS handshake is more than is owed.
    closed({tcp, Accepted}, when_read);
begin_as(serve, Parent, #{tls := Tls, handshake_timeout := Timeout} = Context, Accepted) ->
    case aldis_socket:secure(Accepted, Tls, Timeout) of
        {ok, Socket} -> open(Parent, Context, Socket);
        {error, Reason} ->
            ?LOG_INFO("listener ~ts: TLS handshake failed: ~0tp", [maps:get(listener, Context), Reason]),
            closed({tcp, Accepted}, now)
    end.

rejection(too_many_connections) -> <<"this listener has as many connections as it may; try again later">>;
rejection(draining) -> <<"this listener takes no new connections">>.

open(Parent, Context, Socket) ->
    #{listener := Listener, mode := Mode, connections := Connections, receive_buffer := Buffer, budget := Budget} = Context,
    Peer = aldis_socket:peer(Socket),
    About = maps:filter(fun(_, Value) -> Value =/= undefined end, #{
        listener => Listener, mode => Mode, pid => self(), tls => element(1, Socket) =:= tls,
        certificate => aldis_socket:certificate(Socket)
    }),
    Counted = aldis_connections:enter(Connections, Peer),
    aldis_telemetry:execute([aldis, connection, opened], #{}, #{listener => Listener, pid => self(), peer => Peer, mode => Mode}),
    told_if_drained(aldis_connections:drained_in(Connections)),
    Protocol = protocol(Mode),
    Connection = #connection{parent = Parent, listener = Listener, counted = Counted, socket = Socket, protocol = Protocol,
                             buffer = Buffer, budget = Budget, connections = Connections},
    outcome(Protocol:open(Socket, Context, About#{peer => Peer}, Counted), Connection).

told_if_drained(infinity) -> ok;
told_if_drained(Ms) ->
    self() ! {aldis_drain, Ms},
    ok.

protocol(aldis) -> aldis_session;
protocol(_) -> aldis_legacy.

outcome({ok, State}, Connection) -> listen(Connection#connection{state = State});
outcome({stop, Code, Text, State}, Connection) -> stop(Code, Text, Connection#connection{state = State}).

%% A message that was put off comes before all that is not received yet.
listen(#connection{rest = Rest, need = Need, protocol = Protocol, state = State} = Connection) when byte_size(Rest) >= Need ->
    case Protocol:ready(State) of
        true -> data(Rest, starved(false, Connection));
        false -> wait(starved(true, Connection))
    end;
%% A peer that is done is not listened to again.
listen(#connection{ahead = Ahead, peer_done = Done} = Connection) when Ahead > ?AHEAD_LEFT; Done -> wait(Connection);
listen(#connection{socket = Socket, ahead = Ahead, protocol = Protocol, state = State} = Connection) ->
    case Protocol:ready(State) andalso provided(Connection) of
        false -> wait(starved(false, Connection));
        {starved, Poor} -> wait(starved(true, Poor));
        {ok, Provided} ->
            Rich = starved(false, Provided),
            case aldis_socket:activate(Socket, ?AHEAD - Ahead) of
                ok -> wait(Rich#connection{ahead = ?AHEAD});
                {error, _} -> stop(closed, <<>>, Rich)
            end
    end.

%% A peer whose bytes are not read is not silent: the protocol is told.
starved(Same, #connection{starved = Same} = Connection) -> Connection;
starved(Starved, #connection{protocol = Protocol, state = State} = Connection) ->
    %% Bytes that were received and sent are garbage that others have to wait for.
    Starved andalso erlang:garbage_collect(),
    Connection#connection{starved = Starved, state = Protocol:starved(Starved, State)}.

%% Whether there is memory for more: for all of the frame that has begun, so that frames that are half there do not wait for
%% each other.
provided(#connection{need = Need, claimed = Claimed, budget = Budget, counted = Counted} = Connection) ->
    Wanted = case Need > ?SMALL of
        true -> ?GROWING * Need;
        false -> 0
    end,
    Less = min(Claimed, Wanted),
    Less < Claimed andalso aldis_budget:take(Budget, Counted, Less - Claimed),
    Enough = case Wanted of
        0 -> not aldis_budget:full(Budget);
        Less -> true;
        _ -> aldis_budget:claim(Budget, Counted, Wanted - Less)
    end,
    case Enough of
        true -> {ok, Connection#connection{claimed = Wanted}};
        %% A connection that waits holds nothing, or those that wait could wait for each other.
        false ->
            aldis_budget:take(Budget, Counted, -Less),
            {starved, Connection#connection{claimed = 0}}
    end.

wait(#connection{parent = Parent, protocol = Protocol, state = State} = Connection) ->
    Time = time_left(Protocol:deadline(State)),
    Quiet = case Connection#connection.starved of
        true -> ?STARVED;
        false -> ?QUIET
    end,
    receive
        {tcp, _, Bytes} -> received(Bytes, Connection#connection{ahead = Connection#connection.ahead - 1});
        {ssl, _, Bytes} -> received(Bytes, Connection#connection{ahead = Connection#connection.ahead - 1});
        %% Then there was nothing asked for any more; whatever came before it has changed that.
        {Passive, _} when Passive =:= tcp_passive; Passive =:= ssl_passive -> wait(Connection);
        {tcp_closed, _} -> outcome(Protocol:finish(peer_done, State), Connection#connection{peer_done = true});
        {ssl_closed, _} -> stop(closed, <<>>, Connection);
        {tcp_error, _, _} -> stop(closed, <<>>, Connection);
        {ssl_error, _, _} -> stop(closed, <<>>, Connection);
        {'EXIT', Parent, _} -> outcome(Protocol:finish(shutdown, State), Connection);
        {'EXIT', Port, _} when {tcp, Port} =:= Connection#connection.socket -> stop(closed, <<>>, Connection);
        {system, From, Request} -> sys:handle_system_msg(Request, From, Parent, ?MODULE, [], Connection);
        {timeout, _, ?MODULE} -> wait(Connection);
        Message -> outcome(Protocol:message(Message, State), Connection)
    after min(Time, Quiet) ->
        case Time > Quiet of
            true when Connection#connection.starved -> listen(Connection);
            true -> rest(Connection, Time);
            false -> outcome(Protocol:tick(erlang:monotonic_time(millisecond), State), Connection)
        end
    end.

time_left(infinity) -> infinity;
time_left(Deadline) -> max(0, Deadline - erlang:monotonic_time(millisecond)).

%% Nothing to do: little memory is held until there is.
rest(#connection{rest = Rest} = Connection, Time) ->
    Timer = case Time of
        infinity -> none;
        _ -> erlang:start_timer(Time - ?QUIET, self(), ?MODULE)
    end,
    proc_lib:hibernate(?MODULE, wake, [Timer, Connection#connection{rest = binary:copy(Rest)}]).

%% @private
-spec wake(reference() | none, #connection{}) -> no_return().
wake(none, Connection) -> wait(Connection);
wake(Timer, Connection) ->
    _ = erlang:cancel_timer(Timer, [{async, true}, {info, false}]),
    wait(Connection).

%% The driver takes a receive's memory when it begins to wait for the first one: those who say nothing cost little.
received(Bytes, #connection{buffer = Most, receives = Now, socket = Socket} = Connection) ->
    Open = aldis_connections:open(Connection#connection.connections),
    Share = aldis_budget:share(Connection#connection.budget, Open) div ?RECEIVES div ?AHEAD,
    case min(Most, max(?LEAST_BUFFER, Share)) of
        Now -> appended(Bytes, Connection);
        Size when Size < Most, Size > Now div 2, Size < Now * 2 -> appended(Bytes, Connection);
        Size ->
            ok = aldis_socket:buffer(Socket, Size),
            appended(Bytes, Connection#connection{receives = Size})
    end.

%% Only appended to until there is enough, so that a message that comes a byte at a time takes linear time and space.
appended(Bytes, #connection{rest = Rest, need = Need} = Connection) when byte_size(Rest) + byte_size(Bytes) < Need ->
    listen(Connection#connection{rest = <<Rest/binary, Bytes/binary>>});
appended(Bytes, #connection{rest = <<>>} = Connection) -> data(Bytes, Connection);
appended(Bytes, #connection{rest = Rest} = Connection) -> data(<<Rest/binary, Bytes/binary>>, Connection).

data(Bytes, #connection{protocol = Protocol, state = State} = Connection) ->
    case Protocol:data(Bytes, State) of
        {ok, Next, Need, NewState} ->
            <<_:Next/binary, Rest/binary>> = Bytes,
            listen(Connection#connection{state = NewState, rest = Rest, need = Need});
        {stop, Code, Text, NewState} -> stop(Code, Text, Connection#connection{state = NewState})
    end.

stop(Code, Text, #connection{protocol = Protocol, state = State, socket = Socket, peer_done = Done} = Connection) ->
    ok = Protocol:close(Code, Text, State),
    #connection{listener = Listener, counted = Counted} = Connection,
    aldis_telemetry:execute([aldis, connection, closed], aldis_connections:counted(Counted),
                            #{listener => Listener, pid => self(), reason => Code}),
    case {Code, Done} of
        {closed, _} -> closed(Socket, now);
        {_, true} -> closed(Socket, when_read);
        {_, false} -> linger(ok, Socket)
    end.

%% Closing while bytes of the peer are unread would make it lose what it has not read of ours. So it is told that this was
%% all, and gets a moment to read it and close its end.
linger(ok, Socket) ->
    _ = aldis_socket:shutdown(Socket),
    linger_until(erlang:monotonic_time(millisecond) + ?LINGER, ?LINGER_BYTES, Socket);
linger({error, _}, Socket) -> closed(Socket, now).

linger_until(_, Bytes, Socket) when Bytes =< 0 -> closed(Socket, now);
linger_until(Deadline, Bytes, Socket) ->
    case aldis_socket:activate(Socket, once) of
        ok ->
            receive
                {Tag, _, Dropped} when Tag =:= tcp; Tag =:= ssl ->
                    linger_until(Deadline, Bytes - byte_size(Dropped), Socket);
                {Tag, _} when Tag =:= tcp_closed; Tag =:= ssl_closed -> closed(Socket, when_read);
                {Tag, _, _} when Tag =:= tcp_error; Tag =:= ssl_error -> closed(Socket, now)
            after max(0, Deadline - erlang:monotonic_time(millisecond)) -> closed(Socket, now)
            end;
        {error, _} -> closed(Socket, when_read)
    end.

-spec closed(aldis_socket:t(), now | when_read) -> no_return().
closed(Socket, When) ->
    aldis_socket:close(Socket, When),
    exit(normal).

%% @private
-spec system_continue(pid(), [sys:dbg_opt()], #connection{}) -> no_return().
system_continue(_, _, Connection) -> wait(Connection).

%% @private
-spec system_terminate(term(), pid(), [sys:dbg_opt()], #connection{}) -> no_return().
system_terminate(Reason, _, _, #connection{socket = Socket}) ->
    aldis_socket:close(Socket, now),
    exit(Reason).

%% @private
-spec system_code_change(#connection{}, module(), term(), term()) -> {ok, #connection{}}.
system_code_change(Connection, _, _, _) -> {ok, Connection}.

%% @private
-spec system_get_state(#connection{}) -> {ok, term()}.
system_get_state(#connection{state = State}) -> {ok, State}.

%% @private
-spec system_replace_state(fun((term()) -> term()), #connection{}) -> {ok, term(), #connection{}}.
system_replace_state(Change, #connection{state = State} = Connection) ->
    New = Change(State),
    {ok, New, Connection#connection{state = New}}.
