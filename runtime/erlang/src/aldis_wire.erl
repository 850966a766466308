%% @doc The functions that generated readers call: checks, and the faults that they find.
%%
%% Readers take the bytes before them, so a fault's place is how many are left. In forms with links the bytes end with
%% the message's frame.
-module(aldis_wire).

-export([truncated/2, bad_count/3, bad_pointer/3, bad_frame/3, unknown_message/1, wrong_type/2]).
-export([block/3, block/4, stated_block/4, stated_block/5, cut/4, typed_block/6, check_type/4, check_depth/3, check_frame/3]).
-export_type([lacks/0, cuts/0, budget/0, within/0]).
-export([size/1, budget/3, depth/1, suffice/2, unpacked/2, charge/4, charge/5, charge_blob/5, charge_block/6, charge_empty/4]).
-export([left/2, surcharged/2, lack/2, may_lack/1, element/4]).
-export([few_bytes/4]).
-export([decoded/5, viewed/6]).
-export([expect/5, start/4, id/5, no_ids/1, constant/2]).

-define(DEPTH, 64).
-define(BUDGET_FACTOR, 8).
-define(BUDGET_BASE, 262144).
-define(REFERENCE, 16#4000000).
-define(UNPACKED_FACTOR, 64).
-define(UNPACKED_BASE, 16#1000000).
-define(EMPTY_ELEMENT, 8).

-type path() :: aldis_fault:path().
-type budget() :: integer().
%% How many bytes may still be visited. Where limits ask for no surcharges it is negative: -1 where none are left. So a guard
%% that compares it with bytes and surcharges together lets no such budget pass, and what charges them apart comes next.
-type within() :: aldis:limits() | {aldis:limits(), Depth :: pos_integer()}.
%% Limits of one message, with the levels of records where they are not the usual ones.
-type lacks() :: [{End :: pos_integer(), Cost :: pos_integer()}].
%% Rows of an end and a charge. A block of fewer bytes than the end is charged for the fields beyond it, whose defaults take memory.
-type cuts() :: {
    Version :: non_neg_integer(),
    [{At :: non_neg_integer(), End :: non_neg_integer(), Least :: non_neg_integer(), Since :: non_neg_integer(), path()}]
}.
%% Members of a run, and the writer's version: where each lies, the least extent and the first version of runs that have it, and its
%% path from the inside out; none where it is no field.

%% @doc The bytes end too early, or are no bytes at all: `bad_value'.
-spec truncated(term(), path()) -> no_return().
truncated(Bin, Path) when is_bitstring(Bin) -> aldis_fault:raise(truncated, Bin, Path);
truncated(_, Path) -> aldis_fault:raise(bad_value, none, Path).

%% @doc A count or length is larger than the bytes can hold.
-spec bad_count(non_neg_integer(), binary(), path()) -> no_return().
bad_count(_Count, Bin, Path) -> aldis_fault:raise(bad_count, Bin, Path).

%% @doc A link leads outside the message, or nowhere.
-spec bad_pointer(non_neg_integer(), binary(), path()) -> no_return().
bad_pointer(_At, Base, Path) -> aldis_fault:raise(bad_pointer, Base, Path).

%% @doc A frame size is more than the bytes, or less than the head.
-spec bad_frame(non_neg_integer(), non_neg_integer(), binary()) -> no_return().
bad_frame(Size, Head, Bin) when Size < Head -> aldis_fault:raise(bad_value, Bin, []);
bad_frame(_Size, _Head, Bin) -> aldis_fault:raise(truncated, Bin, []).

%% @doc The bytes are another message.
-spec unknown_message(binary()) -> no_return().
unknown_message(Bin) -> aldis_fault:raise(unknown_message, Bin, []).

%% @doc A record is of another type: another message at the root, a fault further in.
-spec wrong_type(binary(), path()) -> no_return().
wrong_type(Bin, []) -> unknown_message(Bin);
wrong_type(Bin, Path) -> aldis_fault:raise(bad_value, Bin, Path).

%% @doc A block of `Extent' bytes, and what follows.
-spec block(binary(), non_neg_integer(), path()) -> {Block :: binary(), Rest :: binary()}.
block(Bin, Extent, Path) ->
    case Bin of
        <<Block:Extent/binary, Rest/binary>> -> {Block, Rest};
        _ -> truncated(Bin, Path)
    end.

%% @doc As {@link block/3}, for a block that states its size within its first `Head' bytes.
-spec stated_block(binary(), non_neg_integer(), non_neg_integer(), path()) -> {binary(), binary()}.
stated_block(Bin, Extent, Head, Path) when Extent < Head -> aldis_fault:raise(bad_value, Bin, Path);
stated_block(Bin, Extent, _Head, Path) -> block(Bin, Extent, Path).

%% @doc As {@link block/3}; where its bytes end too early, the fault is that of the member that is cut.
-spec block(binary(), non_neg_integer(), cuts(), path()) -> {binary(), binary()}.
block(Bin, Extent, Cuts, Path) ->
    case Bin of
        <<Block:Extent/binary, Rest/binary>> -> {Block, Rest};
        _ -> cut(Bin, Extent, Cuts, Path)
    end.

%% @doc As {@link stated_block/4}, with the members that may be cut.
-spec stated_block(binary(), non_neg_integer(), non_neg_integer(), cuts(), path()) -> {binary(), binary()}.
stated_block(Bin, Extent, Head, _, Path) when Extent < Head -> aldis_fault:raise(bad_value, Bin, Path);
stated_block(Bin, Extent, _Head, Cuts, Path) -> block(Bin, Extent, Cuts, Path).

%% @doc The bytes end within a run of `Extent' bytes: the fault is at the first of its members that is in it and not whole.
-spec cut(term(), non_neg_integer(), cuts(), path()) -> no_return().
cut(Bin, Extent, {Version, Members}, Path) when is_binary(Bin) ->
    Left = byte_size(Bin),
    IsCut = fun({_, End, Least, Since, _}) -> End > Left andalso Least =< Extent andalso Since =< Version end,
    case lists:search(IsCut, Members) of
        {value, {At, _, _, _, Names}} -> aldis_fault:raise(truncated, max(0, Left - At), Names ++ Path);
        false -> aldis_fault:raise(truncated, 0, Path)
    end;
cut(Bin, _, _, Path) -> truncated(Bin, Path).

%% @doc A block that states its size and its type.
-spec typed_block(binary(), non_neg_integer(), non_neg_integer(), non_neg_integer(), non_neg_integer(), path()) ->
    binary().
typed_block(Bin, Extent, Head, Type, Expected, Path) ->
    {Block, _} = stated_block(Bin, Extent, Head, Path),
    ok = check_type(Type, Expected, Bin, Path),
    Block.

%% @doc Checks a record's type.
-spec check_type(non_neg_integer(), non_neg_integer(), binary(), path()) -> ok.
check_type(Type, Type, _, _) -> ok;
check_type(_, _, Bin, Path) -> wrong_type(Bin, Path).

%% @doc Checks how deep records nest; the root is at depth 1.
-spec check_depth(integer(), binary(), path()) -> ok.
check_depth(Depth, _, _) when Depth =< ?DEPTH -> ok;
check_depth(_, Bin, Path) -> aldis_fault:raise(too_deep, Bin, Path).

%% @doc Checks a frame size against what the message took.
-spec check_frame(non_neg_integer(), binary(), binary()) -> ok.
check_frame(Size, Bin, Rest) when Size =:= byte_size(Bin) - byte_size(Rest) -> ok;
check_frame(_, Bin, _) -> aldis_fault:raise(bad_value, Bin, []).

%% @doc A message that `Open' finds behind a head of so many bytes, as `Read' gives it, and what follows it.
-spec decoded(fun((binary()) -> tuple()), function(), non_neg_integer(), binary(), within()) ->
    {ok, term(), binary()} | {error, aldis:reason()}.
decoded(Open, Read, Head, Bin, Limits) ->
    opened(Open, Head, Bin, Limits, fun(Args) ->
        {Value, Rest, _} = apply(Read, Args),
        {ok, Value, Rest}
    end).

%% @doc As {@link decoded/5}, for one field.
-spec viewed(atom(), fun((binary()) -> tuple()), function(), non_neg_integer(), binary(), within()) ->
    {ok, term()} | {error, aldis:reason()}.
viewed(Field, Open, View, Head, Bin, Limits) ->
    opened(Open, Head, Bin, Limits, fun(Args) -> {ok, apply(View, [Field | Args])} end).

%% The heap may grow for what is read, and is as it was afterwards.
opened(Open, Head, Bin, Limits, Read) ->
    Heap = aldis_heap:enter(Bin),
    try
        Budget = budget(Limits, Bin, Head),
        Read(tuple_to_list(Open(Bin)) ++ [depth(Limits), Budget, []])
    catch
        throw:{aldis_fault, _, _, _} = Fault -> aldis_fault:error(Fault, ?MODULE:size(Bin))
    after
        aldis_heap:leave(Heap)
    end.

%% @doc How many bytes there are, of what may be no bytes at all.
-spec size(term()) -> non_neg_integer().
size(Bin) when is_bitstring(Bin) -> byte_size(Bin);
size(_) -> 0.

%% @doc How many bytes may be visited in `Bin', or in so many unpacked ones, behind the `Spent' first ones.
-spec budget(within(), binary() | {unpacked, non_neg_integer()}, non_neg_integer()) -> budget().
budget(default, {unpacked, Bytes}, Spent) -> Bytes * ?BUDGET_FACTOR + ?BUDGET_BASE - Spent;
budget(default, Bin, Spent) when is_binary(Bin) -> byte_size(Bin) * ?BUDGET_FACTOR + ?BUDGET_BASE - Spent;
budget(reference, _, Spent) -> Spent - ?REFERENCE - 1;
budget({Limits, _}, Input, Spent) -> budget(Limits, Input, Spent);
budget(Bytes, {unpacked, _}, 0) -> Bytes;
budget(Bytes, Bin, Spent) when is_integer(Bytes), Bytes >= 0, byte_size(Bin) >= Spent -> charge(Bytes, Spent, Bin, []);
%% Input that is cut short or empty is told as such first.
budget(_, _, _) -> 0.

%% @doc The depth at which a root record is read, so that what lies too deep is deeper than the usual limit.
-spec depth(within()) -> integer().
depth({_, Depth}) -> 1 + ?DEPTH - Depth;
depth(_) -> 1.

%% @doc Whether what is read within the default limits is read within these.
-spec suffice(within(), binary()) -> boolean().
suffice({Limits, Depth}, Bin) -> Depth >= ?DEPTH andalso suffice(Limits, Bin);
suffice(default, _) -> true;
suffice(reference, Bin) -> budget(default, Bin, 0) =< ?REFERENCE;
suffice(Bytes, Bin) -> budget(default, Bin, 0) =< Bytes.

%% @doc How many bytes the packed ones of `Bin' may unpack to.
-spec unpacked(within(), binary()) -> non_neg_integer().
unpacked({Limits, _}, Bin) -> unpacked(Limits, Bin);
unpacked(reference, _) -> ?REFERENCE;
unpacked(_, Bin) -> byte_size(Bin) * ?UNPACKED_FACTOR + ?UNPACKED_BASE.

%% @doc The rest of a budget after visiting `Bytes' bytes.
-spec charge(budget(), non_neg_integer(), binary(), path()) -> budget().
charge(Budget, Bytes, _, _) when Bytes =< Budget -> Budget - Bytes;
charge(Budget, Bytes, Bin, Path) ->
    case left(Budget, Bytes) of
        none -> aldis_fault:raise(too_large, Bin, Path);
        Left -> Left
    end.

%% @doc The rest of a budget without `Bytes'.
-spec left(budget(), non_neg_integer()) -> budget() | none.
left(Budget, Bytes) when Bytes =< Budget -> Budget - Bytes;
left(Budget, Bytes) when Budget < 0, Budget + Bytes < 0 -> Budget + Bytes;
left(_, _) -> none.

%% @doc The surcharge of so many bytes, which is 0 with a budget that takes none.
-spec surcharged(budget(), non_neg_integer()) -> non_neg_integer().
surcharged(Budget, _) when Budget < 0 -> 0;
surcharged(_, Bytes) -> Bytes.

%% @doc Charges bytes, and what is asked beside them where limits ask for surcharges.
-spec charge(budget(), non_neg_integer(), non_neg_integer(), binary(), path()) -> budget().
charge(Budget, Bytes, Beside, Bin, Path) -> charge(Budget, Bytes + surcharged(Budget, Beside), Bin, Path).

%% @doc Charges `Count' bytes behind a head of `Head'.
-spec charge_blob(budget(), pos_integer(), non_neg_integer(), binary(), path()) -> budget().
charge_blob(Budget, Head, Count, _, _) when Head + Count =< Budget -> Budget - Head - Count;
charge_blob(Budget, Head, Count, Bin, Path) ->
    Budget1 = charge(Budget, Head, Bin, Path),
    <<_:Head/binary, Content/binary>> = Bin,
    charge(Budget1, Count, Content, Path).

%% @doc Charges a block of `Extent' bytes, with the surcharges of what lies in it, `{End, Surcharge}' of each such slot, and
%% what it lacks.
-spec charge_block(budget(), non_neg_integer(), [{pos_integer(), pos_integer()}], lacks(), binary(), path()) -> budget().
charge_block(Budget, Extent, Slots, Lacks, Bin, Path) ->
    Surcharges = lists:sum([Surcharge || {End, Surcharge} <- Slots, End =< Extent]),
    charge(Budget, Extent + lack(Lacks, Extent), Surcharges, Bin, Path).

%% @doc The charge for the fields that a block of so many bytes lacks. For parts `Extent' is the message's version, and an end is
%% the version that a part came with.
-spec lack(lacks(), non_neg_integer()) -> non_neg_integer().
lack(Lacks, Extent) -> lists:sum([Cost || {End, Cost} <- Lacks, End > Extent]).

%% @doc Whether fields for which so many bytes were left out may cost more than the budget of no bytes.
-spec may_lack(non_neg_integer()) -> boolean().
may_lack(Bytes) -> Bytes * 8 > ?BUDGET_BASE.

%% @doc The charge for an element that is taken with the count, where a head says that its block has `Extent' bytes: for the
%% fields that its block lacks, the parts that are newer than the message's version, and, in versions before `Empty', for
%% being without bytes.
-spec element(non_neg_integer(), non_neg_integer(), {lacks(), lacks()}, non_neg_integer() | always) -> non_neg_integer().
element(0, Version, {Block, Parts}, Empty) when Empty =:= always; Version < Empty ->
    ?EMPTY_ELEMENT + lack(Block, 0) + lack(Parts, Version);
element(Extent, Version, {Block, Parts}, _) ->
    lack(Block, Extent) + lack(Parts, Version).

%% @doc Charges an element that took no bytes.
-spec charge_empty(binary(), binary(), budget(), path()) -> budget().
charge_empty(Bin, Rest, Budget, Path) when byte_size(Bin) =:= byte_size(Rest) ->
    charge(Budget, ?EMPTY_ELEMENT, Bin, Path);
charge_empty(_, _, Budget, _) ->
    Budget.

%% @doc The elements of `Count' blocks of `Extent' bytes each, 0 or 1. There can only be so many that differ: each is read
%% once, and equal ones are one term.
-spec few_bytes(binary(), pos_integer(), 0..1, fun((binary()) -> Element)) -> [Element].
few_bytes(_, Count, 0, Read) ->
    %% Each is charged what a byte of input gives, beyond the budget of all inputs.
    aldis_heap:reserve(Count - ?BUDGET_BASE div ?EMPTY_ELEMENT, 2 * Count),
    lists:duplicate(Count, Read(<<>>));
few_bytes(Table, Count, 1, Read) ->
    aldis_heap:reserve(Count, 2 * Count),
    Elements = list_to_tuple([Read(<<Byte>>) || Byte <- lists:seq(0, 255)]),
    [element(Byte + 1, Elements) || <<Byte>> <= Table].

%% @doc Checks a number that tells whose message it is.
-spec expect(binary(), non_neg_integer(), pos_integer(), little | big, non_neg_integer()) -> ok.
expect(Bin, At, Bits, Order, Value) ->
    case fixed(Bin, At, Bits, Order) of
        Value -> ok;
        _ -> unknown_message(Bin)
    end.

%% @doc The start of the record that holds a message's id.
-spec start(binary(), non_neg_integer(), pos_integer(), little | big) -> non_neg_integer().
start(Bin, At, Bits, Order) ->
    case fixed(Bin, At, Bits, Order) of
        Start when Start =< byte_size(Bin) -> Start;
        _ -> aldis_fault:raise(bad_pointer, Bin, [])
    end.

%% @doc A message's id, `At' bytes behind `Start'.
-spec id(binary(), non_neg_integer(), non_neg_integer(), pos_integer(), little | big) -> non_neg_integer().
id(Bin, Start, At, Bits, Order) -> fixed(Bin, Start + At, Bits, Order).

fixed(Bin, At, Bits, little) ->
    case Bin of
        <<_:At/binary, Value:Bits/little, _/binary>> -> Value;
        _ -> truncated(Bin, [])
    end;
fixed(Bin, At, Bits, big) ->
    case Bin of
        <<_:At/binary, Value:Bits, _/binary>> -> Value;
        _ -> truncated(Bin, [])
    end.

%% @doc The answer of forms whose messages do not say what they are.
-spec no_ids(binary()) -> {error, aldis:reason()}.
no_ids(Bin) when is_binary(Bin) -> {error, {unknown_message, '-', <<>>}};
no_ids(_) -> {error, {bad_value, '-', <<>>}}.

%% @doc The value of a field that the schema fixes.
-spec constant(binary(), Value) -> {ok, Value} | {error, aldis:reason()}.
constant(Bin, Value) when is_binary(Bin) -> {ok, Value};
constant(_, _) -> {error, {bad_value, '-', <<>>}}.
