%% @doc Numbers and texts of the schemas of Cap'n Proto that nobody tuned for, written by hand in the manner of
%% `capnp_peer': one segment, records of exactly the schema's size, encoders that check nothing, decoders that crash on
%% anything else.
-module(untuned_capnp_peer).

-include("untuned_parcel.hrl").
-include("untuned_weather.hrl").
-include("untuned_library.hrl").

-export([encode_scan/1, decode_scan/1, encode_reading/1, decode_reading/1, encode_loan/1, decode_loan/1]).
-export([encode_label/1, decode_label/1, encode_notice/1, decode_notice/1, encode_card/1, decode_card/1]).
-export([depot/1, station/1, fee/1, receiver/1, headline/1, town/1]).

-compile({inline, [bool/1, pointer_to_text/2]}).

%%% Numbers

-spec encode_scan(#'Scan'{}) -> binary().
encode_scan(#'Scan'{parcel = Parcel, depot = Depot, belt = Belt, grams = Grams, height = Height, width = Width, depth = Depth}) ->
    <<
        0:32, 4:32/little,
        0:32, 3:16/little, 0:16,
        Parcel:64/little, Depot:16/little, Belt:8, 0:8, Grams:32/little, Height:16/little, Width:16/little, Depth:16/little,
        0:16
    >>.

-spec decode_scan(binary()) -> #'Scan'{}.
decode_scan(<<
    0:32, 4:32/little,
    0:32, 3:16/little, 0:16,
    Parcel:64/little, Depot:16/little, Belt:8/signed, _:8, Grams:32/little, Height:16/little-signed, Width:16/little-signed,
    Depth:16/little-signed, _:16,
    _/binary
>>) ->
    #'Scan'{parcel = Parcel, depot = Depot, belt = Belt, grams = Grams, height = Height, width = Width, depth = Depth}.

%% 1013 is the pressure's default: it lies as a difference.
-spec encode_reading(#'Reading'{}) -> binary().
encode_reading(#'Reading'{
    time = Time, station = Station, celsius = Celsius, pressure = Pressure, humidity = Humidity, rain = Rain,
    wind = #'Reading_wind'{speed = Speed, direction = Direction}
}) ->
    <<
        0:32, 5:32/little,
        0:32, 4:16/little, 0:16,
        Time:64/little, Station:32/little, Celsius:32/float-little, (Pressure bxor 1013):16/little, Humidity:8,
        (bool(Rain)):8, Speed:32/float-little, Direction:16/little, 0:48
    >>.

-spec decode_reading(binary()) -> #'Reading'{}.
decode_reading(<<
    0:32, 5:32/little,
    0:32, 4:16/little, 0:16,
    Time:64/little, Station:32/little, Celsius:32/float-little, Pressure:16/little, Humidity:8, _:7, Rain:1,
    Speed:32/float-little, Direction:16/little, _:48,
    _/binary
>>) ->
    #'Reading'{
        time = Time, station = Station, celsius = Celsius, pressure = Pressure bxor 1013, humidity = Humidity,
        rain = Rain =:= 1, wind = #'Reading_wind'{speed = Speed, direction = Direction}
    }.

-spec encode_loan(#'Loan'{}) -> binary().
encode_loan(#'Loan'{book = Book, reader = Reader, day = Day, renewals = Renewals, fee = Fee, shelf = Shelf, open = Open}) ->
    <<
        0:32, 5:32/little,
        0:32, 4:16/little, 0:16,
        Book:64/little, Reader:32/little, Day:32/little, Renewals:8, (bool(Open)):8, Shelf:16/little, 0:32, Fee:64/little
    >>.

-spec decode_loan(binary()) -> #'Loan'{}.
decode_loan(<<
    0:32, 5:32/little,
    0:32, 4:16/little, 0:16,
    Book:64/little, Reader:32/little, Day:32/little, Renewals:8, _:7, Open:1, Shelf:16/little-signed, _:32,
    Fee:64/little-signed,
    _/binary
>>) ->
    #'Loan'{book = Book, reader = Reader, day = Day, renewals = Renewals, fee = Fee, shelf = Shelf, open = Open =:= 1}.

bool(true) -> 1;
bool(false) -> 0.

%%% Texts

-spec encode_label(#'Label'{}) -> binary().
encode_label(#'Label'{sender = Sender, receiver = Receiver, urgent = Urgent}) ->
    SenderSize = byte_size(Sender),
    ReceiverSize = byte_size(Receiver),
    SenderWords = SenderSize bsr 3 + 1,
    ReceiverWords = ReceiverSize bsr 3 + 1,
    <<
        0:32, (4 + SenderWords + ReceiverWords):32/little,
        0:32, 1:16/little, 2:16/little,
        (bool(Urgent)):8, 0:56,
        (pointer_to_text(1, SenderSize)):64/little,
        (pointer_to_text(SenderWords, ReceiverSize)):64/little,
        Sender/binary, 0:(SenderWords * 8 - SenderSize)/unit:8,
        Receiver/binary, 0:(ReceiverWords * 8 - ReceiverSize)/unit:8
    >>.

-spec decode_label(binary()) -> #'Label'{}.
decode_label(<<
    0:32, _:32,
    0:32, 1:16/little, 2:16/little,
    _:7, Urgent:1, _:56,
    SenderLow:32/little, SenderHigh:32/little,
    ReceiverLow:32/little, ReceiverHigh:32/little,
    _/binary
>> = Bin) ->
    #'Label'{
        sender = text(Bin, 32, SenderLow, SenderHigh), receiver = text(Bin, 40, ReceiverLow, ReceiverHigh),
        urgent = Urgent =:= 1
    }.

-spec encode_notice(#'Notice'{}) -> binary().
encode_notice(#'Notice'{region = Region, headline = Headline, body = Body, issued = Issued}) ->
    three_texts(Issued, Region, Headline, Body).

-spec decode_notice(binary()) -> #'Notice'{}.
decode_notice(<<
    0:32, _:32,
    0:32, 1:16/little, 3:16/little,
    Issued:64/little-signed,
    RegionLow:32/little, RegionHigh:32/little,
    HeadlineLow:32/little, HeadlineHigh:32/little,
    BodyLow:32/little, BodyHigh:32/little,
    _/binary
>> = Bin) ->
    #'Notice'{
        region = text(Bin, 32, RegionLow, RegionHigh), headline = text(Bin, 40, HeadlineLow, HeadlineHigh),
        body = text(Bin, 48, BodyLow, BodyHigh), issued = Issued
    }.

-spec encode_card(#'Card'{}) -> binary().
encode_card(#'Card'{name = Name, street = Street, town = Town, number = Number}) ->
    three_texts(Number, Name, Street, Town).

-spec decode_card(binary()) -> #'Card'{}.
decode_card(<<
    0:32, _:32,
    0:32, 1:16/little, 3:16/little,
    Number:32/little, _:32,
    NameLow:32/little, NameHigh:32/little,
    StreetLow:32/little, StreetHigh:32/little,
    TownLow:32/little, TownHigh:32/little,
    _/binary
>> = Bin) ->
    #'Card'{
        name = text(Bin, 32, NameLow, NameHigh), street = text(Bin, 40, StreetLow, StreetHigh),
        town = text(Bin, 48, TownLow, TownHigh), number = Number
    }.

%% A word that is one number (a smaller one is padded by zeros) and three texts.
three_texts(Number, First, Second, Third) ->
    FirstSize = byte_size(First),
    SecondSize = byte_size(Second),
    ThirdSize = byte_size(Third),
    FirstWords = FirstSize bsr 3 + 1,
    SecondWords = SecondSize bsr 3 + 1,
    ThirdWords = ThirdSize bsr 3 + 1,
    <<
        0:32, (5 + FirstWords + SecondWords + ThirdWords):32/little,
        0:32, 1:16/little, 3:16/little,
        Number:64/little,
        (pointer_to_text(2, FirstSize)):64/little,
        (pointer_to_text(1 + FirstWords, SecondSize)):64/little,
        (pointer_to_text(FirstWords + SecondWords, ThirdSize)):64/little,
        First/binary, 0:(FirstWords * 8 - FirstSize)/unit:8,
        Second/binary, 0:(SecondWords * 8 - SecondSize)/unit:8,
        Third/binary, 0:(ThirdWords * 8 - ThirdSize)/unit:8
    >>.

%% The pointer's word: offset in words, kind 1, elements of a byte, the count with the zero byte.
pointer_to_text(Offset, Size) -> ((Size + 1) bsl 35) + (Offset bsl 2) + 16#200000001.

%% The text behind a pointer that ends at `At'.
text(Bin, At, Low, High) when Low band 3 =:= 1, High band 7 =:= 2 ->
    Start = At + (Low bsr 2) * 8,
    Length = High bsr 3 - 1,
    <<_:Start/binary, Text:Length/binary, 0, _/binary>> = Bin,
    Text;
