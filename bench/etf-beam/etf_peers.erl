%% @doc JSON as Phoenix would write and read it, by the libraries that are there: jiffy, `json' of OTP 27, `JSON' of Elixir 1.18.
%% Phoenix sends what a library gives as iodata, so none is made one binary.
-module(etf_peers).

-export([writers/1, readers/2, text/1, versions/0]).

-define(JIFFY, 'JSON: jiffy').
-define(OTP, 'JSON: json of OTP').
-define(ELIXIR, 'JSON: JSON of Elixir').

%% @doc The contestants that can write this message.
-spec writers(term()) -> [race:contestant()].
writers(Message) ->
    Named = named(Message),
    [{?JIFFY, fun() -> jiffy:encode(Named, [use_nil]) end} || there(jiffy), Named =/= none] ++
        [{?OTP, fun() -> json:encode(Message, fun otp/2) end} || there(json)] ++
        [{?ELIXIR, fun() -> 'Elixir.JSON':'encode_to_iodata!'(Message) end} || there('Elixir.JSON')].

%% @doc A message as JSON.
-spec text(term()) -> binary().
text(Message) ->
    [{_, Write} | _] = writers(Message),
    iolist_to_binary(Write()).

%% @doc The contestants that can read a message's JSON.
-spec readers(binary(), term()) -> [race:contestant()].
readers(Json, Term) ->
    Readers =
        [{?JIFFY, fun() -> jiffy:decode(Json, [return_maps, use_nil]) end} || there(jiffy)] ++
            [{?OTP, fun() -> element(1, json:decode(Json, ok, #{null => nil})) end} || there(json)] ++
            [{?ELIXIR, fun() -> 'Elixir.JSON':'decode!'(Json) end} || there('Elixir.JSON')],
    [Term = Read() || {_, Read} <- Readers],
    Readers.

%% @doc The versions of the libraries that are installed.
-spec versions() -> #{atom() => string()}.
versions() ->
    maps:from_list(
        [{jiffy, version(jiffy)} || there(jiffy)] ++
            [{json, version(stdlib)} || there(json)] ++ [{'JSON', version(elixir)} || there('Elixir.JSON')]
    ).

there(Module) -> code:ensure_loaded(Module) =:= {module, Module}.

version(App) ->
    _ = application:load(App),
    {ok, Version} = application:get_key(App, vsn),
    Version.

%% The term that an application with structs gives to `json': the fields that its own encoder would show, and ISO 8601.
otp(nil, _) -> <<"null">>;
otp(#{'__struct__' := 'Elixir.EtfBench.Order'} = Order, Encode) ->
    json:encode_map(maps:without(['__struct__', '__meta__'], Order), Encode);
otp(#{'__struct__' := 'Elixir.EtfBench.Customer'} = Customer, Encode) ->
    json:encode_map(maps:without(['__struct__', password_hash], Customer), Encode);
otp(#{'__struct__' := Calendar} = Value, _) -> [$", Calendar:to_iso8601(Value), $"];
otp(Value, Encode) -> json:encode_value(Value, Encode).

%% jiffy has no keys that are integers, so it gets them as text before its time starts; structs it has not at all.
named(#{'__struct__' := _}) -> none;
named(Map) when is_map(Map) ->
    Pairs = [{name(Key), named(Value)} || {Key, Value} <- maps:to_list(Map)],
    all(lists:keymember(none, 2, Pairs), maps:from_list(Pairs));
named(List) when is_list(List) ->
    Items = [named(Item) || Item <- List],
    all(lists:member(none, Items), Items);
named(Other) -> Other.

all(true, _) -> none;
all(false, Named) -> Named.

name(Key) when is_integer(Key) -> integer_to_binary(Key);
name(Key) -> Key.
