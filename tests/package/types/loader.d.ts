// What the package's entry takes from the loader beside it.
import type { CardWidget } from './index.js';
export function createCardWidget(address: string): CardWidget;
