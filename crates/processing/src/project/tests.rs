use jiff::SignedDuration;
use wire::interface::StatusCode;
use wire::interface::values::ExternalId;
use zeroize::Zeroizing;

use super::*;
use crate::refusal::Refusal;
use crate::testing::{Place, in_both};

fn shop(id: &str) -> NewProject {
    NewProject {
        id: id.into(),
        partner: "partner".into(),
        name: "Книгарня".into(),
        is_live: true,
        password: Zeroizing::new("пароль of a shop".into()),
        permissions: Permissions::default(),
    }
}

fn code<T: std::fmt::Debug>(refused: Result<T, Refusal>) -> StatusCode {
    refused.unwrap_err().code
}

#[test]
fn a_project_is_known_by_its_password() {
    in_both(|place| {
        let processing = &place.processing;
        assert!(processing.add_project(&shop("shop")).unwrap());
        assert!(!processing.add_project(&shop("shop")).unwrap(), "taken");
        let password = "пароль of a shop".as_bytes();
        let project = processing.authenticate("shop", password).unwrap();
        assert_eq!(
            (&*project.id, &*project.partner, &*project.name),
            ("shop", "partner", "Книгарня")
        );
        assert!(project.is_live && !project.may_send_cards && !project.may_call_private);
        assert_eq!(**processing.password("shop").unwrap(), password);
        for (login, password) in [
            ("shop", &b"another password"[..]),
            ("shop", b""),
            ("shop", &password[..password.len() - 1]),
            ("shop", b"\xff\0"),
            ("Shop", password),
            ("sandbox", password),
            ("nobody", b""),
            ("", b""),
            ("a\0b", password),
            ("крамниця", password),
        ] {
            let refused = processing.authenticate(login, password);
            assert_eq!(code(refused), StatusCode::AuthorizationFailed, "{login:?}");
        }
        let ids: Vec<_> = processing
            .projects()
            .unwrap()
            .into_iter()
            .map(|project| project.id)
            .collect();
        assert_eq!(ids, ["sandbox", "sandbox-2", "shop"]);
    });
}

#[test]
fn the_sandbox_is_made_once() {
    let place = Place::sqlite();
    place.processing.ensure_sandbox().unwrap();
    let project = place
        .processing
        .authenticate("sandbox", b"sandbox-password")
        .unwrap();
    let other = place
        .processing
        .authenticate("sandbox-2", b"sandbox-2-password")
        .unwrap();
    assert_eq!(
        (&*project.partner, &project.partner),
        ("sandbox-entity", &other.partner)
    );
    assert!(!project.is_live && project.may_send_cards && project.may_call_private);
}

#[test]
fn a_change_is_noticed_elsewhere_within_two_seconds() {
    in_both(|place| {
        let (here, there) = (&place.processing, place.beside());
        let old = b"sandbox-password";
        for processing in [here, &there] {
            assert!(!processing.is_at_hand("sandbox-2"));
            assert!(processing.authenticate("sandbox", old).is_ok());
        }
        let new = Zeroizing::new("a longer password".to_owned());
        assert!(here.set_password("sandbox", &new).unwrap());
        let permissions = Permissions::default();
        assert!(here.permit("sandbox", permissions).unwrap());
        assert!(here.authenticate("sandbox", new.as_bytes()).is_ok());
        assert!(here.authenticate("sandbox", old).is_err());
        place.clock.advance(1999);
        assert!(there.is_at_hand("sandbox") && there.authenticate("sandbox", old).is_ok());
        place.clock.advance(1);
        assert!(!there.is_at_hand("sandbox") && there.authenticate("sandbox", old).is_err());
        assert!(
            !there
                .authenticate("sandbox", new.as_bytes())
                .unwrap()
                .may_send_cards
        );
        assert!(!here.set_password("nobody", &new).unwrap());
        assert!(!here.permit("nobody", permissions).unwrap());
    });
}

#[test]
fn weak_passwords_and_strange_ids_are_refused() {
    let place = Place::sqlite();
    for password in ["", "fifteen letters", "line\nfeed and more", &"x".repeat(256)] {
        let mut new = shop("shop");
        new.password = Zeroizing::new(password.into());
        assert_eq!(code(place.processing.add_project(&new)), StatusCode::InvalidData);
        let set = place.processing.set_password("sandbox", &new.password);
        assert_eq!(code(set), StatusCode::InvalidData, "{password}");
    }
    for id in ["", "a b", "a:b", "крамниця", &"x".repeat(129)] {
        assert_eq!(
            code(place.processing.add_project(&shop(id))),
            StatusCode::InvalidData,
            "{id}"
        );
    }
}

/// As somebody who can write to the store might try.
#[test]
fn a_password_opens_in_its_row_alone() {
    let place = Place::sqlite();
    let shared = &place.processing.shared;
    let moved = shared.database.write(|tx| {
        tx.change(
            "UPDATE projects SET password = (SELECT password FROM projects WHERE id = 'sandbox-2') WHERE id = 'sandbox'",
            &[],
        )
    });
    assert_eq!(moved, Ok(1));
    let processing = place.beside();
    for password in [&b"sandbox-password"[..], b"sandbox-2-password"] {
        let refused = processing.authenticate("sandbox", password);
        assert_eq!(code(refused), StatusCode::InternalError);
    }
}

#[test]
fn an_access_token_stands_for_one_customer_of_one_project_until_its_end() {
    let place = Place::sqlite();
    let processing = &place.processing;
    let project = place.sandbox();
    let other = processing
        .authenticate("sandbox-2", b"sandbox-2-password")
        .unwrap();
    let hour = SignedDuration::from_hours(1);
    for name in ["customer-17", "покупець", "a", &"ї".repeat(255)] {
        let customer = ExternalId::new(name).unwrap();
        let token = processing.customer_token(&project, &customer, hour).unwrap();
        assert_eq!(token.expires_at.as_second(), place.clock.second() + 3600);
        let text = &token.access_token;
        assert_eq!(processing.read_customer_token(&project, text), Ok(customer));
        assert!(processing.read_customer_token(&other, text).is_err());
        assert!(!format!("{token:?}").contains(&**text));
    }
    let customer = ExternalId::new("customer-17").unwrap();
    let token = processing
        .customer_token(&project, &customer, hour)
        .unwrap()
        .access_token;
    for at in 0..token.len() {
        let other = if &token[at..=at] == "A" { "B" } else { "A" };
        let altered = format!("{}{other}{}", &token[..at], &token[at + 1..]);
        assert!(
            processing.read_customer_token(&project, &altered).is_err(),
            "letter {at}"
        );
        assert!(
            processing.read_customer_token(&project, &token[..at]).is_err(),
            "cut at {at}"
        );
    }
    for text in [&format!("{token}="), "", "seventeen", &"A".repeat(100_000)] {
        let refused = processing.read_customer_token(&project, text);
        assert_eq!(code(refused), StatusCode::CustomerAuthInvalid);
    }
    place.clock.advance(3_600_000 - 1);
    assert!(processing.read_customer_token(&project, &token).is_ok());
    place.clock.advance(1);
    assert!(processing.read_customer_token(&project, &token).is_err());
}
