//! Bodies of token requests: accepted ones are read the same when written again, and refusals repeat nothing of them.
#![no_main]

use service::body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    match body::parse(bytes) {
        Ok(request) => {
            let again = serde_json::to_vec(&request).expect("a request can be written");
            let again = body::parse(&again).expect("what was written can be read");
            assert_eq!(again, request);
        }
        Err(failure) => {
            let names = ["", "envelope", "customer_ip", "customer_id", "customer_email"];
            assert!(names.contains(&failure.param()), "a refusal names what is not ours");
        }
    }
});
