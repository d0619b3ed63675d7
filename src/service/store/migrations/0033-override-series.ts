import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { fieldsOf } from "../../kernel/json-column.ts";
import { newId } from "../ids.ts";

/** What this step reads and changes. */
interface OldTables {
  attestations: {
    sequence: number;
    org_id: string;
    flow_id: string;
    series_id: string;
    name: string;
    is_compliant: number;
    details: string;
  };
  attestation_series: {
    id: string;
    org_id: string;
    flow_id: string;
    name: string;
    type: string;
    is_compliant: number;
  };
}

const TYPE = "override";
const SLICE = 500;

/** Overrides are found by a type of their own, not by the type that they override. */
export const overrideSeries: Migration = {
  up: async (db: Kysely<OldTables>) => {
    for (let after = 0; ; ) {
      const rows = await db
        .selectFrom("attestations")
        .select(["sequence", "org_id", "flow_id", "name", "is_compliant", "details"])
        .where("details", "like", '%"original_attestation_type"%')
        .where("sequence", ">", after)
        .orderBy("sequence")
        .limit(SLICE)
        .execute();
      for (const { sequence, details, ...row } of rows) {
        after = sequence;
        if (typeof fieldsOf(details)["original_attestation_type"] !== "string") continue;
        const key = { ...row, type: TYPE };
        const known = await db
          .selectFrom("attestation_series")
          .select("id")
          .where("flow_id", "=", key.flow_id)
          .where("name", "=", key.name)
          .where("type", "=", key.type)
          .where("is_compliant", "=", key.is_compliant)
          .executeTakeFirst();
        const id = known?.id ?? newId();
        if (!known)
          await db
            .insertInto("attestation_series")
            .values({ ...key, id })
            .execute();
        await db
          .updateTable("attestations")
          .set({ series_id: id })
          .where("sequence", "=", sequence)
          .execute();
      }
      if (rows.length < SLICE) return;
    }
  },
};
