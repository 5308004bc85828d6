import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

/// The route `/realtime/v1`: changes of rows and messages of clients over a WebSocket (Tables over the wire, 6.1), and
/// broadcasts without one.
struct RealtimeRoute {
  /// The path of the socket.
  static let path = "/realtime/v1/websocket"

  /// The sockets.
  let sockets: RealtimeService

  /// The route.
  var route: HTTPRoute {
    var route = HTTPRoute(
      busy: { _ in HTTPReply.sentence(503, "the server is busy", retryAfter: 1) }, serve: { serve($0) })
    route.crossOrigin = .supabase
    return route
  }

  private func serve(_ exchange: HTTPExchange) {
    let request = exchange.request
    let role: AccountClaims.Role
    switch sockets.role(of: request) {
    case .success(let allowed): role = allowed
    case .failure(let refusal): return exchange.reply(Self.reply(refusal))
    }
    if BroadcastReader.isMeant(by: request) { return broadcast(exchange) }
    guard request.path == Self.path else { return exchange.reply(SupabasePart.realtime.notServed(request)) }
    let key: String
    do throws(HTTPError) {
      key = try WebSocketHandshake.key(of: request)
    } catch {
      return exchange.reply(.sentence(error.status, error.reason))
    }
    let stated = (try? request.queryItems()["vsn"]) ?? ChannelVersion.first.rawValue
    guard let version = ChannelVersion(rawValue: stated) else {
      return exchange.reply(.sentence(400, "vsn must be 1.0.0 or 2.0.0, not \(stated)"))
    }
    let credentials = SupabaseCredentials(request)
    switch sockets.opening(key: credentials.key, from: exchange.clientHost, device: credentials.deviceID) {
    case .open(let delay): sockets.zones.delay(milliseconds: delay) { upgrade(exchange, key, version, role) }
    case .refuse(let refusal, let delay):
      sockets.zones.delay(milliseconds: delay) {
        exchange.answer(refusal.map(Self.reply))
      }
    }
  }

  private static func reply(_ refusal: ServiceRefusal) -> HTTPReply {
    .sentence(refusal.status, refusal.message, retryAfter: refusal.retryAfter)
  }

  /// Passes messages to those who joined their topics. Nothing is passed if one cannot be read.
  private func broadcast(_ exchange: HTTPExchange) {
    exchange.note(answerOf: 0, work: exchange.request.body.count)
    do throws(BroadcastRefusal) {
      for message in try BroadcastReader.messages(of: exchange.request) {
        sockets.zones.pass(message.broadcast, topic: message.topic)
      }
      exchange.reply(HTTPReply(status: 202))
    } catch {
      exchange.reply(.sentence(error.status, error.reason))
    }
  }

  private func upgrade(
    _ exchange: HTTPExchange, _ key: String, _ version: ChannelVersion, _ role: AccountClaims.Role
  ) {
    let fields = WebSocketHandshake.answerFields(hash: SHA1.hash(WebSocketHandshake.proofText(of: key)))
    exchange.upgrade(to: WebSocketHandshake.upgrade, fields: fields) { connection, rest in
      sockets.open(connection, rest, version, role, device: SupabaseCredentials(exchange.request).deviceID)
    }
  }
}
