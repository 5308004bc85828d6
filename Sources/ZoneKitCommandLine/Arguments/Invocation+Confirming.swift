import Glibc

extension Invocation {
  /// Returns if the user wants what the sentence says is taken away: `--yes` was given, or the user says so at the terminal.
  /// Throws otherwise.
  func confirm(_ sentence: String) throws(ExitFailure) {
    guard !has("--yes") else { return }
    guard Console.output.isTerminal, !wantsJSON, isatty(STDIN_FILENO) == 1 else {
      throw .usage("\(sentence); add --yes to do it, or --dry-run to see it only")
    }
    Console.ask("\(sentence). Do it? [y/N] ")
    let answer = readLine()?.lowercased()
    guard answer == "y" || answer == "yes" else { throw .input("not confirmed; nothing was changed") }
  }
}
