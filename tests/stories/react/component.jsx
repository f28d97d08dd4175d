import { StrictMode, useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

/** The component as a shop would write it: one effect that opens, and closes behind itself. */
function CardForm({ lang, amount, onToken }) {
  const host = useRef(null);
  const widget = useRef(null);
  useEffect(() => {
    widget.current = CardWidget.init({ key: 'wk_sandbox', mode: 'inline', selector: host.current, lang: 'en', onToken: (token) => onToken(token) });
    widget.current.open();
    return () => widget.current.destroy();
  }, []);
  useEffect(() => widget.current.update({ lang, amount, currency: 'EUR' }), [lang, amount]);
  return <div id="card" ref={host} />;
}

/** The same, but every change of a parameter makes a new widget: careless, and common. */
function Careless({ lang, amount }) {
  useEffect(() => {
    const widget = CardWidget.init({ key: 'wk_sandbox', mode: 'inline', selector: 'card', lang, amount, currency: 'EUR', onToken: (token) => heard.tokens.push(token) });
    widget.open();
    return () => widget.close();
  });
  return <div id="card" />;
}

function Shop() {
  const [route, setRoute] = useState(location.hash.slice(1));
  const [params, setParams] = useState({ lang: 'en', amount: 1 });
  useEffect(() => {
    window.setParams = setParams;
    // Single-page navigation.
    window.go = (to) => { history.pushState(null, '', '#' + to); setRoute(to); };
    const back = () => setRoute(location.hash.slice(1));
    addEventListener('popstate', back);
    return () => removeEventListener('popstate', back);
  }, []);
  const tell = (token) => heard.tokens.push(token);
  return (
    <main>
      <h1>{route}</h1>
      {route === 'pay' && <CardForm {...params} onToken={tell} />}
      {route === 'careless' && <Careless {...params} />}
      <p>below</p>
    </main>
  );
}

createRoot(document.getElementById('app')).render(<StrictMode><Shop /></StrictMode>);
