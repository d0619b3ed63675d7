import type { CustomAttestationType } from "../../../api/resources/custom-attestation-types.ts";
import { definePage } from "../page.ts";
import { code, data, empty, facts } from "../parts/blocks.ts";
import { type Html, html, longText, text, visible } from "../parts/html.ts";
import { linkCell, table, timeCell } from "../parts/table.ts";
import { time } from "../parts/time.ts";
import { wholeList } from "../parts/whole-list.ts";
import { workflowStep } from "../parts/workflow-step.ts";

const HOW_TO = {
  title: "Create a type or a new version",
  code: `npx delivery-evidence call createCustomAttestationType type_schema=coverage.schema.json --body - <<'BODY'
name: coverage
description: enough of the code is tested
evaluator:
  content_type: jq
  rules: [".percent >= 80"]
BODY`,
};

export const attestationTypesPage = definePage({
  path: "/:org/attestation-types",
  audience: "everybody",
  async show(request) {
    const { call, to } = request;
    const list = wholeList(
      await call("listCustomAttestationTypes", {}),
      {
        things: "types",
        texts: ({ name, description }) => [name, description],
        sorts: { name: ({ name }) => name, changed: ({ lastModifiedAt }) => lastModifiedAt },
      },
      request,
    );
    const types = table(request, {
      id: "types",
      caption: "Custom attestation types",
      position: list.count,
      columns: {
        Name: {
          cell: ({ name }) => linkCell(to.page("attestation-types", name), name),
          sorted: list.sorting.by("name"),
        },
        Version: { cell: ({ versions }) => versions?.[0]?.version, isNumber: true },
        "Last changed": {
          cell: ({ lastModifiedAt }) => timeCell(lastModifiedAt),
          sorted: list.sorting.by("changed"),
        },
        Description: ({ description }) => description,
      },
      rows: list.rows,
      empty: list.empty(empty("No custom types yet.", HOW_TO)),
    });
    return {
      title: "Attestation types",
      main: html`${list.bar}
${types.html}${list.pager}`,
      tables: [types],
      json: { operation: "listCustomAttestationTypes", given: {} },
      howTo: HOW_TO,
    };
  },
});

type Version = NonNullable<CustomAttestationType["versions"]>[number];

export const attestationTypePage = definePage({
  path: "/:org/attestation-types/:type",
  audience: "everybody",
  async show(request) {
    const { params, call, to } = request;
    const given = { customAttestationTypeName: params.type };
    const type = await call("getCustomAttestationType", given);
    const versions = type.versions ?? [];
    return {
      title: `Attestation type ${type.name}`,
      above: [["Attestation types", to.page("attestation-types")]],
      main: html`<p class="lead">${type.archived ? "Archived: it accepts no new attestations" : "In use"}</p>
${longText(type.description)}
${facts([
  ["Created by", type.createdBy ? text(type.createdBy) : ""],
  ["Created", type.createdAt ? time(type.createdAt) : ""],
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
  return html`<h2>Version ${version}${isLatest ? " (latest)" : ""}</h2>
${facts([
  ["Created", timestamp ? time(timestamp) : ""],
  ["By", createdBy ? text(createdBy) : ""],
])}
<h3>Rules</h3>
${rules.length === 0 ? html`<p>None. Data that matches the schema is compliant.</p>` : html`<p>All rules must be true:</p>${code(visible(rules.join("\n")))}`}
${shown.length === 0 ? "" : html`<h3>Displayed fields</h3>${code(visible(shown.join("\n")))}`}
${typeSchema ? data("Schema of the data", typeSchema) : html`<p>No schema.</p>`}`;
}
