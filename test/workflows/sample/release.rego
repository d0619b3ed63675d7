package policy

default allow := false

allow if count(violations) == 0

statuses contains status if {
  some trail in input.artifact.trails
  some artifact in trail.compliance_status.artifacts_statuses
  some status in artifact.attestations_statuses
  not status.unexpected
}

violations contains "nothing is attested" if count(statuses) == 0

violations contains status.attestation_name if {
  some status in statuses
  not status.is_compliant
}
