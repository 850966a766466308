%% @doc Sends a file of messages through generated codecs: reads it in chunks, splits it into messages, decodes each to
%% its record, encodes that again and compares the bytes.
%%
%% `erl -noshell -pa EBIN -run stream main MODULE FILE FRAMING'
%%
%% Prints the number of messages and the nanoseconds spent decoding and encoding.
-module(stream).

-export([main/1]).

-define(CHUNK, 1048576).

-record(sum, {messages = 0 :: non_neg_integer(), decode = 0 :: non_neg_integer(), encode = 0 :: non_neg_integer()}).

-spec main([string()]) -> no_return().
main([Module, File, Framing]) ->
    {ok, Device} = file:open(File, [read, raw, binary]),
    case chunks(Device, list_to_atom(Module), list_to_atom(Framing), <<>>, #sum{}) of
        {ok, #sum{messages = Messages, decode = Decode, encode = Encode}} ->
            io:format("~b ~b ~b~n", [Messages, Decode, Encode]),
            halt(0);
        {error, Reason} ->
            io:format(standard_error, "~0p~n", [Reason]),
            halt(1)
    end.

chunks(Device, Module, Framing, Rest, Sum) ->
    case file:read(Device, ?CHUNK) of
        {ok, Chunk} ->
            {Frames, Left} = split(Framing, <<Rest/binary, Chunk/binary>>, []),
            case chunk(Module, Frames, Sum) of
                {ok, Next} -> chunks(Device, Module, Framing, Left, Next);
                {error, _} = Error -> Error
            end;
        eof when Rest =:= <<>> ->
            {ok, Sum};
        eof ->
            {error, {truncated, byte_size(Rest)}}
    end.

%% Decodes all messages of a chunk, then encodes all: so the clock is asked thrice a chunk, not thrice a message.
chunk(Module, Frames, #sum{messages = Messages, decode = Decode, encode = Encode}) ->
    Begin = erlang:monotonic_time(nanosecond),
    Records = [decoded(Module:decode(Frame)) || Frame <- Frames],
    Middle = erlang:monotonic_time(nanosecond),
    Again = [Module:encode(Record) || Record <- Records],
    End = erlang:monotonic_time(nanosecond),
    case first_difference(Frames, Again) of
        none ->
            {ok, #sum{messages = Messages + length(Frames),
                      decode = Decode + Middle - Begin,
                      encode = Encode + End - Middle}};
        {Index, Frame, Got} ->
            {error, {message, Messages + Index, Frame, Got}}
    end.

decoded({ok, Record, _Rest}) -> Record;
decoded({error, _} = Error) -> Error.

first_difference(Frames, Again) ->
    first_difference(Frames, Again, 0).

first_difference([Frame | Frames], [{ok, Frame} | Again], Index) -> first_difference(Frames, Again, Index + 1);
first_difference([Frame | _], [Other | _], Index) -> {Index, Frame, Other};
first_difference([], [], _) -> none.

split(Framing, Bytes, Frames) ->
    case frame(Framing, Bytes) of
        {Frame, Rest} -> split(Framing, Rest, [Frame | Frames]);
        more -> {lists:reverse(Frames), Bytes}
    end.

frame(u16le, <<Size:16/little, Frame:Size/binary, Rest/binary>>) -> {Frame, Rest};
frame(u16be, <<Size:16, Frame:Size/binary, Rest/binary>>) -> {Frame, Rest};
frame(u32le, <<Size:32/little, Frame:Size/binary, Rest/binary>>) -> {Frame, Rest};
frame(u32be, <<Size:32, Frame:Size/binary, Rest/binary>>) -> {Frame, Rest};
frame(sofh, <<Size:32, _Encoding:16, More/binary>>) when byte_size(More) >= Size - 6, Size >= 6 ->
    split_binary(More, Size - 6);
frame(fbe, <<Size:32/little, _/binary>> = Bytes) when byte_size(Bytes) >= Size, Size >= 4 ->
    split_binary(Bytes, Size);
frame(_, _) -> more.
