//! `project …`: credentials, permissions, commission and customers' tokens, beside a running service.

use std::path::PathBuf;

use service::operator;
use service::operator::audit::AuditCommand;
use service::operator::project::{
    self, AddProjectArgs, CustomerTokenArgs, FeeArgs, OriginsArgs, PasswordArgs, PermissionsArgs,
    ProjectCommand, Switch,
};
use wire::interface::values::ExternalId;

use super::operator::{add_key, service_of_today, store};
use super::service::{SHOP, call_as};

/// Runs `project …` and returns what it says.
pub(super) fn of_project(input: &str, command: ProjectCommand) -> Result<String, String> {
    let mut out = Vec::new();
    project::run(command, &mut input.as_bytes(), &mut out).map_err(|error| error.to_string())?;
    Ok(String::from_utf8(out).unwrap())
}

#[tokio::test]
async fn projects_are_listed_and_origins_changed() {
    let service = service_of_today();
    let add = || {
        let args = AddProjectArgs {
            store: store(&service),
            project: "second".into(),
            ..AddProjectArgs::default()
        };
        project::run(ProjectCommand::Add(args), &mut std::io::empty(), &mut Vec::new())
    };
    add().unwrap();
    assert!(add().unwrap_err().to_string().contains("second"));
    let key = add_key(&service, false);
    let mut out = Vec::new();
    let list = ProjectCommand::List(store(&service));
    project::run(list, &mut std::io::empty(), &mut out).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "sandbox\t1\ttest\tsandbox-entity\tcards,private-callbacks\t0.00\n\
         sandbox-2\t1\ttest\tsandbox-entity\tcards,private-callbacks\t0.00\n\
         second\t0\ttest\tsecond\tcards\t0.00\nshop\t1\t-\t-\t-\t-\n"
    );

    let set = |key: &str| {
        project::set_origins(OriginsArgs {
            store: store(&service),
            key: key.into(),
            origins: vec!["https://new.example".into()],
        })
    };
    service.boot_for(&key).await;
    set(&key).unwrap();
    service.clock.advance(1);
    assert!(set("wk_nobodys").is_err());
    let boot = |origin: &str| format!("/widget/v1/boot?key={key}&origin={origin}");
    assert_eq!(
        service.get(&boot(SHOP)).await.refusal(),
        (403, "origin_not_allowed".into())
    );
    assert_eq!(service.get(&boot("https://new.example")).await.status, 200);
}

