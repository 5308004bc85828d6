/// A setting of the session, as pg_dump writes it. It has no effect here.
package struct SettingStatement: Equatable, Sendable {
  /// The setting.
  package var name: String
  /// Its values; none stands for the default.
  package var values: [String]
  /// Whether it is written as a call of `set_config`.
  package var isCall: Bool

  /// A setting with those values.
  package init(_ name: String, _ values: [String], isCall: Bool = false) {
    self.name = name
    self.values = values
    self.isCall = isCall
  }

  /// The settings that may be made, none of which changes what the statements behind it mean.
  static let known = [
    "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "transaction_timeout",
    "client_encoding", "standard_conforming_strings", "search_path", "check_function_bodies", "xmloption",
    "client_min_messages", "row_security", "default_tablespace", "default_table_access_method", "timezone",
  ]
}
