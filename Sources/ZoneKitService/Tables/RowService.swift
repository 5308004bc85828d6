import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// The rows of an app's accounts as a service: it passes requests to the process and keeps what answers need.
final class RowService {
  /// The app.
  let app: TableApp
  private let zones: FileZoneService
  /// The rows that were answered last.
  var kept = KeptRows()

  /// The rows of that app.
  init(of app: TableApp, zones: FileZoneService) {
    self.app = app
    self.zones = zones
  }

  /// The tables.
  var schema: TableSchema { app.schema }

  /// Why a sender is not admitted now; nil if it is.
  func problem(of sender: TableSender) -> SenderProblem? { zones.problem(of: sender) }

  /// A request arrived. `answer` is called once, after the commits of accounts and zones; for a query that reads for long, in
  /// a later turn, unless `cancellation` ends it. It gets nil if a fault suppresses the answer. `room` is the number of bytes
  /// that the answer may have. Returns how much of the turn the request takes.
  func receive(
    _ request: RowRequest, _ demands: RowDemands, from sender: TableSender, room: Int, until cancellation: Cancellation,
    answer: @escaping (RowResponse?) -> Void
  ) -> TurnCost {
    zones.ask(.rows(request, demands), from: sender, room: room, until: cancellation) { answer($0?.rows) }
  }

  /// A request that cannot be read is refused with that error. `table` is the one that it names; nil if it names none.
  /// `answer` is called once, in this turn.
  func refuse(with error: RowError, table: Name?, _ sender: TableSender, answer: @escaping (RowError?) -> Void) {
    zones.ask(.unreadableRows(error, table: table), from: sender, room: AnswerSize.small) { given in
      if case .refused(let error)? = given?.rows { answer(error) } else { answer(nil) }
    }
  }

  /// A function is called. `answer` is called once, in this turn or after the later ones in which the rows are
  /// read, with the text of a JSON document; with nil if a fault suppresses the answer. `room` is the number of bytes that
  /// the answer may have. Returns how much of the turn the call takes.
  func call(
    _ name: String, _ argument: [UInt8], from sender: TableSender, room: Int,
    answer: @escaping (Result<[UInt8], FunctionError>?) -> Void
  ) -> TurnCost {
    zones.ask(.function(name, argument: argument), from: sender, room: room) { answer($0?.function) }
  }

  // MARK: Administration

  /// Carries out an operation on the accounts that it is about. `complete` is called once, after the commits, with a
  /// report for each account in the order of their creation.
  func administer(_ operation: TableAdministration, complete: @escaping (Result<[JSON], RowError>) -> Void) {
    maintain(operation.message, complete: complete)
  }

  /// Counts the rows of an account; of all accounts if none is named.
  func count(of user: String?, complete: @escaping (Result<[JSON], RowError>) -> Void) {
    maintain(.count(of: user), complete: complete)
  }

  private func maintain(_ message: CloudMessage, complete: @escaping (Result<[JSON], RowError>) -> Void) {
    zones.receive(message, from: CloudSender(RowCaller(.service))) { [app] reply in
      guard case .maintained(let result)? = reply.answer else { return }
      complete(result.map { $0.map { $0.json(in: app.schema) } })
    }
  }
}
