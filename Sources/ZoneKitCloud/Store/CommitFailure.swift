import ZoneKitRecords

/// A place whose staged changes were not committed, with the cause.
package struct CommitFailure: Hashable, Sendable {
  /// A zone, or a database's own state.
  package enum Place: Hashable, Sendable {
    case zone(ZoneKey)
    case database(DatabaseID)
  }

  /// The reason why changes were not committed.
  package enum Cause: Hashable, Sendable {
    /// The store failed.
    case store(StoreError)
    /// The place was changed by someone else after it was read.
    case stale
  }

  /// The place.
  package var place: Place
  /// The cause.
  package var cause: Cause

  /// A failure at that place.
  package init(place: Place, cause: Cause) {
    self.place = place
    self.cause = cause
  }

  /// A failure of the store at that place.
  package init(place: Place, error: StoreError) { self.init(place: place, cause: .store(error)) }
}

extension CommitFailure: CustomStringConvertible {
  /// The cause, and the place if the cause does not name it.
  package var description: String {
    switch (cause, place) {
    case (.store(let error), _): "\(error)"
    case (.stale, .zone(let key)): "zone \(key.zoneName) of \(key.database.user) was changed by another server"
    case (.stale, .database(let id)): "the \(id.scope) database of \(id.user) was changed by another server"
    }
  }
}

extension CloudError {
  /// The error for a client whose request depends on a place where the commit failed. The client may try again later.
  init(_ failure: CommitFailure) {
    switch (failure.cause, failure.place) {
    case (.store(let error), _): self.init(error)
    case (.stale, .zone): self.init(.zoneBusy, "\(failure) at the same time, again and again")
    case (.stale, .database): self.init(.serviceUnavailable, "\(failure) at the same time, again and again")
    }
  }
}
