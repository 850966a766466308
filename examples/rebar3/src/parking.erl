%% @doc Counts the cars in a car park from its machines' stream of messages.
-module(parking).

-export([new/0, feed/2, cars/1]).
-export_type([park/0]).

-include("parking_codec.hrl").

-record(park, {receiver = aldis_stream:new(fbe, 65536) :: aldis_stream:receiver(), inside = #{} :: #{integer() => binary()}}).
-opaque park() :: #park{}.

-spec new() -> park().
new() -> #park{}.

%% @doc Bytes as they come from the socket, cut anywhere.
-spec feed(binary(), park()) -> {ok, park()} | {error, term()}.
feed(Bytes, #park{receiver = Receiver, inside = Inside} = Park) ->
    case aldis_stream:records(fun parking_codec:decode/1, Bytes, Receiver) of
        {ok, Records, Next} -> {ok, Park#park{receiver = Next, inside = lists:foldl(fun seen/2, Inside, Records)}};
        {error, Reason, _} -> {error, Reason}
    end.

%% The plate outlives the bytes that it came in.
seen(#'Entered'{ticket = Ticket, plate = Plate}, Inside) -> Inside#{Ticket => binary:copy(Plate)};
seen(#'Left'{ticket = Ticket}, Inside) -> maps:remove(Ticket, Inside).

%% @doc The plates of the cars inside.
-spec cars(park()) -> [binary()].
cars(#park{inside = Inside}) -> lists:sort(maps:values(Inside)).
