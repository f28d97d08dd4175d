// @ts-check
// Shows a project of the sandbox, once a second. Credentials stay in this window and go with it.

import { plots } from "./plot.js";

/** @type {string | undefined} */
let authorization;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** What was drawn last: what has not changed stays, with what is open in it. */
let drawn = "";

const login = /** @type {HTMLFormElement} */ (byId("login"));
const advance = /** @type {HTMLFormElement} */ (byId("advance"));

login.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = new FormData(login);
  const bytes = new TextEncoder().encode(`${form.get("login")}:${form.get("password")}`);
  authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`;
  void watch();
  void plot();
});

advance.addEventListener("submit", async (event) => {
  event.preventDefault();
  const seconds = Number(new FormData(advance).get("seconds"));
  const button = /** @type {HTMLButtonElement} */ (advance.querySelector("button"));
  button.disabled = true;
  try {
    await ask("POST", "clock/advance", { seconds });
    await watch();
    await plot();
  } catch (error) {
    leave(String(error));
  } finally {
    button.disabled = false;
  }
});

byId("plot").addEventListener("click", () => void plot());

byId("leave").addEventListener("click", () => leave(""));

async function watch() {
  clearTimeout(timer);
  const asked = authorization;
  try {
    const overview = await ask("GET", "overview");
    if (asked !== authorization) return;
    show(overview);
    timer = setTimeout(watch, 1000);
  } catch (error) {
    if (asked === authorization) leave(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
async function ask(method, path, body) {
  const answer = await fetch(path.startsWith("/") ? path : `/sandbox/v1/${path}`, {
    method,
    headers: { authorization: authorization ?? "" },
    body: body && JSON.stringify(body),
    credentials: "omit",
  });
  const told = answer.status === 204 ? {} : await answer.json();
  if (!answer.ok) throw new Error(told.message);
  return told;
}

/** Draws the settlement register of the last two weeks, by the project's clock. */
async function plot() {
  const asked = authorization;
  try {
    const { now } = await ask("GET", "clock");
    const to = now.slice(0, 10);
    const from = new Date(Date.parse(to) - 13 * 86_400_000).toISOString().slice(0, 10);
    const { payments } = await ask("POST", "/api/reports/v1/payments", {
      date_from: from,
      date_to: to,
      fields: ["payout_date", "currency", "payout_amount", "internal_commission"],
    });
    if (asked !== authorization) return;
    const drawn = plots(payments, from);
    byId("plots").replaceChildren(...(drawn.length > 0 ? drawn : ["Nothing was settled."]));
  } catch (error) {
    byId("plots").replaceChildren(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} problem */
function leave(problem) {
  clearTimeout(timer);
  authorization = undefined;
  drawn = "";
  login.hidden = false;
  byId("shown").hidden = true;
  byId("plots").replaceChildren();
  byId("clock").textContent = "";
  byId("problem").textContent = problem;
}

/** @param {any} overview */
function show(overview) {
  login.hidden = true;
  byId("problem").textContent = "";
  byId("shown").hidden = false;
  byId("project").textContent = overview.project;
  byId("clock").textContent = time(overview.now);
  const now = JSON.stringify({ ...overview, now: undefined });
  if (now === drawn) return;
  drawn = now;
  rows("balances", Object.entries(overview.balances), ([currency, balance]) => [
    currency,
    balance.refunds,
    balance.payouts,
    balance.reserved,
  ]);
  rows("operations", overview.operations, (operation) => [
    time(operation.created_at),
    operation.external_id,
    `${operation.operation} (${operation.method})`,
    `${operation.amount} ${operation.currency}`,
    operation.card_mask ?? "",
    status(operation.status, operation.status_code),
  ]);
  byId("asked").hidden = overview.pushes.length === 0;
  rows("pushes", overview.pushes, (push) => [
    time(push.created_at),
    push.external_id,
    push.bank_name,
    push.phone ?? "",
    `${push.amount} ${push.currency} in ${push.parts_count}`,
    answers(push),
  ]);
  rows("tokens", overview.tokens, (token) => [time(token.issued_at), token.card_mask, token.widget_key]);
  const open = new Set([...document.querySelectorAll("details[open]")].map((details) => details.id));
  const callbacks = overview.callbacks.map(callback);
  for (const details of callbacks) details.open = open.has(details.id);
  byId("callbacks").replaceChildren(...(callbacks.length > 0 ? callbacks : ["None yet."]));
  const faults = overview.faults.map((/** @type {any} */ fault) =>
    element("li", {}, `${fault.kind} at ${fault.path}, ${fault.times} to come`),
  );
  byId("faults").replaceChildren(...(faults.length > 0 ? faults : [element("li", {}, "None.")]));
}

/**
 * @param {any} callback
 * @returns {HTMLDetailsElement}
 */
function callback(callback) {
  const good = callback.state === "delivered" ? "good" : callback.state === "given_up" ? "bad" : "";
  const attempts = callback.attempts.map((/** @type {any} */ attempt) =>
    element(
      "li",
      {},
      `${time(attempt.at)}: ${attempt.status ?? attempt.error}, ${attempt.milliseconds} ms, signature ${attempt.signature}`,
    ),
  );
  const made = element(
    "details",
    { id: `callback-${callback.id}-${callback.seq}` },
    element(
      "summary",
      {},
      `${time(callback.created_at)} ${callback.external_id} ${callback.operation} → ${callback.url} `,
      element("span", { class: good }, callback.state),
    ),
    element("ol", {}, ...attempts),
    element("pre", {}, pretty(callback.body)),
  );
  return /** @type {HTMLDetailsElement} */ (made);
}

/**
 * What the payer can say to a bank's question in its app.
 *
 * @param {any} push
 */
function answers(push) {
  const button = (/** @type {string} */ text, /** @type {boolean} */ agrees) => {
    const made = /** @type {HTMLButtonElement} */ (element("button", { type: "button", "aria-label": `${text}: ${push.external_id}` }, text));
    made.addEventListener("click", async () => {
      made.disabled = true;
      try {
        await ask("POST", `pushes/${push.id}`, { agrees });
        await watch();
      } catch (error) {
        leave(error instanceof Error ? error.message : String(error));
      }
    });
    return made;
  };
  return element("span", {}, button("Agree", true), " ", button("Refuse", false));
}

/**
 * @param {string} id
 * @param {any[]} items
 * @param {(item: any) => (string | Node)[]} cells
 */
function rows(id, items, cells) {
  const made = items.map((item) => element("tr", {}, ...cells(item).map((cell) => element("td", {}, cell))));
  byId(id).replaceChildren(...made);
}

/**
 * @param {string} status
 * @param {string} code
 */
function status(status, code) {
  const good = status === "success" ? "good" : status === "failure" ? "bad" : "";
  return element("span", { class: good }, `${status}: ${code}`);
}

/** @param {string} text */
function time(text) {
  return text.replace("T", " ").replace(/\.\d+Z$|Z$/, " UTC");
}

/** @param {string} body */
function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {(string | Node)[]} children
 */
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** @param {string} id */
function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
}

export {};
