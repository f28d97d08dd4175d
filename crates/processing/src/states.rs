//! What the tables of states have in common: each resource's own stands beside it.

/// The state after an event; `None` where the table does not have the pair.
pub(crate) fn after<S: Clone + PartialEq, E: PartialEq>(
    table: &[(S, E, S)],
    state: &S,
    event: &E,
) -> Option<S> {
    table
        .iter()
        .find(|(from, what, _)| from == state && what == event)
        .map(|(.., to)| to.clone())
}

/// The name of a state in the store.
pub(crate) fn name<S: PartialEq>(names: &[(S, &'static str)], state: S) -> &'static str {
    names
        .iter()
        .find(|(known, _)| *known == state)
        .map_or("", |(_, name)| name)
}

/// The state of a name in the store.
pub(crate) fn named<S: Copy>(names: &[(S, &'static str)], name: &str) -> Option<S> {
    names
        .iter()
        .find(|(_, known)| *known == name)
        .map(|(state, _)| *state)
}
