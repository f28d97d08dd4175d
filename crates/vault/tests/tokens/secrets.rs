use vault::VaultError;

use super::support::Place;

#[test]
fn a_secret_opens_under_its_name_in_its_installation() {
    let place = Place::new();
    let vault = place.open();
    let sealed = vault.seal_secret("password of shop", b"seventeen").unwrap();
    assert!(!sealed.windows(9).any(|part| part == b"seventeen"));
    let wrong = |vault: &vault::Vault, name, sealed: &[u8]| {
        matches!(vault.open_secret(name, sealed), Err(VaultError::Damaged))
    };
    assert!(wrong(&vault, "password of shop-2", &sealed));
    for at in 0..sealed.len() {
        let mut altered = sealed.clone();
        altered[at] ^= 1;
        assert!(wrong(&vault, "password of shop", &altered), "byte {at}");
    }
    assert!(wrong(&vault, "password of shop", b""));
    let mac = vault.mac("customers", b"message").unwrap();
    assert_ne!(mac, vault.mac("others", b"message").unwrap());
    assert_ne!(mac, vault.mac("customers", b"messagf").unwrap());

    // After rotations of all that can be rotated, and a restart.
    vault.rotate_sealing_key(60).unwrap();
    vault.rotate_master_key(None, |_| {}).unwrap();
    drop(vault);
    let vault = place.open();
    assert_eq!(
        **vault.open_secret("password of shop", &sealed).unwrap(),
        *b"seventeen"
    );
    assert_eq!(vault.mac("customers", b"message").unwrap(), mac);
    assert!(
        wrong(&Place::new().open(), "password of shop", &sealed),
        "another installation"
    );
}
