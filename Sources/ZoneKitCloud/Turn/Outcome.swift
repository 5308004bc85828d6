import ZoneKitRecords

/// What a request comes to, worked out and not yet staged.
struct Outcome {
  /// What to answer once everything is durable.
  var response: CloudResponse
  /// What changes in zones, in order.
  var zoneChanges: [ZoneChange] = []
  /// What changes in a database's own state.
  var databaseChange: DatabaseChange?
  /// A registration that the push service has to know of once it is durable.
  var registration: PushRegistration?
  /// A push token that the push service has to forget once that is durable.
  var endedToken: String?

  /// A request's change of one zone, and whom to tell.
  struct ZoneChange {
    var key: ZoneKey
    var transition: ZoneTransition
    /// Nil for the default zone, whose changes nobody is told of.
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
