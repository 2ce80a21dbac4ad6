#!/usr/bin/env bash
# What a hand-written stop hook does with bash and jq: reads state.json, lets go when all is true. For comparison only.
state=.loop/state.json
cat >/dev/null
[ -f "$state" ] || { echo '{"ok":true}'; exit 0; }
status=$(jq -r '.status // "in_progress"' "$state")
case $status in completed | cancelled) echo '{"ok":true}'; exit 0 ;; esac
stuck=$(jq -r '.circuitBreaker.stuckCount // 0' "$state")
[ "$stuck" -ge 5 ] && { echo '{"ok":true}'; exit 0; }
unmet=$(jq -r '[.criteriaStatus | to_entries[] | select(.value != true) | .key] | join(", ")' "$state")
signal=$(jq -r '.exit_signal // false' "$state")
if [ -z "$unmet" ] && [ "$signal" = true ]; then echo '{"ok":true}'; exit 0; fi
jq -cn --arg reason "unmet criteria: $unmet" '{ok: false, reason: $reason}'
