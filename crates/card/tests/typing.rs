//! `tests/vectors/typing/*.json`: sessions key by key, with a small model of a browser's text fields around the form.

use std::collections::BTreeSet;

#[cfg(test)]
#[path = "typing/page.rs"]
mod page;
#[cfg(test)]
#[path = "typing/session.rs"]
mod session;

use page::Page;
use session::{case_names, field_of, files};

#[test]
fn sessions() {
    let mut failed = Vec::new();
    let mut names = BTreeSet::new();
    for (file, content) in files() {
        assert!(content.sessions.len() > 10, "{file}");
        for session in &content.sessions {
            assert!(
                names.insert(session.name.clone()),
                "{file}: two of {}",
                session.name
            );
            let mut page = Page::new(session, content.now);
            for (index, step) in session.steps.iter().enumerate() {
                if let Some(field) = &step.field {
                    page.go_to(field_of(field));
                }
                let field = page.focus;
                for key in &step.keys {
                    page.press(key);
                }
                for wrong in page.check(field, step) {
                    failed.push(format!("{file}: {}, step {}: {wrong}", session.name, index + 1));
                }
            }
        }
    }
    assert!(names.len() > 200);
    assert!(
        failed.is_empty(),
        "{} failed:\n{}",
        failed.len(),
        failed.join("\n")
    );
}

/// The README says what proves each line of the design: all that it names is there, and each line has its sessions.
#[test]
fn what_the_readme_names_is_there() {
    let mut names = BTreeSet::new();
    let mut lines = BTreeSet::new();
    for (_, file) in files() {
        for session in file.sessions {
            names.insert(session.name);
            lines.insert(session.line);
        }
    }
    names.extend(case_names());
    let readme = include_str!("../README.md");
    let rows: Vec<_> = readme
        .lines()
        .filter(|line| line.starts_with("| 3.") || line.starts_with("| 4."))
        .collect();
    assert_eq!(rows.len(), 13);
    for row in rows {
        let line = &row[2..5];
        // Only the frame can prove 3.5.
        assert!(line == "3.5" || lines.contains(line), "{line}");
        for name in row.split('*').skip(1).step_by(2) {
            assert!(names.contains(name), "{line}: {name}");
        }
    }
}
