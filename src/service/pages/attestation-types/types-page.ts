import { definePage } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { link } from "../parts/link.ts";
import { table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { TYPE_HOW_TO } from "./how-to.ts";

/** The types of attestation that an organization has made for itself. */
export const attestationTypesPage = definePage({
  path: "/:org/attestation-types",
  audience: "everybody",
  async show({ ask, to, here }) {
    const types = table({
      id: "types",
      caption: "Custom attestation types",
      columns: [
        {
          head: "Name",
          cell: ({ name }) => link(to.page("attestation-types", name), name),
          csv: ({ name }) => name,
        },
        {
          head: "Version",
          cell: ({ versions }) => versions?.[0]?.version,
          csv: ({ versions }) => versions?.[0]?.version,
          isNumber: true,
        },
        {
          head: "Last changed",
          cell: ({ lastModifiedAt }) => time(lastModifiedAt),
          csv: ({ lastModifiedAt }) => (lastModifiedAt ? utc(lastModifiedAt) : null),
        },
        {
          head: "Description",
          cell: ({ description }) => text(description),
          csv: ({ description }) => description,
        },
      ],
      rows: await ask("listCustomAttestationTypes", {}),
      empty: empty("There is no custom type yet.", TYPE_HOW_TO),
      here,
    });
    return {
      title: "Attestation types",
      main: types.html,
      tables: [types],
      json: { operation: "listCustomAttestationTypes", given: {} },
      howTo: TYPE_HOW_TO,
    };
  },
});
