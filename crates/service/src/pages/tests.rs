//! The pages as HTML, from views made here.

use axum::http::StatusCode as Status;
use axum::response::Response;
use http_body_util::BodyExt;
use processing::page::{
    Back, ChallengeState, ChallengeView, OrderLine, OrderView, PagePurpose, PageState, PageView, ProductLine,
    ReceiptView,
};
use wire::interface::customer::{ColorMode, Locale};
use wire::interface::method::MethodType;
use wire::interface::saved::{ItemCard, ItemType, WalletItem};
use wire::interface::{Amount, Currency, StatusCode};

use super::payment::Asked;
use super::policy::PagePolicies;
use super::texts::Texts;
use super::{challenge, payment, receipt};

const SECRET: &str = "0123456789abcdef0123456789abcdef";

fn amount(minor: u64) -> Amount {
    Amount::from_minor(minor).unwrap()
}

fn order() -> OrderView {
    let product = |name: &str, quantity: &str, minor| ProductLine {
        name: name.into(),
        quantity: quantity.into(),
        price: amount(minor),
    };
    OrderView {
        project: "sandbox".into(),
        seller: "Hlyna & Sons".into(),
        is_live: false,
        lines: vec![OrderLine {
            seller: "Hlyna & Sons".into(),
            external_id: "order-17".into(),
            description: Some("Two mugs <b>and</b> a bowl".into()),
            amount: amount(157_500),
            products: vec![
                product("Stoneware mug", "2", 84_000),
                product("Breakfast bowl", "1", 73_500),
            ],
        }],
        amount: amount(157_500),
        currency: Currency::new("UAH").unwrap(),
        language: Some(Locale::En),
        colours: Some(ColorMode::White),
        back: Back {
            external_id: "order-17".into(),
            is_basket: false,
            success: Some("https://shop.example/done".into()),
            failure: Some("https://shop.example/cart".into()),
        },
    }
}

fn card(id: &str, system: &str, ending: &str, art: Option<&str>) -> WalletItem {
    WalletItem {
        option_id: id.into(),
        kind: ItemType::Card,
        name: system.into(),
        is_default: false,
        card: ItemCard {
            mask: format!("42424242****{ending}"),
            payment_system: Some(system.into()),
            bank_short_name: Some("Test bank".into()),
            expires_at: Some("2029-12-31T00:00:00Z".parse().unwrap()),
            card_art_url: art.map(str::to_owned),
        },
    }
}

fn page(state: PageState) -> PageView {
    PageView {
        state,
        purpose: PagePurpose::Pay,
        attempt: 3,
        order: order(),
        now: "2026-11-22T10:00:00Z".parse().unwrap(),
        expires_at: "2026-11-22T10:12:00Z".parse().unwrap(),
        cards: vec![
            card("c1", "VISA", "4242", None),
            card("c2", "MASTERCARD", "4444", Some("https://art.example/1.png")),
        ],
        wallets: vec![MethodType::MobileAPay, MethodType::MobileBPay],
        may_save: true,
    }
}

fn asked(is_done: bool) -> Asked {
    Asked {
        texts: Texts::ALL[0],
        is_done,
        refused: None,
    }
}

fn shown(view: &PageView, asked: &Asked) -> Shown {
    Shown::of(payment::show(
        view,
        "wk_page",
        asked,
        &PagePolicies::hash_embedded(),
    ))
}

/// An answer that is there already.
struct Shown {
    status: Status,
    policy: String,
    html: String,
}

impl Shown {
    fn of(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let body = text_of(body);
        Self {
            status: parts.status,
            policy: parts.headers["content-security-policy"]
                .to_str()
                .unwrap()
                .to_owned(),
            html: body,
        }
    }

    #[track_caller]
    fn has(&self, text: &str) {
        assert!(self.html.contains(text), "no {text} in {}", self.html);
    }

    #[track_caller]
    fn lacks(&self, text: &str) {
        assert!(!self.html.contains(text), "{text} in {}", self.html);
    }
}

fn text_of(body: axum::body::Body) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let bytes = runtime.block_on(body.collect()).unwrap().to_bytes();
    let html = String::from_utf8(bytes.to_vec()).unwrap();
    // Script and style hold words that tests look for.
    let start = html.find("<style>").unwrap();
    let end = html.find("</script>").unwrap();
    format!("{}{}", &html[..start], &html[end..])
}

fn open() -> PageView {
    page(PageState::Open { declined: None })
}

