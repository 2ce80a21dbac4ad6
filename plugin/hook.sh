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

case $1 in
  user-prompt-* | subagent-stop | post-tool-* | permission-request | pre-compact | post-compact | config-change | session-end) ;;
  *) exec "$node" "$here/hook.js" "$@" ;;
esac

# The id is among the first words. One that isn't found there is looked for by hook.js: in a long text, a shell would take minutes.
input=$(dd bs=4096 count=1 2>/dev/null; echo x)
input=${input%x}
case $1 in
  user-prompt-*)
    # A command of ours may be anywhere in it.
    rest=$(cat)
    case $input$rest in
      *loop:*)
        printf '%s%s' "$input" "$rest" | "$node" "$here/hook.js" "$@"
        exit
        ;;
    esac
    ;;
  *) rest= ;;
esac

id=${input#*'"session_id"'}
if [ "$id" != "$input" ]; then
  id=${id#*'"'}
  id=${id%%'"'*}
  case $id in
    '' | [!A-Za-z0-9_]* | *[!A-Za-z0-9._-]*) ;;
    *) [ -e "$home/sessions/$id.loop.json" ] || [ -h "$home/sessions/$id.loop.json" ] || exit 0 ;;
  esac
fi
{ printf '%s%s' "$input" "$rest"; cat; } | "$node" "$here/hook.js" "$@"
