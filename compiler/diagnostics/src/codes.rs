//! Tables of diagnostics' codes.

/// One diagnostic that a crate can report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// `fbe/E0001` for errors, `fbe/W0001` for warnings.
    pub code: &'static str,
    pub meaning: &'static str,
    pub mend: &'static str,
}

/// Declares a constant for each code, and `TABLE` with all of them in the order in which they stand here:
///
/// ```
/// aldis_diagnostics::codes! {
///     UNREADABLE = "demo/E0001", "a file cannot be read", "check the path and its permissions";
/// }
/// assert_eq!(TABLE[0].code, UNREADABLE);
/// ```
#[macro_export]
macro_rules! codes {
    ($($name:ident = $code:literal, $meaning:literal, $mend:literal;)*) => {
        $(#[doc = $meaning] pub const $name: &str = $code;)*
        /// All codes, in order.
        pub const TABLE: &[$crate::Code] =
            &[$($crate::Code { code: $code, meaning: $meaning, mend: $mend }),*];
    };
}
