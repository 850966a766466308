%% @doc Types of values in generated codecs, and what every codec does with its results.
%%
%% A generated module has, for each message `M', `encode_M/1', `encode_M_iolist/1', `decode_M/1', `decode_M/2',
%% `to_json_M/1', `from_json_M/1', `new_M/0', `M_f/1' for each field `f', and `M_get/2' and `M_get/3', which are told its
%% name.
-module(aldis).

-export([binary/1, readable/2, decoded/3, decoded/4, viewed/5, within/1, no_field/2, check_field/2, format_error/2]).
-export_type([
    int8/0, int16/0, int32/0, int64/0, uint8/0, uint16/0, uint32/0, uint64/0,
    real/0, decimal/0, timestamp/0, uuid/0, any_pointer/0, read/1, reason/0, code/0, decode_options/0, limits/0
]).

-type int8() :: -128..127.
-type int16() :: -32768..32767.
-type int32() :: -2147483648..2147483647.
-type int64() :: -9223372036854775808..9223372036854775807.
-type uint8() :: 0..255.
-type uint16() :: 0..65535.
-type uint32() :: 0..4294967295.
-type uint64() :: 0..18446744073709551615.
-type real() :: float() | nan | infinity | '-infinity'.
%% The VM has no floats for NaN and infinities.
-type decimal() :: {decimal, Sign :: 1 | -1, Coefficient :: non_neg_integer(), Scale :: 0..28}.
%% `Sign * Coefficient / 10^Scale', with a coefficient below 2^96. The scale is kept: 1.10 is not 1.1.
-type timestamp() :: uint64().
%% Nanoseconds since 1970-01-01 UTC.
-type uuid() :: <<_:128>>.
%% The octets in the order of the text.
-type any_pointer() :: {any_pointer, Flat :: binary()}.
%% A value whose type the schema leaves open, or an interface's reference: a message of one segment without a table,
%% whose root it is. The functions `decode_as_M/1' read it.
-type code() ::
    bad_pointer | truncated | bad_count | bad_text | bad_value | too_deep | too_large
    | unknown_message | bad_json | out_of_range.
-type read(Value) :: {ok, Value} | {error, reason()}.
%% What a function gives that reads one field.
-type reason() :: {code(), Offset :: non_neg_integer() | '-', Path :: binary()}.
%% The kind of fault, the byte of the input (`-' where there is none), and the field: `orders[2].price'.
-type decode_options() :: #{copy => boolean(), limits => limits(), depth => pos_integer()}.
%% `copy': binaries in the result are copies rather than parts of the input, which they would keep alive. `depth': how many
%% levels of records there may be, 64 unless it is given; one more is `too_deep'.
-type limits() :: default | reference | Bytes :: non_neg_integer().
%% How many bytes may be visited in one message, those that are visited again included: `default' are 8 for each byte of
%% the input and 256 KiB, `reference' are the 64 MiB of Cap'n Proto's own readers, whatever the input's size, and no
%% surcharges for small elements and links. One more is `too_large'.

%% @doc Iodata in a result as one binary.
-spec binary({ok, iodata()} | {error, reason()}) -> {ok, binary()} | {error, reason()}.
binary({ok, Bin} = Result) when is_binary(Bin) -> Result;
binary({ok, Io}) -> {ok, iolist_to_binary(Io)};
binary({error, _} = Error) -> Error.

%% @doc The result of an encoder, unless `Decode' refuses it as `too_large': elements without bytes are charged when they are
%% read, and what cannot be read is not written.
-spec readable({ok, iodata()} | {error, reason()}, fun((binary()) -> {ok, term(), binary()} | {error, reason()})) ->
    {ok, iodata()} | {error, reason()}.
readable({ok, Io}, Decode) ->
    Bin = iolist_to_binary(Io),
    case Decode(Bin) of
        {error, {too_large, _, _}} -> {error, {too_large, '-', <<>>}};
        _ -> {ok, Bin}
    end;
readable({error, _} = Error, _) -> Error.

%% @doc The result of `Decode' for `Bin' under options, where it visits no byte. Raises `badarg' for what is no option, with a
%% text that says what is one.
-spec decoded(fun((binary()) -> Result), binary(), decode_options()) -> Result
    when Result :: {ok, term(), binary()} | {ok, term()} | {error, reason()}.
decoded(Decode, Bin, Options) ->
    check_options(Options),
    copied(Decode(Bin), Options).

%% @doc The same of what visits bytes. `Carefully' does the same as `Decode' within other limits than the default ones.
-spec decoded(fun((binary()) -> Result), fun((binary(), aldis_wire:within()) -> Result), binary(), decode_options()) -> Result
    when Result :: {ok, term(), binary()} | {ok, term()} | {error, reason()}.
