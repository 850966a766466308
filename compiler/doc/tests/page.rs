//! The page of a schema: what is on it, that it is safe, that its links lead somewhere.

use aldis_plan::Plan;
use aldis_testkit::{plans, plans_in, Text};
use std::collections::BTreeSet;

fn page(plans: &[Plan]) -> String {
    aldis_doc::page(plans, "schema")
}

/// The values of an attribute, in order.
fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    page.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn each_format_has_its_types_places_and_words() {
    let cases: [(&str, &[&str]); 3] = [
        ("conformance/schemas/market.fbe", &["fbe-final", "offset", "bytes wasted", "struct"]),
        ("conformance/schemas/market.xml", &["number ", "Head of the message", "templateId", "enum"]),
        ("conformance/schemas/market.capnp", &["capnp-packed", "words of data", "pointer"]),
    ];
    for (path, wanted) in cases {
        let plans = plans(path);
        let page = page(&plans);
        for word in wanted {
            assert!(page.contains(word), "{path}: no {word}");
        }
        for definition in &plans[0].schema.types {
            assert!(page.contains(&definition.name.local()), "{path}: no {}", definition.name.full());
        }
        assert_eq!(page, self::page(&self::plans(path)), "{path}: the same schema gives the same page");
    }
}

#[test]
fn links_lead_to_a_place_on_the_page_and_nothing_is_loaded() {
    for path in
        ["conformance/schemas/market.fbe", "conformance/schemas/market.xml", "conformance/schemas/addressbook.capnp"]
    {
        let page = page(&plans(path));
        let ids = attributes(&page, "id");
        let places: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), places.len(), "{path}: an id stands twice");
        for link in attributes(&page, "href") {
            let place = link.strip_prefix('#').unwrap_or_else(|| panic!("{path}: {link} leads elsewhere"));
            assert!(places.contains(place), "{path}: {link} leads nowhere");
        }
        for outside in [" src=", "http:", "https:", "@import", "url("] {
            assert!(!page.contains(outside), "{path}: {outside}");
        }
    }
}

#[test]
fn versions_and_values_are_listed() {
    let page = page(&plans("conformance/features/sbe_versions.xml"));
    assert!(page.contains("added</h3>"), "no versions");
    assert!(page.contains("since "));
    let page = self::page(&plans("conformance/features/sbe_enum.xml"));
    assert!(page.contains("<th>name</th>"), "no values");
}

#[test]
fn words_of_the_schema_are_never_markup() {
    const HOSTILE: &str = "<messageSchema package=\"p&quot;&gt;&lt;script&gt;\" id=\"1\" description=\"&lt;script&gt;alert(1)&lt;/script&gt;\">\
        <types><composite name=\"messageHeader\"><type name=\"blockLength\" primitiveType=\"uint16\"/>\
        <type name=\"templateId\" primitiveType=\"uint16\"/><type name=\"schemaId\" primitiveType=\"uint16\"/>\
        <type name=\"version\" primitiveType=\"uint16\"/></composite></types>\
        <message name=\"M\" id=\"1\" description=\"&lt;img src=x onerror='x'&gt; &amp;amp;\">\
        <field name=\"a\" id=\"1\" type=\"uint32\" semanticType=\"&quot;&gt;&lt;b&gt;\" description=\"&lt;/section&gt;\"/></message></messageSchema>";
    let page = page(&plans_in("hostile.xml", &Text(HOSTILE)));
    for bad in ["<script>alert", "<img", "<b>", "p\"><script", "onerror='x'"] {
        assert!(!page.contains(bad), "{bad}");
    }
    for shown in ["&lt;script&gt;alert(1)", "&lt;img src=x onerror=&#39;x&#39;&gt; &amp;amp;", "&lt;/section&gt;"] {
        assert!(page.contains(shown), "{shown}");
    }
    assert_eq!(page.matches("<script>").count(), 1, "the page's own script alone");
}
