/** What the frame's inline script keeps for the module that attaches later. */
interface EarlyFrame {
  /** What the page holds for the form: boot data, texts, form type, language. */
  data: { boot: { origin: string }; texts: { codes: { service: string } } };
  /** The shop's port, once the loader has handed it over. */
  port: Promise<MessagePort>;
  /** The person has submitted before anybody could act on it. */
  submit: boolean;
  /** A composition (IME) is under way: no value may be changed. */
  composing: boolean;
  /** Tells person and shop that this document will not become a working form. `message` is for the shop's developer. */
  fail(message: string): void;
}

interface Window {
  cardWidgetEarly: EarlyFrame;
}
