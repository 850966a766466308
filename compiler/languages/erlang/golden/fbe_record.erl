%% ==== feature.hrl
%% A record of the same kind, which may be null.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    next :: 'Message'() | undefined
}).
%% ==== feature.erl
%% A record of the same kind, which may be null.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_next'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%% For the modules of this codec alone.
-export([open_Message/1, read_Message/4]).

%% [as in the base]

-compile({inline, [has/1, at/2]}).

%% The last clauses are for values of other types.
-dialyzer({no_match, [write_Message/3]}).

%% [as in the base]
%%                       4       4  (type)
%%                       8       5  next, presence and an offset
%%                              13  (total, as this schema's writers write it)
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{next = undefined}.

write_Message(#'Message'{next = Next_} = Value, Depth, Path) ->
    aldis_check:depth(Depth, Path),
    {Next_Bytes, At1} = put_Message_next_if(Next_, 13, Depth, [next | Path]),
    {[write_Message_run(Value, 13, Path), Next_Bytes], At1};
write_Message(_, _, Path) -> aldis_check:wrong(Path).

put_Message(Value, At, Depth, Path) ->
    {Bytes, Size} = write_Message(Value, Depth + 1, Path),
    {Bytes, At + Size}.

put_Message_next_value(Value, At, Depth, Path) ->
    {ValueBytes, ValueEnd} = put_Message(Value, At + 4, Depth, Path),
    {[<<(At + 4):32/little>>, ValueBytes], ValueEnd}.

put_Message_next_here(Value, At, Depth, Path) ->
    {Bytes, Size} = put_Message_next_value(Value, 0, Depth, Path),
    {Bytes, At + Size}.

put_Message_next_if(undefined, At, _Depth, _Path) -> {[], At};
put_Message_next_if(Value, At, Depth, Path) -> put_Message_next_here(Value, At, Depth, Path).

write_Message_run(#'Message'{next = Next_}, Next_At, _Path) ->
    <<13:32/little, 1:32/little, (has(Next_)):8, (at(Next_, Next_At)):32/little>>.

-spec encode_Message(#'Message'{}) -> {ok, binary()} | {error, aldis:reason()}.
encode_Message(Value) -> aldis:binary(encode_Message_iolist(Value)).

%% [as in the base]
encode_Message_iolist(Value) ->
    try
        {Body, Size} = write_Message(Value, 1, []),
        FrameSize = aldis_check:frame(Size + 8),
        {ok, [<<FrameSize:32/little, 8:32/little>>, Body]}
    catch
        throw:{aldis_fault, _, _, _} = Fault -> aldis_fault:error(Fault, none)
    end.

%% [as in the base]

read_Message(Bin, Depth, Budget, Path) ->
    aldis_wire:check_depth(Depth, Bin, Path),
    {Next_Has, Next_At, Budget1} = read_Message_run(Bin, Budget, Path),
    {Next_, Budget2} = 'Message_next_if'(Next_Has, Next_At, Bin, Depth, Budget1, [next | Path]),
    {#'Message'{next = Next_}, Budget2}.

read_Message_run(<<13:32/little, 1:32/little, Next_Has:8, Next_At:32/little, _/binary>>, Budget, _Path)
    when Budget >= 37 ->
    {Next_Has, Next_At, Budget - 37};
read_Message_run(<<Extent:32/little, TypeId:32/little, _/binary>> = Bin, Budget, Path) ->
    {Block, _Rest} = aldis_wire:stated_block(Bin, Extent, 8, {0, [{8, 13, 13, 0, [next]}]}, Path),
    Budget1 = aldis_wire:charge_block(Budget, Extent, [{13, 24}], [{13, 6}], Bin, Path),
    aldis_wire:check_type(TypeId, 1, Bin, Path),
    {
        case Block of
            <<_:8/binary, Next_Has:8, Next_At:32/little, _/binary>> -> Next_Has;
            _ -> missing
        end,
        case Block of
            <<_:8/binary, Next_Has:8, Next_At:32/little, _/binary>> -> Next_At;
            _ -> missing
        end,
        Budget1
    };
read_Message_run(Bin, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

'Message_at'(0, Base, _Depth, _Budget, Path) -> aldis_wire:bad_pointer(0, Base, Path);
'Message_at'(At, Base, Depth, Budget, Path) ->
    case Base of
        <<_:At/binary, Target/binary>> -> read_Message(Target, Depth + 1, Budget, Path);
        _ -> aldis_wire:bad_pointer(At, Base, Path)
    end.

read_Message_next_value(<<ValueAt:32/little, _Rest/binary>> = Bin, Base, Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge(Budget, 4, 24, Bin, Path),
    {ValueFollowed, Budget2} = 'Message_at'(ValueAt, Base, Depth, Budget1, Path),
    {ValueFollowed, Budget2};
read_Message_next_value(Bin, _Base, _Depth, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

read_Message_next_here(Bin, _Base, Depth, Budget, Path) ->
    read_Message_next_value(Bin, Bin, Depth, Budget, Path).

'Message_next_at'(0, Base, _Depth, _Budget, Path) -> aldis_wire:bad_pointer(0, Base, Path);
'Message_next_at'(At, Base, Depth, Budget, Path) ->
    case Base of
        <<_:At/binary, Target/binary>> -> read_Message_next_here(Target, Base, Depth, Budget, Path);
        _ -> aldis_wire:bad_pointer(At, Base, Path)
    end.

'Message_next_if'(missing, _At, _Base, _Depth, Budget, _Path) -> {undefined, Budget};
'Message_next_if'(0, _At, _Base, _Depth, Budget, _Path) -> {undefined, Budget};
'Message_next_if'(_, At, Base, Depth, Budget, Path) -> 'Message_next_at'(At, Base, Depth, Budget, Path).

%% [as in the base]
-spec decode_Message(binary()) -> {ok, #'Message'{}, Rest :: binary()} | {error, aldis:reason()}.
decode_Message(Bin) -> decode_Message_carefully(Bin, default).

%% [as in the base]

-spec 'Message_next'(binary()) -> aldis:read('Message'() | undefined).
'Message_next'(Bin) -> 'Message_get'(next, Bin).

%% [as in the base]

about('Message') -> {record, [{next, {optional, {named, 'Message'}}}]}.


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

has(undefined) -> 0;
has(_) -> 1.

at(undefined, _) -> 0;
at(_, At) -> At.
%% ==== feature_view.erl
%% A record of the same kind, which may be null.
%% @private A part of feature, which is what users call.
%% [as in the base]

'Message_at'(0, Base, _Depth, _Budget, Path) -> aldis_wire:bad_pointer(0, Base, Path);
'Message_at'(At, Base, Depth, Budget, Path) ->
    case Base of
        <<_:At/binary, Target/binary>> -> feature:read_Message(Target, Depth + 1, Budget, Path);
        _ -> aldis_wire:bad_pointer(At, Base, Path)
    end.

read_Message_next_value(<<ValueAt:32/little, _Rest/binary>> = Bin, Base, Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge(Budget, 4, 24, Bin, Path),
    {ValueFollowed, Budget2} = 'Message_at'(ValueAt, Base, Depth, Budget1, Path),
    {ValueFollowed, Budget2};
read_Message_next_value(Bin, _Base, _Depth, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

read_Message_next_here(Bin, _Base, Depth, Budget, Path) ->
    read_Message_next_value(Bin, Bin, Depth, Budget, Path).

'Message_next_at'(0, Base, _Depth, _Budget, Path) -> aldis_wire:bad_pointer(0, Base, Path);
'Message_next_at'(At, Base, Depth, Budget, Path) ->
    case Base of
        <<_:At/binary, Target/binary>> -> read_Message_next_here(Target, Base, Depth, Budget, Path);
        _ -> aldis_wire:bad_pointer(At, Base, Path)
    end.

'Message_next_if'(missing, _At, _Base, _Depth, Budget, _Path) -> {undefined, Budget};
'Message_next_if'(0, _At, _Base, _Depth, Budget, _Path) -> {undefined, Budget};
'Message_next_if'(_, At, Base, Depth, Budget, Path) -> 'Message_next_at'(At, Base, Depth, Budget, Path).

view_Message(next, Bin, Depth, Budget, Path) ->
    Block =
%% [as in the base]
        end,
    {Next_Has, Next_At} =
        case Block of
            <<_:8/binary, FoundHas:8, FoundAt:32/little, _/binary>> -> {FoundHas, FoundAt};
            _ -> {missing, missing}
        end,
    {Next_, _Budget1} = 'Message_next_if'(Next_Has, Next_At, Bin, Depth, Budget, [next | Path]),
    Next_.

%% [as in the base]

'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% A record of the same kind, which may be null.
%% @private A part of feature, which is what users call.
%% [as in the base]

-export([json_Message/0, to_json_Message/1, from_json_Message/1]).

%% [as in the base]

json_Message() ->
    {record, 'Message', record,
     [{next, <<"next">>, <<"{\"next\":">>, fun feature_json:json_Message/0, undefined}]}.

