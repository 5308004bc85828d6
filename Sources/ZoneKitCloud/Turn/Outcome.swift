import ZoneKitRecords

/// The answer to a request and its changes, not yet staged.
struct Outcome {
  /// The response to send after the commit.
  var response: CloudResponse
  /// The changes of zones, in order.
  var zoneChanges: [ZoneChange] = []
  /// The change of a database's own state that the response confirms.
  var databaseChange: DatabaseChange?
  /// The removal of one-time subscriptions that fired. The response does not confirm it.
  var spentSubscriptions: DatabaseChange?
  /// A registration to pass to the push service after the commit.
  var registration: PushRegistration?
  /// A push token that the push service has to refuse after the commit.
  var endedToken: String?

  /// The change of one zone by a request, with its notice.
  struct ZoneChange {
    var key: ZoneKey
    var transition: ZoneTransition
    /// The notice; nil for the default zone, whose changes make no notices.
    var notice: Notice?
  }

  /// The change of a database's own state by a request.
  struct DatabaseChange {
    var database: DatabaseID
    var transition: DatabaseTransition
  }

  /// An outcome that changes nothing.
  init(_ response: CloudResponse) { self.response = response }
}
