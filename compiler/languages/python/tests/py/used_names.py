"""Prints the names that the modules of packages look up in themselves or among the builtins, one a line."""

import pathlib
import symtable
import sys


def used(table, found):
    for symbol in table.get_symbols():
        if symbol.is_global() or table.get_type() == "module":
            found.add(symbol.get_name())
    for child in table.get_children():
        used(child, found)


names = set()
for path in pathlib.Path(sys.argv[1]).glob("*/*.py"):
    used(symtable.symtable(path.read_text(), str(path), "exec"), names)
print("\n".join(sorted(name for name in names if not name.startswith("__"))))
