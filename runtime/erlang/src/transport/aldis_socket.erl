%% @doc One way to use a TCP socket and a TLS one.
%%
%% A socket brings as many messages as it is asked for ({@link activate/2}), so a peer never fills the mailbox: all else stays
%% in the kernel, whose window then closes.
-module(aldis_socket).

-export([listen/2, accept/2, secure/3, give/2, peer/1, certificate/1]).
-export([buffer/2, activate/2, send/2, unsent/1, force/2, shutdown/1, close/2]).
-export_type([t/0, peer/0]).

-type t() :: {tcp, gen_tcp:socket()} | {tls, ssl:sslsocket()}.
-type peer() :: {inet:ip_address(), inet:port_number()} | undefined.

%% Bytes that may wait in the driver before a sender is made to wait.
-define(HIGH_WATERMARK, 65536).
-define(LOW_WATERMARK, 16384).
%% Bytes of the first receive: a HELLO, or some legacy messages.
-define(FIRST_BUFFER, 1460).

%% @doc A listening socket. Half-closed peers may still be answered.
-spec listen(inet:port_number(), map()) -> {ok, gen_tcp:socket()} | {error, inet:posix() | term()}.
listen(Port, #{ip := Ip, backlog := Backlog, send_timeout := SendTimeout}) ->
    Address = case Ip of
        any -> [];
        _ -> [{ip, Ip}]
    end,
    gen_tcp:listen(Port, Address ++ [
        binary, {packet, raw}, {active, false}, {reuseaddr, true}, {nodelay, true}, {backlog, Backlog},
        {exit_on_close, false}, {show_econnreset, true}, {buffer, ?FIRST_BUFFER},
        {high_watermark, ?HIGH_WATERMARK}, {low_watermark, ?LOW_WATERMARK},
        {send_timeout, SendTimeout}, {send_timeout_close, false}
    ]).

%% @doc The next connection.
-spec accept(gen_tcp:socket(), timeout()) -> {ok, gen_tcp:socket()} | {error, term()}.
accept(Listening, Timeout) -> gen_tcp:accept(Listening, Timeout).

%% @doc The socket as the listener wants it: plain, or after a TLS handshake.
-spec secure(gen_tcp:socket(), none | [ssl:tls_server_option()], timeout()) -> {ok, t()} | {error, term()}.
secure(Socket, none, _) -> {ok, {tcp, Socket}};
secure(Socket, Options, Timeout) ->
    case ssl:handshake(Socket, Options, Timeout) of
        {ok, Secure} -> {ok, {tls, Secure}};
        {error, Reason} -> {error, Reason}
    end.

%% @doc Makes another process the owner of a socket just accepted.
-spec give(gen_tcp:socket(), pid()) -> ok | {error, term()}.
give(Socket, Pid) -> gen_tcp:controlling_process(Socket, Pid).

%% @doc How many bytes may come in one message. At first it is few.
-spec buffer(t(), pos_integer()) -> ok.
buffer({tcp, Socket}, Size) -> set(inet:setopts(Socket, [{buffer, Size}]));
buffer({tls, Socket}, Size) -> set(ssl:setopts(Socket, [{buffer, Size}])).

%% A socket that has just closed says so with its next message.
set(_) -> ok.

%% @doc Asks for so many more messages with what has come: `{tcp | ssl, Socket, Bytes}'.
-spec activate(t(), once | pos_integer()) -> ok | {error, term()}.
activate({tcp, Socket}, Count) -> inet:setopts(Socket, [{active, Count}]);
activate({tls, Socket}, Count) -> ssl:setopts(Socket, [{active, Count}]).

%% @doc Sends, and waits no longer than the listener's send timeout for a peer that does not read.
-spec send(t(), iodata()) -> ok | {error, timeout | closed | term()}.
send({tcp, Socket}, Bytes) ->
    case gen_tcp:send(Socket, Bytes) of
        ok -> ok;
        {error, {timeout, _}} -> {error, timeout};
        {error, Reason} -> {error, Reason}
    end;
send({tls, Socket}, Bytes) -> ssl:send(Socket, Bytes).

%% @doc Bytes that were sent and that the system has not taken, as the peer does not read.
-spec unsent(t()) -> non_neg_integer().
unsent({tcp, Socket}) -> pending(inet:getstat(Socket, [send_pend]));
unsent({tls, Socket}) -> pending(ssl:getstat(Socket, [send_pend])).

pending({ok, [{send_pend, Bytes}]}) -> Bytes;
pending({error, _}) -> 0.

%% @doc Sends what is little, even to a peer that has not read what is waiting. It may never get it.
-spec force(t(), iodata()) -> ok.
force({tcp, Socket}, Bytes) ->
    %% The words to the driver besides the bytes depend on the release, and only `prim_inet' knows them. It does not wait, since the
    %% time for it is 0, and the bytes stay in the driver's queue behind all others.
    _ = inet:setopts(Socket, [{send_timeout, 0}]),
    _ = prim_inet:send(Socket, Bytes, [force]),
    ok;
force({tls, _}, _) -> ok.

%% @doc Says that nothing more will be sent.
-spec shutdown(t()) -> ok | {error, term()}.
shutdown({tcp, Socket}) -> gen_tcp:shutdown(Socket, write);
shutdown({tls, Socket}) -> ssl:shutdown(Socket, write).

%% @doc Closes: `now' drops what the peer did not read in time, `when_read' leaves that to the kernel.
-spec close(t(), now | when_read) -> ok.
close({tcp, Socket}, now) ->
    _ = inet:setopts(Socket, [{linger, {true, 0}}]),
    gen_tcp:close(Socket);
close({tcp, Socket}, when_read) -> gen_tcp:close(Socket);
close({tls, Socket}, _) ->
    _ = ssl:close(Socket),
    ok.

%% @doc The peer at the other end.
-spec peer(t()) -> peer().
peer({tcp, Socket}) -> known(inet:peername(Socket));
peer({tls, Socket}) -> known(ssl:peername(Socket)).

known({ok, {Ip, Port}}) when is_tuple(Ip) -> {Ip, Port};
known(_) -> undefined.

%% @doc The certificate, in DER, that the peer has shown and TLS has verified.
-spec certificate(t()) -> binary() | undefined.
certificate({tcp, _}) -> undefined;
certificate({tls, Socket}) ->
    case ssl:peercert(Socket) of
        {ok, Certificate} -> Certificate;
        {error, _} -> undefined
    end.
