import { type Expression, type SqlBool, sql } from "kysely";
import { foldCase } from "../kernel/fold-case.ts";

/** Whether a column holds a text, in any letter case, as a condition on a query. */
export function holdsText(column: string, text: string): Expression<SqlBool> {
  return sql<SqlBool>`instr(fold_case(${sql.ref(column)}), ${foldCase(text)}) > 0`;
}