#[test]
fn who_may_pay_sees_every_way_to_do_it() {
    let shown = shown(&open(), &asked(false));
    assert_eq!(shown.status, Status::OK);
    for text in [
        "<html lang=\"en\" data-scheme=\"white\">",
        "<title>Payment · Hlyna &#38; Sons</title>",
        "UAH\u{a0}1,575.00",
        "Stoneware mug",
        "name=\"attempt\" value=\"3\"",
        "name=\"option\" value=\"c1\" required checked",
        "name=\"option\" value=\"c2\" required>",
        "VISA ••\u{a0}4242",
        "name=\"method\" value=\"mobile_a_pay\"",
        "name=\"method\" value=\"mobile_b_pay\"",
        "name=\"save\"",
        "data-key=\"wk_page\" data-amount=\"1575.00\" data-currency=\"UAH\"",
        "data-left=\"720\"",
        "datetime=\"2026-11-22T10:12:00Z\"",
        "data-version=\"open.3\"",
        "<noscript>",
        "no money moves",
    ] {
        shown.has(text);
    }
    shown.lacks("http-equiv=\"refresh\"");
}

#[test]
fn what_a_shop_writes_is_text() {
    let mut view = open();
    view.order.seller = "<script>".into();
    view.order.back.external_id = "\"><img src=x>".into();
    view.cards[0].option_id = "\" autofocus x=\"".into();
    let shown = shown(&view, &asked(false));
    shown.has("Two mugs &#60;b&#62;and&#60;/b&#62; a bowl");
    for text in ["<b>", "<img src=x", "value=\"\" autofocus"] {
        shown.lacks(text);
    }
    // Our own two, the end of the first of which is where this text begins.
    assert_eq!(shown.html.matches("<script").count(), 1);
}

#[test]
fn pictures_come_from_where_the_cards_say_and_nothing_else_does() {
    let policy = shown(&open(), &asked(false)).policy;
    for part in [
        "default-src 'none'",
        "img-src data: 'self' https://art.example",
        "frame-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "trusted-types 'none'",
    ] {
        assert!(policy.contains(part), "no {part} in {policy}");
    }
    assert!(!policy.contains("unsafe"));
    let policy = shown(&page(PageState::Expired), &asked(false)).policy;
    assert!(
        !policy.contains("'self' 'sha256") && !policy.contains("frame-src"),
        "{policy}"
    );
}

#[test]
fn after_a_decline_the_payer_reads_why_and_may_try_again_or_go() {
    let view = page(PageState::Open {
        declined: Some(StatusCode::InsufficientFunds),
    });
    let declined = shown(&view, &asked(true));
    declined.has("The payment did not go through");
    declined.has("not enough money");
    declined.has("https://shop.example/cart?external_id=order-17&#38;status=failure");
    declined.has("name=\"attempt\" value=\"3\"");
    declined.lacks("http-equiv=\"refresh\"");
    // What was refused just now is newer.
    let mut asked = asked(false);
    asked.refused = Some(StatusCode::TokenDoesNotExist);
    shown(&view, &asked).has("enter them again");
}

#[test]
fn only_who_has_just_paid_is_led_on() {
    let view = page(PageState::Paid {
        receipt: Some(SECRET.parse().unwrap()),
        mask: Some("42424242****4242".into()),
    });
    let address = "https://shop.example/done?external_id=order-17&#38;status=success";
    let led = shown(&view, &asked(true));
    led.has(&format!(
        "<meta http-equiv=\"refresh\" content=\"0; url={address}\">"
    ));
    let later = shown(&view, &asked(false));
    later.lacks("http-equiv=\"refresh\"");
    for shown in [led, later] {
        shown.has(&format!("href=\"{address}\""));
        shown.has(&format!("href=\"/receipt/{SECRET}?lang=en\""));
        shown.has("••\u{a0}4242");
        shown.lacks("<form");
    }
}

#[test]
fn without_a_shops_address_the_page_itself_is_the_result() {
    let mut view = page(PageState::Paid {
        receipt: None,
        mask: None,
    });
    view.order.back.success = None;
    let shown = shown(&view, &asked(true));
    shown.has("<h1>Paid</h1>");
    shown.lacks("http-equiv=\"refresh\"");
    shown.lacks("Back to the shop");
}

#[test]
fn nobody_pays_where_nobody_may() {
    for (state, title) in [
        (PageState::Processing, "being processed"),
        (PageState::Expired, "time to pay is over"),
        (
            PageState::Closed {
                code: StatusCode::TransactionAlreadyPaid,
            },
            "It was paid before",
        ),
        (
            PageState::Challenge {
                secret: SECRET.parse().unwrap(),
            },
            &format!("href=\"/3ds/{SECRET}?lang=en\""),
        ),
    ] {
        let shown = shown(&page(state), &asked(false));
        shown.has(title);
        shown.lacks("<form");
        shown.lacks("wk_page");
    }
}

#[test]
fn what_ends_by_itself_is_asked_again_with_scripts_and_without() {
    let processing = shown(&page(PageState::Processing), &asked(true));
    processing.has("data-version=\"processing.3\" data-waits");
    processing.has("<noscript><meta http-equiv=\"refresh\" content=\"3\"></noscript>");
    shown(&open(), &asked(true)).lacks("data-waits");
}

