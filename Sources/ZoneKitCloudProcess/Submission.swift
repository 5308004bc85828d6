import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// A message on its way into the turn.
struct Arrival {
  /// The ticket of its reply.
  var ticket: Ticket
  /// Who sent it.
  var sender: CloudSender
  /// When it arrived.
  var at: Moment
  /// The number of bytes that the answer may have.
  var room = AnswerSize.limit
  /// What faults do to the message on its way; nil for nothing.
  var faulted: FaultedMessage?
}

/// What the arrival of a message led to.
enum Beginning {
  /// It is answered without a commit.
  case answered(CloudAnswer)
  /// Its answer comes with the commit. `cost` is how much of the turn it takes.
  case submitted(Step, cost: TurnCost)
  /// It waits until the driver has done that.
  case prepares(Step, CloudPreparation)
}

/// What is done with the result of a message whose answer comes with the commit.
enum Step {
  /// It is the answer.
  case call(isWrite: Bool)
  /// Those accounts were entered into the directory of users near that database. Nobody waits for it.
  case registration([Name], DatabaseID)
  /// The server of the documents of the app of that name makes the answer.
  case documents(app: String, isWrite: Bool)
  /// The server of the documents of the app of that name makes the report.
  case documentPurge(app: String)
  /// The rows make the answer.
  case rows(isWrite: Bool)
  /// The request for rows of a schema of a user's own was carried out.
  case relation(isWrite: Bool)
  /// The error is answered, with the state of the feed that was read.
  case refusal(RowError)
  /// The own row of that account was made. Nobody waits for it.
  case profile(UUID)
  /// The function goes on.
  case function(String, argument: [UInt8], RowCaller, room: Int)
  /// The request is submitted when the bytes of its upload are on the disk.
  case upload(ObjectRequest, RowCaller, room: Int)
  /// The request to the accounts is submitted when it is verified.
  case verification
  /// The objects make the answer. `upload` is the place of an upload's bytes.
  case object(DatabaseID, upload: ObjectTurn.Place?)
  /// The accounts make the answer. `removing` is the account that is removed.
  case account(removing: UUID?)
  /// The rows make a report on that account, which is one of the maintenance with that ticket; nil if nobody waits for it.
  case maintained(MaintainedAccount, of: Ticket?)
  /// The reports come one by one.
  case maintenance(Maintenance)
  /// The rows of that account are erased, as an operation on their zone asked for.
  case erasure(MaintainedAccount)

  /// Whether records or rows of apps may change.
  var isWrite: Bool {
    switch self {
    case .call(let isWrite), .documents(_, let isWrite), .rows(let isWrite), .relation(let isWrite):
      isWrite
    case .profile: true
    case .registration, .documentPurge, .refusal, .function, .upload, .verification, .object, .account, .maintained,
      .maintenance,
      .erasure:
      false
    }
  }
}

/// The reports on accounts that are maintained together.
struct Maintenance {
  /// The number of reports to come.
  private var waiting: Int
  private var reports: [AccountMaintenance] = []
  private var failure: RowError?

  /// The maintenance of that many accounts.
  init(of count: Int) { waiting = count }

  /// A report arrived. Returns the answer if it was the last one.
  mutating func add(_ result: Result<MaintenanceReport, RowError>, on account: MaintainedAccount) -> CloudAnswer? {
    switch result {
    case .success(let report):
      let found = AccountMaintenance(account: account, report: report)
      if found.isListed { reports.append(found) }
    case .failure(let error): failure = failure ?? error
    }
    waiting -= 1
    guard waiting == 0 else { return nil }
    return .maintained(failure.map { .failure($0) } ?? .success(reports))
  }
}
