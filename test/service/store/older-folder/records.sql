CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
CREATE TABLE organizations (
  id text primary key,
  name text not null unique,
  created_at double precision not null
, last_action_number integer not null default 0);
CREATE TABLE service_accounts (
  id text primary key,
  org_id text not null references organizations (id),
  name text not null,
  role text not null,
  created_at double precision not null, description text, created_by_id text references service_accounts (id), deleted_at double precision,
  unique (org_id, name)
);
CREATE TABLE api_keys (
  id text primary key,
  service_account_id text not null references service_accounts (id),
  key_hash text not null unique,
  description text not null,
  created_at double precision not null,
  expires_at double precision,
  revoked_at double precision
, last_used_at double precision);
CREATE TABLE repos (
  id text primary key,
  org_id text not null references organizations (id),
  provider text not null,
  repo_id text,
  name text not null,
  url text not null,
  description text,
  created_at double precision not null,
  latest_activity_at double precision not null
);
CREATE TABLE flows (
  id text primary key,
  org_id text not null references organizations (id),
  name text not null,
  description text not null,
  visibility text not null,
  repo_url text,
  template text not null,
  template_source text,
  created_at double precision not null,
  last_modified_at double precision not null, archived_at double precision,
  unique (org_id, name)
);
CREATE TABLE trails (
  id text primary key,
  flow_id text not null references flows (id),
  name text not null,
  description text not null,
  git_commit_info text,
  origin_url text,
  external_urls text,
  user_data text not null,
  template text not null,
  template_source text,
  created_by text not null,
  created_at double precision not null,
  last_modified_at double precision not null, org_id text not null default '',
  unique (flow_id, name)
);
CREATE TABLE trail_repos (
  trail_id text not null references trails (id),
  repo_id text not null references repos (id),
  primary key (trail_id, repo_id)
);
CREATE TABLE artifacts (
  sequence integer primary key,
  id text not null unique,
  flow_id text not null references flows (id),
  trail_id text references trails (id),
  fingerprint text not null,
  filename text not null,
  template_name text,
  commit_sha text,
  is_compliant integer,
  build_url text not null,
  commit_url text not null,
  repo_url text,
  repo_id text references repos (id),
  details text not null,
  created_by text not null,
  created_at double precision not null
, org_id text not null default '', branch text);
CREATE TABLE attestations (
  sequence integer primary key,
  id text not null unique,
  trail_id text not null references trails (id),
  name text not null,
  type text not null,
  is_compliant integer not null,
  artifact_fingerprint text,
  commit_sha text,
  repo_id text references repos (id),
  details text not null,
  created_by text not null,
  created_at double precision not null
, org_id text not null default '', flow_id text not null default '', series_id text not null default '', overridden_id text);
CREATE TABLE attestation_targets (
  attestation_id text not null references attestations (id),
  trail_id text not null references trails (id),
  artifact_name text not null,
  commit_sha text,
  primary key (attestation_id, artifact_name)
);
CREATE TABLE attachments (
  attestation_id text not null references attestations (id),
  position integer not null,
  name text not null,
  size integer not null,
  media_type text not null,
  sha256 text not null,
  primary key (attestation_id, position)
);
CREATE TABLE environments (
  id text primary key,
  org_id text not null references organizations (id),
  name text not null,
  type text not null,
  description text not null,
  include_scaling integer not null,
  require_provenance integer not null,
  created_at double precision not null,
  last_modified_at double precision not null,
  last_reported_at double precision, archived_at double precision, latest_snapshot_id text references snapshots (id),
  unique (org_id, name)
);
CREATE TABLE environment_members (
  environment_id text not null references environments (id),
  member_id text not null references environments (id),
  primary key (environment_id, member_id)
);
CREATE TABLE snapshots (
  id text primary key,
  environment_id text not null references environments (id),
  number integer not null,
  artifact_set text not null,
  created_at double precision not null, conditions text not null default '', compliant integer not null default 0, state integer, policies text not null default '[]',
  unique (environment_id, number)
);
CREATE TABLE actions (
  id text primary key,
  org_id text not null references organizations (id),
  number integer not null,
  type text not null,
  name text not null,
  targets text not null,
  flows text not null,
  triggers text not null,
  created_by text not null,
  created_at double precision not null,
  last_modified_at double precision not null, environments text not null default '[]', is_failing integer, last_success_at double precision, last_failure_at double precision,
  unique (org_id, number),
  unique (org_id, type, name)
);
CREATE TABLE answered_requests (
  api_key_id text not null references api_keys (id),
  idempotency_key text,
  request_hash text not null,
  subject text not null,
  answer text not null,
  answered_at double precision not null
);
CREATE TABLE former_flow_names (
  org_id text not null references organizations (id),
  name text not null,
  flow_id text not null references flows (id),
  primary key (org_id, name)
);
CREATE TABLE tags (
  org_id text not null references organizations (id),
  resource_type text not null,
  resource_id text not null,
  key text not null,
  value text not null,
  primary key (resource_type, resource_id, key)
);
CREATE TABLE trail_events (
  sequence integer primary key,
  trail_id text not null references trails (id),
  type text not null,
  git_commit_info text,
  repo_id text references repos (id),
  details text not null,
  created_at double precision not null
);
CREATE TABLE attestation_series (
  id text primary key,
  org_id text not null references organizations (id),
  flow_id text not null references flows (id),
  name text not null,
  type text not null,
  is_compliant integer not null,
  unique (flow_id, name, type, is_compliant)
);
CREATE TABLE custom_attestation_types (
  id text primary key,
  org_id text not null references organizations (id),
  name text not null,
  description text,
  archived_at double precision,
  created_by text not null,
  created_at double precision not null,
  last_modified_at double precision not null,
  unique (org_id, name)
);
CREATE TABLE custom_attestation_type_versions (
  type_id text not null references custom_attestation_types (id),
  version integer not null,
  type_schema text,
  evaluator text not null,
  summary text,
  created_by text not null,
  created_at double precision not null,
  primary key (type_id, version)
);
CREATE TABLE snapshot_events (
  snapshot_id text not null references snapshots (id),
  name text not null,
  fingerprint text not null,
  type text not null,
  instances_before integer not null,
  instances_after integer not null,
  primary key (snapshot_id, name, fingerprint)
);
CREATE TABLE allowlists (
  id text primary key,
  environment_id text not null references environments (id),
  fingerprint text not null,
  artifact_name text not null,
  description text not null,
  created_by text not null,
  created_at double precision not null,
  unique (environment_id, fingerprint)
);
CREATE TABLE controls (
  id text primary key,
  org_id text not null references organizations (id),
  identifier text not null,
  name text not null,
  description text not null,
  links text not null,
  version integer not null,
  archived_at double precision,
  created_by text not null,
  created_at double precision not null,
  unique (org_id, identifier)
);
CREATE TABLE control_versions (
  control_id text not null references controls (id),
  version integer not null,
  name text not null,
  description text not null,
  links text not null,
  status text not null,
  created_by text not null,
  created_at double precision not null,
  primary key (control_id, version)
);
CREATE TABLE policies (
  id text primary key,
  org_id text not null references organizations (id),
  name text not null,
  description text not null,
  version integer not null,
  created_by text not null,
  created_at double precision not null,
  last_modified_at double precision not null,
  unique (org_id, name)
);
CREATE TABLE policy_versions (
  policy_id text not null references policies (id),
  version integer not null,
  comment text not null,
  source text not null,
  definition text not null,
  created_by text not null,
  created_at double precision not null,
  primary key (policy_id, version)
);
CREATE TABLE policy_events (
  policy_id text not null references policies (id),
  number integer not null,
  type text not null,
  data text not null,
  created_by text not null,
  created_at double precision not null,
  primary key (policy_id, number)
);
CREATE TABLE policy_controls (
  policy_id text not null references policies (id),
  control_id text not null references controls (id),
  primary key (policy_id, control_id)
);
CREATE TABLE environment_policies (
  environment_id text not null references environments (id),
  policy_id text not null references policies (id),
  primary key (environment_id, policy_id)
);
CREATE TABLE control_decisions (
  attestation_id text primary key references attestations (id),
  org_id text not null references organizations (id),
  control text not null,
  control_version integer,
  is_compliant integer not null,
  artifact_fingerprint text,
  created_at double precision not null
);
CREATE TABLE approvals (
  id text primary key,
  flow_id text not null references flows (id),
  number integer not null,
  artifact_fingerprint text not null,
  artifact_name text not null,
  base_artifact text not null,
  environment text,
  description text not null,
  commits text not null,
  reviews text not null,
  state text not null,
  user_data text,
  created_by text not null,
  created_at double precision not null,
  last_modified_at double precision not null,
  unique (flow_id, number)
);
CREATE TABLE "snapshot_artifacts" (
  snapshot_id text not null references snapshots (id),
  fingerprint text not null,
  name text not null,
  instances text not null,
  compliant integer,
  details text not null,
  primary key (snapshot_id, fingerprint, name)
);
CREATE TABLE unfiled_snapshots (
  sequence integer primary key autoincrement,
  environment_id text not null references environments (id),
  number integer not null,
  artifact_set text not null,
  conditions text not null,
  content text not null,
  created_at double precision not null,
  unique (environment_id, number)
);
insert into kysely_migration (name, timestamp) values ('0001-initial', '2026-11-22T10:40:55.706Z');
insert into kysely_migration (name, timestamp) values ('0002-reading', '2026-11-22T10:40:55.711Z');
insert into kysely_migration (name, timestamp) values ('0003-attestations', '2026-11-22T10:40:55.725Z');
insert into kysely_migration (name, timestamp) values ('0004-environments', '2026-11-22T10:40:55.733Z');
insert into kysely_migration (name, timestamp) values ('0005-policies', '2026-11-22T10:40:55.742Z');
insert into kysely_migration (name, timestamp) values ('0006-accounts-notifications-approvals', '2026-11-22T10:40:55.760Z');
insert into kysely_migration (name, timestamp) values ('0007-snapshot-lookup', '2026-11-22T10:40:55.765Z');
insert into kysely_migration (name, timestamp) values ('0008-unfiled-snapshots', '2026-11-22T10:40:55.766Z');
insert into kysely_migration_lock (id, is_locked) values ('migration_lock', 0);
insert into organizations (id, name, created_at, last_action_number) values ('79b0089f-0e14-1bd3-0eff-31d208fe', 'acme', 1800000000, 0);
insert into service_accounts (id, org_id, name, role, created_at, description, created_by_id, deleted_at) values ('21eb3955-37e0-a266-72c8-b599e938', '79b0089f-0e14-1bd3-0eff-31d208fe', 'admin', 'admin', 1800000000, null, null, null);
insert into api_keys (id, service_account_id, key_hash, description, created_at, expires_at, revoked_at, last_used_at) values ('f199f088-3d11-7002-1665-907baddc', '21eb3955-37e0-a266-72c8-b599e938', 'ca2684dd025eb6683b2bfc66048fbf1a9df0f0794cafd2718a68022a631730bb', 'made at the first start', 1800000000, null, null, 1800001030);
insert into repos (id, org_id, provider, repo_id, name, url, description, created_at, latest_activity_at) values ('eb5d1412-f3eb-1fec-fd35-3ef29445', '79b0089f-0e14-1bd3-0eff-31d208fe', 'github', '7', 'acme/web', 'https://github.com/acme/web', null, 1800000040, 1800000610);
insert into flows (id, org_id, name, description, visibility, repo_url, template, template_source, created_at, last_modified_at, archived_at) values ('10d321a5-b067-e089-577e-dafbdcc6', '79b0089f-0e14-1bd3-0eff-31d208fe', 'shop', '', 'private', null, '{"attestations":[],"artifacts":[{"name":"web","attestations":[{"name":"unit","type":"generic"}]}]}', 'version: 1
trail:
  artifacts:
    - name: web
      attestations:
        - name: unit
          type: generic
', 1800000000, 1800000000, null);
insert into flows (id, org_id, name, description, visibility, repo_url, template, template_source, created_at, last_modified_at, archived_at) values ('c8c3e576-5d8c-8314-e871-58295093', '79b0089f-0e14-1bd3-0eff-31d208fe', 'side', '', 'private', null, '{"attestations":[],"artifacts":[]}', null, 1800000000, 1800000000, null);
insert into trails (id, flow_id, name, description, git_commit_info, origin_url, external_urls, user_data, template, template_source, created_by, created_at, last_modified_at, org_id) values ('cca59ac3-4318-e6ca-5647-2a63f72f', '10d321a5-b067-e089-577e-dafbdcc6', 't1', '', '{"sha1":"1111111111111111111111111111111111111111","message":"Change 1","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111"}', null, null, '{}', '{"attestations":[],"artifacts":[{"name":"web","attestations":[{"name":"unit","type":"generic"}]}]}', 'version: 1
trail:
  artifacts:
    - name: web
      attestations:
        - name: unit
          type: generic
', 'admin', 1800000010, 1800000050, '79b0089f-0e14-1bd3-0eff-31d208fe');
insert into trails (id, flow_id, name, description, git_commit_info, origin_url, external_urls, user_data, template, template_source, created_by, created_at, last_modified_at, org_id) values ('d19f68ce-a13a-7bcb-7fe7-b7fd7201', '10d321a5-b067-e089-577e-dafbdcc6', 't2', '', '{"sha1":"2222222222222222222222222222222222222222","message":"Change 2","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/2222222222222222222222222222222222222222"}', null, null, '{}', '{"attestations":[],"artifacts":[{"name":"web","attestations":[{"name":"unit","type":"generic"}]}]}', 'version: 1
trail:
  artifacts:
    - name: web
      attestations:
        - name: unit
          type: generic
', 'admin', 1800000020, 1800000060, '79b0089f-0e14-1bd3-0eff-31d208fe');
insert into trails (id, flow_id, name, description, git_commit_info, origin_url, external_urls, user_data, template, template_source, created_by, created_at, last_modified_at, org_id) values ('d2ab3cd3-1d9a-41e0-413e-7c33580b', '10d321a5-b067-e089-577e-dafbdcc6', 't3', '', '{"sha1":"3333333333333333333333333333333333333333","message":"Change 3","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/3333333333333333333333333333333333333333"}', null, null, '{}', '{"attestations":[],"artifacts":[{"name":"web","attestations":[{"name":"unit","type":"generic"}]}]}', 'version: 1
trail:
  artifacts:
    - name: web
      attestations:
        - name: unit
          type: generic
', 'admin', 1800000030, 1800000610, '79b0089f-0e14-1bd3-0eff-31d208fe');
insert into trails (id, flow_id, name, description, git_commit_info, origin_url, external_urls, user_data, template, template_source, created_by, created_at, last_modified_at, org_id) values ('334230f8-8abd-1c27-8c0f-56582d0f', 'c8c3e576-5d8c-8314-e871-58295093', 's1', '', null, null, null, '{}', '{"attestations":[],"artifacts":[]}', null, 'admin', 1800000070, 1800000070, '79b0089f-0e14-1bd3-0eff-31d208fe');
insert into trail_repos (trail_id, repo_id) values ('cca59ac3-4318-e6ca-5647-2a63f72f', 'eb5d1412-f3eb-1fec-fd35-3ef29445');
insert into trail_repos (trail_id, repo_id) values ('d19f68ce-a13a-7bcb-7fe7-b7fd7201', 'eb5d1412-f3eb-1fec-fd35-3ef29445');
insert into trail_repos (trail_id, repo_id) values ('334230f8-8abd-1c27-8c0f-56582d0f', 'eb5d1412-f3eb-1fec-fd35-3ef29445');
insert into trail_repos (trail_id, repo_id) values ('d2ab3cd3-1d9a-41e0-413e-7c33580b', 'eb5d1412-f3eb-1fec-fd35-3ef29445');
insert into artifacts (sequence, id, flow_id, trail_id, fingerprint, filename, template_name, commit_sha, is_compliant, build_url, commit_url, repo_url, repo_id, details, created_by, created_at, org_id, branch) values (1, '93522506-3fff-49e0-98c9-14169c33', '10d321a5-b067-e089-577e-dafbdcc6', 'cca59ac3-4318-e6ca-5647-2a63f72f', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'web-a', 'web', '1111111111111111111111111111111111111111', null, 'https://ci.example/1', 'https://github.com/acme/web/commit/1111111111111111111111111111111111111111', null, 'eb5d1412-f3eb-1fec-fd35-3ef29445', '{"git_commit_info":{"sha1":"1111111111111111111111111111111111111111","message":"Change 1","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111"}}', 'admin', 1800000040, '79b0089f-0e14-1bd3-0eff-31d208fe', 'main');
insert into artifacts (sequence, id, flow_id, trail_id, fingerprint, filename, template_name, commit_sha, is_compliant, build_url, commit_url, repo_url, repo_id, details, created_by, created_at, org_id, branch) values (2, 'a03429da-533d-0750-0a57-a6cad609', '10d321a5-b067-e089-577e-dafbdcc6', 'd19f68ce-a13a-7bcb-7fe7-b7fd7201', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'web-b', 'web', '2222222222222222222222222222222222222222', null, 'https://ci.example/1', 'https://github.com/acme/web/commit/2222222222222222222222222222222222222222', null, 'eb5d1412-f3eb-1fec-fd35-3ef29445', '{"git_commit_info":{"sha1":"2222222222222222222222222222222222222222","message":"Change 2","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/2222222222222222222222222222222222222222"}}', 'admin', 1800000060, '79b0089f-0e14-1bd3-0eff-31d208fe', 'main');
insert into artifacts (sequence, id, flow_id, trail_id, fingerprint, filename, template_name, commit_sha, is_compliant, build_url, commit_url, repo_url, repo_id, details, created_by, created_at, org_id, branch) values (3, '482be763-5c0c-bb36-1aac-3bbae6bf', 'c8c3e576-5d8c-8314-e871-58295093', '334230f8-8abd-1c27-8c0f-56582d0f', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 'web-c', null, '3333333333333333333333333333333333333333', null, 'https://ci.example/1', 'https://github.com/acme/web/commit/3333333333333333333333333333333333333333', null, 'eb5d1412-f3eb-1fec-fd35-3ef29445', '{"git_commit_info":{"sha1":"3333333333333333333333333333333333333333","message":"Change 3","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/3333333333333333333333333333333333333333"}}', 'admin', 1800000070, '79b0089f-0e14-1bd3-0eff-31d208fe', 'main');
insert into artifacts (sequence, id, flow_id, trail_id, fingerprint, filename, template_name, commit_sha, is_compliant, build_url, commit_url, repo_url, repo_id, details, created_by, created_at, org_id, branch) values (4, 'd2754ac1-d8fb-90ea-2da3-b1bd15c2', '10d321a5-b067-e089-577e-dafbdcc6', 'd2ab3cd3-1d9a-41e0-413e-7c33580b', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'web-b', 'web', '4444444444444444444444444444444444444444', null, 'https://ci.example/1', 'https://github.com/acme/web/commit/4444444444444444444444444444444444444444', null, 'eb5d1412-f3eb-1fec-fd35-3ef29445', '{"git_commit_info":{"sha1":"4444444444444444444444444444444444444444","message":"Change 4","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/4444444444444444444444444444444444444444"}}', 'admin', 1800000610, '79b0089f-0e14-1bd3-0eff-31d208fe', 'main');
insert into attestations (sequence, id, trail_id, name, type, is_compliant, artifact_fingerprint, commit_sha, repo_id, details, created_by, created_at, org_id, flow_id, series_id, overridden_id) values (1, 'c6fdedcd-a47e-dfc5-c0ec-c20025e6', 'cca59ac3-4318-e6ca-5647-2a63f72f', 'unit', 'generic', 1, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', null, null, '{"description":null,"origin_url":null,"user_data":{"n":1}}', 'admin', 1800000050, '79b0089f-0e14-1bd3-0eff-31d208fe', '10d321a5-b067-e089-577e-dafbdcc6', 'd90f2ef4-fbb8-1643-b42a-510e0b3e', null);
insert into environments (id, org_id, name, type, description, include_scaling, require_provenance, created_at, last_modified_at, last_reported_at, archived_at, latest_snapshot_id) values ('490f9830-8fa6-ef39-9b0c-5de7be0f', '79b0089f-0e14-1bd3-0eff-31d208fe', 'prod', 'K8S', '', 0, 0, 1800000070, 1800000370, 1800000910, null, 'b478f5dc-fc20-0d35-6fd1-064708d9');
insert into environments (id, org_id, name, type, description, include_scaling, require_provenance, created_at, last_modified_at, last_reported_at, archived_at, latest_snapshot_id) values ('7ab8df33-278a-2cda-12a4-24becf9d', '79b0089f-0e14-1bd3-0eff-31d208fe', 'stage', 'K8S', '', 1, 0, 1800000070, 1800000070, 1800001030, null, 'f1ffb364-3d81-bfcb-c658-912f8b52');
insert into environments (id, org_id, name, type, description, include_scaling, require_provenance, created_at, last_modified_at, last_reported_at, archived_at, latest_snapshot_id) values ('55fae541-a45d-72f3-1f21-7c7dbb56', '79b0089f-0e14-1bd3-0eff-31d208fe', 'all', 'logical', '', 0, 0, 1800000070, 1800000070, null, null, null);
insert into environments (id, org_id, name, type, description, include_scaling, require_provenance, created_at, last_modified_at, last_reported_at, archived_at, latest_snapshot_id) values ('b0e69cec-89eb-d85d-68d0-9d0b4914', '79b0089f-0e14-1bd3-0eff-31d208fe', 'files', 'server', '', 0, 0, 1800000070, 1800000070, 1800000790, null, '1565ba67-31c8-e7b1-9909-e85b5691');
insert into environment_members (environment_id, member_id) values ('55fae541-a45d-72f3-1f21-7c7dbb56', '490f9830-8fa6-ef39-9b0c-5de7be0f');
insert into environment_members (environment_id, member_id) values ('55fae541-a45d-72f3-1f21-7c7dbb56', '7ab8df33-278a-2cda-12a4-24becf9d');
insert into snapshots (id, environment_id, number, artifact_set, created_at, conditions, compliant, state, policies) values ('03c168a6-1432-ba09-8449-4a959d62', '490f9830-8fa6-ef39-9b0c-5de7be0f', 1, '9e991e9f3409cb227c30e5a8a096e277bfd132443cbdf3d8e4984f0aa26117fe', 1800000130, 'c3ce29709e8cda01e120e26607f0dcd53e0fae7083e4e8ea80bf548676746ae1', 0, null, '[]');
insert into snapshots (id, environment_id, number, artifact_set, created_at, conditions, compliant, state, policies) values ('d7baf828-2987-fe95-6a15-85d6e546', '490f9830-8fa6-ef39-9b0c-5de7be0f', 2, '3ba6f1cefb9f90da2c0dc759b93ea835e67b53b4afe39ba0ef72430e07a24a94', 1800000250, '528676fe360f4a327dc826614256d671f0870c621d3c95696006ff1a74587aba', 0, null, '[]');
insert into snapshots (id, environment_id, number, artifact_set, created_at, conditions, compliant, state, policies) values ('29b46eec-31a3-1272-0ec9-6d26c2eb', '7ab8df33-278a-2cda-12a4-24becf9d', 1, 'cf12484ba01da8aa05c48ba041fb319b4690be43b1cc75b2baed261d11506fbf', 1800000310, 'd0b9f382c66ae40bf1e984921eea6d001a306a447833dc9c995a2ddc86b82b2e', 0, null, '[]');
insert into snapshots (id, environment_id, number, artifact_set, created_at, conditions, compliant, state, policies) values ('f1ffb364-3d81-bfcb-c658-912f8b52', '7ab8df33-278a-2cda-12a4-24becf9d', 2, 'effe9be3b21f59c654fd9a1843b87b153cd6cd9b6fd4f6cc887e3c3d568ec10d', 1800000370, 'd0b9f382c66ae40bf1e984921eea6d001a306a447833dc9c995a2ddc86b82b2e', 0, null, '[]');
insert into snapshots (id, environment_id, number, artifact_set, created_at, conditions, compliant, state, policies) values ('da3dae9f-e1d8-fbbf-2159-e0867f30', '490f9830-8fa6-ef39-9b0c-5de7be0f', 3, '3ba6f1cefb9f90da2c0dc759b93ea835e67b53b4afe39ba0ef72430e07a24a94', 1800000370, '8f06806a9ad69081995f6081c934c5790652a6991761d05b6548467e7fedc7cf', 0, 0, '[{"id":"5495ea1b-2c36-672c-9615-f27196ef","name":"strict","version":1,"failing_artifacts":[{"name":"other","fingerprint":"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"},{"name":"web","fingerprint":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"}]}]');
insert into snapshots (id, environment_id, number, artifact_set, created_at, conditions, compliant, state, policies) values ('72e4f2de-88ad-bdef-90ac-f69b5945', '490f9830-8fa6-ef39-9b0c-5de7be0f', 4, '11ad835d3c30a75feae38e287fefe9ab1bbd88e9545d009155575d6edec17f04', 1800000490, '824c5c61ce618fc96ea9dbb2cf572d90f22ef7635c5eef8fcca792f1eae77110', 0, 0, '[{"id":"5495ea1b-2c36-672c-9615-f27196ef","name":"strict","version":1,"failing_artifacts":[{"name":"web","fingerprint":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"},{"name":"other","fingerprint":"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"}]}]');
insert into snapshots (id, environment_id, number, artifact_set, created_at, conditions, compliant, state, policies) values ('7ae0b6e7-c170-8bcb-32d4-2e399b02', '490f9830-8fa6-ef39-9b0c-5de7be0f', 5, '11ad835d3c30a75feae38e287fefe9ab1bbd88e9545d009155575d6edec17f04', 1800000550, '464b6155d00350e958c6f8df82ac3af566ed211650c5f750bbc0923b5d76ea1d', 0, 0, '[{"id":"5495ea1b-2c36-672c-9615-f27196ef","name":"strict","version":1,"failing_artifacts":[{"name":"other","fingerprint":"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"},{"name":"web","fingerprint":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"}]}]');
insert into snapshots (id, environment_id, number, artifact_set, created_at, conditions, compliant, state, policies) values ('5094fc00-d6ff-2ad7-1f06-2581f684', '490f9830-8fa6-ef39-9b0c-5de7be0f', 6, '11ad835d3c30a75feae38e287fefe9ab1bbd88e9545d009155575d6edec17f04', 1800000670, '70e9aed23b61033697e5d44e31d8420ffe623a29a8ce0216e1f67d43e4f23b9c', 0, 0, '[{"id":"5495ea1b-2c36-672c-9615-f27196ef","name":"strict","version":1,"failing_artifacts":[{"name":"web","fingerprint":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"},{"name":"other","fingerprint":"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"}]}]');
insert into snapshots (id, environment_id, number, artifact_set, created_at, conditions, compliant, state, policies) values ('c1a0b419-f5d0-9c56-44d9-bea95e03', '490f9830-8fa6-ef39-9b0c-5de7be0f', 7, '142f38d7157e6278d716c7abc0bb3491d0a0f18455d74aa110cb4af14d01ad8d', 1800000730, '06e62ef30e269224024e11a8ee0513e74d109ec3ca24645c811bfbf8f3e43ba9', 0, 0, '[{"id":"5495ea1b-2c36-672c-9615-f27196ef","name":"strict","version":1,"failing_artifacts":[{"name":"web","fingerprint":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"}]}]');
insert into snapshots (id, environment_id, number, artifact_set, created_at, conditions, compliant, state, policies) values ('1565ba67-31c8-e7b1-9909-e85b5691', 'b0e69cec-89eb-d85d-68d0-9d0b4914', 1, '4235b16f4f302c301c31956e3ba9c0914b6e0c6635ec2f3dc75c2147f355061e', 1800000790, '8ed9d419e1aeaf1a60287412f1906737fec8a1aa0e385fcf63cfa9c8422a0cc6', 0, null, '[]');
insert into snapshots (id, environment_id, number, artifact_set, created_at, conditions, compliant, state, policies) values ('b478f5dc-fc20-0d35-6fd1-064708d9', '490f9830-8fa6-ef39-9b0c-5de7be0f', 8, '59d4009ba110dacd8637d38e8934ca953599ab935899e65f1558abbb925884d2', 1800000850, 'dec16cec28e2d7e43b76b579cba085cd0817a0657cc119136f3828a8c3d5b1a4', 1, 1, '[{"id":"5495ea1b-2c36-672c-9615-f27196ef","name":"strict","version":1,"failing_artifacts":[]}]');
insert into answered_requests (api_key_id, idempotency_key, request_hash, subject, answer, answered_at) values ('f199f088-3d11-7002-1665-907baddc', null, 'b3dc9d64178cfef3013052eaa81d3d2f849fa1bbbbee97c600c552d3d6c4c0bf', 'artifact/79b0089f-0e14-1bd3-0eff-31d208fe/shop/t1/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '{"status":201,"body":{"message":"OK"}}', 1800000040);
insert into answered_requests (api_key_id, idempotency_key, request_hash, subject, answer, answered_at) values ('f199f088-3d11-7002-1665-907baddc', null, 'bd5f588035495b40ea8fabbc5d2197be9ce75c9369b69926d189e6b515312c3d', 'attestation/79b0089f-0e14-1bd3-0eff-31d208fe/shop/t1/unit', '{"status":201,"body":"OK"}', 1800000050);
insert into answered_requests (api_key_id, idempotency_key, request_hash, subject, answer, answered_at) values ('f199f088-3d11-7002-1665-907baddc', null, 'b71adc64e076dd9f43f390634ec6b529dea95de1cda18e2e0e0c198d1baff04c', 'artifact/79b0089f-0e14-1bd3-0eff-31d208fe/shop/t2/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', '{"status":201,"body":{"message":"OK"}}', 1800000060);
insert into answered_requests (api_key_id, idempotency_key, request_hash, subject, answer, answered_at) values ('f199f088-3d11-7002-1665-907baddc', null, '0de562d06430bdb39a44d24c3bdd888717e4a224d48096dcd0e4c7a06bbebdce', 'artifact/79b0089f-0e14-1bd3-0eff-31d208fe/side/s1/cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', '{"status":201,"body":{"message":"OK"}}', 1800000070);
insert into answered_requests (api_key_id, idempotency_key, request_hash, subject, answer, answered_at) values ('f199f088-3d11-7002-1665-907baddc', null, '90567726ca3980267568d33b1ffe657dde838020698b4a2f808a65e665db04d8', 'artifact/79b0089f-0e14-1bd3-0eff-31d208fe/shop/t3/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', '{"status":201,"body":{"message":"OK"}}', 1800000610);
insert into trail_events (sequence, trail_id, type, git_commit_info, repo_id, details, created_at) values (1, 'cca59ac3-4318-e6ca-5647-2a63f72f', 'trail_reported', '{"sha1":"1111111111111111111111111111111111111111","message":"Change 1","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111"}', null, '{"setting_user_id":"admin","trail_data_json":{"org_id":"79b0089f-0e14-1bd3-0eff-31d208fe","flow_id":"10d321a5-b067-e089-577e-dafbdcc6","name":"t1","creating_user_id":"admin","description":"","git_commit_info":{"sha1":"1111111111111111111111111111111111111111","message":"Change 1","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111"},"template_id":"d2a84ae4-eac2-a675-55ff-95a7ef71","origin_url":null,"user_data":"{}","repo_ids":[]}}', 1800000010);
insert into trail_events (sequence, trail_id, type, git_commit_info, repo_id, details, created_at) values (2, 'd19f68ce-a13a-7bcb-7fe7-b7fd7201', 'trail_reported', '{"sha1":"2222222222222222222222222222222222222222","message":"Change 2","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/2222222222222222222222222222222222222222"}', null, '{"setting_user_id":"admin","trail_data_json":{"org_id":"79b0089f-0e14-1bd3-0eff-31d208fe","flow_id":"10d321a5-b067-e089-577e-dafbdcc6","name":"t2","creating_user_id":"admin","description":"","git_commit_info":{"sha1":"2222222222222222222222222222222222222222","message":"Change 2","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/2222222222222222222222222222222222222222"},"template_id":"d2a84ae4-eac2-a675-55ff-95a7ef71","origin_url":null,"user_data":"{}","repo_ids":[]}}', 1800000020);
insert into trail_events (sequence, trail_id, type, git_commit_info, repo_id, details, created_at) values (3, 'd2ab3cd3-1d9a-41e0-413e-7c33580b', 'trail_reported', '{"sha1":"3333333333333333333333333333333333333333","message":"Change 3","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/3333333333333333333333333333333333333333"}', null, '{"setting_user_id":"admin","trail_data_json":{"org_id":"79b0089f-0e14-1bd3-0eff-31d208fe","flow_id":"10d321a5-b067-e089-577e-dafbdcc6","name":"t3","creating_user_id":"admin","description":"","git_commit_info":{"sha1":"3333333333333333333333333333333333333333","message":"Change 3","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/3333333333333333333333333333333333333333"},"template_id":"d2a84ae4-eac2-a675-55ff-95a7ef71","origin_url":null,"user_data":"{}","repo_ids":[]}}', 1800000030);
insert into trail_events (sequence, trail_id, type, git_commit_info, repo_id, details, created_at) values (4, 'cca59ac3-4318-e6ca-5647-2a63f72f', 'artifact_creation_reported', '{"sha1":"1111111111111111111111111111111111111111","message":"Change 1","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111"}', 'eb5d1412-f3eb-1fec-fd35-3ef29445', '{"artifact_fingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","artifact_name":"web-a","artifact_id":"93522506-3fff-49e0-98c9-14169c33","template_reference_name":"web","git_commit":"1111111111111111111111111111111111111111"}', 1800000040);
insert into trail_events (sequence, trail_id, type, git_commit_info, repo_id, details, created_at) values (5, 'cca59ac3-4318-e6ca-5647-2a63f72f', 'artifact_attestation_reported', null, null, '{"attestation_type":"generic","is_compliant":true,"attestation_id":"c6fdedcd-a47e-dfc5-c0ec-c20025e6","template_reference_name":"unit","artifact_fingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","artifact_name":"web-a","target_artifact":"web"}', 1800000050);
insert into trail_events (sequence, trail_id, type, git_commit_info, repo_id, details, created_at) values (6, 'd19f68ce-a13a-7bcb-7fe7-b7fd7201', 'artifact_creation_reported', '{"sha1":"2222222222222222222222222222222222222222","message":"Change 2","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/2222222222222222222222222222222222222222"}', 'eb5d1412-f3eb-1fec-fd35-3ef29445', '{"artifact_fingerprint":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","artifact_name":"web-b","artifact_id":"a03429da-533d-0750-0a57-a6cad609","template_reference_name":"web","git_commit":"2222222222222222222222222222222222222222"}', 1800000060);
insert into trail_events (sequence, trail_id, type, git_commit_info, repo_id, details, created_at) values (7, '334230f8-8abd-1c27-8c0f-56582d0f', 'trail_reported', null, null, '{"setting_user_id":"admin","trail_data_json":{"org_id":"79b0089f-0e14-1bd3-0eff-31d208fe","flow_id":"c8c3e576-5d8c-8314-e871-58295093","name":"s1","creating_user_id":"admin","description":"","git_commit_info":null,"template_id":"b38eefcd-b8e6-6024-5122-d1a94f20","origin_url":null,"user_data":"{}","repo_ids":[]}}', 1800000070);
insert into trail_events (sequence, trail_id, type, git_commit_info, repo_id, details, created_at) values (8, '334230f8-8abd-1c27-8c0f-56582d0f', 'artifact_creation_reported', '{"sha1":"3333333333333333333333333333333333333333","message":"Change 3","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/3333333333333333333333333333333333333333"}', 'eb5d1412-f3eb-1fec-fd35-3ef29445', '{"artifact_fingerprint":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","artifact_name":"web-c","artifact_id":"482be763-5c0c-bb36-1aac-3bbae6bf","template_reference_name":null,"git_commit":"3333333333333333333333333333333333333333"}', 1800000070);
insert into trail_events (sequence, trail_id, type, git_commit_info, repo_id, details, created_at) values (9, 'cca59ac3-4318-e6ca-5647-2a63f72f', 'artifact_started_running', '{"sha1":"1111111111111111111111111111111111111111","message":"Change 1","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111"}', null, '{"artifact_fingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","artifact_name":"web","environment_id":"490f9830-8fa6-ef39-9b0c-5de7be0f","environment_name":"prod","snapshot_index":1,"replica_number":1,"template_reference_name":"web"}', 1800000130);
insert into trail_events (sequence, trail_id, type, git_commit_info, repo_id, details, created_at) values (10, 'd19f68ce-a13a-7bcb-7fe7-b7fd7201', 'artifact_started_running', '{"sha1":"2222222222222222222222222222222222222222","message":"Change 2","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/2222222222222222222222222222222222222222"}', null, '{"artifact_fingerprint":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","artifact_name":"web","environment_id":"490f9830-8fa6-ef39-9b0c-5de7be0f","environment_name":"prod","snapshot_index":2,"replica_number":1,"template_reference_name":"web"}', 1800000250);
insert into trail_events (sequence, trail_id, type, git_commit_info, repo_id, details, created_at) values (11, 'cca59ac3-4318-e6ca-5647-2a63f72f', 'artifact_stopped_running', '{"sha1":"1111111111111111111111111111111111111111","message":"Change 1","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111"}', null, '{"artifact_fingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","artifact_name":"web","environment_id":"490f9830-8fa6-ef39-9b0c-5de7be0f","environment_name":"prod","snapshot_index":2,"template_reference_name":"web"}', 1800000250);
insert into trail_events (sequence, trail_id, type, git_commit_info, repo_id, details, created_at) values (12, 'cca59ac3-4318-e6ca-5647-2a63f72f', 'artifact_started_running', '{"sha1":"1111111111111111111111111111111111111111","message":"Change 1","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111"}', null, '{"artifact_fingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","artifact_name":"web","environment_id":"7ab8df33-278a-2cda-12a4-24becf9d","environment_name":"stage","snapshot_index":1,"replica_number":1,"template_reference_name":"web"}', 1800000310);
insert into trail_events (sequence, trail_id, type, git_commit_info, repo_id, details, created_at) values (13, '334230f8-8abd-1c27-8c0f-56582d0f', 'artifact_started_running', '{"sha1":"3333333333333333333333333333333333333333","message":"Change 3","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/3333333333333333333333333333333333333333"}', null, '{"artifact_fingerprint":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","artifact_name":"side","environment_id":"490f9830-8fa6-ef39-9b0c-5de7be0f","environment_name":"prod","snapshot_index":4,"replica_number":1,"template_reference_name":null}', 1800000490);
insert into trail_events (sequence, trail_id, type, git_commit_info, repo_id, details, created_at) values (14, 'd2ab3cd3-1d9a-41e0-413e-7c33580b', 'artifact_creation_reported', '{"sha1":"4444444444444444444444444444444444444444","message":"Change 4","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/4444444444444444444444444444444444444444"}', 'eb5d1412-f3eb-1fec-fd35-3ef29445', '{"artifact_fingerprint":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","artifact_name":"web-b","artifact_id":"d2754ac1-d8fb-90ea-2da3-b1bd15c2","template_reference_name":"web","git_commit":"4444444444444444444444444444444444444444"}', 1800000610);
insert into trail_events (sequence, trail_id, type, git_commit_info, repo_id, details, created_at) values (15, 'cca59ac3-4318-e6ca-5647-2a63f72f', 'artifact_started_running', '{"sha1":"1111111111111111111111111111111111111111","message":"Change 1","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111"}', null, '{"artifact_fingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","artifact_name":"web","environment_id":"490f9830-8fa6-ef39-9b0c-5de7be0f","environment_name":"prod","snapshot_index":8,"replica_number":1,"template_reference_name":"web"}', 1800000850);
insert into trail_events (sequence, trail_id, type, git_commit_info, repo_id, details, created_at) values (16, 'd2ab3cd3-1d9a-41e0-413e-7c33580b', 'artifact_stopped_running', '{"sha1":"4444444444444444444444444444444444444444","message":"Change 4","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/4444444444444444444444444444444444444444"}', null, '{"artifact_fingerprint":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","artifact_name":"web","environment_id":"490f9830-8fa6-ef39-9b0c-5de7be0f","environment_name":"prod","snapshot_index":8,"template_reference_name":"web"}', 1800000850);
insert into attestation_series (id, org_id, flow_id, name, type, is_compliant) values ('d90f2ef4-fbb8-1643-b42a-510e0b3e', '79b0089f-0e14-1bd3-0eff-31d208fe', '10d321a5-b067-e089-577e-dafbdcc6', 'unit', 'generic', 1);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('03c168a6-1432-ba09-8449-4a959d62', 'web', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'started-non-compliant', 0, 1);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('03c168a6-1432-ba09-8449-4a959d62', 'other', 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 'started-non-compliant', 0, 1);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('d7baf828-2987-fe95-6a15-85d6e546', 'web', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'exited', 1, 0);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('d7baf828-2987-fe95-6a15-85d6e546', 'web', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'started-non-compliant', 0, 1);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('d7baf828-2987-fe95-6a15-85d6e546', 'other', 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 'changed', 1, 1);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('29b46eec-31a3-1272-0ec9-6d26c2eb', 'web', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'started-non-compliant', 0, 1);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('f1ffb364-3d81-bfcb-c658-912f8b52', 'web', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'scaled', 1, 2);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('da3dae9f-e1d8-fbbf-2159-e0867f30', 'web', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'changed', 1, 1);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('da3dae9f-e1d8-fbbf-2159-e0867f30', 'other', 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 'changed', 1, 1);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('72e4f2de-88ad-bdef-90ac-f69b5945', 'side', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 'started-compliant', 0, 1);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('7ae0b6e7-c170-8bcb-32d4-2e399b02', 'other', 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 'changed', 1, 1);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('5094fc00-d6ff-2ad7-1f06-2581f684', 'web', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'updated-provenance', 1, 1);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('c1a0b419-f5d0-9c56-44d9-bea95e03', 'side', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 'changed', 1, 1);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('c1a0b419-f5d0-9c56-44d9-bea95e03', 'other', 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 'exited', 1, 0);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('1565ba67-31c8-e7b1-9909-e85b5691', '/opt/app', 'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd', 'started-non-compliant', 0, 1);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('b478f5dc-fc20-0d35-6fd1-064708d9', 'web', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'started-compliant', 0, 1);
insert into snapshot_events (snapshot_id, name, fingerprint, type, instances_before, instances_after) values ('b478f5dc-fc20-0d35-6fd1-064708d9', 'web', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'exited', 1, 0);
insert into allowlists (id, environment_id, fingerprint, artifact_name, description, created_by, created_at) values ('86e94caf-763f-1e88-9232-761f8435', '490f9830-8fa6-ef39-9b0c-5de7be0f', 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 'other', 'known', 'admin', 1800000550);
insert into policies (id, org_id, name, description, version, created_by, created_at, last_modified_at) values ('5495ea1b-2c36-672c-9615-f27196ef', '79b0089f-0e14-1bd3-0eff-31d208fe', 'strict', '', 1, 'admin', 1800000070, 1800000070);
insert into policy_versions (policy_id, version, comment, source, definition, created_by, created_at) values ('5495ea1b-2c36-672c-9615-f27196ef', 1, '', '_schema: https://kosli.com/schemas/policy/environment/v1
artifacts:
  provenance:
    required: true
  trail-compliance:
    required: true
', '{"schema_version":"1","artifacts":{"provenance":{"required":true,"exceptions":[]},"trail_compliance":{"required":true,"exceptions":[]},"attestations":[]}}', 'admin', 1800000070);
insert into policy_events (policy_id, number, type, data, created_by, created_at) values ('5495ea1b-2c36-672c-9615-f27196ef', 1, 'creation', '{}', 'admin', 1800000070);
insert into environment_policies (environment_id, policy_id) values ('490f9830-8fa6-ef39-9b0c-5de7be0f', '5495ea1b-2c36-672c-9615-f27196ef');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('03c168a6-1432-ba09-8449-4a959d62', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'web', '[{"podName":"w1","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', null, '{"flows":[{"artifactId":"93522506-3fff-49e0-98c9-14169c33","flowName":"shop","trailId":"cca59ac3-4318-e6ca-5647-2a63f72f","trailName":"t1","templateName":"web","commitSha":"1111111111111111111111111111111111111111","commitUrl":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111","gitCommitInfo":{"sha1":"1111111111111111111111111111111111111111","message":"Change 1","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111"},"deploymentDiff":null,"commitLeadTime":10130}],"policyDecisions":[],"allowed":false}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('03c168a6-1432-ba09-8449-4a959d62', 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 'other', '[{"podName":"x","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', null, '{}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('d7baf828-2987-fe95-6a15-85d6e546', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'web', '[{"podName":"w3","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', null, '{"flows":[{"artifactId":"a03429da-533d-0750-0a57-a6cad609","flowName":"shop","trailId":"d19f68ce-a13a-7bcb-7fe7-b7fd7201","trailName":"t2","templateName":"web","commitSha":"2222222222222222222222222222222222222222","commitUrl":"https://github.com/acme/web/commit/2222222222222222222222222222222222222222","gitCommitInfo":{"sha1":"2222222222222222222222222222222222222222","message":"Change 2","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/2222222222222222222222222222222222222222"},"deploymentDiff":{"diffUrl":"https://github.com/acme/web/compare/1111111111111111111111111111111111111111...2222222222222222222222222222222222222222","previousGitCommit":"1111111111111111111111111111111111111111","previousFingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","previousArtifactName":"web","previousArtifactComplianceState":null,"previousRunning":false,"previousGitCommitUrl":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111","previousTrailName":"t1","previousTemplateReferenceName":"web"},"commitLeadTime":10250}],"policyDecisions":[],"allowed":false}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('d7baf828-2987-fe95-6a15-85d6e546', 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 'other', '[{"podName":"x2","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', null, '{}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('29b46eec-31a3-1272-0ec9-6d26c2eb', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'web', '[{"podName":"w1","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', null, '{"flows":[{"artifactId":"93522506-3fff-49e0-98c9-14169c33","flowName":"shop","trailId":"cca59ac3-4318-e6ca-5647-2a63f72f","trailName":"t1","templateName":"web","commitSha":"1111111111111111111111111111111111111111","commitUrl":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111","gitCommitInfo":{"sha1":"1111111111111111111111111111111111111111","message":"Change 1","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111"},"deploymentDiff":null,"commitLeadTime":10310}],"policyDecisions":[],"allowed":false}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('f1ffb364-3d81-bfcb-c658-912f8b52', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'web', '[{"podName":"w1","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]},{"podName":"w2","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', null, '{"flows":[{"artifactId":"93522506-3fff-49e0-98c9-14169c33","flowName":"shop","trailId":"cca59ac3-4318-e6ca-5647-2a63f72f","trailName":"t1","templateName":"web","commitSha":"1111111111111111111111111111111111111111","commitUrl":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111","gitCommitInfo":{"sha1":"1111111111111111111111111111111111111111","message":"Change 1","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111"},"deploymentDiff":null,"commitLeadTime":10310}],"policyDecisions":[],"allowed":false}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('da3dae9f-e1d8-fbbf-2159-e0867f30', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'web', '[{"podName":"w3","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', 0, '{"flows":[{"artifactId":"a03429da-533d-0750-0a57-a6cad609","flowName":"shop","trailId":"d19f68ce-a13a-7bcb-7fe7-b7fd7201","trailName":"t2","templateName":"web","commitSha":"2222222222222222222222222222222222222222","commitUrl":"https://github.com/acme/web/commit/2222222222222222222222222222222222222222","gitCommitInfo":{"sha1":"2222222222222222222222222222222222222222","message":"Change 2","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/2222222222222222222222222222222222222222"},"deploymentDiff":{"diffUrl":"https://github.com/acme/web/compare/1111111111111111111111111111111111111111...2222222222222222222222222222222222222222","previousGitCommit":"1111111111111111111111111111111111111111","previousFingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","previousArtifactName":"web","previousArtifactComplianceState":null,"previousRunning":false,"previousGitCommitUrl":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111","previousTrailName":"t1","previousTemplateReferenceName":"web"},"commitLeadTime":10250}],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"NON-COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"shop","trailName":"t2","artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":false,"ignored":false,"resolutions":[{"type":"non_compliant_in_trail","context":{"flowName":"shop","trailName":"t2","artifactStatus":"INCOMPLETE"}}]}]}],"allowed":false}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('da3dae9f-e1d8-fbbf-2159-e0867f30', 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 'other', '[{"podName":"x2","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', 0, '{"flows":[],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"NON-COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":false,"ignored":false,"resolutions":[{"type":"missing_provenance","context":{"flowName":null,"trailName":null,"artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":false,"ignored":false,"resolutions":[{"type":"no_provenance","context":{"flowName":null,"trailName":null,"artifactStatus":null}}]}]}],"allowed":false}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('72e4f2de-88ad-bdef-90ac-f69b5945', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'web', '[{"podName":"w3","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', 0, '{"flows":[{"artifactId":"a03429da-533d-0750-0a57-a6cad609","flowName":"shop","trailId":"d19f68ce-a13a-7bcb-7fe7-b7fd7201","trailName":"t2","templateName":"web","commitSha":"2222222222222222222222222222222222222222","commitUrl":"https://github.com/acme/web/commit/2222222222222222222222222222222222222222","gitCommitInfo":{"sha1":"2222222222222222222222222222222222222222","message":"Change 2","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/2222222222222222222222222222222222222222"},"deploymentDiff":{"diffUrl":"https://github.com/acme/web/compare/1111111111111111111111111111111111111111...2222222222222222222222222222222222222222","previousGitCommit":"1111111111111111111111111111111111111111","previousFingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","previousArtifactName":"web","previousArtifactComplianceState":null,"previousRunning":false,"previousGitCommitUrl":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111","previousTrailName":"t1","previousTemplateReferenceName":"web"},"commitLeadTime":10250}],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"NON-COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"shop","trailName":"t2","artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":false,"ignored":false,"resolutions":[{"type":"non_compliant_in_trail","context":{"flowName":"shop","trailName":"t2","artifactStatus":"INCOMPLETE"}}]}]}],"allowed":false}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('72e4f2de-88ad-bdef-90ac-f69b5945', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 'side', '[{"podName":"c","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', 1, '{"flows":[{"artifactId":"482be763-5c0c-bb36-1aac-3bbae6bf","flowName":"side","trailId":"334230f8-8abd-1c27-8c0f-56582d0f","trailName":"s1","templateName":null,"commitSha":"3333333333333333333333333333333333333333","commitUrl":"https://github.com/acme/web/commit/3333333333333333333333333333333333333333","gitCommitInfo":{"sha1":"3333333333333333333333333333333333333333","message":"Change 3","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/3333333333333333333333333333333333333333"},"deploymentDiff":null,"commitLeadTime":10490}],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"side","trailName":"s1","artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"side","trailName":"s1","artifactStatus":"COMPLIANT"}}]}]}],"allowed":false}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('72e4f2de-88ad-bdef-90ac-f69b5945', 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 'other', '[{"podName":"x2","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', 0, '{"flows":[],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"NON-COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":false,"ignored":false,"resolutions":[{"type":"missing_provenance","context":{"flowName":null,"trailName":null,"artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":false,"ignored":false,"resolutions":[{"type":"no_provenance","context":{"flowName":null,"trailName":null,"artifactStatus":null}}]}]}],"allowed":false}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('7ae0b6e7-c170-8bcb-32d4-2e399b02', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'web', '[{"podName":"w3","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', 0, '{"flows":[{"artifactId":"a03429da-533d-0750-0a57-a6cad609","flowName":"shop","trailId":"d19f68ce-a13a-7bcb-7fe7-b7fd7201","trailName":"t2","templateName":"web","commitSha":"2222222222222222222222222222222222222222","commitUrl":"https://github.com/acme/web/commit/2222222222222222222222222222222222222222","gitCommitInfo":{"sha1":"2222222222222222222222222222222222222222","message":"Change 2","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/2222222222222222222222222222222222222222"},"deploymentDiff":{"diffUrl":"https://github.com/acme/web/compare/1111111111111111111111111111111111111111...2222222222222222222222222222222222222222","previousGitCommit":"1111111111111111111111111111111111111111","previousFingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","previousArtifactName":"web","previousArtifactComplianceState":null,"previousRunning":false,"previousGitCommitUrl":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111","previousTrailName":"t1","previousTemplateReferenceName":"web"},"commitLeadTime":10250}],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"NON-COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"shop","trailName":"t2","artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":false,"ignored":false,"resolutions":[{"type":"non_compliant_in_trail","context":{"flowName":"shop","trailName":"t2","artifactStatus":"INCOMPLETE"}}]}]}],"allowed":false}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('7ae0b6e7-c170-8bcb-32d4-2e399b02', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 'side', '[{"podName":"c","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', 1, '{"flows":[{"artifactId":"482be763-5c0c-bb36-1aac-3bbae6bf","flowName":"side","trailId":"334230f8-8abd-1c27-8c0f-56582d0f","trailName":"s1","templateName":null,"commitSha":"3333333333333333333333333333333333333333","commitUrl":"https://github.com/acme/web/commit/3333333333333333333333333333333333333333","gitCommitInfo":{"sha1":"3333333333333333333333333333333333333333","message":"Change 3","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/3333333333333333333333333333333333333333"},"deploymentDiff":null,"commitLeadTime":10490}],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"side","trailName":"s1","artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"side","trailName":"s1","artifactStatus":"COMPLIANT"}}]}]}],"allowed":false}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('7ae0b6e7-c170-8bcb-32d4-2e399b02', 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 'other', '[{"podName":"x2","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', 1, '{"flows":[],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"NON-COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":false,"ignored":false,"resolutions":[{"type":"missing_provenance","context":{"flowName":null,"trailName":null,"artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":false,"ignored":false,"resolutions":[{"type":"no_provenance","context":{"flowName":null,"trailName":null,"artifactStatus":null}}]}]}],"allowed":true}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('5094fc00-d6ff-2ad7-1f06-2581f684', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'web', '[{"podName":"w3","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', 0, '{"flows":[{"artifactId":"d2754ac1-d8fb-90ea-2da3-b1bd15c2","flowName":"shop","trailId":"d2ab3cd3-1d9a-41e0-413e-7c33580b","trailName":"t3","templateName":"web","commitSha":"4444444444444444444444444444444444444444","commitUrl":"https://github.com/acme/web/commit/4444444444444444444444444444444444444444","gitCommitInfo":{"sha1":"4444444444444444444444444444444444444444","message":"Change 4","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/4444444444444444444444444444444444444444"},"deploymentDiff":{"diffUrl":"https://github.com/acme/web/compare/1111111111111111111111111111111111111111...2222222222222222222222222222222222222222","previousGitCommit":"1111111111111111111111111111111111111111","previousFingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","previousArtifactName":"web","previousArtifactComplianceState":null,"previousRunning":false,"previousGitCommitUrl":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111","previousTrailName":"t1","previousTemplateReferenceName":"web"},"commitLeadTime":10250}],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"NON-COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"shop","trailName":"t3","artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":false,"ignored":false,"resolutions":[{"type":"non_compliant_in_trail","context":{"flowName":"shop","trailName":"t3","artifactStatus":"INCOMPLETE"}}]}]}],"allowed":false}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('5094fc00-d6ff-2ad7-1f06-2581f684', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 'side', '[{"podName":"c","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', 1, '{"flows":[{"artifactId":"482be763-5c0c-bb36-1aac-3bbae6bf","flowName":"side","trailId":"334230f8-8abd-1c27-8c0f-56582d0f","trailName":"s1","templateName":null,"commitSha":"3333333333333333333333333333333333333333","commitUrl":"https://github.com/acme/web/commit/3333333333333333333333333333333333333333","gitCommitInfo":{"sha1":"3333333333333333333333333333333333333333","message":"Change 3","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/3333333333333333333333333333333333333333"},"deploymentDiff":null,"commitLeadTime":10490}],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"side","trailName":"s1","artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"side","trailName":"s1","artifactStatus":"COMPLIANT"}}]}]}],"allowed":false}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('5094fc00-d6ff-2ad7-1f06-2581f684', 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 'other', '[{"podName":"x2","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', 1, '{"flows":[],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"NON-COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":false,"ignored":false,"resolutions":[{"type":"missing_provenance","context":{"flowName":null,"trailName":null,"artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":false,"ignored":false,"resolutions":[{"type":"no_provenance","context":{"flowName":null,"trailName":null,"artifactStatus":null}}]}]}],"allowed":true}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('c1a0b419-f5d0-9c56-44d9-bea95e03', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'web', '[{"podName":"w3","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', 0, '{"flows":[{"artifactId":"d2754ac1-d8fb-90ea-2da3-b1bd15c2","flowName":"shop","trailId":"d2ab3cd3-1d9a-41e0-413e-7c33580b","trailName":"t3","templateName":"web","commitSha":"4444444444444444444444444444444444444444","commitUrl":"https://github.com/acme/web/commit/4444444444444444444444444444444444444444","gitCommitInfo":{"sha1":"4444444444444444444444444444444444444444","message":"Change 4","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/4444444444444444444444444444444444444444"},"deploymentDiff":{"diffUrl":"https://github.com/acme/web/compare/1111111111111111111111111111111111111111...2222222222222222222222222222222222222222","previousGitCommit":"1111111111111111111111111111111111111111","previousFingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","previousArtifactName":"web","previousArtifactComplianceState":null,"previousRunning":false,"previousGitCommitUrl":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111","previousTrailName":"t1","previousTemplateReferenceName":"web"},"commitLeadTime":10250}],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"NON-COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"shop","trailName":"t3","artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":false,"ignored":false,"resolutions":[{"type":"non_compliant_in_trail","context":{"flowName":"shop","trailName":"t3","artifactStatus":"INCOMPLETE"}}]}]}],"allowed":false}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('c1a0b419-f5d0-9c56-44d9-bea95e03', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 'side', '[{"podName":"c2","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', 1, '{"flows":[{"artifactId":"482be763-5c0c-bb36-1aac-3bbae6bf","flowName":"side","trailId":"334230f8-8abd-1c27-8c0f-56582d0f","trailName":"s1","templateName":null,"commitSha":"3333333333333333333333333333333333333333","commitUrl":"https://github.com/acme/web/commit/3333333333333333333333333333333333333333","gitCommitInfo":{"sha1":"3333333333333333333333333333333333333333","message":"Change 3","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/3333333333333333333333333333333333333333"},"deploymentDiff":null,"commitLeadTime":10490}],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"side","trailName":"s1","artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"side","trailName":"s1","artifactStatus":"COMPLIANT"}}]}]}],"allowed":false}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('1565ba67-31c8-e7b1-9909-e85b5691', 'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd', '/opt/app', '[{"creationTimestamp":1799999000}]', null, '{}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('b478f5dc-fc20-0d35-6fd1-064708d9', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'web', '[{"podName":"w1","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', 1, '{"flows":[{"artifactId":"93522506-3fff-49e0-98c9-14169c33","flowName":"shop","trailId":"cca59ac3-4318-e6ca-5647-2a63f72f","trailName":"t1","templateName":"web","commitSha":"1111111111111111111111111111111111111111","commitUrl":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111","gitCommitInfo":{"sha1":"1111111111111111111111111111111111111111","message":"Change 1","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/1111111111111111111111111111111111111111"},"deploymentDiff":{"diffUrl":"https://github.com/acme/web/compare/4444444444444444444444444444444444444444...1111111111111111111111111111111111111111","previousGitCommit":"4444444444444444444444444444444444444444","previousFingerprint":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","previousArtifactName":"web","previousArtifactComplianceState":"NON-COMPLIANT","previousRunning":false,"previousGitCommitUrl":"https://github.com/acme/web/commit/4444444444444444444444444444444444444444","previousTrailName":"t3","previousTemplateReferenceName":"web"},"commitLeadTime":10850}],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"shop","trailName":"t1","artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"shop","trailName":"t1","artifactStatus":"COMPLIANT"}}]}]}],"allowed":false}');
insert into snapshot_artifacts (snapshot_id, fingerprint, name, instances, compliant, details) values ('b478f5dc-fc20-0d35-6fd1-064708d9', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 'side', '[{"podName":"c2","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}]', 1, '{"flows":[{"artifactId":"482be763-5c0c-bb36-1aac-3bbae6bf","flowName":"side","trailId":"334230f8-8abd-1c27-8c0f-56582d0f","trailName":"s1","templateName":null,"commitSha":"3333333333333333333333333333333333333333","commitUrl":"https://github.com/acme/web/commit/3333333333333333333333333333333333333333","gitCommitInfo":{"sha1":"3333333333333333333333333333333333333333","message":"Change 3","author":"Ada <ada@example.com>","branch":"main","timestamp":1799990000,"url":"https://github.com/acme/web/commit/3333333333333333333333333333333333333333"},"deploymentDiff":null,"commitLeadTime":10490}],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"side","trailName":"s1","artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"side","trailName":"s1","artifactStatus":"COMPLIANT"}}]}]}],"allowed":false}');
insert into unfiled_snapshots (sequence, environment_id, number, artifact_set, conditions, content, created_at) values (12, '490f9830-8fa6-ef39-9b0c-5de7be0f', 9, 'c63ae5ecb1abe11471f7415877534d1b7467627e7edb2a584c98048bc97a3451', '6656c82659dbef0ed4556c87c26044ea739a1f9bb8bf4b8594004ddcaa9912f1', '{"state":false,"policies":[{"id":"5495ea1b-2c36-672c-9615-f27196ef","name":"strict","version":1,"failingArtifacts":[{"name":"web","fingerprint":"eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"}]}],"artifacts":[{"name":"web","fingerprint":"eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee","instances":[{"podName":"w9","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"NON-COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":false,"ignored":false,"resolutions":[{"type":"missing_provenance","context":{"flowName":null,"trailName":null,"artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":false,"ignored":false,"resolutions":[{"type":"no_provenance","context":{"flowName":null,"trailName":null,"artifactStatus":null}}]}]}],"allowed":false,"compliant":false},{"name":"side","fingerprint":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","instances":[{"podName":"c2","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}],"policyDecisions":[{"policyName":"strict","policyVersion":1,"status":"COMPLIANT","ruleEvaluations":[{"rule":{"type":"provenance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"side","trailName":"s1","artifactStatus":null}}]},{"rule":{"type":"trail-compliance","definition":{"required":true,"exceptions":[]}},"satisfied":true,"ignored":false,"resolutions":[{"type":"rule_satisfied","context":{"flowName":"side","trailName":"s1","artifactStatus":"COMPLIANT"}}]}]}],"allowed":false,"compliant":true}]}', 1800000910);
insert into unfiled_snapshots (sequence, environment_id, number, artifact_set, conditions, content, created_at) values (13, '7ab8df33-278a-2cda-12a4-24becf9d', 3, '5888b6422261e6a1773cd710d7930960bd24d2afee2e2acf14a9e6348fc707f4', '94b7407de9cc7e58da00b9b0bbc4edb628e8927a2b024abd807c657aa1311533', '{"state":null,"policies":[],"artifacts":[{"name":"web","fingerprint":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","instances":[{"podName":"w9","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}],"policyDecisions":[],"allowed":false,"compliant":null}]}', 1800000970);
insert into unfiled_snapshots (sequence, environment_id, number, artifact_set, conditions, content, created_at) values (14, '7ab8df33-278a-2cda-12a4-24becf9d', 4, 'effe9be3b21f59c654fd9a1843b87b153cd6cd9b6fd4f6cc887e3c3d568ec10d', 'd0b9f382c66ae40bf1e984921eea6d001a306a447833dc9c995a2ddc86b82b2e', '{"state":null,"policies":[],"artifacts":[{"name":"web","fingerprint":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","instances":[{"podName":"w9","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]},{"podName":"w8","namespace":"n","creationTimestamp":1799999000,"owners":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u","controller":true,"blockOwnerDeletion":true}]}],"policyDecisions":[],"allowed":false,"compliant":null}]}', 1800001030);
CREATE INDEX api_keys_account on api_keys (service_account_id);
CREATE UNIQUE INDEX repos_external on repos (org_id, provider, repo_id) where repo_id is not null;
CREATE UNIQUE INDEX repos_without_id on repos (org_id, provider, name) where repo_id is null;
CREATE INDEX repos_name on repos (org_id, name, id);
CREATE INDEX artifacts_flow on artifacts (flow_id, fingerprint);
CREATE INDEX artifacts_trail on artifacts (trail_id, fingerprint);
CREATE INDEX artifacts_fingerprint on artifacts (fingerprint);
CREATE INDEX attestations_trail on attestations (trail_id, name);
CREATE INDEX attestations_artifact on attestations (artifact_fingerprint, name);
CREATE INDEX attestation_targets_claim on attestation_targets (trail_id, artifact_name, commit_sha);
CREATE UNIQUE INDEX answered_requests_key on answered_requests (api_key_id, idempotency_key)
  where idempotency_key is not null;
CREATE INDEX answered_requests_hash on answered_requests (api_key_id, request_hash);
CREATE INDEX answered_requests_subject on answered_requests (subject);
CREATE INDEX answered_requests_age on answered_requests (answered_at)
;
CREATE INDEX former_flow_names_flow on former_flow_names (flow_id);
CREATE INDEX tags_value on tags (org_id, resource_type, key, value, resource_id);
CREATE INDEX trail_events_trail on trail_events (trail_id, sequence);
CREATE INDEX trails_org_age on trails (org_id, created_at, id);
CREATE INDEX trails_flow_age on trails (flow_id, created_at, id);
CREATE INDEX trails_flow_activity on trails (flow_id, last_modified_at, id);
CREATE INDEX artifacts_org_age on artifacts (org_id, sequence);
CREATE INDEX artifacts_flow_age on artifacts (flow_id, sequence);
CREATE INDEX artifacts_flow_branch on artifacts (flow_id, branch, sequence);
CREATE INDEX artifacts_flow_commit on artifacts (flow_id, commit_sha);
CREATE INDEX artifacts_repo_age on artifacts (repo_id, sequence);
CREATE INDEX artifacts_commit on artifacts (org_id, commit_sha);
CREATE INDEX trail_repos_repo on trail_repos (repo_id)
;
CREATE INDEX attestation_series_name on attestation_series (org_id, name);
CREATE INDEX attestation_series_type on attestation_series (org_id, type);
CREATE INDEX attestations_org_age on attestations (org_id, created_at, sequence);
CREATE INDEX attestations_flow_age on attestations (flow_id, created_at, sequence);
CREATE INDEX attestations_series_age on attestations (series_id, created_at, sequence);
CREATE INDEX attestations_commit on attestations (org_id, commit_sha);
CREATE INDEX snapshots_age on snapshots (environment_id, created_at, number);
CREATE INDEX snapshot_events_fingerprint on snapshot_events (fingerprint);
CREATE INDEX environment_members_member on environment_members (member_id)
;
CREATE INDEX policy_controls_control on policy_controls (control_id);
CREATE INDEX environment_policies_policy on environment_policies (policy_id);
CREATE INDEX control_decisions_control on control_decisions (org_id, control, created_at, attestation_id);
CREATE INDEX control_decisions_artifact on control_decisions (org_id, artifact_fingerprint);
CREATE INDEX artifacts_latest on artifacts (org_id, fingerprint, flow_id, sequence)
;
CREATE INDEX service_accounts_creator on service_accounts (created_by_id);
CREATE INDEX approvals_artifact on approvals (flow_id, artifact_fingerprint, number)
;
