/**
 * react-payment-inputs with React: the page's own form, rendered by React with the library's props on the three inputs.
 * What never changes is made once, so that React passes over it.
 */
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { usePaymentInputs } from 'react-payment-inputs';

const template = document.getElementById('form');

function Form() {
  const { meta, getCardNumberProps, getExpiryDateProps, getCVCProps } = usePaymentInputs({ autoFocus: false });
  const { cardType, erroredInputs, touchedInputs } = meta;
  const inputs = { number: getCardNumberProps, expiry: getExpiryDateProps, code: getCVCProps };
  const errors = { number: 'cardNumber', expiry: 'expiryDate', code: 'cvc' };
  const error = (id) => touchedInputs[errors[id]] && erroredInputs[errors[id]];
  return render(template, (id, attributes, children) => {
    const field = id.replace('-note', '');
    if (id in inputs) {
      const props = inputs[id]({ ...attributes, name: undefined, placeholder: attributes.placeholder });
      return createElement('input', { ...props, 'aria-label': undefined, 'aria-invalid': Boolean(error(id)) });
    }
    if (id === 'brand' && !document.getElementById('mark')) return createElement('span', attributes, cardType?.displayName);
    if (id === 'mark') return createElement('use', { ...attributes, href: cardType && `#mark-${cardType.type}` });
    if (field in errors && id.endsWith('-note') && error(field)) {
      return createElement('p', { ...attributes, 'data-error': 'true' }, error(field));
    }
    return children;
  });
}

const DYNAMIC = ['number', 'expiry', 'code', 'brand', 'mark', 'number-note', 'expiry-note', 'code-note'];
const constant = new Map();

/** React's elements for a part of the page. `replace` is asked for those that change. */
function render(node, replace, key = 0) {
  if (node.nodeType !== Node.ELEMENT_NODE) return node.nodeType === Node.TEXT_NODE ? node.data : null;
  if (constant.has(node)) return constant.get(node);
  const attributes = { key };
  for (const { name, value } of node.attributes) attributes[name] = value === '' ? true : value;
  const element = createElement(node.localName, attributes, ...[...node.childNodes].map((child, at) => render(child, replace, at)));
  if (DYNAMIC.includes(node.id)) return replace(node.id, attributes, element);
  if (!node.querySelector(DYNAMIC.map((id) => `#${id}`).join())) constant.set(node, element);
  return element;
}

const root = document.createElement('div');
template.replaceWith(root);
flushSync(() => createRoot(root).render(createElement(Form)));
