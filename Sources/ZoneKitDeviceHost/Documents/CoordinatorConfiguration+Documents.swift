import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

extension CoordinatorConfiguration {
  /// The settings of devices with documents of that schema.
  package static func documents(of schema: DocumentSchema) -> CoordinatorConfiguration {
    var configuration = CoordinatorConfiguration(
      mergePolicy: DocumentMergePolicy(schema).policy, stampField: .documentStamp)
    configuration.merging.stampParts = ItemStamps(schema).stamped
    configuration.traits.derivedTypes = Set(schema.collections.filter(\.isDerived).map(\.recordType))
    configuration.merging.deleteRule = .policy
    configuration.limits.zones = 1
    configuration.pacing.localChangesFetch = true
    configuration.pacing.sendsInBackground = true
    // The first edit after 5 s without one goes at once, more wait for 5 s without another one, at most 30 s.
    configuration.pacing.paces = [
      .localChange: Pace(quiet: 5_000, limit: 30_000, firstAtOnce: true, countsRequests: true)
    ]
    configuration.pacing.backoffFirst = 1_000
    configuration.pacing.backoffLimit = 300_000
    return configuration
  }
}
