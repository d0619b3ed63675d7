# Allows a trail whose commit belongs to a pull request, as recorded under `attestation_name`.
package policy

default allow := false

name := data.params.attestation_name

# Of the artifact that the parameter `artifact` names in the template, else of the trail.
statuses := input.trail.compliance_status.artifacts_statuses[data.params.artifact].attestations_statuses if {
	data.params.artifact
} else := input.trail.compliance_status.attestations_statuses

pull_requests := object.get(statuses, [name, "pull_requests"], [])

allow if count(pull_requests) > 0

violations contains sprintf("no pull request is recorded as '%s'", [name]) if count(pull_requests) == 0
