const MB = 1024 * 1024;

export interface Profile {
  readonly attempts: number;
  /** The most that is read of an answer, in bytes. */
  readonly maxBytes: number;
  /** A followed redirect never leads from https to http, nor takes authorization to another host. */
  readonly redirects: "refused" | "given" | "followed";
  /** Statuses that may turn out otherwise when asked again; by default those of `isRetriedStatus`. */
  readonly isRetried?: (status: number) => boolean;
  /** Faults of the connection that stay until somebody changes something, beside those of TLS. */
  readonly finalFaults?: ReadonlySet<string>;
}

const isServerFault = (status: number) => status >= 500;

export const PROFILES = {
  /** Evidence must not go astray. */
  api: { attempts: 4, maxBytes: 20 * MB, redirects: "refused" },
  /** Files that the API sends. */
  files: { attempts: 4, maxBytes: 512 * MB, redirects: "refused" },
  /** Answers with a few kilobytes: a token that says which workflow this is. */
  tokens: { attempts: 4, maxBytes: MB, redirects: "refused" },
  /** Jira and Sonar: a token must not go astray. */
  tracker: { attempts: 4, maxBytes: 20 * MB, redirects: "refused" },
  /** What registries allow a manifest. They redirect to where they keep it. */
  registry: { attempts: 3, maxBytes: 4 * MB, redirects: "given" },
  /** Moved repositories are found by redirects. The rate limit is not waited for: it is reset once an hour. */
  github: { attempts: 1, maxBytes: 20 * MB, redirects: "followed", isRetried: isServerFault },
  /** A larger archive is no spool. GitHub keeps archives elsewhere and sends us there. */
  archive: { attempts: 1, maxBytes: 2048 * MB, redirects: "followed" },
  /** What GitHub keeps of an attestation, packed or not. */
  bundle: { attempts: 3, maxBytes: 20 * MB, redirects: "given", isRetried: isServerFault },
  /** A list of containers has all their labels. That no engine is there, or none for this user, does not pass. */
  engine: {
    attempts: 3,
    maxBytes: 20 * MB,
    redirects: "given",
    finalFaults: new Set(["ENOENT", "ENOTDIR", "ECONNREFUSED", "EACCES", "EPERM"]),
  },
  /** The caller retries, because each attempt needs its own signature. The size fits a list of 1,000 keys. */
  bucket: { attempts: 1, maxBytes: 4 * MB, redirects: "given" },
  /** A page of pods is a few megabytes. A text of four times this could not be held at all. */
  cluster: { attempts: 1, maxBytes: 128 * MB, redirects: "given" },
} as const satisfies Readonly<Record<string, Profile>>;
