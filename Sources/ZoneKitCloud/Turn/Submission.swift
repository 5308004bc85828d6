import ZoneKitRecords

/// A request or an administrator's operation, with everything besides the store that determines its outcome.
package struct Submission: Hashable, Sendable {
  /// The request or operation.
  enum Work: Hashable {
    case request(CloudRequest)
    case administration(Administration)
  }

  /// Identifies the submission in the answer.
  let ticket: Ticket
  let work: Work
  let database: DatabaseID
  let caller: Caller
  /// The time at which it was received.
  let now: WallTime
  /// The limits of the cloud at that time.
  let limits: Limits
  /// The predicted needs. The evaluation reports further ones.
  let likelyNeeds: [Need]
  /// The number of evaluations, including the present one.
  private(set) var attempt = 1
  /// The random numbers that were drawn for the present evaluation so far. An evaluation that starts again after a read
  /// repeats them, so that it makes the same record names and needs the same reads.
  var drawn: [UInt64] = []

  init(
    _ work: Work, ticket: Ticket, in database: DatabaseID, from caller: Caller, at now: WallTime, limits: Limits
  ) {
    self.ticket = ticket
    self.work = work
    self.database = database
    self.caller = caller
    self.now = now
    self.limits = limits
    likelyNeeds = work.likelyNeeds(in: database, from: caller)
  }

  /// The same submission for its next evaluation.
  var again: Submission {
    var again = self
    again.attempt += 1
    again.drawn = []
    return again
  }
}
