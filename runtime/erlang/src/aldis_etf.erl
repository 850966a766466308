%% @doc Terms for the browser in the External Term Format: what JSON can say, faster.
%%
%% {@link decode/2} reads frames of clients nobody trusts; {@link encode/2} writes frames that carry nothing but data.
%%
%% One value has no form in JSON: `{bytes, Binary}', bytes that are no text, in both directions. It is the only tuple.
-module(aldis_etf).

-export([decode/1, decode/2, encode/1, encode/2, encode_to_iovec/2, is_plain/1, limits/1]).
-export_type([code/0, limits/0, options/0, path/0]).

-type code() ::
    %% The first byte is not 131.
    bad_version
    %% A compressed term: a few bytes of it can fill the memory.
    | compressed
    %% A tag that there is no value for: tuples other than `{bytes, Binary}', processes, references, functions, ports, bit strings, unknown ones.
    | bad_tag
    %% An atom other than nil, true and false.
    | bad_atom
    %% An integer of more bytes than allowed.
    | big_integer
    %% A float that is not finite.
    | bad_float
    %% A binary that is not UTF-8.
    | bad_utf8
    %% A map's key that is not a binary.
    | bad_key
    %% A key that stands twice in one map.
    | duplicate_key
    %% A list that does not end in the empty list.
    | improper_list
    %% Lists and maps nested beyond the limit.
    | too_deep
    %% More values than the limit.
    | too_many_nodes
    %% More bytes than the limit.
    | too_large
    %% The frame ends within a term, or a size reaches beyond its end.
    | truncated
    %% Bytes behind the term.
    | trailing_bytes.

-type limits() :: #{
    max_bytes => non_neg_integer(),
    max_depth => non_neg_integer(),
    max_nodes => non_neg_integer(),
    max_integer_bytes => 0..255,
    utf8 => boolean(),
    native => boolean()
}.
%% `max_bytes' of a frame (8 MiB), `max_depth' of nested lists and maps (64), `max_nodes' in all (262,144; keys and the
%% bytes of byte lists count, each takes up to 64 bytes of memory beside its text), `max_integer_bytes' of an integer beyond 32
%% bits (9: all whole numbers that JavaScript writes without an exponent), `utf8' whether binaries have to be UTF-8 (true), `native' whether the check in C is used where it was built
%% (true): it is quicker and accepts the same frames.

-type options() :: #{struct => fun((map()) -> term()), utf8 => boolean(), native => boolean()}.
%% `struct' turns a map with the key `__struct__' into plain data, which is converted in turn; without it such maps are
%% refused. `utf8' refuses binaries that are not UTF-8 (true: in the client, where they are no strings, nobody would know who
%% sent them). `native' as in {@link limits()}.

-type path() :: [binary() | atom() | integer()].
%% Keys and positions (from 0) that lead from the whole term to a part of it.

-define(DEFAULTS, #{
    max_bytes => 8388608, max_depth => 64, max_nodes => 262144, max_integer_bytes => 9, utf8 => true, native => true
}).

