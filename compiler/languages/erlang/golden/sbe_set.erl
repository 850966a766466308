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
    decode_Message/2,
    'Message_options'/1,
    'Message_get'/2,
%% [as in the base]
]).
%% For the modules of this codec alone.
-export([
    'Options_to_number'/2,
    'Options_from_number'/1
]).

%% [as in the base]

needs_runtime() ->
%% [as in the base]
%% -----------------------------------------------------------------------------
%% feature.Options
%% -----------------------------------------------------------------------------

'Options_to_number'([], _) ->
    0;
'Options_to_number'([urgent | Rest], Path) ->
    1 bor 'Options_to_number'(Rest, Path);
'Options_to_number'([hidden | Rest], Path) ->
    128 bor 'Options_to_number'(Rest, Path);
'Options_to_number'([{unknown, Bits} | Rest], Path) ->
    aldis_check:int(Bits, 0, 255, Path) bor 'Options_to_number'(Rest, Path);
'Options_to_number'(_, Path) ->
    aldis_check:wrong(Path).

'Options_from_number'(0) ->
    [];
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
new_Message() ->
    #'Message'{options = []}.

-dialyzer({no_match, write_Message/2}).
write_Message(#'Message'{options = Options_}, Path) ->
    <<('Options_to_number'(Options_, [options | Path])):8>>;
write_Message(_, Path) ->
%% [as in the base]
-dialyzer({no_match, fast_encode_Message/1}).
fast_encode_Message(#'Message'{options = Options_}) ->
    <<1:16/little, 1:16/little, 1:16/little, 0:16/little, ('Options_to_number'(Options_, [])):8>>;
fast_encode_Message(_) ->
%% [as in the base]
        Body = write_Message(Value, []),
        {ok, [<<1:16/little, 1:16/little, 1:16/little, 0:16/little>>, Body]}
    catch
%% [as in the base]

read_Message(<<Options_:8, Rest/binary>>, 1, Depth, Budget, _Path) when Depth =< 64, Budget >= 1 ->
    {#'Message'{options = 'Options_from_number'(Options_)}, Rest, Budget - 1};
read_Message(Bin, Extent, Depth, Budget, Path) ->
    aldis_wire:check_depth(Depth, Bin, Path),
    {Block, Rest} = aldis_wire:block(Bin, Extent, {0, [{0, 1, 1, 0, [options]}]}, Path),
    Budget1 = aldis_wire:charge(Budget, Extent, Bin, Path),
%% [as in the base]
        #'Message'{
            options = case Block of
                <<Options_:8, _/binary>> -> 'Options_from_number'(Options_);
                _ -> undefined
%% [as in the base]

fast_decode_Message(<<1:16/little, 1:16/little, 1:16/little, _:16/little, Options_:8, Rest/binary>>) ->
    {ok, #'Message'{options = 'Options_from_number'(Options_)}, Rest};
fast_decode_Message(_) ->
%% [as in the base]

-spec 'Message_options'(binary()) -> {ok, 'Options'() | undefined} | {error, aldis:reason()}.
'Message_options'(Bin) ->
    feature_view:'Message_get'(options, Bin).

%% [as in the base]

about('Options') ->
    {flags, [urgent, hidden]};
about('Message') ->
    {record, [{options, {named, 'Options'}}]}.
%% ==== feature_view.erl
%% [as in the base]

view_Message_options(Bin, Extent, _Depth, _Budget, Path) ->
    {Block, _} = aldis_wire:block(Bin, Extent, Path),
    case Block of
        <<Options_:8, _/binary>> -> feature:'Options_from_number'(Options_);
        _ -> undefined
%% [as in the base]

'Message_reader'(options) ->
    fun view_Message_options/5;
'Message_reader'(Field) ->
    aldis:no_field(Field, [options]).

%% [as in the base]

'Message_get'(options, <<1:16/little, 1:16/little, 1:16/little, _:16/little, Options_:8, _/binary>>) ->
    {ok, feature:'Options_from_number'(Options_)};
'Message_get'(Field, Bin) ->
%% ==== feature_json.erl
%% [as in the base]
%% -----------------------------------------------------------------------------
%% feature.Options
%% -----------------------------------------------------------------------------

from_Options(Json, Path) when is_list(Json) ->
    feature:'Options_from_number'(
        aldis_json:to_flags(Json, #{<<"urgent">> => 1, <<"hidden">> => 128}, 255, Path)
    );
from_Options(_Json, Path) ->
    aldis_json:bad_json(Path).

%% -----------------------------------------------------------------------------
%% feature.Message
%% [as in the base]
-dialyzer({no_match, json_Message/2}).
json_Message(#'Message'{options = Options_}, Path) ->
    [
        <<"{\"options\":">>,
        case Options_ of
            undefined -> <<"null">>;
            _ ->
                aldis_json:flags(
                    feature:'Options_from_number'(feature:'Options_to_number'(Options_, [options | Path]))
                )
        end,
%% [as in the base]
from_Message(Json, Path) ->
    [Options_] = aldis_json:fields(Json, [<<"options">>], Path),
    #'Message'{
        options = case Options_ of
            missing -> aldis_json:required([options | Path]);
            _ -> from_Options(Options_, [options | Path])
        end
