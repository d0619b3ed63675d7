import type { listSystemAttestationTypes } from "../../api/resources/attestations.ts";
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
  {
    name: "sbom",
    description: "A software bill of materials",
    versions: [
      {
        version: 1,
        typeSchema: {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          required: ["format", "original_fingerprint", "document"],
          properties: {
            format: { type: "string", description: "Such as cyclonedx-json" },
            original_fingerprint: { type: "string", description: "The sha256 of the file as it was sent" },
            document: { type: ["object", "string"], description: "JSON, or the text of another format" },
          },
        },
      },
    ],
  },
];

export const handleListSystemAttestationTypes: Handler<typeof listSystemAttestationTypes> = async () => ({
  status: 200,
  body: SYSTEM_TYPES,
});
