/** A sha256 in hex that is different for each number. */
export function sampleDigest(number: number): string {
  return number.toString(16).padStart(64, "ab12");
}

/**
 * A pod as the API server returns it, of about 9.7 kB. Most of a real one is managed fields, environment, volumes and
 * probes, which a report does not need and a reader must skip.
 */
export function samplePod(number: number) {
  const name = `web-${Math.floor(number / 3)}-6f7c9d5b8-${number.toString(36).padStart(5, "x")}`;
  const image = `registry.example.com/team-${number % 40}/service-${number % 200}:1.${number % 17}.0`;
  const container = (suffix: string) => ({
    name: `app${suffix}`,
    image,
    args: ["--listen=:8080", '--greeting="hello \\ {world} [é ✓]"', "--log=json"],
    env: Array.from({ length: 18 }, (_, i) => ({
      name: `SETTING_${i}`,
      value: `value of setting ${i} of ${name}: {"nested": ["json", ${i}]}`,
    })),
    resources: { limits: { cpu: "500m", memory: "512Mi" }, requests: { cpu: "100m", memory: "128Mi" } },
    livenessProbe: { httpGet: { path: "/live", port: 8080, scheme: "HTTP" }, periodSeconds: 10 },
    volumeMounts: [
      { name: "token", readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" },
    ],
    terminationMessagePath: "/dev/termination-log",
    imagePullPolicy: "IfNotPresent",
  });
  const status = (suffix: string) => ({
    name: `app${suffix}`,
    state: { running: { startedAt: "2026-03-04T05:06:10Z" } },
    lastState: {},
    ready: true,
    restartCount: number % 3,
    image,
    imageID: `registry.example.com/team-${number % 40}/service-${number % 200}@sha256:${sampleDigest(number % 200)}`,
    containerID: `containerd://${sampleDigest(number + 1_000_000)}`,
    started: true,
  });
  return {
    metadata: {
      name,
      generateName: name.slice(0, -5),
      namespace: `team-${number % 40}`,
      uid: `${sampleDigest(number).slice(0, 8)}-1111-4222-8333-${number.toString(16).padStart(12, "0")}`,
      resourceVersion: String(900_000_000 + number),
      creationTimestamp: "2026-03-04T05:06:07Z",
      labels: { app: `service-${number % 200}`, "pod-template-hash": "6f7c9d5b8" },
      annotations: { "example.com/note": 'quotes " and braces }]{[ and a backslash \\' },
      ownerReferences: [
        {
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          name: name.slice(0, -6),
          uid: "0a0b0c0d-1111-4222-8333-444455556666",
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: Array.from({ length: 6 }, (_, i) => ({
        manager: `manager-${i}`,
        operation: "Update",
        apiVersion: "v1",
        time: "2026-03-04T05:06:07Z",
        fieldsType: "FieldsV1",
        fieldsV1: {
          "f:metadata": { "f:labels": { ".": {}, "f:app": {}, "f:pod-template-hash": {} } },
          "f:spec": { [`k:{"name":"app-${i}"}`]: { ".": {}, "f:image": {}, "f:env": { "f:x": {} } } },
          "f:status": { "f:conditions": { 'k:{"type":"Ready"}': { ".": {}, "f:status": {} } } },
        },
      })),
    },
    spec: {
      volumes: [{ name: "token", projected: { sources: [{ serviceAccountToken: { path: "token" } }] } }],
      containers: [container(""), container("-sidecar")],
      restartPolicy: "Always",
      nodeName: `node-${number % 300}`,
      tolerations: [{ key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" }],
    },
    status: {
      phase: "Running",
      conditions: ["Initialized", "Ready", "ContainersReady", "PodScheduled"].map((type) => ({
        type,
        status: "True",
        lastProbeTime: null,
        lastTransitionTime: "2026-03-04T05:06:10Z",
      })),
      hostIP: "10.0.0.1",
      podIP: "10.1.2.3",
      containerStatuses: [status(""), status("-sidecar")],
      qosClass: "Burstable",
    },
  };
}
