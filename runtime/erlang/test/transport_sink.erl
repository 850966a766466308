%% A sink in memory for the tests of the server. `hold' makes it keep its word back until it is told to go on; it grants `durable' or what
%% the option `grants' says, and takes no entries of more bytes than `most'.
-module(transport_sink).
-behaviour(aldis_sink).
-behaviour(gen_server).

-export([start_link/1, producer/3, grants/1, append/8, subscribe/3, consumed/4, unsubscribe/2]).
-export([hold/1, go/1, fail/1, kept/2]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link(#{name := Name} = Options) -> gen_server:start_link({local, Name}, ?MODULE, Options, []).

grants(Name) -> gen_server:call(Name, grants).

producer(Name, Producer, Epoch) -> gen_server:call(Name, {producer, Producer, Epoch}).

append(Name, Producer, Epoch, First, Count, Schema, Entries, Tag) ->
    gen_server:cast(Name, {append, Producer, Epoch, First, Count, Schema, Entries, {self(), Tag}}).

subscribe(Name, From, Credit) -> gen_server:call(Name, {subscribe, From, Credit, self()}).
consumed(Name, Subscription, Consumed, Credit) -> gen_server:cast(Name, {consumed, Subscription, Consumed, Credit}).
unsubscribe(Name, Subscription) -> gen_server:cast(Name, {unsubscribe, Subscription}).

hold(Name) -> gen_server:call(Name, hold).
go(Name) -> gen_server:call(Name, go).
fail(Name) -> gen_server:call(Name, fail).
%% {Epoch, messages} of a producer.
kept(Name, Producer) -> gen_server:call(Name, {kept, Producer}).

init(Options) -> {ok, maps:merge(#{mode => go, held => [], producers => #{}, grants => [durable], most => 1 bsl 32}, Options)}.

handle_call({producer, Producer, Epoch}, _, #{producers := Producers} = State) ->
    case Producers of
        #{Producer := {Newest, _}} when Newest > Epoch -> {reply, {error, {stale_epoch, Newest}}, State};
        #{Producer := {Epoch, Messages}} -> {reply, {ok, length(Messages)}, State};
        #{} -> {reply, {ok, 0}, State#{producers := Producers#{Producer => {Epoch, []}}}}
    end;
handle_call(grants, _, #{grants := Levels} = State) -> {reply, Levels, State};
handle_call({subscribe, From, Credit, Pid}, _, State) ->
    %% Ten messages, as far as the credit goes.
    Last = min(10, max(1, From) - 1 + Credit),
    Subscription = {Pid, make_ref()},
    deliver(Subscription, max(1, From), Last),
    {reply, {ok, Subscription}, State};
handle_call(go, _, #{held := Held} = State) ->
    {reply, ok, lists:foldl(fun written/2, State#{mode := go, held := []}, lists:reverse(Held))};
handle_call({kept, Producer}, _, #{producers := Producers} = State) ->
    {reply, maps:get(Producer, Producers, none), State};
handle_call(Mode, _, State) -> {reply, ok, State#{mode := Mode}}.

handle_cast({append, _, _, _, _, _, _, {Pid, Tag}}, #{mode := fail} = State) ->
    Pid ! {aldis_sink, Tag, {error, unavailable}},
    {noreply, State};
handle_cast({append, _, _, _, _, _, Entries, {Pid, Tag}}, #{most := Most} = State) when byte_size(Entries) > Most ->
    Pid ! {aldis_sink, Tag, {error, {too_large, Most}}},
    {noreply, State};
handle_cast({append, _, _, _, _, _, _, _} = Append, #{mode := hold, held := Held} = State) ->
    {noreply, State#{held := [Append | Held]}};
handle_cast({append, _, _, _, _, _, _, _} = Append, State) -> {noreply, written(Append, State)};
handle_cast({consumed, {_, _} = Subscription, Consumed, Credit}, State) ->
    deliver(Subscription, Consumed + 1, min(10, Consumed + Credit)),
    {noreply, State};
handle_cast({unsubscribe, {Pid, _} = Subscription}, State) ->
    Pid ! {aldis_sink, Subscription, {closed, normal}},
    {noreply, State}.

written({append, Producer, Epoch, First, Count, _, Entries, {Pid, Tag}}, #{producers := Producers} = State) ->
    #{Producer := {Epoch, Messages}} = Producers,
    First = length(Messages) + 1,
    New = [Message || <<Size:32/little, Message:Size/binary>> <= Entries],
    Count = length(New),
    Pid ! {aldis_sink, Tag, {durable, First + Count - 1}},
    State#{producers := Producers#{Producer := {Epoch, Messages ++ New}}}.

deliver(_, First, Last) when First > Last -> ok;
deliver({Pid, _} = Subscription, First, Last) ->
    Entries = << <<2:32/little, Offset:16>> || Offset <- lists:seq(First, Last) >>,
    Pid ! {aldis_sink, Subscription, {entries, First, Last - First + 1, Entries}}.
