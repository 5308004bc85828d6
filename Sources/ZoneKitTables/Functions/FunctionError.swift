/// Why a function gives no answer. Each case has a sentence for the client.
public enum FunctionError: Error, Hashable, Sendable {
  /// The request is not one that the function understands.
  case invalid(String)
  /// The sender is not signed in.
  case notSignedIn
  /// There is no such function, or not what the request is about.
  case notFound(String)
  /// The rows cannot be read now. The client may try again.
  case unavailable(String)
}
