/// A value that a keyword stands for. The raw value is how it is written.
package enum SQLKeyword: String, Equatable, Sendable, CaseIterable {
  case currentDate = "CURRENT_DATE"
  case currentTime = "CURRENT_TIME"
  case currentTimestamp = "CURRENT_TIMESTAMP"
  case localTime = "LOCALTIME"
  case localTimestamp = "LOCALTIMESTAMP"
  case currentRole = "CURRENT_ROLE"
  case currentUser = "CURRENT_USER"
  case user = "USER"
  case sessionUser = "SESSION_USER"
}
