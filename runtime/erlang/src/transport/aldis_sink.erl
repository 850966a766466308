%% @doc Sinks keep the messages that are acknowledged as durable: their behaviour, and the calls on a running one.
%%
%% A running sink is `{Module, Name}'. {@link aldis_log} is the one that comes with this application; another one may put
%% messages into an external log. A listener asks {@link producer/3} once for each connection and then only appends.
%%
%% The sink is the judge of what is new: it knows the last sequence of each producer, in the order in which things were
%% made durable, so two connections of one producer cannot put a message there twice. Whoever appends also monitors: what
%% was appended to a sink that went away and is not answered is undecided.
-module(aldis_sink).

-export([monitor/1, producer/3, claim/4, identity/2, numbers_epochs/1, grants/1, newest/1, next/1, append/8, subscribe/4, consumed/4, unsubscribe/2]).
-export_type([options/0, sink/0, name/0, producer/0, identity/0, epoch/0, sequence/0, schema/0, entries/0, subscription/0, outcome/0]).

-type sink() :: {Module :: module(), name()}.
-type name() :: atom() | pid().
-type producer() :: <<_:128>>.
%% Whom a producer belongs to: zeros are nobody.
-type identity() :: <<_:128>>.
-type epoch() :: 0..16#FFFFFFFF.
-type sequence() :: non_neg_integer().
%% Sequences and offsets count messages, from 1; 0 is before the first.
-type schema() :: {Schema :: 0..16#FFFFFFFF, Template :: 0..16#FFFFFFFF} | none.
-type entries() :: binary().
%% As on the wire: for each message its size as u32, little-endian, and its bytes.
-type subscription() :: term().
-type options() :: #{origin => boolean(), bytes => pos_integer()}.
-type outcome() ::
    {durable, Last :: sequence()}
    | {error, {gap, Expected :: sequence()} | {stale_epoch, Newest :: epoch()} | {too_large, Most :: pos_integer()} | bad_count | full
        | unavailable}.
%% `{durable, Last}': all of the producer's messages up to `Last' outlive a loss of power. `bad_count': the entries are not
%% as many as said. `too_large': an entry has more than `Most' bytes, its size among them, and is never taken. `full': it knows as many producers as it may, and this is none of them. `unavailable': not written, or not known to be; the producer sends again later.

%% Starts a sink below the caller's supervisor. It may be one process or a supervisor.
-callback start_link(Options :: map()) -> {ok, pid()} | {error, term()}.

%% Announces a producer and fences its older epochs. `Last' is durable: the producer forgets all up to it.
-callback producer(name(), producer(), epoch()) ->
    {ok, Last :: sequence()} | {error, {stale_epoch, Newest :: epoch()} | full | term()}.

%% The same for a producer of an identity: `not_owner' when it belongs to another one. With `next' it begins an epoch behind all
%% that were, which the answer tells.
-callback claim(name(), producer(), epoch() | next, identity()) ->
    {ok, epoch(), Last :: sequence()} | {error, {stale_epoch, Newest :: epoch()} | not_owner | full | term()}.

%% To whom a producer belongs.
-callback identity(name(), producer()) -> {ok, identity()} | unknown | {error, term()}.

%% Takes `Count' messages from sequence `First' on and returns at once; messages that are known already are dropped. The
%% caller gets `{aldis_sink, Tag, outcome()}' when it is decided, in the order of its calls. The entries may be part of a
%% larger binary; a sink keeps no reference to it longer than until they are written.
-callback append(name(), producer(), epoch(), First :: sequence(), Count :: pos_integer(), schema(), entries(),
    Tag :: term()) -> ok.

%% Sends what is durable from offset `From' on (0: what comes from now on) to the caller, at most `Credit' messages
%% beyond what it said to have consumed, as `{aldis_sink, Subscription, {entries, First, Count, Entries}}'. An end that the
%% caller did not ask for is `{aldis_sink, Subscription, {closed, Reason}}'.
-callback subscribe(name(), From :: sequence(), Credit :: non_neg_integer()) ->
    {ok, subscription()} | {error, term()}.

%% The same; with `origin' each message has in front who sent it: producer (16 bytes), epoch u32, sequence u64, little-endian. With
%% `bytes' no more of them are sent ahead of what is consumed, but for a message that is larger alone; what was sent together counts
%% until all of it is consumed.
-callback subscribe(name(), From :: sequence(), Credit :: non_neg_integer(), options()) ->
    {ok, subscription()} | {error, term()}.

%% The subscriber is done with all up to `Consumed' (0: with nothing yet); there may be `Credit' messages beyond it, or beyond
%% what was before the subscription's first message.
-callback consumed(name(), subscription(), Consumed :: sequence(), Credit :: non_neg_integer()) -> ok.

-callback unsubscribe(name(), subscription()) -> ok.

