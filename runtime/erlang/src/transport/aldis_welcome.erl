%% @doc Whether a client's HELLO is welcome: version, authorization, durability, producer, and the handler's own word.
-module(aldis_welcome).

-include("aldis_frame.hrl").

-export([welcome/5]).

-define(VERSION, 1).
-define(NOBODY, <<0:128>>).
%% Bytes of credit that a connection gets however many there are; what they say beyond the memory waits in their sockets.
-define(LEAST_CREDIT, 65536).

%% @doc The WELCOME and what the session needs, or why there is none. Waits while another connection of the producer ends.
-spec welcome(#hello{}, reference(), aldis_connection:context(), aldis_handler:connection(), counters:counters_ref()) ->
    {ok, #welcome{}, aldis_handler:handler(), aldis_intake:intake()} | {refuse, aldis_frame:code(), binary()}.
welcome(Hello, Tag, Context, About, Counted) ->
    %% A new epoch is counted by the log, where there is one, and only then claimed.
    Claims = case is_next(Hello, Context) of
        true -> [fun in_log/3, fun claimed/3];
        false -> [fun claimed/3, fun in_log/3]
    end,
    Checks = [fun version/3, fun authorized/3, fun durability/3, fun owned/3 | Claims],
    case checked(Checks, Hello, Context, About) of
        {ok, Known} -> handled(Hello, Tag, Context, Known, Counted);
        Refused -> Refused
    end.

handled(Hello, Tag, #{handler := Spec} = Context, Known, Counted) ->
    case aldis_handler:open(Context, Spec, maps:without([kept, last, owner, wanted, tells_durable], Known)) of
        {ok, Handler} ->
            Credit = credit(Hello, Context),
            {ok, welcome(Hello, Context, Known, Credit), Handler, intake(Hello, Tag, Context, Known#{credit => Credit}, Counted)};
        {refuse, Text} -> {refuse, refused, Text};
        failed -> {refuse, handler, <<"the handler failed">>}
    end.

welcome(#hello{durability = Granted} = Hello, #{max_frame := MaxFrame} = Context, Known, {Messages, Bytes}) ->
    #{last := Last, epoch := Epoch} = Known,
    Features = features(Hello, Context),
    #welcome{version = ?VERSION, features = Features, session = erlang:unique_integer([positive]),
             last = Last, credit_messages = Messages, credit_bytes = Bytes, max_frame = MaxFrame,
             durability = Granted, epoch = case Features band ?NEXT_EPOCH of 0 -> none; _ -> Epoch end}.

intake(#hello{producer = Producer, durability = Granted} = Hello, Tag, Context, Known, Counted) ->
    #{epoch := Epoch, kept := Kept, last := Last, credit := Credit, tells_durable := Tells} = Known,
    aldis_intake:new(Context#{
        features => features(Hello, Context), granted => awaited(Granted), tells_durable => Tells, producer => Producer, epoch => Epoch,
        kept => Kept, counted => Counted, tag => Tag, last => Last, credit => Credit
    }).

%% Both levels that a sink gives are reached when it says so.
awaited(replicated) -> durable;
awaited(Granted) -> Granted.

%% CRC-32C is asked for by those who have it in hardware; OTP has not.
features(#hello{features = Wanted} = Hello, Context) ->
    Wanted band (?NO_CHECKSUM bor ?SCHEMA bor ?PUSH) bor case is_next(Hello, Context) of
        true -> ?NEXT_EPOCH;
        false -> 0
    end.

%% A sink that cannot count epochs leaves them to the client.
is_next(#hello{features = Wanted}, _) when Wanted band ?NEXT_EPOCH =:= 0 -> false;
is_next(_, #{sink := none}) -> true;
is_next(_, #{sink := Sink}) -> aldis_sink:numbers_epochs(Sink).

checked([], _, _, About) -> {ok, About};
checked([Check | Checks], Hello, Context, About) ->
    case Check(Hello, Context, About) of
        {ok, Known} -> checked(Checks, Hello, Context, Known);
        Refused -> Refused
    end.

version(#hello{version = Version}, _, About) when Version >= ?VERSION -> {ok, About};
version(_, _, _) -> {refuse, version, <<"this server speaks version 1">>}.

authorized(_, #{auth := none}, About) -> {ok, About};
authorized(#hello{auth_method = Method, auth_data = Data, producer = Producer}, #{auth := Auth}, About) ->
    case aldis_auth:ask(Auth, About#{method => Method, data => Data, producer => Producer}) of
        ok -> {ok, About};
        {ok, Identity} -> {ok, About#{identity => Identity}};
        refused -> {refuse, unauthorized, <<"not authorized">>}
    end.

durability(#hello{durability = Wanted, producer = Producer, epoch = Epoch} = Hello, #{sink := Sink} = Context, About) ->
    try levels(Sink) of
        Levels ->
            Logged = lists:member(Wanted, Levels),
            Claimed = case is_next(Hello, Context) of
                true -> next;
                false -> Epoch
            end,
            case Logged orelse Wanted =:= received orelse Wanted =:= handled of
                true ->
                    {ok, About#{producer => Producer, epoch => Epoch, wanted => Claimed, durability => Wanted,
                        tells_durable => Logged orelse lists:member(durable, Levels)}};
                false -> {refuse, unsupported, <<"this listener does not give the durability that is wanted">>}
            end
    catch
        exit:_ -> {refuse, unavailable, <<"the log cannot be asked; try again">>}
    end.

levels(none) -> [];
levels(Sink) -> aldis_sink:grants(Sink).

%% A producer is of the identity that made it: others are told so before they end a connection of its owner's. How many new ones
%% there may be goes by identity, or by address where clients have none.
owned(#hello{producer = Producer}, #{listener := Listener, sink := Sink}, #{peer := Peer} = About) ->
    {Owner, Source} = case About of
        #{identity := Identity} -> {digest(Identity), {identity, Identity}};
        #{} -> {?NOBODY, case Peer of {Ip, _} -> Ip; _ -> Peer end}
    end,
    case Sink =/= none andalso aldis_sink:identity(Sink, Producer) of
        {ok, Other} when Other =/= Owner, Other =/= ?NOBODY -> not_owner();
        {ok, _} -> {ok, About#{owner => Owner}};
        {error, _} -> {refuse, unavailable, <<"the log cannot be asked; try again">>};
        _ ->
            case aldis_producers:admitted(Listener, Producer, Source) of
                true -> {ok, About#{owner => Owner}};
                false -> {refuse, unavailable, <<"too many new producers have come from here; try again later">>}
            end
    end.

digest(Identity) -> binary:part(crypto:hash(sha256, term_to_binary(Identity, [{minor_version, 2}, deterministic])), 0, 16).

not_owner() -> {refuse, unauthorized, <<"this producer belongs to another identity">>}.

claimed(#hello{producer = Producer}, #{listener := Listener} = Context, #{wanted := Wanted, owner := Owner} = About) ->
    #{accepted := Accepted, handshake_timeout := Timeout} = Context,
    case aldis_producers:claim(Listener, Producer, Wanted, Owner, Accepted, Timeout) of
        {ok, Epoch, Kept} ->
            aldis_connections:about(maps:get(connections, Context), producer, Producer),
            {ok, About#{kept => Kept, epoch => Epoch, wanted => Epoch}};
        {error, {stale_epoch, Newest}} -> stale(Newest);
        {error, not_owner} -> not_owner();
        {error, superseded} -> {refuse, superseded, <<"the producer connected again">>};
        {error, busy} -> {refuse, unavailable, <<"the producer's other connection is still busy; try again">>}
    end.

stale(Newest) -> {refuse, stale_epoch, iolist_to_binary(io_lib:format("epoch ~b of this producer is known", [Newest]))}.

%% With a log it is the log that knows how far the producer has come; what was handled beyond that, as the log failed, is
%% only written when it comes again.
in_log(_, #{sink := none}, #{kept := Kept} = About) -> {ok, About#{last => atomics:get(Kept, 1)}};
in_log(_, #{sink := none}, About) -> {ok, About#{last => 0}};
in_log(#hello{producer = Producer}, #{sink := Sink}, #{wanted := Wanted, owner := Owner} = About) ->
    try aldis_sink:claim(Sink, Producer, Wanted, Owner) of
        {ok, Epoch, Last} ->
            case About of
                #{kept := Kept} -> atomics:put(Kept, 1, max(Last, atomics:get(Kept, 1)));
                #{} -> ok
            end,
            {ok, About#{last => Last, epoch => Epoch, wanted => Epoch}};
        {error, {stale_epoch, Newest}} -> stale(Newest);
        {error, not_owner} -> not_owner();
        {error, full} -> {refuse, unavailable, <<"the log knows as many producers as it may (max_producers, identity_producers)">>};
        {error, _} -> {refuse, unavailable, <<"the log cannot be asked; try again">>}
    catch
        %% The log's process is not there, or busy for too long.
        exit:_ -> {refuse, unavailable, <<"the log cannot be asked; try again">>}
    end.

%% A connection's credit is no more than half of its share of the listener's memory: the other half is for frames that are not
%% whole.
credit(#hello{window_messages = Messages, window_bytes = Bytes}, #{credit := {MaxMessages, MaxBytes}} = Context) ->
    #{budget := Budget, connections := Connections} = Context,
    Share = max(?LEAST_CREDIT, aldis_budget:share(Budget, aldis_connections:open(Connections)) div 2),
    {wanted(Messages, MaxMessages), wanted(Bytes, min(MaxBytes, Share))}.

wanted(0, Max) -> Max;
wanted(Wanted, Max) -> min(Wanted, Max).
