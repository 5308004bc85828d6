/// A function of values. The raw value is PostgreSQL's name of it.
package enum TypedFunction: String, Hashable, Sendable, CaseIterable {
  /// The time of the statement.
  case now
  /// The time when it is computed.
  case clockTime = "clock_timestamp"
  /// A new random identifier.
  case randomUUID = "gen_random_uuid"
  /// The role that runs the statement.
  case currentRole = "current_user"
  /// The user who signed in.
  case userID = "auth.uid"
  /// The role that a token claims.
  case claimedRole = "auth.role"
  /// The address that a token claims.
  case claimedAddress = "auth.email"
  /// All that a token claims.
  case claims = "auth.jwt"
  /// A setting of the session; whether it may be missing is the second value.
  case setting = "current_setting"
  /// A new random number from 0 to 1.
  case random
  case lower, upper
  case length = "char_length"
  case byteLength = "octet_length"
  case trimmed = "btrim"
  case leftTrimmed = "ltrim"
  case rightTrimmed = "rtrim"
  case substring
  case left, right
  case position = "strpos"
  case replace
  case concatenated = "concat"
  case concatenatedWith = "concat_ws"
  case splitPart = "split_part"
  case leftPadded = "lpad"
  case rightPadded = "rpad"
  case repeated = "repeat"
  case reversed = "reverse"
  case hash = "md5"
  case abs, round
  case ceiling = "ceil"
  case floor, mod, sign
  case truncated = "trunc"
  case coalesce, greatest, least
  /// The first value, or null if the second one, a condition, is true.
  case nullIf = "nullif"
  case arrayLength = "array_length"
  case cardinality
  case arrayPosition = "array_position"
  case jsonType = "jsonb_typeof"
  case jsonArrayLength = "jsonb_array_length"
  case jsonSet = "jsonb_set"
  case jsonObject = "jsonb_build_object"
  case jsonArray = "jsonb_build_array"
  case plainJSONObject = "json_build_object"
  case plainJSONArray = "json_build_array"
  case toJSON = "to_jsonb"
  case toPlainJSON = "to_json"
  /// An object of keys and values without blanks, as a whole row is written.
  case rowJSON = "row_to_json"
  case folderNames = "storage.foldername"
  case fileName = "storage.filename"
  case fileExtension = "storage.extension"
  case truncatedTime = "date_trunc"
  case timePart = "extract"
  /// A moment as the clock of a zone shows it, or the moment at which it shows a time.
  case timeInZone = "timezone"

  /// Whether it has a value of its own each time, or depends on who asks and when.
  var dependsOnContext: Bool {
    switch self {
    case .now, .clockTime, .randomUUID, .random, .currentRole, .userID, .claimedRole, .claimedAddress, .claims,
      .setting:
      true
    default: false
    }
  }
}
