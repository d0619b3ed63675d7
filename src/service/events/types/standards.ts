import * as z from "zod/mini";
import { act, actOf, change, count, flag, text, time } from "./act.ts";

const control = act({
  changes: {
    version: count,
    name: text,
    description: text,
    links: z.record(z.string(), text),
    decision_policy: text,
    archived: flag,
  },
});
const decisionPolicy = act({
  changes: {
    version: count,
    description: text,
    digest: text,
    warn_only: flag,
    effective_from: time,
    archived: flag,
  },
});
const attestationType = act({ changes: { version: count, description: text, archived: flag } });
const tagged = actOf({ changes: z.record(z.string(), change(z.nullable(text))) });

export const standardEvents = {
  "control.created": control,
  "control.changed": control,
  "control.archived": control,
  "control.unarchived": control,
  "decision_policy.created": decisionPolicy,
  "decision_policy.changed": decisionPolicy,
  "decision_policy.archived": decisionPolicy,
  "custom_attestation_type.created": attestationType,
  "custom_attestation_type.changed": attestationType,
  "custom_attestation_type.archived": act(),
  "custom_attestation_type.unarchived": attestationType,
  "control.tagged": tagged,
  "environment.tagged": tagged,
  "flow.tagged": tagged,
  "repo.tagged": tagged,
};
