%% @private How a client comes to a socket, without waiting for it.
-module(aldis_client_link).

-include("aldis_frame.hrl").

-export([connect/2, activate/2, farewell/2, hello/4]).

%% Bytes that are read at once, and how long a send may take before the connection counts as lost.
-define(BUFFER, 65536).
-define(SEND, 15000).
-define(VERSION, 1).

%% @doc Connects in a process of its own, to the next server that can be reached, by a count of those tried: the caller gets `{connected, Pid, Socket}' and owns the socket, or
%% `{not_connected, Pid, Reason}'.
-spec connect(map(), Tried :: counters:counters_ref()) -> pid().
connect(#{others := Others} = Options, Tried) ->
    Client = self(),
    spawn_link(fun() ->
        case try_servers(length(Others) + 1, Tried, Options) of
            {ok, Socket} ->
                ok = give(Socket, Client),
                Client ! {connected, self(), Socket};
            {error, Reason} -> Client ! {not_connected, self(), Reason}
        end
    end).

try_servers(Left, Tried, #{host := Host, port := Port, others := Others} = Options) ->
    Next = counters:get(Tried, 1) rem (length(Others) + 1),
    counters:add(Tried, 1, 1),
    case try_connect(lists:nth(Next + 1, [{Host, Port} | Others]), Options) of
        {error, _} when Left > 1 -> try_servers(Left - 1, Tried, Options);
        Result -> Result
    end.

try_connect({Host, Port}, #{tls := Tls, connect_ms := Timeout}) ->
    Common = [binary, {active, false}, {nodelay, true}, {keepalive, true}, {buffer, ?BUFFER}, {send_timeout, ?SEND},
        {send_timeout_close, true}],
    case Tls of
        false -> named(tcp, gen_tcp:connect(Host, Port, Common, Timeout));
        Options ->
            case application:ensure_all_started(ssl) of
                {ok, _} -> named(tls, ssl:connect(Host, Port, Common ++ verified(Options), Timeout));
                {error, Reason} -> {error, Reason}
            end
    end.

%% Without a word on it the server has to show a certificate that the system trusts.
verified(Options) ->
    case proplists:is_defined(verify, Options) of
        true -> Options;
        false ->
            Known = proplists:is_defined(cacerts, Options) orelse proplists:is_defined(cacertfile, Options),
            [{verify, verify_peer} | [{cacerts, public_key:cacerts_get()} || not Known]] ++ Options
    end.

named(Kind, {ok, Socket}) -> {ok, {Kind, Socket}};
named(_, {error, Reason}) -> {error, Reason}.

give({tcp, Socket}, Pid) -> gen_tcp:controlling_process(Socket, Pid);
give({tls, Socket}, Pid) -> ssl:controlling_process(Socket, Pid).

%% @doc Says why this side goes, and closes. The caller, whose socket it was, does not wait for a server that does not read.
-spec farewell(aldis_socket:t(), #close{}) -> ok.
farewell(Socket, Close) ->
    Pid = spawn(fun() ->
        receive given -> ok end,
        _ = aldis_socket:send(Socket, aldis_frame:encode(Close)),
        aldis_socket:close(Socket, when_read)
    end),
    %% A socket that has closed meanwhile cannot be given, and needs no closing.
    _ = give(Socket, Pid),
    Pid ! given,
    ok.

%% @doc Lets so many pieces of what comes become messages. They come also while the owner waits in a send, so two full
%% directions cannot wait for each other.
-spec activate(aldis_socket:t(), pos_integer()) -> ok | {error, term()}.
activate({tcp, Socket}, Pieces) -> inet:setopts(Socket, [{active, Pieces}]);
activate({tls, Socket}, Pieces) -> ssl:setopts(Socket, [{active, Pieces}]).

%% @doc The first frame of a connection, of a producer that goes on with an epoch, or begins the `next' one.
-spec hello(binary(), binary(), aldis_sink:epoch() | next, map()) -> #hello{}.
hello(Method, Secret, Epoch, Options) ->
    #{producer := Producer, durability := Durability, checksum := Checksum, schema := Schema,
        window_messages := Messages, window_bytes := Bytes} = Options,
    Features = ?PUSH bor case Checksum of true -> 0; false -> ?NO_CHECKSUM end
        bor case Schema of none -> 0; _ -> ?SCHEMA end bor case Epoch of next -> ?NEXT_EPOCH; _ -> 0 end,
    #hello{version = ?VERSION, features = Features, producer = Producer, epoch = number(Epoch), auth_method = Method,
        auth_data = Secret, durability = Durability, window_messages = Messages, window_bytes = Bytes}.

%% A server that counts no epochs gets the time, which is later than it was the last time on most machines.
number(next) -> erlang:system_time(second) band 16#FFFFFFFF;
number(Epoch) -> Epoch.
