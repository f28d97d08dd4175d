//! Numbers that payment services publish for trying things out.
//!
//! The vault refuses them with a live key. The frame never asks, so its build leaves the table out. A number of a real
//! card here would cost a shop its customer, so a row needs a publisher: a service that tells its own customers to
//! test with it. Lists of no known origin stay out. Some lists were read in copies that others keep.

use crate::number::Pan;

impl Pan {
    /// Whether a payment service publishes this number for tests. `false` says little: new ones are published any day.
    pub fn is_test(&self) -> bool {
        NUMBERS.binary_search(&self.expose()).is_ok()
    }
}

/// Sorted as text, which the search needs. Behind each number one of those who publish it; many are on several lists.
///
/// | Name | Where |
/// |---|---|
/// | our sandbox | wire notes §7; most are on lists of others too |
/// | Adyen | docs.adyen.com, test card numbers and point-of-sale test cards |
/// | Authorize.Net | its testing guide |
/// | Braintree | test values of its sandbox, and `CreditCardNumbers` in its libraries |
/// | Cybersource | developer.cybersource.com, test data |
/// | EBANX | its test cards for Brazil |
/// | Flutterwave | developer.flutterwave.com, test cards |
/// | Fondy | its test cards, also Flitt's |
/// | Ingenico | test cards of its e-commerce platform |
/// | iyzico | docs.iyzico.com, test cards |
/// | Mastercard Gateway | developer.mastercard.com, test card numbers by brand |
/// | Mercado Pago | its test cards for Brazil |
/// | Nexi | test cards of Pay Engine (Concardis) |
/// | PayPal | Payflow's card numbers for testing, today's and earlier lists |
/// | Paystack | its test payments |
/// | PayU India | docs.payu.in, test cards |
/// | Prodamus | its demonstration mode |
/// | Razorpay | its test card details |
/// | Stripe | docs.stripe.com, testing, today's and earlier lists |
/// | TabaPay | developers.tabapay.com, sandbox test cards |
/// | Worldpay | its test card numbers |
/// | YooKassa | yookassa.ru, testing of payments and payouts |
const NUMBERS: [&str; 215] = [
    "135412345678911",     // Cybersource
    "2200000000000004",    // YooKassa
    "2200000000000053",    // Prodamus
    "2202474301322987",    // YooKassa
    "2221000000000009",    // PayPal
    "2222420000001113",    // Cybersource
    "2222630000001125",    // Cybersource
    "2223000000000007",    // Mastercard Gateway
    "2223000000000023",    // Mastercard Gateway
    "2223000048400011",    // PayPal
    "2223003122003222",    // Stripe
    "2223016768739313",    // PayPal
    "30123400000000",      // Mastercard Gateway
    "3056930009020004",    // Stripe
    "30569309025904",      // Stripe
    "3088000000000017",    // Authorize.Net
    "343434343434343",     // Worldpay
    "3528000000000007",    // Mastercard Gateway
    "3528000700000000",    // YooKassa
    "3528111100000001",    // Mastercard Gateway
    "3530111333300000",    // Stripe
    "3566002020360505",    // Stripe
    "3566111111111113",    // Cybersource
    "3569990010095841",    // Adyen
    "36227206271667",      // Stripe
    "36259600000004",      // Braintree
    "36259600000012",      // Mastercard Gateway
    "36700102000000",      // Worldpay
    "370000000000002",     // Authorize.Net
    "371260714673002",     // Braintree
    "371449635311004",     // Ingenico
    "371449635398431",     // Stripe
    "371544868764018",     // Braintree
    "371881127160004",     // Mastercard Gateway
    "371881245560002",     // Mastercard Gateway
    "371881634498004",     // Mastercard Gateway
    "371881911767006",     // Mastercard Gateway
    "374427000000003",     // iyzico
    "375365153556885",     // Mercado Pago
    "378267515471109",     // Braintree
    "378282246310005",     // Stripe
    "378734493671000",     // PayPal
    "38000000000006",      // Authorize.Net
    "38520000023237",      // Stripe
    "4000000000000002",    // Stripe
    "4000000000000010",    // Stripe
    "4000000000000028",    // Stripe
    "4000000000000036",    // Stripe
    "4000000000000044",    // our sandbox
    "4000000000000069",    // Stripe
    "4000000000000077",    // Stripe
    "4000000000000093",    // Stripe
    "4000000000000101",    // Stripe
    "4000000000000119",    // Stripe
    "4000000000000127",    // Stripe
    "4000000000000259",    // Stripe
    "4000000000000341",    // Stripe
    "4000000000003220",    // Stripe
    "4000000000009979",    // Stripe
    "4000000000009987",    // Stripe
    "4000000000009995",    // Stripe
    "4000000760000002",    // TabaPay
    "4000001240000000",    // TabaPay
    "4000002500003155",    // Stripe
    "4000002760003184",    // Stripe
    "4000004840008001",    // TabaPay
    "4000056655665556",    // Stripe
    "4000111111111115",    // Braintree
    "4005519200000004",    // Braintree
    "4007000000027",       // Authorize.Net
    "4009348888881881",    // Braintree
    "4012000033330026",    // Braintree
    "4012000077777777",    // Braintree
    "4012001037141112",    // PayU India
    "4012888818888",       // Authorize.Net
    "4012888888881881",    // Stripe
    "4023898493988028",    // Braintree
    "4059030000000009",    // iyzico
    "4084080000000409",    // Paystack
    "4084080000005408",    // Paystack
    "4084084084084081",    // Paystack
    "4111111111111111",    // our sandbox
    "4111111111111210",    // Braintree
    "4111111111112101",    // Braintree
    "4111111111121102",    // Braintree
    "4111111111131010",    // Braintree
    "4111111111310101",    // Braintree
    "4111111114101010",    // Braintree
    "4111111141010101",    // Braintree
    "4111111510101010",    // Braintree
    "4111161010101010",    // Braintree
    "4117101010101010",    // Braintree
    "4157920000000002",    // iyzico
    "4166676667666746",    // Adyen
    "4175001000000017",    // YooKassa
    "4187427415564246",    // Flutterwave
    "4200000000000000",    // our sandbox
    "4217651111111119",    // Braintree
    "4222222222222",       // PayPal
    "4235647728025682",    // Mercado Pago
    "4242424242424242",    // our sandbox
    "4360000001000005",    // Cybersource
    "4400000000000008",    // Adyen
    "4444111155556666",    // Fondy
    "4444111166665555",    // Fondy
    "4444333322221111",    // our sandbox
    "4444444444444448",    // YooKassa
    "4444555511116666",    // Fondy
    "4444555566661111",    // Fondy
    "4462030000000000",    // Worldpay
    "4464040000000007",    // Cybersource
    "4475050000000003",    // iyzico
    "4484070000000000",    // Worldpay
    "4500600000000061",    // Braintree
    "4508750015741019",    // Mastercard Gateway
    "4514160000000003",    // Cybersource
    "4543590000000006",    // iyzico
    "4603450000000000",    // iyzico
    "4646464646464644",    // Adyen
    "4766620000000001",    // iyzico
    "4793128161644804",    // YooKassa
    "4910050000000006",    // iyzico
    "4911830000000",       // Worldpay
    "4917300800000000",    // Worldpay
    "4917610000000000",    // Adyen
    "4917610000000000003", // Worldpay
    "4977949494949497",    // Adyen
    "4987490000000002",    // iyzico
    "4988438843884305",    // Adyen
    "5000000000000000005", // Mastercard Gateway
    "5019717010103742",    // PayPal
    "5031433215406351",    // Mercado Pago
    "50339619890917",      // Cybersource
    "5060666666666666666", // Paystack
    "5061460410120223210", // Flutterwave
    "5066991111111118",    // Braintree
    "5067766783888311",    // Mercado Pago
    "507850785078507812",  // Paystack
    "5100000020002000",    // our sandbox
    "5100081112223332",    // Adyen
    "5100290029002909",    // Adyen
    "5104015555555558",    // Razorpay
    "5104060000000008",    // Razorpay
    "5105105105105100",    // our sandbox
    "5111111111111118",    // Mastercard Gateway
    "5118700000000003",    // PayU India
    "5123450000000008",    // Mastercard Gateway
    "5123456789012346",    // PayU India
    "5136333333333335",    // Adyen
    "5168880000000002",    // iyzico
    "5170410000000004",    // iyzico
    "5200828282828210",    // Stripe
    "5267318187975449",    // Razorpay
    "5300000000000006",    // Ingenico
    "5311570000000005",    // iyzico
    "5399838383838381",    // Flutterwave
    "5399999999999999",    // Nexi
    "5400360000000003",    // iyzico
    "5403879999999997",    // TabaPay
    "5413330089099999",    // Adyen
    "5413330089999990",    // Adyen
    "5424000000000015",    // Authorize.Net
    "5438898014560229",    // Flutterwave
    "5454545454545454",    // our sandbox
    "5500000000000004",    // Adyen
    "5504720000000003",    // iyzico
    "5526080000000006",    // iyzico
    "5528790000000008",    // iyzico
    "5531886652142950",    // Flutterwave
    "5555444433331111",    // Adyen
    "5555555555554444",    // our sandbox
    "5555555555554477",    // YooKassa
    "5555555555555599",    // Prodamus
    "5577000055770004",    // Adyen
    "5585558555855583",    // Adyen
    "5610591081018250",    // PayPal
    "5641821111166669",    // Cybersource
    "586824160825533338",  // Cybersource
    "5890040000000016",    // iyzico
    "5892830000000000",    // iyzico
    "6011000000000012",    // Authorize.Net
    "6011000990139424",    // Stripe
    "6011000991300009",    // Braintree
    "6011003179988686",    // Mastercard Gateway
    "6011111111111117",    // Stripe
    "6011601160116611",    // Adyen
    "6011963280099774",    // Mastercard Gateway
    "6011981111111113",    // Stripe
    "6062825624254001",    // EBANX
    "6062828888666688",    // Adyen
    "6082015309577308",    // PayU India
    "6200000000000005",    // Stripe
    "6200000000000047",    // Stripe
    "6205500000000000004", // Stripe
    "6221261111117766",    // Braintree
    "6223164991230014",    // Braintree
    "6243030000000001",    // Braintree
    "6304000000000000",    // Braintree
    "6331101999990016",    // PayPal
    "6362970000457013",    // EBANX
    "6445644564456445",    // Cybersource
    "6500528865390837",    // iyzico
    "6501700194147183",    // iyzico
    "6555900000604105",    // Stripe
    "6759411100000008",    // Cybersource
    "6759560045005727054", // Cybersource
    "6759649826438453",    // Cybersource
    "6771798021000008",    // Adyen
    "6799990100000000019", // EBANX
    "6799998900000099990", // Adyen
    "6799998900000999991", // Adyen
    "9792020000000001",    // iyzico
    "9792023757123604",    // iyzico
    "9792030000000000",    // iyzico
    "9792072000017956",    // iyzico
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brand::Brand;

    fn is_test(digits: &str) -> bool {
        Pan::new(digits).unwrap().is_test()
    }

    #[test]
    fn rows_are_sorted_once_and_valid() {
        for pair in NUMBERS.windows(2) {
            assert!(pair[0] < pair[1], "{pair:?}");
        }
        for number in NUMBERS {
            assert!(Pan::new(number).is_some_and(|pan| pan.is_test()), "{number}");
        }
    }

    #[test]
    fn the_sandboxes_own_numbers_are_test_numbers() {
        // Wire notes §7, all rows.
        for number in [
            "4242424242424242",
            "5454545454545454",
            "4111111111111111",
            "5555555555554444",
            "4200000000000000",
            "5105105105105100",
            "4444333322221111",
            "5100000020002000",
            "4000000000000044",
        ] {
            assert!(is_test(number), "{number}");
        }
    }

    #[test]
    fn most_networks_have_one() {
        let brands: crate::Brands = NUMBERS
            .iter()
            .filter_map(|number| Pan::new(number).unwrap().brand())
            .collect();
        for brand in Brand::ALL {
            // No service publishes one of Prostir that we know of.
            assert_eq!(brands.contains(brand), brand != Brand::Prostir, "{}", brand.id());
        }
    }

    #[test]
    fn neighbours_are_not() {
        // 9, then 999, which ISO 3166-1 gives to no country: nobody can issue these.
        assert!(!is_test("9999000000123459"));
        assert!(!is_test("9999000000678908"));
        // Test numbers with something before or behind them, or changed within.
        for number in ["4242424242424242428", "0004242424242424242", "4424242424242426"] {
            assert!(!is_test(number), "{number}");
        }
    }
}
