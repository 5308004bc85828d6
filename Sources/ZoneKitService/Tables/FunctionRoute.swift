import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

/// The route `/functions/v1/<name>`: functions of the app (Tables over the wire, 8).
struct FunctionRoute {
  /// The rows that the functions read.
  let rows: RowService
  /// Finds out who sends a request.
  let access: TableAccess
  /// The faults of requests.
  let faults: TableFaults
  /// The time of the server.
  let now: () -> Moment

  private static let prefix = "/functions/v1/"

  /// The route.
  var route: HTTPRoute {
    PartRoute(part: .functions, access: access, faults: faults, now: { now().wall }, serve: serve).route
  }

  private func serve(_ exchange: HTTPExchange, _ caller: RowCaller) {
    let request = exchange.request
    guard request.path.hasPrefix(Self.prefix),
      let name = HTTPPercent.decode(String(request.path.dropFirst(Self.prefix.count)))
    else { return exchange.reply(SupabasePart.functions.notServed(request)) }
    let subject = { FaultSubject(.callFunction, users: faults.users(caller), deviceID: caller.deviceID) }
    faults.pass(
      exchange, in: .functions, subject(),
      refusal: { .sentence($0.status, $0.message, retryAfter: $0.retryAfter ?? ($0.status == 503 ? 2 : nil)) },
      carryOut: { _, answer in
        let cost = rows.call(name, request.body, from: caller, room: exchange.room) { result in
          switch result {
          case .success(let text): answer(HTTPReply(status: 200, body: text))
          case .failure(let error): answer(Self.reply(error))
          }
        }
        exchange.note(answerOf: cost.answerBytes, work: cost.work)
      })
  }

  private static func reply(_ error: FunctionError) -> HTTPReply {
    let refusal = error.asRefusal
    return .sentence(refusal.status, refusal.message, retryAfter: refusal.retryAfter)
  }
}
