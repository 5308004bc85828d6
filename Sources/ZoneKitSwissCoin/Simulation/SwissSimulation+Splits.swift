import ZoneKitDeviceHost
import ZoneKitRecords

/// Checks of how a new expense is divided.
extension SwissSimulation {
  /// The parts of a new expense add up to it, and nobody's part is a cent or more from what that person's number says. A
  /// sentence if that is broken; nil if it holds.
  static func unfairPart(in changes: [DeviceApp.Change]) -> String? {
    let new = changes.filter(\.isNew)
    guard let expense = rows("financial_transactions", in: new).first else { return nil }
    let total = expense.cents
    let parts = rows("transaction_splits", in: new)
    let sum = parts.reduce(0) { $0 + $1.cents }
    guard sum == total else { return "the parts of the expense add up to \(sum) cents, it has \(total)" }
    guard let numbers = numbers(of: parts, in: expense) else { return nil }
    let all = numbers.reduce(0, +)
    for (part, number) in zip(parts, numbers) {
      let (own, fair) = (Double(part.cents), Double(total) * number / all)
      // Cents beyond 2^53 are no longer exact.
      guard number == 0 ? own != 0 : (own - fair).magnitude >= 1 + fair * 1e-12 else { continue }
      return "a part of \(number) of \(all) is \(own) of \(total) cents"
    }
    return nil
  }

  /// What each part counts; nil if the amounts were stated.
  private static func numbers(of parts: [Fields], in expense: Fields) -> [Double]? {
    guard case .string(let method)? = expense["split_method"], method != "exact" else { return nil }
    if method == "equal" { return parts.map { _ in 1 } }
    return parts.map { if case .double(let number)? = $0["raw_amount"] { number } else { 0 } }
  }

  private static func rows(_ table: String, in changes: [DeviceApp.Change]) -> [Fields] {
    changes.filter { $0.id.recordName.text.hasPrefix("\(table)/") }.map(\.newFields)
  }
}

extension Fields {
  /// The amount of a row in cents; 0 without one.
  var cents: Int64 {
    guard case .double(let amount)? = self["amount"] else { return 0 }
    return Int64((amount * 100).rounded(.toNearestOrEven))
  }
}
