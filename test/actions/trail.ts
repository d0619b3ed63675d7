import { SHA } from "./bundle-run.ts";

interface Slot {
  readonly name: string;
  readonly type?: string;
  /** Null while missing. */
  readonly compliant: boolean | null;
  readonly unexpected?: boolean;
  readonly overrides?: string;
}

interface Given {
  readonly status?: "INCOMPLETE" | "COMPLIANT" | "NON-COMPLIANT";
  readonly slots?: readonly Slot[];
  /** The attestations of each reported artifact. */
  readonly artifacts?: Readonly<Record<string, readonly Slot[]>>;
  readonly name?: string;
  readonly html_url?: string;
}

/** A trail as the service returns it. */
export function trailWith({ status = "INCOMPLETE", slots = [], artifacts = {}, name = SHA, ...rest }: Given) {
  const reported = Object.entries(artifacts).map(([artifact, own]) => [
    artifact,
    { artifact_fingerprint: "a".repeat(64), status, attestations_statuses: own.map(slotStatus) },
  ]);
  return {
    name,
    last_modified_at: 1,
    created_at: 1,
    compliance_status: {
      status,
      is_compliant: status === "COMPLIANT",
      attestations_statuses: slots.map(slotStatus),
      artifacts_statuses: Object.fromEntries(reported),
    },
    template: { version: 1, trail: null },
    compliance_state: status,
    is_compliant: status === "COMPLIANT",
    created_by: "ci",
    flow: { name: "web" },
    html_url: `https://evidence.example/acme/flows/web/trails/${name}`,
    ...rest,
  };
}

function slotStatus({ name, type = "generic", compliant, unexpected = false, overrides }: Slot) {
  return {
    attestation_name: name,
    attestation_type: type,
    attestation_id: compliant === null ? null : `id-${name}`,
    overridden_attestation_id: overrides ?? null,
    status: compliant === null ? "MISSING" : "COMPLETE",
    is_compliant: compliant,
    unexpected,
  };
}
