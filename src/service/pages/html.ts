import type { html } from "hono/html";

/** HTML whose texts are escaped: what the tag `html` of hono gives. */
export type Html = ReturnType<typeof html>;
