%% @doc The options of {@link aldis_client}: checked with words that say what to do, and filled up.
-module(aldis_client_options).

-export([check/1, credentials/1]).

%% A server takes a HELLO of 4 KiB; this much of it is for auth's method and data together.
-define(MAX_AUTH, 4096 - 43).

%% @doc All options of a client. `{bad_option, Text}' says which is wrong and what it may be.
-spec check(map()) -> {ok, map()} | {error, {bad_option, binary()}}.
check(Options) when is_map(Options) ->
    Merged = maps:merge(defaults(Options), Options),
    case [Text || {Key, Value} <- lists:sort(maps:to_list(Merged)), Text <- wrong(Key, Value)] of
        [] -> {ok, Merged};
        [First | _] -> {error, {bad_option, unicode:characters_to_binary(First)}}
    end;
check(_) ->
    {error, {bad_option, <<"the options of a client are a map, e.g. #{host => \"localhost\", port => 7100}">>}}.

%% @doc The method and data of the option `auth'. None from a fun that fails, which may do better when it is asked again.
-spec credentials(none | {binary(), binary()} | fun(() -> {binary(), binary()})) -> {binary(), binary()} | none.
credentials(none) -> {<<>>, <<>>};
credentials({_, _} = Auth) -> Auth;
credentials(Fun) ->
    try Fun() of
        Auth ->
            case is_auth(Auth) of
                true -> Auth;
                false ->
                    logger:error("aldis client: what auth gives has to be {Method, Data}, two binaries of at most 255 bytes "
                        "and 4,053 together"),
                    none
            end
    catch
        %% Reasons and arguments may be secrets.
        Class:_:Stack ->
            logger:error("aldis client: auth failed: ~0tp in ~0tp", [Class, [{M, F} || {M, F, _, _} <- Stack]]),
            none
    end.

is_server({Host, Port}) -> wrong(host, Host) ++ wrong(port, Port) =:= [];
is_server(_) -> false.

%% A method and data that a HELLO has room for.
is_auth({Method, Data}) when is_binary(Method), byte_size(Method) < 256, is_binary(Data) ->
    byte_size(Method) + byte_size(Data) =< ?MAX_AUTH;
is_auth(_) -> false.

%% A producer whose name is given may have been here before: the server says which epoch is the next one.
defaults(Options) ->
    Epoch = case Options of
        #{producer := _} -> next;
        #{} -> 0
    end,
    #{host => missing, port => missing, others => [], producer => crypto:strong_rand_bytes(16), epoch => Epoch, durability => handled,
        checksum => true, schema => none, auth => none, tls => false, notify => none, on_request => none,
        batch_messages => 1000, batch_bytes => 65536, linger_ms => 1, queue_messages => 100000, queue_bytes => 67108864,
        window_messages => 0, window_bytes => 0, retry_refused => true, connect_ms => 5000, ping_ms => 10000,
        backoff_ms => {50, 5000}}.

wrong(host, Host) when is_list(Host), Host =/= []; is_tuple(Host) -> [];
wrong(port, Port) when is_integer(Port), Port > 0, Port < 65536 -> [];
wrong(others, Others) when is_list(Others) ->
    [allowed(others) || not lists:all(fun is_server/1, Others)];
wrong(name, Name) when is_atom(Name) -> [];
wrong(producer, <<_:128>>) -> [];
wrong(durability, Level) when Level =:= received; Level =:= handled; Level =:= durable; Level =:= replicated -> [];
wrong(checksum, Value) when is_boolean(Value) -> [];
wrong(retry_refused, Value) when is_boolean(Value) -> [];
wrong(epoch, next) -> [];
wrong(schema, none) -> [];
wrong(schema, {Schema, Template}) when Schema >= 0, Schema =< 16#FFFFFFFF, Template >= 0, Template =< 16#FFFFFFFF -> [];
wrong(auth, none) -> [];
wrong(auth, Fun) when is_function(Fun, 0) -> [];
%% The value may be a secret, so it is not shown.
wrong(auth, Auth) -> [allowed(auth) || not is_auth(Auth)];
wrong(tls, false) -> [];
wrong(tls, Options) when is_list(Options) -> [];
wrong(notify, To) when To =:= none; is_pid(To); is_atom(To); is_function(To, 1) -> [];
wrong(on_request, Fun) when Fun =:= none; is_function(Fun, 1) -> [];
wrong(backoff_ms, {Least, Most}) when is_integer(Least), is_integer(Most), Least > 0, Least =< Most -> [];
wrong(Key, N) when is_integer(N), N >= 0, N =< 16#FFFFFFFF,
        (Key =:= epoch orelse Key =:= linger_ms orelse Key =:= window_messages orelse Key =:= window_bytes) -> [];
wrong(Key, N) when is_integer(N), N > 0,
        (Key =:= batch_messages orelse Key =:= batch_bytes orelse Key =:= queue_messages orelse Key =:= queue_bytes
            orelse Key =:= connect_ms orelse Key =:= ping_ms) -> [];
wrong(Key, missing) -> [io_lib:format("~ts is missing: ~ts", [Key, allowed(Key)])];
wrong(Key, Value) -> [io_lib:format("~tp => ~0tP: ~ts", [Key, Value, 20, allowed(Key)])].

allowed(host) -> "a host name or address is wanted, e.g. host => \"localhost\"";
allowed(others) -> "a list of {Host, Port} is wanted: servers with the same log, tried in turn";
allowed(port) -> "a number from 1 to 65535 is wanted, e.g. port => 7100";
allowed(name) -> "an atom is wanted";
allowed(producer) -> "16 bytes are wanted, chosen once at random and kept";
allowed(durability) -> "received, handled, durable or replicated is wanted";
allowed(Key) when Key =:= checksum; Key =:= retry_refused -> "true or false is wanted";
allowed(schema) -> "none or {Schema, Template} is wanted, two numbers of 32 bits";
allowed(auth) ->
    "auth: none, {Method, Data} or a fun that gives them is wanted, two binaries, e.g. {<<\"token\">>, Token}, of at most 255 "
    "bytes and 4,053 together";
allowed(tls) -> "false or a list of ssl's client options is wanted; [] verifies against the system's certificates";
allowed(notify) -> "a process that gets messages, a fun of one argument, or none is wanted";
allowed(on_request) -> "a fun of one argument, which answers {reply, Bytes} or {error, Text}, or none is wanted";
allowed(backoff_ms) -> "{Least, Most} is wanted, in milliseconds";
allowed(epoch) -> "next or a number of at least 0 and at most 32 bits is wanted";
allowed(Key) when Key =:= window_messages; Key =:= window_bytes; Key =:= linger_ms ->
    "a number of at least 0 and at most 32 bits is wanted";
allowed(Key) when Key =:= batch_messages; Key =:= batch_bytes; Key =:= queue_messages; Key =:= queue_bytes;
        Key =:= connect_ms; Key =:= ping_ms ->
    "a number above 0 is wanted";
allowed(_) ->
    "a client has no such option; it has host, port, others, name, producer, epoch, durability, checksum, schema, auth, tls, notify, "
    "on_request, retry_refused, batch_messages, batch_bytes, linger_ms, queue_messages, queue_bytes, window_messages, "
    "window_bytes, connect_ms, ping_ms, backoff_ms".
