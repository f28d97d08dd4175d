// @ts-check
// Draws sums of days as bars, and tells the same numbers in a table.

/**
 * @typedef {{ payout_date: string, currency: string, payout_amount: number, internal_commission: number }} Row
 * @typedef {{ came: number, went: number, commission: number }} Sums in hundredths
 */

/**
 * Bars and a table for each currency, of 14 days from `first` on.
 * @param {Row[]} rows
 * @param {string} first
 */
export function plots(rows, first) {
  const begin = Date.parse(first);
  const days = Array.from({ length: DAYS }, (_, at) => new Date(begin + at * 86_400_000).toISOString().slice(0, 10));
  const currencies = [...new Set(rows.map((row) => row.currency))].sort();
  return currencies.map((currency) => {
    const sums = new Map(days.map((day) => [day, { came: 0, went: 0, commission: 0 }]));
    for (const row of rows) {
      const sum = sums.get(row.payout_date);
      if (row.currency !== currency || !sum) continue;
      if (row.payout_amount < 0) sum.went -= row.payout_amount;
      else sum.came += row.payout_amount;
      sum.commission += row.internal_commission;
    }
    const wide = document.createElement("div");
    wide.className = "wide";
    wide.tabIndex = 0;
    wide.setAttribute("role", "region");
    wide.setAttribute("aria-label", `Settlement in ${currency}`);
    wide.append(bars(currency, sums), table(currency, sums));
    return wide;
  });
}

/**
 * @param {string} currency
 * @param {Map<string, Sums>} sums
 */
function bars(currency, sums) {
  const days = [...sums];
  const most = Math.max(1, ...days.flatMap(([, sum]) => [sum.came, sum.went]));
  const height = (/** @type {number} */ sum) => (sum / most) * HALF;
  const title = `Settlement in ${currency}, ${days[0]?.[0]} to ${days.at(-1)?.[0]}; the table below has the numbers.`;
  const drawn = days.flatMap(([, sum], at) => {
    const x = at * STEP + 4;
    const bar = (/** @type {string} */ kind, /** @type {number} */ y, /** @type {number} */ size) =>
      svg("rect", { class: kind, x, y, width: STEP - 8, height: size });
    return [
      bar("came", HALF - height(sum.came), height(sum.came)),
      bar("went", HALF, height(sum.went)),
    ];
  });
  const plot = document.createElement("div");
  plot.className = "plot";
  plot.append(
    words([`${money(most)} ${currency}`]),
    svg(
      "svg",
      { viewBox: `0 0 ${DAYS * STEP} ${2 * HALF}`, role: "img", "aria-label": title },
      ...drawn,
      svg("line", { x1: 0, x2: DAYS * STEP, y1: HALF, y2: HALF }),
    ),
    words(days.map(([day]) => day.slice(5))),
  );
  return plot;
}

/**
 * What stands beside the bars, for eyes alone: the table says it too.
 * @param {string[]} texts
 */
function words(texts) {
  const row = document.createElement("div");
  row.className = "words";
  row.setAttribute("aria-hidden", "true");
  for (const text of texts) row.append(Object.assign(document.createElement("span"), { textContent: text }));
  return row;
}

/**
 * @param {string} currency
 * @param {Map<string, Sums>} sums
 */
function table(currency, sums) {
  const table = document.createElement("table");
  table.createCaption().textContent = `Settlement in ${currency}`;
  const head = table.createTHead().insertRow();
  for (const name of ["Day", "Came", "Went", "Commission", "Sum"]) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = name;
    if (name !== "Day") cell.className = "number";
    head.append(cell);
  }
  const body = table.createTBody();
  for (const [day, sum] of sums) {
    if (sum.came + sum.went + sum.commission === 0) continue;
    const row = body.insertRow();
    row.insertCell().textContent = day;
    for (const amount of [sum.came, sum.went, sum.commission, sum.came - sum.went]) {
      const cell = row.insertCell();
      cell.className = "number";
      cell.textContent = money(amount);
    }
  }
  return table;
}

/** @param {number} hundredths */
function money(hundredths) {
  const digits = String(Math.abs(hundredths)).padStart(3, "0");
  return `${hundredths < 0 ? "\u2212" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {Node[]} children
 */
function svg(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

const DAYS = 14;

/** Width of a day, height of each half. */
const STEP = 46;
const HALF = 100;
