# Runs the client with the properties of the plugin as its options. In a subshell, because Buildkite keeps all variables
# that a hook exports.
run_client() (
  local prefix=BUILDKITE_PLUGIN_EVIDENCE_ variable
  for variable in $(compgen -e "$prefix"); do
    export "EVIDENCE_${variable#"$prefix"}=${!variable}"
  done
  exec npx --yes @delivery-evidence/client@0.1.0 "$1"
)
