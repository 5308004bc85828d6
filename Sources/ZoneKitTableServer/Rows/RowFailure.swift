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

  /// The results of a read of each element. The needs of all of them are thrown together, so that they are read at once.
  static func gathering<Element, Result>(
    _ elements: some Sequence<Element>, _ read: (Element) throws(RowFailure) -> Result
  ) throws(RowFailure) -> [Result] {
    var results: [Result] = []
    var absent: [Need] = []
    for element in elements {
      do throws(RowFailure) {
        results.append(try read(element))
      } catch {
        guard case .evaluation(.absent(let needs)) = error else { throw error }
        absent += needs
      }
    }
    guard absent.isEmpty else { throw .evaluation(.absent(absent)) }
    return results
  }
}
