/// A world that is not as it was expected to be, and why, as far as the devices know.
public struct ExpectationFailure: Error, CustomStringConvertible {
  /// What was expected, what is there instead, which device is behind and what kept it; one line each.
  public let description: String
}
