// @ts-check
import { startCardForm } from './card-form.js';

startCardForm({ page: 'payout', type: 'pan_only' });