%% @doc Limits made ready, with defaults for the missing ones: keep them where the same are used again and again. Raises
%% `{bad_limit, Name, Value}' for one that is none, since what protects a server must not be lost by a wrong letter.
-spec limits(limits()) -> aldis_etf_scan:limits().
limits(Given) ->
    _ = [is_limit(Name, Value) orelse error({bad_limit, Name, Value}) || {Name, Value} <- maps:to_list(Given)],
    #{max_bytes := Bytes, max_depth := Depth, max_nodes := Nodes, max_integer_bytes := Big, utf8 := Utf8, native := Native} =
        maps:merge(?DEFAULTS, Given),
    {limits, Bytes, Depth, Nodes, Big, Utf8, Native}.

is_limit(Name, Value) when Name =:= utf8; Name =:= native -> is_boolean(Value);
is_limit(max_integer_bytes, Value) -> is_integer(Value) andalso Value >= 0 andalso Value =< 255;
is_limit(Name, Value) -> is_map_key(Name, ?DEFAULTS) andalso is_integer(Value) andalso Value >= 0.

%% @equiv decode(Frame, #{})
-spec decode(binary()) -> {ok, term()} | {error, {code(), non_neg_integer()}}.
decode(Frame) -> decode(Frame, #{}).

%% @doc The term in a frame from a client nobody trusts. Never raises for any binary, if the limits are some. Errors have the offset of the
%% first byte that is wrong, or of the tag of the term that is.
%%
%% Binaries in the result that are longer than 64 bytes are parts of the frame and keep it alive; `binary:copy/1' what is
%% stored for long.
-spec decode(binary(), limits() | aldis_etf_scan:limits()) -> {ok, term()} | {error, {code(), non_neg_integer()}}.
decode(Frame, {limits, _, _, _, _, _, Native} = Limits) when is_binary(Frame) ->
    case Native andalso aldis_etf_nif:accepts(Frame, Limits) of
        true -> term(Frame);
        %% A frame that the check in C does not accept is judged here, so that one place decides what is refused.
        false -> scanned(Frame, Limits)
    end;
decode(Frame, Limits) when is_binary(Frame), is_map(Limits) ->
    decode(Frame, limits(Limits)).

scanned(Frame, Limits) ->
    case aldis_etf_scan:scan(Frame, Limits) of
        ok -> term(Frame);
        {error, _} = Error -> Error
    end.

term(Frame) ->
    try
        {ok, binary_to_term(Frame)}
    catch
        error:badarg -> aldis_etf_fault:duplicate(Frame)
    end.

%% @equiv encode(Term, #{})
-spec encode(term()) -> binary().
encode(Term) -> encode(Term, #{}).

%% @doc A frame of a term made of data: numbers, atoms, binaries of text, `{bytes, Binary}', proper lists, and maps with keys
%% that are binaries, atoms or integers. Keys stay what they are, since LiveView needs its integers and atoms, but for
%% floats, which become text.
%%
%% Raises `{badarg, Path, Why}' for anything else: other tuples, processes, references, functions, ports, bit strings, improper
%% lists, structs without a conversion. These have no value in JSON, or would show the server's insides.
-spec encode(term(), options()) -> binary().
encode(Term, #{native := false} = Options) -> term_to_binary(aldis_etf_plain:convert(Term, Options));
encode(Term, Options) ->
    Utf8 = maps:get(utf8, Options, true),
    case aldis_etf_nif:encode(Term, Utf8) of
        false -> converted(aldis_etf_plain:converted(Term, false, Options), Utf8, Options);
        large -> large(Term, Utf8, Options);
        Frame -> Frame
    end.

%% A term whose structs are data now; its text may be none.
converted(Plain, Utf8, Options) ->
    case aldis_etf_nif:encode(Plain, Utf8) of
        false -> term_to_binary(aldis_etf_plain:converted(Plain, true, Options));
        large -> large(Plain, Utf8, Options);
        Frame -> Frame
    end.

%% A term that is too large for one call of a native function, or that the VM is quicker with, is written by the VM, and the
%% result is checked: both yield.
large(Term, Utf8, Options) ->
    case aldis_etf_nif:loaded() andalso not aldis_etf_plain:begins_with_struct(Term) of
        true ->
            Frame = term_to_binary(Term),
            case aldis_etf_nif:is_plain(Frame, Utf8) of
                true -> Frame;
                false -> term_to_binary(aldis_etf_plain:converted(Term, Utf8, Options))
            end;
        false -> term_to_binary(aldis_etf_plain:convert(Term, Options))
    end.

%% @doc As {@link encode/2}, with binaries of more than 64 bytes uncopied. Worth it for long text alone.
-spec encode_to_iovec(term(), options()) -> [binary()].
encode_to_iovec(Term, Options) -> term_to_iovec(aldis_etf_plain:convert(Term, Options)).

%% @doc Whether a term is data already: {@link encode/2} without options would write it as it is.
-spec is_plain(term()) -> boolean().
is_plain(Term) -> aldis_etf_plain:is_plain(Term).
