%% @doc The connections of a listener: how many there may be, which there are, and what each has sent.
%%
%% Connections write their own counts; this process only notices when they end. From time to time, and when the listener
%% stops, it says all of the listener's numbers: the event `[aldis, listener, metrics]' of {@link aldis_telemetry}, whose
%% measurements are {@link aldis_metrics:snapshot/1}.
-module(aldis_connections).
-behaviour(gen_server).

-export([start_link/2, handle/1, admit/1, entered/2, missed/1, drain/2, draining/1, drained_in/1, list/1, open/1, budget/1]).
-export([enter/2, about/3, counted/1, counted/3, queued/2]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
-export_type([handle/0]).

-record(handle, {server :: pid(), table :: ets:table(), counts :: atomics:atomics_ref(), max :: pos_integer(),
    budget :: aldis_budget:budget()}).
-record(state, {
    handle :: #handle{},
    name :: atom(),
    metrics :: aldis_metrics:ref(),
    %% Milliseconds between two events with all numbers.
    interval :: pos_integer(),
    roles = #{} :: #{reference() => open | rejected},
    %% Acceptors that were given a place and have not yet said for whom: they may end before they do.
    admitted = #{} :: #{pid() => {reference(), aldis_connection:role()}}
}).

-opaque handle() :: #handle{}.

%% Indices of the counts, and how many connections may at a time be told why they are not wanted.
-define(OPEN, 1).
-define(REJECTED, 2).
-define(DRAINING, 3).
%% Monotonic milliseconds.
-define(DRAINED, 4).
-define(MAX_REJECTED, 100).

%% @doc Starts the list of a listener.
-spec start_link(atom(), map()) -> {ok, pid()} | {error, term()}.
start_link(Name, Options) -> gen_server:start_link(via(Name), ?MODULE, {Name, Options}, []).

via(Name) -> {via, aldis_names, {Name, registry}}.

%% @doc The handle that the functions below want.
-spec handle(atom()) -> handle().
handle(Name) -> gen_server:call(via(Name), handle).

%% @doc Whether one more connection may come, and as what. It counts from now on; {@link entered/2} or
%% {@link missed/1} has to follow, or the end of the caller.
-spec admit(handle()) -> aldis_connection:role() | refused.
admit(#handle{server = Server}) -> gen_server:call(Server, admit, infinity).

role(#handle{counts = Counts, max = Max}) ->
    case {atomics:get(Counts, ?DRAINING), atomics:add_get(Counts, ?OPEN, 1)} of
        {0, Open} when Open =< Max -> serve;
        {Draining, _} ->
            atomics:sub(Counts, ?OPEN, 1),
            case atomics:add_get(Counts, ?REJECTED, 1) of
                Rejected when Rejected > ?MAX_REJECTED ->
                    atomics:sub(Counts, ?REJECTED, 1),
                    refused;
                _ when Draining =:= 1 -> {reject, draining};
                _ -> {reject, too_many_connections}
            end
    end.

%% @doc The process of the connection that the caller was admitted for.
-spec entered(handle(), pid()) -> ok.
entered(#handle{server = Server}, Pid) -> gen_server:cast(Server, {entered, self(), Pid}).

%% @doc The connection that the caller was admitted for got no process.
-spec missed(handle()) -> ok.
missed(#handle{server = Server}) -> gen_server:cast(Server, {missed, self()}).

%% @doc Puts the calling connection on the list, and gives it the counters for {@link counted/3}.
-spec enter(handle(), aldis_socket:peer()) -> counters:counters_ref().
enter(#handle{table = Table}, Peer) ->
    Counted = counters:new(5, []),
    ets:insert(Table, {self(), Peer, erlang:system_time(millisecond), Counted, #{}}),
    Counted.

%% @doc Says more about the calling connection.
-spec about(handle(), atom(), term()) -> ok.
about(#handle{table = Table}, Key, Value) ->
    case ets:lookup(Table, self()) of
        [{_, _, _, _, About}] ->
            _ = ets:update_element(Table, self(), {5, About#{Key => Value}}),
            ok;
        [] -> ok
    end.

%% @doc Adds to what a connection has sent.
-spec counted(counters:counters_ref(), non_neg_integer(), non_neg_integer()) -> ok.
counted(Counted, Messages, Bytes) ->
    counters:add(Counted, 1, Messages),
    counters:add(Counted, 2, Bytes).

%% @doc Adds to what waits of a connection in the gauge `queue': a connection that is killed takes nothing out of it.
-spec queued(counters:counters_ref(), integer()) -> ok.
queued(Counted, Messages) -> counters:add(Counted, 3, Messages).

%% @doc The messages and bytes that a connection has sent.
-spec counted(counters:counters_ref()) -> #{messages := non_neg_integer(), bytes := non_neg_integer()}.
counted(Counted) -> #{messages => counters:get(Counted, 1), bytes => counters:get(Counted, 2)}.

%% @doc The connections that there are.
-spec list(handle()) -> [map()].
list(#handle{table = Table}) ->
    [maps:merge(About#{pid => Pid, peer => Peer, since => Since}, counted(Counted))
     || {Pid, Peer, Since, Counted, About} <- ets:tab2list(Table)].

%% @doc How many there are.
-spec open(handle()) -> non_neg_integer().
open(#handle{counts = Counts}) -> max(0, atomics:get(Counts, ?OPEN)).

%% @doc The memory that all of them share.
-spec budget(handle()) -> aldis_budget:budget().
budget(#handle{budget = Budget}) -> Budget.

%% @doc Lets no new connections in; those that there are get `Ms' milliseconds. Those on the list are to be told by the caller;
%% one that comes on it later, as its TLS handshake took until then, asks {@link drained_in/1}.
-spec drain(handle(), Ms :: non_neg_integer()) -> ok.
drain(#handle{counts = Counts}, Ms) ->
    atomics:put(Counts, ?DRAINED, erlang:monotonic_time(millisecond) + Ms),
    atomics:put(Counts, ?DRAINING, 1).

%% @doc How many milliseconds a listener that is drained has left.
-spec drained_in(handle()) -> non_neg_integer() | infinity.
drained_in(#handle{counts = Counts} = Handle) ->
    case draining(Handle) of
        true -> max(0, atomics:get(Counts, ?DRAINED) - erlang:monotonic_time(millisecond));
        false -> infinity
    end.

%% @doc Whether no new connections are let in.
-spec draining(handle()) -> boolean().
draining(#handle{counts = Counts}) -> atomics:get(Counts, ?DRAINING) =:= 1.

%% @private
-spec init({atom(), map()}) -> {ok, #state{}}.
init({Name, #{max_connections := Max, metrics_interval := Interval, memory := Memory}}) ->
    process_flag(trap_exit, true),
    Metrics = aldis_metrics:new(listener, Name),
    %% After a restart no connection is left of those that the gauges counted.
    Before = aldis_metrics:snapshot(Metrics),
    [aldis_metrics:add(Metrics, Gauge, -maps:get(Gauge, Before)) || Gauge <- [connections, queue]],
    Table = ets:new(?MODULE, [public, {write_concurrency, true}]),
    Handle = #handle{server = self(), table = Table, counts = atomics:new(4, [{signed, true}]), max = Max,
                     budget = aldis_budget:new(Memory)},
    {ok, told_later(#state{handle = Handle, name = Name, metrics = Metrics, interval = Interval})}.

told_later(#state{interval = Interval} = State) ->
    _ = erlang:send_after(Interval, self(), metrics),
    State.

%% @private
-spec handle_call(handle | admit, gen_server:from(), #state{}) -> {reply, handle() | aldis_connection:role() | refused, #state{}}.
handle_call(handle, _, #state{handle = Handle} = State) -> {reply, Handle, State};
handle_call(admit, {Acceptor, _}, #state{handle = Handle, admitted = Admitted} = State) ->
    case role(Handle) of
        refused -> {reply, refused, State};
        Role -> {reply, Role, State#state{admitted = Admitted#{Acceptor => {erlang:monitor(process, Acceptor), Role}}}}
    end.

%% @private
-spec handle_cast({entered, Acceptor :: pid(), pid()} | {missed, Acceptor :: pid()}, #state{}) -> {noreply, #state{}}.
handle_cast({entered, Acceptor, Pid}, #state{metrics = Metrics} = State) ->
    {Role, #state{roles = Roles} = Left} = placed(Acceptor, State),
    Place = case Role of
        serve ->
            aldis_metrics:add(Metrics, accepted, 1),
            aldis_metrics:add(Metrics, connections, 1),
            open;
        {reject, _} ->
            aldis_metrics:add(Metrics, rejected, 1),
            rejected
    end,
    {noreply, Left#state{roles = Roles#{erlang:monitor(process, Pid) => Place}}};
handle_cast({missed, Acceptor}, State) -> {noreply, missing(Acceptor, State)}.

placed(Acceptor, #state{admitted = Admitted} = State) ->
    {{Monitor, Role}, Left} = maps:take(Acceptor, Admitted),
    erlang:demonitor(Monitor, [flush]),
    {Role, State#state{admitted = Left}}.

missing(Acceptor, #state{handle = #handle{counts = Counts}} = State) ->
    {Role, Left} = placed(Acceptor, State),
    atomics:sub(Counts, place(Role), 1),
    Left.

place(serve) -> ?OPEN;
place({reject, _}) -> ?REJECTED.

%% @private
-spec handle_info(term(), #state{}) -> {noreply, #state{}}.
handle_info(metrics, State) ->
    tell(State),
    {noreply, told_later(State)};
handle_info({'DOWN', _, process, Pid, _}, #state{admitted = Admitted} = State) when is_map_key(Pid, Admitted) ->
    {noreply, missing(Pid, State)};
handle_info({'DOWN', Monitor, process, Pid, _}, #state{handle = Handle, metrics = Metrics, roles = Roles} = State) ->
    #handle{table = Table, counts = Counts} = Handle,
    [begin
        aldis_metrics:add(Metrics, queue, -counters:get(Counted, 3)),
        aldis_budget:given_back(Handle#handle.budget, Counted)
    end || {_, _, _, Counted, _} <- ets:take(Table, Pid)],
    {Role, Left} = maps:take(Monitor, Roles),
    case Role of
        open ->
            aldis_metrics:add(Metrics, connections, -1),
            atomics:sub(Counts, ?OPEN, 1);
        rejected -> atomics:sub(Counts, ?REJECTED, 1)
    end,
    {noreply, State#state{roles = Left}};
%% Handlers of events run here, and may leave messages behind.
handle_info(_, State) -> {noreply, State}.

tell(#state{name = Name, metrics = Metrics}) -> aldis_metrics:tell([aldis, listener, metrics], Metrics, #{listener => Name}).

%% @private
-spec terminate(term(), #state{}) -> ok.
terminate(Reason, #state{name = Name} = State) ->
    tell(State),
    %% A listener that was stopped has no numbers to show; one that failed goes on with them.
    case Reason of
        _ when Reason =:= normal; Reason =:= shutdown -> aldis_metrics:delete(listener, Name);
        _ -> ok
    end.
