import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire

/// The route `/health`: whether the server can commit. Anyone may ask, and learns nothing of paths and names.
final class HealthRoute {
  /// The first path segment.
  static var root: String { "health" }

  private let loop: Loop
  private let folder: String
  private let version: String
  private var readiness = Readiness()
  private var waiting: [HTTPExchange] = []

  /// The health of a server of that version with its files in that folder.
  init(of folder: String, version: String, on loop: Loop) {
    (self.folder, self.version, self.loop) = (folder, version, loop)
  }

  /// The route.
  var route: HTTPRoute { .ofOwnOrigin(serve) }

  /// A commit of a zone succeeded, or failed for that reason.
  func note(_ failure: StoreError?) {
    if let failure { readiness.failed(failure, at: loop.now) } else { readiness.committed() }
  }

  private func serve(_ exchange: HTTPExchange) {
    guard ["GET", "HEAD"].contains(exchange.request.method) else { return exchange.reply(.onlyReads) }
    switch readiness.asked(at: loop.now) {
    case .known(let problem): exchange.reply(reply(problem))
    case .wait: waiting.append(exchange)
    case .tryDisk:
      waiting.append(exchange)
      BackgroundWork.run(on: loop, { [folder] in FolderProbe.problem(in: folder) }) { [self] in finish($0) }
    }
  }

  private func finish(_ problem: StoreError?) {
    readiness.tried(problem, at: loop.now)
    let asked = waiting
    waiting = []
    for exchange in asked { exchange.reply(reply(problem)) }
  }

  private func reply(_ problem: StoreError?) -> HTTPReply {
    var members = [JSON.Member("ready", .bool(problem == nil))]
    if let problem {
      members.append(JSON.Member("reason", .string("the store cannot be written: \(problem.message)")))
      members.append(JSON.Member("kind", .string(problem.kind.rawValue)))
    }
    members.append(JSON.Member("zonekit", .string(version)))
    var reply = HTTPReply(.object(members), status: problem == nil ? 200 : 503)
    reply.fields.append(HTTPField("Cache-Control", "no-store"))
    return reply
  }
}

extension HTTPReply {
  /// The refusal of a method other than GET and HEAD.
  static var onlyReads: HTTPReply {
    var reply = failure(405, "only GET and HEAD are allowed here")
    reply.fields.append(HTTPField("Allow", "GET, HEAD"))
    return reply
  }
}
