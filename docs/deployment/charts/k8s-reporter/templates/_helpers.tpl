{{- define "reporter.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}
{{- end }}

{{- define "reporter.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "reporter.labels" -}}
{{ include "reporter.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "reporter.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "reporter.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "reporter.baseUrl" -}}
{{- $url := coalesce .Values.baseUrl .Values.env.EVIDENCE_BASE_URL .Values.env.KOSLI_HOST }}
{{- required "baseUrl is required: the address of your service, such as https://evidence.example.com" $url | trimSuffix "/" | trimSuffix "/api/v2" }}
{{- end }}

{{- define "reporter.org" -}}
{{- required "reporterConfig.kosliOrg is required: the name of your organization" .Values.reporterConfig.kosliOrg }}
{{- end }}

{{/* The time between two reports: intervalSeconds, or that of a cronSchedule of every N minutes. */}}
{{- define "reporter.interval" -}}
{{- $schedule := default "" .Values.cronSchedule }}
{{- if .Values.intervalSeconds }}{{ .Values.intervalSeconds }}
{{- else if regexMatch "^\\*/[0-9]+ \\* \\* \\* \\*$" $schedule }}{{ min 3600 (mul 60 (regexFind "[0-9]+" $schedule | int)) }}
{{- else }}300{{ end }}
{{- end }}

{{/* The environments as JSON, in the fields of the reporter. */}}
{{- define "reporter.environments" -}}
{{- $config := .Values.reporterConfig }}
{{- $entries := $config.environments }}
{{- if and (not $entries) $config.kosliEnvironmentName }}
{{- $entries = list (merge (dict "name" $config.kosliEnvironmentName) (pick $config "namespaces" "namespacesRegex" "excludeNamespaces" "excludeNamespacesRegex")) }}
{{- end }}
{{- if not $entries }}{{ fail "reporterConfig.environments is required: list at least one environment with its name" }}{{ end }}
{{- $isLimited := eq .Values.serviceAccount.permissionScope "namespace" }}
{{- $list := list }}
{{- range $entries }}
{{- $entry := dict "environment" .name }}
{{- $fields := dict "namespaces" "namespaces" "namespacesRegex" "namespaces-regex" "excludeNamespaces" "exclude-namespaces" "excludeNamespacesRegex" "exclude-namespaces-regex" "allowEmpty" "allow-empty" "createEnvironment" "create-environment" }}
{{- $from := . }}
{{- range $name, $field := $fields }}
{{- $value := get $from $name }}
{{- if $value }}{{ $_ := set $entry $field (kindIs "bool" $value | ternary (toString $value) $value) }}{{ end }}
{{- end }}
{{- if $isLimited }}
{{- if or (get $entry "namespaces-regex") (get $entry "exclude-namespaces") (get $entry "exclude-namespaces-regex") }}
{{- fail (printf "The environment '%s' selects namespaces that are not named, which needs serviceAccount.permissionScope: cluster" .name) }}
{{- end }}
{{- if not (get $entry "namespaces") }}{{ $_ := set $entry "namespaces" (list $.Release.Namespace) }}{{ end }}
{{- end }}
{{- if and (hasKey $entry "namespaces") (kindIs "string" $entry.namespaces) }}{{ $_ := set $entry "namespaces" (splitList "," (get $entry "namespaces" | nospace)) }}{{ end }}
{{- $list = append $list $entry }}
{{- end }}
{{- dict "environments" $list | toJson }}
{{- end }}
