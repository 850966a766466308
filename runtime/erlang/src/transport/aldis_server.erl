%% @doc Listeners that receive acknowledged messages over TCP or TLS, and what can be done with them while they run.
%%
%% ```
%% {ok, _} = aldis_server:start_listener(orders, #{port => 7100, handler => my_handler}),
%% #{port := 7100, connections := 0} = aldis_server:info(orders),
%% ok = aldis_server:stop_listener(orders)
%% '''
%%
%% Options are those of {@link aldis_listener_options}; a handler is a module of the behaviour {@link aldis_handler}.
-module(aldis_server).

-export([start_listener/2, stop_listener/1, drain/2, child_spec/1, start_link/2]).
-export([info/0, info/1, connections/1, consumers/1, close_connection/2]).
-export([push/2, request/3, reply/2]).
-export_type([name/0]).

-include_lib("kernel/include/logger.hrl").

-type name() :: atom().

%% How often a drain looks whether all are gone, in milliseconds.
-define(LOOK, 20).

%% @doc Starts a listener below the application `aldis', which is started if it is not. Options that are wrong are an
%% error whose text says how they would be right.
-spec start_listener(name(), aldis_listener_options:options()) ->
    {ok, pid()} | {error, {options, binary()} | {already_started, pid()} | term()}.
start_listener(Name, Given) ->
    case complete(Given) of
        {ok, Options} ->
            lists:foreach(fun(Needed) -> {ok, _} = application:ensure_all_started(Needed) end, needed(Options)),
            local(started(supervisor:start_child(aldis_sup, spec(Name, Options, aldis_listener_sup))), Name, Given);
        Error -> Error
    end.

