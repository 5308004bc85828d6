import ZoneKitService

extension ExitFailure {
  /// What a store's error means to whoever started the program.
  init(_ error: StoresError) {
    self =
      switch error.kind {
      case .input: .usage(error.description)
      case .unavailable: .unavailable(error.description)
      }
  }

  /// What `work` gives; its errors in this type.
  static func from<Result>(_ work: () throws(StoresError) -> Result) throws(ExitFailure) -> Result {
    do {
      return try work()
    } catch {
      throw ExitFailure(error)
    }
  }
}
