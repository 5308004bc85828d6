/// The result of offering a submission to the cloud.
package enum Reception: Hashable, Sendable {
  /// It is evaluated and staged; the answer comes at the end of the turn.
  case taken
  /// Nothing happened: read these, and offer the submission again.
  case needs([Need])
}