#[tokio::test]
async fn credentials_are_made_changed_and_withheld() {
    let service = service_of_today();
    let add = |file: Option<&str>, input: &str| {
        let args = AddProjectArgs {
            store: store(&service),
            project: "books".into(),
            live: true,
            password_file: file.map(PathBuf::from),
            ..AddProjectArgs::default()
        };
        of_project(input, ProjectCommand::Add(args))
    };
    let calls = async |password: &str| {
        let credentials = format!("books:{password}");
        let path = "/api/payments/v1/info?external_id=a";
        service
            .send(call_as(&credentials, "GET", path, ""))
            .await
            .status
            .as_u16()
    };
    assert!(add(Some("-"), "too short\n").unwrap_err().contains("16 to 255"));
    assert_eq!(add(Some("-"), " ends with a space \n").unwrap(), "login\tbooks\n");
    assert!(add(None, "").unwrap_err().contains("books"));
    assert_eq!(calls(" ends with a space ").await, 400);
    assert_eq!(calls("ends with a space").await, 401);

    let made = PasswordArgs {
        store: store(&service),
        project: "books".into(),
        password_file: None,
    };
    let told = of_project("", ProjectCommand::Password(made)).unwrap();
    let password = told.strip_prefix("login\tbooks\npassword\t").unwrap().trim_end();
    assert_eq!(password.len(), 43);
    service.clock.advance(2);
    assert_eq!(
        (calls(password).await, calls(" ends with a space ").await),
        (400, 401)
    );

    let permissions = |project: &str, cards, private_callbacks| {
        let args = PermissionsArgs {
            store: store(&service),
            project: project.into(),
            cards,
            private_callbacks,
        };
        of_project("", ProjectCommand::Permissions(args))
    };
    permissions("books", Some(Switch::On), None).unwrap();
    permissions("books", None, Some(Switch::On)).unwrap();
    permissions("books", Some(Switch::Off), None).unwrap();
    assert!(permissions("nobody", None, None).unwrap_err().contains("nobody"));
    let fee = |project: &str| {
        let args = FeeArgs {
            store: store(&service),
            project: project.into(),
            rate: "1.75".parse().unwrap(),
        };
        of_project("", ProjectCommand::Fee(args))
    };
    fee("books").unwrap();
    assert!(fee("nobody").unwrap_err().contains("nobody"));
    let listed = of_project("", ProjectCommand::List(store(&service))).unwrap();
    assert!(
        listed.starts_with("books\t0\tlive\tbooks\tprivate-callbacks\t1.75\n"),
        "{listed}"
    );
    assert!(!listed.contains(password));

    let mut out = Vec::new();
    operator::audit::run(AuditCommand::Export(store(&service)), &mut out).unwrap();
    let log = String::from_utf8(out).unwrap();
    for (did, of) in [
        ("credentials made", "live, -"),
        ("permissions changed", "cards"),
        ("permissions changed", "cards,private-callbacks"),
        ("permissions changed", "private-callbacks"),
        ("commission changed", "1.75"),
    ] {
        let line = format!(r#"{{"did":"{did}","of":"{of}","project":"books"}}"#);
        assert!(log.contains(&line), "{line} in {log}");
    }
    assert!(
        log.contains(r#"{"did":"password changed","project":"books"}"#),
        "{log}"
    );
    assert!(!log.contains(password));
}

/// Longer ones would get no payment page.
#[tokio::test]
async fn a_projects_id_has_123_characters_at_most() {
    let service = service_of_today();
    let add = |id: String| {
        let args = AddProjectArgs {
            store: store(&service),
            project: id,
            ..AddProjectArgs::default()
        };
        of_project("", ProjectCommand::Add(args))
    };
    let told = add("x".repeat(123)).unwrap();
    let password = told.split("password\t").nth(1).unwrap().trim_end();
    assert!(add("x".repeat(124)).is_err());
    let order = serde_json::json!({
        "amount": 5, "currency": "UAH", "external_id": "a", "mode": "hosted", "description": "",
        "callback_url": null, "customer": {},
    });
    let credentials = format!("{}:{password}", "x".repeat(123));
    let answer = service
        .send(call_as(
            &credentials,
            "POST",
            "/api/payments/v1/new",
            &order.to_string(),
        ))
        .await;
    let address = answer.json()["action"]["value"].as_str().unwrap().to_owned();
    let path = address.strip_prefix("http://localhost:8080").unwrap();
    let page = service.get(path).await;
    assert!(
        page.status == 200 && page.text().contains(&"x".repeat(123)),
        "{}",
        page.text()
    );
}

#[tokio::test]
async fn a_customers_token_is_good_for_the_service() {
    let service = service_of_today();
    let args = CustomerTokenArgs {
        store: store(&service),
        project: "sandbox".into(),
        customer: ExternalId::new("customer-17").unwrap(),
        hours: 1.try_into().unwrap(),
    };
    let told = of_project("", ProjectCommand::CustomerToken(args)).unwrap();
    let token = told
        .lines()
        .next()
        .unwrap()
        .strip_prefix("access_token\t")
        .unwrap();
    let project = service
        .processing
        .authenticate("sandbox", b"sandbox-password")
        .unwrap();
    let customer = service.processing.read_customer_token(&project, token).unwrap();
    assert_eq!(customer.as_str(), "customer-17");
    assert!(told.contains("expires_at\t20"));
}
