%% @doc Values of the schemas that nobody tuned for, from a fixed seed.
-module(untuned_values).

-export([ticket/0, status/0, position/0, trip/0, profile/0, roster/0]).
-export([patient/0, match/0, delivery/0]).
-export([scan/0, reading/0, loan/0, label/0, notice/0, card/0, route/0, forecast/0, catalogue/0]).

-include("untuned_trip.hrl").
-include("untuned_grid.hrl").
-include("untuned_flight.hrl").
-include("untuned_clinic.hrl").
-include("untuned_league.hrl").
-include("untuned_depot.hrl").
-include("untuned_parcel.hrl").
-include("untuned_weather.hrl").
-include("untuned_library.hrl").

-define(SEED, {4, 11, 2026}).

-spec ticket() -> #'Ticket'{}.
ticket() ->
    seed(),
    #'Ticket'{
        number = up_to(16#FFFFFFFFFFFFFFFE), sold = up_to(16#FFFFFFFFFFFF), zone = up_to(9), price = up_to(100000),
        from = up_to(5000), to = up_to(5000), late = undefined, plate = text(7), holder = text(11), seal = rand:bytes(8)
    }.

-spec trip() -> #'Trip'{}.
trip() ->
    seed(),
    #'Trip'{
        id = up_to(1000000), kind = tram, offers = [wheelchairs, heating],
        start = #'Place'{latitude = up_to(90000000), longitude = -up_to(180000000)}, length = rand:uniform() * 100,
        stops = [#'Trip_stops'{stop = up_to(9999), arrives = up_to(86400), late = late(At)} || At <- lists:seq(1, 4)],
        legs = [
            #'Trip_legs'{line = Line, loads = [#'Trip_legs_loads'{car = Car, share = share()} || Car <- lists:seq(1, Cars)]}
         || {Line, Cars} <- [{4, 3}, {15, 2}]
        ],
        driver = text(9)
    }.

late(1) -> undefined;
late(At) -> At * 60 - 150.

share() -> up_to(127) / 128.

-spec status() -> #'Status'{}.
status() ->
    seed(),
    #'Status'{
        meter = up_to(99999999), time = up_to(16#FFFFFFFFFFFF), voltage = 220 + up_to(80) / 4, current = up_to(64) / 8,
        total = energy(), celsius = 10 + up_to(20), phase = two, alarms = [magnet, overvoltage], serial = text(12),
        firmware = text(8)
    }.

energy() -> #'Energy'{mantissa = up_to(99999999999)}.

-spec profile() -> #'Profile'{}.
profile() ->
    seed(),
    Qualities = [measured, measured, estimated, replaced],
    #'Profile'{
        meter = up_to(99999999), day = up_to(20000), serial = text(11),
        registers = [#'Profile_registers'{tariff = Tariff, energy = energy()} || Tariff <- [1, 2, 8]],
        intervals = [
            #'Profile_intervals'{
                minute = 15 * At, celsius = late(At),
                values = [
                    #'Profile_intervals_values'{channel = Channel, watts = up_to(9000) - 3000, quality = lists:nth(At, Qualities)}
                 || Channel <- [1, 2, 3]
                ]
            }
         || At <- lists:seq(1, 4)
        ],
        reader = text(10)
    }.

-spec position() -> #'Position'{}.
position() ->
    seed(),
    #'Position'{
        time = up_to(16#FFFFFFFFFFFF), latitude = rand:uniform() * 90, longitude = -rand:uniform() * 180,
        address = up_to(16#FFFFFF), altitude = up_to(40000), speed = up_to(600), heading = up_to(359), climb = -up_to(2000),
        squawk = up_to(4095), callsign = text(6), from = text(4), to = text(4)
    }.

-spec roster() -> #'Roster'{}.
roster() ->
    seed(),
    #'Roster'{
        flight = up_to(16#FFFFFFFFFFFF), departs = up_to(16#FFFFFFFFFFFF), from = text(4), to = text(4),
        crew = [
            #'Roster_crew'{role = Role, base = text(4), name = text(6 + up_to(8))}
         || Role <- [captain, officer, cabin, cabin]
        ],
        seats = [
            #'Roster_seats'{
                row = Row, letter = $A + Row rem 6, cabin = Cabin,
                bags = [#'Roster_seats_bags'{tag = up_to(9999999999), weight = weight(At)} || At <- lists:seq(1, Row rem 3)]
            }
         || {Row, Cabin} <- [{1, first}, {4, business}, {20, economy}, {23, economy}, {24, economy}]
        ],
        remarks = text(20)
    }.

weight(1) -> 8 + up_to(20);
weight(_) -> undefined.

-spec patient() -> #'Patient'{}.
patient() ->
    seed(),
    #'Patient'{
        number = up_to(16#FFFFFFFFFFFF), first = text(6), last = text(9), ward = eyes, needs = [diet, care], insured = true,
        own = contact(), other = contact(),
        doses = [
            #'Dose'{drug = text(8), milligrams = up_to(1000), weight = share(), given = up_to(16#FFFFFFFFFFFF)}
         || _ <- lists:seq(1, 4)
        ],
        pulses = [50 + up_to(80) || _ <- lists:seq(1, 6)]
    }.

contact() -> #'Contact'{phone = up_to(99999999999), email = text(14)}.

-spec match() -> #'Match'{}.
match() ->
    seed(),
    #'Match'{
        id = rand:bytes(16), start = up_to(16#FFFFFFFFFFFFFF), stage = semi, weather = [rain, floodlit], venue = text(15),
        visitors = up_to(90000), home = team(5), away = team(4),
        events = [
            #'Event'{minute = 10 * At, player = up_to(99999), what = text(3 + up_to(7)), distance = distance(At)}
         || At <- lists:seq(1, 5)
        ],
        rating = rand:uniform()
    }.

team(Players) -> #'Team'{id = up_to(99999), name = text(9), players = [text(4 + up_to(10)) || _ <- lists:seq(1, Players)]}.

distance(At) when At rem 2 =:= 0 -> undefined;
distance(_) -> up_to(40).

-spec delivery() -> #'Delivery'{}.
delivery() ->
    seed(),
    #'Delivery'{
        number = up_to(16#FFFFFFFFFFFF), issued = up_to(16#FFFFFFFFFFFFFF), author = text(10), to = address(),
        invoice = address(),
        items = [
            #'Item'{
                article = text(8), count = up_to(500), unit = lists:nth(1 + At rem 3, [piece, box, pallet]),
                price = rand:uniform() * 100, fragile = At =:= 2
            }
         || At <- lists:seq(1, 4)
        ],
        stock = maps:from_list([{text(8), up_to(1000) - 500} || _ <- [1, 2, 3]]), temperatures = [share() || _ <- lists:seq(1, 8)],
        seal = rand:bytes(16), remark = text(18), urgent = false
    }.

