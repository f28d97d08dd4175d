//! A vault in a folder of its own, a clock that tests set, and envelopes as a frame makes them.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;

use aws_lc_rs::{aead, agreement, digest, rand};
use seal::{Claims, Draft, Envelope, Header, Point, kdf};
use tempfile::TempDir;
use vault::{
    Clock, Customer, IssueError, IssueRequest, Issued, Location, OperationId, Outcome, PostgresUrl,
    PublicSealingKey, Purpose, RedeemError, SealedCard, Source, Vault, VaultConfig,
};
use wire::payload::CardPayload;

/// 2026-09-21T14:13:20Z, 800 s into an hour.
pub(crate) const NOW: u64 = 1_790_000_000;
pub(crate) const PROJECT: &str = "sandbox";
pub(crate) const ORIGIN: &str = "https://shop.example";
pub(crate) const VISA: &str = "4242424242424242";
pub(crate) const MASK: &str = "42424242****4242";
/// What stands for a real card. Nobody's: it begins with 9 and 999, which ISO 3166-1 gives to no country, so that no
/// issuer can have the range.
pub(crate) const REAL: &str = "9999000000123459";

pub(crate) struct TestClock(AtomicU64);

impl Clock for TestClock {
    fn now(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// A clock that stands at `NOW`.
pub(crate) fn clock() -> Arc<TestClock> {
    Arc::new(TestClock(AtomicU64::new(NOW)))
}

/// Where a store and its keys lie: in a folder of their own, or the store in a database of its own.
pub(crate) struct Place {
    pub(crate) folder: TempDir,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) url: Option<String>,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            clock: clock(),
            url: super::database(),
        }
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.folder.path().join("vault.sqlite")
    }

    pub(crate) fn config(&self) -> VaultConfig {
        // The keys lie in the folder of the test, wherever the store is.
        let mut config = VaultConfig::new(self.database(), self.clock.clone());
        if let Some(url) = &self.url {
            config.database = Location::Postgres(PostgresUrl::parse(url).unwrap());
        }
        config
    }

    pub(crate) fn open(&self) -> Vault {
        let vault = Vault::open(self.config()).unwrap();
        vault.ensure_sandbox().unwrap();
        vault
    }

    pub(crate) fn advance(&self, seconds: u64) {
        self.clock.0.fetch_add(seconds, Ordering::SeqCst);
    }

    pub(crate) fn now(&self) -> u64 {
        self.clock.now()
    }
}

pub(crate) fn full_card() -> Vec<u8> {
    CardPayload::write(VISA, Some((12, 2030)), Some("123")).to_vec()
}

pub(crate) fn pan_only() -> Vec<u8> {
    CardPayload::write("5555555555554444", None, None).to_vec()
}

/// 16 random bytes in hexadecimal: an idempotency key.
pub(crate) fn key() -> String {
    random::<16>().iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    rand::fill(&mut bytes).unwrap();
    bytes
}

/// What a test may change before it is sealed or sent.
pub(crate) struct Submit {
    pub(crate) payload: Vec<u8>,
    pub(crate) sealing: PublicSealingKey,
    pub(crate) claims: Claims,
    pub(crate) key: String,
    pub(crate) body_hash: [u8; 32],
    pub(crate) project: String,
    pub(crate) live: bool,
    pub(crate) ticket_made_at: u64,
}

impl Submit {
    pub(crate) fn new(vault: &Vault, now: u64) -> Self {
        Self {
            payload: full_card(),
            sealing: vault.sealing_key(now).unwrap(),
            claims: Claims {
                widget_key: "wk_sandbox".into(),
                origin: ORIGIN.into(),
                ticket: "ticket".into(),
                nonce: random(),
                issued_at: now,
                form: "full_card".into(),
            },
            key: key(),
            body_hash: random(),
            project: PROJECT.into(),
            live: false,
            ticket_made_at: now,
        }
    }

    pub(crate) fn pan_only(vault: &Vault, now: u64) -> Self {
        let mut submit = Self::new(vault, now);
        submit.payload = pan_only();
        submit.claims.form = "pan_only".into();
        submit
    }

