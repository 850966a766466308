%% @doc The parts of one listener, in the order in which it starts them; it stops in the opposite order, so connections end
%% after the socket that brings new ones and before the log they write to.
%%
%% When one of these fails, those that came after it start again with it, since they hold what it held.
-module(aldis_listener_sup).
-behaviour(supervisor).

-export([start_link/2, init/1, start_sink/2, start_part/3, start_connection/3, start_consumer/2]).

%% Milliseconds that a connection gets for its last acks when the listener stops.
-define(LAST_ACKS, 6000).

%% @doc Starts a listener. The options are complete: see {@link aldis_listener_options:complete/1}.
-spec start_link(atom(), fun(() -> map())) -> {ok, pid()} | {error, term()}.
start_link(Name, Options) ->
    supervisor:start_link({via, aldis_names, {Name, listener_sup}}, ?MODULE, {listener, Name, Options}).

%% @private
-spec init(tuple()) -> {ok, {supervisor:sup_flags(), [supervisor:child_spec()]}}.
init({listener, Name, Sealed}) ->
    #{acceptors := Acceptors} = Options = Sealed(),
    {ok, {#{strategy => rest_for_one, intensity => 5, period => 10}, [
        part(registry, aldis_connections, Name, Sealed),
        part(producers, aldis_producers, Name, Sealed)
    ] ++ sink(Options) ++ [
        supervised(consumers, Name, none),
        supervised(connections, Name, none),
        part(listener, aldis_listener, Name, Sealed),
        supervised(acceptors, Name, Acceptors)
    ]}};
init({connections, _, _}) ->
    {ok, {#{strategy => simple_one_for_one}, [
        #{id => connection, start => {aldis_connection, start_link, []}, restart => temporary, shutdown => ?LAST_ACKS}
    ]}};
init({consumers, _, _}) ->
    {ok, {#{strategy => simple_one_for_one}, [#{id => consumer, start => {aldis_consumer, start_link, []}, restart => temporary}]}};
init({acceptors, Name, Count}) ->
    {ok, {#{strategy => one_for_one, intensity => Count, period => 1}, [
        #{id => Number, start => {aldis_acceptor, start_link, [Name]}} || Number <- lists:seq(1, Count)
    ]}}.

part(Id, Module, Name, Sealed) -> #{id => Id, start => {?MODULE, start_part, [Module, Name, Sealed]}}.

%% @private
-spec start_part(module(), atom(), fun(() -> map())) -> {ok, pid()} | {error, term()}.
start_part(Module, Name, Sealed) -> Module:start_link(Name, Sealed()).

supervised(Role, Name, Argument) ->
    Arguments = [{via, aldis_names, {Name, Role}}, ?MODULE, {Role, Name, Argument}],
    #{id => Role, start => {supervisor, start_link, Arguments}, type => supervisor}.

%% A sink of the listener's own. One that is named only belongs to somebody else.
sink(#{sink := {Module, #{} = Options}}) ->
    [#{id => sink, start => {?MODULE, start_sink, [Module, fun() -> Options end]}, type => supervisor}];
sink(_) -> [].

%% @private
-spec start_sink(module(), fun(() -> map())) -> {ok, pid()} | {error, term()}.
start_sink(Module, Options) -> Module:start_link(Options()).

%% @doc Starts the process of a connection; it waits for its socket.
-spec start_connection(aldis_connection:context(), gen_tcp:socket(), aldis_connection:role()) ->
    {ok, pid()} | {error, term()}.
start_connection(#{listener := Name} = Context, Socket, Role) ->
    try supervisor:start_child({via, aldis_names, {Name, connections}}, [Context, Socket, Role]) of
        {ok, Pid} when is_pid(Pid) -> {ok, Pid};
        Other -> {error, Other}
    catch
        %% The supervisor is gone, as it is for a moment when the listener stops or begins anew. The reason has the arguments
        %% of the call, and with them secrets.
        exit:_ -> {error, no_supervisor}
    end.

%% @doc Starts the process of a named consumer.
-spec start_consumer(aldis_connection:context(), binary()) -> {ok, pid()} | {error, too_many | term()}.
start_consumer(#{listener := Listener} = Context, Name) ->
    Wanted = maps:with([consumers, max_consumers, sink, metrics, budget], Context),
    try supervisor:start_child({via, aldis_names, {Listener, consumers}}, [Listener, Name, Wanted]) of
        {ok, Pid} when is_pid(Pid) -> {ok, Pid};
        {error, {already_started, Pid}} -> {ok, Pid};
        {error, {shutdown, Reason}} -> {error, Reason};
        Other -> {error, Other}
    catch
        exit:Reason -> {error, Reason}
    end.
