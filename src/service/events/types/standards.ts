import { act } from "./act.ts";

export const standardEvents = {
  "control.created": act,
  "control.changed": act,
  "control.archived": act,
  "control.unarchived": act,
  "custom_attestation_type.created": act,
  "custom_attestation_type.changed": act,
  "custom_attestation_type.archived": act,
  "custom_attestation_type.unarchived": act,
  "control.tagged": act,
  "environment.tagged": act,
  "flow.tagged": act,
  "repo.tagged": act,
};
