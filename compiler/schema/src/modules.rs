//! The files that a schema's types are declared in, for code that refers to the types of other schemas.

use crate::digest::digest;
use crate::{Schema, TypeId};
use serde::{Deserialize, Serialize};

/// A file of a schema: the root, or one that is imported. Its code is a module of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchemaModule {
    /// The file's package or, where there are none, its name without folder and extension.
    pub name: String,
    /// Digest of the file's text and of what it imports: the same whichever file of them is the root.
    pub hash: String,
}

impl Schema {
    /// The module that a type belongs to: 0, the root, for all types where there are no modules.
    pub fn module_of(&self, id: TypeId) -> usize {
        self.owners.get(id.index()).map_or(0, |module| *module as usize)
    }
}

/// The digest of each file: of its text and of what it imports, directly or not, each once, in the order in which they are read.
pub fn module_hashes(texts: &[&str], imports: &[Vec<usize>]) -> Vec<String> {
    let all = (0..texts.len()).map(|root| {
        let mut order = Vec::new();
        let mut open = vec![root];
        while let Some(file) = open.pop() {
            if !order.contains(&file) {
                order.push(file);
                open.extend(imports[file].iter().rev());
            }
        }
        digest(&order.into_iter().map(|file| texts[file]).collect::<Vec<_>>())
    });
    all.collect()
}

#[cfg(test)]
mod tests {
    use super::module_hashes;

    #[test]
    fn a_file_has_the_same_digest_as_a_root_and_as_an_import() {
        let from_a = module_hashes(&["a", "b", "c"], &[vec![1], vec![2, 0], vec![]]);
        let from_b = module_hashes(&["b", "c", "a"], &[vec![1, 2], vec![], vec![0]]);
        assert_eq!(from_a, [from_b[2].as_str(), &from_b[0], &from_b[1]]);
        assert_ne!(from_a[2], module_hashes(&["d"], &[vec![]])[0]);
    }
}
