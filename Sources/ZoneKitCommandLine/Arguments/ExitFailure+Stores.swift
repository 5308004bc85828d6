import ZoneKitService

extension ExitFailure {
  /// The exit code and message for an error of stores.
  init(_ error: StoresError) {
    self =
      switch error.kind {
      case .input: .input(error.description)
      case .unavailable: .unavailable(error.description)
      }
  }

  /// Runs `work` and converts its errors to this type.
  static func from<Result>(_ work: () throws(StoresError) -> Result) throws(ExitFailure) -> Result {
    do {
      return try work()
    } catch {
      throw ExitFailure(error)
    }
  }
}
