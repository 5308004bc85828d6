import ZoneKitRecords

/// A request or transaction that reads for longer than a turn has time for. It is answered after the commit of its turn, over a store
/// that has the state of one later moment, while other requests are served.
package struct LongReading: Sendable {
  /// How long the reads of one request may take within a turn, in milliseconds.
  package static let turnTime: Int64 = 10
  /// How long they may take after another one took too long in the same turn, in milliseconds. Otherwise many queries that
  /// arrive together would hold up the others.
  package static let laterTime: Int64 = 1

  private let submission: Submission

  init(_ submission: Submission) { self.submission = submission }

  /// Identifies the request or transaction.
  package var ticket: Ticket { submission.ticket }

  /// Who waits for the answer.
  package var user: Name { submission.caller.user }

  /// The effect that gives the answer over that store, whose state does not change during the call. `room` is the number of
  /// bytes that the answer may have.
  package func result(
    over store: inout some ZoneStore, room: Int, using generator: inout some RandomNumberGenerator
  ) -> CloudEffect {
    let submission = submission.with(room: room)
    var read = WorkingSet()
    read.limits = submission.readingLimits
    var needs = read.missing(of: submission.likelyNeeds)
    while true {
      store.prefetch(needs, into: &read)
      switch submission.evaluated(over: read, index: SubscriptionIndex(), using: &generator) {
      case .absent(let absent): needs = absent
      case .late(let error): return submission.refusal(CloudError(error)).effect(to: ticket)
      case .answer(let answer): return answer.outcome.answer.effect(to: ticket)
      }
    }
  }
}
