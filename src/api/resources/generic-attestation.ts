import * as z from "zod/mini";
import { attestationFields, attestOperation } from "./attestation-fields.ts";

// What a step sends stands apart from what is read: building schemas that nobody uses costs each step start-up time.

export const genericSubmission = z.strictObject({ ...attestationFields, is_compliant: z.boolean() });

export const attestGeneric = attestOperation({
  name: "attestGeneric",
  kind: "generic",
  summary: "Record a generic attestation on a trail or on an artifact of it",
  schema: genericSubmission,
});
