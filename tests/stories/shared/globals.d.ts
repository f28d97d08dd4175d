/** What `record.js` keeps in each story's page. */
interface Heard {
  tokens: { token: string; expires_at: string; card_mask: string }[];
  errors: { code: string; retryable: boolean; message: string }[];
  ready: unknown[];
  refused: { id: string; message: string; retryable?: boolean }[];
  changes: any[];
  messages: { type: string }[];
  console: string[];
}

declare const widget: { open(): void; close(): void; update(params: object): void; setLang(lang: string): void };
declare function openWidget(params?: object): void;

interface Window {
  heard: Heard;
  widget: typeof widget;
  openWidget: typeof openWidget;
}
