%% A handler that decodes each message of a feed with a generated codec and counts what it sees.
-module(market_feed).
-behaviour(aldis_handler).

-export([handle_batch/2, init/2]).

%% `Codec' is the generated module, `Seen' a public table of {Record's name, how many}.
-spec init(aldis_handler:connection(), {Codec :: module(), Seen :: ets:tid()}) -> {ok, {module(), ets:tid()}}.
init(_Connection, {Codec, Seen}) -> {ok, {Codec, Seen}}.

%% A message that the schema does not allow is refused; messages before it are taken.
-spec handle_batch(aldis_batch:t(), {module(), ets:tid()}) ->
    {ok, {module(), ets:tid()}} | {refuse, pos_integer(), unicode:chardata(), {module(), ets:tid()}}.
handle_batch(Batch, {Codec, Seen} = State) ->
    case aldis_batch:decode(Codec, Batch) of
        {ok, Records} ->
            maps:foreach(fun(Name, Count) -> ets:update_counter(Seen, Name, Count, {Name, 0}) end, by_name(Records, #{})),
            {ok, State};
        {error, Sequence, Reason} ->
            {refuse, Sequence, io_lib:format("not a message of ~ts: ~0tp", [Codec, Reason]), State}
    end.

by_name([Record | Records], Counts) ->
    Name = element(1, Record),
    by_name(Records, Counts#{Name => maps:get(Name, Counts, 0) + 1});
by_name([], Counts) ->
    Counts.
