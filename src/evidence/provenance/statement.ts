import * as z from "zod/mini";
import { parseJson } from "../../api/json.ts";
import { Unproven } from "./unproven.ts";

/** The media type of a signed statement. */
const PAYLOAD_TYPE = "application/vnd.in-toto+json";
const STATEMENT_TYPES = /^https:\/\/in-toto\.io\/Statement\/v(?:0\.1|1)$/;

const statement = z.object({
  _type: z.string().check(z.regex(STATEMENT_TYPES)),
  subject: z.array(z.object({ digest: z.record(z.string(), z.string()) })),
  predicateType: z.string(),
});

interface Envelope {
  readonly payloadType: string;
  readonly payload: Buffer;
}

/** What a statement must be about. */
export interface Subject {
  readonly fingerprint: string;
  readonly predicateType: string;
}

/** @throws {Unproven} unless a signed statement is of this type, and about this very artifact */
export function checkStatement({ payloadType, payload }: Envelope, { fingerprint, predicateType }: Subject) {
  if (payloadType !== PAYLOAD_TYPE)
    throw new Unproven("form", `its payload is of type '${payloadType}', not ${PAYLOAD_TYPE}`);
  const { data } = z.safeParse(statement, parseJson(payload.toString("utf8"))?.value);
  if (data === undefined) throw new Unproven("form", "its payload is no in-toto statement");
  if (data.predicateType !== predicateType) {
    const advice = "Name the type that is wanted as predicate-type.";
    throw new Unproven("predicate", `it is a ${data.predicateType}, not a ${predicateType}`, { advice });
  }
  const digests = data.subject.map(({ digest }) => digest["sha256"]);
  if (digests.includes(fingerprint)) return;
  const first = digests.find((digest) => digest !== undefined);
  const about =
    first === undefined ? "nothing with a sha256" : `${first}${digests.length > 1 ? " and others" : ""}`;
  throw new Unproven("subject", `it is about ${about}, not ${fingerprint}`, {
    advice: "An artifact that was built anew is another one: assert the very one that was attested.",
  });
}
