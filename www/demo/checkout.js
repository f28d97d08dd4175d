// @ts-check
import { startCardForm } from './card-form.js';
import { followOrder } from './order-form.js';

const { pay } = followOrder();
startCardForm({ page: 'checkout', type: 'full_card', next: ({ token }) => pay({ way: 'card', token }) });
