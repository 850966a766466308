//! A schema as a tree that edits change, printed in each format.

use std::fmt::Write as _;

/// SplitMix64 (Steele, Lea, Flood 2014).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    pub fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Fbe,
    Sbe,
    Capnp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    Scalar(usize),
    Enum,
    Text,
    Bytes,
    /// A record, by its index among the structs.
    Record(usize),
    List(usize),
    ListOf(usize),
    SetOf(usize),
    Map(usize),
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub ty: Ty,
    pub optional: bool,
    pub default: bool,
    /// SBE: the version that added it, and bytes of nothing before it.
    pub since: u32,
    pub gap: u32,
    /// Cap'n Proto: the group or union that it is in.
    pub home: Option<(String, bool)>,
}

#[derive(Clone, Debug)]
pub struct Struct {
    pub name: String,
    pub base: Option<usize>,
    pub fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub struct Model {
    pub format: Format,
    pub version: u32,
    pub structs: Vec<Struct>,
    pub values: Vec<(String, u32)>,
    pub enum_base: usize,
    pub names: u32,
}

pub const SCALARS: [&str; 11] =
    ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float", "double", "bool"];
const CAPNP: [&str; 11] =
    ["Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Float32", "Float64", "Bool"];

pub fn width(scalar: usize) -> u32 {
    [1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 1][scalar]
}

impl Model {
    pub fn new(format: Format, random: &mut Random) -> Self {
        let values = (0..1 + random.below(3) as u32).map(|number| (format!("v{number}"), number)).collect();
        let mut model = Self { format, version: 0, structs: Vec::new(), values, enum_base: 1, names: 0 };
        for index in 0..2 + random.below(2) {
            let base = (format == Format::Fbe && index > 0 && random.one_in(3)).then(|| random.below(index));
            model.structs.push(Struct { name: format!("S{index}"), base, fields: Vec::new() });
            for _ in 0..1 + random.below(4) {
                let field = model.field(index, random);
                model.structs[index].fields.push(field);
            }
        }
        model
    }

    pub fn name(&mut self) -> String {
        self.names += 1;
        format!("f{}", self.names)
    }

    /// A new field for a struct: it may hold those before it.
    pub fn field(&mut self, owner: usize, random: &mut Random) -> Field {
        let ty = self.ty(owner, random);
        let may = match self.format {
            Format::Fbe => true,
            Format::Sbe => matches!(ty, Ty::Scalar(_) | Ty::Enum),
            Format::Capnp => false,
        };
        let optional = may && random.one_in(3);
        let default = !optional && matches!(ty, Ty::Scalar(0..=9)) && self.format != Format::Sbe && random.one_in(3);
        Field { name: self.name(), ty, optional, default, since: 0, gap: 0, home: None }
    }

    pub fn ty(&self, owner: usize, random: &mut Random) -> Ty {
        let scalar = random.below(if self.format == Format::Sbe { 10 } else { 11 });
        let other = random.below(owner.max(1));
        match (random.below(10), self.format) {
            (0..=4, _) => Ty::Scalar(scalar),
            (5, _) => Ty::Enum,
            (6, _) => Ty::Text,
            (7, Format::Sbe) => Ty::Bytes,
            (7, _) if random.one_in(2) => Ty::Bytes,
            (7, Format::Fbe) if random.one_in(2) => Ty::Map(scalar),
            (7, _) => Ty::List(scalar),
            (8, Format::Fbe) if owner > 0 && random.one_in(2) => Ty::SetOf(other),
            (8, _) if owner > 0 => Ty::ListOf(other),
            (9, Format::Fbe | Format::Capnp) if owner > 0 => Ty::Record(other),
            _ => Ty::Scalar(scalar),
        }
    }

    pub fn file(&self) -> &'static str {
        match self.format {
            Format::Fbe => "chain.fbe",
            Format::Sbe => "chain.xml",
            Format::Capnp => "chain.capnp",
        }
    }

    pub fn text(&self) -> String {
        match self.format {
            Format::Fbe => self.fbe(),
            Format::Sbe => self.sbe(),
            Format::Capnp => self.capnp(),
        }
    }

    fn fbe(&self) -> String {
        let mut out = "package chain\n".to_owned();
        let _ = writeln!(out, "enum E : {} {{", SCALARS[self.enum_base]);
        for (name, number) in &self.values {
            let _ = writeln!(out, "  {name} = {number};");
        }
        out += "}\n";
        for (index, structure) in self.structs.iter().enumerate() {
            let base = structure.base.map(|base| format!(" : S{base}")).unwrap_or_default();
            let _ = writeln!(out, "struct {}({}){base} {{", structure.name, index + 1);
            for field in &structure.fields {
                let question = if field.optional { "?" } else { "" };
                let ty = match field.ty {
                    Ty::Scalar(scalar) => format!("{}{question}", SCALARS[scalar]),
                    Ty::Enum => format!("E{question}"),
                    Ty::Text => format!("string{question}"),
                    Ty::Bytes => format!("bytes{question}"),
                    Ty::Record(other) => format!("S{other}{question}"),
                    Ty::List(scalar) => format!("{}{question}[]", SCALARS[scalar]),
                    Ty::ListOf(other) => format!("S{other}{question}[]"),
                    Ty::SetOf(other) => format!("S{other}!"),
                    Ty::Map(scalar) => format!("{}{question}<string>", SCALARS[scalar]),
                };
                let _ = writeln!(out, "  {ty} {}{};", field.name, if field.default { " = 7" } else { "" });
            }
            out += "}\n";
        }
        out
    }

