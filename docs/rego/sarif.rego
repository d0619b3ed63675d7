# Allows a trail whose scan found nothing of any severity, as recorded under `attestation_name`.
package policy

default allow := false

name := data.params.attestation_name

# Of the artifact that the parameter `artifact` names in the template, else of the trail.
statuses := input.trail.compliance_status.artifacts_statuses[data.params.artifact].attestations_statuses if {
	data.params.artifact
} else := input.trail.compliance_status.attestations_statuses

# Facts have `sarif_results`, and the judged kind has `processed_snyk_results`.
scans := statuses[name].sarif_results.results if {
	statuses[name].sarif_results
} else := statuses[name].processed_snyk_results.results

allow if {
	every scan in scans {
		(scan.low_count + scan.medium_count) + scan.high_count == 0
	}
}

violations contains sprintf("%d high, %d medium, %d low", [scan.high_count, scan.medium_count, scan.low_count]) if {
	some scan in scans
	(scan.low_count + scan.medium_count) + scan.high_count > 0
}

violations contains sprintf("no scan is recorded as '%s'", [name]) if not scans
