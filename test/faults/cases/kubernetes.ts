import { section } from "./case.ts";

const REPORTED = "faults/kubernetes.test.ts";
const UNREAD = "a cluster that cannot be read is never reported as one where nothing runs:";
const WHICH = "which pods of a cluster are reported:";
const CLUSTER = "kubernetes/cluster.test.ts";
const POD = "kubernetes/pod.test.ts";
const INTERRUPTS = "faults/interrupts.test.ts";

/** Kubernetes. */
export const KUBERNETES = section(6, [
  [
    "kubectl absent, kubeconfig absent, expired token, exec plugin absent",
    "its stderr shown, no report sent",
    `${REPORTED} > ${UNREAD} > kubectl is absent`,
    `${REPORTED} > ${UNREAD} > the kubeconfig is absent`,
    `${REPORTED} > ${UNREAD} > the token has expired`,
    `${REPORTED} > ${UNREAD} > the login plugin is absent`,
    `${CLUSTER} > a kubectl that is not there is told as such`,
    "faults/injection.test.ts > what kubectl prints, to either of its outputs, when it fails",
    "actions/report-env.test.ts > reports nothing when the cluster cannot be listed, even if the service may be down",
  ],
  [
    "0 pods",
    "refused, or sent with allow-empty; never after a failed list",
    `${REPORTED} > ${UNREAD} > no pod is found`,
    `${REPORTED} > ${UNREAD} > kubectl exits 0 and prints nothing`,
    `${REPORTED} > a cluster is read in spite of > there being no pods, when that is allowed`,
    "actions/report-env.test.ts > refuses to report that nothing runs unless that is allowed",
    `${CLUSTER} > an answer that is no list is not a cluster without pods`,
  ],
  [
    "cluster list forbidden, namespace list allowed",
    "names verb, resource, scope; per-namespace mode works",
    `${REPORTED} > ${UNREAD} > the list of all namespaces is forbidden`,
    `${REPORTED} > a cluster is read in spite of > no right to list all namespaces, one by one`,
    `${CLUSTER} > namespaces given by name are listed one by one, and one without pods is warned of`,
  ],
  [
    "10k and 150k pods",
    "within the figures; the longest string is never reached",
    "faults/figures.test.ts > a cluster of 10,000 pods is reported within 260 MiB",
    `${REPORTED} > ${UNREAD} > kubectl prints without end`,
    `${REPORTED} > ${UNREAD} > a page through the proxy has no end`,
    "kubernetes/pods-file.test.ts > a file of 10,000 pods is read in at most 250 MiB",
  ],
  [
    "page 7 of 20 fails",
    "retried; then exit 1, nothing sent",
    `${REPORTED} > a cluster is read in spite of > a page that fails once`,
    `${REPORTED} > ${UNREAD} > page 7 of 10 fails every time`,
    `${CLUSTER} > a page that fails once is asked for again`,
    `${CLUSTER} > a page that always fails is tried four times and fails the list (%s)`,
  ],
  [
    "imageID in all its forms",
    "a table; a short one never crashes",
    `${REPORTED} > ${WHICH} > with the digest of an image where its ID holds one, and never a wrong one`,
    "kubernetes/image.test.ts > is 64 lower-case hex digits or unknown, whatever the runtime says",
  ],
  [
    "Pending, ContainerCreating, CrashLoop, Completed, Evicted, static, deleted, Failed",
    "a documented table of what is included",
    `${REPORTED} > ${WHICH} > by what it is doing`,
    `${POD} > which pods are reported > a running pod`,
  ],
  [
    "owners without controller; creationTimestamp",
    "sent as absent; whole seconds, never NaN",
    `${REPORTED} > ${WHICH} > with owners as they are, a whole number of seconds, and of containers only those that run`,
    `${REPORTED} > ${UNREAD} > a pod was created at no time at all`,
    `${POD} > owners have the fields of a report and no others; a flag that is absent stays absent`,
    `${POD} > a creation time of %j is refused rather than sent as NaN`,
  ],
  [
    "names with workflow commands",
    "nothing reaches stdout",
    `${REPORTED} > what kubectl prints reaches the log inert, and nothing that it prints to stdout does`,
    "faults/injection.test.ts > what a cluster tells commands nothing: > the names of pods, namespaces and images in a file",
  ],
  [
    "report of 5 MB, of 74 MB",
    "sent once, or an explained 413",
    `${REPORTED} > 10,000 pods of a file are one request of a few megabytes`,
    `${REPORTED} > a report that the service finds too large is sent once, and explained`,
  ],
  [
    "kubectl proxy after a failure or SIGINT",
    "killed, its socket removed; only this user, only lists of pods",
    `${INTERRUPTS} > when %s, and ends it > kubectl proxy does not answer`,
    `${CLUSTER} > the proxy's socket serves lists of pods and nothing else`,
  ],
  [
    "kubectl exits 0 with an error, a web page, half a list, something other than pods (added)",
    "exit 1, no report sent",
    `${REPORTED} > ${UNREAD} > kubectl exits 0 with an error in place of the list`,
    `${REPORTED} > ${UNREAD} > kubectl prints a web page`,
    `${REPORTED} > ${UNREAD} > kubectl prints half a list`,
    `${REPORTED} > ${UNREAD} > the list holds something other than pods`,
  ],
  [
    "pages that lead back, have no end, expire or overlap (added)",
    "exit 1; a list that expires begins again once; each pod is reported once",
    `${REPORTED} > ${UNREAD} > the pages lead back to one that was read`,
    `${REPORTED} > ${UNREAD} > the pages go on for ever`,
    `${REPORTED} > ${UNREAD} > the list expires whenever it is begun`,
    `${REPORTED} > a cluster is read in spite of > a list that expires once, which begins again`,
    `${REPORTED} > a cluster is read in spite of > pages that overlap: each pod is reported once`,
  ],
  [
    "pods whose uid was blanked by a tool (added)",
    "each is reported",
    `${REPORTED} > ${WHICH} > each by itself, though a tool has blanked what tells them apart`,
  ],
  [
    "kubectl that waits for a login that nobody gives (added)",
    "ended after two minutes, no report sent",
    `${REPORTED} > ${UNREAD} > kubectl waits for a login that nobody gives, and is ended after two minutes`,
    `${CLUSTER} > a kubectl that does not end is ended when its time is up`,
  ],
]);
