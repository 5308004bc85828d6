import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

/// The route `/functions/v1/<name>`: functions of the app (Tables over the wire, 8).
struct FunctionRoute {
  /// The rows that the functions read.
  let rows: RowService
  /// Finds out who sends a request.
  let access: TableAccess

  private static let prefix = "/functions/v1/"

  /// The route.
  var route: HTTPRoute { PartRoute(access: access, serve: serve).route }

  private func serve(_ exchange: HTTPExchange, _ sender: TableSender) {
    let request = exchange.request
    guard request.path.hasPrefix(Self.prefix),
      let name = HTTPPercent.decode(String(request.path.dropFirst(Self.prefix.count)))
    else {
      let problem = rows.problem(of: sender).map { Self.reply($0.refusal) }
      return exchange.reply(problem ?? SupabasePart.functions.notServed(request))
    }
    let cost = rows.call(name, request.body, from: sender, room: exchange.room) { result in
      switch result {
      case .success(let text)?: exchange.reply(HTTPReply(status: 200, body: text))
      case .failure(let error)?: exchange.reply(Self.reply(error.asRefusal))
      case nil: exchange.breakOff()
      }
    }
    exchange.note(answerOf: cost.answerBytes, work: cost.work)
  }

  /// The reply of a refusal. With 503 the client always learns when to ask again.
  private static func reply(_ refusal: ServiceRefusal) -> HTTPReply {
    let wait = refusal.retryAfter ?? (refusal.status == 503 ? 2 : nil)
    return .sentence(refusal.status, refusal.message, retryAfter: wait)
  }
}
