//! The navigation: headings of the first page, and the links below each.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Result, ensure};
use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

use super::page::{Page, escaped, resolve};

/// All groups, in their order.
pub(super) struct Contents(Vec<Group>);

struct Group {
    title: String,
    entries: Vec<Entry>,
}

/// One page, as the lists name it.
pub(super) struct Entry {
    name: String,
    /// Its path in the repository.
    pub(super) source: String,
}

impl Contents {
    /// Reads the first page. Of each list item the first link counts.
    pub(super) fn read(text: &str) -> Result<Self> {
        let mut groups: Vec<Group> = Vec::new();
        let (mut heading, mut link, mut in_item) = (false, None, false);
        for event in Parser::new(text) {
            match event {
                Event::Start(Tag::Heading {
                    level: HeadingLevel::H2,
                    ..
                }) => {
                    heading = true;
                    groups.push(Group {
                        title: String::new(),
                        entries: Vec::new(),
                    });
                }
                Event::End(TagEnd::Heading(_)) => heading = false,
                Event::Start(Tag::Item) => in_item = true,
                Event::Start(Tag::Link { dest_url, .. }) if in_item => {
                    in_item = false;
                    link = Some(Entry {
                        name: String::new(),
                        source: resolve(super::FRONT, &dest_url),
                    });
                }
                Event::End(TagEnd::Link) => {
                    if let (Some(entry), Some(group)) = (link.take(), groups.last_mut()) {
                        group.entries.push(entry);
                    }
                }
                Event::Text(text) | Event::Code(text) => match (&mut link, groups.last_mut()) {
                    (Some(entry), _) => entry.name.push_str(&text),
                    (None, Some(group)) if heading => group.title.push_str(&text),
                    _ => {}
                },
                _ => {}
            }
        }
        groups.retain(|group| !group.entries.is_empty());
        ensure!(!groups.is_empty(), "{} lists nothing", super::FRONT);
        Ok(Self(groups))
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.0.iter().flat_map(|group| &group.entries)
    }

    /// What the lists call a page.
    pub(super) fn name(&self, source: &str) -> Option<&str> {
        self.entries()
            .find(|entry| entry.source == source)
            .map(|entry| entry.name.as_str())
    }

    /// The lists as HTML, on the page of `here`. Addresses start with `%ROOT%`.
    pub(super) fn html(&self, here: &str, pages: &BTreeMap<String, Page>) -> String {
        let mut html = String::new();
        for Group { title, entries } in &self.0 {
            let _ = write!(html, "<h2>{}</h2>\n<ul>\n", escaped(title));
            for Entry { name, source } in entries {
                let Some(page) = pages.get(source) else { continue };
                let current = if source == here {
                    " aria-current=\"page\""
                } else {
                    ""
                };
                let _ = writeln!(
                    html,
                    "<li><a href=\"%ROOT%{}\"{current}>{}</a></li>",
                    page.address,
                    escaped(name)
                );
            }
            html.push_str("</ul>\n");
        }
        html
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_link_of_an_item_is_an_entry() {
        let text =
            "# Docs\n[no](a.md)\n## One\n- [A `b`](a.md#x): see [c](c.md)\n- [D](../e/README.md)\n## Empty\n";
        let contents = Contents::read(text).expect("has entries");
        let found: Vec<_> = contents
            .entries()
            .map(|entry| (entry.name.as_str(), entry.source.as_str()))
            .collect();
        assert_eq!(found, [("A b", "docs/a.md"), ("D", "e/README.md")]);
        assert_eq!(contents.0.len(), 1);
        assert!(Contents::read("# Docs\n").is_err());
    }
}
