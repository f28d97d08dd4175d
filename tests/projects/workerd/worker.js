// A shop's server at the network's edge. In a real one the address, login and password come from its environment.
import { loadClient } from 'card-widget/client';

export default {
  async fetch(request) {
    const query = new URL(request.url).searchParams;
    const url = query.get('service');
    if (!url) return new Response('It runs.');
    const client = await loadClient({ url, login: 'sandbox', password: 'sandbox-password' });
    const params = { mode: 'hosted', amount: '100.50', currency: 'UAH', external_id: query.get('order'), description: 'Two mugs', customer: { external_id: 'payer' } };
    const { action } = await client.payments.create(params);
    return Response.json(action);
  },
};
