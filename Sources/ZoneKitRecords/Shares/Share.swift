/// What a share record says: which records it shares, and with whom (CloudKit Web Services, b.10).
///
/// A share record is a record of the type `Share.recordType` in the zone of the records that it shares. Its content is the
/// text of the field `Share.field`, whose name no client can give to a field of its own.
public struct Share: Hashable, Sendable {
  /// The type of share records.
  public static let recordType: Name = "cloudkit.share"
  /// The name of the record that shares its zone as a whole.
  public static let zoneWideName: Name = "cloudkit.zoneshare"
  /// The field of a share record with its content.
  package static let field: Name = "$share"

  /// The text by which others find the share.
  public var shortGUID: String
  /// The record that is shared with all records below it; nil for all records of the zone.
  public var root: Name?
  /// What everybody may do who knows the short GUID.
  public var publicPermission: SharePermission
  /// The participants, the owner first.
  public var participants: [ShareParticipant]

  /// A share with those participants.
  public init(
    shortGUID: String, root: Name?, publicPermission: SharePermission, participants: [ShareParticipant]
  ) {
    self.shortGUID = shortGUID
    self.root = root
    self.publicPermission = publicPermission
    self.participants = participants
  }

  /// The participant with that user record name; nil if there is none.
  public func participant(_ user: Name) -> ShareParticipant? { participants.first { $0.user == user } }

  /// Whether a record type is that of share records. Clients write it in two ways (CloudKit Web Services, i.4).
  package static func isType(_ recordType: Name?) -> Bool {
    guard let text = recordType?.text, text.utf8.count == Self.recordType.text.utf8.count else { return false }
    return text.lowercased() == Self.recordType.text
  }
}

/// What a participant of a share may do with the shared records.
public enum SharePermission: String, CaseIterable, Hashable, Sendable {
  case none = "NONE"
  case readOnly = "READ_ONLY"
  case readWrite = "READ_WRITE"
  case unknown = "UNKNOWN"

  /// Whether the records may be read.
  package var allowsReading: Bool { self == .readOnly || self == .readWrite }
}

/// Somebody with whom records are shared.
public struct ShareParticipant: Hashable, Sendable {
  /// The kind of a participant.
  public enum Role: String, CaseIterable, Hashable, Sendable {
    case owner = "OWNER"
    case administrator = "ADMINISTRATOR"
    case user = "USER"
    /// Somebody who was not invited and joined because of the public permission.
    case publicUser = "PUBLIC_USER"
    case unknown = "UNKNOWN"
  }

  /// Whether a participant takes part.
  public enum Status: String, CaseIterable, Hashable, Sendable {
    case invited = "INVITED"
    case accepted = "ACCEPTED"
    case removed = "REMOVED"
    case unknown = "UNKNOWN"
  }

  /// The participant's ID, unique within the share.
  public var id: String
  /// The user record name; nil for an invitation to somebody whom the container does not know yet.
  public var user: Name?
  /// What the owner knew of an invited participant; nil if that was the user record name.
  public var contact: UserLookup?
  /// The kind of the participant.
  public var role: Role
  /// What the participant may do.
  public var permission: SharePermission
  /// Whether the participant takes part.
  public var status: Status
  /// The account of a participant who accepted. Only the cloud knows it.
  package var account: Name?
  /// The sequence of the zone from which on the participant's tokens are valid. Only the cloud knows it.
  package var since: Int64 = 0

  /// A participant.
  public init(
    id: String, user: Name?, contact: UserLookup? = nil, role: Role, permission: SharePermission, status: Status
  ) {
    self.id = id
    self.user = user
    self.contact = contact
    self.role = role
    self.permission = permission
    self.status = status
  }

  /// Whether the participant sees the shared records. The owner does without a share.
  package var takesPart: Bool { role != .owner && status == .accepted && permission.allowsReading }
}

/// The change of a share that an operation on its record asks for.
public struct ShareChange: Hashable, Sendable {
  /// A participant as a client names it.
  public struct Participant: Hashable, Sendable {
    /// The ID of a participant that the share has; nil for a new one.
    public var id: String?
    /// Who it is; nil if only the ID says that.
    public var lookup: UserLookup?
    /// The kind; nil for the present one, or an invited user.
    public var role: ShareParticipant.Role?
    /// What the participant may do; nil for the present permission, or reading.
    public var permission: SharePermission?

    /// A participant.
    public init(
      id: String? = nil, lookup: UserLookup?, role: ShareParticipant.Role? = nil, permission: SharePermission? = nil
    ) {
      self.id = id
      self.lookup = lookup
      self.role = role
      self.permission = permission
    }
  }

  /// The record that is shared with all below it; nil for the zone.
  public var root: Name?
  /// The change tag of that record as the client knows it.
  public var rootTag: ChangeTag?
  /// What everybody may do; nil for no change.
  public var publicPermission: SharePermission?
  /// All participants but the owner; nil for no change.
  public var participants: [Participant]?

  /// A change.
  public init(
    root: Name? = nil, rootTag: ChangeTag? = nil, publicPermission: SharePermission? = nil,
    participants: [Participant]? = nil
  ) {
    self.root = root
    self.rootTag = rootTag
    self.publicPermission = publicPermission
    self.participants = participants
  }
}
