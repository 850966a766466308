//! The header value: what a message's header holds beside the numbers about the message.

use crate::code::{quote, Expr};
use crate::erl::{atom, case_of, function, spec, Clause};
use crate::gen::Gen;
use crate::wire::Wire;
use aldis_plan::HeaderValue;

/// The exported functions, with their arities.
pub(crate) const FUNCTIONS: [(&str, usize); 3] = [("header", 1), ("put_header", 2), ("encode", 2)];

const ERROR: &str = "{error, aldis:reason()}";

impl<'a> Gen<'a> {
    /// `header/1`, `put_header/2` and `encode/2`, where messages have a header value.
    pub fn header_functions(&mut self, wire: &Wire<'a>) {
        let Some(header) = &wire.plan.header else { return };
        let name = self.names.of(header.record).to_owned();
        let record = format!("#{}{{}}", self.names.atom(header.record));
        let error = (quote("{error, _} = Error"), quote("Error"));

        let decode = quote(format!("{}(Bin)", atom(&format!("decode_{name}"))));
        let read = case_of(decode, [(quote("{ok, Header, _}"), quote("{ok, Header}")), error.clone()]);
        self.export_header("header", &["binary()"], &format!("{{ok, {record}}}"), &["Bin"], read);

        let (pattern, joined) = joined(header);
        let whole = case_of(
            "{Bin, Given}",
            [(quote(pattern), quote(joined)), (quote("_"), quote("{error, {truncated, 0, <<>>}}"))],
        );
        let encode = quote(format!("{}(Header)", atom(&format!("encode_{name}"))));
        let put = case_of(encode, [(quote("{ok, Given}"), whole), error.clone()]);
        let bytes = "{ok, binary()}";
        self.export_header("put_header", &["binary()", &record], bytes, &["Bin", "Header"], put);

        let both = case_of("encode(Value)", [(quote("{ok, Bin}"), quote("put_header(Bin, Header)")), error]);
        self.export_header("encode", &["tuple()", &record], bytes, &["Value", "Header"], both);
    }

    fn export_header(&mut self, name: &str, takes: &[&str], gives: &str, args: &[&str], body: Expr) {
        let clause = Clause::new(args.iter().copied(), [body]);
        self.export(name, args, spec(name, takes, &format!("{gives} | {ERROR}")), function(atom(name), &[clause]));
    }
}

/// The pattern that takes apart a message and a head that holds a header value, and what they give together: the
/// registers of the one, and of the other all else.
fn joined(header: &HeaderValue) -> (String, String) {
    let (mut message, mut head, mut result) = (Vec::new(), Vec::new(), Vec::new());
    let mut at = 0;
    for (index, given) in header.given.iter().enumerate() {
        if given.at > at {
            let size = given.at - at;
            message.push(format!("Kept{index}:{size}/binary"));
            head.push(format!("_:{size}/binary"));
            result.push(format!("Kept{index}/binary"));
        }
        message.push(format!("_:{}/binary", given.size));
        head.push(format!("Given{index}:{}/binary", given.size));
        result.push(format!("Given{index}/binary"));
        at = given.at + given.size;
    }
    if header.size > at {
        head.push(format!("_:{}/binary", header.size - at));
        message.push(format!("Kept:{}/binary", header.size - at));
        result.push("Kept/binary".to_owned());
    }
    message.push("Rest/binary".to_owned());
    result.push("Rest/binary".to_owned());
    let binary = |parts: &[String]| format!("<<{}>>", parts.join(", "));
    (format!("{{{}, {}}}", binary(&message), binary(&head)), format!("{{ok, {}}}", binary(&result)))
}
