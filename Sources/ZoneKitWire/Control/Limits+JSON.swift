import ZoneKitRecords

extension Limits {
  private static let keys = [
    "dependents", "pageBytes", "visibleDelay", "firstFetchTombstones", "subscriptionIndexDelay",
    "duplicateSubscriptionError", "assetBytes", "uploadTime", "unusedAssetTime",
  ]

  /// The limits as JSON. Those without a value are null.
  package var json: JSON {
    .object([
      JSON.Member("dependents", dependents.map { .integer(Int64($0)) } ?? .null),
      JSON.Member("pageBytes", .integer(Int64(pageBytes))),
      JSON.Member("visibleDelay", .integer(visibleDelay)),
      JSON.Member("firstFetchTombstones", .string(firstFetchTombstones.rawValue)),
      JSON.Member("subscriptionIndexDelay", .integer(subscriptionIndexDelay)),
      JSON.Member("duplicateSubscriptionError", duplicateSubscriptionError.map { .string($0.rawValue) } ?? .null),
      JSON.Member("assetBytes", .integer(Int64(assetBytes))), JSON.Member("uploadTime", .integer(uploadTime)),
      JSON.Member("unusedAssetTime", .integer(unusedAssetTime)),
    ])
  }

  /// These limits with the changes in an object of the form that `json` has. Limits that it does not name are
  /// unchanged.
  func changed(by object: JSON) throws(MemberError) -> Limits {
    let members = try JSONMembers(object, at: "limits", known: Self.keys)
    var limits = self
    if object["dependents"] != nil {
      limits.dependents = try members.integer("dependents", in: 1...Int64(Int32.max)).map { Int($0) }
    }
    limits.pageBytes = try members.integer("pageBytes", in: 1...Int64(Int32.max)).map { Int($0) } ?? pageBytes
    let times = 0...JSONMembers.longest
    limits.visibleDelay = try members.integer("visibleDelay", in: times) ?? visibleDelay
    limits.assetBytes = try members.integer("assetBytes", in: 0...Int64(Int32.max)).map { Int($0) } ?? assetBytes
    limits.uploadTime = try members.integer("uploadTime", in: times) ?? uploadTime
    limits.unusedAssetTime = try members.integer("unusedAssetTime", in: times) ?? unusedAssetTime
    limits.subscriptionIndexDelay = try members.integer("subscriptionIndexDelay", in: times) ?? subscriptionIndexDelay
    limits.firstFetchTombstones =
      try members.word("firstFetchTombstones", "must be none, ownCreated or all") ?? firstFetchTombstones
    if object["duplicateSubscriptionError"] != nil {
      limits.duplicateSubscriptionError = try members.word(
        "duplicateSubscriptionError", "must be an error such as serverRejectedRequest, or null")
    }
    return limits
  }
}
