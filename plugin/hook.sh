#!/bin/sh
# hook.sh NODE EVENT --host HOST: a hook call that most sessions have nothing to say about.
# Ends at once if the session has no loop; everything else, and everything unclear, goes on to hook.js with the same input.
# A stop never comes this way. Without words it is called by a client that ignores them, and hook.js reads the event itself.
node=${1:-node}
[ $# -gt 0 ] && shift
here=${0%/*}
[ "$here" = "$0" ] && here=.

case $XDG_STATE_HOME in
  /*) home=$XDG_STATE_HOME/loopwright ;;
  *) case $HOME in /*) home=$HOME/.local/state/loopwright ;; *) exec "$node" "$here/hook.js" "$@" ;; esac ;;
esac

# Sets `entry`: none, some, or unclear if this is no session's id.
look_for() {
  case $1 in
    '' | [!A-Za-z0-9_]* | *[!A-Za-z0-9._-]*) entry=unclear ;;
    *) if [ -e "$home/sessions/$1.loop.json" ] || [ -h "$home/sessions/$1.loop.json" ]; then entry=some; else entry=none; fi ;;
  esac
}

# Claude Code names its session to its hooks. Nothing has to be read then, and no program is started that takes a millisecond or two.
case "$*" in
  user-prompt-*) ;;
  *' --host claude-code')
    look_for "$CLAUDE_CODE_SESSION_ID"
    case $entry in some) exec "$node" "$here/hook.js" "$@" ;; esac
    ;;
esac

case $1 in
  user-prompt-*)
    # A command of ours may be anywhere in it. The input is JSON, so the newlines that $(…) takes off its end mean nothing.
    input=$(cat)
    [ ${#input} -le 8000 ] && fits=yes head=$input || fits= head=$(printf %.4096s "$input")
    case $input in *loop:*) id=$head ;; *) id=${head#*'"session_id"'} ;; esac
    ;;
  subagent-stop | post-tool-* | permission-request | pre-compact | post-compact | config-change | session-end)
    [ "$entry" = none ] && exit 0
    # The id is among the first words. One that isn't found there is looked for by hook.js: in a long text, a shell would take minutes.
    input=$(dd bs=1024 count=1 2>/dev/null)
    head=$input id=${input#*'"session_id"'} fits=maybe
    ;;
  *) exec "$node" "$here/hook.js" "$@" ;;
esac

if [ "$id" != "$head" ]; then
  id=${id#*'"'}
  look_for "${id%%'"'*}"
  [ "$entry" = none ] && exit 0
fi

# A variable can't hold half a character, and these are whole ones.
[ "$fits" = maybe ] &&
  case $input in *[\"\'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\ ,.:\;/_=\(\)\{\}\\-]) ;; *) fits= ;; esac

# With the number of the process that it is for, so that nobody else takes it for theirs.
if [ "$fits" ]; then
  export LOOP_HOOK_HEAD="$$:$input"
  exec "$node" "$here/hook.js" "$@"
fi
{ printf '%s' "$input"; cat; } | "$node" "$here/hook.js" "$@"
