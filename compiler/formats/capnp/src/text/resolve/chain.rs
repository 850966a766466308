//! How far names or constants have led from one to the next. What is known from before counts as if it were followed
//! anew, so the same chains are too long in whatever order their links are looked at.

#[derive(Default)]
pub(super) struct Chain {
    /// Links between the first one and the current one.
    pub(super) depth: usize,
    /// Links of the longest chain behind the current one.
    pub(super) longest: usize,
}

impl Chain {
    /// One link further. What comes back is for [`Chain::leave`].
    pub(super) fn enter(&mut self) -> usize {
        self.depth += 1;
        std::mem::take(&mut self.longest)
    }

    /// Back again; how many links were followed, this one counted.
    pub(super) fn leave(&mut self, around: usize) -> usize {
        self.depth -= 1;
        let links = self.longest + 1;
        self.longest = around.max(links);
        links
    }

    /// A chain of so many links is behind the current one.
    pub(super) fn follow(&mut self, links: usize) {
        self.longest = self.longest.max(links);
    }
}
