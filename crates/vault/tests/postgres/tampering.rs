//! Saved cards whose rows somebody with the database has exchanged or altered.

use vault::{OperationId, Outcome, Purpose, RedeemError, Vault, VaultError};

use super::cluster::sql;
use super::support::*;

fn redeem(vault: &Vault, token: &str, purpose: Purpose<'_>) -> Result<vault::Redeemed, RedeemError> {
    vault.redeem(PROJECT, token, &OperationId::new(&key()).unwrap(), purpose)
}

/// A saved card of a new widget token.
fn saved(vault: &Vault, submit: Submit, holder: &str) -> String {
    let token = submit.send(vault).unwrap().token;
    let redeemed = redeem(vault, &token, Purpose::save(Some(holder))).unwrap();
    vault.settle(&redeemed, Outcome::UsedUp).unwrap();
    redeemed.saved.unwrap()
}

#[test]
fn what_was_moved_or_altered_does_not_open() {
    for (change, why) in [
        (
            "record = o.record FROM card_widget_vault.lasting o WHERE o.id <> l.id",
            "another card's record",
        ),
        (
            "hash = o.hash FROM card_widget_vault.lasting o WHERE o.id <> l.id",
            "another token's hash",
        ),
        ("id = decode(md5(id::text), 'hex')", "another id"),
        ("epoch = 2", "another epoch"),
        ("project = 'sandbox-2'", "another project"),
        ("record = ''", "empty"),
        ("record = substring(record FOR 50)", "cut"),
        (
            "record = set_byte(record, 60, get_byte(record, 60) # 1)",
            "one bit",
        ),
    ] {
        let place = Place::new();
        let Some(url) = &place.url else { return };
        let vault = place.open();
        let lasting = saved(&vault, Submit::new(&vault, NOW), "anna");
        saved(&vault, Submit::pan_only(&vault, NOW), "anna");
        sql(url, &format!("UPDATE card_widget_vault.lasting l SET {change}"));
        for project in [PROJECT, "sandbox-2"] {
            assert!(
                !matches!(vault.recognise(project, &lasting), Ok(Some(_))),
                "{why}"
            );
        }
        assert!(redeem(&vault, &lasting, Purpose::PAY).is_err(), "{why}");
    }
}

#[test]
fn a_fingerprint_that_leads_elsewhere_saves_no_other_card() {
    let place = Place::new();
    let Some(url) = &place.url else { return };
    let vault = place.open();
    let annas = saved(&vault, Submit::new(&vault, NOW), "anna");
    let others = saved(&vault, Submit::pan_only(&vault, NOW), "anna");
    // The two change places.
    sql(
        url,
        "CREATE TEMP TABLE old AS SELECT * FROM card_widget_vault.fingerprints;
         DELETE FROM card_widget_vault.fingerprints;
         INSERT INTO card_widget_vault.fingerprints
             SELECT o.fingerprint, o.project, p.lasting FROM old o JOIN old p ON o.lasting <> p.lasting",
    );
    let token = token(&place, &vault);
    let told = redeem(&vault, &token, Purpose::PAY.and_save(Some("anna")));
    assert!(
        matches!(told, Err(RedeemError::Vault(VaultError::Damaged))),
        "{told:?}"
    );
    for lasting in [&annas, &others] {
        redeem(&vault, lasting, Purpose::RECEIVE).unwrap();
    }
}
