%% @doc One of a listener's acceptors: takes a connection, gives it to a process of its own, takes the next one.
-module(aldis_acceptor).

-include_lib("kernel/include/logger.hrl").

-export([start_link/1, loop/3]).

%% Milliseconds between attempts while the system is out of descriptors or processes.
-define(PAUSE, 100).
%% Milliseconds after which the loop goes through its newest code.
-define(RELOAD, 10000).

%% @doc Starts an acceptor.
-spec start_link(atom()) -> {ok, pid()}.
start_link(Name) ->
    {Socket, Context} = aldis_listener:accepting(Name),
    {ok, proc_lib:spawn_link(?MODULE, loop, [Name, Socket, Context])}.

%% @private
-spec loop(atom(), gen_tcp:socket(), aldis_connection:context()) -> no_return().
loop(Name, Listening, Context) ->
    case aldis_socket:accept(Listening, ?RELOAD) of
        {ok, Socket} -> accepted(Socket, Context#{accepted => erlang:unique_integer([monotonic])});
        {error, timeout} -> ok;
        %% The client was gone before its turn.
        {error, econnaborted} -> ok;
        %% The listener stops, or has failed and will start acceptors again.
        {error, closed} -> exit(shutdown);
        {error, Reason} ->
            ?LOG_WARNING("listener ~ts cannot accept connections: ~ts; trying again", [Name, inet:format_error(Reason)]),
            timer:sleep(?PAUSE)
    end,
    ?MODULE:loop(Name, Listening, Context).

accepted(Socket, #{connections := Connections} = Context) ->
    case aldis_connections:admit(Connections) of
        refused -> gen_tcp:close(Socket);
        Role ->
            case aldis_listener_sup:start_connection(Context, Socket, Role) of
                {ok, Pid} ->
                    aldis_connections:entered(Connections, Pid),
                    handed(aldis_socket:give(Socket, Pid), Socket, Pid);
                {error, Reason} ->
                    aldis_connections:missed(Connections),
                    ?LOG_WARNING("a connection got no process: ~0tP; it is closed", [Reason, 20]),
                    gen_tcp:close(Socket),
                    timer:sleep(?PAUSE)
            end
    end.

handed(ok, _, Pid) ->
    Pid ! go,
    ok;
%% The client is gone, and the process soon is.
handed({error, _}, Socket, Pid) ->
    exit(Pid, kill),
    gen_tcp:close(Socket).
