/** The page's callback under its bare name; `typeof` of it is safe also where it is not declared. */
declare const __onWidgetReady: unknown;
