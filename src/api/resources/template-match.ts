/** An artifact that a template names. */
interface ArtifactSlot {
  readonly artifact: string;
}

/** An attestation that a template asks for. */
export interface AttestationSlot {
  /** The name of the artifact that it is about; undefined when it is about the trail. */
  readonly artifact: string | undefined;
  readonly attestation: string;
  /** A kind of attestation, `custom:<name>`, or `*` for any. */
  readonly type: string;
}

export type Slot = ArtifactSlot | AttestationSlot;

/** What a template has to do with a record that was just made. */
export type TemplateMatch =
  /** It asks for this record. */
  | { readonly result: "met" }
  /** It asks for others of the sort, of which the nearest is given where it is known. */
  | { readonly result: "unmet"; readonly nearest?: Slot }
  /** It asks for nothing of the sort: no artifact, or no attestation. */
  | { readonly result: "nothing-asked" };

/** The header of an answer that says it. */
export const TEMPLATE_MATCH_HEADER = "X-Template-Match";

/**
 * Parsers of HTTP take some kilobytes of headers in all. Names are short, but what a template says of types need not
 * be.
 */
const MAX_HEADER = 2_000;

/** The header's text. It is ASCII whatever the names are. */
export function formatTemplateMatch(match: TemplateMatch): string {
  const { result } = match;
  const nearest = match.result === "unmet" ? Object.entries(match.nearest ?? {}) : [];
  const fields = nearest.filter(([, value]) => value !== undefined);
  const text = new URLSearchParams([["result", result], ...fields]).toString();
  return text.length <= MAX_HEADER ? text : `result=${result}`;
}

/** What the header says; undefined when the service does not send it. */
export function readTemplateMatch(header: unknown): TemplateMatch | undefined {
  if (typeof header !== "string") return undefined;
  const fields = new URLSearchParams(header);
  const result = fields.get("result");
  if (result === "met" || result === "nothing-asked") return { result };
  if (result !== "unmet") return undefined;
  const nearest = slotOf(fields);
  return { result, ...(nearest && { nearest }) };
}

function slotOf(fields: URLSearchParams): Slot | undefined {
  const artifact = fields.get("artifact") ?? undefined;
  const attestation = fields.get("attestation");
  const type = fields.get("type");
  if (attestation !== null && type !== null) return { artifact, attestation, type };
  return attestation === null && artifact !== undefined ? { artifact } : undefined;
}

/** A slot as users name it: `unit-test`, `app.unit-test`, or `app` for an artifact. */
export function nameOfSlot(slot: Slot): string {
  if (!("attestation" in slot)) return slot.artifact;
  return slot.artifact === undefined ? slot.attestation : `${slot.artifact}.${slot.attestation}`;
}
