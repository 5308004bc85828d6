import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

/// The route `/rest/v1`: rows of a Supabase-style service.
struct RowRoute {
  /// The rows.
  let rows: RowService
  /// Finds out who sends a request.
  let access: TableAccess
  /// The time of the server.
  let now: () -> Moment

  /// The route.
  var route: HTTPRoute {
    var route = PartRoute(part: .rest, access: access, now: { now().wall }, serve: serve).route
    route.busy = { _ in
      HTTPReply(RowError(.storeFailed, "the server is busy and has no room for this request now"))
    }
    return route
  }

  private func serve(_ exchange: HTTPExchange, _ caller: RowCaller) {
    let call: RowCall
    do throws(RowError) {
      call = try RowCall(exchange.request, schema: rows.schema)
    } catch {
      let table = exchange.request.path.split(separator: "/").last.map { Name(String($0)) }
      return rows.refuse(with: error, table: table, caller) { exchange.reply(HTTPReply($0)) }
    }
    let cost = rows.receive(call.request, call.demands, from: caller, room: exchange.room) {
      exchange.reply(call.reply($0))
    }
    exchange.note(answerOf: cost.answerBytes, work: cost.work)
  }
}
