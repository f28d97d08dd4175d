// @ts-check
/**
 * What the shop waits for: one promise of a kind at a time, shared by all who ask meanwhile.
 *
 * @typedef {{ promise: Promise<any>, settle: (error?: unknown, value?: unknown) => void, guard?: number }} Answer
 * @typedef {'ready' | 'validate' | 'submit'} Kind
 * @typedef {{ [kind in Kind]?: Answer }} Answers
 */

/**
 * What is pending of that kind, else something new.
 *
 * @param {Answers} answers
 * @param {Kind} kind
 * @returns {Answer}
 */
export function wait(answers, kind) {
  return (answers[kind] ??= makeAnswer());
}

/** @returns {Answer} */
function makeAnswer() {
  /** @type {any} */
  const answer = {};
  answer.promise = new Promise((resolve, reject) => {
    answer.settle = (/** @type {unknown} */ error, /** @type {unknown} */ value) => (error ? reject(error) : resolve(value));
  });
  // A rejection that nobody looks at makes no noise: failures are told by events, too.
  answer.promise.catch(() => {});
  return answer;
}

/**
 * Settles what is pending of that kind.
 *
 * @param {Answers} answers
 * @param {Kind} kind
 * @param {unknown} [error]
 * @param {unknown} [value]
 */
export function settle(answers, kind, error, value) {
  const answer = answers[kind];
  delete answers[kind];
  clearTimeout(answer?.guard);
  answer?.settle(error, value);
}
