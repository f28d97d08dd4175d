//! The audit log says what was done, and shows every change that somebody with the database makes to it.

use rusqlite::Connection;
use vault::{AuditFinding, AuditHead, AuditReport, OperationId, Outcome, Purpose, Vault};

use super::support::*;

fn verify(place: &Place) -> AuditReport {
    place.open().verify_audit(&[]).unwrap()
}

/// What the records of a chain say, in order.
fn contents(place: &Place, chain: [u8; 16]) -> Vec<serde_json::Value> {
    let connection = Connection::open(place.database()).unwrap();
    let mut statement = connection
        .prepare("SELECT content FROM audit WHERE chain = ?1 ORDER BY number")
        .unwrap();
    let rows = statement
        .query_map([chain], |row| row.get::<_, Vec<u8>>(0))
        .unwrap();
    rows.map(|row| serde_json::from_slice(&row.unwrap()).unwrap())
        .collect()
}

fn change(place: &Place, sql: &str) {
    let connection = Connection::open(place.database()).unwrap();
    assert!(connection.execute(sql, ()).unwrap() > 0, "{sql}");
}

/// A place with a chain of some records, closed in order, and its last head.
fn three_records() -> (Place, AuditHead) {
    let place = Place::new();
    drop(place.open());
    let vault = place.open();
    for _ in 0..3 {
        token(&place, &vault);
    }
    let head = vault.audit_head().unwrap();
    assert_eq!(head.number, 3);
    (place, head)
}

#[test]
fn every_act_is_in_the_log() {
    let place = Place::new();
    let mut config = place.config();
    config.who = "a test".into();
    let vault = Vault::open(config).unwrap();
    assert_eq!(vault.audit_head(), None, "opening changes nothing");
    vault.ensure_sandbox().unwrap();
    let token = token(&place, &vault);
    let id = OperationId::new("op-1").unwrap();
    let redeemed = vault.redeem(PROJECT, &token, &id, Purpose::PAY).unwrap();
    vault.settle(&redeemed, Outcome::UsedUp).unwrap();
    let kid = vault.rotate_sealing_key(0).unwrap();
    vault.remove_widget_key("wk_sandbox").unwrap();
    place.advance(7200);
    vault.clean().unwrap();
    let head = vault.audit_head().unwrap();
    drop(vault);

    let records = contents(&place, head.chain);
    let text = serde_json::to_string(&records).unwrap();
    assert_eq!(records[0]["at"], NOW);
    assert_eq!(records[0]["start"]["who"], "a test");
    assert_eq!(records[0]["operator"][0]["did"], "widget key added");
    assert_eq!(records[0]["operator"][0]["of"], "wk_sandbox");
    assert_eq!(records[2]["issued"]["sandbox"]["count"], 1);
    assert_eq!(records[3]["redeemed"][0]["operation"], "op-1");
    assert_eq!(records[4]["settled"][0]["outcome"], "used up");
    assert_eq!(records[5]["operator"][0]["of"], kid.as_str());
    assert_eq!(records[6]["operator"][0]["did"], "widget key removed");
    assert_eq!(records[7]["removed"]["tokens"], 1);
    assert_eq!(records[8]["operator"][0]["did"], "log closed");
    for secret in [VISA, MASK, token.as_str(), "customer-17"] {
        assert!(!text.contains(secret));
    }

    let report = verify(&place);
    assert_eq!(report.findings, []);
    let chain = report.chains.iter().find(|chain| chain.head.chain == head.chain);
    let chain = chain.unwrap();
    assert_eq!(
        (chain.who.as_str(), chain.from, chain.until),
        ("a test", NOW, NOW + 7200)
    );
    assert!(chain.closed && chain.head.number == 9);
}

#[test]
fn what_is_saved_and_forgotten_is_in_the_log() {
    let place = Place::new();
    let vault = place.open();
    let (first, second) = (token(&place, &vault), token(&place, &vault));
    let chain = vault.audit_head().unwrap().chain;
    let before = contents(&place, chain).len();
    let save = Purpose::save(Some("anna"));
    let redeem = |token: &str, id: &str| vault.redeem(PROJECT, token, &OperationId::new(id).unwrap(), save);
    let lasting = redeem(&first, "op-1").unwrap().saved.unwrap();
    redeem(&second, "op-2").unwrap();
    vault.rotate_data_key(PROJECT).unwrap();
    vault.reseal().unwrap();
    vault.forget(PROJECT, &lasting).unwrap();
    assert!(!vault.forget(PROJECT, &lasting).unwrap());
    let records = contents(&place, chain).split_off(before);
    assert_eq!(records.len(), 5, "{records:?}");
    let id = &records[0]["redeemed"][0]["saved"];
    assert_eq!(id.as_str().unwrap().len(), 22);
    assert_eq!(&records[1]["redeemed"][0]["saved"], id, "an equal card");
    let resealed = serde_json::json!([{ "project": PROJECT, "from": 1, "to": 2, "count": 1 }]);
    assert_eq!(records[3]["resealed"], resealed);
    let forgotten = serde_json::json!([{ "project": PROJECT, "token": id }]);
    assert_eq!(records[4]["forgotten"], forgotten);
    let text = serde_json::to_string(&records).unwrap();
    for secret in [VISA, MASK, &lasting, &lasting[30..], "anna"] {
        assert!(!text.contains(secret));
    }
    assert_eq!(vault.verify_audit(&[]).unwrap().findings, []);
}

