%% The server of the bench: a listener for each tier, on ports of its own. Says `listening NAME PORT' for each and `ready
%% VERSIONS', and answers each line on standard input, a listener's name, with what a connection of it takes on
%% average: `CONNECTIONS PROCESS PORT BINARIES', the last three in bytes. With `jetstream PORT,PORT synced|written' there is one listener,
%% whose log is a stream of the NATS servers there, with as many replicas.
-module(tcp_server).
-behaviour(aldis_handler).

-export([main/1]).
-export([handle_batch/2, handle_request/2, init/2]).

%% Enough for the largest window of the load generator.
-define(CREDIT, #{credit => {1000000, 64000000}}).

-spec main([string()]) -> no_return().
main(["jetstream", Ports, Synced]) ->
    {ok, _} = application:ensure_all_started(aldis),
    Servers = [{"127.0.0.1", list_to_integer(Port)} || Port <- string:lexemes(Ports, ",")],
    Sink = {aldis_sink_jetstream, #{name => bench_stream, servers => Servers, stream => "BENCH", replicas => length(Servers),
        sync_always => Synced =:= "synced"}},
    listen(jetstream, ?CREDIT#{mode => aldis, handler => {?MODULE, counters:new(1, [write_concurrency])}, sink => Sink}),
    ready();
main([Folder]) ->
    {ok, _} = application:ensure_all_started(aldis),
    {ok, _} = aldis_log:start_link(#{name => bench_log, folder => Folder, retain_bytes => 512000000}),
    Total = counters:new(1, [write_concurrency]),
    [listen(Name, Options) || {Name, Options} <- listeners(Total)],
    ready().

ready() ->
    io:format("ready OTP ~s, ~s scanner~n", [erlang:system_info(otp_release), scanner()]),
    answer().

listeners(Total) ->
    Batch = {?MODULE, Total},
    [
        {sync_ack, #{mode => sync_ack, handler => Batch, max_connections => 20000}},
        {request_reply, #{mode => request_reply, handler => Batch}},
        {batch, ?CREDIT#{mode => aldis, handler => Batch}},
        {message, ?CREDIT#{mode => aldis, handler => {tcp_server_message, Total}}},
        {durable, ?CREDIT#{mode => aldis, handler => Batch, sink => {aldis_log, bench_log}}}
    ].

listen(Name, Options) ->
    {ok, _} = aldis_server:start_listener(Name, Options#{port => 0, ip => {127, 0, 0, 1}}),
    #{port := Port} = aldis_server:info(Name),
    io:format("listening ~s ~b~n", [Name, Port]).

scanner() ->
    case aldis_scan:native() of
        true -> "native";
        false -> "pure"
    end.

answer() ->
    case io:get_line("") of
        eof ->
            halt();
        Line ->
            Memory = [memory(Pid) || Pid <- pids(list_to_existing_atom(string:trim(Line)))],
            Count = length(Memory),
            Average = fun(N) -> lists:sum([element(N, M) || M <- Memory]) div max(1, Count) end,
            io:format("~b ~b ~b ~b~n", [Count, Average(1), Average(2), Average(3)]),
            answer()
    end.

pids(Listener) -> [Pid || #{pid := Pid} <- aldis_server:connections(Listener)].

%% A process that has just ended takes nothing.
memory(Pid) ->
    case process_info(Pid, [memory, links, binary]) of
        [{memory, Process}, {links, Links}, {binary, Binaries}] ->
            Ports = [Memory || Port <- Links, is_port(Port), {memory, Memory} <- [erlang:port_info(Port, memory)]],
            Bytes = maps:from_list([{Id, Size} || {Id, Size, _} <- Binaries]),
            {Process, lists:sum(Ports), lists:sum(maps:values(Bytes))};
        undefined ->
            {0, 0, 0}
    end.

-spec init(aldis_handler:connection(), counters:counters_ref()) -> {ok, counters:counters_ref()}.
init(_, Total) -> {ok, Total}.

-spec handle_batch(aldis_batch:t(), counters:counters_ref()) -> {ok, counters:counters_ref()}.
handle_batch(Batch, Total) ->
    counters:add(Total, 1, aldis_batch:count(Batch)),
    {ok, Total}.

-spec handle_request(binary(), counters:counters_ref()) -> {reply, iodata(), counters:counters_ref()}.
handle_request(Request, Total) -> {reply, Request, Total}.
