%% @doc The measured messages: one entry each. To add one, put its schema beside those in `schemas', its hand-written peer
%% into `bench/peers/beam', and its entry here.
-module(beam_messages).

-export([all/0]).
-export_type([entry/0, operation/0, limit/0]).

-type operation() :: encode | iolist | decode | json_encode | json_decode | {read, Field :: atom()}.
-type limit() :: {operation(), vm | hand, AtMost :: float()}.
%% At most so many times the VM's time (`term_to_binary/1', `binary_to_term/1' of the equal record), or the peer's.
-type entry() :: #{
    name := string(),
    %% The generated module, the message's name, and what follows it in functions of another wire form.
    codec := {module(), Message :: string(), Form :: string()},
    value := fun(() -> tuple()),
    %% Hand-written functions: a record to its bytes, bytes to their record.
    peer => {Encode :: fun((tuple()) -> binary()), Decode :: fun((binary()) -> tuple())},
    %% Fields that are read in place, and the peer's function for each.
    reads => [{Field :: atom(), fun((binary()) -> term())}],
    %% A record to its JSON text and back by another library, and the library's module.
    json => {Encode :: fun((tuple()) -> iodata()), Decode :: fun((binary()) -> tuple()), Library :: module()},
    limits => [limit()]
}.

-spec all() -> [entry()].
all() -> sbe() ++ fbe() ++ capnp() ++ untuned().

sbe() ->
    [
        #{
            name => "SBE flat", codec => {flat, "Reading", ""}, value => fun flat_peer:value/0,
            peer => {fun flat_peer:encode/1, fun flat_peer:decode/1}, reads => [{temperature, fun flat_peer:temperature/1}],
            limits => [{encode, vm, 1.0}, {decode, vm, 0.75}, {{read, temperature}, hand, 1.5}]
        },
        #{
            name => "SBE car", codec => {car, "Car", ""}, value => fun car_peer:value/0,
            peer => {fun car_peer:encode/1, fun car_peer:decode/1}, reads => [{year, fun car_peer:year/1}],
            limits => [{encode, vm, 0.75}, {iolist, vm, 0.55}, {decode, vm, 0.8}, {{read, year}, hand, 1.5}]
        }
    ].

fbe() ->
    [
        #{
            name => "FBE account", codec => {proto, "Account", ""}, value => fun account_peer:value/0,
            peer => {fun account_peer:encode/1, fun account_peer:decode/1},
            reads => [{id, fun account_peer:id/1}, {name, fun account_peer:name/1}],
            json => {fun json_peer:encode/1, fun json_peer:decode/1, jiffy},
            limits => [
                {encode, hand, 1.3}, {decode, hand, 1.3}, {{read, id}, hand, 1.5}, {{read, name}, hand, 1.5},
                {json_encode, hand, of_jiffy()}, {json_decode, hand, of_jiffy()}
            ]
        },
        #{
            name => "FBE account, Final", codec => {proto, "Account", "_final"}, value => fun account_peer:value/0,
            peer => {fun account_peer:encode_final/1, fun account_peer:decode_final/1},
            limits => [{encode, hand, 1.3}, {decode, hand, 1.3}]
        }
    ].

%% OTP has had a fast way to print and to read numbers since 27.
of_jiffy() ->
    case list_to_integer(erlang:system_info(otp_release)) of
        Release when Release >= 27 -> 1.3;
        _ -> 2.0
    end.

capnp() ->
    Book = #{
        codec => {addressbook, "AddressBook", ""},
        peer => {fun capnp_peer:encode_book/1, fun capnp_peer:decode_book/1}
    },
    [
        #{
            name => "Cap'n Proto integers", codec => {ints, "Ints", ""}, value => fun capnp_peer:ints/0,
            peer => {fun capnp_peer:encode_ints/1, fun capnp_peer:decode_ints/1}, reads => [{c, fun capnp_peer:c/1}],
            limits => [{encode, hand, 1.8}, {decode, hand, 1.3}, {{read, c}, hand, 1.5}]
        },
        #{
            name => "Cap'n Proto texts", codec => {texts, "Texts", ""}, value => fun capnp_peer:texts/0,
            peer => {fun capnp_peer:encode_texts/1, fun capnp_peer:decode_texts/1},
            reads => [{first, fun capnp_peer:first/1}],
            limits => [{encode, hand, 1.3}, {decode, hand, 1.3}, {{read, first}, hand, 1.5}]
        },
        #{
            name => "Cap'n Proto record", codec => {nested, "Outer", ""}, value => fun capnp_peer:outer/0,
            peer => {fun capnp_peer:encode_outer/1, fun capnp_peer:decode_outer/1},
            reads => [{inner, fun capnp_peer:inner/1}], limits => [{{read, inner}, hand, 1.5}]
        },
        Book#{
            name => "Cap'n Proto book of 2", value => fun capnp_peer:book_of_2/0,
            limits => [{encode, vm, 1.6}, {decode, vm, 0.6}]
        },
        Book#{
            name => "Cap'n Proto book of 50", value => fun capnp_peer:book_of_50/0,
            limits => [{encode, vm, 1.8}, {decode, vm, 0.55}]
        }
    ].

%% Messages of like shapes that nobody tunes for, under the same limits: three schemas a shape.
untuned() -> untuned_sbe() ++ untuned_fbe() ++ untuned_capnp().

untuned_sbe() ->
    Flat = #{limits => [{encode, vm, 1.0}, {decode, vm, 0.75}]},
    Groups = #{limits => [{encode, vm, 0.75}, {iolist, vm, 0.55}, {decode, vm, 0.8}]},
    [
        Flat#{name => "untuned SBE flat, ticket", codec => {untuned_trip, "Ticket", ""}, value => fun untuned_values:ticket/0},
        Flat#{name => "untuned SBE flat, status", codec => {untuned_grid, "Status", ""}, value => fun untuned_values:status/0},
        Flat#{
            name => "untuned SBE flat, position", codec => {untuned_flight, "Position", ""}, value => fun untuned_values:position/0
        },
        Groups#{name => "untuned SBE groups, trip", codec => {untuned_trip, "Trip", ""}, value => fun untuned_values:trip/0},
        Groups#{
            name => "untuned SBE groups, profile", codec => {untuned_grid, "Profile", ""}, value => fun untuned_values:profile/0
        },
        Groups#{
            name => "untuned SBE groups, roster", codec => {untuned_flight, "Roster", ""}, value => fun untuned_values:roster/0
        }
    ].

untuned_fbe() ->
    Standard = [
        {"patient", {untuned_clinic, "Patient", ""}, fun untuned_values:patient/0,
            {fun patient_peer:encode/1, fun patient_peer:decode/1}, {insured, fun patient_peer:insured/1}},
        {"match", {untuned_league, "Match", ""}, fun untuned_values:match/0,
            {fun match_peer:encode/1, fun match_peer:decode/1}, {venue, fun match_peer:venue/1}},
        {"delivery", {untuned_depot, "Delivery", ""}, fun untuned_values:delivery/0,
            {fun delivery_peer:encode/1, fun delivery_peer:decode/1}, {urgent, fun delivery_peer:urgent/1}}
    ],
    Final = [
        {"patient", {untuned_clinic, "Patient", "_final"}, fun untuned_values:patient/0,
            {fun patient_peer:encode_final/1, fun patient_peer:decode_final/1}},
        {"match", {untuned_league, "Match", "_final"}, fun untuned_values:match/0,
            {fun match_peer:encode_final/1, fun match_peer:decode_final/1}},
        {"delivery", {untuned_depot, "Delivery", "_final"}, fun untuned_values:delivery/0,
            {fun delivery_peer:encode_final/1, fun delivery_peer:decode_final/1}}
    ],
    [by_hand("untuned FBE, " ++ Topic, Codec, Value, Peer, 1.3, Read) || {Topic, Codec, Value, Peer, Read} <- Standard] ++
        [by_hand("untuned Final, " ++ Topic, Codec, Value, Peer, 1.3) || {Topic, Codec, Value, Peer} <- Final].

untuned_capnp() ->
    Numbers = [
        {"scan", {untuned_parcel, "Scan", ""}, fun untuned_values:scan/0,
            {fun untuned_capnp_peer:encode_scan/1, fun untuned_capnp_peer:decode_scan/1},
            {depot, fun untuned_capnp_peer:depot/1}},
        {"reading", {untuned_weather, "Reading", ""}, fun untuned_values:reading/0,
            {fun untuned_capnp_peer:encode_reading/1, fun untuned_capnp_peer:decode_reading/1},
            {station, fun untuned_capnp_peer:station/1}},
        {"loan", {untuned_library, "Loan", ""}, fun untuned_values:loan/0,
            {fun untuned_capnp_peer:encode_loan/1, fun untuned_capnp_peer:decode_loan/1}, {fee, fun untuned_capnp_peer:fee/1}}
    ],
    Texts = [
        {"label", {untuned_parcel, "Label", ""}, fun untuned_values:label/0,
            {fun untuned_capnp_peer:encode_label/1, fun untuned_capnp_peer:decode_label/1},
            {receiver, fun untuned_capnp_peer:receiver/1}},
        {"notice", {untuned_weather, "Notice", ""}, fun untuned_values:notice/0,
            {fun untuned_capnp_peer:encode_notice/1, fun untuned_capnp_peer:decode_notice/1},
            {headline, fun untuned_capnp_peer:headline/1}},
        {"card", {untuned_library, "Card", ""}, fun untuned_values:card/0,
            {fun untuned_capnp_peer:encode_card/1, fun untuned_capnp_peer:decode_card/1},
            {town, fun untuned_capnp_peer:town/1}}
    ],
    Lists = #{limits => [{encode, vm, 1.8}, {decode, vm, 0.6}]},
    [by_hand("untuned Cap'n Proto ints, " ++ Topic, Codec, Value, Peer, 1.8, Read)
        || {Topic, Codec, Value, Peer, Read} <- Numbers] ++
    [by_hand("untuned Cap'n Proto texts, " ++ Topic, Codec, Value, Peer, 1.3, Read)
        || {Topic, Codec, Value, Peer, Read} <- Texts] ++
    [
        Lists#{name => "untuned Cap'n Proto, route", codec => {untuned_parcel, "Route", ""}, value => fun untuned_values:route/0},
        Lists#{
            name => "untuned Cap'n Proto, forecast", codec => {untuned_weather, "Forecast", ""},
            value => fun untuned_values:forecast/0
        },
        Lists#{
            name => "untuned Cap'n Proto, catalogue", codec => {untuned_library, "Catalogue", ""},
            value => fun untuned_values:catalogue/0
        }
    ].

%% Limits are the peer's time: so many times for encoding, 1.3 times for decoding, 1.5 times for a field read in place.
by_hand(Name, Codec, Value, Peer, Encode, {Field, _} = Read) ->
    #{limits := Limits} = Entry = by_hand(Name, Codec, Value, Peer, Encode),
    Entry#{reads => [Read], limits => Limits ++ [{{read, Field}, hand, 1.5}]}.

by_hand(Name, Codec, Value, Peer, Encode) ->
    #{name => Name, codec => Codec, value => Value, peer => Peer, limits => [{encode, hand, Encode}, {decode, hand, 1.3}]}.
