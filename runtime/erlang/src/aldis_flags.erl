%% @doc Flags: lists of names in bit order, with `{unknown, Bits}' at the end for bits without a name.
-module(aldis_flags).

-export([from_number/2, to_number/4, signed/2]).

%% @doc The names of a number's bits. `Names' has each single bit with its name, in bit order.
-spec from_number(non_neg_integer(), [{pos_integer(), atom()}]) -> [atom() | {unknown, pos_integer()}].
from_number(0, _) -> [];
from_number(Number, [{Bit, Name} | Rest]) when Number band Bit =/= 0 ->
    [Name | from_number(Number band bnot Bit, Rest)];
from_number(Number, [_ | Rest]) -> from_number(Number, Rest);
from_number(Number, []) -> [{unknown, Number}].

%% @doc The number of a list of names; `Masks' has each name with what it stands for, one bit or several;
%% `Max' is the number of all bits.
-spec to_number(term(), [{atom(), non_neg_integer()}], non_neg_integer(), aldis_fault:path()) -> non_neg_integer().
to_number([], _, _, _) -> 0;
to_number([{unknown, Bits} | Rest], Masks, Max, Path) ->
    aldis_check:int(Bits, 0, Max, Path) bor to_number(Rest, Masks, Max, Path);
to_number([Name | Rest], Masks, Max, Path) ->
    case lists:keyfind(Name, 1, Masks) of
        {_, Mask} -> (Mask band Max) bor to_number(Rest, Masks, Max, Path);
        false -> aldis_check:wrong(Path)
    end;
to_number(_, _, _, Path) -> aldis_check:wrong(Path).

%% @doc The bits as a number of two's complement.
-spec signed(non_neg_integer(), pos_integer()) -> integer().
signed(Number, Bits) when Number bsr (Bits - 1) =:= 1 -> Number - (1 bsl Bits);
signed(Number, _) -> Number.
