%% @doc The patient of `bench/beam/schemas/untuned_clinic.fbe', in both wire forms, written by hand in the manner of the
%% account's peer.
-module(patient_peer).

-export([encode/1, decode/1, insured/1, encode_final/1, decode_final/1]).

-include("untuned_clinic.hrl").

-define(UINT(Value, Max), is_integer(Value), Value >= 0, Value =< Max).
-define(INT(Value, Max), is_integer(Value), Value >= -Max - 1, Value =< Max).

-spec encode(#'Patient'{}) -> binary().
encode(#'Patient'{
    number = Number, first = First, last = Last, ward = Ward, needs = Needs, insured = Insured, own = Own, other = Other,
    doses = Doses, pulses = Pulses
}) when ?UINT(Number, 16#FFFFFFFFFFFFFFFF), is_binary(First), is_binary(Last) ->
    OwnBytes = contact(Own),
    {Has, OtherBytes} = case Other of
        undefined -> {0, <<>>};
        _ -> {1, <<4:32/little, (contact(Other))/binary>>}
    end,
    LastAt = 50 + byte_size(First),
    OwnAt = LastAt + 4 + byte_size(Last),
    OtherAt = OwnAt + byte_size(OwnBytes),
    DosesAt = OtherAt + byte_size(OtherBytes),
    DoseCount = length(Doses),
    {Table, Blocks} = doses(Doses, DosesAt + 4 + 4 * DoseCount, <<>>, <<>>),
    PulsesAt = DosesAt + 4 + byte_size(Table) + byte_size(Blocks),
    PulseBytes = pulses(Pulses, <<>>),
    <<
        (12 + PulsesAt + byte_size(PulseBytes)):32/little, 8:32/little,
        46:32/little, 13:32/little, Number:64/little, 46:32/little, LastAt:32/little, (ward(Ward)):16/little,
        (needs(Needs)):16/little, (bool(Insured)):8, OwnAt:32/little, Has:8, (Has * OtherAt):32/little, DosesAt:32/little,
        PulsesAt:32/little,
        (byte_size(First)):32/little, First/binary, (byte_size(Last)):32/little, Last/binary,
        OwnBytes/binary, OtherBytes/binary, DoseCount:32/little, Table/binary, Blocks/binary,
        (length(Pulses)):32/little, PulseBytes/binary
    >>.

contact(#'Contact'{phone = Phone, email = Email}) when ?INT(Phone, 16#7FFFFFFFFFFFFFFF), is_binary(Email) ->
    <<20:32/little, 12:32/little, Phone:64/little, 20:32/little, (byte_size(Email)):32/little, Email/binary>>.

doses([#'Dose'{drug = Drug, milligrams = Milligrams, weight = Weight, given = Given} | Rest], At, Table, Blocks)
    when is_binary(Drug), ?UINT(Milligrams, 16#FFFF), is_float(Weight), ?UINT(Given, 16#FFFFFFFFFFFFFFFF) ->
    doses(Rest, At + 30 + byte_size(Drug), <<Table/binary, At:32/little>>, <<
        Blocks/binary,
        26:32/little, 11:32/little, 26:32/little, Milligrams:16/little, Weight:32/float-little, Given:64/little,
        (byte_size(Drug)):32/little, Drug/binary
    >>);
doses([], _, Table, Blocks) -> {Table, Blocks}.

pulses([Pulse | Rest], Acc) when ?INT(Pulse, 16#7FFFFFFF) -> pulses(Rest, <<Acc/binary, Pulse:32/little>>);
pulses([], Acc) -> Acc.

ward(surgery) -> 0;
ward(children) -> 1;
ward(eyes) -> 7.

needs([diet | Rest]) -> 1 bor needs(Rest);
needs([rest | Rest]) -> 2 bor needs(Rest);
needs([care | Rest]) -> 4 bor needs(Rest);
needs([]) -> 0.

bool(true) -> 1;
bool(false) -> 0.

-spec decode(binary()) -> #'Patient'{}.
decode(<<
    Size:32/little, 8:32/little, 46:32/little, 13:32/little, Number:64/little, FirstAt:32/little, LastAt:32/little,
    Ward:16/little, Needs:16/little, Insured:8, OwnAt:32/little, Has:8, OtherAt:32/little, DosesAt:32/little,
    PulsesAt:32/little, _/binary
>> = Bin) when Size =< byte_size(Bin) ->
    #'Patient'{
        number = Number, first = text(Bin, 8 + FirstAt), last = text(Bin, 8 + LastAt), ward = read_ward(Ward),
        needs = read_needs(Needs), insured = Insured =/= 0, own = read_contact(Bin, 8 + OwnAt),
        other = read_other(Has, Bin, 8 + OtherAt), doses = read_doses(Bin, 8 + DosesAt), pulses = read_pulses(Bin, 8 + PulsesAt)
    }.

text(Bin, At) ->
    <<_:At/binary, Size:32/little, Text:Size/binary, _/binary>> = Bin,
    Text.

read_other(0, _, _) -> undefined;
read_other(_, Bin, At) ->
    <<_:At/binary, More:32/little, _/binary>> = Bin,
    read_contact(Bin, At + More).

read_contact(Bin, At) ->
    <<_:At/binary, 20:32/little, 12:32/little, Phone:64/signed-little, EmailAt:32/little, _/binary>> = Bin,
    #'Contact'{phone = Phone, email = text(Bin, At + EmailAt)}.

read_doses(Bin, At) ->
    <<_:At/binary, Count:32/little, Table:Count/binary-unit:32, _/binary>> = Bin,
    [read_dose(Bin, 8 + DoseAt) || <<DoseAt:32/little>> <= Table].

read_dose(Bin, At) ->
    <<
        _:At/binary, 26:32/little, 11:32/little, DrugAt:32/little, Milligrams:16/little, Weight:32/float-little,
        Given:64/little, _/binary
    >> = Bin,
    #'Dose'{drug = text(Bin, At + DrugAt), milligrams = Milligrams, weight = Weight, given = Given}.

read_pulses(Bin, At) ->
    <<_:At/binary, Count:32/little, Table:Count/binary-unit:32, _/binary>> = Bin,
    [Pulse || <<Pulse:32/signed-little>> <= Table].

read_ward(0) -> surgery;
read_ward(1) -> children;
read_ward(7) -> eyes;
read_ward(Number) -> Number.

read_needs(Number) -> if Number band 1 =:= 0 -> rest(Number); true -> [diet | rest(Number)] end.
rest(Number) -> if Number band 2 =:= 0 -> care(Number); true -> [rest | care(Number)] end.
care(Number) -> if Number band 4 =:= 0 -> []; true -> [care] end.

-spec insured(binary()) -> boolean().
insured(<<_:32, 8:32/little, _:32, 13:32/little, _:20/binary, Insured:8, _/binary>>) -> Insured =/= 0.

-spec encode_final(#'Patient'{}) -> binary().
encode_final(#'Patient'{
    number = Number, first = First, last = Last, ward = Ward, needs = Needs, insured = Insured, own = Own, other = Other,
    doses = Doses, pulses = Pulses
}) when ?UINT(Number, 16#FFFFFFFFFFFFFFFF), is_binary(First), is_binary(Last) ->
    OwnBytes = contact_final(Own),
    OtherBytes = case Other of
        undefined -> <<0>>;
        _ -> <<1, (contact_final(Other))/binary>>
    end,
    DoseBytes = doses_final(Doses, <<(length(Doses)):32/little>>),
    PulseBytes = pulses(Pulses, <<(length(Pulses)):32/little>>),
    <<
        (29 + byte_size(First) + byte_size(Last) + byte_size(OwnBytes) + byte_size(OtherBytes) + byte_size(DoseBytes) +
            byte_size(PulseBytes)):32/little, 13:32/little,
        Number:64/little, (byte_size(First)):32/little, First/binary, (byte_size(Last)):32/little, Last/binary,
        (ward(Ward)):16/little, (needs(Needs)):16/little, (bool(Insured)):8,
        OwnBytes/binary, OtherBytes/binary, DoseBytes/binary, PulseBytes/binary
    >>.

contact_final(#'Contact'{phone = Phone, email = Email}) when ?INT(Phone, 16#7FFFFFFFFFFFFFFF), is_binary(Email) ->
    <<Phone:64/little, (byte_size(Email)):32/little, Email/binary>>.

doses_final([#'Dose'{drug = Drug, milligrams = Milligrams, weight = Weight, given = Given} | Rest], Acc)
    when is_binary(Drug), ?UINT(Milligrams, 16#FFFF), is_float(Weight), ?UINT(Given, 16#FFFFFFFFFFFFFFFF) ->
    doses_final(Rest, <<
        Acc/binary, (byte_size(Drug)):32/little, Drug/binary, Milligrams:16/little, Weight:32/float-little, Given:64/little
    >>);
doses_final([], Acc) -> Acc.

-spec decode_final(binary()) -> #'Patient'{}.
decode_final(<<
    Size:32/little, 13:32/little, Number:64/little, FirstSize:32/little, First:FirstSize/binary, LastSize:32/little,
    Last:LastSize/binary, Ward:16/little, Needs:16/little, Insured:8, Phone:64/signed-little, EmailSize:32/little,
    Email:EmailSize/binary, Has:8, Rest/binary
>> = Bin) when Size =< byte_size(Bin) ->
    {Other, <<Count:32/little, Rest1/binary>>} = case Has of
        0 -> {undefined, Rest};
        _ -> read_contact_final(Rest)
    end,
    {Doses, Rest2} = read_doses_final(Count, Rest1, []),
    <<PulseCount:32/little, Pulses:PulseCount/binary-unit:32, Rest3/binary>> = Rest2,
    Size = byte_size(Bin) - byte_size(Rest3),
    #'Patient'{
        number = Number, first = First, last = Last, ward = read_ward(Ward), needs = read_needs(Needs), insured = Insured =/= 0,
        own = #'Contact'{phone = Phone, email = Email}, other = Other, doses = Doses,
        pulses = [Pulse || <<Pulse:32/signed-little>> <= Pulses]
    }.

read_contact_final(<<Phone:64/signed-little, Size:32/little, Email:Size/binary, Rest/binary>>) ->
    {#'Contact'{phone = Phone, email = Email}, Rest}.

read_doses_final(0, Bin, Acc) -> {lists:reverse(Acc), Bin};
read_doses_final(Count, <<
    Size:32/little, Drug:Size/binary, Milligrams:16/little, Weight:32/float-little, Given:64/little, Rest/binary
>>, Acc) ->
    read_doses_final(Count - 1, Rest, [#'Dose'{drug = Drug, milligrams = Milligrams, weight = Weight, given = Given} | Acc]).
