# Allows a trail whose tests ran without failures and errors, as recorded under `attestation_name`.
package policy

default allow := false

name := data.params.attestation_name

# Of the artifact that the parameter `artifact` names in the template, else of the trail.
statuses := input.trail.compliance_status.artifacts_statuses[data.params.artifact].attestations_statuses if {
	data.params.artifact
} else := input.trail.compliance_status.attestations_statuses

suites := statuses[name].junit_results

allow if {
	count(suites) > 0
	every suite in suites {
		suite.failures + suite.errors == 0
	}
}

violations contains sprintf("%s: %d failures, %d errors", [suite.name, suite.failures, suite.errors]) if {
	some suite in suites
	suite.failures + suite.errors > 0
}

violations contains sprintf("no test ran for '%s'", [name]) if {
	count(object.get(statuses, [name, "junit_results"], [])) == 0
}
