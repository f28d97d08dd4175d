//! One page: from Markdown to HTML, with the ids of its headings and links that lead to pages.

use std::fmt::Write as _;
use std::mem;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// A page as it is shown.
pub(super) struct Page {
    /// Its path on the site.
    pub(super) address: String,
    /// Text of its first heading, as HTML.
    pub(super) title: String,
    /// Its first paragraph, as text.
    pub(super) about: String,
    /// Its HTML.
    body: String,
    /// What the search finds.
    pub(super) parts: Vec<Part>,
    /// Links to pages: source and fragment.
    pub(super) links: Vec<(String, String)>,
}

/// A heading, with the text up to the next one.
pub(super) struct Part {
    level: HeadingLevel,
    /// Fragment; empty for the first heading.
    pub(super) id: String,
    pub(super) title: String,
    pub(super) text: String,
}

impl Page {
    /// Reads the page of a path; `sources` are the paths of all pages.
    pub(super) fn read(source: &str, text: &str, sources: &[String]) -> Self {
        let mut page = Self {
            address: address(source),
            title: source.to_owned(),
            about: String::new(),
            body: String::new(),
            parts: Vec::new(),
            links: Vec::new(),
        };
        let mut reader = Reader {
            page: &mut page,
            source,
            sources,
            heading: None,
            about: About::Before,
            link_left_out: false,
            in_code: false,
        };
        let mut events = Vec::new();
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            reader.take(event, &mut events);
        }
        let mut body = String::new();
        html::push_html(&mut body, events.into_iter());
        // A head without words is none to a screen reader.
        page.body = body.replace("<th></th>", "<td></td>");
        page
    }

    /// Whether a fragment leads somewhere on it; an empty one does.
    pub(super) fn has(&self, fragment: &str) -> bool {
        fragment.is_empty() || self.parts.iter().any(|part| part.id == fragment)
    }

    /// Its HTML, with the list of its second headings below the first one.
    pub(super) fn whole(&self) -> String {
        self.body
            .replacen("</h1>\n", &format!("</h1>\n{}", self.headings()), 1)
    }

    /// A list of its second headings, where there are many.
    fn headings(&self) -> String {
        let headings = self.parts.iter().filter(|part| part.level == HeadingLevel::H2);
        let mut list = String::new();
        for Part { id, title, .. } in headings {
            let _ = writeln!(list, "<li><a href=\"#{id}\">{}</a></li>", escaped(title));
        }
        match list.lines().count() {
            0..4 => String::new(),
            _ => format!(
                "<details class=\"headings\"><summary>On this page</summary>\n<ul>\n{list}</ul>\n</details>"
            ),
        }
    }
}

/// Where the reading of the first paragraph stands.
#[derive(PartialEq, Eq)]
enum About {
    Before,
    Within,
    Done,
}

struct Reader<'a> {
    page: &'a mut Page,
    source: &'a str,
    sources: &'a [String],
    /// A heading that is being read, with its events.
    heading: Option<(HeadingLevel, String, Vec<Event<'a>>)>,
    about: About,
    link_left_out: bool,
    in_code: bool,
}

