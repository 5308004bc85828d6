import ZoneKitCloud
import ZoneKitCloudProcess
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

  /// The route.
  var route: HTTPRoute {
    var route = PartRoute(access: access, serve: serve).route
    route.busy = { _ in Self.busy }
    return route
  }

  /// The reply to a request whose body the server has no memory for.
  static var busy: HTTPReply {
    HTTPReply(RowError(.storeFailed, "the server is busy and has no room for this request now"))
  }

  private func serve(_ exchange: HTTPExchange, _ sender: TableSender) {
    let request = exchange.request
    if TableDescription.isAsked(by: request) { return exchange.reply(description(for: sender)) }
    let call: RowCall
    do throws(RowError) {
      call = try RowCall(request, schema: rows.schema)
    } catch {
      let table = request.path.split(separator: "/").last.map { Name(String($0)) }
      return rows.refuse(with: error, table: table, sender) { exchange.answer($0.map { HTTPReply($0) }) }
    }
    let cancellation = Cancellation()
    exchange.onAbandon = { cancellation.cancel() }
    let growth = call.growth
    let cost = rows.receive(
      call.request, call.demands, from: sender, room: exchange.room / growth, until: cancellation
    ) { response in
      exchange.answer(response.map { call.reply($0, keeping: &rows.kept) })
    }
    exchange.note(answerOf: cost.answerBytes * growth, work: cost.work)
  }

  private func description(for sender: TableSender) -> HTTPReply {
    if let problem = rows.problem(of: sender) { return HTTPReply(problem.rowError) }
    let body = TableDescription(of: rows.schema).json.bytes(.pretty)
    return HTTPReply(status: 200, contentType: TableDescription.contentType, body: body)
  }
}
