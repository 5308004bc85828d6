import ZoneKitService

extension ExitFailure {
  /// The exit code and sentence for a store's error.
  init(_ error: StoresError) {
    self =
      switch error.kind {
      case .input: .usage(error.description)
      case .unavailable: .unavailable(error.description)
      }
  }

  /// The result of `work`; its errors are converted into this type.
  static func from<Result>(_ work: () throws(StoresError) -> Result) throws(ExitFailure) -> Result {
    do {
      return try work()
    } catch {
      throw ExitFailure(error)
    }
  }
}