decoded(Decode, Carefully, Bin, Options) ->
    check_options(Options),
    copied(within(Decode, Carefully, Bin, Options), Options).

%% @doc The same of one field.
-spec viewed(atom(), fun((atom(), binary()) -> Result), fun((atom(), binary(), aldis_wire:within()) -> Result), binary(),
             decode_options()) -> Result
    when Result :: {ok, term()} | {error, reason()}.
viewed(Field, View, Carefully, Bin, Options) ->
    decoded(
        fun(Given) -> View(Field, Given) end,
        fun(Given, Limits) -> Carefully(Field, Given, Limits) end,
        Bin, Options
    ).

within(Decode, Carefully, Bin, Options) when is_binary(Bin) ->
    Limits = within(Options),
    case Limits =:= default orelse aldis_wire:suffice(Limits, Bin) of
        false -> Carefully(Bin, Limits);
        true ->
            %% A message within the default limits is within higher ones, and other faults are found at the same place.
            case Decode(Bin) of
                {error, {Code, _, _}} when Limits =/= default, Code =:= too_large orelse Code =:= too_deep ->
                    Carefully(Bin, Limits);
                Result -> Result
            end
    end;
within(Decode, _, Bin, _) -> Decode(Bin).

%% @private The limits that options ask for.
-spec within(decode_options()) -> aldis_wire:within().
within(#{depth := Depth} = Options) -> {maps:get(limits, Options, default), Depth};
within(Options) -> maps:get(limits, Options, default).

%% A decoder's result, its binaries copied if the options say so.
copied({ok, Record, Rest}, #{copy := true}) -> {ok, copy(Record), Rest};
copied({ok, Value}, #{copy := true}) -> {ok, copy(Value)};
copied(Result, _) -> Result.

%% Raises `badarg' for options that have a mistake.
check_options(Options) ->
    case wrong_options(Options) of
        none -> ok;
        %% Without the arguments: a stack trace is no place for a message.
        Text -> error(badarg, none, [{error_info, #{cause => #{general => Text}}}])
    end.

%% The mistake in a decoder's options, as text, or `none'.
wrong_options(Options) when is_map(Options) ->
    maps:fold(fun(Name, Value, none) -> wrong_option(Name, Value); (_, _, Wrong) -> Wrong end, none, Options);
wrong_options(_) ->
    <<"options are a map: #{copy => true}">>.

wrong_option(copy, Value) when is_boolean(Value) -> none;
wrong_option(copy, _) -> <<"the option copy is true or false">>;
wrong_option(limits, Limits) when Limits =:= default; Limits =:= reference; is_integer(Limits), Limits >= 0 -> none;
wrong_option(depth, Depth) when is_integer(Depth), Depth > 0 -> none;
wrong_option(depth, _) -> <<"the option depth is how many levels of records there may be: 64">>;
wrong_option(limits, _) -> <<"the option limits is default, reference, or how many bytes may be visited: 1000000">>;
wrong_option(Name, _) ->
    unicode:characters_to_binary(io_lib:format("there is no option ~0tp; there are copy, limits and depth", [Name])).

%% @doc Raises `badarg' for the name of a field that a message does not have, with a text that says which it has.
-spec no_field(term(), [atom()]) -> no_return().
no_field(Field, Fields) ->
    Names = lists:join(", ", [io_lib:format("~0tp", [Name]) || Name <- Fields]),
    Text = unicode:characters_to_binary(io_lib:format("there is no field ~0tP; there are ~ts", [Field, 9, Names])),
    error(badarg, none, [{error_info, #{cause => #{general => Text}}}]).

%% @doc Raises `badarg' as {@link no_field/2} does, unless the message has the field.
-spec check_field(term(), [atom()]) -> ok.
check_field(Field, Fields) ->
    case lists:member(Field, Fields) of
        true -> ok;
        false -> no_field(Field, Fields)
    end.

%% @private What is wrong, where shells and logs ask for it.
-spec format_error(badarg, [tuple()]) -> #{general => binary()}.
format_error(badarg, [{_, _, _, Info} | _]) ->
    #{cause := Texts} = proplists:get_value(error_info, Info),
    Texts.

%% Binaries may be anywhere in a record.
copy(Binary) when is_binary(Binary) -> binary:copy(Binary);
copy(Tuple) when is_tuple(Tuple) -> list_to_tuple(copy(tuple_to_list(Tuple)));
copy([Head | Tail]) -> [copy(Head) | copy(Tail)];
copy(Map) when is_map(Map) -> maps:from_list(copy(maps:to_list(Map)));
copy(Other) -> Other.
