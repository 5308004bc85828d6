/// The kind of a request, a message or an event of a service of tables (Tables over the wire, 12).
package enum TableRequestKind: String, CaseIterable, Hashable, Sendable {
  case readRows, insertRows, upsertRows, updateRows, deleteRows
  case callFunction
  case putObject, getObject, removeObjects
  case signIn, signUp, refreshSession, readUser, signOut
  case openSocket, joinChannel, heartbeat, changeEvent

  /// The requests for rows.
  package static let ofRows: [TableRequestKind] = [.readRows, .insertRows, .upsertRows, .updateRows, .deleteRows]
  /// The requests for objects.
  package static let ofObjects: [TableRequestKind] = [.putObject, .getObject, .removeObjects]

  /// Whether it is a message or an event on an open socket, and no request with an answer.
  package var isOfSocket: Bool {
    switch self {
    case .joinChannel, .heartbeat, .changeEvent: true
    case .readRows, .insertRows, .upsertRows, .updateRows, .deleteRows, .callFunction, .putObject, .getObject,
      .removeObjects, .signIn, .signUp, .refreshSession, .readUser, .signOut, .openSocket:
      false
    }
  }
}
