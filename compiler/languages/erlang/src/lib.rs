//! aldis-erlang