impl<'a> Reader<'a> {
    fn take(&mut self, event: Event<'a>, out: &mut Vec<Event<'a>>) {
        if let Event::Text(text) | Event::Code(text) = &event {
            self.note(text);
        } else if matches!(
            event,
            Event::SoftBreak
                | Event::HardBreak
                | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell | TagEnd::CodeBlock)
        ) {
            self.note(" ");
        }
        let event = match event {
            Event::Start(Tag::Heading { level, .. }) => {
                self.heading = Some((level, String::new(), Vec::new()));
                return;
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some((level, title, events)) = self.heading.take() {
                    self.close_heading(level, &title, events, out);
                }
                return;
            }
            Event::Start(Tag::Link {
                dest_url,
                title,
                id,
                link_type,
            }) => match self.link(&dest_url) {
                Some(address) => Event::Start(Tag::Link {
                    link_type,
                    dest_url: address.into(),
                    title,
                    id,
                }),
                // A file of the repository that is no page: its name stays.
                None => {
                    self.link_left_out = true;
                    return;
                }
            },
            Event::End(TagEnd::Link) if mem::take(&mut self.link_left_out) => return,
            Event::Start(Tag::Image {
                dest_url,
                title,
                id,
                link_type,
            }) => Event::Start(Tag::Image {
                link_type,
                // Pictures lie beside the pages as they do in the repository.
                dest_url: relative(
                    &self.page.address,
                    resolve(self.source, &dest_url).trim_start_matches("docs/"),
                )
                .into(),
                title,
                id,
            }),
            Event::Start(Tag::Table(columns)) => {
                out.push(Event::Html(
                    "<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">".into(),
                ));
                Event::Start(Tag::Table(columns))
            }
            Event::End(TagEnd::Table) => {
                out.push(Event::End(TagEnd::Table));
                Event::Html("</div>\n".into())
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                self.in_code = true;
                Event::Html(code(&kind).into())
            }
            Event::End(TagEnd::CodeBlock) => {
                self.in_code = false;
                Event::Html("</code></pre>\n".into())
            }
            Event::Start(Tag::Paragraph) if self.about == About::Before => {
                self.about = About::Within;
                Event::Start(Tag::Paragraph)
            }
            Event::End(TagEnd::Paragraph) if self.about == About::Within => {
                self.about = About::Done;
                Event::End(TagEnd::Paragraph)
            }
            event => event,
        };
        match &mut self.heading {
            Some((_, _, events)) => events.push(event),
            None => out.push(event),
        }
    }

    /// Text for the search, for the heading and for what the page is about.
    fn note(&mut self, text: &str) {
        if let Some((_, title, _)) = &mut self.heading {
            title.push_str(text);
        } else if let Some(part) = self.page.parts.last_mut() {
            part.text.push_str(text);
            if self.in_code {
                part.text.push(' ');
            }
        }
        if self.about == About::Within {
            self.page.about.push_str(text);
        }
    }

    fn close_heading(
        &mut self,
        level: HeadingLevel,
        title: &str,
        events: Vec<Event<'a>>,
        out: &mut Vec<Event<'a>>,
    ) {
        let title = title.trim();
        let mut inner = String::new();
        html::push_html(&mut inner, events.into_iter());
        let first = self.page.parts.is_empty();
        if first {
            self.page.title = escaped(title);
        }
        let slug = slug(title);
        let same = |id: &str| self.page.parts.iter().any(|part| part.id == id);
        let id = match (first, same(&slug)) {
            (true, _) => String::new(),
            (false, false) => slug,
            // As the usual viewers of repositories do it.
            (false, true) => (1..)
                .map(|number| format!("{slug}-{number}"))
                .find(|id| !same(id))
                .unwrap_or_default(),
        };
        let attribute = if first {
            String::new()
        } else {
            format!(" id=\"{id}\"")
        };
        out.push(Event::Html(
            format!("<{level}{attribute}>{inner}</{level}>\n").into(),
        ));
        self.page.parts.push(Part {
            level,
            id,
            title: title.to_owned(),
            text: String::new(),
        });
    }

    /// Where a link leads on the site; nowhere when it is a file that is no page.
    fn link(&mut self, target: &str) -> Option<String> {
        if target.contains("://") || target.starts_with("mailto:") {
            return Some(target.to_owned());
        }
        let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
        let source = match path {
            "" => self.source.to_owned(),
            path => resolve(self.source, path),
        };
        if !self.sources.contains(&source) {
            return None;
        }
        let mut link = relative(&self.page.address, &address(&source));
        if !fragment.is_empty() {
            let _ = write!(link, "#{fragment}");
        }
        self.page.links.push((source, fragment.to_owned()));
        Some(link)
    }
}

