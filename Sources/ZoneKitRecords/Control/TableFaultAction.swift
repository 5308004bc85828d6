/// What a fault does to a request, a message or an event of a service of tables (Tables over the wire, 12).
package enum TableFaultAction: Hashable, Sendable {
  /// The request is answered like this and not carried out; for a socket before the upgrade.
  case reject(ServiceRefusal)
  /// A request that names rows or objects in scope is refused with that code.
  case rejectItems(code: String)
  /// Rows and the state of the feed are shown as they were that long ago. Rows that changed since are left out.
  case staleRows(milliseconds: Int64)
  /// The rows in scope are left out of the answer.
  case omitRows
  /// The rows in scope come twice in the answer.
  case doubleRows
  /// The socket ends with that code, or without a word.
  case cutSocket(code: Int?)
  /// A join gets no reply.
  case silentJoin
  /// A join is refused for that reason.
  case refuseJoin(reason: String)
  /// A join is answered as done, and the channel gets events only after that time.
  case deafJoin(milliseconds: Int64)
  /// A heartbeat gets no reply.
  case muteHeartbeat
  /// The access token counts as expired.
  case expireTokens
  /// A refresh token is refused, as if its session had ended.
  case endSession
  /// The access token is judged by a clock that is ahead by that time, or behind if it is negative.
  case skewTokens(milliseconds: Int64)
  /// Edit stamps may be ahead of the server's clock by that much less than usual.
  case restamp(milliseconds: Int64)

  /// The kinds of requests that the action can hit.
  package var kinds: [TableRequestKind] {
    switch self {
    case .reject: TableRequestKind.allCases.filter { !$0.isOfSocket }
    case .rejectItems: TableRequestKind.ofRows.filter { $0 != .readRows } + TableRequestKind.ofObjects
    case .staleRows: [.readRows]
    case .omitRows, .doubleRows: TableRequestKind.ofRows
    case .cutSocket: [.joinChannel, .heartbeat, .changeEvent]
    case .silentJoin, .refuseJoin, .deafJoin: [.joinChannel]
    case .muteHeartbeat: [.heartbeat]
    case .expireTokens, .skewTokens:
      TableRequestKind.ofRows + TableRequestKind.ofObjects + [.callFunction, .readUser, .signOut, .joinChannel]
    case .endSession: [.refreshSession]
    case .restamp: [.insertRows, .upsertRows, .updateRows]
    }
  }
}
