import { html } from "hono/html";
import { definePage } from "../page.ts";

/** What needs attention in an organization. */
export const organizationPage = definePage({
  path: "/:org",
  audience: "everybody",
  show: async ({ org }) => ({
    title: org,
    main: html``,
    json: { operation: "getOrganization", given: {} },
  }),
});
