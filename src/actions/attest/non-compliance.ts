import type { ActionContext, Outcome } from "../../github/step/action.ts";
import type { Attested } from "./attest-one.ts";

export function nonCompliance(
  done: readonly Attested[],
  { warn }: Pick<ActionContext, "warn">,
): Outcome<never>["failure"] {
  for (const { name, kind, status, compliant } of done) {
    if (status === "recorded" && kind !== "artifact" && compliant === undefined)
      warn(
        `The service does not report a result for '${name}', so fail-on-non-compliant has no effect. Check the artifact with the action assert-artifact.`,
      );
  }
  const bad = done.filter(({ compliant }) => compliant === false);
  const [first] = bad;
  if (!first) return undefined;
  return bad.length === 1
    ? { code: "attestation.not_compliant", title: "Not compliant", text: sentence(first) }
    : {
        code: "attestation.not_compliant",
        title: `${bad.length} attestations are not compliant`,
        text: bad.map((one) => `- ${sentence(one)}`).join("\n"),
      };
}

function sentence({ name, reason }: Attested): string {
  return `'${name}' is not compliant${reason === "" ? "" : `: ${reason}`}`;
}
