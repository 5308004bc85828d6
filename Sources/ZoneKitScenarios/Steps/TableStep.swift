import ZoneKitRecords

/// A step that acts on the tables of a Supabase-style service.
package enum TableStep: Hashable, Sendable {
  /// `a foreign client sets "name" of A's last person to "Ben"`: a client that knows nothing of ZoneKit's stamps changes
  /// one column.
  case set(column: String, of: RecordReference, ScenarioValue)
  /// `a foreign client removes A's last person`: the row goes for good.
  case remove(RecordReference)
  /// `the cloud purges deletions older than 30d`: rows that were deleted before that go for good, in all accounts.
  case purge(olderThan: TimeSpan)
  /// `the cloud leaves the next 2 joins of B unanswered`: what the service does wrong with the next messages of those kinds
  /// of a device; of all devices if none is named.
  case trouble(TableTrouble, FaultCount, of: String?)
  /// `the session of A ends`: the service does not continue it any more.
  case endSession(of: String)
  /// `the account of A is removed`: an administrator removes the account that is signed in there, with all that it has.
  case removeAccount(of: String)

  /// `A gives A's last person photo 3`: a user gives a record the photo with that number.
  case givePhoto(Int, to: RecordReference, on: String)
  /// `A takes the photo of A's last person away`.
  case removePhoto(of: RecordReference, on: String)

  /// The values of its sentence by the labels of the slots.
  var values: SlotValues {
    switch self {
    case .set(let column, let record, let value):
      ["name": .name(column), "record": .record(record), "value": .value(value)]
    case .remove(let record): ["record": .record(record)]
    case .purge(let span): ["span": .span(span)]
    case .trouble(let trouble, let count, let device): SlotValues(count, of: device) + trouble.values
    case .endSession(let device), .removeAccount(let device): ["device": .name(device)]
    case .givePhoto(let number, let record, let device):
      ["device": .name(device), "record": .record(record), "number": .number(number)]
    case .removePhoto(let record, let device): ["device": .name(device), "record": .record(record)]
    }
  }
}
