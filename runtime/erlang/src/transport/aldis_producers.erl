%% @doc The owners of a listener's producers, and how far each has come.
%%
%% One connection at a time has a producer. A later one that claims it makes the first one finish, and gets it when that one has
%% dealt with what it took, or its process has ended, so what was handled is known. Later is what was accepted later: a HELLO
%% that was long on its way, of a connection that the client has given up meanwhile, ends no newer one. A producer's last sequence is kept in an
%% atomic that the connection writes: it outlives the connection, however that ends. Without a log it does not outlive the
%% listener.
-module(aldis_producers).
-behaviour(gen_server).

-export([start_link/2, admitted/3, claim/6, release/2]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-type producer() :: <<_:128>>.
-type epoch() :: 0..16#FFFFFFFF.
-type identity() :: <<_:128>>.
-type refusal() :: {stale_epoch, Newest :: epoch()} | superseded | busy | not_owner | too_many.

-record(entry, {
    identity :: identity(),
    epoch :: epoch(),
    last :: atomics:atomics_ref(),
    holder :: {pid(), reference()} | none,
    %% When the connection that has it, or is to have it next, was accepted.
    accepted :: integer(),
    %% The process that gets it next.
    waiter = none :: {gen_server:from(), epoch()} | none,
    %% When it was last let go; the least of all is forgotten first.
    left = 0 :: integer()
}).
%% How many producers nobody knew yet an identity, or an address, may bring at once; how many more each second; and of how many
%% of them this is known.
-define(NEW, 10000).
-define(NEW_SECOND, 10).
-define(BUCKETS, 100000).
-define(NOBODY, <<0:128>>).

-record(state, {
    max :: pos_integer(),
    %% For each identity, or address, how many new producers it may still bring, and the time at which that was counted.
    buckets = #{} :: #{term() => {number(), Milliseconds :: integer()}},
    entries = #{} :: #{producer() => #entry{}},
    holders = #{} :: #{reference() => producer()},
    unheld = gb_sets:new() :: gb_sets:set({integer(), producer()})
}).

%% @doc Starts the list of a listener.
-spec start_link(atom(), map()) -> {ok, pid()} | {error, term()}.
start_link(Name, Options) -> gen_server:start_link(via(Name), ?MODULE, Options, []).

via(Name) -> {via, aldis_names, {Name, producers}}.

%% @doc Whether one more producer may come that nobody knows, from an identity or, where clients have none, an address.
-spec admitted(atom(), producer(), Source :: term()) -> boolean().
admitted(Name, Producer, Source) -> gen_server:call(via(Name), {admitted, Producer, Source}).

%% @doc Makes the caller the one connection of a producer: its epoch, and the atomic with its last sequence in that. The connection
%% that has it gets `aldis_superseded', and `Timeout' milliseconds to end. `Accepted' grows with each connection. With `next'
%% the epoch is behind all that were here. A producer is of the identity that claimed it first; of nobody: zeros.
-spec claim(atom(), producer(), epoch() | next, identity(), Accepted :: integer(), timeout()) ->
    {ok, epoch(), atomics:atomics_ref()} | {error, refusal()}.
claim(Name, Producer, Epoch, Identity, Accepted, Timeout) ->
    try
        gen_server:call(via(Name), {claim, Producer, Epoch, Identity, Accepted}, Timeout)
    catch
        exit:{timeout, _} -> {error, busy}
    end.

%% @doc The caller has dealt with all that it took from its producer, and only has to close.
-spec release(atom(), producer()) -> ok.
release(Name, Producer) -> gen_server:cast(via(Name), {release, Producer, self()}).

%% @private
-spec init(map()) -> {ok, #state{}}.
init(#{max_producers := Max}) -> {ok, #state{max = Max}}.

%% @private
-spec handle_call(term(), gen_server:from(), #state{}) -> {reply, term(), #state{}} | {noreply, #state{}}.
handle_call({admitted, Producer, _}, _, #state{entries = Entries} = State) when is_map_key(Producer, Entries) ->
    {reply, true, State};
handle_call({admitted, _, Source}, _, #state{buckets = Buckets} = State) ->
    Now = erlang:monotonic_time(millisecond),
    {Before, At} = maps:get(Source, Buckets, {?NEW, Now}),
    Left = min(?NEW, Before + (Now - At) * ?NEW_SECOND / 1000),
    %% A newcomer to a full list is no worse off than all others.
    Known = case map_size(Buckets) < ?BUCKETS of
        true -> Buckets;
        false -> #{}
    end,
    case Left >= 1 of
        true -> {reply, true, State#state{buckets = Known#{Source => {Left - 1, Now}}}};
        false -> {reply, false, State#state{buckets = Known#{Source => {Left, Now}}}}
    end;
handle_call({claim, Producer, Wanted, Identity, Accepted}, {Pid, _} = From, #state{entries = Entries} = State) ->
    Epoch = wanted(Wanted, Producer, Entries),
    case Entries of
        #{Producer := #entry{identity = Owner}} when Owner =/= Identity, Owner =/= ?NOBODY ->
            {reply, {error, not_owner}, State};
        #{Producer := #entry{epoch = Newest}} when Epoch < Newest -> {reply, {error, {stale_epoch, Newest}}, State};
        #{Producer := #entry{waiter = {_, Newest}}} when Epoch < Newest ->
            {reply, {error, {stale_epoch, Newest}}, State};
        #{Producer := #entry{holder = none} = Entry} ->
            granted(Producer, Epoch, Pid, Entry#entry{accepted = Accepted, identity = Identity}, State);
        #{Producer := #entry{accepted = Last} = Entry} ->
            case Last > Accepted andalso newest(Entry) =:= Epoch of
                true -> {reply, {error, superseded}, State};
                false -> supersede(From, Epoch, Accepted, Producer, Entry#entry{identity = Identity}, State)
            end;
        #{} ->
            Entry = #entry{epoch = Epoch, last = atomics:new(1, []), holder = none, accepted = Accepted, identity = Identity},
            granted(Producer, Epoch, Pid, Entry, State)
    end.

wanted(next, Producer, Entries) ->
    case Entries of
        #{Producer := Entry} -> min(newest(Entry) + 1, 16#FFFFFFFF);
        #{} -> 1
    end;
wanted(Epoch, _, _) -> Epoch.

newest(#entry{waiter = {_, Epoch}}) -> Epoch;
newest(#entry{epoch = Epoch}) -> Epoch.

supersede(From, Epoch, Accepted, Producer, #entry{holder = {Holder, _}, waiter = Waiter} = Entry, State) ->
    Holder ! aldis_superseded,
    refuse(Waiter),
    Waited = Entry#entry{waiter = {From, Epoch}, accepted = Accepted},
    {noreply, State#state{entries = (State#state.entries)#{Producer := Waited}}}.

refuse(none) -> ok;
refuse({From, _}) -> gen_server:reply(From, {error, superseded}).

granted(Producer, Epoch, Pid, Entry, State) ->
    {Last, Next} = hold(Producer, Epoch, Pid, Entry, State),
    {reply, {ok, Epoch, Last}, forget(Next)}.

hold(Producer, Epoch, Pid, #entry{epoch = Before, left = Left} = Entry, State) ->
    #state{entries = Entries, holders = Holders, unheld = Unheld} = State,
    Last = case Epoch of
        Before -> Entry#entry.last;
        _ -> atomics:new(1, [])
    end,
    Monitor = erlang:monitor(process, Pid),
    Held = Entry#entry{epoch = Epoch, last = Last, holder = {Pid, Monitor}, waiter = none},
    {Last, State#state{entries = Entries#{Producer => Held}, holders = Holders#{Monitor => Producer},
                       unheld = gb_sets:del_element({Left, Producer}, Unheld)}}.

%% Producers that have no connection are forgotten, the longest gone first, when there are too many.
forget(#state{max = Max, entries = Entries, unheld = Unheld} = State) when map_size(Entries) > Max ->
    case gb_sets:is_empty(Unheld) of
        true -> State;
        false ->
            {{_, Producer}, Left} = gb_sets:take_smallest(Unheld),
            State#state{entries = maps:remove(Producer, Entries), unheld = Left}
    end;
forget(State) -> State.

%% @private
-spec handle_cast({release, producer(), pid()}, #state{}) -> {noreply, #state{}}.
handle_cast({release, Producer, Pid}, #state{entries = Entries} = State) ->
    case Entries of
        #{Producer := #entry{holder = {Pid, Monitor}}} ->
            erlang:demonitor(Monitor, [flush]),
            {noreply, left(Monitor, State)};
        #{} -> {noreply, State}
    end.

%% @private
-spec handle_info({'DOWN', reference(), process, pid(), term()}, #state{}) -> {noreply, #state{}}.
handle_info({'DOWN', Monitor, process, _, _}, State) -> {noreply, left(Monitor, State)}.

%% The next one gets it, if somebody waits.
left(Monitor, #state{entries = Entries, holders = Holders, unheld = Unheld} = State) ->
    {Producer, Left} = maps:take(Monitor, Holders),
    #{Producer := Entry} = Entries,
    case Entry of
        #entry{waiter = {{Pid, _} = From, Epoch}} ->
            {Last, Next} = hold(Producer, Epoch, Pid, Entry, State#state{holders = Left}),
            gen_server:reply(From, {ok, Epoch, Last}),
            Next;
        #entry{waiter = none} ->
            Now = erlang:unique_integer([monotonic]),
            forget(State#state{
                holders = Left,
                entries = Entries#{Producer := Entry#entry{holder = none, left = Now}},
                unheld = gb_sets:add_element({Now, Producer}, Unheld)
            })
    end.