    pub(crate) fn envelope(&self) -> String {
        let one_time = agreement::PrivateKey::generate(&agreement::ECDH_P256).unwrap();
        let epk = Point::from_uncompressed(one_time.compute_public_key().unwrap().as_ref()).unwrap();
        let draft = Draft::new(&Header {
            kid: self.sealing.kid.clone(),
            epk,
            claims: self.claims.clone(),
        });
        let theirs = Point {
            x: self.sealing.x,
            y: self.sealing.y,
        }
        .to_uncompressed();
        let theirs = agreement::UnparsedPublicKey::new(&agreement::ECDH_P256, theirs);
        let key = agreement::agree(&one_time, theirs, (), |agreed| {
            let input = kdf::content_key_input(agreed.try_into().unwrap());
            Ok(digest::digest(&digest::SHA256, &*input))
        })
        .unwrap();
        let key = aead::LessSafeKey::new(aead::UnboundKey::new(&aead::AES_256_GCM, key.as_ref()).unwrap());
        let iv = random();
        let mut sealed = self.payload.clone();
        key.seal_in_place_append_tag(
            aead::Nonce::assume_unique_for_key(iv),
            aead::Aad::from(draft.aad()),
            &mut sealed,
        )
        .unwrap();
        draft.finish(&iv, &sealed).unwrap()
    }

    pub(crate) fn request(&self) -> IssueRequest {
        self.request_with(&self.envelope())
    }

    pub(crate) fn request_with(&self, envelope: &str) -> IssueRequest {
        IssueRequest {
            project: self.project.clone(),
            widget_key: "wk_sandbox".into(),
            live: self.live,
            source: Source::Frame(Box::new(SealedCard {
                envelope: Envelope::parse(envelope).unwrap(),
                origin: ORIGIN.into(),
                ticket_made_at: self.ticket_made_at,
                ticket_expires_at: self.ticket_made_at + 3600,
            })),
            idempotency_key: Some(self.key.clone().into()),
            body_hash: self.body_hash,
            address: [203, 0, 113, 7].into(),
            customer: Customer {
                ip: Some("198.51.100.4".into()),
                id: Some("customer-17".into()),
                email: None,
            },
            watch: None,
        }
    }

    pub(crate) fn send(&self, vault: &Vault) -> Result<Issued, IssueError> {
        issue(vault, self.request())
    }
}

pub(crate) fn issue(vault: &Vault, request: IssueRequest) -> Result<Issued, IssueError> {
    let (sender, receiver) = channel();
    vault.issue(request, move |result| sender.send(result).unwrap());
    receiver.recv().unwrap()
}

pub(crate) fn token(place: &Place, vault: &Vault) -> String {
    Submit::new(vault, place.now()).send(vault).unwrap().token
}

/// Saves the card of a token for a holder, for good: the lasting token.
pub(crate) fn save(vault: &Vault, token: &str, holder: &str) -> String {
    let operation = OperationId::new(&key()).unwrap();
    let purpose = Purpose::save(Some(holder));
    let redeemed = vault.redeem(PROJECT, token, &operation, purpose).unwrap();
    vault.settle(&redeemed, Outcome::UsedUp).unwrap();
    redeemed.saved.unwrap()
}

/// The card's number, as an operation that pays gets it.
pub(crate) fn number(vault: &Vault, token: &str) -> Result<String, RedeemError> {
    let operation = OperationId::new(&key()).unwrap();
    let redeemed = vault.redeem(PROJECT, token, &operation, Purpose::PAY)?;
    let number = vault.use_card(&redeemed, |card| card.number.expose().to_owned())?;
    vault.settle(&redeemed, Outcome::UsedUp)?;
    Ok(number)
}

/// This program once more, for one of its ignored tests: a process that can be killed.
pub(crate) fn victim(test: &str) -> Command {
    let mut victim = Command::new(std::env::current_exe().unwrap());
    victim.args(["--exact", test, "--ignored", "--nocapture"]);
    victim.stderr(Stdio::null());
    victim
}

/// Runs a process until it has said `answered` so often, kills it with SIGKILL while more is under way, and gives what it
/// had said by then, of which the last line may be cut.
pub(crate) fn answered_until_killed(victim: &mut Command, answers: usize) -> Vec<String> {
    let mut victim = victim.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(victim.stdout.take().unwrap()).lines();
    let mut answered: Vec<String> = Vec::new();
    while answered.len() < answers {
        let line = lines.next().expect("the victim ended by itself").unwrap();
        answered.extend(line.split_once("answered ").map(|(_, rest)| rest.to_owned()));
    }
    victim.kill().unwrap();
    victim.wait().unwrap();
    // What it had printed before it died was answered too.
    let rest = lines.map_while(Result::ok);
    answered.extend(rest.filter_map(|line| Some(line.split_once("answered ")?.1.to_owned())));
    answered
}
