import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// The objects of an app's accounts: which of them an account may see and write (Tables over the wire, 7). It turns
/// requests into transactions, which the service submits to the `ZoneServer` of the turn, and their results into answers.
///
/// An object is a record of the zone `Objects` in its account's database. Its bytes are in a file that their hash names.
/// A driver writes the file before it hands in a request, and removes those of `Answer.unused` after the commit.
package struct ObjectServer {
  /// The app whose objects these are.
  package let app: TableApp

  /// A server of that app's objects.
  package init(app: TableApp) { self.app = app }

  /// The answer to a request whose transaction is done.
  package struct Answer: Hashable, Sendable {
    /// The answer to the client.
    package var response: ObjectResponse
    /// The hashes of bytes that belong to no object of the account any more.
    package var unused: [String]

    /// An answer.
    package init(response: ObjectResponse, unused: [String] = []) {
      self.response = response
      self.unused = unused
    }
  }

  // MARK: Before an upload is stored

  /// Why an upload is refused before its bytes are stored; nil if it may be tried.
  package func refusal(
    ofUploadTo path: String, in bucket: String, size: Int, contentType: String, from caller: RowCaller
  ) -> ObjectError? {
    guard let known = app.bucket, known.name == bucket else { return .noBucket }
    guard ObjectPath.isUploadable(path) else { return .path(path) }
    guard let place = ObjectPath(path), caller.mayUse(place) else { return .notAllowed }
    guard size <= known.sizeLimit else {
      return ObjectError(.tooLarge, "The object exceeded the maximum allowed size")
    }
    return known.mediaTypes.contains(contentType) ? nil : .mediaType(contentType)
  }

  // MARK: Requests

  /// A request arrived.
  package func receive(_ request: ObjectRequest, from caller: RowCaller, at now: WallTime) -> TransactionReception<
    ObjectResponse
  > {
    guard app.bucket?.name == request.bucket else { return .answer(.refused(.noBucket)) }
    guard request.paths.count <= ObjectRequest.objectLimit else {
      return .answer(
        .refused(ObjectError(.request, "at most \(ObjectRequest.objectLimit) objects of one request are allowed")))
    }
    switch request {
    case .put(_, let path, let content, _):
      if let error = refusal(
        ofUploadTo: path, in: request.bucket, size: content.size, contentType: content.contentType, from: caller)
      {
        return .answer(.refused(error))
      }
    case .find(_, let path, let access):
      // The app's own bucket is not public.
      guard access != .everyone else { return .answer(.refused(.noBucket)) }
      guard ObjectPath.isPossible(path) else { return .answer(.refused(.path(path))) }
      guard let place = ObjectPath(path), caller.mayUse(place) else { return .answer(.refused(.notFound)) }
    case .remove, .list, .sign: break
    }
    guard let account = account(of: request, from: caller) else { return .answer(request.emptyAnswer) }
    let transaction = ObjectTransaction(app: app, request: request, account: account, now: now)
    let database = app.database(of: account)
    return .submit(transaction, in: database, from: Caller(user: database.user, deviceID: caller.deviceID))
  }

  /// The account whose objects a request is about; nil if the caller sees none of them.
  private func account(of request: ObjectRequest, from caller: RowCaller) -> UUID? {
    switch caller.role {
    case .anonymous: nil
    case .account(let account): account
    // One request is about one account, the one that its first path names.
    case .service: request.paths.first.flatMap { ObjectPath.segments(of: $0).first }.flatMap { UUID($0) }
    }
  }

  /// The answer to a request whose transaction has that result.
  package func answer(to result: TransactionResult) -> Answer {
    switch result {
    case .done(let answer):
      answer.value(as: Answer.self)
        ?? Answer(
          response: .refused(.unavailable("the answer of the transaction is of another kind; this is a defect")))
    case .failed(let error): Answer(response: .refused(.unavailable(error.reason)))
    }
  }
}

extension RowCaller {
  /// Whether the caller may see and write the object at a path.
  package func mayUse(_ path: ObjectPath) -> Bool {
    switch role {
    case .anonymous: false
    case .account(let account): path.account == account
    case .service: true
    }
  }
}

extension ObjectRequest {
  /// The answer if the caller sees no object.
  fileprivate var emptyAnswer: ObjectResponse {
    switch self {
    case .put, .find: .refused(.notFound)
    case .remove: .removed([])
    case .list: .listed([])
    case .sign(_, let paths): .signable(paths.map { _ in nil })
    }
  }
}
