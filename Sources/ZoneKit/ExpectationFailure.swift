/// A failed expectation of a `World`, with the causes from the devices' diagnostics.
public struct ExpectationFailure: Error, CustomStringConvertible {
  /// What was expected, what was observed, which device is behind, and why; one line each.
  public let description: String
}
