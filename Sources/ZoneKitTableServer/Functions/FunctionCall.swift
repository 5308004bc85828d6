import ZoneKitRecords
import ZoneKitTables

/// A call of a function.
struct FunctionCall: Hashable, Sendable {
  let function: TableFunction
  let account: UUID
  /// The request's JSON document as text: a request is compared with others, and JSON has no order.
  let argument: [UInt8]
}
