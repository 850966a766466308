%% @doc The functions that codecs call whose null is `nil', as Elixir's is: those of the runtime that take or give null, each
%% under the name that it has in its own module, those of `aldis_direct' behind `direct_'. Everything else in the runtime knows no null.
-module(aldis_nil).

-export([optional/1, view/3, encode/3, encode_as/2, put/5]).
-export([text/4, bytes/4, voids/4, text/8, utf8/8, bytes/8, opaque/8, voids/8]).

-export([direct_text/4, direct_bytes/4, direct_texts/5, direct_byte_lists/5]).
-export([direct_texts_words/1, direct_byte_lists_words/1, direct_put_texts/2, direct_put_byte_lists/2]).

-type path() :: aldis_fault:path().
-type word() :: aldis_words:word().
-type half() :: integer().
-type error() :: {error, aldis:reason()}.

%% @doc See {@link aldis_float:optional/1}.
-spec optional(aldis:real()) -> aldis:real() | nil.
optional(nan) -> nil;
optional(Float) -> Float.

%% @doc See {@link aldis_message:view/3}.
-spec view(aldis_message:reader(Value | nil), binary(), Value) -> {ok, Value} | error().
view(Read, Bin, Default) ->
    case aldis_message:view(Read, Bin) of
        {ok, nil} -> {ok, Default};
        Result -> Result
    end.

%% @doc See {@link aldis_message:encode/3}.
-spec encode(aldis_message:form(), aldis_message:writer(), term()) -> {ok, iodata()} | error().
encode(Form, Put, nil) -> aldis_message:encode(Form, Put, undefined);
encode(Form, Put, Value) -> aldis_message:encode(Form, Put, Value).

%% @doc See {@link aldis_message:encode_as/2}.
-spec encode_as(aldis_message:writer(), term()) -> {ok, aldis:any_pointer()} | error().
encode_as(Put, nil) -> aldis_message:encode_as(Put, undefined);
encode_as(Put, Value) -> aldis_message:encode_as(Put, Value).

%% @doc See {@link aldis_object:put/5}.
-spec put(term(), word(), word(), non_neg_integer(), path()) -> aldis_words:placed().
put(nil, _, Next, _, _) -> {0, 0, [], Next};
put(undefined, _, _, _, Path) -> aldis_check:wrong(Path);
put(Value, Place, Next, Depth, Path) -> aldis_object:put(Value, Place, Next, Depth, Path).

%% @doc See {@link aldis_words:text/4}.
-spec text(term(), word(), word(), path()) -> aldis_words:placed().
text(nil, _, Next, _) -> {0, 0, [], Next};
text(undefined, _, _, Path) -> aldis_check:wrong(Path);
text(Text, Place, Next, Path) -> aldis_words:text(Text, Place, Next, Path).

%% @doc See {@link aldis_words:bytes/4}.
-spec bytes(term(), word(), word(), path()) -> aldis_words:placed().
bytes(nil, _, Next, _) -> {0, 0, [], Next};
bytes(undefined, _, _, Path) -> aldis_check:wrong(Path);
bytes(Bytes, Place, Next, Path) -> aldis_words:bytes(Bytes, Place, Next, Path).

%% @doc See {@link aldis_words:voids/4}.
-spec voids(term(), word(), word(), path()) -> aldis_words:placed().
voids(List, Place, Next, Path) ->
    Values = aldis_check:list(List, Path),
    lists:foreach(fun(Value) -> aldis_check:constant(Value, nil, Path) end, Values),
    aldis_words:voids(lists:duplicate(length(Values), undefined), Place, Next, Path).

%% @doc See {@link aldis_pointer:text/8}.
-spec text(half(), half(), binary(), non_neg_integer(), aldis_segments:message(), non_neg_integer(), non_neg_integer(),
    path()) -> {binary() | nil, non_neg_integer()}.
