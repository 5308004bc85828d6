import ZoneKitRecords

/// What a device learns of its call of a function.
package enum FunctionOutcome: Equatable, Sendable {
  /// The function returned that document.
  case value(JSON)
  /// The service refused the call.
  case refused(ServiceRefusal)
  /// There is no answer, for that reason.
  case failed(String)
}
