import ZoneKitCloud
import ZoneKitTables

/// Why a transaction of rows changes nothing.
enum RowFailure: Error {
  /// The request is refused.
  case refused(RowError)
  /// Something cannot be read, or was not read yet.
  case evaluation(EvaluationFailure)

  /// The result of a read.
  static func catching<Result>(_ read: () throws(EvaluationFailure) -> Result) throws(RowFailure) -> Result {
    do {
      return try read()
    } catch {
      throw .evaluation(error)
    }
  }
}
