import ZoneKitRecords

/// Something that happened in the cloud.
package enum CloudFact: Hashable, Sendable {
  /// A zone's changes are durable.
  case committed(ZoneCommit)
  /// A place could not store its changes. It has its previous state.
  case commitFailed(CommitFailure)
}

extension Fact {
  /// The fact in the common form of all machines.
  package init(_ fact: CloudFact) {
    switch fact {
    case .committed(let commit):
      self.init(
        .committed,
        commit.zone.members + [
          JSON.Member("requests", .integer(Int64(commit.requests))),
          JSON.Member("records", .integer(Int64(commit.records))), JSON.Member("sequence", .integer(commit.sequence)),
          JSON.Member("deleted", .bool(commit.isDeleted)),
        ],
        "zone \(commit.zone.zoneName) of \(commit.zone.database.user): \(commit.records.counted("record")) committed, "
          + "sequence \(commit.sequence)" + (commit.isDeleted ? ", zone deleted" : ""))
    case .commitFailed(let failure):
      let members =
        switch failure.place {
        case .zone(let zone): zone.members
        case .database(let database): database.members
        }
      self.init(
        .commitFailed, members + [JSON.Member("error", .string("\(failure)"))],
        "commit failed: \(failure)")
    }
  }
}

extension ZoneKey {
  /// The database and the zone's name, for scripts.
  fileprivate var members: [JSON.Member] { database.members + [JSON.Member("zone", .string(zoneName.text))] }
}
