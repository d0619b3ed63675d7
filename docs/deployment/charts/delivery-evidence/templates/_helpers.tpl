{{- define "evidence.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}
{{- end }}

{{- define "evidence.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "evidence.labels" -}}
{{ include "evidence.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "evidence.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "evidence.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{/* Whether the records are on a volume, which only one pod may use. */}}
{{- define "evidence.isOnVolume" -}}
{{- if not .Values.database.url }}true{{ end }}
{{- end }}

{{- define "evidence.validate" -}}
{{- $_ := required "publicUrl is required: the address of the service for its users, such as https://evidence.example.com" .Values.publicUrl }}
{{- if gt (int .Values.replicas) 1 }}
{{- if not .Values.database.url }}{{ fail "replicas: more than one needs database.url, because only one pod may use the volume" }}{{ end }}
{{- if not (hasPrefix "s3://" .Values.attachments) }}{{ fail "replicas: more than one needs attachments in a bucket, such as s3://evidence-of-acme/attachments" }}{{ end }}
{{- end }}
{{- if and .Values.database.url (not .Values.attachments) }}{{ fail "attachments is required with database.url, such as s3://evidence-of-acme/attachments" }}{{ end }}
{{- end }}
