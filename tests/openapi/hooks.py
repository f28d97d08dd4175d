"""Generated bodies are about orders, cards and bindings that do not exist: most of them are given ones that do."""

import base64
import datetime
import hashlib
import hmac
import json
import urllib.request

import schemathesis

from absent import BASE
BASIC = "Basic " + base64.b64encode(b"sandbox:sandbox-password").decode()


def ask(path, body, headers):
    request = urllib.request.Request(BASE + path, json.dumps(body).encode(), headers, method="POST")
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def tokenize():
    card = {"card_number": "4111111111111111", "card_exp_month": 12, "card_exp_year": datetime.date.today().year + 2, "card_cvv": "123"}
    values = "".join(str(card[name]) for name in sorted(card)).encode()
    sign = hmac.new(b"wk_sandbox", values, hashlib.sha256).hexdigest()
    return ask("/api/v1/sdk/tokenize", card, {"X-Widget-Id": "wk_sandbox", "X-Sign": sign})["token"]


def with_card(token):
    return {"type": "cc_token", "cc_token": {"token": token}}


# One payment gives a token that lasts, and a binding.
FIRST = ask(
    "/api/payments/v1/new",
    {
        "amount": 1,
        "currency": "UAH",
        "external_id": "first",
        "mode": "direct",
        "init_recurrent_payment": True,
        "customer": {"external_id": "customer", "payment_method": with_card(tokenize())},
    },
    {"Authorization": BASIC},
)
CARD = with_card(FIRST["payment_method"]["cc_token"]["token"])
BINDING = FIRST["details"]["recurrent_id"]
# A payout needs something to be paid from.
ask("/sandbox/v1/balance", {"amount": "999999999999", "currency": "UAH"}, {"Authorization": BASIC})


# Plans, and customers who may subscribe to them.
PLANS = [
    ask(
        "/api/subscriptions/v1/plans",
        {
            "name": f"plan {number}",
            "price": 5,
            "currency": "UAH",
            "frequency_type": "monthly",
            "frequency": 1,
            "duration_periods": 12,
            "start_date": "2026-01-01T00:00:00Z",
        },
        {"Authorization": BASIC},
    )["id"]
    for number in range(8)
]
CUSTOMERS = [
    ask(f"/sandbox/v1/customers/customer-{number}/access-token", {}, {"Authorization": BASIC})["access_token"] for number in range(6)
]
SUBSCRIPTIONS = [
    ask(
        "/api/subscriptions/v1/subscriptions",
        {
            "plan_id": plan,
            "result_url": "https://shop.example/",
            "start_date": "2026-01-01T00:00:00Z",
            "customer": {"payment_method": CARD},
        },
        {"Authorization": BASIC, "X-CUSTOMER-AUTH": customer},
    )["subscription"]["id"]
    for customer in CUSTOMERS
    for plan in PLANS[:4]
]


def choice(value, of):
    """The same for the same text, so that a failure can be repeated."""
    return hashlib.sha256(value.encode()).digest()[0] % of


def order(name):
    return f"order-{choice(name, 24)}" if choice(name, 5) else name


@schemathesis.hook
def map_body(context, body):
    if not isinstance(body, dict):
        return body
    body = dict(body)
    for name in ("external_id", "batch_external_id"):
        if isinstance(body.get(name), str):
            body[name] = order(body[name])
    if isinstance(body.get("recurrent_id"), str):
        body["recurrent_id"] = BINDING
    if body.get("mode") == "direct":
        customer = body.get("customer")
        body["customer"] = {**(customer if isinstance(customer, dict) else {}), "payment_method": CARD}
    if "plan_id" in body:
        body["plan_id"] = PLANS[choice(str(body["plan_id"]), len(PLANS))]
        customer = body.get("customer")
        body["customer"] = {**(customer if isinstance(customer, dict) else {}), "payment_method": CARD, "external_id": None}
        body["start_date"] = ("2026-01-01T00:00:00Z", "2099-01-01T00:00:00Z")[choice(str(body.get("result_url")), 2)]
    if isinstance(body.get("callbacks"), list):
        body["callbacks"] = [{**one, "api_key": "sandbox"} for one in body["callbacks"] if isinstance(one, dict)]
    if "date_from" in body:
        today = datetime.datetime.now(datetime.timezone.utc).date()
        body["date_from"] = str(today - datetime.timedelta(days=choice(str(body["date_from"]), 14)))
        body["date_to"] = str(today)
    if "currency" in body:
        body["currency"] = "UAH"
    if isinstance(body.get("order"), dict) and isinstance(body.get("recipient"), dict):
        one = {**body["order"], "currency": "UAH"}
        number = str(one.get("external_id"))
        kind = ("card", "cash")[choice(number, 2)]
        person = {"first_name": "Lesia", "last_name": "Honchar", "phone": "+380501234567", "card_data": CARD["cc_token"]}
        body["order"] = {**one, "external_id": order(number)}
        body["payer"] = {"entity_id": "sandbox-entity"}
        body["recipient"] = {"payout_type": kind, kind: person}
    if "bank_name" in body:
        # The stub bank ends by itself: confirmations and refunds find what they need.
        body = {**body, "bank_name": "stub", "mode": "direct", "parts_count": 3, "amount": 10, "customer": {"phone": "+380930000003"}}
    if "mode" in body:
        body["confirm"] = choice(str(body.get("external_id") or body.get("batch_external_id")), 2) == 0
    if isinstance(body.get("orders"), list):
        orders = [dict(one) for one in body["orders"] if isinstance(one, dict)]
        for at, one in enumerate(orders):
            one["api_key"] = ("sandbox", "sandbox-2")[at % 2]
            if isinstance(one.get("external_id"), str):
                one["external_id"] = order(one["external_id"])
        body["orders"] = orders
    return body


@schemathesis.hook
def map_query(context, query):
    if not isinstance(query, dict):
        return query
    known = {"merchant_entity_id": "sandbox-entity"}
    return {name: order(value) if name.endswith("external_id") else known.get(name, value) for name, value in query.items()}


@schemathesis.hook
def map_headers(context, headers):
    if not headers:
        return headers
    return {
        name: CUSTOMERS[choice(str(value), len(CUSTOMERS))] if name.lower() == "x-customer-auth" else value
        for name, value in headers.items()
    }


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    if not path_parameters:
        return path_parameters
    known = {"plan_id": PLANS, "subscription_id": SUBSCRIPTIONS}
    return {
        name: known[name][choice(str(value), len(known[name]))] if name in known and choice(str(value), 8) else value
        for name, value in path_parameters.items()
    }
