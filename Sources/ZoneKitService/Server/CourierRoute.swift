import ZoneKitPush
import ZoneKitRecords
import ZoneKitWire

/// The route `/aps`: the web courier, where a client without a push socket waits for one notification at a time (CloudKit
/// Web Services, f.2). The token in the query is all that a client needs.
struct CourierRoute {
  /// The first path segment.
  static var root: String { "aps" }

  let push: PushService

  /// The route. Web pages of other origins may use it.
  var route: HTTPRoute { HTTPRoute { serve($0) } }

  private func serve(_ exchange: HTTPExchange) {
    guard exchange.request.method == "GET" else {
      var reply = HTTPReply.failure(405, "the web courier takes GET")
      reply.fields.append(HTTPField("Allow", "GET"))
      return exchange.reply(reply)
    }
    let token: String?
    do {
      token = try exchange.request.queryItems()["tok"]
    } catch {
      return exchange.reply(.failure(400, error.description))
    }
    guard let token, !token.isEmpty else {
      return exchange.reply(.failure(400, "the web courier needs ?tok=TOKEN, a registered push token"))
    }
    let poll = push.poll(token) { payload in
      exchange.reply(HTTPReply(status: 200, body: payload))
    } refuse: { reason in
      exchange.reply(.failure(410, "\(reason.message); create and register a new token"))
    }
    exchange.onAbandon = { push.giveUp(poll) }
  }
}
