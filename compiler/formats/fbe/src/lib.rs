//! aldis-fbe
