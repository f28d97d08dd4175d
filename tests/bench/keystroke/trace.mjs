// @ts-check
/** Reads what a key cost out of the browser's own trace, the one behind the performance panel of its tools. */

/** Tasks of a thread, and what runs in them. */
export const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];

/** What the shop's page says by `console.timeStamp`, to be known in the trace. */
export const MARK = 'shop';

/**
 * Microseconds of a thread's own time, so that other programs on the machine do not count.
 *
 * @typedef {object} Key
 * @property {number} whole All tasks of the main threads of frame and shop, until the next key: events, style, layout,
 *   paint, timers, messages.
 * @property {number} event The dispatch of all events, from `keydown` over `input` to `selectionchange`, with the scripts
 *   and layouts inside.
 * @property {Record<string, number>} parts Where the frame's time goes, by kind, without what is nested.
 *
 * @typedef {{ name: string, ph: string, ts: number, dur: number, tdur: number, pid: number, tid: number, args: any }} Event
 */

/** Names in the trace, and what they are called here. */
const KINDS = {
  EventDispatch: 'events',
  FunctionCall: 'script',
  EvaluateScript: 'script',
  FireAnimationFrame: 'script',
  TimerFire: 'script',
  RunMicrotasks: 'script',
  'v8.callFunction': 'script',
  MinorGC: 'collector',
  MajorGC: 'collector',
  'V8.GC_SCAVENGER': 'collector',
  UpdateLayoutTree: 'style',
  Layout: 'layout',
  PrePaint: 'paint',
  Paint: 'paint',
  Layerize: 'paint',
  UpdateLayer: 'paint',
  Commit: 'paint',
  FireIdleCallback: 'idle',
};

/**
 * @param {Event[]} events
 * @returns {Key[]} One for each `keydown`, in order; the last one ends with the trace.
 */
export function keys(events) {
  const shop = events.find(({ name, args }) => name === 'TimeStamp' && args.data.message === MARK);
  const downs = events.filter(({ name, args }) => name === 'EventDispatch' && args.data.type === 'keydown');
  if (!shop || !downs.length) throw new Error('the trace holds no key, or no mark');
  const { pid, tid } = downs[0];
  const complete = events.filter(({ ph }) => ph === 'X').sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const frame = complete.filter((event) => event.pid === pid && event.tid === tid);
  const other = complete.filter((event) => event.pid === shop.pid && event.tid === shop.tid && event.name === 'RunTask');
  const tasks = frame.filter(({ name }) => name === 'RunTask');
  const starts = downs.map(({ ts }) => tasks.findLast((task) => task.ts <= ts)?.ts ?? ts);
  const inner = selfTimes(frame);
  const dispatches = inner.filter(({ event, dispatch }) => event.name === 'EventDispatch' && !dispatch).map(({ event }) => event);
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? Infinity;
    /** @type {(event: Event) => boolean} */
    const within = ({ ts }) => ts >= start && ts < end;
    const own = tasks.filter(within);
    /** @type {Record<string, number>} */
    const parts = {};
    for (const { event, time } of inner) {
      if (!within(event)) continue;
      const kind = KINDS[/** @type {keyof typeof KINDS} */ (event.name)] ?? 'other';
      parts[kind] = (parts[kind] ?? 0) + time;
    }
    return { whole: sum([...own, ...other.filter(within)]), event: sum(dispatches.filter(within)), parts };
  });
}

/** @param {Event[]} events */
function sum(events) {
  return events.reduce((total, { tdur }) => total + (tdur ?? 0), 0);
}

/**
 * Each event's time without that of the events inside it, and whether it runs inside a dispatch.
 *
 * @param {Event[]} events Of one thread, in order.
 */
function selfTimes(events) {
  /** @type {{ event: Event, time: number, dispatch: boolean }[]} */
  const all = [];
  /** @type {typeof all} */
  const open = [];
  for (const event of events) {
    while (open.length && open[open.length - 1].event.ts + open[open.length - 1].event.dur <= event.ts) open.pop();
    const parent = open[open.length - 1];
    const dispatch = Boolean(parent && (parent.dispatch || parent.event.name === 'EventDispatch'));
    const own = { event, time: event.tdur ?? 0, dispatch };
    if (parent) parent.time -= own.time;
    all.push(own);
    open.push(own);
  }
  return all;
}
