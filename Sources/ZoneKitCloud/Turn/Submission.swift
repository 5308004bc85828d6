import ZoneKitRecords

/// Something that the cloud is asked to do, with all that decides its outcome beside the store.
package struct Submission: Hashable, Sendable {
  /// What is asked for.
  enum Work: Hashable {
    case request(CloudRequest)
    case administration(Administration)
  }

  /// Names the submission in the answer.
  let ticket: Ticket
  let work: Work
  let database: DatabaseID
  let caller: Caller
  /// When it came.
  let now: WallTime
  /// What the cloud allowed then.
  let limits: Limits
  /// What the evaluation will read, as far as that shows from outside. The evaluation itself says what else it needs.
  let likelyNeeds: [Need]
  /// How often the submission was evaluated, this time included.
  private(set) var attempt = 1

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

  /// The same submission, to be evaluated once more.
  var again: Submission {
    var again = self
    again.attempt += 1
    return again
  }
}
