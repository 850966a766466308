//! aldis-interpreter
