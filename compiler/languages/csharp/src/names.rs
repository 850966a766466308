//! Schema names in C#: its words, and the properties of records.

use aldis_classes::names::{small, Names, Words};
use aldis_emit::names::{identifier, pascal, Scope};
use aldis_emit::Request;
use aldis_schema::{Schema, TypeId, TypeKind};
use std::sync::LazyLock;

macro_rules! members {
    () => {
        "\
    Assign ByKey Clear Clone Copied Decode DecodeCanonical DecodeFinal DecodePacked Definition Encode EncodeCanonical EncodeFinal EncodePacked \
    Equals FromJson Get GetHashCode GetType In IsMissing Json Layout Limits MemberwiseClone Out ReferenceEquals Set Shape Take ToJson ToString \
    TryDecode TryDecodeCanonical TryDecodeFinal TryDecodePacked TryEncode TryEncodeCanonical TryEncodeFinal TryEncodePacked Tried TryVerify TryVerifyCanonical \
    TryVerifyFinal TryVerifyPacked Verify VerifyCanonical VerifyFinal VerifyPacked Wire"
    };
}

/// Words of the language, of which variables are called otherwise; the rest of them begin with a capital letter.
const FIELDS: &str = "\
    abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum \
    event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long \
    namespace new null object operator out override params private protected public readonly ref return sbyte sealed short \
    sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual \
    void volatile while";

pub(crate) static WORDS: Words = Words {
    // Members, which no class that has them is called like; classes and name spaces that generated code calls by these names.
    types: concat!(
        members!(),
        " ",
        "\
        Arm Dispatch DispatchFinal Held Holding Identify IdentifyFinal InvalidOperationException Main Of Tag ToName Which \
        Aldis AnyPointer Argument ArgumentNullException Array Boolean Byte Char Choice Code CodecException Cut Decimal Decimals \
        Delegate Digest Double EditorBrowsable EditorBrowsableState Enum Exception Flags FlagsAttribute Forms Func Guid IChoice IComparer IEquatable \
        In IndexOutOfRangeException Int16 Int32 Int64 Json KeyValuePair Limits List Math Near Nullable Object Out Quick Reader ReadOnlySpan SByte Seen Shape Single SortedDictionary SortedSet \
        Span String Structure System Testee TesteeProgram Type UInt16 UInt32 UInt64 Visitor Void Wire"
    ),
    fields: FIELDS,
    known: LazyLock::new(|| FIELDS.split(' ').collect()),
    ends: &["codec", "extensions"],
    package,
    global: "global::",
    option: "namespace",
    class: |path| path.iter().map(|part| pascal(part)).collect(),
    field: |name| format!("_{}", small(&pascal(name))),
    absent: "_absent",
};

/// Members of every value.
pub(crate) const MEMBERS: &str = members!();

/// The name space of a schema, where no option says it.
fn package(stem: &str) -> String {
    let own = identifier(&pascal(stem));
    // A name space hides types of its name.
    let is_taken = WORDS.types.split(' ').any(|word| word == own);
    if is_taken {
        own + "_"
    } else {
        own
    }
}

/// A name in a scope, which is no word of it.
pub(crate) fn member(scope: &mut Scope<()>, taken: &[&str], wanted: &str) -> String {
    let wanted = identifier(&pascal(wanted));
    scope.fresh(&if taken.contains(&wanted.as_str()) { format!("{wanted}_") } else { wanted }, ())
}

/// The properties of each record's fields, by type.
pub(crate) fn properties(request: &Request<'_>, schema: &Schema, names: &Names) -> Vec<Vec<String>> {
    let of = |(index, def): (usize, &aldis_schema::TypeDef)| {
        let TypeKind::Record(record) = &def.kind else { return Vec::new() };
        // No member is called like its class.
        let own = names.simple(TypeId(index as u32));
        let codec = format!("{own}Codec");
        let views = request.plans.iter().map(|plan| names.view(TypeId(index as u32), &plan.form.suffix));
        let taken: Vec<&str> = MEMBERS.split(' ').chain([own, &codec]).chain(views).collect();
        let mut scope = Scope::new(taken.iter().copied(), ());
        let fields = record.fields.iter().map(|field| request.member_name(def, &field.name));
        fields.map(|field| member(&mut scope, &taken, if field.is_empty() { "union" } else { &field })).collect()
    };
    schema.types.iter().enumerate().map(of).collect()
}
