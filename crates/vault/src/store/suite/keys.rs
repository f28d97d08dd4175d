//! Widget keys, data keys and what the store says of itself: one of two that do the same is told so.

use super::*;

pub(super) fn run(fixture: &mut Fixture) {
    widget_keys(fixture);
    epochs(fixture);
}

fn widget_keys(fixture: &mut Fixture) {
    let taken = KeyChange::AddWidgetKey {
        key: WidgetKey {
            id: "wk".into(),
            project: "other".into(),
            live: true,
            apps: true,
            origins: Vec::new(),
        },
        first_data_key: data_key("other", 1),
    };
    let batch = vec![
        widget_key("wk", "p"),
        widget_key("wk-live", "p"),
        taken,
        widget_key("wk-apps", "a"),
    ];
    let expected = [Ok(true), Ok(true), Ok(false), Ok(true)];
    assert_eq!(fixture.write_all(batch), expected);
    let key = fixture.store.widget_key("wk").unwrap().unwrap();
    assert_eq!(
        (key.project.as_str(), key.live, key.origins.len()),
        ("p", false, 2)
    );
    for (id, live, apps) in [
        ("wk", false, false),
        ("wk-live", true, false),
        ("wk-apps", false, true),
    ] {
        let key = fixture.store.widget_key(id).unwrap().unwrap();
        assert_eq!((key.live, key.apps), (live, apps), "{id}");
    }
    let ids: Vec<_> = fixture
        .store
        .widget_keys()
        .unwrap()
        .into_iter()
        .map(|key| key.id)
        .collect();
    assert_eq!(ids, ["wk-apps", "wk", "wk-live"], "by project and id");
    assert!(fixture.write(KeyChange::RemoveWidgetKey("wk-apps".into())));
    assert!(!fixture.write(KeyChange::RemoveWidgetKey("wk-apps".into())));
    assert!(fixture.store.widget_key("wk-apps").unwrap().is_none());
    assert_eq!(
        fixture.store.data_keys(Some("a")).unwrap(),
        [data_key("a", 1)],
        "the project stays"
    );
    assert_eq!(
        fixture.store.data_keys(Some("other")).unwrap(),
        [],
        "nothing of what was refused"
    );
}

fn epochs(fixture: &mut Fixture) {
    assert!(fixture.write(KeyChange::AddDataKey(data_key("a", 2))));
    assert!(
        !fixture.write(KeyChange::AddDataKey(data_key("a", 2))),
        "begun by somebody else"
    );
    let all = fixture.store.data_keys(None).unwrap();
    assert_eq!(all, [data_key("a", 1), data_key("a", 2), data_key("p", 1)]);

    let row = DataKeyRow {
        master_key: 2,
        wrapped: vec![5],
        ..data_key("a", 1)
    };
    let rewrap = |from| KeyChange::RewrapDataKey {
        row: row.clone(),
        from,
    };
    assert!(!fixture.write(rewrap(7)));
    assert!(fixture.write(rewrap(1)));
    assert!(!fixture.write(rewrap(1)));
    assert_eq!(fixture.store.data_keys(Some("a")).unwrap()[0], row);

    let remove = |project: &str, epoch| KeyChange::RemoveDataKey {
        project: project.into(),
        epoch,
    };
    assert!(fixture.store.sealed_under("p", 1).unwrap().passing > 10);
    assert_eq!(
        fixture.store.sealed_under("a", 1).unwrap(),
        SealedUnder::default()
    );
    assert!(!fixture.write(remove("p", 1)), "something is sealed under it");
    assert!(fixture.write(remove("a", 1)));
    assert!(!fixture.write(remove("a", 1)));

    let identity = Identity {
        id: vec![7; 16],
        master_key: 2,
        key_check: vec![4, 5],
    };
    let identify = |from| KeyChange::Identify {
        identity: identity.clone(),
        from,
    };
    assert!(!fixture.write(identify(3)));
    assert!(fixture.write(identify(1)));
}
