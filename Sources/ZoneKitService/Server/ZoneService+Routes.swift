import ZoneKitCloud
import ZoneKitRecords
import ZoneKitWire

extension ZoneService {
  /// The routes of a protocol. `root` is the server's own URL, for links in answers.
  func routes(_ adapter: any ProtocolAdapter, root: String) -> [String: HTTPRoute] {
    let route = HTTPRoute { exchange in
      var generator = SystemRandomNumberGenerator()
      let context = CallContext(identifier: RandomIdentifier.uuid(using: &generator), root: root)
      do throws(CallRefusal) {
        self.receive(try adapter.call(of: exchange.request, in: context)) { reply in
          if let reply { exchange.reply(reply) } else { exchange.breakOff() }
        }
      } catch {
        exchange.reply(error.reply)
      }
    }
    return Dictionary(uniqueKeysWithValues: adapter.roots.map { ($0, route) })
  }
}