%% The durabilities that clients may take `{durable, Last}' for; a sink without this callback gives `durable'. `durable': on the disk.
%% `replicated': on several machines.
-callback grants(name()) -> [durable | replicated].

%% The newest durable offset, 0 before the first: from it the lag of consumers is told.
-callback newest(name()) -> sequence().

%% The offset at which the next message will be, or a lower one behind all that are durable.
-callback next(name()) -> {ok, sequence()} | {error, term()}.

-optional_callbacks([claim/4, identity/2, grants/1, newest/1, next/1, subscribe/3, subscribe/4, consumed/4, unsubscribe/2]).

%% @doc Says with a `DOWN' message when the sink is gone, or not there.
-spec monitor(sink()) -> reference().
monitor({_, Name}) -> erlang:monitor(process, Name).

%% @doc Announces a producer: the last sequence of it in this epoch that is durable.
-spec producer(sink(), producer(), epoch()) -> {ok, sequence()} | {error, {stale_epoch, epoch()}} | {error, term()}.
producer({Module, Name}, Producer, Epoch) -> Module:producer(Name, Producer, Epoch).

%% @doc Announces a producer of an identity: its epoch and the last sequence of it in this epoch that is durable. A sink without
%% identities makes no difference between them.
-spec claim(sink(), producer(), epoch() | next, identity()) ->
    {ok, epoch(), sequence()} | {error, {stale_epoch, epoch()} | not_owner | full | term()}.
claim({Module, Name} = Sink, Producer, Epoch, Identity) ->
    case {numbers_epochs(Sink), Epoch} of
        {true, _} -> Module:claim(Name, Producer, Epoch, Identity);
        {false, next} -> {error, unsupported};
        {false, _} ->
            case Module:producer(Name, Producer, Epoch) of
                {ok, Last} -> {ok, Epoch, Last};
                {error, _} = Error -> Error
            end
    end.

%% @doc Whether a sink knows identities, and can say which epoch is the next one.
-spec numbers_epochs(sink()) -> boolean().
numbers_epochs({Module, _}) -> exports(Module, claim, 4).

%% @doc The durabilities that clients may ask for, beside those that no sink is needed for.
-spec grants(sink()) -> [durable | replicated].
grants({Module, Name}) ->
    case exports(Module, grants, 1) of
        true -> Module:grants(Name);
        false -> [durable]
    end.

%% @doc The newest durable offset, where the sink can say it at once.
-spec newest(sink()) -> sequence() | unknown.
newest({Module, Name}) ->
    case exports(Module, newest, 1) of
        true -> Module:newest(Name);
        false -> unknown
    end.

%% @doc The offset from which "from now on" is, where the sink can say it.
-spec next(sink()) -> {ok, sequence()} | {error, term()} | unknown.
next({Module, Name} = Sink) ->
    case {exports(Module, next, 1), newest(Sink)} of
        {true, _} -> Module:next(Name);
        {false, unknown} -> unknown;
        {false, Newest} -> {ok, Newest + 1}
    end.

%% Loaded before asked: a module that was never called exports nothing yet.
exports(Module, Function, Arity) ->
    _ = code:ensure_loaded(Module),
    erlang:function_exported(Module, Function, Arity).

%% @doc To whom a producer belongs, as far as the sink knows.
-spec identity(sink(), producer()) -> {ok, identity()} | unknown | {error, term()}.
identity({Module, Name}, Producer) ->
    case exports(Module, identity, 2) of
        true -> Module:identity(Name, Producer);
        false -> unknown
    end.

%% @doc Takes messages; the caller gets `{aldis_sink, Tag, Outcome}' later.
-spec append(sink(), producer(), epoch(), sequence(), pos_integer(), schema(), entries(), term()) -> ok.
append({Module, Name}, Producer, Epoch, First, Count, Schema, Entries, Tag) ->
    Module:append(Name, Producer, Epoch, First, Count, Schema, Entries, Tag).

%% @doc Begins to send durable messages to the caller. `{error, unsupported}': this sink cannot be read.
-spec subscribe(sink(), sequence(), non_neg_integer(), options()) -> {ok, subscription()} | {error, term()}.
subscribe({Module, Name}, From, Credit, Options) ->
    case {exports(Module, subscribe, 4), Options, exports(Module, subscribe, 3)} of
        {true, _, _} -> Module:subscribe(Name, From, Credit, Options);
        {false, #{origin := true}, _} -> {error, unsupported};
        {false, _, true} -> Module:subscribe(Name, From, Credit);
        {false, _, false} -> {error, unsupported}
    end.

%% @doc Says how far the subscriber is, and how many messages it takes beyond that.
-spec consumed(sink(), subscription(), sequence(), non_neg_integer()) -> ok.
consumed({Module, Name}, Subscription, Consumed, Credit) -> Module:consumed(Name, Subscription, Consumed, Credit).

%% @doc Ends a subscription. Messages of it that are on their way may still come.
-spec unsubscribe(sink(), subscription()) -> ok.
unsubscribe({Module, Name}, Subscription) -> Module:unsubscribe(Name, Subscription).