#[test]
fn refusals_leave_no_record() {
    let place = Place::new();
    let vault = place.open();
    let submit = Submit::new(&vault, NOW);
    submit.send(&vault).unwrap();
    let head = vault.audit_head();
    let mut again = Submit::new(&vault, NOW);
    again.claims.nonce = submit.claims.nonce;
    again.send(&vault).unwrap_err();
    assert!(!vault.remove_widget_key("wk_nobodys").unwrap());
    assert_eq!(vault.audit_head(), head);
}

#[test]
fn what_was_changed_shows() {
    for (sql, why) in [
        (
            "UPDATE audit SET content = CAST(replace(content, '\"count\":1', '\"count\":2') AS BLOB)
             WHERE chain = ?1 AND number = 2",
            "altered",
        ),
        (
            "UPDATE audit SET mac = zeroblob(32) WHERE chain = ?1 AND number = 3",
            "another MAC",
        ),
        ("DELETE FROM audit WHERE chain = ?1 AND number = 2", "taken out"),
        (
            "DELETE FROM audit WHERE chain = ?1 AND number = 1",
            "its beginning taken away",
        ),
        (
            "UPDATE audit SET (content, mac) = (SELECT content, mac FROM old o WHERE o.chain = ?1 AND o.number = 5 - audit.number)
             WHERE chain = ?1 AND number IN (2, 3)",
            "swapped",
        ),
        (
            "UPDATE audit SET content = (SELECT content FROM old o WHERE o.chain = ?1 AND o.number = 3)
             WHERE chain = ?1 AND number = 2",
            "another record's content",
        ),
        (
            "UPDATE audit SET chain = zeroblob(16) WHERE chain = ?1 AND number > 1",
            "moved to another chain",
        ),
        (
            "INSERT INTO audit SELECT chain, 5, content, mac FROM old WHERE chain = ?1 AND number = 3",
            "a record more",
        ),
    ] {
        let (place, head) = three_records();
        assert_eq!(verify(&place).findings, []);
        let connection = Connection::open(place.database()).unwrap();
        connection
            .execute_batch("CREATE TEMP TABLE old AS SELECT * FROM audit")
            .unwrap();
        assert!(connection.execute(sql, [head.chain]).unwrap() > 0, "{why}");
        drop(connection);
        let findings = verify(&place).findings;
        assert!(!findings.is_empty(), "{why}");
        assert!(
            findings
                .iter()
                .all(|finding| !matches!(finding, AuditFinding::Rewritten { .. })),
            "{why}: {findings:?}"
        );
    }
}

#[test]
fn a_cut_off_end_shows_after_the_next_start() {
    let (place, head) = three_records();
    // Somebody else starts and names the head, closing record included.
    token(&place, &place.open());
    assert_eq!(verify(&place).findings, []);
    let chain = head.chain;
    let connection = Connection::open(place.database()).unwrap();
    connection
        .execute("DELETE FROM audit WHERE chain = ?1 AND number > 2", [chain])
        .unwrap();
    let cut_off = |last, known| AuditFinding::CutOff { chain, last, known };
    assert_eq!(verify(&place).findings, [cut_off(2, 4)]);
    connection
        .execute("DELETE FROM audit WHERE chain = ?1", [chain])
        .unwrap();
    assert_eq!(verify(&place).findings, [cut_off(0, 4)], "all of it");
}

#[test]
fn a_published_head_shows_what_nobody_has_named() {
    let (place, head) = three_records();
    let vault = place.open();
    assert_eq!(vault.verify_audit(&[head]).unwrap().findings, []);
    drop(vault);
    let connection = Connection::open(place.database()).unwrap();
    connection
        .execute("DELETE FROM audit WHERE chain = ?1 AND number >= 3", [head.chain])
        .unwrap();
    assert_eq!(
        verify(&place).findings,
        [],
        "within the database nothing knows of it"
    );
    let vault = place.open();
    let chain = head.chain;
    assert_eq!(
        vault.verify_audit(&[head]).unwrap().findings,
        [AuditFinding::CutOff {
            chain,
            last: 2,
            known: 3
        }]
    );
    let other = AuditHead { number: 2, ..head };
    assert_eq!(
        vault.verify_audit(&[other]).unwrap().findings,
        [AuditFinding::Rewritten { chain, number: 2 }]
    );
}

#[test]
fn instances_have_chains_of_their_own() {
    let place = Place::new();
    let (one, other) = (place.open(), place.open());
    std::thread::scope(|scope| {
        for vault in [&one, &other, &one, &other] {
            let place = &place;
            scope.spawn(move || (0..10).for_each(|_| drop(token(place, vault))));
        }
    });
    let heads = [one.audit_head().unwrap(), other.audit_head().unwrap()];
    assert_ne!(heads[0].chain, heads[1].chain);
    let report = place.open().verify_audit(&heads).unwrap();
    assert_eq!(report.findings, []);
    assert!(report.chains.iter().all(|chain| !chain.closed), "both still run");
}

#[test]
fn a_chain_whose_end_is_gone_is_not_continued() {
    let place = Place::new();
    let vault = place.open();
    for _ in 0..3 {
        token(&place, &vault);
    }
    let before = vault.audit_head().unwrap();
    // An older state is put back below a running vault.
    change(&place, "DELETE FROM audit WHERE number >= 4");
    token(&place, &vault);
    let after = vault.audit_head().unwrap();
    assert_ne!(after.chain, before.chain);
    assert_eq!(vault.verify_audit(&[after]).unwrap().findings, []);
    assert!(!vault.verify_audit(&[before]).unwrap().findings.is_empty());
}
