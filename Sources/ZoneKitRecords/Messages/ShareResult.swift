/// A request for the share of a short GUID (CloudKit Web Services, b.10).
public struct ShareRequest: Hashable, Sendable {
  /// The short GUID.
  public var shortGUID: String
  /// Whether the shared record is returned with the share.
  public var fetchesRoot: Bool
  /// The fields of the shared record to return; nil for all.
  public var rootFields: [Name]?

  /// A request for the share of that short GUID.
  public init(_ shortGUID: String, fetchesRoot: Bool = false, rootFields: [Name]? = nil) {
    self.shortGUID = shortGUID
    self.fetchesRoot = fetchesRoot
    self.rootFields = rootFields
  }
}

/// What a short GUID leads to.
public enum ShareResult: Hashable, Sendable {
  /// A share.
  case share(ResolvedShare)
  /// There is none, or the caller does not get it.
  case failed(ShareRequest, CloudError)
}

/// A share as its short GUID shows it to a caller.
public struct ResolvedShare: Hashable, Sendable {
  /// The request.
  public var request: ShareRequest
  /// The database in which the caller finds the records.
  public var database: DatabaseID
  /// The zone. Its owner is a user record name unless the caller is the owner.
  public var zoneID: ZoneID
  /// The name of the shared record; nil for a zone.
  public var rootName: Name?
  /// The share record; nil for a caller who may turn out to be invited.
  public var record: Record?
  /// The shared record, if it was asked for and the caller may read it.
  public var root: Record?
  /// The owner's user record name.
  public var owner: Name
  /// The caller as a participant, as far as that is known.
  public var participant: ShareParticipant
  /// The invited participants of whom the caller may be one.
  public var candidates: [ShareParticipant]

  /// A share in that zone.
  public init(
    request: ShareRequest, database: DatabaseID, zoneID: ZoneID, rootName: Name?, record: Record?, root: Record?,
    owner: Name, participant: ShareParticipant, candidates: [ShareParticipant] = []
  ) {
    self.request = request
    self.database = database
    self.zoneID = zoneID
    self.rootName = rootName
    self.record = record
    self.root = root
    self.owner = owner
    self.participant = participant
    self.candidates = candidates
  }
}
