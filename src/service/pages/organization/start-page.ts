import { definePage } from "../page.ts";

/** `/` is the organization of whoever is signed in. */
export const startPage = definePage({
  path: "/",
  audience: "accounts",
  show: async ({ to }) => ({ redirect: to.page() }),
});
