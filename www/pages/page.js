// @ts-check
/**
 * What the pages do beyond HTML: show the card form, count the time, and find out what happened elsewhere. It decides nothing:
 * that is the server's, and the page works for saved cards without it.
 */
const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', () => resolve(undefined)));

/** @param {string} id */
const byId = (id) => document.getElementById(id);

/** Whether a form is on its way: the first one counts. */
let isSent = false;

window.__onWidgetReady = () => parsed.then(openForm);
document.addEventListener('widget-init-error', showProblem);
addEventListener('error', ({ target }) => {
  if (target instanceof HTMLScriptElement) showProblem();
  // Pictures of cards are taken away over time; below each is a plain card.
  if (target instanceof HTMLImageElement) target.removeAttribute('src');
}, true);

parsed.then(() => {
  const { documentElement: root } = document;
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll('time'))) {
    time.textContent = new Intl.DateTimeFormat(root.lang, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time.dateTime));
  }
  for (const form of document.forms) form.addEventListener('submit', send);
  countDown();
  if ('waits' in document.body.dataset) setInterval(look, 1500);
});

// Another window may have paid, and a page that comes back from the browser's cache is of yesterday.
addEventListener('visibilitychange', () => { if (!document.hidden) look(); });
addEventListener('pageshow', ({ persisted }) => { if (persisted) reload(); });

function openForm() {
  const host = byId('card');
  const { CardWidget } = window;
  if (!host || !CardWidget) return;
  const { key = '', amount, currency, submit = '' } = host.dataset;
  const { lang, dataset } = document.documentElement;
  const keep = /** @type {HTMLElement | null} */ (document.querySelector('.keep'));
  if (keep) keep.hidden = false;
  const widget = CardWidget.init({
    key,
    mode: 'inline',
    selector: 'card',
    lang: /** @type {'en'} */ (lang),
    colorScheme: dataset.scheme === 'dark' ? 'dark' : 'light',
    ...(amount ? { amount: Number(amount), currency } : { locale: { [lang]: { submit } } }),
    onToken({ token }) {
      const form = /** @type {HTMLFormElement} */ (byId('with-token'));
      /** @type {HTMLInputElement} */ (form.elements.namedItem('token')).value = token;
      form.requestSubmit();
    },
  });
  widget.open();
}

function showProblem() {
  parsed.then(() => {
    const [problem, card] = [byId('form-problem'), byId('card')];
    if (problem) problem.hidden = false;
    if (card) card.hidden = true;
  });
}

/** @param {SubmitEvent} event */
function send(event) {
  if (isSent) {
    event.preventDefault();
    return;
  }
  isSent = true;
  const sending = byId('sending');
  if (sending) sending.textContent = sending.dataset.text ?? '';
  document.body.setAttribute('aria-busy', 'true');
  // Not before the form was read: a button that is disabled is not part of it.
  setTimeout(() => { for (const button of document.querySelectorAll('button')) button.disabled = true; });
}

function countDown() {
  const clock = byId('left');
  const line = /** @type {HTMLElement | null} */ (document.querySelector('[data-left]'));
  const timer = clock?.querySelector('[role=timer]');
  if (!clock || !line || !timer) return;
  const end = performance.now() + 1000 * Number(line.dataset.left);
  const show = () => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    const parts = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60].map((part) => String(part).padStart(2, '0'));
    timer.textContent = parts.slice(left < 3600 ? 1 : 0).join(':');
    if (left === 0 && !isSent) reload();
  };
  show();
  setInterval(show, 1000);
  clock.hidden = false;
  for (const element of line.querySelectorAll('[data-without-script]')) element.remove();
}

/** Asks whether the page is still true. */
async function look() {
  const { version } = document.body.dataset;
  if (isSent || !version) return;
  const answer = await fetch(`${location.pathname}/state`).catch(() => undefined);
  if (answer?.ok && (await answer.json()).version !== version && !isSent) reload();
}

/** By its address, so that a form is not sent again. */
function reload() {
  location.replace(location.href);
}
