import { loadCardWidget } from 'card-widget';
import Checkout from './checkout.jsx';

export const dynamic = 'force-dynamic';

/** Rendered on the server, where there is no widget to load. */
export default async function Page({ searchParams }) {
  const { service } = await searchParams;
  return (
    <main>
      <h1>{(await loadCardWidget(service)) === null ? 'From the server' : 'From nowhere'}</h1>
      <Checkout service={service} />
    </main>
  );
}
