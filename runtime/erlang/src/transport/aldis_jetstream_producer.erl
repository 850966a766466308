%% @doc One producer of {@link aldis_sink_jetstream}: its waiting operations, the last known message of its subject, and the next
%% step that follows from both. Nothing is sent here.
%%
%% The known message may be old, as other nodes write too. It proves only a least value of numbers that never become less: every
%% write names the message that it expects to be the last one of the subject, and JetStream refuses it when another one is.
%%
%% A claim has a name, which all that is written under it bears. Batches of a connection whose producer was claimed after it, here or at another
%% node, are refused: who claimed was told how far the producer is, and begins behind that.
-module(aldis_jetstream_producer).

-export([new/0, put/2, is_idle/1, known/2, forget/1, judge/2, announced/2, written/3, expired/2, headers/3, known_of/2]).
-export_type([t/0, known/0, op/0, message/0, name/0]).

-type name() :: <<_:64>>.
-type known() :: {Sequence :: non_neg_integer(), none | aldis_sink:epoch(), Last :: aldis_sink:sequence(), aldis_sink:identity(), none | name()}.
%% The stream's sequence of the last message of its subject (0: none), its epoch, the last sequence in that, whom it belongs to, and the
%% claim under which it was written.
-type op() ::
    {identity, To :: term(), Deadline :: integer()}
    | {claim, To :: term(), Deadline :: integer(), aldis_sink:epoch() | next, aldis_sink:identity(), name()}
    | {append, To :: term(), Deadline :: integer(), aldis_sink:epoch(), First :: aldis_sink:sequence(), pos_integer(),
        aldis_sink:schema(), aldis_sink:entries()}.
-type message() :: #{expected := non_neg_integer(), epoch := aldis_sink:epoch(), first := aldis_sink:sequence(),
    count := non_neg_integer(), schema := aldis_sink:schema(), identity := aldis_sink:identity(), claim := none | name(), entries := iodata()}.

-record(producer, {
    known = unknown :: unknown | known(),
    %% Whether it was asked for since the newest operation came.
    fresh = false :: boolean(),
    %% The last claim of this node.
    claim = none :: none | name(),
    ops = queue:new() :: queue:queue(op())
}).
-opaque t() :: #producer{}.

