import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitWire

/// The part of the control interface for the live page: its files, the records behind it, and its buttons.
struct PageRoute {
  /// The most records of one answer.
  static let recordLimit = 500

  /// The data directory.
  let data: DataDirectory
  /// The apps of the program, and those of stores that such apps made.
  let apps: @Sendable ([StoreOwner]) -> [DeviceApp]
  /// The cloud's part of the status report.
  let cloud: () -> JSON
  /// Carries out a line of the program; nil if this server does not do that.
  let verb: PageVerb?
  /// The loop on whose threads files are read.
  let loop: Loop

  /// The name of the icon for which browsers ask without being told.
  static let icon = "favicon.ico"

  /// The reply with a file of the page; nil if the path is none. There is no icon.
  static func file(at path: String) -> HTTPReply? {
    guard path != "/\(icon)" else { return HTTPReply(status: 204) }
    let name = path == "/" || path == "/zonekit/" || path == "/zonekit" ? PageFiles.index : path.droppingRoot
    return name.flatMap { PageFiles.replies[$0] }
  }

  /// Serves a request. Returns whether the path is one of the page.
  func serve(_ exchange: HTTPExchange) -> Bool {
    switch exchange.request.path {
    case "/zonekit/records": list(exchange)
    case "/zonekit/record": show(exchange)
    case "/zonekit/actions": act(exchange)
    default: return false
    }
    return true
  }

  // MARK: Records

  private func list(_ exchange: HTTPExchange) {
    read(exchange) { (reader, place, query) throws(StoresError) in
      guard let limit = Int(query["limit"] ?? "100"), (1...Self.recordLimit).contains(limit) else {
        throw .input("limit must be 1 to \(Self.recordLimit), not \(query["limit"] ?? "")")
      }
      return try reader.records(
        in: place, after: query["after"].map { Name($0) }, limit: limit,
        filter: query["filter"].flatMap { $0.isEmpty ? nil : $0 })
    }
  }

  private func show(_ exchange: HTTPExchange) {
    read(exchange) { (reader, place, query) throws(StoresError) in
      guard let name = query["record"] else { throw .input("record is missing: the name of a record") }
      return try reader.record(Name(name), in: place)
    }
  }

  /// Answers with what a reading returns, which runs on another thread.
  private func read(
    _ exchange: HTTPExchange,
    _ reading: @escaping @Sendable (PageReader, PageReader.Place, HTTPQuery) throws(StoresError) -> JSON
  ) {
    guard exchange.request.method == "GET" else { return exchange.reply(ControlRoute.methods(["GET"])) }
    guard let query = try? exchange.request.queryItems() else {
      return exchange.reply(ControlRoute.failure(.invalidArguments, "the query cannot be read"))
    }
    guard let app = query["app"], let user = query["user"], let zone = query["zone"] else {
      let missing = ["app", "user", "zone"].filter { query[$0] == nil }
      return exchange.reply(ControlRoute.failure(.invalidArguments, "\(missing.joined(separator: ", ")) is missing"))
    }
    let reader = PageReader(data: data, apps: apps, cloud: cloud(), now: SystemClock.wall)
    let place = PageReader.Place(app: app, user: Name(user), zone: Name(zone))
    BackgroundWork.run(on: loop) { () -> HTTPReply in
      do throws(StoresError) {
        return HTTPReply(try reading(reader, place, query))
      } catch {
        return ControlRoute.failure(error.kind == .input ? .invalidArguments : .serviceUnavailable, "\(error)")
      }
    } finish: {
      exchange.reply($0)
    }
  }

  // MARK: Buttons

  /// Carries out a line of the program, as in `{"words":["fault","add","drop the next push to B"]}`.
  private func act(_ exchange: HTTPExchange) {
    guard exchange.request.method == "POST" else { return exchange.reply(ControlRoute.methods(["POST"])) }
    guard let verb else {
      let reason = "only a server with --auth open on a loopback address carries out lines of the program"
      return exchange.reply(ControlRoute.failure(.permissionFailure, reason))
    }
    let words: [String]
    do throws(StoresError) {
      words = try PageVerb.words(in: exchange.request.body)
    } catch {
      return exchange.reply(ControlRoute.failure(.invalidArguments, "\(error)"))
    }
    // A line may have this server close its cloud.
    exchange.keepsConnection = true
    BackgroundWork.run(on: loop, isPermanent: true) {
      verb.run(words)
    } finish: { outcome in
      exchange.keepsConnection = false
      let isWrong = outcome.code == 2
      exchange.reply(
        outcome.code == 0
          ? HTTPReply(["done": true, "said": .string(outcome.said)])
          : ControlRoute.failure(isWrong ? .invalidArguments : .serviceUnavailable, outcome.said))
    }
  }
}

/// Carries out lines of the program for the live page.
package struct PageVerb: Sendable {
  /// What a line did.
  package struct Outcome: Sendable {
    /// The exit code of the line.
    package var code: Int32
    /// What it printed, or the error.
    package var said: String

    /// A line that ended like that.
    package init(code: Int32, said: String) { (self.code, self.said) = (code, said) }
  }

  /// The first words of the lines that a page may have carried out.
  package static let verbs = ["account", "fault", "push", "reset", "snapshot", "tell"]

  /// Carries out a line. It may take long.
  package let run: @Sendable ([String]) -> Outcome

  /// Lines that `run` carries out.
  package init(_ run: @escaping @Sendable ([String]) -> Outcome) { self.run = run }

  /// The words of a line in a body. Throws if the page may not have the line carried out.
  static func words(in body: [UInt8]) throws(StoresError) -> [String] {
    let json: JSON
    do {
      json = try JSON(parsing: body)
    } catch {
      throw .input("the body is no JSON: \(error)")
    }
    guard let list = json["words"]?.array, case let words = list.compactMap(\.string), words.count == list.count,
      let first = words.first
    else { throw .input("words must be an array of texts, such as [\"fault\", \"clear\"]") }
    guard verbs.contains(first) else {
      throw .input("words must begin with one of \(verbs.joined(separator: ", ")), not with \(first)")
    }
    guard !words.contains("--data") else { throw .input("words must not name another data directory") }
    return words
  }
}

extension String {
  /// The path below `/zonekit/`; nil for another path.
  fileprivate var droppingRoot: String? {
    let root = "/\(ControlRoute.root)/"
    return hasPrefix(root) ? String(dropFirst(root.count)) : nil
  }
}
