import type { listSystemAttestationTypes } from "../../api/attestations.ts";
import type { Handler } from "../operation/handler.ts";

/** The types that the service defines, with the JSON Schema of their data. */
const SYSTEM_TYPES = [
  {
    name: "decision",
    description: "A decision about a control",
    versions: [
      {
        version: 1,
        typeSchema: {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          required: ["is_compliant"],
          properties: { is_compliant: { type: "boolean", description: "What was decided" } },
        },
      },
    ],
  },
];

export const handleListSystemAttestationTypes: Handler<typeof listSystemAttestationTypes> = async () => ({
  status: 200,
  body: SYSTEM_TYPES,
});
