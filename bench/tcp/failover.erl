%% failover PORT OTHER: a producer of durable messages, one a millisecond, whose server at PORT is killed while it sends. After eight seconds it
%% says the longest time without an ack, in milliseconds, and fails when a message is not acknowledged.
-module(failover).

-export([main/1]).

-define(SECONDS, 8).

-spec main([string()]) -> no_return().
main([Port, Other]) ->
    Self = self(),
    {ok, Client} = aldis_client:start_link(#{host => "127.0.0.1", port => list_to_integer(Port), others => [{"127.0.0.1", list_to_integer(Other)}],
        durability => durable, notify => fun({acked, _}) -> Self ! {acked, now_ms()}; (_) -> ok end}),
    {ok, 1} = aldis_client:send(Client, <<0:256>>),
    ok = aldis_client:flush(Client, 30000),
    io:format("sending~n"),
    Begin = now_ms(),
    sending(Client, Begin + ?SECONDS * 1000),
    ok = aldis_client:flush(Client, 30000),
    io:format("~b~n", [longest(Begin, 0)]),
    halt().

sending(Client, End) ->
    {ok, _} = aldis_client:send(Client, <<0:256>>),
    timer:sleep(1),
    now_ms() < End andalso sending(Client, End).

longest(Before, Longest) ->
    receive
        {acked, At} when At < Before -> longest(Before, Longest);
        {acked, At} -> longest(At, max(Longest, At - Before))
    after 0 -> Longest
    end.

now_ms() -> erlang:monotonic_time(millisecond).
