import { html } from "hono/html";
import type { CustomAttestationType } from "../../../api/resources/custom-attestation-types.ts";
import type { Html } from "../html.ts";
import { definePage } from "../page.ts";
import { code } from "../parts/code.ts";
import { data } from "../parts/data.ts";
import { facts } from "../parts/facts.ts";
import { longText, text, visible } from "../parts/text.ts";
import { time } from "../parts/time.ts";
import { workflowStep } from "../parts/workflow-step.ts";

type Version = NonNullable<CustomAttestationType["versions"]>[number];

/** A custom type of attestation: what its data must look like, and the rules that judge it, by version. */
export const attestationTypePage = definePage({
  path: "/:org/attestation-types/:type",
  audience: "everybody",
  async show(request) {
    const { params, ask, to } = request;
    const given = { customAttestationTypeName: params.type };
    const type = await ask("getCustomAttestationType", given);
    const versions = type.versions ?? [];
    return {
      title: `Attestation type ${type.name}`,
      above: [{ name: "Attestation types", href: to.page("attestation-types") }],
      main: html`<p class="lead">${type.archived ? "Archived: it takes no more attestations" : "In use"}</p>
${type.description ? longText(type.description) : ""}
${facts([
  ["Made by", type.createdBy ? text(type.createdBy) : ""],
  ["Made", type.createdAt ? time(type.createdAt) : ""],
])}
${versions.map((version, index) => section(version, index === 0))}`,
      json: { operation: "getCustomAttestationType", given },
      howTo: {
        title: "Record an attestation of this type",
        code: workflowStep(
          "attest",
          {
            flow: "web",
            trail: "${{ github.sha }}",
            kind: "custom",
            name: type.name,
            "type-name": type.name,
            data: "data.json",
          },
          request,
        ),
      },
    };
  },
});

function section(
  { version, timestamp, evaluator, summary, typeSchema, createdBy }: Version,
  isLatest: boolean,
): Html {
  const rules = evaluator?.rules ?? [];
  const shown = (summary ?? []).map(({ name, expression }) => `${name ?? ""}: ${expression ?? ""}`);
  return html`<h2>Version ${version}${isLatest ? ", the latest" : ""}</h2>
${facts([
  ["Made", timestamp ? time(timestamp) : ""],
  ["By", createdBy ? text(createdBy) : ""],
])}
<h3>Rules</h3>
${rules.length === 0 ? html`<p>None: data that fits the schema is compliant.</p>` : html`<p>Each must give true:</p>${code(visible(rules.join("\n")))}`}
${shown.length === 0 ? "" : html`<h3>Shown of an attestation</h3>${code(visible(shown.join("\n")))}`}
${typeSchema ? data("Schema of the data", typeSchema) : html`<p>It asks for no schema.</p>`}`;
}
