import { section } from "./case.ts";

const CLUSTER = "kubernetes/cluster.test.ts";
const POD = "kubernetes/pod.test.ts";
const INTERRUPTS = "faults/interrupts.test.ts";

/** Kubernetes. */
export const KUBERNETES = section(6, [
  [
    "kubectl absent, kubeconfig absent, expired token, exec plugin absent",
    "its stderr shown, no report sent",
    `${CLUSTER} > a kubectl that is not there is told as such`,
    "faults/injection.test.ts > what kubectl prints, to either of its outputs, when it fails",
    "actions/report-env.test.ts > reports nothing when the cluster cannot be listed, even if the service may be down",
  ],
  [
    "0 pods",
    "refused, or sent with allow-empty; never after a failed list",
    "actions/report-env.test.ts > refuses to report that nothing runs unless that is allowed",
    `${CLUSTER} > an answer that is no list is not a cluster without pods`,
  ],
  [
    "cluster list forbidden, namespace list allowed",
    "names verb, resource, scope; per-namespace mode works",
    `${CLUSTER} > namespaces given by name are listed one by one, and one without pods is warned of`,
  ],
  [
    "10k and 150k pods",
    "within the figures; the longest string is never reached",
    "kubernetes/pods-file.test.ts > a file of 10,000 pods is read in at most 250 MiB",
  ],
  [
    "page 7 of 20 fails",
    "retried; then exit 1, nothing sent",
    `${CLUSTER} > a page that fails once is asked for again`,
    `${CLUSTER} > a page that always fails is tried four times and fails the list (%s)`,
  ],
  [
    "imageID in all its forms",
    "a table; a short one never crashes",
    "kubernetes/image.test.ts > is 64 lower-case hex digits or unknown, whatever the runtime says",
  ],
  [
    "Pending, ContainerCreating, CrashLoop, Completed, Evicted, static, deleted, Failed",
    "a documented table of what is included",
    `${POD} > which pods are reported > a running pod`,
  ],
  [
    "owners without controller; creationTimestamp",
    "sent as absent; whole seconds, never NaN",
    `${POD} > owners have the fields of a report and no others; a flag that is absent stays absent`,
    `${POD} > a creation time of %j is refused rather than sent as NaN`,
  ],
  [
    "names with workflow commands",
    "nothing reaches stdout",
    "faults/injection.test.ts > what a cluster tells commands nothing: > the names of pods, namespaces and images in a file",
  ],
  ["report of 5 MB, of 74 MB", "sent once, or an explained 413"],
  [
    "kubectl proxy after a failure or SIGINT",
    "killed, its socket removed; only this user, only lists of pods",
    `${INTERRUPTS} > when %s, and ends it > kubectl proxy does not answer`,
    `${CLUSTER} > the proxy's socket serves lists of pods and nothing else`,
  ],
]);
