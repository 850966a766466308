%% ==== feature.hrl
%% [as in the base]

%% feature.Options
-type 'Options'() :: [urgent | hidden | {unknown, pos_integer()}].

%% feature.Message
-record('Message', {
    options :: 'Options'() | undefined
}).
%% ==== feature.erl
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_options'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%% For the modules of this codec alone.
-export([number_Options/0, 'Options_to_number'/2, 'Options_from_number'/1, run_Message/0, open_Message/1]).

%% [as in the base]

%% The last clauses are for values of other types.
%% [as in the base]
%% -----------------------------------------------------------------------------
%% feature.Options
%% -----------------------------------------------------------------------------

number_Options() -> {number, fun feature:'Options_to_number'/2, fun feature:'Options_from_number'/1, uint8}.

'Options_to_number'([], _) -> 0;
'Options_to_number'([urgent | Rest], Path) -> 1 bor 'Options_to_number'(Rest, Path);
'Options_to_number'([hidden | Rest], Path) -> 128 bor 'Options_to_number'(Rest, Path);
'Options_to_number'([{unknown, Bits} | Rest], Path) ->
    aldis_check:int(Bits, 0, 255, Path) bor 'Options_to_number'(Rest, Path);
'Options_to_number'(_, Path) -> aldis_check:wrong(Path).

'Options_from_number'(0) -> [];
'Options_from_number'(Number) ->
    Names2 = case Number band 126 of 0 -> []; Unknown -> [{unknown, Unknown}] end,
    Names1 = case Number band 128 of 0 -> Names2; _ -> [hidden | Names2] end,
    case Number band 1 of 0 -> Names1; _ -> [urgent | Names1] end.

%% -----------------------------------------------------------------------------
%% feature.Message
%% [as in the base]
%% Layout in sbe:   offset    size  field
%%                       0       1  options
%%                               1  (total, as this schema's writers write it)
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{options = []}.

%% [as in the base]

run_Message() -> {record, 'Message', 2, 1, little, [{0, 2, options, fun feature:number_Options/0}]}.

fast_encode_Message(#'Message'{options = Options_}) ->
    <<1:16/little, 1:16/little, 1:16/little, 0:16/little, ('Options_to_number'(Options_, [])):8>>;
fast_encode_Message(_) -> throw(unusual).
%% [as in the base]
encode_Message_carefully(Value) ->
    aldis_fault:written(<<1:16/little, 1:16/little, 1:16/little, 0:16/little>>, fun write_Message/2, Value).

%% [as in the base]

fast_decode_Message(<<1:16/little, 1:16/little, 1:16/little, _:16/little, Options_:8, Rest/binary>>) ->
    {ok, #'Message'{options = 'Options_from_number'(Options_)}, Rest};
fast_decode_Message(_) -> throw(unusual).
%% [as in the base]

-spec 'Message_options'(binary()) -> aldis:read('Options'() | undefined).
'Message_options'(Bin) -> 'Message_get'(options, Bin).

%% [as in the base]

about('Options') -> {flags, [urgent, hidden]};
about('Message') -> {record, [{options, {named, 'Options'}}]}.
%% ==== feature_view.erl
%% [as in the base]

'Message_get'(options, <<1:16/little, 1:16/little, 1:16/little, _:16/little, Options_:8, _/binary>>) ->
    {ok, feature:'Options_from_number'(Options_)};
'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% [as in the base]

-export([json_Options/0, to_json_Message/1, from_json_Message/1]).

%% feature.Options

json_Options() ->
    {flags, fun feature:'Options_to_number'/2, fun feature:'Options_from_number'/1, uint8,
     #{<<"urgent">> => 1, <<"hidden">> => 128}, true}.

%% [as in the base]
json_Message() ->
    {record, 'Message', none,
     [{options, <<"options">>, <<"{\"options\":">>, fun feature_json:json_Options/0, [undefined], [], []}]}.

