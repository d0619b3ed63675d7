import { flag, list, text, type ValuesOf } from "../../github/step/input.ts";

export const provenanceInputs = {
  "attestation-bundle": text({
    description:
      "File with the attestation's Sigstore bundle, as written by `gh attestation download` or `actions/attest`. Default: it is requested from GitHub.",
  }),
  "source-repository": text({
    description: "Repository that built the artifact, as `owner/name`. Default: the job's repository.",
  }),
  "source-repository-id": text({
    description:
      "GitHub's id of `source-repository`. A repository recreated under the same name has another id. The id of the job's own repository is always checked.",
  }),
  "source-events": list({
    description:
      "Events whose runs may sign, such as `push` and `release`. Default: every event, including `pull_request`.",
  }),
  "deny-self-hosted-runners": flag({
    default: "false",
    description: "Whether to refuse attestations signed on a self-hosted runner.",
  }),
  "signer-repository": text({
    description:
      "Repository of the reusable workflow that signed, as `owner/name`. Default: `source-repository`. Excludes `signer-workflow`.",
  }),
  "signer-workflow": text({
    description:
      "Workflow that signed, as `owner/name/.github/workflows/build.yml`. Add `@refs/heads/main` to allow that ref only. Default: any workflow of the repository.",
  }),
  "predicate-type": text({
    description: "Type of the attestation.",
    default: "https://slsa.dev/provenance/v1",
  }),
  "trusted-root": text({
    description:
      "File with the trusted roots, as written by `gh attestation trusted-root`. Required for private repositories. Default: only Sigstore's public instance, which signs for public repositories.",
  }),
};

export type ProvenanceValues = ValuesOf<typeof provenanceInputs>;

export const PROVENANCE_INPUTS: readonly string[] = Object.keys(provenanceInputs);
