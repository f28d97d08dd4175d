import { loadClient } from 'card-widget/client';

/** The shop's server asks for a payment; what the page may see of it goes there. */
export async function POST(request) {
  const { service, order } = await request.json();
  const client = await loadClient({ url: service, login: 'sandbox', password: 'sandbox-password' });
  const { action } = await client.payments.create({
    mode: 'hosted', amount: '100.50', currency: 'UAH', external_id: order, description: 'Two mugs', customer: { external_id: 'payer' },
  });
  return Response.json(action);
}