    fn sbe(&self) -> String {
        let mut out = format!(
            "<sbe:messageSchema xmlns:sbe=\"http://fixprotocol.io/2016/sbe\" package=\"chain\" id=\"9\" version=\"{}\">\n<types>\n",
            self.version
        );
        out += "<composite name=\"messageHeader\"><type name=\"blockLength\" primitiveType=\"uint16\"/><type name=\"templateId\" primitiveType=\"uint16\"/><type name=\"schemaId\" primitiveType=\"uint16\"/><type name=\"version\" primitiveType=\"uint16\"/></composite>\n";
        out += "<composite name=\"groupSizeEncoding\"><type name=\"blockLength\" primitiveType=\"uint16\"/><type name=\"numInGroup\" primitiveType=\"uint8\"/></composite>\n";
        out += "<composite name=\"text\"><type name=\"length\" primitiveType=\"uint8\"/><type name=\"varData\" primitiveType=\"uint8\" length=\"0\" characterEncoding=\"UTF-8\"/></composite>\n";
        out += "<composite name=\"blob\"><type name=\"length\" primitiveType=\"uint16\"/><type name=\"varData\" primitiveType=\"uint8\" length=\"0\"/></composite>\n";
        let _ = writeln!(out, "<enum name=\"E\" encodingType=\"{}\">", SCALARS[self.enum_base]);
        for (name, number) in &self.values {
            let _ = writeln!(out, "<validValue name=\"{name}\">{number}</validValue>");
        }
        out += "</enum></types>\n";
        for (index, structure) in self.structs.iter().enumerate() {
            let _ = writeln!(out, "<sbe:message name=\"{}\" id=\"{}\">", structure.name, index + 1);
            self.level(index, &mut out);
            out += "</sbe:message>\n";
        }
        out + "</sbe:messageSchema>\n"
    }

    fn level(&self, index: usize, out: &mut String) {
        let mut at = 0;
        let part = |ty: Ty| match ty {
            Ty::Scalar(_) | Ty::Enum => 0,
            Ty::ListOf(_) => 1,
            _ => 2,
        };
        for kind in 0..3 {
            for (number, field) in
                self.structs[index].fields.iter().enumerate().filter(|(_, field)| part(field.ty) == kind)
            {
                let (name, id) = (&field.name, index * 100 + number + 1);
                let since = if field.since > 0 { format!(" sinceVersion=\"{}\"", field.since) } else { String::new() };
                let optional = if field.optional { " presence=\"optional\"" } else { "" };
                let _ = match field.ty {
                    Ty::Scalar(_) | Ty::Enum => {
                        let (ty, size) = match field.ty {
                            Ty::Scalar(scalar) => (SCALARS[scalar], width(scalar)),
                            _ => ("E", width(self.enum_base)),
                        };
                        at += field.gap;
                        let line = writeln!(
                            out,
                            "<field name=\"{name}\" id=\"{id}\" type=\"{ty}\" offset=\"{at}\"{optional}{since}/>"
                        );
                        at += size;
                        line
                    }
                    Ty::ListOf(other) => {
                        let _ = writeln!(out, "<group name=\"{name}\" id=\"{id}\"{since}>");
                        self.level(other, out);
                        writeln!(out, "</group>")
                    }
                    Ty::Text => writeln!(out, "<data name=\"{name}\" id=\"{id}\" type=\"text\"{since}/>"),
                    _ => writeln!(out, "<data name=\"{name}\" id=\"{id}\" type=\"blob\"{since}/>"),
                };
            }
        }
    }

    fn capnp(&self) -> String {
        let mut out = "@0xd4f12b9e6a7c360b;\nenum E {\n".to_owned();
        for (name, number) in &self.values {
            let _ = writeln!(out, "  {name} @{number};");
        }
        out += "}\n";
        for structure in &self.structs {
            let _ = writeln!(out, "struct {} {{", structure.name);
            let mut homes: Vec<(String, bool)> = Vec::new();
            for (ordinal, field) in structure.fields.iter().enumerate() {
                match &field.home {
                    None => out += &capnp_field(field, ordinal),
                    Some(home) if !homes.contains(home) => homes.push(home.clone()),
                    Some(_) => {}
                }
            }
            for home in homes {
                let _ = writeln!(out, "  {} :{} {{", home.0, if home.1 { "union" } else { "group" });
                for (ordinal, field) in structure.fields.iter().enumerate() {
                    if field.home.as_ref() == Some(&home) {
                        out += &capnp_field(field, ordinal);
                    }
                }
                out += "  }\n";
            }
            out += "}\n";
        }
        out
    }
}

fn capnp_field(field: &Field, ordinal: usize) -> String {
    let ty = match field.ty {
        Ty::Scalar(scalar) => CAPNP[scalar].to_owned(),
        Ty::Enum => "E".to_owned(),
        Ty::Text => "Text".to_owned(),
        Ty::Bytes => "Data".to_owned(),
        Ty::Record(other) => format!("S{other}"),
        Ty::List(scalar) | Ty::Map(scalar) => format!("List({})", CAPNP[scalar]),
        Ty::ListOf(other) | Ty::SetOf(other) => format!("List(S{other})"),
    };
    format!("  {} @{ordinal} :{ty}{};\n", field.name, if field.default { " = 7" } else { "" })
}
