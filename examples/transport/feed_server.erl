%% A listener with a durable log for one feed, and a status page: `erl -run feed_server main CODEC FOLDER'. Prints
%% `listening PORT' and `status URL', and when its standard input ends, `record NAME COUNT' for each kind that was decoded.
-module(feed_server).

-export([main/1]).

-spec main([string()]) -> no_return().
main([Codec, Folder]) ->
    Seen = ets:new(seen, [public]),
    {ok, _} = application:ensure_all_started(aldis),
    {ok, _} = aldis_log:start_link(#{name => feed_log, folder => Folder}),
    {ok, _} = aldis_server:start_listener(feed, #{
        port => 0,
        ip => {127, 0, 0, 1},
        mode => aldis,
        handler => {market_feed, {list_to_atom(Codec), Seen}},
        sink => {aldis_log, feed_log}
    }),
    #{port := Port} = aldis_server:info(feed),
    {ok, Page} = aldis_status:start_link(#{port => 0}),
    io:format("listening ~b~nstatus ~s~n", [Port, aldis_status:url(Page)]),
    eof = io:get_line(""),
    {ok, 0} = aldis_server:drain(feed, 1000),
    [io:format("record ~s ~b~n", [Name, Count]) || {Name, Count} <- lists:sort(ets:tab2list(Seen))],
    halt().
