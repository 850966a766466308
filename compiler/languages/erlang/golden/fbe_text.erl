%% ==== feature.hrl
%% Text behind an offset.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    name :: unicode:chardata()
}).
%% ==== feature.erl
%% Text behind an offset.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_name'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%% For the modules of this codec alone.
-export([run_Message/0, open_Message/1]).

%% [as in the base]

-compile({inline, [text_size/2]}).

%% The last clauses are for values of other types.
-dialyzer({no_match, [write_Message/2, fast_encode_Message/1]}).

%% [as in the base]
%%                       4       4  (type)
%%                       8       4  name, an offset
%%                              12  (total, as this schema's writers write it)
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{name = <<>>}.

write_Message(#'Message'{name = Name_} = Value, Path) ->
    {Name_Bytes, At1} = put_text(Name_, 12, [name | Path]),
    {[write_Message_run(Value, 12, Path), Name_Bytes], At1};
write_Message(_, Path) -> aldis_check:wrong(Path).

put_text(Value, At, Path) ->
    Bytes = aldis_text:encode(Value, utf8, Path),
    Count = aldis_check:count(byte_size(Bytes), 0, 4294967295, Path),
    {[<<Count:32/little>>, Bytes], At + 4 + Count}.

write_Message_run(Value, Name_At, Path) -> aldis_run:write(run_Message(), Value, [Name_At], Path).

run_Message() ->
    {record, 'Message', 2, 12, little, [{0, <<12:32/little>>}, {4, <<1:32/little>>}, {8, 2, name, link}]}.

fast_encode_Message(#'Message'{name = Name_}) ->
    NameSize = text_size(Name_, 4294967295),
    FrameSize = aldis_check:frame(24 + NameSize),
    <<
        FrameSize:32/little, 8:32/little, 12:32/little, 1:32/little, 12:32/little, NameSize:32/little,
        Name_:NameSize/binary
    >>;
fast_encode_Message(_) -> throw(unusual).
%% [as in the base]
    try
        {Body, Size} = write_Message(Value, []),
        FrameSize = aldis_check:frame(Size + 8),
        {ok, [<<FrameSize:32/little, 8:32/little>>, Body]}
%% [as in the base]

read_Message(Bin, Depth, Budget, Path) ->
    aldis_wire:check_depth(Depth, Bin, Path),
    {Name_At, Budget1} = read_Message_run(Bin, Budget, Path),
    {Name_, Budget2} = text_at(Name_At, Bin, Depth, Budget1, [name | Path]),
    {#'Message'{name = Name_}, Budget2}.

read_Message_run(<<Extent:32/little, TypeId:32/little, _/binary>> = Bin, Budget, Path) ->
    {Block, _Rest} = aldis_wire:stated_block(Bin, Extent, 8, {0, [{8, 12, 12, 0, [name]}]}, Path),
    Budget1 = aldis_wire:charge_block(Budget, Extent, [{12, 24}], [{12, 4}], Bin, Path),
    aldis_wire:check_type(TypeId, 1, Bin, Path),
    {
        case Block of
            <<_:8/binary, Name_At:32/little, _/binary>> -> Name_At;
            _ -> missing
        end,
        Budget1
    };
read_Message_run(Bin, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

read_text(<<0:32/little, _Rest/binary>>, _Base, _Depth, Budget, _Path) when Budget >= 4 -> {<<>>, Budget - 4};
read_text(<<Count:32/little, Value:Count/binary, _Rest/binary>> = Bin, _Base, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge_blob(Budget, 4, Count, Bin, Path),
    {Value, Budget1};
read_text(<<Count:32/little, _/binary>> = Bin, _Base, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_text(Bin, _Base, _Depth, _Budget, Path) ->
    aldis_wire:cut(Bin, 4, {0, [{0, 4, 4, 0, [<<"count">>]}]}, Path).

text_at(missing, _Base, _Depth, Budget, _Path) -> {<<>>, Budget};
text_at(0, _Base, _Depth, Budget, _Path) -> {<<>>, Budget};
text_at(At, Base, Depth, Budget, Path) ->
    case Base of
        <<_:At/binary, Count:32/little, Value:Count/binary, _/binary>> when Budget >= Count + 4 ->
            {Value, Budget - Count - 4};
        <<_:At/binary, Target/binary>> -> read_text(Target, Base, Depth, Budget, Path);
        _ -> aldis_wire:bad_pointer(At, Base, Path)
    end.

fast_decode_Message(
    <<
        FrameSize:32/little, 8:32/little, 12:32/little, 1:32/little, 12:32/little, Name_Size:32/little,
        Name_:Name_Size/binary, Rest/binary
    >>
) when FrameSize =:= 24 + Name_Size ->
    {ok, #'Message'{name = Name_}, Rest};
fast_decode_Message(_) -> throw(unusual).
%% [as in the base]

-spec 'Message_name'(binary()) -> aldis:read(binary()).
'Message_name'(Bin) -> 'Message_get'(name, Bin).

%% [as in the base]

about('Message') -> {record, [{name, text}]}.


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

text_size(Text, Most) when is_binary(Text), byte_size(Text) =< Most -> byte_size(Text);
text_size(_, _) -> throw(unusual).
%% ==== feature_view.erl
%% Text behind an offset.
%% @private A part of feature, which is what users call.
%% [as in the base]

read_text(<<0:32/little, _Rest/binary>>, _Base, _Depth, Budget, _Path) when Budget >= 4 -> {<<>>, Budget - 4};
read_text(<<Count:32/little, Value:Count/binary, _Rest/binary>> = Bin, _Base, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge_blob(Budget, 4, Count, Bin, Path),
    {Value, Budget1};
read_text(<<Count:32/little, _/binary>> = Bin, _Base, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_text(Bin, _Base, _Depth, _Budget, Path) ->
    aldis_wire:cut(Bin, 4, {0, [{0, 4, 4, 0, [<<"count">>]}]}, Path).

text_at(missing, _Base, _Depth, Budget, _Path) -> {<<>>, Budget};
text_at(0, _Base, _Depth, Budget, _Path) -> {<<>>, Budget};
text_at(At, Base, Depth, Budget, Path) ->
    case Base of
        <<_:At/binary, Count:32/little, Value:Count/binary, _/binary>> when Budget >= Count + 4 ->
            {Value, Budget - Count - 4};
        <<_:At/binary, Target/binary>> -> read_text(Target, Base, Depth, Budget, Path);
        _ -> aldis_wire:bad_pointer(At, Base, Path)
    end.

view_Message(name, Bin, Depth, Budget, Path) ->
    Block =
%% [as in the base]
        end,
    Name_At =
        case Block of
            <<_:8/binary, FoundAt:32/little, _/binary>> -> FoundAt;
            _ -> missing
        end,
    {Name_, _Budget1} = text_at(Name_At, Bin, Depth, Budget, [name | Path]),
    Name_.

%% [as in the base]
'Message_get'(
    name,
    <<FrameSize:32/little, 8:32/little, 12:32/little, 1:32/little, Name_At:32/little, _/binary>> = Bin
) when FrameSize >= 20, FrameSize =< byte_size(Bin), Name_At > 0 ->
    case Bin of
        <<_:8/binary, _:Name_At/binary, Size:32/little, Value:Size/binary, _/binary>> when 8 + Name_At + 4
                + Size =< FrameSize -> {ok, Value};
        _ -> 'Message_get_carefully'(name, Bin, default)
    end;
'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% Text behind an offset.
%% @private A part of feature, which is what users call.
%% [as in the base]

json_Message() -> {record, 'Message', none, [{name, <<"name">>, <<"{\"name\":">>, utf8, [], [], [<<>>]}]}.

