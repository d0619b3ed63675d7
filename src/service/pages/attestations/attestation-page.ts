import { html } from "hono/html";
import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import { Invalid } from "../../kernel/errors.ts";
import type { Html } from "../html.ts";
import { definePage, type PageRequest } from "../page.ts";
import { commitFacts } from "../parts/commit.ts";
import { data } from "../parts/data.ts";
import { digest } from "../parts/digest.ts";
import { facts } from "../parts/facts.ts";
import { choice, field } from "../parts/field.ts";
import { link, safeLink } from "../parts/link.ts";
import { originFacts } from "../parts/origin.ts";
import { longText, text } from "../parts/text.ts";
import { time } from "../parts/time.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { historyTable, seriesOf, verdictOf } from "./history.ts";
import { isOverride, kindOf } from "./kinds/kinds.ts";
import { requireAttestation } from "./record.ts";

type Named = { readonly flow: string; readonly trail: string; readonly id: string };

/** An attestation: its verdict and why, what it speaks of, and the files that show it. */
export const attestationPage = definePage({
  path: "/:org/flows/:flow/trails/:trail/attestations/:id",
  audience: "everybody",
  subject: ({ flow, trail }) => ({ kind: "trail", place: flow, name: trail }),
  async show(request) {
    const { params, may, to } = request;
    const record = await requireAttestation(request, params);
    const { flow, trail } = params;
    const path = (...steps: string[]) => to.page("flows", flow, "trails", trail, ...steps);
    const [{ sentence, tables, more }, series] = await Promise.all([
      kindOf(record)(record, request),
      seriesOf(record, params, request),
    ]);
    const history = historyTable(record, series, request);
    const latest = series.at(0) ?? record;
    const mayOverride = may("overrideAttestation", { flowName: params.flow });
    const { artifactFingerprint: fingerprint, overriddenAttestationId: overridden } = record;
    return {
      title: `Attestation ${record.attestationName}`,
      above: [
        { name: "Flows", href: to.page("flows") },
        { name: flow, href: to.page("flows", flow) },
        { name: trail, href: path() },
      ],
      main: html`<p class="lead">${verdictOf(record)} ${text(sentence)}.</p>
${latest.attestationId === record.attestationId ? "" : html`<p class="warn"><strong>A later attestation of this name counts:</strong> ${link(path("attestations", latest.attestationId), latest.attestationName)} ${verdictOf(latest)}</p>`}
${record.description ? longText(record.description) : ""}
${facts([
  ["Type", text(typeOf(record))],
  ["Trail", link(path(), trail)],
  ["Artifact", fingerprint ? artifactLink(flow, fingerprint, request) : ""],
  ["For", record.targetArtifacts?.length ? text(record.targetArtifacts.join(", ")) : ""],
  ["Reported by", text(record.reportedBy)],
  ["Recorded", time(record.createdAt)],
  ["Made at", record.originUrl ? safeLink(record.originUrl) : ""],
  ...originFacts(record.origin, request),
  ["Spooled by", record.spooledBy ? text(record.spooledBy) : ""],
  [
    "Overrides",
    isOverride(record)
      ? overridden
        ? link(path("attestations", overridden), "the attestation before")
        : "nothing: it was never made"
      : "",
  ],
  ["Links", linksOf(record)],
  ["Annotations", annotationsOf(record)],
])}
${tables.map((each) => each.html)}
${more ?? ""}
${record.hasAuditPackage ? filesOf(record, path("attestations", record.attestationId, "evidence")) : ""}
${record.gitCommitInfo ? html`<h2>Commit</h2>${commitFacts(record.gitCommitInfo)}` : ""}
${series.length > 1 ? history.html : ""}
${userData(record.userData)}
${mayOverride && !isOverride(record) && latest.attestationId === record.attestationId ? overrideForm(request, record) : ""}`,
      tables: [...tables, history],
      json: { operation: "listAttestations", given: { attestationId: record.attestationId } },
      howTo: {
        title: "Record this attestation again",
        code: workflowStep(
          "attest",
          { flow, trail, name: record.attestationName, kind: kindInput(record.attestationType) },
          request,
        ),
      },
    };
  },
  async act(request) {
    const { params, sent, ask, to } = request;
    const record = await requireAttestation(request, params);
    const { flow, trail } = params;
    if (sent.get("confirm") !== record.attestationName) {
      throw new Invalid("Type the name of the attestation to override it");
    }
    await ask("overrideAttestation", {
      flowName: flow,
      trailName: trail,
      body: {
        attestationName: record.attestationName,
        originalAttestationType: record.attestationType,
        newComplianceStatus: sent.get("compliant") === "true",
        reason: sent.get("reason") ?? "",
        ...(record.artifactFingerprint ? { artifactFingerprint: record.artifactFingerprint } : {}),
      },
    });
    return { redirect: to.page("flows", flow, "trails", trail) };
  },
});

