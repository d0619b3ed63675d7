import { codeOf, InputError, isEvidenceError } from "../../api/client/errors.ts";
import { parseImageReference } from "../../evidence/oci/reference.ts";
import { pushReferrer } from "../../evidence/oci/referrer.ts";
import { BUNDLE_TYPE, bundleOf } from "../../evidence/provenance/statements/dsse.ts";
import type { ActionContext, Failure } from "../../github/step/action.ts";

export interface Pushed {
  /** Name of the manifest that has the statement. */
  readonly referrer: string;
  readonly notPushed: Failure;
}

interface Statement {
  readonly fingerprint: string;
  readonly envelope: string;
  readonly predicateType: string;
}

/**
 * Attaches a signed statement to its image in the registry, as a Sigstore bundle, which cosign finds. The result is known
 * by then, so a failure is returned.
 */
export async function pushStatement(
  image: string,
  { fingerprint, envelope, predicateType }: Statement,
  { runner, signal, allowHttp, info }: ActionContext,
): Promise<Partial<Pushed>> {
  const reference = parseImageReference(image);
  const annotations = {
    "dev.sigstore.bundle.content": "dsse-envelope",
    "dev.sigstore.bundle.predicateType": predicateType,
  };
  const file = { mediaType: BUNDLE_TYPE, content: bundleOf(envelope), annotations };
  try {
    const target = { ...reference, tag: undefined, digest: fingerprint };
    const digest = await pushReferrer(target, file, { env: runner.childEnv, signal, allowHttp });
    const referrer = `${reference.registry}/${reference.repository}@${digest}`;
    info(`Attached the statement to the image: ${referrer}`);
    return { referrer };
  } catch (error) {
    if (!isEvidenceError(error)) throw error;
    // Problems name the input `artifact`, which may not be the one that names this image.
    const reason =
      error instanceof InputError ? error.problems.map(({ problem }) => problem).join("\n") : error.message;
    const text = [`push-to-registry: ${reason}`, error.advice].filter(Boolean).join("\n");
    return { notPushed: { code: codeOf(error), title: "The statement was not pushed", text } };
  }
}
