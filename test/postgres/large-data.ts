/*
 * An organization that has used the service for years, created within the database. It is that of the tests, with
 * additional records: flows from `flow-0` on, a trail for every other attestation, and so on.
 */

const FLOWS = 20;
const ENVIRONMENTS = 10;
const START = 1_700_000_000;

/** Ids, fingerprints and commits of different rows differ from their first character on. */
const id = (kind: string, index: string) => `'${kind}' || md5('${kind}' || ${index})`;
const fingerprint = (index: string) => `md5('x' || ${index}) || md5('y' || ${index})`;
const commit = (index: string) => `substr(md5('c' || ${index}) || md5('d' || ${index}), 1, 40)`;
const series = (count: number) => `generate_series(0, ${count - 1}) as i`;
const ORGANIZATION = "(select id from organizations order by created_at, name limit 1)";
const TEMPLATE = `'{"attestations":[{"name":"check-0","type":"generic"}],"artifacts":[]}'`;

/** Statements that fill the growing tables. @param rows the number of attestations */
export function largeData(rows: number): string[] {
  const trails = Math.ceil(rows / 2);
  return [
    `insert into flows (id, org_id, name, description, visibility, template, created_at, last_modified_at)
      select ${id("f", "i")}, ${ORGANIZATION}, 'flow-' || i, '', 'private', ${TEMPLATE}, ${START}, ${START} from ${series(FLOWS)}`,
    `insert into repos (id, org_id, provider, repo_id, name, url, created_at, latest_activity_at)
      select ${id("b", "i")}, ${ORGANIZATION}, 'github', i::text, 'acme/repo-' || i, 'https://x', ${START}, ${START} from ${series(FLOWS)}`,
    `insert into trails (id, org_id, flow_id, name, description, user_data, template, created_by, created_at, last_modified_at,
        modified_minute, compliance_state, compliance_since)
      select ${id("t", "i")}, ${ORGANIZATION}, ${id("f", `i % ${FLOWS}`)}, 'trail-' || i, '', '{}', ${TEMPLATE}, 'admin', ${START} + i, ${START} + i,
        floor((${START} + i) / 60), case i % 3 when 0 then 'COMPLIANT' when 1 then 'NON-COMPLIANT' else 'INCOMPLETE' end, ${START} + i from ${series(trails)}`,
    `insert into trail_repos (trail_id, repo_id) select ${id("t", "i")}, ${id("b", `i % ${FLOWS}`)} from ${series(trails)}`,
    `insert into events (id, org_id, type, at, by, subject_name, trail_id, data, salt, digest)
      select ${id("e", "i")}, ${ORGANIZATION}, 'trail.begun', ${START} + i, 'admin', 'trail-' || i, ${id("t", "i")}, '{}', '', ${fingerprint("i")} from ${series(trails)}`,
    `insert into artifacts (id, org_id, flow_id, trail_id, fingerprint, is_build, filename, template_name, commit_sha, build_url, commit_url,
        repo_id, details, created_by, created_at, branch)
      select ${id("a", "i")}, ${ORGANIZATION}, ${id("f", `i % ${FLOWS}`)}, ${id("t", "i")}, ${fingerprint("i")}, 1, 'web', 'web', ${commit("i")},
        'https://x', 'https://x', ${id("b", `i % ${FLOWS}`)}, '{}', 'admin', ${START} + i, 'main' from ${series(trails)}`,
    `insert into attestation_series (id, org_id, flow_id, name, type, is_compliant)
      select ${id("s", "i")}, ${ORGANIZATION}, ${id("f", `i % ${FLOWS}`)}, 'check-' || i / ${FLOWS}, 'generic', 1 from ${series(10 * FLOWS)}`,
    `insert into attestations (id, org_id, flow_id, trail_id, name, type, is_compliant, artifact_fingerprint, commit_sha, details,
        created_by, created_at, series_id)
      select ${id("n", "i")}, ${ORGANIZATION}, ${id("f", `i % ${trails} % ${FLOWS}`)}, ${id("t", `i % ${trails}`)}, 'check-' || i % 10, 'generic', 1,
        ${fingerprint(`i % ${trails}`)}, ${commit(`i % ${trails}`)}, '{}', 'admin', ${START} + i / 2.0,
        ${id("s", `(i % ${trails} % ${FLOWS} + i % 10 * ${FLOWS})`)} from ${series(rows)}`,
    `insert into latest_attestations (trail_id, fingerprint, artifact_name, commit_sha, name, type, control, attestation_sequence)
      select trail_id, artifact_fingerprint, '', '', name, type, '', max(sequence) from attestations
      where created_by = 'admin' and org_id = ${ORGANIZATION} and artifact_fingerprint is not null
      group by trail_id, artifact_fingerprint, name, type on conflict do nothing`,
    `insert into attestation_targets (attestation_id, trail_id, artifact_name, commit_sha)
      select ${id("n", "i")}, ${id("t", `i % ${trails}`)}, 'web', ${commit(`i % ${trails}`)} from ${series(trails)}`,
    `insert into attachments (attestation_id, position, name, size, media_type, sha256)
      select ${id("n", "i")}, 0, 'a.txt', 1, 'text/plain', ${fingerprint("i")} from ${series(trails)}`,
    `insert into control_decisions (attestation_id, org_id, control, control_version, is_compliant, artifact_fingerprint, created_at)
      select ${id("n", "i")}, ${ORGANIZATION}, 'control-' || i % 50, 1, 1, ${fingerprint(`i % ${trails}`)}, ${START} + i from ${series(trails)}`,
    `insert into approvals (id, flow_id, number, artifact_fingerprint, artifact_name, base_artifact, description, commits, reviews,
        state, created_by, created_at, last_modified_at)
      select ${id("p", "i")}, ${id("f", `i % ${FLOWS}`)}, i / ${FLOWS} + 1, ${fingerprint("i")}, 'web', '', '', '[]', '[]', 'APPROVED',
        'admin', ${START} + i, ${START} + i from ${series(trails)}`,
    `insert into environments (id, org_id, name, type, description, include_scaling, require_provenance, created_at, last_modified_at,
        last_reported_at)
      select ${id("e", "i")}, ${ORGANIZATION}, 'env-' || i, 'K8S', '', 0, 0, ${START}, ${START}, ${START} from ${series(ENVIRONMENTS)}`,
    `insert into snapshots (id, environment_id, number, artifact_set, conditions, compliant, policies, created_at)
      select ${id("h", "i")}, ${id("e", `i % ${ENVIRONMENTS}`)}, i / ${ENVIRONMENTS} + 1, 'set-' || i, '', 1, '[]', ${START} + i
      from ${series(trails)}`,
    `insert into running_intervals (environment_id, name, fingerprint, since, until, change, instances_before, is_deployment, instance_count, ended,
        allowed, origins, instances, decisions, flows)
      select ${id("e", `i % ${ENVIRONMENTS}`)}, 'web', ${fingerprint("i")}, i / ${ENVIRONMENTS} + 1, i / ${ENVIRONMENTS} + 2,
        'artifact_started_running', 0, 1, 1, 1, 0, '[]', '[]', '[]', '[]' from ${series(trails)}`,
    `insert into answered_requests (api_key_id, idempotency_key, request_hash, subject, answer, answered_at,
        answered_window)
      select (select id from api_keys order by id limit 1), 'key-' || i, ${fingerprint("i")}, 'subject-' || i, '{}', 1800000000, 3000000
      from ${series(trails)}`,
  ];
}
