import ZoneKitRecords
import ZoneKitTables

extension FaultSubject {
  /// The names of an account for the conditions of faults.
  package static func users(_ account: UUID?, email: String?) -> [Name] {
    [account.map { Name($0.text) }, email.map { Name($0) }].compactMap(\.self)
  }

  /// A request for rows. `users` are the names of the sender's account. The device is the one that the sender names, else
  /// the one that the rows name as their author.
  package init(_ request: RowRequest, users: [Name], deviceID: String?, schema: TableSchema) {
    let kind = request.kind
    let table = OwnTable(request.table)?.table ?? schema.table(request.table)
    let named = table.map { request.keys(in: $0) } ?? []
    let items = named.map { Item(kind, table: request.table, recordName: $0.recordName(in: request.table)) }
    self.init(
      kind, users: users, deviceID: deviceID ?? request.author,
      items: items.isEmpty ? [Item(kind, table: request.table)] : items)
  }

  /// A request to the accounts. `users` are the names of the account, as far as they are known.
  package init?(_ request: AccountRequest, users: [Name], deviceID: String?) {
    guard let kind = request.kind else { return nil }
    var users = users
    switch request {
    case .signIn(let email, _), .signUp(let email, _, _): users.append(Name(email.lowercased()))
    case .refresh, .read, .update, .signOut, .list, .create, .find, .change, .remove: break
    }
    self.init(kind, users: users, deviceID: deviceID)
  }

  /// A request for objects. `users` are the names of the sender's account.
  package init(_ request: ObjectRequest, users: [Name], deviceID: String?) {
    let kind = request.kind
    self.init(
      kind, users: users, deviceID: deviceID,
      items: request.paths.map { Item(kind, recordName: Name("\(request.bucket)/\($0)")) })
  }

  /// A change of a row that channels of an account report; on its way to one of them if the delivery is given.
  package init(_ change: ChannelChange, users: [Name], _ delivery: Delivery? = nil) {
    self.init(
      .changeEvent, users: users,
      items: [Item(.changeEvent, table: change.table, recordName: change.recordName)])
    self.delivery = delivery
  }

  /// A message on an open socket; nil if no fault is about such a message.
  package init?(_ request: ChannelRequest, users: [Name]) {
    switch request.wish {
    case .join(let join):
      self.init(.joinChannel, users: users, items: join.entries.map { Item(.joinChannel, table: $0.table) })
    case .heartbeat: self.init(.heartbeat, users: users)
    case .unreadableJoin, .renewToken, .leave, .broadcast, .track, .untrack, .unreadablePresence, .other: return nil
    }
  }
}

extension RowRequest {
  /// The kind of the request for faults.
  package var kind: TableRequestKind {
    switch self {
    case .read: .readRows
    case .write(_, let write): write.resolution == .refuse ? .insertRows : .upsertRows
    case .update: .updateRows
    case .delete: .deleteRows
    }
  }

  /// The keys that the request names.
  fileprivate func keys(in table: Table) -> [RowKey] {
    switch self {
    case .write(_, let write): return write.rows.compactMap { $0.key(of: table) }
    case .read(_, let query, isHead: _), .update(_, _, let query), .delete(_, let query):
      guard case .keys(let keys) = query.plan(for: table) else { return [] }
      return keys
    }
  }

  /// The device that wrote the rows of the request; nil if it names none.
  fileprivate var author: String? {
    switch self {
    case .write(_, let write): write.rows.lazy.compactMap(\.revision).first?.deviceID
    case .update(_, let content, _): content.revision?.deviceID
    case .read, .delete: nil
    }
  }
}

extension ObjectRequest {
  /// The kind of the request for faults.
  package var kind: TableRequestKind {
    switch self {
    case .put: .putObject
    case .remove: .removeObjects
    case .find, .list, .sign: .getObject
    }
  }
}

extension AccountRequest {
  /// The kind of the request for faults; nil for one of the server's owner.
  package var kind: TableRequestKind? {
    switch self {
    case .signIn: .signIn
    case .signUp: .signUp
    case .refresh: .refreshSession
    case .read, .update: .readUser
    case .signOut: .signOut
    case .list, .create, .find, .change, .remove: nil
    }
  }
}
