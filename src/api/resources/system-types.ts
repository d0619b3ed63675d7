import * as z from "zod/mini";
import { fingerprint } from "../names.ts";
import { shortText } from "../texts.ts";
import {
  jiraSubmission,
  junitSubmission,
  pullRequestSubmission,
  snykSubmission,
  sonarSubmission,
} from "./attestation-kinds.ts";
import type { SystemType } from "./attestation-type.ts";

interface SystemTypeData {
  readonly description: string;
  /** Version 1 of the type's data, in the names of the interface. Further fields are kept. */
  readonly data: z.ZodMiniObject;
}

const described = (description: string) => z.meta({ description });

/**
 * The data of each system type. The fields are those of the judged kind of the same tool, so that a policy reads both
 * alike.
 */
export const SYSTEM_TYPE_DATA: Readonly<Record<SystemType, SystemTypeData>> = {
  generic: {
    description: "Any fact, with its result",
    data: z.looseObject({
      is_compliant: z.boolean().check(described("The result, which the sender determines")),
    }),
  },
  junit: {
    description: "Test results",
    data: z.looseObject({ junit_results: junitSubmission.shape.junit_results }),
  },
  pull_request: {
    description: "The pull requests of a commit",
    data: z.looseObject({
      git_provider: pullRequestSubmission.shape.git_provider,
      pull_requests: pullRequestSubmission.shape.pull_requests,
    }),
  },
  jira: {
    description: "The Jira issues that a commit refers to",
    data: z.looseObject({ jira_results: jiraSubmission.shape.jira_results }),
  },
  sonar: {
    description: "A Sonar analysis with its quality gate",
    data: z.looseObject({ sonar_results: sonarSubmission.shape.sonar_results }),
  },
  sarif: {
    description: "The findings of a scanner",
    data: z.looseObject({ sarif_results: snykSubmission.shape.snyk_results }),
  },
  sbom: {
    description: "A software bill of materials",
    data: z.looseObject({
      format: shortText.check(z.minLength(1), described("The format, such as cyclonedx-1.6")),
      original_fingerprint: fingerprint.check(described("The sha256 of the submitted file")),
      document: z
        .union([z.record(z.string(), z.unknown()), z.string()])
        .check(described("A summary of the document or all of it, as JSON or as text of another format")),
    }),
  },
  decision: {
    description: "A decision about a control",
    data: z.looseObject({
      is_compliant: z.boolean().check(described("Whether the artifact meets the control")),
    }),
  },
};

/** Version of the data of every system type. */
export const SYSTEM_TYPE_VERSION = 1;
