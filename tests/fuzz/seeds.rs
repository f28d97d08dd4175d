//! Sessions of `tests/vectors/typing` as operations of the driver: seeds for the fuzzer.

use std::fs;
use std::path::Path;

use card_widget_card::Brand;
use serde_json::Value;

use crate::driver::ops::Op;

/// All sessions, each with its name.
pub(crate) fn sessions(folder: &Path) -> Vec<(String, Vec<Op>)> {
    let mut sessions = Vec::new();
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
    {
        let file: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        for session in file["sessions"].as_array().unwrap() {
            sessions.push((session["name"].as_str().unwrap().to_owned(), ops(session)));
        }
    }
    sessions
}

fn ops(session: &Value) -> Vec<Op> {
    let mut ops = Vec::new();
    if let Some(brands) = session["brands"].as_array() {
        let brands = brands.iter().filter_map(|id| Brand::from_id(id.as_str()?));
        ops.push(Op::Restrict(
            brands.fold(0, |bits, brand| bits | 1 << brand as u16),
        ));
    }
    ops.push(focus(&session["field"]));
    for step in session["steps"].as_array().unwrap() {
        if step.get("field").is_some() {
            ops.extend([focus(&step["field"]), Op::Select(100, 100)]);
        }
        for name in step["keys"].as_array().unwrap() {
            key(name.as_str().unwrap(), &mut ops);
        }
    }
    ops
}

fn focus(field: &Value) -> Op {
    Op::Focus(match field.as_str().unwrap() {
        "number" => 0,
        "expiry" => 1,
        _ => 2,
    })
}

/// As near as the driver has it: the arrows select anew, from where they are not known.
fn key(name: &str, ops: &mut Vec<Op>) {
    if let Some(text) = name.strip_prefix("type:") {
        ops.extend(text.chars().map(|character| Op::Insert(character.into())));
    } else if let Some(text) = name.strip_prefix("paste:") {
        ops.push(Op::Insert(text.into()));
    } else if let Some(range) = name.strip_prefix("select:") {
        let (start, end) = range.split_once('-').unwrap();
        ops.push(Op::Select(start.parse().unwrap(), end.parse().unwrap()));
    } else if let Some(id) = name.strip_prefix("choose:") {
        ops.push(Op::Choose(Brand::from_id(id).unwrap() as u8));
    } else {
        ops.push(match name {
            "Backspace" => Op::Delete(0),
            "Delete" => Op::Delete(1),
            "Control+Backspace" => Op::Delete(2),
            "Control+Delete" => Op::Delete(3),
            "delete to start" => Op::Delete(4),
            "delete to end" => Op::Delete(5),
            "cut" => Op::Delete(6),
            "Control+z" => Op::Travel(true, 1),
            "Control+Shift+z" => Op::Travel(false, 1),
            "undo all" => Op::Travel(true, 79),
            "redo all" => Op::Travel(false, 79),
            "Control+a" => Op::Select(0, 40),
            "Home" => Op::Select(0, 0),
            "End" => Op::Select(40, 40),
            "blur" => Op::Blur,
            _ if name.chars().count() == 1 => Op::Insert(name.into()),
            _ => Op::Select(3, 3),
        });
    }
}
