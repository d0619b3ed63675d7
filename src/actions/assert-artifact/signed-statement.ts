import { ProtocolError } from "../../api/client/errors.ts";
import type { RequestOf } from "../../api/operation.ts";
import { stateVerdict } from "../../api/resources/statements.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { writeResultFile } from "../result-file.ts";
import type { Pushed } from "./pushed-statement.ts";

export interface Signed extends Partial<Pushed> {
  /** Path of the envelope. */
  readonly statement: string;
  /** Path of its predicate alone. */
  readonly predicate: string;
}

/**
 * Requests the signed statement of a result.
 *
 * @param image name of the image to attach the statement to
 */
export async function signedStatement(
  request: RequestOf<typeof stateVerdict> & { readonly fingerprint: string },
  image: string | undefined,
  context: ActionContext,
): Promise<Signed> {
  const reply = await context.call(stateVerdict, request);
  const { envelope, predicate, predicateType } = opened(reply?.body.content);
  const files = {
    statement: await writeResultFile("statement", envelope, context),
    predicate: await writeResultFile("predicate", predicate, context),
  };
  if (image === undefined) return files;
  const { pushStatement } = await import("./pushed-statement.ts");
  const statement = { ...request, envelope: JSON.stringify(envelope), predicateType };
  return { ...files, ...(await pushStatement(image, statement, context)) };
}

/** @throws {ProtocolError} */
function opened(content: Uint8Array | undefined) {
  try {
    const envelope: unknown = JSON.parse(new TextDecoder().decode(content));
    const { payload } = Object(envelope);
    const { predicate, predicateType } = JSON.parse(Buffer.from(payload, "base64").toString());
    return { envelope, predicate: Object(predicate), predicateType: String(predicateType) };
  } catch (cause) {
    throw new ProtocolError({ what: "The service returned no signed statement", cause });
  }
}
