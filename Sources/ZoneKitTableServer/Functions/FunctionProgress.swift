import ZoneKitTables

/// What came of a part of a call of a function.
package enum FunctionProgress {
  /// The text of the JSON document that answers the call, or why there is none.
  case answered(Result<[UInt8], FunctionError>)
  /// The rows are not all read yet. The call is to be repeated in a later turn.
  case unfinished
}
