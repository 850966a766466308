%% @doc Whole messages of segments: what the functions of a generated module do with its readers and writers.
-module(aldis_message).

-export([decode/3, view/2, view/3, decode_as/2, encode/3, encode_as/2]).
-export_type([form/0, reader/1, writer/0]).

-type form() :: framed | packed | flat.
%% Segments behind a table, the same packed, one segment alone (canonical when it is written).
-type reader(Value) :: fun((binary(), At :: non_neg_integer(), Size :: non_neg_integer(), Count :: non_neg_integer(),
    aldis_segments:message(), Depth :: pos_integer(), Budget :: non_neg_integer(), aldis_fault:path()) ->
    {Value, non_neg_integer()}).
%% The root's segment, where it is, its bytes of data, its pointers; what it gives is the value and the budget left.
-type writer() :: fun((term(), aldis_words:word(), aldis_words:word(), non_neg_integer(), aldis_fault:path()) ->
    aldis_words:placed()).
-type error() :: {error, aldis:reason()}.

%% @doc The value of the message that `Bin' begins with, and what follows it.
-spec decode(form(), reader(Value), binary()) -> {ok, Value, Rest :: binary()} | error().
decode(Form, Read, Bin) ->
    Heap = aldis_heap:enter(Bin),
    try
        {Segment, Message, Rest} = open(Form, Bin),
        {ok, root(Read, Segment, Message, aldis_wire:budget(Bin, 0)), Rest}
    catch
        %% Offsets in unpacked words are none in what was given.
        throw:{aldis_fault, Code, _, Path} when Form =:= packed -> {error, {Code, '-', aldis_fault:path(Path)}};
        throw:{aldis_fault, _, _, _} = Fault -> aldis_fault:error(Fault, none)
    after
        aldis_heap:leave(Heap)
    end.

open(framed, Bin) -> aldis_segments:open(Bin);
open(packed, Bin) -> aldis_segments:open_packed(Bin);
open(flat, Bin) -> aldis_segments:open_flat(Bin).

%% A null root is a record of no words.
root(Read, <<0:64, _/binary>> = Bin, Message, Budget) ->
    {Value, _} = Read(Bin, 0, 0, 0, Message, 1, Budget, []),
    Value;
root(Read, <<Low:32/signed-little, High:32/little, _/binary>> = Bin, Message, Budget) ->
    {Segment, Start, Size, Count, Budget1} = aldis_pointer:record(Low, High, Bin, 0, Message, 0, Budget, []),
    {Value, _} = Read(Segment, Start, Size, Count, Message, 1, Budget1, []),
    Value.

%% @doc One field of a message behind a table.
-spec view(reader(Value), binary()) -> {ok, Value} | error().
view(Read, Bin) ->
    case decode(framed, Read, Bin) of
        {ok, Value, _} -> {ok, Value};
        {error, _} = Error -> Error
    end.

%% @doc As {@link view/2}, null replaced by the schema's default.
-spec view(reader(Value | undefined), binary(), Value) -> {ok, Value} | error().
view(Read, Bin, Default) ->
    case view(Read, Bin) of
        {ok, undefined} -> {ok, Default};
        Result -> Result
    end.

%% @doc The record that a value of open type is.
-spec decode_as(reader(Value), aldis:any_pointer()) -> {ok, Value} | error().
decode_as(Read, {any_pointer, Flat}) ->
    case decode(flat, Read, Flat) of
        {ok, Value, _} -> {ok, Value};
        {error, _} = Error -> Error
    end;
decode_as(_, _) -> {error, {bad_value, '-', <<>>}}.

%% @doc The message of a value.
-spec encode(form(), writer(), term()) -> {ok, iodata()} | error().
encode(Form, Put, Value) ->
    try
        {Segment, Words} = segment(Put, Value),
        {ok, close(Form, Segment, Words)}
    catch
        throw:{aldis_fault, _, _, _} = Fault -> aldis_fault:error(Fault, none)
    end.

close(framed, Segment, Words) -> aldis_segments:framed(Segment, Words);
close(packed, Segment, Words) -> aldis_segments:packed(Segment, Words);
close(flat, Segment, Words) -> aldis_segments:canonical(Segment, Words).

segment(_, undefined) -> aldis_check:wrong([]);
segment(Put, Value) ->
    {Low, High, Objects, Words} = Put(Value, 0, 1, 0, []),
    {[<<Low:32/little, High:32/little>> | Objects], Words}.

%% @doc A record as a value of open type.
-spec encode_as(writer(), term()) -> {ok, aldis:any_pointer()} | error().
encode_as(Put, Value) ->
    try
        {Segment, Words} = segment(Put, Value),
        {ok, {any_pointer, iolist_to_binary(aldis_segments:flat(Segment, Words))}}
    catch
        throw:{aldis_fault, _, _, _} = Fault -> aldis_fault:error(Fault, none)
    end.