/// The start of a block of code. The second word of its fence is the name of a file that it is.
fn code(kind: &CodeBlockKind<'_>) -> String {
    let info: &CowStr<'_> = match kind {
        CodeBlockKind::Fenced(info) => info,
        CodeBlockKind::Indented => &"".into(),
    };
    let mut words = info.split_whitespace();
    let language = escaped(words.next().unwrap_or("text"));
    let name = words
        .next()
        .filter(|name| name.contains('.'))
        .map_or_else(String::new, |name| {
            format!("<p class=\"file\"><code>{}</code></p>\n", escaped(name))
        });
    format!("{name}<pre tabindex=\"0\"><code class=\"language-{language}\">")
}

/// A page's path on the site: `docs/a/b.md` is `a/b.html`, what lies elsewhere keeps its folders.
pub(super) fn address(source: &str) -> String {
    let path = source.strip_prefix("docs/").unwrap_or(source);
    match path.strip_suffix(".md").unwrap_or(path) {
        "README" if source.starts_with("docs/") => "index.html".to_owned(),
        path => format!(
            "{}.html",
            path.strip_suffix("/README").unwrap_or(path).to_lowercase()
        ),
    }
}

/// The path in the repository that a link of a page means.
pub(super) fn resolve(source: &str, target: &str) -> String {
    let target = target.split('#').next().unwrap_or_default();
    let mut parts: Vec<&str> = source.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            ".." => {
                parts.pop();
            }
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// From one page to another, both on the site.
fn relative(from: &str, to: &str) -> String {
    "../".repeat(from.matches('/').count()) + to
}

/// The fragment of a heading: small letters, digits, `_` and `-`; spaces become `-`.
fn slug(title: &str) -> String {
    title
        .to_lowercase()
        .chars()
        .filter_map(|char| match char {
            ' ' => Some('-'),
            '-' | '_' => Some(char),
            char if char.is_alphanumeric() => Some(char),
            _ => None,
        })
        .collect()
}

/// Text for HTML, in elements and attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for char in text.trim().chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            char => out.push(char),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_addresses() {
        for (source, expected) in [
            ("docs/README.md", "index.html"),
            ("docs/payments.md", "payments.html"),
            ("docs/start/shop.md", "start/shop.html"),
            ("CHANGELOG.md", "changelog.html"),
            ("pkg-template/README.md", "pkg-template.html"),
        ] {
            assert_eq!(address(source), expected);
        }
        assert_eq!(resolve("docs/start/shop.md", "../../src/"), "src");
        assert_eq!(relative("start/shop.html", "index.html"), "../index.html");
    }

    #[test]
    fn headings_get_fragments_and_links_lead_to_pages() {
        let text = "# A `b` & c\n\nFirst *one*\nsaid.\n\n## In the sandbox\n[x](../other.md#y) [z](#in-the-sandbox-1) \
                    [f](f.rs) <https://a.example>\n## In the sandbox\n```js a.js\n1 < 2\n```\n";
        let page = Page::read(
            "docs/g/a.md",
            text,
            &["docs/other.md".to_owned(), "docs/g/a.md".to_owned()],
        );
        assert_eq!(page.title, "A b &amp; c");
        assert_eq!(page.about.trim(), "First one said.");
        for part in [
            "<h1>A <code>b</code> &amp; c</h1>",
            "<h2 id=\"in-the-sandbox\">",
            "<h2 id=\"in-the-sandbox-1\">",
            "<a href=\"../other.html#y\">x</a>",
            "<a href=\"../g/a.html#in-the-sandbox-1\">z</a> f <a href",
            "<p class=\"file\"><code>a.js</code></p>\n<pre tabindex=\"0\"><code class=\"language-js\">1 &lt; 2",
        ] {
            assert!(page.body.contains(part), "{part} in {}", page.body);
        }
        assert!(page.has("in-the-sandbox-1") && !page.has("in-the-sandbox-2"));
        assert_eq!(page.links.len(), 2);
        assert!(page.parts[2].text.contains("1 < 2"));
    }
}
