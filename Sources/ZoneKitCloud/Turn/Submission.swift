import ZoneKitRecords

/// A request or an administrator's operation, with everything besides the store that determines its outcome.
package struct Submission: Sendable {
  /// The request or operation.
  enum Work: Sendable {
    case request(CloudRequest)
    case administration(Administration)
    case transaction(any ZoneTransaction)
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
  /// The rules that were strict at that time.
  let policy: CloudPolicy
  /// The number of bytes that the answer may have.
  private(set) var room: Int
  /// The predicted needs. The evaluation reports further ones.
  let likelyNeeds: [Need]
  /// The number of evaluations, including the present one.
  private(set) var attempt = 1
  /// The random numbers that were drawn for the present evaluation so far. An evaluation that starts again after a read
  /// repeats them, so that it makes the same record names and needs the same reads.
  var drawn: [UInt64] = []

  init(
    _ work: Work, ticket: Ticket, in database: DatabaseID, from caller: Caller, at now: WallTime, limits: Limits,
    policy: CloudPolicy = CloudPolicy(), room: Int = AnswerSize.limit
  ) {
    self.ticket = ticket
    self.work = work
    self.database = database
    self.caller = caller
    self.now = now
    self.limits = limits
    self.policy = policy
    self.room = max(AnswerSize.small, room)
    likelyNeeds = work.likelyNeeds(
      in: database, from: caller, pageSize: Self.pageSize(limits, in: self.room), limits: limits)
  }

  /// The size of a page of a feed in the answer, in bytes.
  var pageSize: Int { Self.pageSize(limits, in: room) }

  /// Two pages and a large record fit into the room, because the last page of an answer begins before the others have
  /// the size of a page.
  private static func pageSize(_ limits: Limits, in room: Int) -> Int { min(limits.pageBytes, room * 3 / 8) }

  /// Whether it need not be answered in its turn.
  var mayTakeLong: Bool {
    switch work {
    case .transaction(let transaction): transaction.mayTakeLong
    // A snapshot has one zone.
    case .request(.queryRecords(let queries)): queries.count == 1 && queries[0].zoneID != nil
    case .request, .administration: false
    }
  }

  /// What the evaluation may read. A lookup need not read more than it may answer.
  var readingLimits: ReadingLimits {
    let usual = ReadingLimits(dependents: limits.cascade)
    return switch work {
    case .request(.lookupRecords): ReadingLimits(bytes: room)
    case .request: usual
    case .transaction(let transaction): transaction.isAdministration ? .none : usual
    case .administration: .none
    }
  }

  /// The most bytes of the answer.
  var answerLimit: Int {
    switch work {
    case .request(.modifyRecords), .transaction: room < AnswerSize.limit ? room : 2 * room
    // The names of zones cannot be asked for in parts.
    case .request(.listZones), .administration: .max
    case .request: room
    }
  }

  /// The error for an answer that is too large. If the server only has no room for it now, the client may try again.
  var tooLarge: CloudError {
    room < AnswerSize.limit
      ? CloudError(
        .serviceUnavailable, "the server has no room for this answer now; ask again, or for fewer records",
        retryAfterMilliseconds: AnswerSize.retryAfter)
      : CloudError(
        .limitExceeded,
        "the request reads more than \(readingLimits.bytes >> 20) MB of records or answers more than \(answerLimit >> 20) MB; "
          + "name fewer records in one request")
  }

  /// The error for a request that would change too many records with those that it names.
  var tooManyDependents: CloudError {
    CloudError(
      .limitExceeded,
      "the request would change more than \(limits.cascade) records that depend on those that it names; "
        + "change some of them first")
  }

  /// The answer to the submission for an error.
  func refusal(_ error: CloudError) -> Outcome.Answer {
    switch work {
    case .request, .administration: .response(.failure(error))
    case .transaction: .transaction(.failed(error))
    }
  }

  /// The same submission with at most that many bytes for the answer.
  func with(room: Int) -> Submission {
    var limited = self
    limited.room = min(self.room, max(AnswerSize.small, room))
    return limited
  }

  /// The same submission for its next evaluation.
  var again: Submission {
    var again = self
    again.attempt += 1
    again.drawn = []
    return again
  }
}
