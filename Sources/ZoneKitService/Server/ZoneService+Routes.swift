import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire

extension ZoneService {
  /// The routes of a protocol. `root` is the server's own URL, for links in answers.
  func routes(_ adapter: any ProtocolAdapter, root: String) -> [String: HTTPRoute] {
    func context() -> CallContext {
      var generator = SystemGenerator()
      return CallContext(identifier: RandomIdentifier.uuid(using: &generator), root: root)
    }
    let route = HTTPRoute(
      busy: { adapter.reply(refusing: $0, with: Self.busy, in: context()) },
      serve: { exchange in
        do throws(CallRefusal) {
          let call = try adapter.call(of: exchange.request, in: context())
          let cost = self.receive(call, room: exchange.room) { reply in
            if let reply { exchange.reply(reply) } else { exchange.breakOff() }
          }
          exchange.note(answerOf: cost.answerBytes, work: cost.work)
        } catch {
          let problem = RequestSignature(exchange.request).flatMap { self.problem(of: $0) }
          exchange.reply(
            problem.map { adapter.reply(refusing: exchange.request, with: $0, in: context()) } ?? error.reply)
        }
      })
    return Dictionary(uniqueKeysWithValues: adapter.roots.map { ($0, route) })
  }

  /// The error for a request whose body the server has no memory for.
  private static var busy: CloudError {
    CloudError(
      .serviceUnavailable, "the server is busy and has no room for this request now; try again later",
      retryAfterMilliseconds: AnswerSize.retryAfter)
  }
}
