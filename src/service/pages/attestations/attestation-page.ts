import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import type { LogPlace } from "../../events/log/log-place.ts";
import { NotFound } from "../../kernel/errors.ts";
import { definePage, type PageRequest } from "../page.ts";
import { download } from "../page-answer.ts";
import { data, externalLinks, facts } from "../parts/blocks.ts";
import { choice, confirmation, field, foldedForm, requireConfirmation } from "../parts/form.ts";
import { digest, type Html, html, link, list, longText, safeLink, shortName, text } from "../parts/html.ts";
import { crumbs } from "../parts/links.ts";
import { commitFacts, originFacts, recordOriginColumn } from "../parts/records.ts";
import { type Table, table, wordCell } from "../parts/table.ts";
import { time, utc } from "../parts/time.ts";
import { complianceVerdict, complianceWord, overriddenText, overriddenVerdict } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { isOverride, judgedType } from "./kind.ts";
import { kindOf } from "./kinds.ts";

type Named = { readonly flow: string; readonly trail: string; readonly id: string };

export const attestationPage = definePage({
  path: "/:org/flows/:flow/trails/:trail/attestations/:id",
  audience: "everybody",
  subject: ({ flow, trail }) => ({ kind: "trail", place: flow, name: trail }),
  async show(request) {
    const { params, may, to } = request;
    const record = await requireAttestation(request, params);
    const { flow, trail } = params;
    const path = (...steps: string[]) => to.page("flows", flow, "trails", trail, ...steps);
    const [{ sentence, tables, more }, series, place] = await Promise.all([
      kindOf(record)(record, request),
      seriesOf(record, params, request),
      request.logPlaceOf(record.attestationId),
    ]);
    const history = historyTable(record, series, request);
    const latest = series.at(0) ?? record;
    const mayOverride = may("overrideAttestation", { flowName: params.flow });
    const { artifactFingerprint: fingerprint, overriddenAttestationId: overridden } = record;
    return {
      title: `Attestation ${record.attestationName}`,
      above: [...crumbs(to, "Flows", "flows", flow), [shortName(trail), path()]],
      main: html`<p class="lead">${complianceHtml(record)} ${text(sentence)}.</p>
${latest.attestationId === record.attestationId ? "" : html`<p class="warn"><strong>A later attestation with this name replaces this one:</strong> ${link(path("attestations", latest.attestationId), latest.attestationName)} ${complianceHtml(latest)}</p>`}
${longText(record.description)}
${facts([
  ["Type", text(typeOf(record))],
  ["Trail", link(path(), shortName(trail))],
  ["Artifact", fingerprint ? artifactLink(flow, fingerprint, request) : ""],
  ["For", record.targetArtifacts?.length ? text(record.targetArtifacts.join(", ")) : ""],
  ["Reported by", text(record.reportedBy)],
  ["Recorded", time(record.createdAt)],
  ["Run", record.originUrl ? safeLink(record.originUrl) : ""],
  ...originFacts(record.origin, request),
  ["Evidence log", placeText(place, path("attestations", record.attestationId, "proof"), request)],
  ["Spooled by", record.spooledBy ? text(record.spooledBy) : ""],
  [
    "Overrides",
    isOverride(record)
      ? overridden
        ? link(path("attestations", overridden), "the previous attestation")
        : "nothing, because it was missing"
      : "",
  ],
  ["Links", externalLinks(record.externalUrls)],
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
          { flow, trail, name: record.attestationName, ...kindInputs(record.attestationType) },
          request,
        ),
      },
    };
  },
  async act(request) {
    const { params, sent, call, to } = request;
    const record = await requireAttestation(request, params);
    const { flow, trail } = params;
    const name = record.attestationName;
    requireConfirmation(sent, name, "Type the name of the attestation to override it");
    await call("overrideAttestation", {
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

export const attestationEvidence = definePage({
  path: "/:org/flows/:flow/trails/:trail/attestations/:id/evidence",
  audience: "everybody",
  subject: ({ flow, trail }) => ({ kind: "trail", place: flow, name: trail }),
  async show(request) {
    const { params, call } = request;
    const { attestationId } = await requireAttestation(request, params);
    return download(
      await call("downloadEvidence", { flowName: params.flow, trailName: params.trail, attestationId }),
    );
  },
});

export const attestationProof = definePage({
  path: "/:org/flows/:flow/trails/:trail/attestations/:id/proof",
  audience: "accounts",
  async show(request) {
    const { attestationId } = await requireAttestation(request, request.params);
    const { index, proof } = await request.call("getLogProof", { attestationId });
    return download({
      name: `${index}.tlog-proof`,
      mediaType: "text/plain",
      content: new TextEncoder().encode(proof),
    });
  },
});

/** Downloading the proof makes a checkpoint that has the event, which showing the page does not. */
function placeText(place: LogPlace | undefined, href: string, { viewer }: PageRequest<Named>): Html | string {
  if (place === undefined) return "";
  if (place.index === undefined) return "Not yet in the log";
  const proven = viewer.kind === "account" ? link(href, "proven") : text("proven");
  return html`In the log at index ${place.index}, ${proven}`;
}

/** @throws NotFound also for an attestation of another trail, which the viewer may not have access to */
async function requireAttestation({ call }: PageRequest, { flow, trail, id }: Named) {
  const { data } = await call("listAttestations", { attestationId: id });
  const found = data.find(({ flowName, trailName }) => flowName === flow && trailName === trail);
  if (found === undefined)
    throw new NotFound("attestation.not_found", "This attestation is not in this trail");
  return found;
}

function artifactLink(flow: string, fingerprint: string, { to, mayOpen }: PageRequest<Named>): Html {
  if (!mayOpen("getArtifact", { flowName: flow })) return digest(fingerprint);
  return html`${digest(fingerprint)} ${link(to.page("flows", flow, "artifacts", fingerprint), "Open")}`;
}

function annotationsOf({ annotations }: AttestationRecord): Html | undefined {
  const all = Object.entries(annotations ?? {});
  const inWords = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return list(all.map(([key, value]) => text(`${key}: ${inWords(value)}`)));
}

/** Links the files. The interface has a sha256 only if there is a single file; several are in an archive. */
function filesOf({ evidenceArchiveFingerprint: sha256 }: AttestationRecord, href: string): Html {
  return html`<h2>Files</h2>
<p><a href="${href}">${sha256 ? "Download the file" : "Download the files as an archive"}</a>${sha256 ? html`, sha256 ${digest(sha256)}` : ""}</p>`;
}

function typeOf(record: AttestationRecord): string {
  return isOverride(record) ? `override of ${record.originalAttestationType}` : record.attestationType;
}

/** Kinds of the action whose name differs from the type of their facts. */
const KINDS_OF_FACTS: Readonly<Record<string, string>> = { junit: "test", sarif: "scan" };

/** Converts a type of the interface to the inputs of the action that records it. */
function kindInputs(type: string): { kind: string; record?: string } {
  if (type.startsWith("custom:")) return { kind: "custom" };
  if (type === "system:decision") return { kind: "decision" };
  const judged = judgedType(type);
  return judged === type ? { kind: type } : { kind: KINDS_OF_FACTS[judged] ?? judged, record: "facts" };
}

/** Shows values of the first level as facts and folds deeper data. */
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

function overrideForm(request: PageRequest<Named>, { attestationName }: AttestationRecord): Html {
  const { entered } = request;
  const shape = {
    isOpen: entered("confirm") !== "",
    content: html`<p>This replaces the result and records your name and the reason. The original result stays on record.</p>
${choice(
  {
    name: "compliant",
    label: "New result",
    value: "true",
    options: [
      ["true", "Compliant"],
      ["false", "Non-compliant"],
    ],
  },
  request,
)}
${field({ name: "reason", label: "Reason", isRequired: true }, request)}
${confirmation(attestationName, request)}`,
    isDangerous: true as const,
    button: "Override",
    label: "Override this attestation",
  };
  return html`<div id="override">${foldedForm(shape.label, shape, request)}</div>`;
}

const SHOWN = 20;

/** The attestations with the same name and subject, newest first. The newest one counts. */
async function seriesOf(
  { attestationName, artifactFingerprint: fingerprint, targetArtifacts }: AttestationRecord,
  { flow, trail }: { readonly flow: string; readonly trail: string },
  { call }: PageRequest,
): Promise<readonly AttestationRecord[]> {
  // An attestation by artifact name counts once the artifact is reported.
  if (!fingerprint && targetArtifacts?.length) return [];
  const named = { flowName: flow, attestationName };
  const all = fingerprint
    ? await call("getArtifactAttestation", { ...named, fingerprint })
    : await call("listTrailAttestations", { ...named, trailName: trail });
  return all.filter(({ trailName }) => trailName === trail);
}

function historyTable(
  record: AttestationRecord,
  series: readonly AttestationRecord[],
  request: PageRequest<{ readonly flow: string; readonly trail: string }>,
): Table {
  const { to, params } = request;
  const path = (id: string) => to.page("flows", params.flow, "trails", params.trail, "attestations", id);
  return table<AttestationRecord>(request, {
    id: "history",
    caption: "Attestations with this name, newest first",
    columns: {
      Recorded: ({ attestationId: id, createdAt }) => {
        const isThis = id === record.attestationId;
        const at = time(createdAt);
        return {
          html: isThis ? html`${at} (this attestation)` : html`<a href="${path(id)}">${at}</a>`,
          csv: utc(createdAt),
        };
      },
      Result: (each) => ({
        html: complianceHtml(each),
        csv: isOverride(each) ? overriddenText(each.isCompliant) : complianceWord(each.isCompliant),
      }),
      Kind: (each) => wordCell(isOverride(each) ? "override" : "attestation"),
      By: ({ reportedBy }) => reportedBy,
      ...recordOriginColumn,
      Reason: ({ reason }) => reason,
    },
    rows: series.slice(0, SHOWN),
    empty: "",
  });
}

function complianceHtml(record: AttestationRecord): Html {
  return isOverride(record) ? overriddenVerdict(record.isCompliant) : complianceVerdict(record.isCompliant);
}
