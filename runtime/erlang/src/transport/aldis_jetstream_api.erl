%% @doc Questions to JetStream and its answers, in JSON.
-module(aldis_jetstream_api).

-export([fields/2, answer/1, stream/1, synced/1]).

-define(CONNECT, 1000).
%% A page of the monitor is no longer.
-define(LONGEST, 1048576).

%% @doc The values at some paths of an answer; `missing' where there is none.
-spec fields([[binary()]], binary()) -> [aldis_json:json() | missing].
fields(Paths, Json) ->
    try aldis_json:decode(Json) of
        Decoded -> [field(Path, Decoded) || Path <- Paths]
    catch
        throw:_ -> [missing || _ <- Paths]
    end.

field([], Value) -> Value;
field([Name | Path], {Members}) ->
    case lists:keyfind(Name, 1, Members) of
        {_, Value} -> field(Path, Value);
        false -> missing
    end;
field(_, _) -> missing.

%% @doc The fate of a message, or the last message that was asked for.
-spec answer(binary()) ->
    {stored, pos_integer()} | duplicate | {message, #{binary() => binary()}, pos_integer()} | {error, term()}.
answer(Json) ->
    Paths = [[<<"error">>, <<"err_code">>], [<<"duplicate">>], [<<"seq">>], [<<"message">>, <<"seq">>], [<<"message">>, <<"hdrs">>]],
    case fields(Paths, Json) of
        [missing, missing, Sequence, missing, _] when is_integer(Sequence) -> {stored, Sequence};
        [missing, true, _, missing, _] -> duplicate;
        [missing, _, _, Sequence, Headers] when is_integer(Sequence) -> {message, headers(Headers), Sequence};
        [Code, _, _, _, _] -> {error, Code}
    end.

headers(missing) -> #{};
headers(Base64) ->
    try aldis_nats:headers(base64:decode(Base64)) of
        {_, Headers} -> Headers
    catch error:_ -> #{}
    end.

%% @doc The stream that is made where there is none: nothing in it goes by itself.
-spec stream(map()) -> iodata().
stream(#{stream := Stream, subject := Subject, replicas := Replicas}) ->
    [<<"{\"name\":\"">>, Stream, <<"\",\"subjects\":[\"">>, Subject, <<".*\"],\"retention\":\"limits\",\"storage\":\"file\",">>,
        <<"\"discard\":\"new\",\"allow_direct\":true,\"duplicate_window\":120000000000,\"num_replicas\":">>,
        integer_to_binary(Replicas), $}].

%% @doc Whether the servers write to the disk before they answer, as their monitors say. Some may be down, not all.
-spec synced([{inet:hostname() | inet:ip_address(), inet:port_number()}, ...]) -> ok | {error, iodata()}.
synced(Monitors) ->
    Said = [{Monitor, varz(Monitor)} || Monitor <- Monitors],
    case {[Monitor || {Monitor, false} <- Said], [Monitor || {Monitor, true} <- Said]} of
        {[], []} -> {error, "no monitor answers, so nobody knows whether the servers sync always"};
        {[], _} -> ok;
        {[{Host, Port} | _], _} ->
            {error, io_lib:format("the server with the monitor ~0tp:~b does not sync always: set sync_interval: always in its "
                "jetstream block, or leave sync_always out, which takes the durability `durable' away", [Host, Port])}
    end.

varz({Host, Port}) ->
    case gen_tcp:connect(Host, Port, [binary, {active, false}], ?CONNECT) of
        {ok, Socket} ->
            _ = gen_tcp:send(Socket, <<"GET /varz HTTP/1.0\r\n\r\n">>),
            Page = page(Socket, <<>>),
            gen_tcp:close(Socket),
            case re:run(Page, "^HTTP/1.. 200 ", [{capture, none}]) of
                match -> re:run(Page, "\"sync_always\": *true", [{capture, none}]) =:= match;
                nomatch -> down
            end;
        {error, _} -> down
    end.

page(Socket, Page) ->
    case gen_tcp:recv(Socket, 0, ?CONNECT) of
        {ok, More} when byte_size(Page) < ?LONGEST -> page(Socket, <<Page/binary, More/binary>>);
        _ -> Page
    end.
