%% A sink that counts epochs and knows no identities: each optional callback is one of its own.
-module(aldis_sink_tests).
-behaviour(aldis_sink).

-include_lib("eunit/include/eunit.hrl").
-include("../include/aldis_frame.hrl").

-export([start_link/1, producer/3, claim/4, append/8]).

start_link(Options) -> transport_sink:start_link(Options).
producer(Name, Producer, Epoch) -> transport_sink:producer(Name, Producer, Epoch).

claim(Name, Producer, next, Identity) -> claim(Name, Producer, 7, Identity);
claim(Name, Producer, Epoch, _) ->
    {ok, Last} = transport_sink:producer(Name, Producer, Epoch),
    {ok, Epoch, Last}.

append(Name, Producer, Epoch, First, Count, Schema, Entries, Tag) ->
    transport_sink:append(Name, Producer, Epoch, First, Count, Schema, Entries, Tag).

claim_alone_test() ->
    {ok, _} = application:ensure_all_started(aldis),
    Sink = {?MODULE, #{name => claims_alone}},
    ?assertEqual(unknown, aldis_sink:identity({?MODULE, claims_alone}, <<1:128>>)),
    transport_peer:with_listener(#{sink => Sink}, fun(Port) ->
        Hello = #hello{version = 1, producer = <<1:128>>, features = ?NEXT_EPOCH, epoch = 1, durability = durable},
        {_, Welcome} = transport_peer:hello(Port, Hello),
        ?assertMatch(#welcome{epoch = 7, last = 0}, Welcome)
    end).
