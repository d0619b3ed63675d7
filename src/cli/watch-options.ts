import { CONNECTION_OPTIONS } from "./options.ts";
import { type Definition, flag, text } from "./usage.ts";

const { retries: _, ...CONNECTION } = CONNECTION_OPTIONS;
const variable = true;

/** The command `watch`, which is also a program of its own. */
export const WATCH = {
  group: "Use a service",
  summary: "Report the pods of the cluster it runs in, at each change",
  args: [],
  options: {
    config: text("FILE", "YAML file that lists the environments and their namespaces", {
      required: true,
    }),
    interval: text("SECONDS", "Longest time between two reports, 5 to 3600", { otherwise: "300", variable }),
    debounce: text("SECONDS", "Time from a change to its report, 0 to 60", { otherwise: "5", variable }),
    port: text("PORT", "Port of /healthz and /metrics", { otherwise: "8080", variable }),
    host: text("HOST", "Address of /healthz and /metrics", { otherwise: "0.0.0.0", variable }),
    "dry-run": flag("Print the reports instead of sending them"),
    ...CONNECTION,
  },
  details:
    "Reads the API server with the service account of its pod, which needs the verbs list and watch on pods. EVIDENCE_TOKEN_FILE names a projected token of the pod, which the service exchanges for its own; it needs no API key then, if --base-url names a service that trusts the service account. Otherwise, set EVIDENCE_API_KEY.",
  statuses: "0 after SIGTERM; 1 on failure; 130 after SIGINT",
  examples: ["watch --config environments.yml --base-url https://evidence.example.com --org acme"],
} as const satisfies Definition;
