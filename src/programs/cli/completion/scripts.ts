/** Each script passes the words up to the cursor to `loop complete`, which prints one candidate per line, or `:files`. */
export const COMPLETION_SCRIPTS = {
  bash: `# Completion of loop for bash. In ~/.bashrc: eval "$(loop completion bash)"
_loop() {
  local value rest
  COMPREPLY=()
  while IFS=$'\\t' read -r value rest; do
    if [ "$value" = :files ]; then
      compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$2"))
      return 0
    fi
    COMPREPLY+=("$value")
  done < <("$1" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _loop loop
`,
  zsh: `#compdef loop
# Completion of loop for zsh. As the file _loop in a folder of $fpath, or in ~/.zshrc after compinit:
# eval "$(loop completion zsh)"
_loop() {
  local line
  local -a found
  for line in "\${(@f)$(\${(Q)words[1]} complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      compset -P '--*='
      _files
      return
    fi
    line="\${line/$'\\t'/:}"
    [[ -n $line ]] && found+=("$line")
  done
  _describe -V loop found
}
if [[ $funcstack[1] == _loop ]]; then _loop "$@"; else compdef _loop loop; fi
`,
  fish: `# Completion of loop for fish. As ~/.config/fish/completions/loop.fish, or in config.fish:
# loop completion fish | source
function __loop_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    set -l found ($program complete -- $words $current 2>/dev/null)
    if test "$found" = :files
        set -l option (string match -r -- '^--[^=]*=' $current)
        __fish_complete_path (string replace -- "$option" '' $current) | string replace -r -- '^' "$option"
    else
        string join -- \\n $found
    end
end
complete -c loop -f -a '(__loop_complete)'
`,
} as const;

export type Shell = keyof typeof COMPLETION_SCRIPTS;
export const SHELLS = Object.keys(COMPLETION_SCRIPTS) as readonly Shell[];
