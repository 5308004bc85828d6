/// An expectation of a world that is not met, with the causes that the devices' diagnostics show.
public struct ExpectationFailure: Error, CustomStringConvertible {
  /// What was expected, what was seen instead, which device is behind and why; one line each.
  public let description: String
}
