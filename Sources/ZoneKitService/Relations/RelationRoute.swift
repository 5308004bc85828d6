import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// The route `/rest/v1` of a user's own tables.
struct RelationRoute<Store: ZoneStore, Accounts: AccountStore> {
  /// The cloud.
  let zones: ZoneService<Store, Accounts>
  /// Finds out who sends a request.
  let access: TableAccess

  /// The route.
  var route: HTTPRoute {
    var route = PartRoute(access: access, serve: serve).route
    route.busy = { _ in RowRoute.busy }
    return route
  }

  private func serve(_ exchange: HTTPExchange, _ sender: TableSender) {
    if TableDescription.isAsked(by: exchange.request) { return exchange.reply(description(for: sender)) }
    let call: RelationCall
    do throws(RowError) {
      call = try RelationCall(exchange.request)
    } catch {
      let message = CloudMessage.unreadableRows(error, table: nil)
      zones.ask(message, from: sender, room: AnswerSize.small) { answer in
        exchange.answer(answer?.rows.flatMap { if case .refused(let error) = $0 { HTTPReply(error) } else { nil } })
      }
      return
    }
    let cost = zones.ask(.relations(call.request), from: sender, room: exchange.room) { answer in
      exchange.answer(answer?.relation.map { call.reply($0) })
    }
    exchange.note(answerOf: cost.answerBytes, work: cost.work)
  }

  private func description(for sender: TableSender) -> HTTPReply {
    if let problem = zones.problem(of: sender) { return HTTPReply(problem.rowError) }
    let catalogue = zones.process.tables?.relations?.schema.catalogue
    let tables = catalogue.map { RelationDescription(of: $0).tables } ?? []
    let body = TableDescription(tables).json.bytes(.pretty)
    return HTTPReply(status: 200, contentType: TableDescription.contentType, body: body)
  }
}