function artifactLink(flow: string, fingerprint: string, { to }: PageRequest<Named>): Html {
  return html`${digest(fingerprint)} ${link(to.page("flows", flow, "artifacts", fingerprint), "Open it")}`;
}

function linksOf({ externalUrls }: AttestationRecord): Html | undefined {
  const all = Object.entries(externalUrls ?? {});
  if (all.length === 0) return undefined;
  return html`<ul>${all.map(([label, each]) => html`<li>${safeLink(typeof each === "string" ? each : each.href, label)}</li>`)}</ul>`;
}

function annotationsOf({ annotations }: AttestationRecord): Html | undefined {
  const all = Object.entries(annotations ?? {});
  if (all.length === 0) return undefined;
  return html`<ul>${all.map(([key, value]) => html`<li>${text(`${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)}</li>`)}</ul>`;
}

/** Of a single file the interface tells the sha256; several come as an archive. */
function filesOf({ evidenceArchiveFingerprint: sha256 }: AttestationRecord, href: string): Html {
  return html`<h2>Files</h2>
<p><a href="${href}">${sha256 ? "Download the file" : "Download the files as an archive"}</a>${sha256 ? html`, sha256 ${digest(sha256)}` : ""}</p>`;
}

function typeOf(record: AttestationRecord): string {
  return isOverride(record) ? `override of ${record.originalAttestationType}` : record.attestationType;
}

/** The kind that the action takes for a type of the interface. */
function kindInput(type: string): string {
  if (type.startsWith("custom:")) return "custom";
  if (type === "system:decision") return "decision";
  return type === "pull_request" ? "pull-request" : type;
}

/** Data of one level is read at once; what is deeper is unfolded. */
function userData(value: unknown): Html {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return data("User data", value);
  const pairs = Object.entries(value);
  if (pairs.length === 0) return html``;
  const plain = pairs.flatMap(([name, each]) => {
    const isPlain = ["string", "number", "boolean"].includes(typeof each) || JSON.isRawJSON(each);
    return isPlain ? [[name, text(typeof each === "string" ? each : JSON.stringify(each))] as const] : [];
  });
  const deeper = pairs.length > plain.length ? data("All user data", value) : "";
  return html`<h2>User data</h2>${facts(plain)}${deeper}`;
}

function overrideForm({ form, kept }: PageRequest<Named>, { attestationName }: AttestationRecord): Html {
  return html`<details${kept("confirm") === "" ? "" : html` open`}><summary>Override this attestation</summary>${form(
    {
      content: html`<p>Its verdict is replaced, with your name and the reason beside it. Both stay on record.</p>
${choice({
  name: "compliant",
  label: "The verdict from now on",
  value: kept("compliant", "true"),
  options: [
    ["true", "COMPLIANT"],
    ["false", "NON-COMPLIANT"],
  ],
})}
${field({ name: "reason", label: "Reason", value: kept("reason"), isRequired: true })}
${field({ name: "confirm", label: `Type ${attestationName} to confirm`, isRequired: true })}
<p><button type="submit">Override</button></p>`,
      label: "Override this attestation",
    },
  )}</details>`;
}
