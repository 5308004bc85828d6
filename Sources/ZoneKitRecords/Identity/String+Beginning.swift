extension String {
  /// The text after a beginning, compared byte by byte; nil if the text begins with something else.
  ///
  /// `hasPrefix` does not see the beginning `user:` before a combining mark, and takes two Unicode encodings of one
  /// character for equal.
  package func after(_ beginning: String) -> String? {
    utf8.starts(with: beginning.utf8) ? String(self[utf8.index(startIndex, offsetBy: beginning.utf8.count)...]) : nil
  }
}
