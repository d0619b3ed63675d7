import { isDeepStrictEqual } from "node:util";
import type { Files } from "./package-archive.ts";
import { hex, type Json, json, objects, sha256 } from "./package-values.ts";

/*
 * Compares a record with the events that recorded it. Every field must be what an event says, except for those that the
 * service derives each time it shows the record: its address, its state, and copies of other records.
 */

const DERIVED = {
  attestation: ["schema_version", "html_url", "_links", "has_audit_package", "origin"],
  artifact: [
    ...[
      "repo_info",
      "html_url",
      "api_url",
      "origin",
      "state",
      "state_info",
      "deployments",
      "releases",
      "evidence",
    ],
    ...["template", "approvals", "running", "exited", "history", "commit_lead_times", "build_lead_times"],
  ],
  trail: [
    ...["repo_ids", "last_modified_at", "compliance_status", "compliance_state", "is_compliant", "template"],
    ...["flow", "html_url", "events", "origin"],
  ],
};

interface Recorded {
  readonly event: Json;
  /** The latest event that changed a trail; otherwise the same one. */
  readonly latest: Json;
  /** Names of the trail and its flow, if the reader knows them from the log. */
  readonly trail?: string | undefined;
  readonly flow?: string | undefined;
}

/** Names of fields in which a record differs from its events. */
export function differences(record: Json, recorded: Recorded, files: Files): string[] {
  const { event, latest, trail, flow } = recorded;
  const data: Json = Object(latest["data"]);
  const base = { created_at: event["at"] };
  switch (event["type"]) {
    case "trail.begun":
      return [
        ...wrongFields(record, "trail", {
          ...{
            ...base,
            id: event["subject_id"],
            name: event["subject_name"],
            created_by: data["created_by"],
          },
          ...{ description: data["description"], origin_url: data["origin_url"] },
          ...parsed(data, ["git_commit_info", "user_data", "external_urls"]),
        }),
        ...(Object(record["flow"]).name === flow ? [] : ["flow"]),
      ];
    case "artifact.reported": {
      const details = detailsIn(data, files);
      if (details === undefined) return ["its details"];
      const { description = null, user_data = null, external_urls = null, annotations = null } = details;
      return wrongFields(record, "artifact", {
        ...{ id: event["subject_id"], filename: event["subject_name"], fingerprint: data["fingerprint"] },
        ...{ created_at: String(event["at"]), last_modified_at: String(event["at"]) },
        ...{ template_reference_name: data["template_name"], git_commit: data["commit_sha"] },
        ...{ commit_url: data["commit_url"], build_url: data["build_url"], repo_url: data["repo_url"] },
        ...{ description, user_data, external_urls, annotations, spooled_by: details["spooled_by"] },
        ...{ git_commit_info: details["git_commit_info"], ...named(record, trail, flow) },
      });
    }
    default: {
      const details = detailsIn(data, files);
      if (details === undefined) return ["its details"];
      const [file, ...others] = objects(data["attachments"]);
      return wrongFields(record, "attestation", {
        ...{ ...details, ...shownResults(data["type"], Object(details["attestation_data"])), ...base },
        ...{ attestation_id: event["subject_id"], attestation_name: event["subject_name"] },
        attestation_type: event["type"] === "attestation.overridden" ? "override" : data["type"],
        ...{ is_compliant: data["is_compliant"], reported_by: event["by"] },
        ...{ artifact_fingerprint: Object(data["artifact"]).fingerprint, ...named(record, trail, flow) },
        evidence_archive_fingerprint: others.length === 0 ? file?.["sha256"] : undefined,
      });
    }
  }
}

/** A receipt has no event of its trail, so it proves neither name. */
function named(record: Json, trail = record["trail_name"], flow = record["flow_name"]): Json {
  return { trail_name: trail, flow_name: flow };
}

/** Results in the data of an attestation that its record shows as fields, by type. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  "system:junit": ["junit_results"],
  "system:pull_request": ["git_provider", "pull_requests"],
  "system:jira": ["jira_results"],
  "system:sonar": ["sonar_results"],
  "system:sarif": ["sarif_results"],
};

/** Sonar's gate has two names in a record. */
function shownResults(type: unknown, data: Json): Json {
  const names = SHOWN[String(type)];
  if (names === undefined) return {};
  const shown = Object.fromEntries(names.filter((name) => name in data).map((name) => [name, data[name]]));
  const gate = Object(data["sonar_results"]).qualityGate;
  if (gate === undefined) return shown;
  return { ...shown, sonar_results: { ...Object(data["sonar_results"]), quality_gate: gate } };
}

/** The text of which the event has the sha256. */
function detailsIn(data: Json, files: Files): Json | undefined {
  const name = `log/details/${data["details"]}.json`;
  const content = files.get(name);
  return content && hex(sha256(content)) === data["details"] ? json(name, content) : undefined;
}

/** Fields that an event has as texts of JSON. */
function parsed(data: Json, fields: readonly string[]): Json {
  const values = fields.map((field) => {
    const text = data[field];
    return [field, typeof text === "string" ? JSON.parse(text) : text] as const;
  });
  return Object.fromEntries(values);
}

function wrongFields(record: Json, kind: keyof typeof DERIVED, expected: Json): string[] {
  const fields = new Set([...Object.keys(record), ...Object.keys(expected)]);
  return [...fields].filter(
    (field) => !DERIVED[kind].includes(field) && !isSame(record[field], expected[field]),
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one ?? null, other ?? null);
}
