import { type AdmissionAnswer, type AdmissionRequest, reviewOf } from "../../../api/resources/admission.ts";
import { inParallel } from "../../kernel/in-parallel.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Call, Handler } from "../../operation/handler.ts";
import { requireEnvironment } from "../environments/records.ts";
import { newImages, type PodImage } from "./images.ts";
import { linesIn, type RefusedImage, refusalText, warningOf } from "./texts.ts";
import { reasonsAgainst } from "./verdicts.ts";

/** Artifacts of one pod that are evaluated at the same time. */
const AT_ONCE = 4;

const UNPINNED =
  "it is not pinned by digest: a tag can point to another image after the check, so write NAME@sha256:DIGEST";

/** Reviews a pod. Each image is asserted, so that a cluster and a workflow get the same result. */
export const reviewAdmission: Handler<"reviewAdmission"> = async (call, context) => {
  const { request } = call.body;
  const environment = await requireEnvironment(context.store.read, call.org, call.params.envName);
  const images = newImages(request);
  if (images === undefined)
    return answered(request, { allowed: true, warnings: [warningOf(notAPod(request))] });
  const { refused, unchecked } = await judged(images, { call, environment }, context);
  const warnings = linesIn(unchecked).map((line) => warningOf(`not checked: ${line}`));
  if (refused.length === 0) return answered(request, { allowed: true, ...listed(warnings) });
  const lines = linesIn(refused);
  const text = refusalText(lines, { refused: refused.length, images: images.length, environment });
  switch (call.params.mode) {
    case "deny":
      return answered(request, {
        allowed: false,
        status: { code: 403, reason: "Forbidden", message: text },
        ...listed(warnings),
      });
    case "warn":
      return answered(request, { allowed: true, warnings: [...warnings, ...lines.map(warningOf)] });
    case "audit":
      context.log({ level: "warn", message: `Admitted ${podIn(request)} for audit only: ${text}` });
      return answered(request, {
        allowed: true,
        ...listed(warnings),
        auditAnnotations: { "refused-images": text },
      });
  }
};

type Outcome = Pick<AdmissionAnswer, "allowed" | "status" | "warnings" | "auditAnnotations">;

function answered({ uid }: AdmissionRequest, outcome: Outcome) {
  return { status: 200 as const, body: reviewOf({ uid, ...outcome }) };
}

/** The API server shows no empty list. */
function listed(warnings: readonly string[]): { warnings?: string[] } {
  return warnings.length === 0 ? {} : { warnings: [...warnings] };
}

function notAPod({ kind }: AdmissionRequest): string {
  return `only pods are checked, and this is a ${kind.kind}: limit the rules of the webhook to pods`;
}

function podIn({ namespace, name }: AdmissionRequest): string {
  return `pod ${[namespace, name].filter(Boolean).join("/") || "without a name"}`;
}

interface Review {
  readonly call: Call<"reviewAdmission">;
  readonly environment: { readonly id: string; readonly name: string };
}

/** Asserts each artifact once, even if several containers run it. */
async function judged(images: readonly PodImage[], { call, environment }: Review, context: ServiceContext) {
  const { org, caller, source, params, body } = call;
  const isGate = params.mode === "deny" && body.request.dryRun !== true;
  const fingerprints = [...new Set(images.flatMap(({ fingerprint }) => fingerprint ?? []))];
  const reasons = new Map(
    await inParallel(fingerprints, AT_ONCE, async (fingerprint) => {
      const question = { org, caller, source, environment, fingerprint, isGate };
      return [fingerprint, await reasonsAgainst(question, context)] as const;
    }),
  );
  const refused: RefusedImage[] = [];
  const unchecked: RefusedImage[] = [];
  for (const image of images) {
    if (image.fingerprint === undefined) {
      (params.unpinned === "warn" ? unchecked : refused).push({ ...image, reasons: [UNPINNED] });
      continue;
    }
    const against = reasons.get(image.fingerprint) ?? [];
    if (against.length > 0) refused.push({ ...image, reasons: against });
  }
  return { refused, unchecked };
}
