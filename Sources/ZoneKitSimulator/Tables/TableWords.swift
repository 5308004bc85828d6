import ZoneKitDeviceProcess
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTableClient
import ZoneKitTables
import ZoneKitWire

/// Short descriptions for the trace, and what a device learns from an answer.
extension World.TableVisit.Ask {
  /// A description of the request.
  var words: String {
    switch self {
    case .rows(.read(let table, _, _), _): "read \(table)"
    case .rows(.write(let table, let write), _): "write \(table) \(write.rows.count)"
    case .rows(.update(let table, _, _), _): "update \(table)"
    case .rows(.delete(let table, _), _): "delete \(table)"
    case .relations(let request): request.words
    case .function(let name, _): "call \(name)"
    case .account(.signIn): "sign in"
    case .account(.signUp): "sign up"
    case .account(.refresh): "refresh session"
    case .account(.signOut): "sign out"
    case .account: "account"
    case .object(.upload(_, _, let path)): "upload \(path)"
    case .object(.download(_, let path)): "download \(path)"
    }
  }
}

extension World.TableAnswer {
  /// A description of the answer.
  var words: String {
    switch self {
    case .rows(.done(let result)):
      "\(result.rows.count) rows"
        + (result.verdicts.isEmpty ? "" : ": " + result.verdicts.map(\.rawValue).joined(separator: ", "))
    case .rows(.refused(let refusal)): "refused: \(refusal.code)"
    case .rows(.unanswered(let missing)): missing.reason
    case .relations(.done(let rows)): "\(rows.count) rows"
    case .relations(.refused(let refusal)): "refused: \(refusal.code)"
    case .relations(.unanswered(let missing)): missing.reason
    case .function(.value): "a document"
    case .function(.refused(let refusal)): "refused: \(refusal.code)"
    case .function(.failed(let reason)): reason
    case .account(.session): "a session"
    case .account(.failure(let error)): "refused: \(error.code.rawValue)"
    case .account: "done"
    case .object(.stored): "stored"
    case .object(.received): "a photo"
    case .object(.refused(let refusal)): "refused: \(refusal.status) \(refusal.code)"
    case .object(.failed(let reason)), .object(.unreadable(let reason)): reason
    case .failed(_, let missing): CloudError(missing).code.rawValue
    }
  }

  /// What a device learns from the answer to its request, of a cloud with those tables.
  func message(_ id: TableLink.AskID, in tables: SimulatedTables?) -> DeviceMessage {
    switch self {
    case .rows(let outcome): return .rows(id, outcome)
    case .relations(let outcome): return .relations(id, outcome)
    case .function(let outcome): return .function(id, outcome)
    case .account(.session(let grant)):
      guard let tables else { return .account(id, .done) }
      let tokens = SessionTokens(
        access: tables.accessToken(of: grant), refresh: grant.refreshToken, life: tables.tokenLife * 1_000)
      return .account(id, .session(AccountGrant(account: grant.account.id, email: grant.account.email, tokens: tokens)))
    case .account(.failure(let error)): return .account(id, .failed(SessionError(error.asRefusal)))
    case .account: return .account(id, .done)
    case .object(let outcome): return .object(id, outcome, bytes: [])
    case .failed(.function, let missing): return .function(id, .failed(missing.reason))
    case .failed(.object, let missing): return .object(id, .failed(missing.reason), bytes: [])
    case .failed(.rows, let missing): return .rows(id, .unanswered(missing))
    case .failed(.relations, let missing): return .relations(id, .unanswered(missing))
    case .failed(.account, let missing): return .account(id, .failed(SessionError(missing)))
    }
  }
}

extension RelationRequest {
  /// A description of the request.
  fileprivate var words: String {
    switch action {
    case .read: "read \(table)"
    case .insert(let rows, _): "insert \(table) \(rows.rows.count)"
    case .update: "update \(table)"
    case .delete: "delete \(table)"
    case .call: "call \(table)"
    }
  }
}

extension PhotoTransfer {
  /// The kind of the request for faults.
  var kind: TableRequestKind {
    switch self {
    case .upload: .putObject
    case .download: .getObject
    }
  }
}

extension DeviceCounters {
  /// Counts the verdicts of an answer.
  mutating func count(_ answered: [RowVerdict]) {
    for verdict in answered { verdicts[verdict, default: 0] += 1 }
  }
}
