%% A codec and its handler as a listener sees generated ones.
-module(transport_codec).
-behaviour(aldis_handler).

-export([decode/1, init/2, handle_message/2]).

decode(<<Number:32, Rest/binary>>) -> {ok, {order, Number}, Rest};
decode(_) -> {error, too_short}.

init(_, Test) -> {ok, Test}.

handle_message(Record, Test) when is_tuple(Record) ->
    Test ! {record, Record},
    {ok, Test};
handle_message(<<"stop">>, Test) -> {stop, <<"no more">>, Test};
handle_message(<<"crash">>, _) -> error(told_to);
handle_message(_, Test) -> {ok, Test}.
