import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import type { Table } from "../parts/table.ts";

/** What the page of an attestation shows of its kind. */
interface KindSection {
  /** Why the verdict is what it is, as a sentence without its full stop. */
  readonly sentence: string;
  readonly tables: readonly Table[];
  /** What stands beside the tables. */
  readonly more?: Html;
}

/** Makes what is shown of a kind. */
export type ShowKind = (
  record: AttestationRecord,
  request: Pick<PageRequest, "here" | "may" | "to" | "ask" | "viewer">,
) => KindSection | Promise<KindSection>;

/** `1 test`, `2 tests` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
