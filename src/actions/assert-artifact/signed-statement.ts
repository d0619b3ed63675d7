import { ProtocolError } from "../../api/client/errors.ts";
import type { RequestOf } from "../../api/operation.ts";
import { stateVerdict } from "../../api/resources/statements.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { writeResultFile } from "../result-file.ts";

/** Requests the signed statement of a result. @returns paths of the envelope and of its predicate alone */
export async function signedStatement(
  request: RequestOf<typeof stateVerdict>,
  context: ActionContext,
): Promise<{ statement: string; predicate: string }> {
  const reply = await context.call(stateVerdict, request);
  const { envelope, predicate } = opened(reply?.body.content);
  return {
    statement: await writeResultFile("statement", envelope, context),
    predicate: await writeResultFile("predicate", predicate, context),
  };
}

/** @throws {ProtocolError} */
function opened(content: Uint8Array | undefined) {
  try {
    const envelope: unknown = JSON.parse(new TextDecoder().decode(content));
    const { payload } = Object(envelope);
    const { predicate } = JSON.parse(Buffer.from(payload, "base64").toString());
    return { envelope, predicate: Object(predicate) };
  } catch (cause) {
    throw new ProtocolError({ what: "The service returned no signed statement", cause });
  }
}