-define(NOBODY, <<0:128>>).
-define(MAX_EPOCH, 16#FFFFFFFF).
%% Offsets of readers have so many bits for the messages of one batch.
-define(MOST, 16#100000).

-spec new() -> t().
new() -> #producer{}.

-spec put(op(), t()) -> t().
put(Op, #producer{ops = Ops} = Producer) -> Producer#producer{ops = queue:in(Op, Ops), fresh = false}.

-spec is_idle(t()) -> boolean().
is_idle(#producer{ops = Ops}) -> queue:is_empty(Ops).

%% @doc The last message of its subject, as it was just read.
-spec known(known(), t()) -> t().
known(Known, Producer) -> Producer#producer{known = Known, fresh = true}.

%% @doc Whatever was known may be wrong.
-spec forget(t()) -> t().
forget(Producer) -> Producer#producer{known = unknown}.

%% @doc The next thing to do: `ask' for the last message, `answer' its first operation, which is then over, or write a message of
%% at most `Max' bytes.
-spec judge(Max :: pos_integer(), t()) ->
    idle | ask | {answer, append | claim | identity, To :: term(), term(), t()} | {announce, message()} | {write, message()}.
judge(Max, #producer{known = Known, ops = Ops} = Producer) ->
    case {queue:peek(Ops), Known} of
        {empty, _} -> idle;
        {_, unknown} -> ask;
        {{value, {identity, _, _}}, _} when not Producer#producer.fresh -> ask;
        {{value, {identity, _, _}}, {_, none, _, _, _}} -> answer(unknown, Producer);
        {{value, {identity, _, _}}, {_, _, _, Owner, _}} -> answer({ok, Owner}, Producer);
        {{value, {claim, _, _, _, _, _} = Claim}, _} -> claim(Claim, Known, Producer);
        {{value, {append, _, _, _, _, _, _, _} = Append}, _} -> append(Append, last(Append, Known, Producer#producer.claim), Max, Producer)
    end.

claim({claim, _, _, Wanted, Identity, Name}, {Sequence, Epoch, Last, Owner, _}, Producer) ->
    Claimed = wanted(Wanted, Epoch),
    if
        Epoch =/= none, Owner =/= Identity, Owner =/= ?NOBODY -> answer({error, not_owner}, Producer);
        Epoch =/= none, Epoch > Claimed -> answer({error, {stale_epoch, Epoch}}, Producer);
        true ->
            %% Also where nothing changes: that this write is accepted says that nobody has written meanwhile.
            Known = if Epoch =:= Claimed -> Last; true -> 0 end,
            {announce, #{expected => Sequence, epoch => Claimed, first => Known + 1, count => 0, schema => none, identity => Identity,
                claim => Name, entries => <<>>}}
    end.

wanted(next, none) -> 1;
wanted(next, Epoch) -> min(Epoch + 1, ?MAX_EPOCH);
wanted(Epoch, _) -> Epoch.

last({append, _, _, Epoch, _, _, _, _}, {_, Known, _, _, _}, _) when Known =/= none, Known > Epoch -> {stale, Known};
last(_, {_, _, _, _, Other}, Claim) when Other =/= none, Other =/= Claim -> claimed_again;
last({append, _, _, Epoch, _, _, _, _}, {_, Epoch, Last, _, _}, _) -> Last;
last(_, _, _) -> 0.

append(_, {stale, Newest}, _, Producer) -> answer({error, {stale_epoch, Newest}}, Producer);
append(_, claimed_again, _, Producer) -> answer({error, unavailable}, Producer);
append({append, _, _, _, First, _, _, _}, Last, _, #producer{fresh = false}) when First > Last + 1 -> ask;
append({append, _, _, _, First, _, _, _}, Last, _, Producer) when First > Last + 1 -> answer({error, {gap, Last + 1}}, Producer);
append({append, _, _, _, First, Count, _, _}, Last, _, Producer) when First + Count - 1 =< Last ->
    %% Not what another node has beyond it: this session has not seen that.
    answer({durable, First + Count - 1}, Producer);
append({append, _, _, Epoch, First, Count, Schema, Entries}, Last, Max, #producer{ops = Ops, known = {Sequence, _, _, Owner, _}} = Producer) ->
    case cut(Entries, Last + 1 - First, Count, Max) of
        {ok, Added, Part} ->
            {All, Bytes} = case Added of
                _ when Last + Added =:= First + Count - 1 -> joined(queue:drop(Ops), Epoch, Schema, Last + Added, Added, [Part], Max - byte_size(Part));
                _ -> {Added, Part}
            end,
            {write, #{expected => Sequence, epoch => Epoch, first => Last + 1, count => All, schema => Schema, identity => Owner,
                claim => Producer#producer.claim, entries => Bytes}};
        {error, Reason} -> answer({error, Reason}, Producer)
    end.

%% Batches that follow on and were not asked of JetStream yet go with the first one.
joined(Ops, Epoch, Schema, Last, Count, Bytes, Room) ->
    case queue:peek(Ops) of
        {value, {append, _, _, Epoch, First, More, Schema, Entries}}
                when First =:= Last + 1, byte_size(Entries) =< Room, Count + More =< ?MOST ->
            case aldis_scan:entries(Entries, 0, More) of
                {ok, Size} -> joined(queue:drop(Ops), Epoch, Schema, Last + More, Count + More, [Bytes, Entries], Room - Size);
                {error, bad_count} -> {Count, Bytes}
            end;
        _ -> {Count, Bytes}
    end.

%% The entries behind the first `Known', as many as have room.
cut(Entries, 0, Count, Max) when byte_size(Entries) =< Max, Count =< ?MOST ->
    case aldis_scan:entries(Entries, 0, Count) of
        {ok, _} -> {ok, Count, Entries};
        {error, bad_count} = Error -> Error
    end;
cut(Entries, Known, Count, Max) ->
    case {aldis_log_record:skip(Entries, Known), aldis_log_record:skip(Entries, Count)} of
        {{ok, From}, {ok, To}} when To =:= byte_size(Entries), To - From =< Max, Count - Known =< ?MOST ->
            {ok, Count - Known, binary:part(Entries, From, To - From)};
        {{ok, From}, {ok, To}} when To =:= byte_size(Entries) -> some(Entries, From, From, 0, Max);
        _ -> {error, bad_count}
    end.

some(Entries, From, At, Count, Max) ->
    case Entries of
        <<_:At/binary, Size:32/little, _/binary>> when At + 4 + Size - From =< Max, Count < ?MOST ->
            some(Entries, From, At + 4 + Size, Count + 1, Max);
        _ when Count > 0 -> {ok, Count, binary:part(Entries, From, At - From)};
        _ -> {error, {too_large, Max}}
    end.

answer(Outcome, #producer{ops = Ops} = Producer) ->
    {{value, Op}, Left} = queue:out(Ops),
    {answer, element(1, Op), element(2, Op), Outcome, Producer#producer{ops = Left}}.

%% @doc A claim's message is in the stream, with a sequence of the stream: the claim is answered.
-spec announced(message(), {non_neg_integer(), t()}) -> {answer, claim, To :: term(), term(), t()}.
announced(#{epoch := Epoch, first := Next, identity := Identity, claim := Name}, {Sequence, Producer}) ->
    {answer, claim, _, _, _} = answer({ok, Epoch, Next - 1}, Producer#producer{known = {Sequence, Epoch, Next - 1, Identity, Name}, claim = Name}).

%% @doc A batch's message is in the stream.
-spec written(message(), non_neg_integer(), t()) -> t().
written(#{epoch := Epoch, first := First, count := Count, identity := Identity, claim := Name}, Sequence, Producer) ->
    Producer#producer{known = {Sequence, Epoch, First + Count - 1, Identity, Name}}.

%% @doc Whom to tell that nothing of theirs is known to be kept: all, when the first one has waited for too long.
-spec expired(Now :: integer(), t()) -> none | {[{append | claim | identity, To :: term()}], t()}.
expired(Now, #producer{ops = Ops, claim = Claim}) ->
    case queue:peek(Ops) of
        {value, Op} when element(3, Op) < Now -> {[{element(1, O), element(2, O)} || O <- queue:to_list(Ops)], #producer{claim = Claim}};
        _ -> none
    end.

%% @doc The headers of a message, by which JetStream judges it, and those from which {@link known_of/2} learns again what is known.
-spec headers(binary(), aldis_sink:producer(), message()) -> aldis_nats:headers().
headers(Stream, Producer, #{expected := Expected, epoch := Epoch, first := First, count := Count, schema := Schema, identity := Identity, claim := Claim}) ->
    Numbers = lists:join($., [integer_to_binary(N) || N <- [Epoch, First, Count]]),
    Id = [binary:encode_hex(Producer), $., Numbers],
    [{<<"Nats-Msg-Id">>, case Count of 0 -> [Id, $., integer_to_binary(Expected)]; _ -> Id end},
     {<<"Nats-Expected-Stream">>, Stream},
     {<<"Nats-Expected-Last-Subject-Sequence">>, integer_to_binary(Expected)},
     {<<"Aldis-Batch">>, Numbers},
     {<<"Aldis-Identity">>, binary:encode_hex(Identity)}
     | [{<<"Aldis-Claim">>, binary:encode_hex(Claim)} || Claim =/= none]
       ++ [{<<"Aldis-Schema">>, [integer_to_binary(S), $., integer_to_binary(T)]} || {S, T} <- [Schema]]].

%% @doc The contents of the last message's headers, with its sequence in the stream.
-spec known_of(#{binary() => binary()}, non_neg_integer()) -> {ok, known()} | {error, not_ours}.
known_of(#{<<"Aldis-Batch">> := Numbers, <<"Aldis-Identity">> := Identity} = Headers, Sequence) ->
    try
        [Epoch, First, Count] = [binary_to_integer(N) || N <- binary:split(Numbers, <<".">>, [global])],
        <<_:128>> = Owner = binary:decode_hex(Identity),
        {ok, {Sequence, Epoch, First + Count - 1, Owner, claim_of(Headers)}}
    catch error:_ -> {error, not_ours}
    end;
known_of(_, _) -> {error, not_ours}.

claim_of(#{<<"Aldis-Claim">> := Name}) ->
    <<_:64>> = binary:decode_hex(Name);
claim_of(_) -> none.
