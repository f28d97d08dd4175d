// @ts-check
'use client';
/**
 * The card form for React: a hook, and a component around it. The loader is given one element; whatever else React does
 * (twice in strict mode, on a server, in any order) ends in one form, or in none.
 *
 * @import { CardFormHandle, CardFormOptions, CardFormProps, CardFormState } from './react.js'
 * @import { ForwardedRef } from 'react'
 */
import { createElement, forwardRef, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { changes, mount, notOpen, refusal } from './mount.js';

/** @type {typeof import('./react.js').useCardForm} */
export function useCardForm(options) {
  const { url, widgetKey, type } = options;
  const [host, setHost] = useState(/** @type {Element | null} */ (null));
  const [state, setState] = useState(START);
  const form = useRef(/** @type {ReturnType<typeof mount> | null} */ (null));
  const latest = useRef(options);
  const sent = useRef('');
  const [calls] = useState(() => callsOf(form, () => setState((state) => (state.status === 'failed' || state.status === 'closed' ? START : state))));
  const wanted = JSON.stringify(changes(options));

  // Handlers of the last rendering are called, whichever the form was made with.
  useEffect(() => {
    latest.current = options;
  });

  useEffect(() => {
    if (!host) return;
    setState(START);
    sent.current = wanted;
    form.current = mount(host, latest.current, CALL, (event, value) => {
      setState((state) => follow(state, event, value));
      /** @type {any} */ (latest.current)['on' + event[0].toUpperCase() + event.slice(1)]?.(value);
    });
    return () => form.current?.destroy();
  }, [host, url, widgetKey, type]);

  useEffect(() => {
    if (form.current && sent.current !== wanted) form.current.update(latest.current);
    sent.current = wanted;
  }, [wanted]);

  return { ref: setHost, ...state, ...calls };
}

/** @type {typeof import('./react.js').CardForm} */
export const CardForm = forwardRef(
  (/** @type {CardFormProps} */ { className, id, ...options }, /** @type {ForwardedRef<CardFormHandle>} */ handle) => {
    const { ref, open, focus, clear, validate, submit } = useCardForm(options);
    useImperativeHandle(handle, () => ({ open, focus, clear, validate, submit }), []);
    return createElement('div', { ref, className, id });
  },
);
CardForm.displayName = 'CardForm';

/** @param {{ readonly current: ReturnType<typeof mount> | null }} form @param {() => void} restart @returns {CardFormHandle} */
const callsOf = (form, restart) => ({
  open() {
    restart();
    form.current?.open();
  },
  focus: (field) => form.current?.focus(field),
  clear: () => form.current?.clear(),
  validate: () => form.current?.validate() ?? refusal(notOpen(CALL)),
  submit: () => form.current?.submit() ?? refusal(notOpen(CALL)),
});

/**
 * How the form stands after an event.
 *
 * @param {CardFormState} state
 * @param {string} event
 * @param {any} value
 * @returns {CardFormState}
 */
function follow(state, event, value) {
  switch (event) {
    case 'ready':
      return { ...START, status: 'ready' };
    case 'change':
      return { ...state, change: value };
    case 'token':
      return { ...state, error: null };
    case 'error':
      return { ...state, error: value, status: value.stage === 'form' || value.stage === 'submit' ? state.status : 'failed' };
    case 'close':
      return { ...START, status: 'closed' };
    default:
      return state;
  }
}

/** @type {CardFormState} */
const START = { status: 'loading', change: null, error: null };
const CALL = 'CardForm';
