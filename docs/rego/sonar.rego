# Allows a trail that passed its quality gate at Sonar, as recorded under `attestation_name`.
package policy

default allow := false

name := data.params.attestation_name

# Of the artifact that the parameter `artifact` names in the template, else of the trail.
statuses := input.trail.compliance_status.artifacts_statuses[data.params.artifact].attestations_statuses if {
	data.params.artifact
} else := input.trail.compliance_status.attestations_statuses

gate := object.get(statuses, [name, "sonar_results", "qualityGate"], null)

allow if gate.status == "OK"

violations contains sprintf("the quality gate of '%s' is %s", [name, object.get(gate, "status", "unknown")]) if {
	is_object(gate)
	not allow
}

violations contains sprintf("'%s' has no quality gate", [name]) if not is_object(gate)
