import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import type { PageRequest } from "../page.ts";
import type { Html } from "../parts/html.ts";
import type { Table } from "../parts/table.ts";

interface KindSection {
  /** Explains the result, as a sentence without its full stop. */
  readonly sentence: string;
  readonly tables: readonly Table[];
  readonly more?: Html;
}

export type ShowKind = (
  record: AttestationRecord,
  request: PageRequest,
) => KindSection | Promise<KindSection>;

export function isOverride({ originalAttestationType }: AttestationRecord): boolean {
  return originalAttestationType !== undefined && originalAttestationType !== null;
}

/** The judged kind with the same results as facts: `junit` for `system:junit`. Other types stay as they are. */
export function judgedType(type: string): string {
  return type.replace(/^system:/, "");
}
