/** How to record an approval of an artifact of a flow. */
export function approvalHowTo(flow: string) {
  return {
    title: "Record an approval",
    code: `npx delivery-evidence call recordApproval flow_name=${flow} --body - <<'BODY'
artifact_fingerprint: THE_FINGERPRINT
description: release 12
environment: production
src_commit_list: [THE_COMMIT]
approvals:
  - state: APPROVED
    comment: tested
    approved_by: ada
    approval_url: https://ci.example.com/run/7
BODY`,
  };
}
