/// The completion script of a shell. It holds no table: it asks `zonekit completions offer`, so it stays right when the program
/// changes.
struct CompletionScript {
  /// The name of the shell.
  let shell: String
  /// The script.
  let text: String

  /// The scripts of all shells.
  static let all = [bash, zsh, fish]

  private static let bash = CompletionScript(
    shell: "bash",
    text: #"""
      # Completion of zonekit for bash 4 and newer: source <(zonekit completions bash)
      _zonekit() {
        local program=${COMP_WORDS[0]/#\~/$HOME} current=${COMP_WORDS[COMP_CWORD]} paths=none word found=()
        [ "$current" != = ] || current=
        COMPREPLY=()
        {
          read -r paths
          while IFS=$'\t' read -r word _; do COMPREPLY+=("$word"); done
        } < <("$program" completions offer -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
        case $paths in
          files) mapfile -t found < <(compgen -f -- "$current") ;;
          folders) mapfile -t found < <(compgen -d -- "$current") ;;
          commands) mapfile -t found < <(compgen -c -- "$current") ;;
        esac
        if [ "${#found[@]}" -gt 0 ]; then
          # With this option bash quotes the words itself.
          compopt -o filenames 2>/dev/null
          COMPREPLY+=("${found[@]}")
        elif [ "${#COMPREPLY[@]}" -gt 0 ]; then
          mapfile -t COMPREPLY < <(printf '%q\n' "${COMPREPLY[@]}")
        fi
      }
      complete -F _zonekit zonekit
      """#)

  private static let zsh = CompletionScript(
    shell: "zsh",
    text: #"""
      #compdef zonekit
      # Completion of zonekit for zsh: a file _zonekit in a folder of $fpath, or source <(zonekit completions zsh)
      _zonekit() {
        local paths=none line word meaning
        local -a offers
        {
          read -r paths
          while IFS= read -r line; do
            word=${line%%$'\t'*} meaning=${line#$word}
            offers+=("${word//:/\\:}${meaning:+:${meaning#$'\t'}}")
          done
        } < <("${(Q)words[1]/#\~/$HOME}" completions offer -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)
        (( $#offers )) && _describe -V zonekit offers
        case $paths in
          files) _files ;;
          folders) _files -/ ;;
          commands) _command_names -e ;;
        esac
      }
      if [[ $funcstack[1] == _zonekit ]]; then _zonekit "$@"; else compdef _zonekit zonekit; fi
      """#)

  private static let fish = CompletionScript(
    shell: "fish",
    text: #"""
      # Completion of zonekit for fish: a file zonekit.fish in ~/.config/fish/completions, or zonekit completions fish | source
      function __zonekit_offer
          set -l words (commandline -opc)
          set -l current (commandline -ct)
          set -l lines ($words[1] completions offer -- $words[2..-1] "$current" 2>/dev/null)
          printf '%s\n' $lines[2..-1]
          switch "$lines[1]"
              case files
                  __fish_complete_path "$current"
              case folders
                  __fish_complete_directories "$current" ''
              case commands
                  __fish_complete_command
          end
      end
      complete -c zonekit -f -a '(__zonekit_offer)'
      """#)
}
