%% PropEr without its header file, which not every distribution packages.
-import(proper_types, [binary/0, list/1, oneof/1, range/2]).
-define(FORALL(Pattern, Type, Property), proper:forall(Type, fun(Pattern) -> Property end)).
