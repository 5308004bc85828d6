import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitStorage

/// The documents of an app's accounts as a service. Its transactions are part of the turns of the `ZoneService`, so that
/// one commit keeps the changes of all protocols.
final class DocumentService {
  private var server: DocumentServer
  private let zones: ZoneService<CloudFiles>
  private let now: () -> Moment

  /// The documents of that app.
  init(of app: DocumentApp, zones: ZoneService<CloudFiles>, now: @escaping () -> Moment) {
    server = DocumentServer(app: app)
    self.zones = zones
    self.now = now
  }

  /// The app.
  var app: DocumentApp { server.app }

  /// The time of the server.
  var time: WallTime { now().wall }

  /// Takes in a request. `answer` is called once, in this turn, after the commit. `room` is the number of bytes that the
  /// answer may have. Feeds show commits from the age of `visibleDelay` milliseconds on. Returns how much of the turn the
  /// request takes.
  func receive(
    _ request: DocumentRequest, from caller: Caller, visibleDelay: Int64, room: Int,
    answer: @escaping (DocumentResponse) -> Void
  ) -> TurnCost {
    let reception = server.receive(request, from: caller, at: now().wall, visibleDelay: visibleDelay)
    return zones.carryOut(reception, room: room, answer: answer) { [self] result, _ in
      server.keep(result)
      answer(server.answer(to: result))
    }
  }
}
