/// The kinds of requests to the cloud that a scenario can name.
package enum CloudOperation: String, CaseIterable, Hashable, Sendable {
  /// Any request.
  case request
  /// A request that saves records.
  case save
  /// A request that deletes records.
  case delete
  /// A request that saves or deletes records.
  case write
  /// A request for the database feed or a zone feed.
  case fetch
  case databaseFetch = "database fetch"
  case zoneFetch = "zone fetch"
  /// A request for records by name.
  case lookup
  /// A request for URLs of uploads.
  case assetUpload = "asset upload"
  /// A request for receipts of assets that records have.
  case assetReuse = "asset reuse"
  case zoneSave = "zone save"
  /// A request for all subscriptions, or for some by name.
  case subscriptionLookup = "subscription lookup"
  /// A request for subscriptions by name.
  case namedSubscriptionLookup = "named subscription lookup"
  case subscriptionSave = "subscription save"
  /// A request that creates or registers a push token.
  case registration
  /// A request that creates a push token.
  case tokenCreation = "token creation"
  /// A request that registers a push token.
  case tokenRegistration = "token registration"

  /// The plural of the word.
  var plural: String { rawValue + (rawValue.hasSuffix("ch") ? "es" : "s") }
}
