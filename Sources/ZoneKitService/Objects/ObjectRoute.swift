import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

/// The route `/storage/v1`: objects of a Supabase-style service.
struct ObjectRoute {
  /// The objects.
  let objects: ObjectService
  /// Finds out who sends a request.
  let access: TableAccess
  /// The faults of requests.
  let faults: TableFaults
  /// The time of the server.
  let now: () -> Moment

  /// The route.
  var route: HTTPRoute {
    var route = PartRoute(part: .storage, access: access, faults: faults, now: { now().wall }, serve: serve).route
    let serveWithKey = route.serve
    route.serve = { exchange in
      guard ObjectCall.isLink(exchange.request) else { return serveWithKey(exchange) }
      serve(exchange, RowCaller(.anonymous))
    }
    return route
  }

  private func serve(_ exchange: HTTPExchange, _ caller: RowCaller) {
    let call: ObjectCall
    do throws(ObjectError) {
      call = try ObjectCall(exchange.request)
    } catch {
      return exchange.reply(ObjectReplyWriter.failure(error))
    }
    let subject = { call.subject(users: faults.users(caller), deviceID: caller.deviceID) }
    if call == .unserved { return exchange.reply(SupabasePart.storage.notServed(exchange.request)) }
    faults.pass(
      exchange, in: .storage, subject(), refusal: { ObjectReplyWriter.failure(ObjectError($0)) },
      carryOut: { carryOut(call, caller, ObjectExchange(exchange, $1)) })
  }

  private func carryOut(_ call: ObjectCall, _ caller: RowCaller, _ exchange: ObjectExchange) {
    let cost: TurnCost
    switch call {
    case .upload(let bucket, let path, let upload, let replaces):
      let content = ObjectContent(
        hash: Hexadecimal.text(SHA256.hash(upload.bytes)), size: upload.bytes.count, contentType: upload.contentType,
        cacheControl: upload.cacheControl, metadata: upload.metadata)
      cost = objects.upload(
        .put(bucket: bucket, path: path, content, replaces: replaces), upload.bytes, from: caller, room: exchange.room
      ) { exchange.reply(reply(to: $0) { ObjectReplyWriter.stored($0, at: path) }) }
    case .download(let bucket, let path): cost = download(path, in: bucket, from: caller, exchange)
    case .describe(let bucket, let path):
      cost = ask(.find(bucket: bucket, path: path), caller, exchange, ObjectReplyWriter.description)
    case .remove(let bucket, let paths): cost = ask(.remove(bucket: bucket, paths: paths), caller, exchange)
    case .list(let bucket, let listing): cost = ask(.list(bucket: bucket, listing), caller, exchange)
    case .link(let bucket, let path, let seconds):
      cost = ask(.find(bucket: bucket, path: path), caller, exchange) {
        ObjectReplyWriter.link(to: $0, token: token(for: $0, seconds))
      }
    case .links(let bucket, let paths, let seconds): cost = links(paths, in: bucket, seconds, from: caller, exchange)
    case .follow(let bucket, let path, let token): cost = follow(path, in: bucket, token, exchange)
    case .unserved: return exchange.reply(SupabasePart.storage.notServed(exchange.request))
    }
    exchange.note(answerOf: cost.answerBytes, work: cost.work)
  }

  // MARK: Requests

  private func ask(
    _ request: ObjectRequest, _ caller: RowCaller, _ exchange: ObjectExchange,
    _ write: @escaping (StoredObject) -> HTTPReply = ObjectReplyWriter.description
  ) -> TurnCost {
    objects.receive(request, from: caller, room: exchange.room) { exchange.reply(reply(to: $0, write)) }
  }

  private func download(
    _ path: String, in bucket: String, from caller: RowCaller, _ exchange: ObjectExchange
  ) -> TurnCost {
    ask(.find(bucket: bucket, path: path), caller, exchange) { object in
      do throws(ObjectError) {
        return ObjectReplyWriter.bytes(try objects.bytes(of: object), of: object, to: exchange.request)
      } catch {
        return ObjectReplyWriter.failure(error)
      }
    }
  }

  private func links(
    _ paths: [String], in bucket: String, _ seconds: Int64, from caller: RowCaller, _ exchange: ObjectExchange
  ) -> TurnCost {
    objects.receive(.sign(bucket: bucket, paths: paths), from: caller, room: exchange.room) { response in
      guard case .signable(let found) = response else {
        return exchange.reply(reply(to: response, ObjectReplyWriter.description))
      }
      let links = zip(paths, found).map { (path: $0, object: $1) }
      exchange.reply(ObjectReplyWriter.links(links) { token(for: $0, seconds) })
    }
  }

  /// Answers with the object of a link, whose token says for which path it was made.
  private func follow(_ path: String, in bucket: String, _ token: String, _ exchange: ObjectExchange) -> TurnCost {
    do throws(TokenProblem) {
      let linked = try access.keys.objectPath(of: token, at: now().wall)
      guard let place = ObjectPath(path), Name(linked) == Name("\(bucket)/\(place.text)") else {
        throw .claims("it is a link to another object")
      }
      return download(path, in: bucket, from: RowCaller(.account(place.account)), exchange)
    } catch {
      exchange.reply(ObjectReplyWriter.failure(.invalidToken))
      return TurnCost()
    }
  }

  private func token(for object: StoredObject, _ seconds: Int64) -> String {
    JSONWebToken.text(ofObjectAt: "\(object.bucket)/\(object.path)", at: now().wall, seconds: seconds) {
      access.keys.signature(of: $0)
    }
  }

  private func reply(to response: ObjectResponse, _ write: (StoredObject) -> HTTPReply) -> HTTPReply {
    switch response {
    case .object(let object): write(object)
    case .removed(let objects): ObjectReplyWriter.removed(objects)
    case .listed(let entries): ObjectReplyWriter.list(entries)
    case .signable: ObjectReplyWriter.failure(.notFound)
    case .refused(let error): ObjectReplyWriter.failure(error)
    }
  }
}

/// A request for objects with the way of its reply.
private struct ObjectExchange {
  private let exchange: HTTPExchange
  private let answer: (HTTPReply?) -> Void

  init(_ exchange: HTTPExchange, _ answer: @escaping (HTTPReply?) -> Void) {
    self.exchange = exchange
    self.answer = answer
  }

  var request: HTTPRequest { exchange.request }
  var room: Int { exchange.room }
  func reply(_ reply: HTTPReply) { answer(reply) }
  func note(answerOf size: Int, work: Int) { exchange.note(answerOf: size, work: work) }
}

extension ObjectCall {
  /// What faults look at.
  fileprivate func subject(users: [Name], deviceID: String?) -> FaultSubject {
    let (kind, bucket, paths): (TableRequestKind, String, [String]) =
      switch self {
      case .upload(let bucket, let path, _, _): (.putObject, bucket, [path])
      case .remove(let bucket, let paths): (.removeObjects, bucket, paths)
      case .download(let bucket, let path), .describe(let bucket, let path), .link(let bucket, let path, _),
        .follow(let bucket, let path, _):
        (.getObject, bucket, [path])
      case .links(let bucket, let paths, _): (.getObject, bucket, paths)
      case .list(let bucket, let listing): (.getObject, bucket, [listing.folder])
      case .unserved: (.getObject, "", [])
      }
    return FaultSubject(kind, paths: paths, in: bucket, users: users, deviceID: deviceID)
  }
}
