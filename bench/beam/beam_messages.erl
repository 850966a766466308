%% @doc What is measured: one entry a message. To add one, put its schema beside those in `schemas', its hand-written peer
%% into `bench/peers/beam', and its entry here.
-module(beam_messages).

-export([all/0]).
-export_type([entry/0, operation/0, limit/0]).

-type operation() :: encode | iolist | decode | {read, Field :: atom()}.
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
            limits => [{encode, hand, 1.3}, {decode, hand, 1.3}, {{read, id}, hand, 1.5}, {{read, name}, hand, 1.5}]
        },
        #{
            name => "FBE account, Final", codec => {proto, "Account", "_final"}, value => fun account_peer:value/0,
            peer => {fun account_peer:encode_final/1, fun account_peer:decode_final/1},
            limits => [{encode, hand, 1.3}, {decode, hand, 1.3}]
        }
    ].

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

%% Messages of like shapes that nobody tunes for, under the same limits.
untuned() ->
    Patient = #{value => fun untuned_values:patient/0, limits => [{encode, hand, 1.3}, {decode, hand, 1.3}]},
    [
        #{
            name => "untuned SBE flat", codec => {untuned_trip, "Ticket", ""}, value => fun untuned_values:ticket/0,
            limits => [{encode, vm, 1.0}, {decode, vm, 0.75}]
        },
        #{
            name => "untuned SBE groups", codec => {untuned_trip, "Trip", ""}, value => fun untuned_values:trip/0,
            limits => [{encode, vm, 0.75}, {iolist, vm, 0.55}, {decode, vm, 0.8}]
        },
        Patient#{
            name => "untuned FBE", codec => {untuned_clinic, "Patient", ""},
            peer => {fun patient_peer:encode/1, fun patient_peer:decode/1}, reads => [{insured, fun patient_peer:insured/1}]
        },
        Patient#{
            name => "untuned FBE, Final", codec => {untuned_clinic, "Patient", "_final"},
            peer => {fun patient_peer:encode_final/1, fun patient_peer:decode_final/1}
        },
        #{name => "untuned Cap'n Proto numbers", codec => {untuned_parcel, "Scan", ""}, value => fun untuned_values:scan/0},
        #{name => "untuned Cap'n Proto texts", codec => {untuned_parcel, "Label", ""}, value => fun untuned_values:label/0},
        #{
            name => "untuned Cap'n Proto lists", codec => {untuned_parcel, "Route", ""}, value => fun untuned_values:route/0,
            limits => [{encode, vm, 1.8}, {decode, vm, 0.6}]
        }
    ].
