import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

/// The route `/storage/v1`: objects of a Supabase-style service.
struct ObjectRoute {
  /// The objects.
  let objects: ObjectService
  /// Finds out who sends a request.
  let access: TableAccess
  /// The time of the server.
  let now: () -> Moment

  /// The route.
  var route: HTTPRoute {
    var route = PartRoute(access: access, serve: serve).route
    let serveWithKey = route.serve
    route.serve = { exchange in
      guard ObjectCall.needsNoKey(exchange.request) else { return serveWithKey(exchange) }
      serve(exchange, TableSender())
    }
    return route
  }

  private func serve(_ exchange: HTTPExchange, _ sender: TableSender) {
    do throws(ObjectError) {
      carryOut(try ObjectCall(exchange.request), sender, exchange)
    } catch {
      exchange.reply(ObjectReplyWriter.failure(objects.problem(of: sender)?.objectError ?? error))
    }
  }

  private func carryOut(_ call: ObjectCall, _ sender: TableSender, _ exchange: HTTPExchange) {
    let cost: TurnCost
    switch call {
    case .upload(let bucket, let path, let upload, let replaces):
      let content = ObjectContent(
        hash: Hexadecimal.text(SHA256.hash(upload.bytes)), size: upload.bytes.count, contentType: upload.contentType,
        cacheControl: upload.cacheControl, metadata: upload.metadata)
      cost = ask(
        .put(bucket: bucket, path: path, content, replaces: replaces), uploading: upload.bytes, sender, exchange
      ) {
        ObjectReplyWriter.stored($0, at: path)
      }
    case .download(let bucket, let path): cost = download(path, in: bucket, from: sender, exchange)
    case .publicDownload(let bucket, let path):
      cost = download(path, in: bucket, by: .everyone, from: sender, exchange)
    case .describe(let bucket, let path):
      cost = ask(.find(bucket: bucket, path: path), sender, exchange, ObjectReplyWriter.description)
    case .remove(let bucket, let paths): cost = ask(.remove(bucket: bucket, paths: paths), sender, exchange)
    case .list(let bucket, let listing): cost = ask(.list(bucket: bucket, listing), sender, exchange)
    case .link(let bucket, let path, let seconds):
      cost = ask(.find(bucket: bucket, path: path), sender, exchange) {
        ObjectReplyWriter.link(to: $0, token: token(for: $0, seconds))
      }
    case .links(let bucket, let paths, let seconds): cost = links(paths, in: bucket, seconds, from: sender, exchange)
    case .follow(let bucket, let path, let token): cost = follow(path, in: bucket, token, exchange)
    case .unserved:
      let problem = objects.problem(of: sender).map { ObjectReplyWriter.failure($0.objectError) }
      return exchange.reply(problem ?? SupabasePart.storage.notServed(exchange.request))
    }
    exchange.note(answerOf: cost.answerBytes, work: cost.work)
  }

  // MARK: Requests

  private func ask(
    _ request: ObjectRequest, uploading bytes: [UInt8] = [], _ sender: TableSender, _ exchange: HTTPExchange,
    _ write: @escaping (StoredObject) -> HTTPReply = ObjectReplyWriter.description
  ) -> TurnCost {
    objects.receive(request, uploading: bytes, from: sender, room: exchange.room) { response in
      exchange.answer(response.map { reply(to: $0, write) })
    }
  }

  private func download(
    _ path: String, in bucket: String, by access: ObjectRequest.Access = .caller, from sender: TableSender,
    _ exchange: HTTPExchange
  ) -> TurnCost {
    ask(.find(bucket: bucket, path: path, by: access), sender, exchange) { object in
      do throws(ObjectError) {
        return ObjectReplyWriter.bytes(try objects.bytes(of: object), of: object, to: exchange.request)
      } catch {
        return ObjectReplyWriter.failure(error)
      }
    }
  }

  private func links(
    _ paths: [String], in bucket: String, _ seconds: Int64, from sender: TableSender, _ exchange: HTTPExchange
  ) -> TurnCost {
    objects.receive(.sign(bucket: bucket, paths: paths), from: sender, room: exchange.room) { response in
      guard case .signable(let found)? = response else {
        return exchange.answer(response.map { reply(to: $0, ObjectReplyWriter.description) })
      }
      let links = zip(paths, found).map { (path: $0, object: $1) }
      exchange.reply(ObjectReplyWriter.links(links) { token(for: $0, seconds) })
    }
  }

  /// Answers with the object of a link, whose token says for which path it was made. The link stands for the account of the
  /// path.
  private func follow(_ path: String, in bucket: String, _ token: String, _ exchange: HTTPExchange) -> TurnCost {
    do throws(TokenProblem) {
      let linked = try access.keys.objectPath(of: token, at: now().wall)
      let place = ObjectPath(path)
      guard Name(linked) == Name("\(bucket)/\(objects.hasBuckets ? path : place?.text ?? path)") else {
        throw .claims("it is a link to another object")
      }
      let sender = place.map { TableSender(linkOf: $0.account) } ?? TableSender()
      return download(path, in: bucket, by: .link, from: objects.hasBuckets ? TableSender() : sender, exchange)
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
