/** Figures of the bench with their bounds: users' goals as data, one row each. */

interface Row {
  readonly what: string;
  readonly unit: string;
  /** Maximum or minimum of the figure. */
  readonly bound: { readonly most: number } | { readonly least: number };
}

const atMost = (most: number, unit: string, what: string) => ({ what, unit, bound: { most } });
const atLeast = (least: number, unit: string, what: string) => ({ what, unit, bound: { least } });

/** Attestations per second in slow motion on 23 Nov 2026, with one statement after the other: what its rows compare with. */
export const SLOW_RATE = 7.4;
const IN_SLOW_MOTION = `× ${SLOW_RATE}/s`;

/** Rows by group. `npm run bench -- GROUP…` measures only those groups. */
export const GROUPS = {
  "start-up": {
    attest: atMost(3.5, "× bare Node", "attest, start to exit"),
    attestDryRun: atMost(3, "× bare Node", "attest, start to exit, dry run"),
    attestLater: atMost(3.2, "× bare Node", "attest, start to exit, in a job's later steps (compile cache)"),
    attestTwenty: atMost(2.5, "× one", "20 attestations in one step"),
    keyless: atMost(150, "ms", "attest without a key, local service: time added by proving its identity"),
  },
  sizes: {
    dist: atMost(4, "MB", "dist, in all"),
    action: atMost(1.3, "MB", "the largest action's folder, with what it shares"),
    download: atMost(1.6, "MB", "what a runner downloads"),
    atStart: atMost(0.5, "× its libraries alone", "the largest bundle, loaded at start"),
  },
  fingerprint: {
    file: atLeast(0.95, "× openssl's speed", "fingerprint of a 1 GiB file"),
    directory: atMost(1.8, "× find | xargs sha256sum", "fingerprint of a directory of 20,000 small files"),
  },
  memory: {
    attachment: atMost(10, "MiB", "10 MB attachment, peak above attest without"),
    podsFile: atMost(250, "MiB", "report-env of a file of 10,000 pods, peak"),
  },
  "test-reports": {
    attach: atMost(2, "s", "5,000 test reports in one step, read and attached"),
  },
  cluster: {
    cluster: atMost(1.1, "× reading the pages", "report-env of 10,000 pods"),
    clusterPeak: atMost(250, "MiB", "report-env of 10,000 pods, peak"),
    largeCluster: atMost(1.1, "× reading the pages", "report-env of 150,000 pods"),
    largeClusterPeak: atMost(601, "MiB", "report-env of 150,000 pods, peak"),
  },
  reporter: {
    reporterPeak: atMost(200, "MiB", "the reporter, 10,000 pods that all change twice, peak"),
  },
  bucket: {
    bucket: atMost(0.2, "× one after another", "report-env of a bucket of 10,000 objects of 10 kB"),
    bucketPeak: atMost(128, "MiB", "report-env of a bucket of 10,000 objects of 10 kB, peak"),
    bucketInFlight: atMost(32, "objects", "report-env of a bucket, objects in flight"),
  },
  durable: {
    durable: atLeast(2000, "/s", "durable attestations, 32 clients, SQLite"),
    durableSlowest: atMost(50, "ms", "durable attestations, 32 clients, SQLite, p99"),
    postgres: atLeast(1000, "/s", "durable attestations, 32 clients, PostgreSQL"),
    postgresSlowest: atMost(80, "ms", "durable attestations, 32 clients, PostgreSQL, p99"),
    twoInstances: atLeast(1, "× one", "durable attestations, 32 clients, two instances on one PostgreSQL"),
  },
  log: {
    sqlite: atLeast(0.9, "× without", "durable attestations with the evidence log, 32 clients, SQLite"),
    postgres: atLeast(0.9, "× without", "the same on PostgreSQL"),
    proof: atMost(2, "ms", "proof of an event in a log of 10,000,000 entries"),
    bytes: atMost(80, "bytes", "tiles of such a log, for each entry"),
    fsck: atMost(30, "s", "check of a log of 1,000,000 entries"),
    verify: atMost(5, "s", "verification of a package of 10,000 records"),
  },
  "slow-motion": {
    oneOrg: atLeast(4, IN_SLOW_MOTION, "slow motion (database 50 ms away, flush 150 ms), one organization"),
    twoInstances: atLeast(4, IN_SLOW_MOTION, "the same on two instances"),
    eightOrgs: atLeast(5, IN_SLOW_MOTION, "the same, eight organizations on two instances"),
  },
  notifications: {
    deliveries: atLeast(1000, "/s", "deliveries to a receiver on the same machine, SQLite"),
    firstByte: atMost(100, "ms", "from commit to the first byte at the receiver, nothing else to do, p99"),
    deadTarget: atMost(1.1, "× without", "one dead target beside 99 others: their p99"),
    drainPeak: atMost(200, "MB", "100,000 waiting deliveries are sent, peak memory"),
    rules: atLeast(0.9, "× without", "durable attestations with three notification rules that match"),
  },
  lists: {
    firstPage: atMost(20, "ms", "first page of every list, 1,000,000 attestations: the slowest"),
    anyPage: atMost(20, "ms", "any page of every list: the slowest"),
    search: atMost(50, "ms", "search, 1,000,000 attestations: the slowest"),
    trends: atMost(50, "ms", "trends of a year, 10,000 deployments: the slowest"),
    page: atMost(20, "ms", "main pages, 1,000,000 attestations: the slowest p95"),
    oneThing: atMost(20, "ms", "any other read, 1,000,000 attestations: the slowest"),
    nothingNew: atMost(60, "ms of CPU", "report of 5,000 artifacts, nothing new"),
    fiftyNew: atMost(80, "ms of CPU", "report of 5,000 artifacts, 50 new"),
    allNew: atMost(150, "ms of CPU", "report of 5,000 artifacts, all new"),
    statements: atMost(10, "statements", "report of 5,000 artifacts, SQL at most"),
    afterReport: atMost(
      10,
      "ms above usual",
      "the next request of another client, right after such a report",
    ),
    wholeTables: atMost(0, "queries", "queries that read a whole table"),
  },
  pages: {
    trail: atMost(15, "ms", "page of a trail of 50 slots, request to end of the answer, p95"),
    kilobytes: atMost(30, "KB", "first view of that page, all files, gzip"),
    requests: atMost(3, "requests", "first view of that page"),
    longTrail: atMost(100, "ms", "page of a trail of 5,000 attestations"),
    largeEnvironment: atMost(100, "ms", "page of an environment of 150,000 pods"),
    table: atMost(5, "ms", "a table of 1,000 rows is made"),
    perSecond: atLeast(1500, "/s", "pages of a trail of 50 slots, 32 clients on the same machine"),
  },
  move: {
    move: atMost(180, "s", "move of 1,000,000 attestations from SQLite to PostgreSQL"),
  },
  bystander: {
    patterns: atMost(250, "ms", "slowest answer to a bystander during hostile patterns"),
    jqRules: atMost(250, "ms", "slowest answer to a bystander during slow jq rules"),
    manyErrors: atMost(250, "ms", "slowest answer to a bystander during bodies of 100,000 errors"),
    heldBodies: atMost(250, "ms", "slowest answer to a bystander during 300 held bodies of 9 MB"),
    heldBodiesPeak: atMost(600, "MB", "300 held bodies of 9 MB, the service's peak memory"),
    pipelining: atMost(
      250,
      "ms",
      "slowest answer to a bystander during 8 connections of 100,000 unread requests",
    ),
    pipeliningPeak: atMost(
      150,
      "MB",
      "8 connections of 100,000 unread requests, the service's memory on top",
    ),
    heldUploads: atMost(250, "ms", "slowest answer to a bystander during 300 held uploads of 9 MB"),
    heldUploadsDisk: atMost(512, "MB", "300 held uploads of 9 MB, on disk"),
    bodySlots: atMost(
      250,
      "ms",
      "slowest write with another key of an organization during 2,070 held bodies",
    ),
    longLists: atMost(250, "ms", "slowest answer to a bystander during 8 readers of the longest lists"),
    longListsWorkers: atMost(250, "ms", "the same with two workers"),
    largeReport: atMost(1000, "ms", "slowest answer to a bystander during 60,000 artifacts and 8 readers"),
    largeReportWorkers: atMost(
      250,
      "ms",
      "slowest answer to a bystander during 60,000 artifacts and 8 readers, two workers",
    ),
  },
  people: {
    session: atMost(0.2, "ms", "check of the session of a person, p99"),
    signIn: atMost(150, "ms", "sign-in, from the provider's redirect to the page, with the provider's time"),
    scim: atMost(60, "s", "SCIM, first 5,000 users and 200 groups"),
    scimStall: atMost(50, "ms above usual", "slowest answer to another client meanwhile"),
  },
  evaluations: {
    trail: atMost(150, "ms above opa", "evaluation of a trail of 50 slots by a Rego policy"),
    hundredTrails: atMost(2, "s", "evaluation of 100 such trails in one request"),
    hostile: atMost(250, "ms", "slowest answer to a bystander during hostile Rego policies"),
  },
  stalls: {
    deadline: atMost(500, "ms", "beyond the deadline, at the slowest stage"),
    interrupt: atMost(1000, "ms", "from a signal to the end, at the slowest place"),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Row>>>>;

/** Not measured yet, and reported as missed like any other row. */
export const NOT_BUILT: readonly Row[] = [
  atMost(250, "ms", "slowest answer to a bystander during 60,000 artifacts and 8 readers, several workers"),
];

export type Group = keyof typeof GROUPS;

/** A figure with a note for interpreting it. */
export interface Measured {
  readonly value: number;
  readonly note?: string;
}

/** Figures of all rows of a group. */
export type Measurements<Name extends Group> = Readonly<Record<keyof (typeof GROUPS)[Name], Measured>>;

/** One line of the report. Without a value, it could not be measured. */
export interface Finding extends Row {
  readonly group?: string;
  readonly value?: number;
  readonly note?: string;
}

/** Whether a figure is within its bound. A missing figure is not. */
export function isHeld({ value = Number.NaN, bound }: Finding): boolean {
  return "most" in bound ? value <= bound.most : value >= bound.least;
}
