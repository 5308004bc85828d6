import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// The route `/rest/v1`: rows of a Supabase-style service.
struct RowRoute {
  /// The rows.
  let rows: RowService
  /// Finds out who sends a request.
  let access: TableAccess
  /// The faults of requests.
  let faults: TableFaults
  /// The time of the server.
  let now: () -> Moment

  /// The route.
  var route: HTTPRoute {
    var route = PartRoute(part: .rest, access: access, faults: faults, now: { now().wall }, serve: serve).route
    route.busy = { _ in
      HTTPReply(RowError(.storeFailed, "the server is busy and has no room for this request now"))
    }
    return route
  }

  private func serve(_ exchange: HTTPExchange, _ caller: RowCaller) {
    if TableDescription.isAsked(by: exchange.request) {
      let body = TableDescription(of: rows.schema).json.bytes(.pretty)
      return exchange.reply(HTTPReply(status: 200, contentType: TableDescription.contentType, body: body))
    }
    let call: RowCall
    do throws(RowError) {
      call = try RowCall(exchange.request, schema: rows.schema)
    } catch {
      let table = exchange.request.path.split(separator: "/").last.map { Name(String($0)) }
      return rows.refuse(with: error, table: table, caller) { exchange.reply(HTTPReply($0)) }
    }
    let cancellation = Cancellation()
    exchange.onAbandon = { cancellation.cancel() }
    faults.pass(
      exchange, in: .rest,
      FaultSubject(call.request, users: faults.users(caller), deviceID: caller.deviceID, schema: rows.schema),
      refusal: { HTTPReply(RowError($0)) },
      carryOut: { carryOut(call, $0, exchange, caller, until: cancellation, answer: $1) })
  }

  private func carryOut(
    _ call: RowCall, _ faults: RequestFaults?, _ exchange: HTTPExchange, _ caller: RowCaller,
    until cancellation: Cancellation, answer: @escaping (HTTPReply?) -> Void
  ) {
    let faulty = faults.map { FaultyRowExchange(call.request, $0, schema: rows.schema, at: now().wall) }
    let limits = faulty?.limits(RowLimits())
    let growth = call.growth
    let cost = rows.receive(
      faulty?.request ?? call.request, call.demands, from: caller, limits: limits, room: exchange.room / growth,
      until: cancellation
    ) { response in
      let shown = if let faulty { faulty.answer(to: response) } else { response }
      answer(shown.map { call.reply($0, keeping: &rows.kept) })
    }
    exchange.note(answerOf: cost.answerBytes * growth, work: cost.work)
  }
}
