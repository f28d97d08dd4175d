// @ts-check
import { startCardForm } from './card-form.js';

startCardForm({ page: 'checkout', type: 'full_card' });
