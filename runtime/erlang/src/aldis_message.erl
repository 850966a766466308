%% @doc Whole messages of segments: what the functions of a generated module do with its readers and writers.
-module(aldis_message).

-export([decode/3, decoded/5, view/2, view/3, viewed/4, viewed/5, decode_as/2, decode_as/3]).
-export([encode/3, encode_canonical/3, encode_as/2, encode_as/3]).
-export_type([form/0, reader/1, writer/0]).

-define(WORD, 8).

-type form() :: framed | packed | flat.
%% Segments behind a table, the same packed, one segment alone (canonical when it is written).
-type reader(Value) :: fun((binary(), At :: non_neg_integer(), Size :: non_neg_integer(), Count :: non_neg_integer(),
    aldis_segments:message(), Depth :: integer(), aldis_wire:budget(), aldis_fault:path()) ->
    {Value, aldis_wire:budget()}).
%% The root's segment, where it is, its bytes of data, its pointers; what it gives is the value and the budget left.
-type writer() :: fun((term(), aldis_words:word(), aldis_words:word(), non_neg_integer(), aldis_fault:path()) ->
    aldis_words:placed()).
-type error() :: {error, aldis:reason()}.

%% @doc The value of the message that `Bin' begins with, and what follows it.
-spec decode(form(), reader(Value), binary()) -> {ok, Value, Rest :: binary()} | error().
decode(Form, Read, Bin) -> decode(Form, Read, Bin, default).

decode(Form, Read, Bin, Limits) ->
    Heap = aldis_heap:enter(Bin),
    try
        {Segment, Message, Rest} = open(Form, Bin, Limits),
        Budget = aldis_wire:budget(Limits, input(Form, Bin, Message), 0),
        {ok, root(Read, Segment, Message, aldis_wire:depth(Limits), Budget), Rest}
    catch
        throw:{aldis_fault, _, _, _} = Fault -> aldis_fault:error(Fault, none)
    after
        aldis_heap:leave(Heap)
    end.

open(framed, Bin, _) -> aldis_segments:open(Bin);
open(packed, Bin, Limits) when is_binary(Bin) -> aldis_segments:open_packed(Bin, aldis_wire:unpacked(Limits, Bin));
open(packed, _, _) -> aldis_fault:raise(bad_value, none, []);
open(flat, Bin, _) -> aldis_segments:open_flat(Bin).

%% The bytes that the budget goes by: of a packed message the unpacked ones.
input(packed, _, {Segments, _}) ->
    Table = 8 * aldis_segments:words(tuple_size(Segments)),
    {unpacked, Table + lists:sum([byte_size(Segment) || Segment <- tuple_to_list(Segments)])};
input(_, Bin, _) -> Bin.

%% @doc The result of `Decode' for `Bin' under options; `Read' reads a message of that form.
-spec decoded(form(), reader(Value), fun((binary()) -> Result), binary(), aldis:decode_options()) -> Result
    when Result :: {ok, Value, Rest :: binary()} | error().
decoded(packed, Read, _, Bin, Options) ->
    %% The default limits are not known before the bytes are unpacked.
    Within = fun(Given, Limits) -> decode(packed, Read, Given, Limits) end,
    aldis:decoded(fun(Given) -> Within(Given, aldis:within(Options)) end, Within, Bin, Options);
decoded(Form, Read, Decode, Bin, Options) ->
    aldis:decoded(Decode, fun(Given, Limits) -> decode(Form, Read, Given, Limits) end, Bin, Options).

%% A null root is a record of no words.
root(Read, <<0:64, _/binary>> = Bin, Message, Depth, Budget) ->
    {Value, _} = Read(Bin, 0, 0, 0, Message, Depth, Budget, []),
    Value;
root(Read, <<Low:32/signed-little, High:32/little, _/binary>> = Bin, Message, Depth, Budget) ->
    {Segment, Start, Size, Count, Budget1} = aldis_pointer:record(Low, High, Bin, 0, Message, Depth - 1, Budget, []),
    {Value, _} = Read(Segment, Start, Size, Count, Message, Depth, Budget1, []),
    Value.

%% @doc One field of a message behind a table.
-spec view(reader(Value), binary()) -> {ok, Value} | error().
view(Read, Bin) ->
    value(decode(framed, Read, Bin)).

%% @doc As {@link view/2}, null replaced by the schema's default.
-spec view(reader(Value | undefined), binary(), Value) -> {ok, Value} | error().
view(Read, Bin, Default) ->
    given(view(Read, Bin), Default).

value({ok, Value, _}) -> {ok, Value};
value({error, _} = Error) -> Error.

given({ok, undefined}, Default) -> {ok, Default};
given(Result, _) -> Result.

%% @doc The result of `View' for `Bin' under options; `Read' reads the same.
-spec viewed(reader(Value), fun((binary()) -> Result), binary(), aldis:decode_options()) -> Result
    when Result :: {ok, Value} | error().
viewed(Read, View, Bin, Options) ->
    aldis:decoded(View, fun(Given, Limits) -> value(decode(framed, Read, Given, Limits)) end, Bin, Options).

%% @doc As {@link viewed/4}, null replaced by the schema's default.
-spec viewed(reader(Value | undefined), fun((binary()) -> Result), Value, binary(), aldis:decode_options()) -> Result
    when Result :: {ok, Value} | error().
viewed(Read, View, Default, Bin, Options) ->
    Carefully = fun(Given, Limits) -> given(value(decode(framed, Read, Given, Limits)), Default) end,
    aldis:decoded(View, Carefully, Bin, Options).

%% @doc The record that a value of open type is.
-spec decode_as(reader(Value), aldis:any_pointer()) -> {ok, Value} | error().
decode_as(Read, Value) -> decode_as(Read, Value, #{}).

%% @doc The same under options.
-spec decode_as(reader(Value), aldis:any_pointer(), aldis:decode_options()) -> {ok, Value} | error().
decode_as(Read, {any_pointer, Flat}, Options) ->
    value(decoded(flat, Read, fun(Given) -> decode(flat, Read, Given) end, Flat, Options));
decode_as(_, _, _) -> {error, {bad_value, '-', <<>>}}.

%% @doc The message of a value.
-spec encode(form(), writer(), term()) -> {ok, iodata()} | error().
encode(Form, Put, Value) ->
    try
        {Segment, Words} = segment(Put, Value),
        {ok, close(Form, Segment, Words)}
    catch
        throw:{aldis_fault, _, _, _} = Fault -> aldis_fault:error(Fault, none)
    end.

%% @doc The same in canonical form, which `Decode' reads: what it leaves out is charged then.
-spec encode_canonical(writer(), fun((binary()) -> {ok, term(), binary()} | error()), term()) -> {ok, iodata()} | error().
encode_canonical(Put, Decode, Value) ->
    try
        {Segment, Words} = segment(Put, Value),
        Canonical = close(flat, Segment, Words),
        %% Each bit that is left out may be a field.
        case aldis_wire:may_lack(?WORD * Words - iolist_size(Canonical)) of
            true -> aldis:readable({ok, Canonical}, Decode);
            false -> {ok, Canonical}
        end
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

%% @doc The same, which `Read' reads: elements without bytes are charged then.
-spec encode_as(writer(), reader(term()), term()) -> {ok, aldis:any_pointer()} | error().
encode_as(Put, Read, Value) ->
    case encode_as(Put, Value) of
        {ok, Any} = Encoded ->
            case decode_as(Read, Any) of
                {error, {too_large, _, _}} -> {error, {too_large, '-', <<>>}};
                _ -> Encoded
            end;
        {error, _} = Error -> Error
    end.
