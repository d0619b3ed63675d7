import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { PageRequest } from "../page.ts";

interface Named {
  readonly flow: string;
  readonly trail: string;
  readonly id: string;
}

/**
 * An attestation of a trail, by its id.
 *
 * @throws NotFound also for one of another trail: who may see this trail may not see that one
 */
export async function requireAttestation(
  { ask }: Pick<PageRequest, "ask">,
  { flow, trail, id }: Named,
): Promise<AttestationRecord> {
  const { data } = await ask("listAttestations", { attestationId: id });
  const found = data.find(({ flowName, trailName }) => flowName === flow && trailName === trail);
  if (found === undefined) throw new NotFound("There is no such attestation in this trail");
  return found;
}
