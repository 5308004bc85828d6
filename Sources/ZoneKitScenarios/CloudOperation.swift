/// Requests to the cloud, as a scenario names them.
package enum CloudOperation: String, CaseIterable, Hashable, Sendable {
  /// Any request.
  case request
  /// Records are saved.
  case save
  /// Records are deleted.
  case delete
  /// Records are saved or deleted.
  case write
  /// Either feed is read.
  case fetch
  case databaseFetch = "database fetch"
  case zoneFetch = "zone fetch"
  /// Records are looked up by name.
  case lookup
  case zoneSave = "zone save"
  /// Subscriptions are listed, or looked up by name.
  case subscriptionLookup = "subscription lookup"
  /// Subscriptions are looked up by name.
  case namedSubscriptionLookup = "named subscription lookup"
  case subscriptionSave = "subscription save"
  /// A push token is made or registered.
  case registration
  /// A push token is made.
  case tokenCreation = "token creation"
  /// A push token is registered.
  case tokenRegistration = "token registration"

  /// The word for several.
  var plural: String { rawValue + (rawValue.hasSuffix("ch") ? "es" : "s") }

  func text(_ count: FaultCount, of device: String?) -> String {
    count.text(rawValue, plural) + (device.map { " of \($0)" } ?? "")
  }
}
