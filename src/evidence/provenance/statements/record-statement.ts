import { type Descriptor, type Statement, type Subject, statementOf, timestamp } from "./statement.ts";

// Statements of recorded attestations, by their type.

const RECORD = "https://delivery-evidence.github.io/toolkit/attestation/v1";
const TEST_RESULT = "https://in-toto.io/attestation/test-result/v0.1";
const VULNERABILITIES = "https://in-toto.io/attestation/vulns/v0.2";
const CYCLONEDX = "https://cyclonedx.org/bom";
const SPDX = "https://spdx.dev/Document";

export interface RecordedAttestation {
  readonly name: string;
  /** Such as `junit` or `system:sarif`. */
  readonly type: string;
  readonly isCompliant: boolean;
  /** Unix seconds. */
  readonly at: number;
  readonly subject: Subject;
  /** Its event in the evidence log. */
  readonly event: Descriptor;
  readonly attachments: readonly { readonly name: string; readonly sha256: string }[];
  /** Its results, in the fields of the interface. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Parsed content of the only file, if it is an SBOM. */
  readonly sbom?: unknown;
}

type Predicate = readonly [type: string, predicate: object];

export function recordStatement(record: RecordedAttestation): Statement {
  const [type, predicate] = testResult(record) ?? vulnerabilities(record) ?? sbom(record) ?? generic(record);
  return statementOf(record.subject, type, predicate);
}

function testResult({ fields, isCompliant, event }: RecordedAttestation): Predicate | undefined {
  const suites = objects(fields["junit_results"]);
  if (suites.length === 0) return undefined;
  const isFailed = ({ failures, errors }: Fields) => Number(failures ?? 0) + Number(errors ?? 0) > 0;
  const names = (found: readonly Fields[]) => found.map(({ name }) => String(name ?? ""));
  const failed = suites.filter(isFailed);
  return [
    TEST_RESULT,
    {
      result: isCompliant && failed.length === 0 ? "PASSED" : "FAILED",
      configuration: [event],
      passedTests: names(suites.filter((suite) => !isFailed(suite))),
      failedTests: names(failed),
    },
  ];
}

const SEVERITIES = ["low", "medium", "high"] as const;

/** Undefined for a scan of which the record has only counts, because the predicate lists everything that was found. */
function vulnerabilities({ fields, at }: RecordedAttestation): Predicate | undefined {
  const { tool, results } = object(fields["processed_snyk_results"] ?? fields["sarif_results"]);
  if (!Array.isArray(results)) return undefined;
  const scans = objects(results);
  const isWhole = scans.every((scan) =>
    SEVERITIES.every((each) => objects(scan[each]).length === Number(scan[`${each}_count`] ?? 0)),
  );
  if (!isWhole) return undefined;
  const { name = "unknown", version } = object(tool);
  const found = scans.flatMap((scan) =>
    SEVERITIES.flatMap((score) =>
      objects(scan[score]).map(({ id }) => ({
        id: String(id ?? ""),
        severity: [{ method: String(name), score }],
      })),
    ),
  );
  const time = timestamp(at);
  return [
    VULNERABILITIES,
    {
      scanner: {
        uri: `pkg:generic/${encodeURIComponent(String(name))}`,
        ...(typeof version === "string" && { version }),
        db: {},
        result: found,
      },
      // The time of the record: that of the scan is unknown.
      metadata: { scanStartedOn: time, scanFinishedOn: time },
    },
  ];
}

function sbom({ sbom: document }: RecordedAttestation): Predicate | undefined {
  const { bomFormat, spdxVersion } = object(document);
  if (bomFormat === "CycloneDX") return [CYCLONEDX, object(document)];
  const [, version] = /^SPDX-(2\.\d)$/.exec(String(spdxVersion)) ?? [];
  return version === undefined ? undefined : [`${SPDX}/v${version}`, object(document)];
}

function generic({ name, type, isCompliant, at, event, attachments }: RecordedAttestation): Predicate {
  return [
    RECORD,
    {
      name,
      type,
      isCompliant,
      recordedOn: timestamp(at),
      record: event,
      attachments: attachments.map(({ name: file, sha256 }) => ({ name: file, digest: { sha256 } })),
    },
  ];
}

type Fields = Readonly<Record<string, unknown>>;

function object(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function objects(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(object) : [];
}
