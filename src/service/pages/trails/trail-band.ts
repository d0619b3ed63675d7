import { type Checklist, type ChecklistPart, linesOf, type Slot } from "../../../api/resources/checklist.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import type { PageRequest } from "../page.ts";
import { band } from "../parts/band.ts";
import { type Html, html, link, safeAddress, text } from "../parts/html.ts";
import { guideLink } from "../parts/links.ts";
import { verdict } from "../parts/verdict.ts";

interface Shown {
  readonly trail: AnsweredBy<"getTrail">;
  readonly checklist: Checklist;
  /** Summaries of the newest attestations, by id. */
  readonly summaries: ReadonlyMap<string, string>;
  href(attestationId: string): string;
}

/** The result with the sentence that explains it, and what to do about it. */
export function trailBand({ trail, checklist, summaries, href }: Shown, { may, params }: PageRequest): Html {
  const { complianceState: state, originUrl } = trail;
  const failing = failingIn(checklist);
  const first = failing?.slot.attestationId;
  const run = safeAddress(originUrl);
  const buttons = [
    run === undefined
      ? undefined
      : html`<a href="${run}" rel="noreferrer noopener nofollow ugc">Open the run</a>`,
    first !== undefined && may("overrideAttestation", { flowName: params["flow"] })
      ? html`<a href="${href(first)}#override">Override ${text(failing?.slot.name)}</a>`
      : undefined,
    state === "COMPLIANT" ? undefined : guideLink("gate-shut", "See how to fix it"),
  ];
  return band(verdict(state), sentence(), { buttons });

  function sentence(): Html {
    if (failing !== undefined) {
      const { slot, part } = failing;
      const name =
        slot.attestationId === undefined ? text(slot.name) : link(href(slot.attestationId), slot.name);
      const why = summaries.get(slot.attestationId ?? "");
      const others = checklist.counts.failing - 1;
      return html`${name}${ofArtifact(part)} failed${why === undefined ? "" : html`: ${text(why)}`}.${others > 0 ? ` ${others} more ${others === 1 ? "fails" : "fail"}.` : ""}`;
    }
    const wanted = linesOf(checklist).filter(({ state: own }) => own === "missing" || own === "failing");
    if (wanted.length > 0) {
      const names = wanted.slice(0, NAMED).map(({ name }) => name);
      const rest = wanted.length - names.length;
      const isMissing = wanted.every(({ state: own }) => own === "missing");
      return html`${isMissing ? "Missing" : "Failing or missing"}: ${text(names.join(", "))}${rest > 0 ? ` and ${rest} more` : ""}.`;
    }
    return html`${checklist.counts.required === 0 ? "Nothing is required." : "All requirements are met."}`;
  }
}

/** Maximum number of names in the sentence. */
const NAMED = 5;

function failingIn({ parts }: Checklist): { part: ChecklistPart; slot: Slot } | undefined {
  for (const part of parts) {
    const slot = part.slots.find(({ state }) => state === "failing");
    if (slot !== undefined) return { part, slot };
  }
  return undefined;
}

function ofArtifact({ artifact }: ChecklistPart): Html {
  return artifact === undefined ? html`` : html` of ${text(artifact.name)}`;
}