text(_, _, 0, 0) -> undefined.

%%% One field in place

-spec depot(binary()) -> non_neg_integer().
depot(<<0:32, _:32, 0:32, 3:16/little, 0:16, _:64, Depot:16/little, _/binary>>) -> Depot.

-spec station(binary()) -> non_neg_integer().
station(<<0:32, _:32, 0:32, 4:16/little, 0:16, _:64, Station:32/little, _/binary>>) -> Station.

-spec fee(binary()) -> integer().
fee(<<0:32, _:32, 0:32, 4:16/little, 0:16, _:24/binary, Fee:64/little-signed, _/binary>>) -> Fee.

-spec receiver(binary()) -> binary() | undefined.
receiver(<<0:32, _:32, 0:32, 1:16/little, 2:16/little, _:16/binary, Low:32/little, High:32/little, _/binary>> = Bin) ->
    text(Bin, 40, Low, High).

-spec headline(binary()) -> binary() | undefined.
headline(<<0:32, _:32, 0:32, 1:16/little, 3:16/little, _:16/binary, Low:32/little, High:32/little, _/binary>> = Bin) ->
    text(Bin, 40, Low, High).

-spec town(binary()) -> binary() | undefined.
town(<<0:32, _:32, 0:32, 1:16/little, 3:16/little, _:24/binary, Low:32/little, High:32/little, _/binary>> = Bin) ->
    text(Bin, 48, Low, High).
