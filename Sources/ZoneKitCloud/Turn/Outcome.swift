import ZoneKitRecords

/// The answer to a request and its changes, not yet staged.
struct Outcome {
  /// What to answer once everything is durable.
  var response: CloudResponse
  /// What changes in zones, in order.
  var zoneChanges: [ZoneChange] = []
  /// What changes in a database's own state, as the answer confirms it.
  var databaseChange: DatabaseChange?
  /// Subscriptions that fire once and fired. The answer does not confirm that they are gone.
  var spentSubscriptions: DatabaseChange?
  /// A registration that the push service gets once it is durable.
  var registration: PushRegistration?
  /// A push token that the push service refuses once its end is durable.
  var endedToken: String?

  /// A request's change of one zone, and the notice of it.
  struct ZoneChange {
    var key: ZoneKey
    var transition: ZoneTransition
    /// Nil for the default zone, whose changes make no notices.
    var notice: Notice?
  }

  /// A request's change of a database's own state.
  struct DatabaseChange {
    var database: DatabaseID
    var transition: DatabaseTransition
  }

  /// An outcome that changes nothing.
  init(_ response: CloudResponse) { self.response = response }
}
