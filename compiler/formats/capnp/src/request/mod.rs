//! Code generator requests: what `capnp compile -o` sends to a plugin, read into the [`Model`].
//!
//! A request is a Cap'n Proto message whose root is `schema.capnp`'s `CodeGeneratorRequest`. It is read by hand, field by
//! field at the places that `schema.capnp` gives them, so that nothing must be generated before there is a generator.
//! Newer versions may add fields, which are passed over, and kinds of nodes, types and values, which are refused.

mod check;
mod fault;
mod flat;
mod follow;
mod message;
mod nodes;
mod split;
mod types;
mod values;
mod view;

pub use fault::Fault;
pub use split::split;

use crate::model::{Brand, Model, Node, NodeId, NodeKind, StructValue};
use message::Message;
use nodes::{value_at, NodeReader, Pending, PendingType};
use std::collections::BTreeMap;
use values::Decoder;
use view::StructView;

/// Reads a request with its stream framing: a table of segments, then the segments, not packed. Bytes behind it are
/// left alone.
///
/// # Errors
/// The first [`Fault`]: bytes that are no such message, or nodes that contradict each other.
pub fn read(bytes: &[u8]) -> Result<Model, Fault> {
    let message = Message::new(bytes)?;
    // `CodeGeneratorRequest`: pointers 0 nodes, 1 requestedFiles, 2 capnpVersion, 3 sourceInfo.
    let root = message.root()?;
    let mut read = Nodes::default();
    root.list(0)?.each("nodes", |view| read.add(view))?;
    check::nodes(&read.nodes).map_err(|wrong| read.fault(wrong.node, &wrong.message))?;
    root.list(3)?.each("sourceInfo", |view| documentation(view, &mut read.nodes))?;
    let requested = root.list(1)?.each("requestedFiles", |view| read.requested(view))?;
    Ok(Model { nodes: read.with_values()?, requested })
}

/// The root of a message with its stream framing, as a value of the struct `id` with that brand.
///
/// # Errors
/// The first [`Fault`]: bytes that are no such message.
pub(crate) fn message_value(
    bytes: &[u8],
    id: NodeId,
    brand: &Brand,
    nodes: &BTreeMap<NodeId, Node>,
) -> Result<StructValue, Fault> {
    let message = Message::new(bytes)?;
    Decoder { nodes }.root(message.root()?, id, brand)
}

#[derive(Default)]
struct Nodes<'m> {
    nodes: BTreeMap<NodeId, Node>,
    /// The byte where each node was read.
    offsets: BTreeMap<NodeId, usize>,
    /// Values that take all nodes to read, each with its node.
    pending: Vec<(NodeId, Pending<'m>)>,
}

impl<'m> Nodes<'m> {
    fn add(&mut self, view: StructView<'m>) -> Result<(), Fault> {
        let mut reader = NodeReader::default();
        let node = reader.node(view)?;
        let id = node.id;
        self.pending.extend(reader.pending.into_iter().map(|pending| (id, pending)));
        self.offsets.insert(id, view.offset());
        match self.nodes.insert(id, node) {
            None => Ok(()),
            Some(other) => Err(view.fault(format!("a second node of id {id:#x}, which is `{}`", other.display_name))),
        }
    }

    /// `RequestedFile`: id u64 0; pointers: 0 filename, 1 imports.
    fn requested(&self, view: StructView<'_>) -> Result<NodeId, Fault> {
        let id = view.u64(0);
        match self.nodes.get(&id).map(|node| &node.kind) {
            Some(NodeKind::File) => Ok(id),
            _ => Err(view.fault(format!("the requested file {id:#x} is not among the nodes"))),
        }
    }

    /// The nodes with what was pending in its place.
    fn with_values(mut self) -> Result<BTreeMap<NodeId, Node>, Fault> {
        for (id, pending) in std::mem::take(&mut self.pending) {
            let decoder = Decoder { nodes: &self.nodes };
            let value = match &pending.ty {
                PendingType::Known(ty) => decoder.read(pending.value, ty),
                PendingType::OfAnnotation(annotation, brand) => match self.nodes.get(annotation).map(|node| &node.kind)
                {
                    Some(NodeKind::Annotation { ty, .. }) => decoder.read_branded(pending.value, ty, brand),
                    _ => {
                        Err(self.fault(id, &format!("it has annotation {annotation:#x}, which is not in the request")))
                    }
                },
            };
            let node = self.nodes.get_mut(&id);
            let value = value.map_err(|fault| match &node {
                Some(node) if fault.path.is_empty() => fault.within(&format!("`{}`", node.display_name)),
                _ => fault,
            })?;
            if let Some(place) = node.and_then(|node| value_at(node, pending.place)) {
                *place = value;
            }
        }
        Ok(self.nodes)
    }

    fn fault(&self, id: NodeId, message: &str) -> Fault {
        let offset = self.offsets.get(&id).copied().unwrap_or_default();
        let name = self.nodes.get(&id).map_or_else(|| format!("{id:#x}"), |node| node.display_name.clone());
        Fault::new(offset, message).within(&format!("`{name}`"))
    }
}

/// `Node.SourceInfo`: id u64 0; pointers: 0 docComment, 1 members, in the order of the node's own list.
/// `Node.SourceInfo.Member`: pointer 0 docComment.
fn documentation(view: StructView<'_>, nodes: &mut BTreeMap<NodeId, Node>) -> Result<(), Fault> {
    let Some(node) = nodes.get_mut(&view.u64(0)) else { return Ok(()) };
    node.doc = comment(view)?;
    let members = view.list(1)?.each("members", comment)?;
    let docs: Vec<&mut String> = match &mut node.kind {
        NodeKind::Struct(shape) => shape.fields.iter_mut().map(|field| &mut field.doc).collect(),
        NodeKind::Enum(enumerants) => enumerants.iter_mut().map(|enumerant| &mut enumerant.doc).collect(),
        NodeKind::Interface(interface) => interface.methods.iter_mut().map(|method| &mut method.doc).collect(),
        NodeKind::File | NodeKind::Const { .. } | NodeKind::Annotation { .. } => Vec::new(),
    };
    for (doc, member) in docs.into_iter().zip(members) {
        *doc = member;
    }
    Ok(())
}

/// The text of pointer 0 without its last line end.
fn comment(view: StructView<'_>) -> Result<String, Fault> {
    Ok(view.text(0)?.trim_end_matches('\n').to_owned())
}
