%% @doc Owns a listener's socket and what its acceptors and connections need to know.
-module(aldis_listener).
-behaviour(gen_server).

-export([start_link/2, accepting/1, port/1, about/1]).
-export([init/1, handle_call/3, handle_cast/2, format_status/1]).

%% The socket of a process that was killed is closed a moment after it: how often an address in use is tried again, and how
%% many milliseconds later.
-define(TRIES, 50).
-define(PAUSE, 20).

-record(listener, {socket :: gen_tcp:socket(), context :: aldis_connection:context()}).

%% @doc Opens the socket.
-spec start_link(atom(), map()) -> {ok, pid()} | {error, term()}.
start_link(Name, Options) -> gen_server:start_link(via(Name), ?MODULE, {Name, Options}, []).

%% @doc The listening socket, and the context that an acceptor gives to connections.
-spec accepting(atom()) -> {gen_tcp:socket(), aldis_connection:context()}.
accepting(Name) -> gen_server:call(via(Name), accepting).

%% @doc The port that it listens on, also where the options said 0.
-spec port(atom()) -> inet:port_number().
port(Name) -> gen_server:call(via(Name), port).

%% @doc The mode of a listener, and whether it uses TLS.
-spec about(atom()) -> #{mode := aldis_listener_options:mode(), tls := boolean()}.
about(Name) -> gen_server:call(via(Name), about).

via(Name) -> {via, aldis_names, {Name, listener}}.

%% @private
-spec init({atom(), map()}) -> {ok, #listener{}} | {stop, term()}.
init({Name, #{port := Port} = Options}) ->
    process_flag(trap_exit, true),
    case listen(Port, Options, ?TRIES) of
        {ok, Socket} ->
            Context = context(Name, Options),
            ok = aldis_consumer:start_kept(Context),
            {ok, #listener{socket = Socket, context = Context}};
        {error, Reason} -> {stop, {shutdown, {listen, Port, Reason, inet:format_error(Reason)}}}
    end.

listen(Port, Options, Tries) ->
    case aldis_socket:listen(Port, Options) of
        {error, eaddrinuse} when Tries > 1 ->
            timer:sleep(?PAUSE),
            listen(Port, Options, Tries - 1);
        Result -> Result
    end.

context(Name, Options) ->
    Connections = aldis_connections:handle(Name),
    Shared = maps:without([port, ip, open, backlog, acceptors, memory], Options),
    Shared#{
        listener => Name,
        sink => sink(Options),
        metrics => aldis_metrics:new(listener, Name),
        connections => Connections,
        budget => aldis_connections:budget(Connections)
    }.

sink(#{sink := {Module, #{name := Sink}}}) -> {Module, Sink};
sink(#{sink := Sink}) -> Sink.

%% @private
-spec handle_call(accepting | about | port, gen_server:from(), #listener{}) -> {reply, term(), #listener{}}.
handle_call(accepting, _, #listener{socket = Socket, context = Context} = State) -> {reply, {Socket, Context}, State};
handle_call(about, _, #listener{context = #{mode := Mode, tls := Tls}} = State) ->
    {reply, #{mode => Mode, tls => Tls =/= none}, State};
handle_call(port, _, #listener{socket = Socket} = State) ->
    {ok, Port} = inet:port(Socket),
    {reply, Port, State}.

%% @private The options have secrets.
-spec format_status(gen_server:format_status()) -> gen_server:format_status().
format_status(Status) -> maps:map(fun(Key, Value) -> case Key of state -> hidden; _ -> Value end end, Status).

%% @private
-spec handle_cast(term(), #listener{}) -> {noreply, #listener{}}.
handle_cast(_, State) -> {noreply, State}.
