%% @doc Values of the schemas that nobody tuned for, from a fixed seed.
-module(untuned_values).

-export([ticket/0, trip/0, patient/0, scan/0, label/0, route/0]).

-include("untuned_trip.hrl").
-include("untuned_clinic.hrl").
-include("untuned_parcel.hrl").

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

-spec scan() -> #'Scan'{}.
scan() ->
    seed(),
    #'Scan'{
        parcel = up_to(16#FFFFFFFFFFFFFFFF), depot = up_to(900), belt = -up_to(20), grams = up_to(30000), height = up_to(900),
        width = up_to(900), depth = up_to(900)
    }.

-spec label() -> #'Label'{}.
label() ->
    seed(),
    #'Label'{sender = text(13), receiver = text(17), urgent = true}.

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

seed() -> rand:seed(exsss, ?SEED).

up_to(Max) -> rand:uniform(Max).

text(Size) -> << <<($a + rand:uniform(26) - 1)>> || _ <- lists:seq(1, Size) >>.
