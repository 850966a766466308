%% Generated Erlang and Elixir: `measure("erlang", Folder)' or `measure("elixir", Folder)', where the messages are. A process of its own
%% for each row, with the heap that processes begin with. The BEAM's codecs have no verify apart from decoding.
-module(account).

-export([measure/2]).

-define(ROUNDS, 25).
-define(ROUND_NS, 10000000).

measure(Language, Folder) ->
    [form(codecs(Language, Form), Form, read(Folder, Form ++ ".bin")) || Form <- ["standard", "final"]],
    json(codecs(Language, "json"), string:trim(read(Folder, "account.json"))).

codecs("erlang", "standard") -> {fun proto:encode_Account/1, fun proto:decode_Account/1};
codecs("erlang", "final") -> {fun proto:encode_Account_final/1, fun proto:decode_Account_final/1};
codecs("erlang", "json") -> {fun proto:to_json_Account/1, fun proto:from_json_Account/1};
codecs("elixir", "standard") -> {fun 'Elixir.Proto.Account':encode/1, fun 'Elixir.Proto.Account':decode/1};
codecs("elixir", "final") -> {fun 'Elixir.Proto.Account':encode_final/1, fun 'Elixir.Proto.Account':decode_final/1};
codecs("elixir", "json") -> {fun 'Elixir.Proto.Account':to_json/1, fun 'Elixir.Proto.Account':from_json/1}.

read(Folder, Name) ->
    {ok, Bytes} = file:read_file(filename:join(Folder, Name)),
    Bytes.

form({Encode, Decode}, Form, Bytes) ->
    {ok, Value, <<>>} = Decode(Bytes),
    {ok, Bytes} = Encode(Value),
    row("serialize", Form, Bytes, fun() -> Encode(Value) end),
    row("deserialize", Form, Bytes, fun() -> Decode(Bytes) end).

json({Encode, Decode}, Text) ->
    {ok, Value} = Decode(Text),
    {ok, Written} = Encode(Value),
    Text = iolist_to_binary(Written),
    row("serialize", "json", Text, fun() -> Encode(Value) end),
    row("deserialize", "json", Text, fun() -> Decode(Text) end).

row(Operation, Form, Bytes, Task) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit({rounds, rounds(Task)}) end),
    receive {'DOWN', Ref, process, Pid, {rounds, Rounds}} ->
        io:format("~s ~s ~b ~.1f ~.1f~n", [Operation, Form, byte_size(Bytes), hd(Rounds), lists:nth(?ROUNDS div 2 + 1, Rounds)])
    end.

rounds(Task) ->
    run(Task, 2000),
    Times = max(1, round(?ROUND_NS / (run(Task, 2000) / 2000))),
    lists:sort([run(Task, Times) / Times || _ <- lists:seq(1, ?ROUNDS)]).

run(Task, Times) ->
    Start = erlang:monotonic_time(nanosecond),
    repeat(Task, Times),
    erlang:monotonic_time(nanosecond) - Start.

repeat(_, 0) -> ok;
repeat(Task, Times) ->
    _ = Task(),
    repeat(Task, Times - 1).
