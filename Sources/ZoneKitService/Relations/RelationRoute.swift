import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

/// The route `/rest/v1` of a user's own tables.
struct RelationRoute {
  /// The cloud.
  let zones: FileZoneService
  /// Finds out who sends a request.
  let access: TableAccess

  /// The route.
  var route: HTTPRoute {
    var route = PartRoute(access: access, serve: serve).route
    route.busy = { _ in RowRoute.busy }
    return route
  }

  private func serve(_ exchange: HTTPExchange, _ sender: TableSender) {
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
}