text(0, 0, _, _, _, _, Budget, _) -> {nil, Budget};
text(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    aldis_pointer:text(Low, High, Bin, At, Message, Depth, Budget, Path).

%% @doc See {@link aldis_pointer:utf8/8}.
-spec utf8(half(), half(), binary(), non_neg_integer(), aldis_segments:message(), non_neg_integer(), non_neg_integer(),
    path()) -> {binary() | nil, non_neg_integer()}.
utf8(0, 0, _, _, _, _, Budget, _) -> {nil, Budget};
utf8(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    aldis_pointer:utf8(Low, High, Bin, At, Message, Depth, Budget, Path).

%% @doc See {@link aldis_pointer:bytes/8}.
-spec bytes(half(), half(), binary(), non_neg_integer(), aldis_segments:message(), non_neg_integer(), non_neg_integer(),
    path()) -> {binary() | nil, non_neg_integer()}.
bytes(0, 0, _, _, _, _, Budget, _) -> {nil, Budget};
bytes(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    aldis_pointer:bytes(Low, High, Bin, At, Message, Depth, Budget, Path).

%% @doc See {@link aldis_pointer:opaque/8}.
-spec opaque(half(), half(), binary(), non_neg_integer(), aldis_segments:message(), non_neg_integer(), non_neg_integer(),
    path()) -> {aldis:any_pointer() | nil, non_neg_integer()}.
opaque(0, 0, _, _, _, _, Budget, _) -> {nil, Budget};
opaque(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    aldis_pointer:opaque(Low, High, Bin, At, Message, Depth, Budget, Path).

%% @doc See {@link aldis_pointer:voids/8}.
-spec voids(half(), half(), binary(), non_neg_integer(), aldis_segments:message(), non_neg_integer(), non_neg_integer(),
    path()) -> {[nil], non_neg_integer()}.
voids(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    {Voids, Budget1} = aldis_pointer:voids(Low, High, Bin, At, Message, Depth, Budget, Path),
    {lists:duplicate(length(Voids), nil), Budget1}.

%% @doc See {@link aldis_direct:text/4}.
-spec direct_text(non_neg_integer(), non_neg_integer(), binary(), non_neg_integer()) -> binary() | nil.
direct_text(0, 0, _, _) -> nil;
direct_text(Low, High, Bin, At) -> aldis_direct:text(Low, High, Bin, At).

%% @doc See {@link aldis_direct:bytes/4}.
-spec direct_bytes(non_neg_integer(), non_neg_integer(), binary(), non_neg_integer()) -> binary() | nil.
direct_bytes(0, 0, _, _) -> nil;
direct_bytes(Low, High, Bin, At) -> aldis_direct:bytes(Low, High, Bin, At).

%% @doc See {@link aldis_direct:texts/5}.
-spec direct_texts(non_neg_integer(), non_neg_integer(), binary(), non_neg_integer(), integer()) ->
    {[binary() | nil] | nil, integer()}.
direct_texts(Low, High, Bin, At, Budget) -> nils(aldis_direct:texts(Low, High, Bin, At, Budget)).

%% @doc See {@link aldis_direct:byte_lists/5}.
-spec direct_byte_lists(non_neg_integer(), non_neg_integer(), binary(), non_neg_integer(), integer()) ->
    {[binary() | nil] | nil, integer()}.
direct_byte_lists(Low, High, Bin, At, Budget) -> nils(aldis_direct:byte_lists(Low, High, Bin, At, Budget)).

%% @doc See {@link aldis_direct:texts_words/1}.
-spec direct_texts_words(term()) -> non_neg_integer().
direct_texts_words(Texts) -> aldis_direct:texts_words(undefineds(Texts)).

%% @doc See {@link aldis_direct:byte_lists_words/1}.
-spec direct_byte_lists_words(term()) -> non_neg_integer().
direct_byte_lists_words(Blobs) -> aldis_direct:byte_lists_words(undefineds(Blobs)).

%% @doc See {@link aldis_direct:put_texts/2}.
-spec direct_put_texts(term(), binary()) -> binary().
direct_put_texts(Texts, Acc) -> aldis_direct:put_texts(undefineds(Texts), Acc).

%% @doc See {@link aldis_direct:put_byte_lists/2}.
-spec direct_put_byte_lists(term(), binary()) -> binary().
direct_put_byte_lists(Blobs, Acc) -> aldis_direct:put_byte_lists(undefineds(Blobs), Acc).

%% Lists have null seldom: only one that has is built anew.
nils({undefined, Budget}) -> {nil, Budget};
nils({Blobs, Budget}) -> {replaced(undefined, nil, Blobs), Budget}.

undefineds(nil) -> undefined;
undefineds(undefined) -> aldis_check:wrong([]);
undefineds(Blobs) ->
    false = lists:member(undefined, Blobs),
    replaced(nil, undefined, Blobs).

replaced(Null, Other, Blobs) ->
    case lists:member(Null, Blobs) of
        true -> [if Blob =:= Null -> Other; true -> Blob end || Blob <- Blobs];
        false -> Blobs
    end.
