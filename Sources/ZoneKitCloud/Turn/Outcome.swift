import ZoneKitRecords

/// The answer to a request and its changes, not yet staged.
struct Outcome {
  /// The answer to give after the commit.
  var answer: Answer
  /// The changes of zones, in order.
  var zoneChanges: [ZoneChange] = []
  /// The change of a database's own state that the response confirms.
  var databaseChange: DatabaseChange?
  /// The removal of one-time subscriptions that fired. The response does not confirm it.
  var spentSubscriptions: [DatabaseChange] = []
  /// A registration to pass to the push service after the commit.
  var registration: PushRegistration?
  /// A push token that the push service has to refuse after the commit.
  var endedToken: String?

  /// An answer.
  enum Answer {
    /// The response to a request or to an administrator's operation.
    case response(CloudResponse)
    /// The result of a transaction.
    case transaction(TransactionResult)

    /// The approximate number of bytes of the answer.
    var size: Int {
      switch self {
      case .response(let response): response.size
      case .transaction(.done(let answer)): answer.size
      case .transaction(.failed(let error)): error.reason.utf8.count
      }
    }

    /// The effect that gives the answer.
    func effect(to ticket: Ticket) -> CloudEffect {
      switch self {
      case .response(let response): .answer(ticket, response)
      case .transaction(let result): .transacted(ticket, result)
      }
    }
  }

  /// The change of one zone by a request, with its notice.
  struct ZoneChange {
    var key: ZoneKey
    var transition: ZoneTransition
    /// The notice; nil for the default zone, whose changes make no notices.
    var notice: Notice?
    /// The notices for the shared databases of those with whom the records are shared.
    var participantNotices: [Notice] = []
    /// Whether its commit is reported as a fact.
    var isTold = true
    /// Whether it may stay if the other changes of its submission were stale, because the next evaluation makes the same or
    /// does without.
    var mayStay = false
  }

  /// The change of a database's own state by a request.
  struct DatabaseChange {
    var database: DatabaseID
    var transition: DatabaseTransition
  }

  /// An outcome that changes nothing.
  init(_ answer: Answer) { self.answer = answer }

  /// An outcome that changes nothing.
  init(_ response: CloudResponse) { answer = .response(response) }

  /// The outcome of a transaction.
  init(_ result: TransactionResult) { answer = .transaction(result) }
}
