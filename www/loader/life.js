// @ts-check
/**
 * The life of one widget, as one table: what each event does in each state. `docs/life-cycle.md` shows it with words;
 * nothing else in the loader decides what comes after what.
 *
 * @typedef {'idle' | 'loading' | 'ready' | 'refused' | 'destroyed'} State
 * @typedef {keyof typeof LIFE} Event
 * @typedef {'show' | 'hide' | 'connect' | 'heard' | 'work' | 'calm' | 'drop' | 'settle' | 'fail' | 'end' | 'release'} Effect
 */

/**
 * @param {State} state
 * @param {Event} event
 * @returns {[next: State, ...effects: Effect[]]} What the page is told comes last: its handlers may call the widget again.
 */
export function step(state, event) {
  const cell = LIFE[event][STATES.indexOf(state)];
  return /** @type {[State, ...Effect[]]} */ (cell ? cell.split(' ') : [state]);
}

/**
 * `idle`: no frame. `loading`: a frame that has not said that it works. `ready`: a form. `refused`: a frame that says why
 * there is no form. `destroyed`: over.
 *
 * @type {State[]} The columns of the table.
 */
export const STATES = ['idle', 'loading', 'ready', 'refused', 'destroyed'];

// A cell: the next state, then the effects in their order. An empty one: nothing happens.
export const LIFE = {
  // What the shop asks for. `nowhere`: to open, but the element is not in the page.
  open: ['loading show', '', '', 'loading hide show', ''],
  nowhere: ['idle fail', '', '', 'idle hide fail', ''],
  closed: ['idle hide settle', 'idle hide settle end', 'idle hide settle end', 'idle hide settle', ''],
  destroyed: ['destroyed hide settle release', 'destroyed hide settle end release', 'destroyed hide settle end release', 'destroyed hide settle release', ''],
  aborted: ['destroyed hide settle release', 'destroyed hide settle end release', 'destroyed hide settle end release', 'destroyed hide settle release', ''],
  // What the page does: the frame is taken out, the element goes to another widget, the back/forward cache.
  removed: ['', 'idle hide settle end', 'idle hide settle end', 'idle hide settle', ''],
  replaced: ['idle hide settle', 'idle hide settle end', 'idle hide settle end', 'idle hide settle', ''],
  hidden: ['', 'loading calm drop', 'ready drop', '', ''],
  restored: ['', 'loading hide show', 'loading hide show', '', ''],
  // What the frame does: a document has loaded in it; it speaks; it works; it says that it never will.
  load: ['', 'loading connect', 'loading drop connect', 'loading connect', ''],
  alive: ['', 'loading heard', '', '', ''],
  ready: ['', 'ready calm work', '', '', ''],
  refusal: ['', 'refused calm fail', 'refused calm fail', '', ''],
  // What is found out when it says nothing: a policy of the page, no way to the service, no answer in time.
  blocked: ['', 'idle hide fail', 'idle hide fail', '', ''],
  unreachable: ['', 'idle hide fail', '', '', ''],
  deadline: ['', 'idle hide fail', '', '', ''],
};
