import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

extension TableLink {
  /// Identifies a request for rows or to the accounts, and its outcome.
  package struct AskID: Hashable, Sendable {
    /// The number of the request.
    package var number: UInt64

    /// The request of that number.
    package init(number: UInt64) { self.number = number }
  }

  /// Identifies a request of the coordinator: its number.
  package typealias Ticket = UInt64

  /// An instruction to the driver. Effects are carried out in the order returned.
  package enum Effect: Equatable, Sendable {
    /// Send that request for rows with that access token, and pass its outcome to `rowsAnswered`.
    case askRows(AskID, RowRequest, RowDemands, token: String)
    /// Send that request for rows of a user's own schema with that access token, and pass its outcome to
    /// `relationsAnswered`.
    case askRelations(AskID, RelationRequest, token: String)
    /// Send that request to the accounts, with that access token if there is one, and pass its outcome to
    /// `accountAnswered`.
    case askAccount(AskID, AccountRequest, token: String?)
    /// Carry that transfer of a photo out with that access token, and pass its outcome to `objectAnswered`.
    case askObject(AskID, PhotoTransfer, token: String)
    /// Carry out what the outcome of a transfer means.
    case photo(PhotoQueue.Effect)
    /// Open a socket, and report `socketOpened` or `socketClosed`.
    case openSocket
    /// Send that message on the socket.
    case send(ChannelFrame)
    /// Close the socket with that code. No event of it is passed on any more.
    case closeSocket(code: UInt16)
    /// The coordinator receives that answer to its request.
    case answer(Ticket, Result<CloudResponse, CloudError>)
    /// The coordinator receives that push.
    case news(PushNotification, PushHint)
    /// The channel was joined. The coordinator is connected and fetches what it missed.
    case joined
    /// An account signed in. The coordinator changes to the account and stores the session in one transaction. If that
    /// fails, the driver calls `signOut`.
    case signedIn(StoredSession)
    /// The sign-in or sign-up failed. Nothing has changed.
    case signInFailed(SessionError)
    /// Store the session, which has other tokens now.
    case store(StoredSession)
    /// The session is over for that reason, and it is to be stored so. Data and edits stay.
    case sessionLost(StoredSession, reason: String)
    /// Tell the app's screens about a change that the device has stored.
    case notice(ChangeNotice)
    /// Record a fact.
    case fact(ChannelFact)
  }
}
