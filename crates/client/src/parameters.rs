//! Parameters written as JSON.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::Error;

/// Parameters of a call from `json!`, held to the limits of the interface. Amounts are text: a fraction as a JSON number has been through
/// floating point, where sums are not exact.
///
/// ```
/// use client::interface::payment::NewPayment;
/// use serde_json::json;
///
/// let payment: NewPayment = client::parameters(json!({
///     "amount": "349.50", "currency": "UAH", "external_id": "order-1017", "mode": "hosted",
///     "result_url": "https://shop.example/done",
/// }))?;
/// assert_eq!(payment.amount.minor(), 34_950);
///
/// let wrong = client::parameters::<NewPayment>(json!({
///     "amount": 349.5, "currency": "UAH", "external_id": "order-1017", "mode": "hosted",
/// }));
/// assert_eq!(wrong.unwrap_err().to_string(), "`amount` must be text, as \"349.50\": a floating-point number is not exact.");
/// # Ok::<(), client::Error>(())
/// ```
pub fn parameters<T: DeserializeOwned>(json: Value) -> Result<T, Error> {
    if let Some(param) = fraction(&json) {
        let message = format!("`{param}` must be text, as \"349.50\": a floating-point number is not exact.");
        return Err(Error::Parameter { param, message });
    }
    Ok(wire::interface::read(json.to_string().as_bytes())?)
}

/// Path of the first number that is not whole, without indexes of lists.
fn fraction(json: &Value) -> Option<String> {
    let join = |name: &str, rest: String| match &*rest {
        "" => name.to_owned(),
        rest => format!("{name}.{rest}"),
    };
    match json {
        Value::Number(number) if number.is_f64() => Some(String::new()),
        Value::Array(elements) => elements.iter().find_map(fraction),
        Value::Object(members) => members
            .iter()
            .find_map(|(name, value)| Some(join(name, fraction(value)?))),
        _ => None,
    }
}
