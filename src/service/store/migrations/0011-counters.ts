/**
 * How far each count has come: of the approvals of a flow, the events of a policy and the versions of a type. The next
 * number is taken from its row, so that two writers never get the same one.
 */
export const counters = `
alter table flows add column last_approval_number integer not null default 0;
update flows set last_approval_number =
  coalesce((select max(approvals.number) from approvals where approvals.flow_id = flows.id), 0);

alter table policies add column last_event_number integer not null default 0;
update policies set last_event_number = coalesce(
  (select max(policy_events.number) from policy_events where policy_events.policy_id = policies.id), 0);

alter table custom_attestation_types add column last_version integer not null default 0;
update custom_attestation_types set last_version = coalesce((
  select max(versions.version) from custom_attestation_type_versions as versions
  where versions.type_id = custom_attestation_types.id
), 0)
`;
