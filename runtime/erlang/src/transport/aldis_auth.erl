%% @doc Permission to connect: the questions that a listener's `auth' is asked, and tokens compared in constant time.
-module(aldis_auth).

-include_lib("kernel/include/logger.hrl").

-export([token/1, equal/2, ask/2]).
-export_type([auth/0, credentials/0]).

-type credentials() :: #{
    method := binary(), data := binary(), producer := <<_:128>>, listener := atom(), peer := aldis_socket:peer(),
    tls := boolean(), certificate => binary(), _ => _
}.
%% The credentials that a HELLO holds, and the peer that sent it.
-type auth() :: fun((credentials()) -> ok | {ok, Identity :: term()} | refused).

%% @doc An `auth' for a listener: the client has to send one of these tokens with the method `token'. The identity is the
%% name beside the token. Each call takes the same time for every token, right or wrong.
-spec token(#{Name :: term() => Token :: binary()}) -> auth().
token(Tokens) ->
    Digests = [{Name, digest(Token)} || {Name, Token} <- maps:to_list(Tokens)],
    fun
        (#{method := <<"token">>, data := Data}) ->
            Given = digest(Data),
            %% All are compared: which one it was is not to be told from the time.
            case [Name || {Name, Digest} <- Digests, same(Digest, Given)] of
                [Name | _] -> {ok, Name};
                [] -> refused
            end;
        (#{}) -> refused
    end.

%% @doc Whether two secrets are the same, in a time that depends on neither.
-spec equal(binary(), binary()) -> boolean().
equal(A, B) -> same(digest(A), digest(B)).

digest(Secret) -> crypto:hash(sha256, Secret).

same(A, B) -> crypto:hash_equals(A, B).

%% @private An `auth' that fails lets nobody in.
-spec ask(auth(), credentials()) -> ok | {ok, term()} | refused.
ask(Auth, Credentials) ->
    try Auth(Credentials) of
        ok -> ok;
        {ok, Identity} -> {ok, Identity};
        refused -> refused;
        _ ->
            ?LOG_ERROR("the auth of listener ~ts returned none of ok, {ok, Identity} and refused",
                       [maps:get(listener, Credentials)]),
            refused
    catch
        Class:Reason:Stack ->
            ?LOG_ERROR("the auth of listener ~ts failed: ~tp:~tP~n~tP",
                       [maps:get(listener, Credentials), Class, Reason, 10, [{M, F} || {M, F, _, _} <- Stack], 20]),
            refused
    end.
