%% @private Why messages of a client are not acknowledged yet, in words.
-module(aldis_client_waits).

-export([why/2]).
-export_type([trouble/0]).

-type trouble() :: none | {disconnected, Reason :: term()} | {refused, Number :: pos_integer(), Text :: binary()}.
%% The last event that is not mended.

%% @doc The answer to those who wait for acknowledgements, from what {@link aldis_client:info/1} says, with the attempts to connect that
%% failed and the wanted durability.
-spec why(#{state := atom(), held_messages := non_neg_integer(), outstanding := non_neg_integer(), failures := non_neg_integer(),
    durability := aldis_frame:durability(), _ => _}, trouble()) -> binary().
why(#{held_messages := Held} = Info, Trouble) ->
    unicode:characters_to_binary(io_lib:format("~b messages are not acknowledged: ~ts", [Held, because(Info, Trouble)])).

because(#{state := ready}, {refused, Number, Text}) ->
    io_lib:format("the server refuses message ~b (~ts), which is offered again", [Number, Text]);
because(#{state := ready, outstanding := 0}, _) -> "the server gives no credit for more";
because(#{state := ready, outstanding := Sent, durability := Level}, _) ->
    io_lib:format("the server has not said yet that the ~b of them that are sent are ~s", [Sent, Level]);
because(#{state := leaving}, _) -> "the server is draining, and the client connects again after that";
because(#{failures := Failures}, {disconnected, Reason}) ->
    io_lib:format("there is no connection (~0tP), after ~b attempts", [Reason, 12, Failures]);
because(_, _) -> "there is no connection yet".
