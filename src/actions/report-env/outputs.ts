import type { Outcome } from "../../github/step/action.ts";

export const outputs = {
  status:
    "`recorded`, `skipped` (the service was unavailable and `on-unavailable` accepts that) or `dry-run`. Of `config`: what holds for all, else the least of them, which may be `failed`.",
  "pod-count": "How many pods, containers or paths were reported.",
  "snapshot-created": "`true` when what runs has changed and a snapshot was made, else `false`.",
  message: "What the service said.",
  results:
    "Of `config`: a JSON array with the outcome for each environment: `environment`, `status`, `pod-count`, `snapshot-created`, `message`, `error`. Else empty.",
};

export type ReportEnvResult = Outcome<keyof typeof outputs>;
