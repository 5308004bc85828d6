import ZoneKitRecords
import ZoneKitTables

/// Transfers of photos beside the exchange of rows.
extension TableLink {
  /// A transfer whose outcome is not known.
  struct PhotoAsk: Sendable {
    /// The transfer.
    var transfer: PhotoTransfer
    /// The access token with which it was sent.
    var token: String
    /// Whether the same request was refused once because of its access token.
    var wasRefused: Bool
  }

  /// The time limit of a request for an object, in milliseconds.
  package static let objectPatience: Int64 = 120_000

  /// The device's store was read: that is what it says about photos.
  package mutating func photosSeen(_ sight: PhotoQueue.Sight, at now: MonotonicTime) -> [Effect] {
    guard let rule = app.photos else { return [] }
    photos.seen(sight, account: owner?.account, photos: rule)
    return transferPhotos(at: now)
  }

  /// Photos wait for something else, such as the upload of the rows that have them, or wait no more.
  package mutating func photosHeld(_ isHeld: Bool, at now: MonotonicTime) -> [Effect] {
    photos.isHeld = isHeld
    return transferPhotos(at: now)
  }

  /// The user asks again for the photos at those paths; for all if nil.
  package mutating func photosRetried(_ paths: [String]?, at now: MonotonicTime) -> [Effect] {
    photos.retried(paths)
    return transferPhotos(at: now)
  }

  /// The outcome of a request for an object arrived. One that was refused because of its access token is sent again
  /// once, with a new one.
  package mutating func objectAnswered(
    _ id: AskID, _ outcome: ObjectOutcome, at now: MonotonicTime, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    guard let ask = photoAsks.removeValue(forKey: id) else { return [] }
    if case .refused(let refusal) = outcome, refusal.isOfToken, !ask.wasRefused {
      refusedPhotos.insert(ask.transfer.path)
      photos.abandoned(ask.transfer)
      return carryOut(session.refused(ask.token, at: now), at: now) + transferPhotos(at: now)
    }
    let effects = photos.answered(ask.transfer, outcome, at: now, using: &generator)
    return effects.map { .photo($0) } + transferPhotos(at: now)
  }

  /// Starts the transfers that may start, if the session allows it.
  mutating func transferPhotos(at now: MonotonicTime) -> [Effect] {
    guard isOnline, owner != nil, case .use(let token) = session.permission(at: now) else { return [] }
    var effects: [Effect] = []
    while let transfer = photos.next(at: now) {
      let id = nextAsk()
      photos.began(transfer)
      let wasRefused = refusedPhotos.remove(transfer.path) != nil
      photoAsks[id] = PhotoAsk(transfer: transfer, token: token, wasRefused: wasRefused)
      effects.append(.askObject(id, transfer, token: token))
    }
    return effects
  }

  /// Gives the transfers under way up. They start again when they may.
  mutating func givePhotosUp() {
    photoAsks = [:]
    refusedPhotos = []
    photos.abandonedAll()
  }
}
