extension Int {
  /// The number with its noun, such as `1 record` or `2 records`.
  package func counted(_ noun: String, plural: String) -> String { "\(self) \(self == 1 ? noun : plural)" }

  /// The number with that noun, as in `2 records`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
