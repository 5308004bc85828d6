import ZoneKitRecords

/// A submission whose rules another machine supplies, as a value. It reads zones through the turn's working set, as
/// requests do, and may change several of them. The cloud stages its changes with those of the turn's requests, commits
/// them together, and evaluates it again if it was stale.
///
/// The same value with the same reads and random numbers has the same outcome.
package protocol ZoneTransaction: Sendable {
  /// What the evaluation reads, as far as it can be predicted.
  var likelyNeeds: [Need] { get }

  /// Whether an administrator asks for it. What it reads is not limited.
  var isAdministration: Bool { get }

  /// Whether it changes nothing and need not be answered in its turn: its answer may be that of a later moment.
  var mayTakeLong: Bool { get }

  /// The answer, and the changes of zones. Throws `absent` if something was not read yet. Refusals by the rules of the
  /// transaction are answers of its own.
  func outcome(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome
}

extension ZoneTransaction {
  /// A client asks for it unless stated otherwise.
  package var isAdministration: Bool { false }

  /// It is answered in its turn unless stated otherwise.
  package var mayTakeLong: Bool { false }
}
