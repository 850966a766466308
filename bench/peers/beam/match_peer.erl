%% @doc The match of `bench/beam/schemas/untuned_league.fbe', in both wire forms, written by hand in the manner of the
%% account's peer.
-module(match_peer).

-export([encode/1, decode/1, venue/1, encode_final/1, decode_final/1]).

-include("untuned_league.hrl").

-define(UINT(Value, Max), is_integer(Value), Value >= 0, Value =< Max).
-define(INT(Value, Max), is_integer(Value), Value >= -Max - 1, Value =< Max).

-spec encode(#'Match'{}) -> binary().
encode(#'Match'{
    id = Id, start = Start, stage = Stage, weather = Weather, venue = Venue, visitors = Visitors, home = Home, away = Away,
    events = Events, rating = Rating
}) when byte_size(Id) =:= 16, ?UINT(Start, 16#FFFFFFFFFFFFFFFF), is_binary(Venue), is_float(Rating) ->
    {Has, VisitorBytes} = case Visitors of
        undefined -> {0, <<>>};
        _ when ?UINT(Visitors, 16#FFFFFFFF) -> {1, <<Visitors:32/little>>}
    end,
    HomeBytes = team(Home),
    AwayBytes = team(Away),
    VisitorsAt = 67 + byte_size(Venue),
    HomeAt = VisitorsAt + byte_size(VisitorBytes),
    AwayAt = HomeAt + byte_size(HomeBytes),
    EventsAt = AwayAt + byte_size(AwayBytes),
    Count = length(Events),
    {Table, Blocks} = events(Events, EventsAt + 4 + 4 * Count, <<>>, <<>>),
    <<
        (12 + EventsAt + byte_size(Table) + byte_size(Blocks)):32/little, 8:32/little,
        63:32/little, 23:32/little, Id/binary, Start:64/little, (stage(Stage)):8, (weather(Weather)):8, 63:32/little,
        Has:8, (Has * VisitorsAt):32/little, HomeAt:32/little, AwayAt:32/little, EventsAt:32/little, Rating:64/float-little,
        (byte_size(Venue)):32/little, Venue/binary,
        VisitorBytes/binary, HomeBytes/binary, AwayBytes/binary, Count:32/little, Table/binary, Blocks/binary
    >>.

team(#'Team'{id = Id, name = Name, players = Players}) when ?UINT(Id, 16#FFFFFFFF), is_binary(Name) ->
    PlayersAt = 24 + byte_size(Name),
    Count = length(Players),
    {Table, Texts} = players(Players, PlayersAt + 4 + 4 * Count, <<>>, <<>>),
    <<
        20:32/little, 21:32/little, Id:32/little, 20:32/little, PlayersAt:32/little,
        (byte_size(Name)):32/little, Name/binary, Count:32/little, Table/binary, Texts/binary
    >>.

players([Player | Rest], At, Table, Texts) when is_binary(Player) ->
    Size = byte_size(Player),
    players(Rest, At + 4 + Size, <<Table/binary, At:32/little>>, <<Texts/binary, Size:32/little, Player/binary>>);
players([], _, Table, Texts) -> {Table, Texts}.

events([#'Event'{minute = Minute, player = Player, what = What, distance = undefined} | Rest], At, Table, Blocks)
    when ?UINT(Minute, 16#FF), ?UINT(Player, 16#FFFFFFFF), is_binary(What) ->
    Size = byte_size(What),
    events(Rest, At + 26 + Size, <<Table/binary, At:32/little>>, <<
        Blocks/binary,
        22:32/little, 22:32/little, Minute:8, Player:32/little, 22:32/little, 0:40, Size:32/little, What/binary
    >>);
events([#'Event'{minute = Minute, player = Player, what = What, distance = Distance} | Rest], At, Table, Blocks)
    when ?UINT(Minute, 16#FF), ?UINT(Player, 16#FFFFFFFF), is_binary(What), ?INT(Distance, 16#7FFF) ->
    Size = byte_size(What),
    events(Rest, At + 28 + Size, <<Table/binary, At:32/little>>, <<
        Blocks/binary,
        22:32/little, 22:32/little, Minute:8, Player:32/little, 22:32/little, 1:8, (26 + Size):32/little,
        Size:32/little, What/binary, Distance:16/little
    >>);
events([], _, Table, Blocks) -> {Table, Blocks}.

stage(group) -> 0;
stage(quarter) -> 1;
stage(semi) -> 2;
stage(final) -> 3.

weather([rain | Rest]) -> 1 bor weather(Rest);
weather([wind | Rest]) -> 2 bor weather(Rest);
weather([snow | Rest]) -> 4 bor weather(Rest);
weather([floodlit | Rest]) -> 8 bor weather(Rest);
weather([]) -> 0.

-spec decode(binary()) -> #'Match'{}.
decode(<<
    Size:32/little, 8:32/little, 63:32/little, 23:32/little, Id:16/binary, Start:64/little, Stage:8, Weather:8,
    VenueAt:32/little, Has:8, VisitorsAt:32/little, HomeAt:32/little, AwayAt:32/little, EventsAt:32/little,
    Rating:64/float-little, _/binary
>> = Bin) when Size =< byte_size(Bin) ->
    #'Match'{
        id = Id, start = Start, stage = read_stage(Stage), weather = read_weather(Weather), venue = text(Bin, 8 + VenueAt),
        visitors = read_visitors(Has, Bin, 8 + VisitorsAt), home = read_team(Bin, 8 + HomeAt), away = read_team(Bin, 8 + AwayAt),
        events = read_events(Bin, 8 + EventsAt), rating = Rating
    }.

text(Bin, At) ->
    <<_:At/binary, Size:32/little, Text:Size/binary, _/binary>> = Bin,
    Text.

read_visitors(0, _, _) -> undefined;
read_visitors(_, Bin, At) ->
    <<_:At/binary, Visitors:32/little, _/binary>> = Bin,
    Visitors.

read_team(Bin, At) ->
    <<_:At/binary, 20:32/little, 21:32/little, Id:32/little, NameAt:32/little, PlayersAt:32/little, _/binary>> = Bin,
    #'Team'{id = Id, name = text(Bin, At + NameAt), players = read_players(Bin, At, At + PlayersAt)}.

read_players(Bin, Base, At) ->
    <<_:At/binary, Count:32/little, Table:Count/binary-unit:32, _/binary>> = Bin,
    [text(Bin, Base + PlayerAt) || <<PlayerAt:32/little>> <= Table].

read_events(Bin, At) ->
    <<_:At/binary, Count:32/little, Table:Count/binary-unit:32, _/binary>> = Bin,
    [read_event(Bin, 8 + EventAt) || <<EventAt:32/little>> <= Table].

read_event(Bin, At) ->
    <<
        _:At/binary, 22:32/little, 22:32/little, Minute:8, Player:32/little, WhatAt:32/little, Has:8, DistanceAt:32/little,
        _/binary
    >> = Bin,
    #'Event'{
        minute = Minute, player = Player, what = text(Bin, At + WhatAt), distance = read_distance(Has, Bin, At + DistanceAt)
    }.

read_distance(0, _, _) -> undefined;
read_distance(_, Bin, At) ->
    <<_:At/binary, Distance:16/signed-little, _/binary>> = Bin,
    Distance.

read_stage(0) -> group;
read_stage(1) -> quarter;
read_stage(2) -> semi;
read_stage(3) -> final;
read_stage(Number) -> Number.

read_weather(Number) -> if Number band 1 =:= 0 -> wind(Number); true -> [rain | wind(Number)] end.
wind(Number) -> if Number band 2 =:= 0 -> snow(Number); true -> [wind | snow(Number)] end.
snow(Number) -> if Number band 4 =:= 0 -> floodlit(Number); true -> [snow | floodlit(Number)] end.
floodlit(Number) -> if Number band 8 =:= 0 -> []; true -> [floodlit] end.

-spec venue(binary()) -> binary().
venue(<<_:32, 8:32/little, _:32, 23:32/little, _:26/binary, VenueAt:32/little, _/binary>> = Bin) -> text(Bin, 8 + VenueAt).

-spec encode_final(#'Match'{}) -> binary().
encode_final(#'Match'{
    id = Id, start = Start, stage = Stage, weather = Weather, venue = Venue, visitors = Visitors, home = Home, away = Away,
    events = Events, rating = Rating
}) when byte_size(Id) =:= 16, ?UINT(Start, 16#FFFFFFFFFFFFFFFF), is_binary(Venue), is_float(Rating) ->
    VisitorBytes = case Visitors of
        undefined -> <<0>>;
        _ when ?UINT(Visitors, 16#FFFFFFFF) -> <<1, Visitors:32/little>>
    end,
    HomeBytes = team_final(Home),
    AwayBytes = team_final(Away),
    EventBytes = events_final(Events, <<(length(Events)):32/little>>),
    <<
        (46 + byte_size(Venue) + byte_size(VisitorBytes) + byte_size(HomeBytes) + byte_size(AwayBytes) +
            byte_size(EventBytes)):32/little, 23:32/little,
        Id/binary, Start:64/little, (stage(Stage)):8, (weather(Weather)):8, (byte_size(Venue)):32/little, Venue/binary,
        VisitorBytes/binary, HomeBytes/binary, AwayBytes/binary, EventBytes/binary, Rating:64/float-little
    >>.

team_final(#'Team'{id = Id, name = Name, players = Players}) when ?UINT(Id, 16#FFFFFFFF), is_binary(Name) ->
    players_final(Players, <<Id:32/little, (byte_size(Name)):32/little, Name/binary, (length(Players)):32/little>>).

players_final([Player | Rest], Acc) when is_binary(Player) ->
    players_final(Rest, <<Acc/binary, (byte_size(Player)):32/little, Player/binary>>);
players_final([], Acc) -> Acc.

events_final([#'Event'{minute = Minute, player = Player, what = What, distance = undefined} | Rest], Acc)
    when ?UINT(Minute, 16#FF), ?UINT(Player, 16#FFFFFFFF), is_binary(What) ->
    events_final(Rest, <<Acc/binary, Minute:8, Player:32/little, (byte_size(What)):32/little, What/binary, 0:8>>);
events_final([#'Event'{minute = Minute, player = Player, what = What, distance = Distance} | Rest], Acc)
    when ?UINT(Minute, 16#FF), ?UINT(Player, 16#FFFFFFFF), is_binary(What), ?INT(Distance, 16#7FFF) ->
    events_final(Rest, <<
        Acc/binary, Minute:8, Player:32/little, (byte_size(What)):32/little, What/binary, 1:8, Distance:16/little
    >>);
events_final([], Acc) -> Acc.

-spec decode_final(binary()) -> #'Match'{}.
decode_final(<<
    Size:32/little, 23:32/little, Id:16/binary, Start:64/little, Stage:8, Weather:8, VenueSize:32/little,
    Venue:VenueSize/binary, Has:8, Rest/binary
>> = Bin) when Size =< byte_size(Bin) ->
    {Visitors, Rest1} = case Has of
        0 -> {undefined, Rest};
        _ ->
            <<Number:32/little, Behind/binary>> = Rest,
            {Number, Behind}
    end,
    {Home, Rest2} = read_team_final(Rest1),
    {Away, <<Count:32/little, Rest3/binary>>} = read_team_final(Rest2),
    {Events, <<Rating:64/float-little, Rest4/binary>>} = read_events_final(Count, Rest3, []),
    Size = byte_size(Bin) - byte_size(Rest4),
    #'Match'{
        id = Id, start = Start, stage = read_stage(Stage), weather = read_weather(Weather), venue = Venue, visitors = Visitors,
        home = Home, away = Away, events = Events, rating = Rating
    }.

read_team_final(<<Id:32/little, Size:32/little, Name:Size/binary, Count:32/little, Rest/binary>>) ->
    {Players, Rest1} = read_players_final(Count, Rest, []),
    {#'Team'{id = Id, name = Name, players = Players}, Rest1}.

read_players_final(0, Bin, Acc) -> {lists:reverse(Acc), Bin};
read_players_final(Count, <<Size:32/little, Player:Size/binary, Rest/binary>>, Acc) ->
    read_players_final(Count - 1, Rest, [Player | Acc]).

read_events_final(0, Bin, Acc) -> {lists:reverse(Acc), Bin};
read_events_final(Count, <<Minute:8, Player:32/little, Size:32/little, What:Size/binary, 0:8, Rest/binary>>, Acc) ->
    Event = #'Event'{minute = Minute, player = Player, what = What, distance = undefined},
    read_events_final(Count - 1, Rest, [Event | Acc]);
read_events_final(Count, <<
    Minute:8, Player:32/little, Size:32/little, What:Size/binary, _:8, Distance:16/signed-little, Rest/binary
>>, Acc) ->
    Event = #'Event'{minute = Minute, player = Player, what = What, distance = Distance},
    read_events_final(Count - 1, Rest, [Event | Acc]).
