import type { Projection } from "../types/event-types.ts";
import { auditLog } from "./audit-log.ts";
import { compliance } from "./compliance.ts";
import { environmentNotifications } from "./environment-notifications.ts";
import { notifications } from "./notifications.ts";
import { origins } from "./origins.ts";
import { search } from "./search.ts";

/** In the order of their writes. */
export const PROJECTIONS: Readonly<Record<string, Projection>> = {
  auditLog,
  compliance,
  origins,
  search,
  notifications,
  environmentNotifications,
};
