//! Writes what the fuzzer begins with, into a folder for each target.

#[path = "../driver.rs"]
#[expect(dead_code, reason = "nothing is run here")]
mod driver;
#[path = "../seeds.rs"]
mod seeds;

use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::{Value, json};

fn main() {
    let corpus = PathBuf::from(env::args().nth(1).expect("the folder to write to"));
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    let write = |target: &str, name: &str, bytes: &[u8]| {
        let folder = corpus.join(target);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), bytes).unwrap();
    };
    for (index, (_, ops)) in seeds::sessions(&vectors.join("typing")).iter().enumerate() {
        write("reducer", &format!("typing-{index:03}"), &driver::ops::encode(ops));
    }
    let envelopes = fs::read(vectors.join("seal/envelopes.json")).unwrap();
    let envelopes: Value = serde_json::from_slice(&envelopes).unwrap();
    for (index, case) in envelopes["cases"].as_array().unwrap().iter().enumerate() {
        let envelope = case["compact"].as_str().unwrap();
        write("envelope", &format!("vector-{index}"), envelope.as_bytes());
        let body = json!({
            "envelope": envelope, "customer_ip": null, "customer_id": "17", "customer_email": "a@b.example"
        });
        write("token_request", &format!("vector-{index}"), body.to_string().as_bytes());
    }
    for (index, body) in APP_REQUESTS.iter().enumerate() {
        write("app_request", &format!("body-{index}"), body.as_bytes());
    }
    for (index, file) in SETTINGS.iter().enumerate() {
        write("settings", &format!("file-{index}"), file.as_bytes());
    }
}

const APP_REQUESTS: [&str; 2] = [
    r#"{"card_number":"4242424242424242","card_exp_month":12,"card_exp_year":35,"card_cvv":"123","customer_id":null}"#,
    r#"{"b":"\u0030","a":[3,"x",true,null],"card_number":"","card_holder_name":"\n","device_rooted":false,"n":-7}"#,
];

const SETTINGS: [&str; 3] = [
    "listen = \"127.0.0.1:8080\"\ndatabase = \"sqlite:data/a.sqlite\"\nsandbox = true\nlog-format = \"json\"\n",
    "database = \"postgres://user:password@host/name\"\npublic-url = \"https://pay.example\"\nrate-limit = \"off\"\n",
    "trusted-proxies = [\"10.0.0.1\", \"::1\"]\nrate-limit-key = 7\nmax-connections = 9\ntls-cert = \"c\"\ntls-key = \"k\"\n",
];
