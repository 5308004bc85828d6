import ZoneKitRecords

/// A request's answer, and what else it brings about, held back until the commit.
struct PendingAnswer {
  var ticket: Ticket
  var outcome: Outcome
  var dependencies: [Dependency]

  /// What to answer after a commit with those failures.
  func response(after failures: [CommitFailure]) -> CloudResponse {
    let failure = failures.first { failure in dependencies.contains { $0.includes(failure.place) } }
    return failure.map { .failure(CloudError($0.error)) } ?? outcome.response
  }

  /// The notices of those changes that did become durable. A notice promises nothing about the answer: where one of
  /// several zones failed, the devices have to hear of the others.
  func notices(after failures: [CommitFailure]) -> [Notice] {
    outcome.zoneChanges.compactMap { change in
      failures.contains { $0.place == .zone(change.key) } ? nil : change.notice
    }
  }

  /// The registration, if it did become durable, and the database it is kept in.
  func registration(after failures: [CommitFailure]) -> (PushRegistration, DatabaseID)? {
    guard let registration = outcome.registration, let database = outcome.databaseChange?.database,
      !failures.contains(where: { $0.place == .database(database) })
    else { return nil }
    return (registration, database)
  }

  /// The push token that has come to its end, if that did become durable.
  func endedToken(after failures: [CommitFailure]) -> String? {
    guard let database = outcome.databaseChange?.database,
      !failures.contains(where: { $0.place == .database(database) })
    else { return nil }
    return outcome.endedToken
  }

  /// What the request changed in zones, as facts.
  func commits(after failures: [CommitFailure]) -> [ZoneCommit] {
    outcome.zoneChanges.compactMap { change in
      failures.contains { $0.place == .zone(change.key) }
        ? nil : ZoneCommit(zone: change.key, transition: change.transition)
    }
  }
}
