%% @doc The car of `bench/beam/schemas/car.xml', written by hand: entries of groups are appended to one growing binary.
-module(car_peer).

-export([value/0, encode/1, decode/1, year/1]).

-include("car.hrl").

-define(INT32(Value), is_integer(Value), Value >= -16#80000000, Value =< 16#7FFFFFFF).
-define(UINT16(Value), is_integer(Value), Value >= 0, Value =< 16#FFFF).
-define(UINT8(Value), is_integer(Value), Value >= 0, Value =< 16#FF).

-spec value() -> #'Car'{}.
value() ->
    #'Car'{
        serial = 123456789012345, year = 2013, available = yes, model = family, numbers = [1, -2, 300000, 4, 5],
        code = <<"abcdef">>, extras = [sportsPack, cruiseControl],
        engine = #'Engine'{capacity = 2000, cylinders = 4, maker = <<"123">>},
        fuel = [#'Car_fuel'{speed = Speed, distance = Distance} || {Speed, Distance} <- [{30, 35.875}, {55, 49.0}, {75, 40.0}]],
        performance = [
            #'Car_performance'{octane = 95, acceleration = accelerations([{30, 4.0}, {60, 7.5}, {100, 12.25}])},
            #'Car_performance'{octane = 99, acceleration = accelerations([{30, 3.75}, {60, 7.0}, {100, 11.75}])}
        ],
        maker = <<"MANUFACTURER">>, name = <<"MODEL">>
    }.

accelerations(Pairs) -> [#'Car_performance_acceleration'{speed = Speed, seconds = Seconds} || {Speed, Seconds} <- Pairs].

-spec encode(#'Car'{}) -> binary().
encode(#'Car'{
    serial = Serial, year = Year, available = Available, model = Model, numbers = [A, B, C, D, E], code = Code,
    extras = Extras, engine = #'Engine'{capacity = Capacity, cylinders = Cylinders, maker = EngineMaker},
    fuel = Fuel, performance = Performance, maker = Maker, name = Name
}) when
    is_integer(Serial), Serial >= 0, Serial =< 16#FFFFFFFFFFFFFFFF, ?UINT16(Year),
    ?INT32(A), ?INT32(B), ?INT32(C), ?INT32(D), ?INT32(E), byte_size(Code) =:= 6,
    ?UINT16(Capacity), ?UINT8(Cylinders), byte_size(EngineMaker) =:= 3,
    length(Fuel) < 16#FFFF, length(Performance) < 16#FFFF, byte_size(Maker) < 16#FFFF, byte_size(Name) < 16#FFFF
->
    Block = <<
        45:16/little, 1:16/little, 82:16/little, 0:16/little,
        Serial:64/little, Year:16/little, (available(Available)):8, (model(Model)):8,
        A:32/little, B:32/little, C:32/little, D:32/little, E:32/little,
        Code/binary, (extras(Extras)):8, Capacity:16/little, Cylinders:8, EngineMaker/binary,
        6:16/little, (length(Fuel)):16/little
    >>,
    WithFuel = fuel(Fuel, Block),
    WithPerformance = performance(Performance, <<WithFuel/binary, 1:16/little, (length(Performance)):16/little>>),
    <<WithPerformance/binary, (byte_size(Maker)):16/little, Maker/binary, (byte_size(Name)):16/little, Name/binary>>.

available(no) -> 0;
available(yes) -> 1.

model(small) -> $S;
model(family) -> $F;
model(estate) -> $E.

extras([sunRoof | Rest]) -> 1 bor extras(Rest);
extras([sportsPack | Rest]) -> 2 bor extras(Rest);
extras([cruiseControl | Rest]) -> 4 bor extras(Rest);
extras([]) -> 0.

fuel([#'Car_fuel'{speed = Speed, distance = Distance} | Rest], Acc) when ?UINT16(Speed) ->
    fuel(Rest, <<Acc/binary, Speed:16/little, Distance:32/float-little>>);
fuel([], Acc) -> Acc.

performance([#'Car_performance'{octane = Octane, acceleration = Acceleration} | Rest], Acc)
    when ?UINT8(Octane), length(Acceleration) < 16#FFFF ->
    performance(Rest, acceleration(Acceleration, <<Acc/binary, Octane:8, 6:16/little, (length(Acceleration)):16/little>>));
performance([], Acc) -> Acc.

acceleration([#'Car_performance_acceleration'{speed = Speed, seconds = Seconds} | Rest], Acc) when ?UINT16(Speed) ->
    acceleration(Rest, <<Acc/binary, Speed:16/little, Seconds:32/float-little>>);
acceleration([], Acc) -> Acc.

-spec decode(binary()) -> #'Car'{}.
decode(<<
    45:16/little, 1:16/little, 82:16/little, 0:16/little,
    Serial:64/little, Year:16/little, Available:8, Model:8,
    A:32/signed-little, B:32/signed-little, C:32/signed-little, D:32/signed-little, E:32/signed-little,
    Code:6/binary, Extras:8, Capacity:16/little, Cylinders:8, EngineMaker:3/binary,
    6:16/little, FuelCount:16/little, Rest/binary
>>) ->
    {Fuel, <<1:16/little, PerformanceCount:16/little, Rest1/binary>>} = read_fuel(FuelCount, Rest, []),
    {Performance, Rest2} = read_performance(PerformanceCount, Rest1, []),
    <<MakerSize:16/little, Maker:MakerSize/binary, NameSize:16/little, Name:NameSize/binary, _/binary>> = Rest2,
    #'Car'{
        serial = Serial, year = Year, available = read_available(Available), model = read_model(Model),
        numbers = [A, B, C, D, E], code = cut(Code), extras = read_extras(Extras),
        engine = #'Engine'{capacity = Capacity, cylinders = Cylinders, maker = cut(EngineMaker)},
        fuel = Fuel, performance = Performance, maker = Maker, name = Name
    }.

read_available(0) -> no;
read_available(1) -> yes;
read_available(Number) -> Number.

read_model($S) -> small;
read_model($F) -> family;
read_model($E) -> estate;
read_model(Number) -> Number.

read_extras(Number) -> if Number band 1 =:= 0 -> sports(Number); true -> [sunRoof | sports(Number)] end.
sports(Number) -> if Number band 2 =:= 0 -> cruise(Number); true -> [sportsPack | cruise(Number)] end.
cruise(Number) -> if Number band 4 =:= 0 -> []; true -> [cruiseControl] end.

read_fuel(0, Bin, Acc) -> {lists:reverse(Acc), Bin};
read_fuel(Count, <<Speed:16/little, Distance:32/float-little, Rest/binary>>, Acc) ->
    read_fuel(Count - 1, Rest, [#'Car_fuel'{speed = Speed, distance = Distance} | Acc]).

read_performance(0, Bin, Acc) -> {lists:reverse(Acc), Bin};
read_performance(Count, <<Octane:8, 6:16/little, Accelerations:16/little, Rest/binary>>, Acc) ->
    {Acceleration, Rest1} = read_acceleration(Accelerations, Rest, []),
    read_performance(Count - 1, Rest1, [#'Car_performance'{octane = Octane, acceleration = Acceleration} | Acc]).

read_acceleration(0, Bin, Acc) -> {lists:reverse(Acc), Bin};
read_acceleration(Count, <<Speed:16/little, Seconds:32/float-little, Rest/binary>>, Acc) ->
    read_acceleration(Count - 1, Rest, [#'Car_performance_acceleration'{speed = Speed, seconds = Seconds} | Acc]).

cut(Text) ->
    case binary:last(Text) of
        0 -> hd(binary:split(Text, <<0>>));
        _ -> Text
    end.

-spec year(binary()) -> integer().
year(<<45:16/little, 1:16/little, 82:16/little, _:16, _:8/binary, Year:16/little, _/binary>>) -> Year.
