import { migrations } from "./migrations.ts";

/** The step that the tables of this version have come to, of whichever engine. */
export const SCHEMA_STEP = Object.keys(migrations).at(-1) ?? "";
