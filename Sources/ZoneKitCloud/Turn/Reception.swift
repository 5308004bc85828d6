/// The result of offering a submission to the cloud.
package enum Reception: Hashable, Sendable {
  /// The submission is evaluated and staged. The answer comes at the end of the turn.
  case taken
  /// Nothing happened. The driver has to read these needs and offer the submission again.
  case needs([Need])
}
