import { genericSubmission } from "../../../../api/resources/generic-attestation.ts";
import { invalidInput } from "../../../kernel/errors.ts";
import { fieldsIn } from "../../../kernel/json-column.ts";
import type { Call } from "../../../operation/handler.ts";
import { attestGeneric } from "../kinds.ts";
import { asName, type Received, submissionOf } from "./submission.ts";

/** `proj/web;tag:env/production:flag/checkout`. */
const FLAG = /^proj\/([^:;]+)[^:]*:env\/([^:;*]+)[^:]*:flag\/([^:;*]+)/;

/** Maximum number of flags and environments that one change names. */
const MAX_FLAGS = 20;

/**
 * Records an entry of LaunchDarkly's audit log about flags, once for each flag and environment, in the flow of the
 * environment and the trail of the flag. Other entries are not recorded.
 *
 * @throws Invalid
 */
export async function recordFlagChanges(content: unknown, received: Received): Promise<string> {
  const entry = fieldsIn(content);
  const { _id: id, date, kind, name, titleVerb, title, accesses } = entry;
  if (typeof id !== "string" || id === "") throw invalidInput({ _id: "Field required" });
  const named = (Array.isArray(accesses) ? accesses : [])
    .map((access) => FLAG.exec(String(fieldsIn(access)["resource"]))?.slice(1) ?? [])
    .filter((parts) => parts.length > 0);
  const flags = new Map(named.map((parts) => [JSON.stringify(parts), parts]));
  if (kind !== "flag" || flags.size === 0)
    return "Not recorded: the entry is not about a flag in an environment";
  if (flags.size > MAX_FLAGS) throw invalidInput({ accesses: `List should have at most ${MAX_FLAGS} flags` });
  const { _id: memberId } = fieldsIn(entry["member"]);
  for (const [place, [project = "", environment = "", flag = ""]] of flags) {
    const submission = submissionOf(
      genericSubmission,
      {
        flow: received.hook.flow_name ?? asName(`launch-darkly-${environment}`),
        trail: asName(flag),
        message: JSON.stringify([id, place]),
        body: {
          attestation_name: "flag-change",
          is_compliant: true,
          description: [name, titleVerb].filter((text) => typeof text === "string").join(": "),
          // Without the member's name and email address.
          user_data: {
            id,
            date,
            project,
            environment,
            flag,
            title,
            title_verb: titleVerb,
            member_id: memberId,
          },
        },
      },
      received,
    );
    // Its schema has just confirmed the type of the body.
    await attestGeneric(submission as Call<"attestGeneric">, received.context);
  }
  return `Recorded ${flags.size} ${flags.size === 1 ? "flag change" : "flag changes"}`;
}
