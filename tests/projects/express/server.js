// Callbacks in Express: before a parser, behind one that keeps the bytes, and behind one that does not.
import { loadCallbacks } from 'card-widget/client';
import express from 'express';

const callbacks = await loadCallbacks({ password: 'your_password' });
const heard = [];
const hear = callbacks.express(({ kind }) => { heard.push(kind); });
const app = express();
app.get('/', (_, response) => { response.json(heard); });
app.post('/plain', hear);
app.post('/raw', express.raw({ type: '*/*' }), hear);
app.post('/parsed', express.json({ type: '*/*' }), hear);
// A sentence for whoever has put it behind a parser.
app.use((error, _request, response, _next) => { response.status(500).send(error.message); });
app.listen(Number(process.env.PORT), '127.0.0.1');
