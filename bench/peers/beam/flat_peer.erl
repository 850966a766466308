%% @doc The flat message of `bench/beam/schemas/flat.xml', written by hand: one match, one construction.
-module(flat_peer).

-export([value/0, encode/1, decode/1, temperature/1]).

-include("flat.hrl").

-define(INT32(Value), is_integer(Value), Value >= -16#80000000, Value =< 16#7FFFFFFF).

-spec value() -> #'Reading'{}.
value() ->
    #'Reading'{
        time = 1478961038229196541, station = 4711, temperature = -1250, pressure = 101325, humidity = 67000, wind = 12400,
        rain = 0, place = <<"HARBOR">>, sky = <<"cloudy">>, observer = <<"Tamara">>
    }.

-spec encode(#'Reading'{}) -> binary().
encode(#'Reading'{
    time = Time, station = Station, temperature = Temperature, pressure = Pressure, humidity = Humidity, wind = Wind,
    rain = Rain, place = Place, sky = Sky, observer = Observer
}) when
    is_integer(Time), Time >= 0, Time =< 16#FFFFFFFFFFFFFFFF,
    is_integer(Station), Station >= 0, Station =< 16#FFFF,
    ?INT32(Temperature), ?INT32(Pressure), ?INT32(Humidity), ?INT32(Wind), ?INT32(Rain),
    byte_size(Place) =:= 6, byte_size(Sky) < 16#FFFF, byte_size(Observer) < 16#FFFF
->
    <<
        36:16/little, 1:16/little, 81:16/little, 0:16/little,
        Time:64/little, Station:16/little, Temperature:32/little, Pressure:32/little, Humidity:32/little, Wind:32/little,
        Rain:32/little, Place/binary,
        (byte_size(Sky)):16/little, Sky/binary,
        (byte_size(Observer)):16/little, Observer/binary
    >>.

-spec decode(binary()) -> #'Reading'{}.
decode(<<
    36:16/little, 1:16/little, 81:16/little, 0:16/little,
    Time:64/little, Station:16/little, Temperature:32/signed-little, Pressure:32/signed-little, Humidity:32/signed-little,
    Wind:32/signed-little, Rain:32/signed-little, Place:6/binary,
    SkySize:16/little, Sky:SkySize/binary,
    ObserverSize:16/little, Observer:ObserverSize/binary,
    _/binary
>>) ->
    #'Reading'{
        time = Time, station = Station, temperature = Temperature, pressure = Pressure, humidity = Humidity, wind = Wind,
        rain = Rain, place = cut(Place), sky = Sky, observer = Observer
    }.

-spec temperature(binary()) -> integer().
temperature(<<36:16/little, 1:16/little, 81:16/little, _:16, _:10/binary, Temperature:32/signed-little, _/binary>>) ->
    Temperature.

cut(<<_:5/binary, Last, _/binary>> = Text) when Last =/= 0 -> Text;
cut(Text) -> hd(binary:split(Text, <<0>>)).
