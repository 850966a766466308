//! aldis-sbe
