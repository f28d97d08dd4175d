//! A PostgreSQL server for one test program: in a folder of its own, on a free port, gone when the program ends.

use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The URL of a new, empty database; `None` where the tests are to be done without PostgreSQL, which is said aloud.
pub(crate) fn database() -> Option<String> {
    if std::env::var("CARD_WIDGET_WITHOUT")
        .is_ok_and(|names| names.split(',').any(|name| name.trim() == "postgresql"))
    {
        eprintln!("skipped on PostgreSQL: CARD_WIDGET_WITHOUT names it");
        return None;
    }
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let cluster = CLUSTER.get_or_init(|| Cluster::start(&[], ""));
    let name = format!("vault_{}", COUNT.fetch_add(1, Ordering::Relaxed));
    cluster.sql("postgres", &format!("CREATE DATABASE {name}"));
    Some(cluster.url(&name))
}

/// A server of its own that speaks TLS with this certificate and key (PEM), and the URL of a database there; it runs until
/// the program ends. Its user `scram` must give the password `pass-word`.
#[allow(dead_code, reason = "one program alone does this")]
pub(crate) fn with_tls(certificate: &str, key: &str) -> Option<String> {
    database()?;
    let files = [
        ("chain.pem", certificate),
        ("key.pem", key),
        (
            "hba",
            "hostssl all scram all scram-sha-256\nhost all vault all trust\n",
        ),
    ];
    let settings =
        "-c ssl=on -c ssl_cert_file=FOLDER/chain.pem -c ssl_key_file=FOLDER/key.pem -c hba_file=FOLDER/hba";
    let cluster = Cluster::start(&files, settings);
    cluster.sql("postgres", "CREATE DATABASE cards");
    cluster.sql(
        "postgres",
        "CREATE ROLE scram LOGIN SUPERUSER PASSWORD 'pass-word'",
    );
    let url = cluster.url("cards");
    // The keeper's input must stay open: it stops the server otherwise.
    std::mem::forget(cluster);
    Some(url)
}

/// Runs statements with PostgreSQL's own client, which needs no code of ours.
#[allow(dead_code, reason = "not every program that includes this file changes rows")]
pub(crate) fn sql(url: &str, statements: &str) -> String {
    psql(url, statements)
}

struct Cluster {
    port: u16,
    /// Stops the server when its standard input ends, which it does with this program, however that ends.
    _keeper: Child,
}

impl Cluster {
    fn start(files: &[(&str, &str)], settings: &str) -> Self {
        let bin = programs();
        let folder = tempfile::tempdir().unwrap().keep();
        let data = folder.join("data");
        for (name, content) in files {
            let path = folder.join(name);
            std::fs::write(&path, content).unwrap();
            std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        }
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        // The server refuses to run as root.
        let root =
            std::fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0);
        // Unlike `runuser`, this becomes the program that it starts, so that signals reach it.
        let user = if root {
            "setpriv --reuid postgres --regid postgres --clear-groups --"
        } else {
            ""
        };
        if root {
            let owned = Command::new("chown")
                .args(["-R", "postgres"])
                .arg(&folder)
                .status()
                .unwrap();
            assert!(owned.success(), "there is no user postgres");
        }
        let script = format!(
            "cd / && {user} {bin}/initdb -D {data} -U vault -A trust --no-sync -E UTF8 --locale=C >/dev/null || exit 1
             {user} {bin}/postgres -D {data} -p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= \
                 -c fsync=off -c max_connections=400 -c shared_buffers=32MB -c log_min_messages=fatal {settings} &
             server=$!
             cat >/dev/null
             kill -INT $server; wait $server; rm -rf {folder}",
            bin = bin.display(),
            data = data.display(),
            folder = folder.display(),
            settings = settings.replace("FOLDER", &folder.display().to_string()),
        );
        let mut keeper = Command::new("sh");
        // A group of its own: Ctrl-C in a terminal reaches the test program, and the keeper through its input.
        std::os::unix::process::CommandExt::process_group(&mut keeper, 0);
        let keeper = keeper
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::null());
        let cluster = Self {
            port,
            _keeper: keeper.spawn().unwrap(),
        };
        let begun = Instant::now();
        while !ready(&bin, port) {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "PostgreSQL does not start"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        cluster
    }

    fn url(&self, database: &str) -> String {
        format!("postgres://vault@127.0.0.1:{}/{database}", self.port)
    }

    fn sql(&self, database: &str, statements: &str) {
        psql(&self.url(database), statements);
    }
}

fn ready(bin: &Path, port: u16) -> bool {
    let asked = Command::new(bin.join("pg_isready"))
        .args([
            "-q",
            "-h",
            "127.0.0.1",
            "-p",
            &port.to_string(),
            "-U",
            "vault",
            "-d",
            "postgres",
        ])
        .status();
    asked.is_ok_and(|status| status.success())
}

fn psql(url: &str, statements: &str) -> String {
    let mut client = Command::new(programs().join("psql"))
        .args([
            "-X",
            "-q",
            "-A",
            "-t",
            "-v",
            "ON_ERROR_STOP=1",
            "-d",
            url,
            "-c",
            statements,
        ])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = String::new();
    client.stdout.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(client.wait().unwrap().success(), "psql: {statements}");
    told.trim_end().to_owned()
}

/// Where the server's programs are: the newest that Debian's packages have put there, or those on the path.
pub(crate) fn programs() -> PathBuf {
    let mut found: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path().join("bin"))
        .filter(|bin| bin.join("initdb").exists())
        .collect();
    found.extend(std::env::split_paths(
        &std::env::var_os("PATH").unwrap_or_default(),
    ));
    found.retain(|bin| bin.join("initdb").exists() && bin.join("psql").exists());
    found.sort();
    found.pop().expect(
        "PostgreSQL is not installed: apt-get install postgresql, or set CARD_WIDGET_WITHOUT=postgresql to skip these tests",
    )
}
