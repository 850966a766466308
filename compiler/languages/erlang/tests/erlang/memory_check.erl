%% @doc The memory that generated codecs hold while they read large and hostile messages, of the schemas `heavy.fbe', `heavy.xml' and
%% `heavypointers.capnp'.
%%
%% `make' writes each shape's input into a file, and `measure' reads one of them, in a VM that has done nothing else.
-module(memory_check).

-export([make/1, measure/1]).

%% The memory that reading may hold: so many bytes for each byte of the input, and on top of that.
-define(FACTOR, 64).
%% The cells of eight booleans in a byte alone are 128.
-define(FACTOR_OF_BITS, 160).
-define(BASE, (16 * 1024 * 1024)).

%% @doc Writes the inputs into a folder and prints the shapes, one a line.
-spec make([file:filename()]) -> no_return().
make([Folder]) ->
    Shapes = flags() ++ numbers() ++ texts() ++ records() ++ collections() ++ groups() ++ pointers() ++ json(),
    [begin
        ok = file:write_file(filename:join(Folder, Name), term_to_binary({Call, iolist_to_binary(Input)})),
        io:format("~s~n", [Name])
    end || {Name, Call, Input} <- Shapes],
    halt(0).

%% Booleans: the most memory for a byte that holds one value. The second and the third field are the first once more.
flags() ->
    List = [number(2000000), binary:copy(<<1, 0>>, 1000000)],
    [
        {"flags", fbe('Flags'), message(1, [36, 0, 0, 0, 0, 0, 0], List)},
        {"flags-twice", fbe('Flags'), message(1, [36, 36, 0, 0, 0, 0, 0], List)},
        {"flags-aliased", fbe('Flags'), message(1, lists:duplicate(7, 36), List)},
        {"flags-small-aliased", fbe('Flags'), message(1, lists:duplicate(7, 36), [number(20000), <<0:160000>>])},
        {"flags-final", final('Flags'), final(1, [List, binary:copy(number(0), 6)])}
    ].

numbers() ->
    Table = binary:copy(<<16#FEDCBA9876543210:64>>, 125000),
    List = [number(125000), Table],
    [
        {"reals", fbe('Reals'), message(2, [0, 40, 0, 0, 0, 0, 0, 0], List)},
        {"reals-aliased", fbe('Reals'), message(2, lists:duplicate(8, 40), List)},
        {"floats", fbe('Reals'), message(2, [40, 0, 0, 0, 0, 0, 0, 0], [number(250000), Table])}
    ].

texts() ->
    Count = 100000,
    Links = [number(32 + 4 * Count + 5 * Index) || Index <- lists:seq(0, Count - 1)],
    Text = [number(1), "x"],
    One = [number(28 + 4 + 4 * Count) || _ <- lists:seq(1, Count)],
    [
        {"texts", fbe('Texts'), message(3, [28, 0, 0, 0, 0], [number(Count), Links, lists:duplicate(Count, Text)])},
        {"texts-aliased", fbe('Texts'), message(3, lists:duplicate(5, 28), [number(Count), One, Text])},
        {"texts-final", final('Texts'), final(3, [number(Count), lists:duplicate(Count, Text), <<0:128>>])}
    ].

records() ->
    Count = 100000,
    Lines = [[number(20 + 4 * Count + 24 * Index)] || Index <- lists:seq(0, Count - 1)],
    Line = [[number(12), number(4), number(12)], number(2), <<7:32, 8:32>>],
    Same = [number(20 + 4 * Count) || _ <- lists:seq(1, Count)],
    Long = [number(12), number(4), number(12), number(100000), <<0:3200000>>],
    Blocks = [number(20 + 4 * 1000) || _ <- lists:seq(1, 1000)],
    Block = [number(65544), number(5), <<0:524288>>],
    Points = [number(36 + 4 * Count + 9 * Index) || Index <- lists:seq(0, Count - 1)],
    Point = [number(9), number(7), 1],
    [
        {"lines", fbe('Lines'), message(6, [16, 0], [number(Count), Lines, lists:duplicate(Count, Line)])},
        {"lines-aliased", fbe('Lines'), message(6, [16, 0], [number(Count), Same, Long])},
        {"blocks-aliased", fbe('Lines'), message(6, [0, 16], [number(1000), Blocks, Block])},
        {"points", fbe('Points'),
            message(8, [32, 0, 0, 0, 0, 0], [number(Count), Points, lists:duplicate(Count, Point)])},
        {"points-aliased", fbe('Points'),
            message(8, [32, 0, 0, 0, 0, 0], [number(Count), [number(36 + 4 * Count) || _ <- Points], Point])},
        {"points-final", final('Points'), final(8, [number(1000000), <<0:8000000>>, <<0:160>>])},
        {"tree-deep", fbe('Tree'), message(9, [12], tree(100000))},
        {"tree-aliased", fbe('Tree'), message(9, [12], [number(Count), binary:copy(number(16 + 4 * Count), Count),
            number(12), number(9), number(0)])}
    ].

%% One within the other; each is counted from its own first byte.
tree(0) -> number(0);
tree(Depth) -> [number(1), number(20), number(12), number(9), number(12) | tree(Depth - 1)].

collections() ->
    Count = 60000,
    Many = lists:duplicate(Count, <<0:8, 16#FF:88, 0:32>>),
    Place = fun(At) -> [case Index of At -> 32; _ -> 0 end || Index <- lists:seq(1, 6)] end,
    [
        {"set", fbe('Points'), message(8, Place(2), [number(Count), [<<Item:16/little>> || Item <- lists:seq(1, Count)]])},
        {"map", fbe('Points'), message(8, Place(3), [number(Count), [<<Key:16/little, 1>> || Key <- lists:seq(1, Count)]])},
        {"decimals", fbe('Points'), message(8, Place(4), [number(Count), Many])},
        {"uuids", fbe('Points'), message(8, Place(5), [number(Count), Many])},
        {"maybes", fbe('Points'), message(8, Place(6), [number(Count),
            [[1, number(36 + 5 * Count)] || _ <- lists:seq(1, Count)], 7])}
    ].

groups() ->
    Head = fun(Id) -> <<0:16, Id:16/little, 9:16/little, 0:16>> end,
    None = <<1:16/little, 0:32>>,
    Count = 1000000,
    [
        {"group", {heavygroups, decode_Bytes}, [Head(1), <<1:16/little>>, number(Count), <<0:(8 * Count)>>, None]},
        {"group-two", {heavygroups, decode_Bytes}, [Head(1), None, <<2:16/little>>, number(Count), <<0:(16 * Count)>>]},
        {"group-shorter", {heavygroups, decode_Bytes}, [Head(1), None, <<1:16/little>>, number(Count), <<0:(8 * Count)>>]},
        {"group-empty", {heavygroups, decode_Bytes}, [Head(1), <<0:16>>, number(Count), <<0:(8 * Count)>>]},
        {"group-names", {heavygroups, decode_Named},
            [Head(2), <<2:16/little>>, number(Count div 4), binary:copy(<<0:32>>, Count div 4)]}
    ].

%% Lists of pointers and of records that hold some, in one field or in all.
pointers() ->
    Count = 60000,
    Nulls = binary:copy(<<0:64>>, 500000),
    Texts = [[text_pointer(Count - 1 - Index, 2) || Index <- lists:seq(0, Count - 1)], <<"x", 0:56>>],
    Each = [[[text_pointer(Count - 1, 2)] || _ <- lists:seq(1, Count)], binary:copy(<<"x", 0:56>>, Count)],
    Tag = <<(Count bsl 2):32/little, 0:16, 2:16/little>>,
    Records = [Tag, [[text_pointer(2 * (Count - Index) - 1, 2), <<0:64>>] || Index <- lists:seq(0, Count - 1)], <<"x", 0:56>>],
    Texts10 = {heavypointers, decode_Texts},
    Lines10 = {heavypointers, decode_Lines},
    [
        {"pointers-bits", {heavypointers, decode_Bits}, bits(16000000)},
        {"pointers-null", Texts10, segment(1, 6, 500000, Nulls)},
        {"pointers-null-aliased", Texts10, segment(10, 6, 500000, Nulls)},
        {"pointers-each", Texts10, segment(1, 6, Count, Each)},
        {"pointers", Texts10, segment(1, 6, Count, Texts)},
        {"pointers-aliased", Texts10, segment(10, 6, Count, Texts)},
        {"pointers-records", Lines10, segment(1, 7, 2 * Count, Records)},
        {"pointers-records-aliased", Lines10, segment(10, 7, 2 * Count, Records)}
    ].

%% A message whose root has one pointer, to a list of booleans.
bits(Count) ->
    Body = [<<0:32, 0:16, 1:16/little, 1:32/little, (Count bsl 3 + 1):32/little>>, binary:copy(<<16#A5>>, Count div 8)],
    [<<0:32>>, number(2 + Count div 64), Body].

%% A message whose root has ten pointers, of which the first ones lead to one list.
segment(Lists, Code, Size, List) ->
    Pointers = [<<((9 - Index) bsl 2 + 1):32/little, (Size bsl 3 + Code):32/little>> || Index <- lists:seq(0, Lists - 1)],
    Body = iolist_to_binary([<<0:32, 0:16, 10:16/little>>, Pointers, <<0:(64 * (10 - Lists))>>, List]),
    [<<0:32>>, number(byte_size(Body) div 8), Body].

text_pointer(Offset, Size) -> <<(Offset bsl 2 + 1):32/little, (Size bsl 3 + 2):32/little>>.

json() ->
    Array = fun(Name, Item, Count) -> ["{\"", Name, "\":[", lists:join(",", lists:duplicate(Count, Item)), "]}"] end,
    [
        {"json-flags", {heavy, from_json_Flags}, Array("a", "true", 200000)},
        {"json-numbers", {heavy, from_json_Line}, Array("cells", "7", 500000)},
        {"json-reals", {heavy, from_json_Reals}, Array("b", "1.5", 250000)},
        {"json-texts", {heavy, from_json_Texts}, Array("a", "\"\"", 300000)},
        {"json-records", {heavy, from_json_Points}, Array("list", "{}", 300000)},
        {"json-wide", {heavy, from_json_Rows}, Array("rows", "{}", 300000)},
        {"json-wide-last", {heavy, from_json_Rows}, Array("rows", "{\"z7\":1}", 100000)},
        {"json-wide-keys", {heavy, from_json_Rows}, Array("rows", "{\"z7\":1},{\"z6\":1}", 50000)},
        {"json-nested", {heavy, from_json_Tree}, lists:duplicate(1000000, "{\"children\":[")},
        {"json-brackets", {heavy, from_json_Line}, lists:duplicate(1000000, "[")},
        {"json-empty", {heavy, from_json_Tree}, ["[", lists:duplicate(500000, "[],"), "[]]"]}
    ].

fbe(Record) -> {heavy, list_to_atom("decode_" ++ atom_to_list(Record))}.

final(Record) -> {heavy, list_to_atom("decode_" ++ atom_to_list(Record) ++ "_final")}.

%% A message whose fields are links, and what they lead to.
message(Type, Links, Data) ->
    Body = [number(8 + 4 * length(Links)), number(Type), [number(Link) || Link <- Links], Data],
    [number(iolist_size(Body) + 8), number(8), Body].

final(Type, Body) -> [number(iolist_size(Body) + 8), number(Type), Body].

number(Number) -> <<Number:32/little>>.

%% @doc Reads a shape's input. Prints the result, how much more memory the VM took meanwhile and the bound, in bytes, and
%% how many milliseconds it took.
-spec measure([file:filename()]) -> no_return().
measure([File]) ->
    {ok, Written} = file:read_file(File),
    {{Module, Function}, Input} = binary_to_term(Written),
    %% Code that is loaded meanwhile would count.
    [{module, _} = code:ensure_loaded(list_to_atom(filename:basename(Beam, ".beam")))
        || Beside <- [Module, aldis_wire], Beam <- filelib:wildcard(filename:join(filename:dirname(code:which(Beside)), "*.beam"))],
    Bound = factor(filename:basename(File)) * byte_size(Input) + ?BASE,
    Before = high_water(),
    %% A process of its own: how this one's heap has grown until now would decide how it grows on.
    Measure = self(),
    spawn_link(fun() ->
        {Time, Result} = timer:tc(Module, Function, [Input]),
        Measure ! {Time, verdict(Result)}
    end),
    {Micros, Verdict} = receive Measured -> Measured end,
    %% The kernel's counters lag: the later reading may be the smaller one.
    More = max(0, high_water() - Before),
    io:format("~s ~b ~b ~b~n", [Verdict, More, Bound, Micros div 1000]),
    halt(0).

factor("pointers-bits") -> ?FACTOR_OF_BITS;
factor(_) -> ?FACTOR.

verdict({error, {Code, _, _}}) -> Code;
verdict(Result) -> element(1, Result).

%% The most memory that the VM has had, in bytes.
high_water() ->
    {ok, Status} = file:read_file("/proc/self/status"),
    {match, [Kibibytes]} = re:run(Status, "VmHWM:\\s*(\\d+) kB", [{capture, all_but_first, binary}]),
    1024 * binary_to_integer(Kibibytes).
