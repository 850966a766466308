//! Names that Erlang's own modules and functions have.

/// Functions of one argument that are called without a module and whose names a field's reader could have.
pub(crate) const BUILT_IN_FUNCTIONS: [&str; 63] = [
    "atom_to_binary",
    "atom_to_list",
    "binary_to_atom",
    "binary_to_existing_atom",
    "binary_to_float",
    "binary_to_integer",
    "binary_to_list",
    "binary_to_term",
    "bit_size",
    "bitstring_to_list",
    "byte_size",
    "check_old_code",
    "delete_module",
    "disconnect_node",
    "float_to_binary",
    "float_to_list",
    "garbage_collect",
    "get_keys",
    "integer_to_binary",
    "integer_to_list",
    "iolist_size",
    "iolist_to_binary",
    "is_atom",
    "is_binary",
    "is_bitstring",
    "is_boolean",
    "is_float",
    "is_function",
    "is_integer",
    "is_list",
    "is_map",
    "is_number",
    "is_pid",
    "is_port",
    "is_process_alive",
    "is_reference",
    "is_tuple",
    "list_to_atom",
    "list_to_binary",
    "list_to_bitstring",
    "list_to_existing_atom",
    "list_to_float",
    "list_to_integer",
    "list_to_pid",
    "list_to_port",
    "list_to_ref",
    "list_to_tuple",
    "map_size",
    "module_loaded",
    "pid_to_list",
    "port_close",
    "port_to_list",
    "process_info",
    "purge_module",
    "ref_to_list",
    "spawn_link",
    "spawn_monitor",
    "spawn_request",
    "spawn_request_abandon",
    "term_to_binary",
    "term_to_iovec",
    "tuple_size",
    "tuple_to_list",
];

/// Modules of OTP's applications, one a line: a module of the same name would stand before them in the path, or not be loaded.
/// `scripts/otp-modules.sh` adds those of another version.
const OTP_MODULES: &str = include_str!("otp_modules.txt");

/// The modules of OTP's applications.
pub(crate) fn otp_modules() -> impl Iterator<Item = &'static str> {
    OTP_MODULES.lines()
}

/// Whether a module of this name is one of OTP's or of Aldis's own.
pub(crate) fn is_taken_module(name: &str) -> bool {
    name == "aldis" || name.starts_with("aldis_") || otp_modules().any(|module| module == name)
}