address() -> #'Address'{street = text(14), town = text(9), code = up_to(99999)}.

-spec scan() -> #'Scan'{}.
scan() ->
    seed(),
    #'Scan'{
        parcel = up_to(16#FFFFFFFFFFFFFFFF), depot = up_to(900), belt = -up_to(20), grams = up_to(30000), height = up_to(900),
        width = up_to(900), depth = up_to(900)
    }.

-spec reading() -> #'Reading'{}.
reading() ->
    seed(),
    #'Reading'{
        time = up_to(16#FFFFFFFFFFFF), station = up_to(99999), celsius = share() * -16, pressure = 980 + up_to(60),
        humidity = up_to(100), rain = true, wind = #'Reading_wind'{speed = share() * 32, direction = up_to(359)}
    }.

-spec loan() -> #'Loan'{}.
loan() ->
    seed(),
    #'Loan'{
        book = up_to(16#FFFFFFFFFFFF), reader = up_to(99999), day = up_to(20000), renewals = up_to(3), fee = -up_to(5000),
        shelf = up_to(900), open = true
    }.

-spec label() -> #'Label'{}.
label() ->
    seed(),
    #'Label'{sender = text(13), receiver = text(17), urgent = true}.

-spec notice() -> #'Notice'{}.
notice() ->
    seed(),
    #'Notice'{region = text(9), headline = text(31), body = text(120), issued = up_to(16#FFFFFFFFFFFF)}.

-spec card() -> #'Card'{}.
card() ->
    seed(),
    #'Card'{name = text(16), street = text(18), town = text(8), number = up_to(99999)}.

-spec route() -> #'Route'{}.
route() ->
    seed(),
    Kinds = [shop, locker, door],
    #'Route'{
        name = text(6),
        stops = [
            #'Route_Stop'{
                place = text(12), minute = up_to(1440), kind = lists:nth(1 + At rem 3, Kinds),
                gates = [#'Route_Gate'{code = text(4), open = At rem 2 =:= 0} || _ <- lists:seq(1, 1 + At rem 3)]
            }
         || At <- lists:seq(1, 6)
        ]
    }.

-spec forecast() -> #'Forecast'{}.
forecast() ->
    seed(),
    Skies = [clear, clouds, rain, snow],
    #'Forecast'{
        region = text(11),
        days = [
            #'Forecast_Day'{
                day = 20000 + Day, sky = lists:nth(1 + Day rem 4, Skies), low = -up_to(20), high = up_to(20),
                hours = [share() * 16 || _ <- lists:seq(1, 8)], notes = [text(5 + up_to(20)) || _ <- lists:seq(1, Day rem 3)]
            }
         || Day <- lists:seq(1, 5)
        ],
        map = rand:bytes(64)
    }.

-spec catalogue() -> #'Catalogue'{}.
catalogue() ->
    seed(),
    #'Catalogue'{
        books = [
            #'Catalogue_Book'{
                title = text(10 + up_to(20)), year = 1900 + up_to(120),
                authors = [#'Catalogue_Author'{first = text(6), last = text(9)} || _ <- lists:seq(1, 1 + At rem 3)],
                publisher = #'Catalogue_Publisher'{name = text(12), town = text(7)}, state = state(At rem 3)
            }
         || At <- lists:seq(1, 6)
        ]
    }.

state(0) -> {shelved, up_to(900)};
state(1) -> {lent, text(12)};
state(2) -> {lost, undefined}.

seed() -> rand:seed(exsss, ?SEED).

up_to(Max) -> rand:uniform(Max).

text(Size) -> << <<($a + rand:uniform(26) - 1)>> || _ <- lists:seq(1, Size) >>.
