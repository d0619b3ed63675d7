import { sql } from "kysely";
import type { Store } from "../store/store.ts";
import type { Answer } from "./error-answer.ts";

/** Whether the service can serve: 200, or 503 with the reason. */
export async function readiness(store: Store, version: string): Promise<Answer> {
  try {
    await sql`select 1`.execute(store.read);
    return { status: 200, headers: {}, body: JSON.stringify({ status: "ready", version }) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { status: 503, headers: {}, body: JSON.stringify({ status: reason, version }) };
  }
}
