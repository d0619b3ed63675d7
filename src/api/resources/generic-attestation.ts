import * as z from "zod/mini";
import { attestationFields, attestOperation } from "./attestation-fields.ts";

// What a step sends stands apart from what is read: building schemas that nobody uses costs each step start-up time.

export const genericSubmission = z.strictObject({ ...attestationFields, is_compliant: z.boolean() });

/**
 * Records a statement with a compliant flag on a trail, or on an artifact of the trail, with up to 20 files.
 */
export const attestGeneric = attestOperation({
  name: "attestGeneric",
  kind: "generic",
  summary: "Record a generic attestation",
  schema: genericSubmission,
});
