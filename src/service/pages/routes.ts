import { flowsPage } from "./flows/flows-page.ts";
import { organizationPage } from "./organization/organization-page.ts";
import { startPage } from "./organization/start-page.ts";
import type { PageRoute } from "./page.ts";

/** All pages but those of signing in. */
export const routes: readonly PageRoute[] = [startPage, organizationPage, flowsPage];
