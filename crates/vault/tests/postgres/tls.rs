//! TLS to the server: what each `sslmode` takes, and what it refuses.

use std::path::Path;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use vault::{Location, PostgresUrl, Vault, VaultConfig};

use super::cluster::{self, sql};
use super::support::*;

/// An authority's certificate, and a server's that it signed for `name`, with the key; all in PEM.
fn authority(name: &str) -> (String, String, String) {
    let mut params = CertificateParams::new([]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let root = params.self_signed(&key).unwrap().pem();
    let issuer = Issuer::new(params, key);
    let key = KeyPair::generate().unwrap();
    let signed = CertificateParams::new([name.to_owned()])
        .unwrap()
        .signed_by(&key, &issuer)
        .unwrap();
    (root, signed.pem(), key.serialize_pem())
}

/// Opens a vault there, or says why not.
fn open(place: &Place, url: &str) -> Result<Vault, String> {
    let mut config: VaultConfig = place.config();
    config.database = Location::Postgres(PostgresUrl::parse(url).map_err(|error| error.to_string())?);
    Vault::open(config).map_err(|error| error.to_string())
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn each_mode_takes_what_it_says_and_refuses_the_rest() {
    let (root, certificate, key) = authority("localhost");
    let Some(url) = cluster::with_tls(&certificate, &key) else {
        return;
    };
    let place = Place::new();
    let folder = place.folder.path();
    let right = write(folder, "right.pem", &root);
    let wrong = write(folder, "wrong.pem", &authority("localhost").0);
    let named = url.replace("127.0.0.1", "localhost");
    let encrypted = || {
        sql(
            &url,
            "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
             WHERE application_name = 'card-widget'",
        )
    };
    for (url, mode, refused) in [
        (&named, format!("verify-full&sslrootcert={right}"), None),
        (
            &url,
            format!("verify-full&sslrootcert={right}"),
            Some("not valid for name"),
        ),
        (
            &named,
            format!("verify-full&sslrootcert={wrong}"),
            Some("invalid peer certificate"),
        ),
        (&named, "verify-full".to_owned(), Some("invalid peer certificate")),
        (&url, format!("verify-ca&sslrootcert={right}"), None),
        (
            &url,
            format!("verify-ca&sslrootcert={wrong}"),
            Some("invalid peer certificate"),
        ),
        (
            &url,
            format!("require&sslrootcert={wrong}"),
            Some("invalid peer certificate"),
        ),
        (&url, "require".to_owned(), None),
    ] {
        let opened = open(&place, &format!("{url}?sslmode={mode}"));
        match (opened, refused) {
            (Ok(vault), None) => {
                vault.ensure_sandbox().unwrap();
                assert!(vault.widget_key("wk_sandbox").unwrap().is_some());
                token(&place, &vault);
                // Reading, writing, cleaning.
                assert_eq!(encrypted(), "t", "{mode}");
            }
            (Err(told), Some(why)) => assert!(told.contains(why), "{mode}: {told}"),
            (opened, _) => panic!("{mode}: {opened:?}"),
        }
    }
    drop(open(&place, &format!("{url}?sslmode=disable")).unwrap());

    // A password is bound to the connection: who stands in between cannot use it.
    let scram = named.replace("vault@", "scram:pass-word@");
    let bound = format!("{scram}?sslmode=verify-full&sslrootcert={right}&channel_binding=require");
    drop(open(&place, &bound).unwrap());
    let told = open(&place, &bound.replace("pass-word", "another")).unwrap_err();
    assert!(
        told.contains("the user or the password is refused") && !told.contains("another"),
        "{told}"
    );
    let told = open(&place, &scram).unwrap_err();
    assert!(told.contains("28000"), "in clear: {told}");
}

#[test]
fn a_server_without_tls_is_not_spoken_to_in_clear() {
    let place = Place::new();
    let Some(url) = &place.url else { return };
    for mode in ["require", "verify-full"] {
        // On this machine or not: what is asked for holds.
        let told = open(&place, &format!("{url}?sslmode={mode}&sslrootcert=system")).unwrap_err();
        assert!(told.contains("does not support TLS"), "{told}");
    }
    drop(open(&place, url).unwrap());
}
