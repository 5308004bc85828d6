/// The errors that PL/pgSQL knows by name (PostgreSQL 15, appendix A).
package enum RoutineCondition {
  /// The name that stands for all errors.
  package static let others = "others"

  /// The code of an error; nil if no error has that name. The code of a class ends in three zeros.
  package static func code(of name: String) -> String? { codes[name] }

  /// Whether an error of that code has the name, or is that code.
  package static func isNamed(_ name: String, _ code: String) -> Bool {
    guard name != others else { return code != "57014" && code != "P0004" }
    let own = codes[name] ?? name
    return own == code || (own.hasSuffix("000") && own.prefix(2) == code.prefix(2))
  }

  static func isKnown(_ name: String) -> Bool { name == others || codes[name] != nil }

  private static let codes: [String: String] = [
    "case_not_found": "20000", "cardinality_violation": "21000", "data_exception": "22000",
    "string_data_right_truncation": "22001", "numeric_value_out_of_range": "22003",
    "null_value_not_allowed": "22004", "invalid_datetime_format": "22007", "datetime_field_overflow": "22008",
    "division_by_zero": "22012", "invalid_parameter_value": "22023", "invalid_text_representation": "22P02",
    "array_subscript_error": "2202E", "integrity_constraint_violation": "23000", "restrict_violation": "23001",
    "not_null_violation": "23502", "foreign_key_violation": "23503", "unique_violation": "23505",
    "check_violation": "23514", "exclusion_violation": "23P01", "read_only_sql_transaction": "25006",
    "insufficient_privilege": "42501", "syntax_error": "42601", "undefined_column": "42703",
    "undefined_object": "42704", "ambiguous_column": "42702", "duplicate_object": "42710", "datatype_mismatch": "42804",
    "undefined_function": "42883", "undefined_table": "42P01", "duplicate_table": "42P07",
    "program_limit_exceeded": "54000", "object_not_in_prerequisite_state": "55000", "query_canceled": "57014",
    "raise_exception": "P0001", "no_data_found": "P0002", "too_many_rows": "P0003", "assert_failure": "P0004",
    "feature_not_supported": "0A000",
  ]
}