needed(#{tls := none}) -> [aldis];
needed(_) -> [aldis, ssl].

%% The supervisor's answer to a start, in fewer words.
started({ok, Pid}) when is_pid(Pid) -> {ok, Pid};
started({error, {{shutdown, {failed_to_start_child, _, {shutdown, Reason}}}, _}}) -> {error, Reason};
started({error, {{shutdown, {failed_to_start_child, _, Reason}}, _}}) -> {error, Reason};
started({error, {{already_started, Pid}, _}}) -> {error, {already_started, Pid}};
started({error, Reason}) -> {error, Reason}.

%% A user who chose no address may wonder why other machines do not reach the listener.
local({ok, _} = Started, Name, Given) when not is_map_key(ip, Given) ->
    ?LOG_NOTICE("listener ~ts listens on 127.0.0.1, the default, so this machine alone reaches it; for others give ip => any, or "
                "an address, with auth, tls that verifies clients, or open => true", [Name]),
    Started;
local(Result, _, _) -> Result.

complete(Given) ->
    case aldis_listener_options:complete(Given) of
        {ok, Options} -> {ok, Options};
        {error, Text} -> {error, {options, Text}}
    end.

%% Reports of supervisors show arguments, where options may have secrets, but not what a fun holds.
spec(Name, Options, Module) ->
    #{id => {?MODULE, Name}, start => {Module, start_link, [Name, fun() -> Options end]}, type => supervisor}.

%% @doc For a supervisor of your own, whose application has `aldis' among its `applications', and `ssl' for TLS.
-spec child_spec({name(), aldis_listener_options:options()}) -> supervisor:child_spec().
child_spec({Name, Given}) -> spec(Name, Given, ?MODULE).

%% @doc Starts a listener below the caller: see {@link child_spec/1}.
-spec start_link(name(), aldis_listener_options:options() | fun(() -> aldis_listener_options:options())) -> {ok, pid()} | {error, term()}.
start_link(Name, Sealed) when is_function(Sealed, 0) -> start_link(Name, Sealed());
start_link(Name, Given) ->
    case complete(Given) of
        {ok, Options} ->
            %% Not to be started from here: the caller may be an application that is just starting.
            Running = [Application || {Application, _, _} <- application:which_applications()],
            case needed(Options) -- Running of
                [] -> local(aldis_listener_sup:start_link(Name, fun() -> Options end), Name, Given);
                [Missing | _] -> {error, {not_started, Missing}}
            end;
        Error -> Error
    end.

%% @doc Stops a listener of {@link start_listener/2}: its connections get their last acks and CLOSE. To let clients finish
%% first, {@link drain/2}.
-spec stop_listener(name()) -> ok | {error, not_found}.
stop_listener(Name) ->
    case whereis(aldis_sup) =/= undefined andalso supervisor:terminate_child(aldis_sup, {?MODULE, Name}) of
        ok -> supervisor:delete_child(aldis_sup, {?MODULE, Name});
        _ -> {error, not_found}
    end.

%% @doc Lets no new connections in, asks all clients to finish, acks what they have sent, and closes them: as soon as they
%% are done, and at the latest after `Ms' milliseconds. The listener goes on refusing connections, with the reason
%% `draining', until it is stopped. `Left' connections did not end by themselves.
-spec drain(name(), Ms :: non_neg_integer()) -> {ok, Left :: non_neg_integer()} | {error, not_found}.
drain(Name, Ms) ->
    with_connections(Name, fun(Handle) ->
        ok = aldis_connections:drain(Handle, Ms),
        tell(Handle, {aldis_drain, Ms}),
        Left = drained(Handle, erlang:monotonic_time(millisecond) + Ms),
        tell(Handle, {aldis_close, normal, <<"drained">>}),
        {ok, Left}
    end).

tell(Handle, Message) ->
    lists:foreach(fun(#{pid := Pid}) -> Pid ! Message end, aldis_connections:list(Handle)).

drained(Handle, Until) ->
    case {aldis_connections:open(Handle), erlang:monotonic_time(millisecond)} of
        {0, _} -> 0;
        {Left, Now} when Now >= Until -> Left;
        _ ->
            timer:sleep(?LOOK),
            drained(Handle, Until)
    end.

%% @doc All listeners: see {@link info/1}.
-spec info() -> #{name() => map()}.
info() ->
    maps:from_list([{Name, info(Name)} || Name <- aldis_names:listeners()]).

%% @doc A listener: its port, how many connections there are, and its metrics as {@link aldis_metrics:snapshot/1} gives them.
-spec info(name()) -> map() | {error, not_found}.
info(Name) ->
    with_connections(Name, fun(Handle) ->
        #{mode := Mode, tls := Tls} = aldis_listener:about(Name),
        #{
            name => Name, mode => Mode, tls => Tls, port => aldis_listener:port(Name),
            connections => aldis_connections:open(Handle), draining => aldis_connections:draining(Handle),
            metrics => aldis_metrics:snapshot(aldis_metrics:new(listener, Name))
        }
    end).

%% @doc The connections of a listener: `pid', `peer', `since' (system time in ms), `messages', `bytes', and `producer' of
%% those that have said HELLO.
-spec connections(name()) -> [map()] | {error, not_found}.
connections(Name) -> with_connections(Name, fun aldis_connections:list/1).

%% @doc The named consumers of a listener that have members, or had some a minute ago: see {@link aldis_consumer:info/1}.
-spec consumers(name()) -> [aldis_consumer:info()].
consumers(Name) ->
    %% One that ends meanwhile is left out.
    lists:append([try [aldis_consumer:info(Pid)] catch exit:_ -> [] end || {_, Pid} <- aldis_names:consumers(Name)]).

%% @doc Closes one connection of a listener, by its `pid', after acking what it has sent.
-spec close_connection(name(), pid()) -> ok | {error, not_found}.
close_connection(Name, Pid) ->
    with_connections(Name, fun(Handle) ->
        case [Its || #{pid := Its} <- aldis_connections:list(Handle), Its =:= Pid] of
            [Pid] ->
                Pid ! {aldis_close, normal, <<"closed by the server's operator">>},
                ok;
            [] -> {error, not_found}
        end
    end).

with_connections(Name, Fun) ->
    case aldis_names:whereis_name({Name, listener}) of
        undefined -> {error, not_found};
        _ -> Fun(aldis_connections:handle(Name))
    end.

%% @doc Pushes messages to a client, from any process; `Subscription' is what handle_subscribe/3 got. They wait where the
%% client has not given credit for them; `slow': so much waits that the connection is closed.
-spec push(aldis_handler:subscription(), [iodata()]) -> ok | {error, slow | too_large}.
push(#{id := Id, pid := Pid, queue := Queue, max := Max}, Messages) ->
    Binaries = [iolist_to_binary(Message) || Message <- Messages],
    case lists:any(fun(Message) -> byte_size(Message) > Max end, Binaries) of
        true -> {error, too_large};
        false ->
            case aldis_pushes:give(Binaries, Queue) of
                true ->
                    Pid ! {aldis_push, Id, Binaries},
                    ok;
                false ->
                    Pid ! {aldis_close, slow, <<"what is pushed is not taken in time">>},
                    {error, slow}
            end
    end.

%% @doc Asks the client of a connection of aldis/1 and waits for its answer, at most `Timeout' milliseconds. Not to be
%% called by the connection's own handler: that would wait for itself. `too_large': it fits in no frame of the listener's.
-spec request(Connection :: pid(), iodata(), Timeout :: pos_integer()) ->
    {ok, binary()} | {error, too_large | {aldis_frame:code32(), Text :: binary()}}.
request(Connection, Request, Timeout) when Connection =/= self() ->
    %% A request that is no iodata fails here, and not in the connection.
    Bytes = iolist_to_binary(Request),
    Asker = erlang:monitor(process, Connection, [{alias, demonitor}]),
    Connection ! {aldis_ask, Asker, Bytes, Timeout},
    receive
        {Asker, Answer} ->
            erlang:demonitor(Asker, [flush]),
            Answer;
        {'DOWN', Asker, process, _, _} -> {error, {closed, <<"the connection closed">>}}
    after Timeout ->
        erlang:demonitor(Asker, [flush]),
        receive
            {Asker, Answer} -> Answer
        after 0 -> {error, {deadline, <<"the client did not answer in time">>}}
        end
    end.

%% @doc Answers a request that handle_request/3 left open; too late is no error, and nobody hears it.
-spec reply(aldis_handler:from(), {ok, iodata()} | {error, Text :: unicode:chardata()}) -> ok.
reply({Pid, Tag, Correlation}, {ok, Bytes}) ->
    Pid ! {aldis_reply, Tag, Correlation, {ok, iolist_to_binary(Bytes)}},
    ok;
reply({Pid, Tag, Correlation}, {error, Text}) ->
    Pid ! {aldis_reply, Tag, Correlation, {error, aldis_handler:text(Text)}},
    ok.
