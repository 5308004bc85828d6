import ZoneKitProcesses

extension ExitFailure {
  /// The exit code and message for a failure of processes.
  init(_ failure: ProcessFailure) {
    self =
      switch failure.kind {
      case .broken: .checkFailed(failure.description)
      case .refused, .virtualOnly: .input(failure.description)
      case .unavailable: .unavailable(failure.description)
      case .interrupted(let signal): .interrupted(by: signal, failure.description)
      }
  }
}
