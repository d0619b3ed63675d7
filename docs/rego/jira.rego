# Allows a trail whose commit refers to issues that all exist, as recorded under `attestation_name`.
package policy

default allow := false

name := data.params.attestation_name

# Of the artifact that the parameter `artifact` names in the template, else of the trail.
statuses := input.trail.compliance_status.artifacts_statuses[data.params.artifact].attestations_statuses if {
	data.params.artifact
} else := input.trail.compliance_status.attestations_statuses

issues := statuses[name].jira_results

allow if {
	count(issues) > 0
	every issue in issues {
		issue.issue_exists
	}
}

violations contains sprintf("issue %s does not exist", [issue.issue_id]) if {
	some issue in issues
	not issue.issue_exists
}

violations contains sprintf("no issue is recorded as '%s'", [name]) if {
	count(object.get(statuses, [name, "jira_results"], [])) == 0
}