#[test]
fn a_card_is_verified_or_saved_without_a_sum() {
    for (purpose, button, note) in [
        (PagePurpose::Verify, "Check the card", "The card is checked"),
        (PagePurpose::Save, "Save the card", "kept for your next purchases"),
    ] {
        let mut view = open();
        view.purpose = purpose;
        let shown = shown(&view, &asked(false));
        shown.has(&format!("data-submit=\"{button}\""));
        shown.has(note);
        shown.lacks("To pay");
        shown.lacks("data-amount");
        assert_eq!(shown.html.contains("order-17"), purpose == PagePurpose::Verify);
    }
}

#[test]
fn every_language_and_colour() {
    let mut view = open();
    view.order.colours = Some(ColorMode::Dark);
    for texts in Texts::ALL {
        let asked = Asked {
            texts,
            ..asked(false)
        };
        let shown = shown(&view, &asked);
        shown.has(&format!("<html lang=\"{}\" data-scheme=\"dark\">", texts.lang));
        shown.has(texts.saved_cards);
        shown.has(&format!("hreflang=\"{}\" aria-current", texts.lang));
    }
}

fn challenged(state: ChallengeState, page: Option<&str>, is_done: bool) -> Shown {
    let view = ChallengeView {
        state,
        purpose: PagePurpose::Pay,
        order: order(),
        mask: "42424242****4242".into(),
        page: page.map(|secret| secret.parse().unwrap()),
    };
    Shown::of(challenge::show(
        &view,
        &asked(is_done),
        &PagePolicies::hash_embedded(),
    ))
}

#[test]
fn a_challenge_offers_both_ends() {
    let shown = challenged(ChallengeState::Open, None, false);
    shown.has("name=\"proof\" value=\"passed\"");
    shown.has("name=\"proof\" value=\"failed\"");
    shown.has("42424242****4242");
}

#[test]
fn after_a_challenge_the_payer_goes_to_the_payment_page_or_to_the_shop() {
    let failed = || ChallengeState::Failed {
        code: StatusCode::ThreeDsVerificationFailed,
    };
    for (state, page, goes_to) in [
        (
            ChallengeState::Paid { receipt: None },
            None,
            "https://shop.example/done?external_id=order-17&#38;status=success",
        ),
        (
            failed(),
            None,
            "https://shop.example/cart?external_id=order-17&#38;status=failure",
        ),
        (
            failed(),
            Some(SECRET),
            &format!("/pay/{SECRET}?done=1&#38;lang=en"),
        ),
    ] {
        let led = challenged(state.clone(), page, true);
        led.has(&format!("content=\"0; url={goes_to}\""));
        let later = challenged(state, page, false);
        later.lacks("http-equiv");
        later.has(goes_to);
    }
}

#[test]
fn a_proof_for_a_saved_card_speaks_of_no_money() {
    for (state, text) in [
        (ChallengeState::Open, "Test bank"),
        (ChallengeState::Paid { receipt: None }, "The card is saved"),
    ] {
        let view = ChallengeView {
            state,
            purpose: PagePurpose::Save,
            order: order(),
            mask: "42424242****4242".into(),
            page: None,
        };
        let page = challenge::show(&view, &asked(false), &PagePolicies::hash_embedded());
        let shown = Shown::of(page);
        shown.has(text);
        for money in ["To pay", "Amount", "Order number"] {
            shown.lacks(money);
        }
    }
}

#[test]
fn a_receipt_says_what_was_paid() {
    let mut view = ReceiptView {
        order: order(),
        payment_id: "012345678901234567".into(),
        paid_at: "2026-11-22T10:12:00Z".parse().unwrap(),
        charged: amount(157_500),
        held: amount(0),
        refunded: amount(10_000),
        mask: Some("42424242****4242".into()),
        payment_system: Some("VISA".into()),
        auth_code: Some("123456".into()),
        rrn: None,
        fiscalization: None,
    };
    let show =
        |view: &ReceiptView| Shown::of(receipt::show(view, Texts::ALL[0], &PagePolicies::hash_embedded()));
    let paid = show(&view);
    for text in [
        "<div class=\"total\"><dt>Charged</dt><dd>UAH\u{a0}1,575.00",
        "<dt>Refunded</dt><dd>UAH\u{a0}100.00",
        "VISA ••\u{a0}4242",
        "012345678901234567",
        "123456",
    ] {
        paid.has(text);
    }
    paid.lacks("<dt>Held");
    paid.lacks("Bank’s reference");
    (view.charged, view.held) = (amount(0), amount(157_500));
    show(&view).has("<div class=\"total\"><dt>Held</dt>");
}
