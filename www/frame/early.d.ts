/** What the frame's inline script keeps for the module that attaches later. */
interface EarlyFrame {
  /** What the page holds for the form; `lang`, `texts` and `boot` are those in use later on. */
  data: {
    boot: { origin: string; now: number };
    /** Type of the form. */
    form: string;
    lang: string;
    texts: { codes: { service: string }; [name: string]: any };
    /** Address of the core in plain JavaScript; none where the service was built without it. */
    fallback?: string;
  };
  /** The shop's port, once the loader has handed it over. */
  port: Promise<MessagePort>;
  /** The person has submitted before anybody could act on it. */
  submit: boolean;
  /** What a press of the button does. */
  press(): void;
  /** A composition (IME) is under way: no value may be changed. */
  composing: boolean;
  /** Gives the page its looks; values that are not allowed are left out, with a warning to the shop. */
  paint(look: Partial<import('../shared/messages').Look>): void;
  /**
   * Tells person and shop that this document will not become a working form. Left out, the failure is `script_failed` of
   * `www/shared/codes.json`.
   */
  fail(failure?: Omit<import('../shared/messages').Failure, 'type' | 'stage' | 'correlation_id'>): void;
}

interface Window {
  cardWidgetEarly: EarlyFrame;
}
