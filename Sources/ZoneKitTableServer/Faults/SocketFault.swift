import ZoneKitCloud
import ZoneKitRecords

/// What faults do to a message on an open socket.
package enum SocketFault: Hashable, Sendable {
  /// The socket ends with that code, or without a word.
  case cut(code: Int?)
  /// The message is taken in and gets no reply.
  case silent
  /// A join is refused for that reason.
  case refuse(reason: String)
  /// A join is answered, and the channel gets events only after that time.
  case deaf(milliseconds: Int64)
}

extension RequestFaults {
  /// What the faults do to a message on an open socket: the first action that is about one. Nil for nothing.
  package var socketFault: SocketFault? {
    for part in parts {
      switch part.action {
      case .cutSocket(let code): return .cut(code: code)
      case .silentJoin, .muteHeartbeat: return .silent
      case .refuseJoin(let reason): return .refuse(reason: reason)
      case .deafJoin(let milliseconds): return .deaf(milliseconds: milliseconds)
      case .reject, .rejectItems, .staleRows, .omitRows, .doubleRows, .expireTokens, .endSession, .skewTokens, .restamp:
        continue
      }
    }
    return nil
  }
}
