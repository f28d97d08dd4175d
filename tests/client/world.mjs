/** The packed client in a project of its own, a service that answers it, and servers that answer it badly. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackage } from '../package/pack.js';

export const LOGIN = { login: 'sandbox', password: 'sandbox-password' };

/** The entry, from an installed package. */
export async function openPackage() {
  const shop = installPackage();
  writeFileSync(join(shop.project, 'entry.js'), "export * from 'card-widget/client';");
  const entry = await import(pathToFileURL(join(shop.project, 'entry.js')).href);
  return { ...shop, ...entry };
}

/** A server on 127.0.0.1 that answers each request by the next of its answers, the last one again and again. */
export async function openServer() {
  const requests = [];
  let answers = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({ method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (typeof answer === 'function') return answer(request, response);
    const { status = 200, headers = {}, body = '' } = answer;
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    /** What it answers from now on. */
    answers(...next) {
      answers = next;
      requests.length = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What a promise rejects with. */
export const failure = (promise) => promise.then((value) => { throw new Error(`it resolved: ${JSON.stringify(value)}`); }, (error) => error);

/** A payment as the service answers it. */
export const PAYMENT = {
  id: '100000000000000001', external_id: 'o-1', unified_external_id: null, batch_external_id: null, project_id: 'sandbox', is_success: true,
  action_required: false, action: null, details: null, receipt_url: null, payment_method: null, customer: null, operation: 'payment', metadata: null,
  fiscalization: null,
};

/** A refusal as the service answers it. */
export const refusal = (code, more = {}) => ({ code, message: `it is ${code}`, param: '', payment_id: '', type: 'payment_error', error_id: 'e-1', ...more });
