/// The operations of CloudKit Web Services that the server implements (CloudKit Web Services, a.1), by their path below
/// the database.
package enum Endpoint: String, CaseIterable, Sendable {
  case zonesList = "zones/list"
  case zonesLookup = "zones/lookup"
  case zonesModify = "zones/modify"
  case recordsModify = "records/modify"
  case recordsLookup = "records/lookup"
  case recordsQuery = "records/query"
  case recordsQueryBatch = "internal/records/query/batch"
  case recordsChanges = "records/changes"
  case zonesChanges = "zones/changes"
  case recordsResolve = "records/resolve"
  case recordsAccept = "records/accept"
  case assetsUpload = "assets/upload"
  case assetsRereference = "assets/rereference"
  case changesDatabase = "changes/database"
  case changesZone = "changes/zone"
  case subscriptionsList = "subscriptions/list"
  case subscriptionsLookup = "subscriptions/lookup"
  case subscriptionsModify = "subscriptions/modify"
  case usersCaller = "users/caller"
  case usersCurrent = "users/current"
  case usersDiscover = "users/discover"
  case usersLookupEmail = "users/lookup/email"
  case usersLookupID = "users/lookup/id"
  case usersLookupContacts = "users/lookup/contacts"
  case tokensCreate = "tokens/create"
  case tokensRegister = "tokens/register"

  /// The allowed methods. Lists are documented as GET, and clients send POST too (CloudKit Web Services, a.1).
  package var methods: [String] {
    switch self {
    case .zonesList, .subscriptionsList, .usersCaller, .usersCurrent, .usersDiscover: ["GET", "POST"]
    case .zonesLookup, .zonesModify, .zonesChanges, .recordsModify, .recordsLookup, .recordsQuery, .recordsQueryBatch,
      .recordsChanges, .assetsUpload, .assetsRereference, .changesDatabase, .changesZone, .subscriptionsLookup,
      .subscriptionsModify, .tokensCreate, .usersLookupEmail, .usersLookupID, .usersLookupContacts,
      .tokensRegister, .recordsResolve, .recordsAccept:
      ["POST"]
    }
  }

  /// Whether it is an operation on push tokens, which belong to no database (CloudKit Web Services, a.0).
  var isAboutTokens: Bool { self == .tokensCreate || self == .tokensRegister }
}
