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

/// Modules of OTP that the runtime system cannot do without: a module of the same name would stand before them in the
/// path, or not be loaded.
const OTP_MODULES: &str = "\
    application application_controller application_master application_starter argparse array atomics auth \
    base64 binary c calendar cerl cerl_clauses cerl_inline cerl_trees code code_server compile compiler \
    core_lib core_lint core_parse core_pp core_scan counters dets dets_server dets_sup dets_utils dets_v9 \
    dict digraph digraph_utils disk_log disk_log_1 disk_log_server disk_log_sup dist_ac dist_util edlin \
    edlin_expand edlin_key edlin_type_suggestion epp erl_abstract_code erl_anno erl_bifs erl_bits \
    erl_boot_server erl_compile erl_compile_server erl_ddll erl_distribution erl_epmd erl_error \
    erl_erts_errors erl_eval erl_expand_records erl_features erl_init erl_internal erl_kernel_errors erl_lint \
    erl_parse erl_posix_msg erl_pp erl_prim_loader erl_reply erl_scan erl_signal_handler erl_stdlib_errors \
    erl_tar erl_tracer erlang erpc error_handler error_logger error_logger_file_h error_logger_tty_h erts \
    erts_code_purger erts_debug erts_dirty_process_signal_handler erts_internal erts_literal_area_collector \
    escript ets eval_bits file file_io_server file_server file_sorter filelib filename gb_sets gb_trees gen \
    gen_event gen_fsm gen_sctp gen_server gen_statem gen_tcp gen_tcp_socket gen_udp gen_udp_socket global \
    global_group global_search group group_history heart inet inet6_sctp inet6_tcp inet6_tcp_dist inet6_udp \
    inet_config inet_db inet_dns inet_gethost_native inet_hosts inet_parse inet_res inet_sctp inet_tcp \
    inet_tcp_dist inet_udp init io io_lib io_lib_format io_lib_fread io_lib_pretty json kernel kernel_config \
    kernel_refc lists local_tcp local_udp log_mf_h logger logger_backend logger_config logger_disk_log_h \
    logger_filters logger_formatter logger_h_common logger_handler_watcher logger_olp logger_proxy \
    logger_server logger_simple_h logger_std_h logger_sup maps math ms_transform net net_adm net_kernel \
    orddict ordsets os otp_internal peer persistent_term pg pg2 pool prim_buffer prim_eval prim_file \
    prim_inet prim_net prim_socket prim_tty prim_zip proc_lib proplists qlc qlc_pt queue ram_file rand random \
    raw_file_io raw_file_io_compressed raw_file_io_deflate raw_file_io_delayed raw_file_io_inflate \
    raw_file_io_list re rec_env rpc seq_trace sets shell shell_default shell_docs shell_docs_markdown slave \
    socket socket_registry sofs standard_error stdlib string supervisor supervisor_bridge sys timer unicode \
    unicode_util uri_string user user_drv user_sup win32reg wrap_log_reader zip zlib";

/// Whether a module of this name is one of OTP's or of Aldis's own.
pub(crate) fn is_taken_module(name: &str) -> bool {
    name == "aldis" || name.starts_with("aldis_") || OTP_MODULES.split_whitespace().any(|module| module == name)
}
