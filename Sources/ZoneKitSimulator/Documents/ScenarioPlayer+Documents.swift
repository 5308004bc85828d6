import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitScenarios

/// Performs the steps of a plain client.
extension ScenarioPlayer {
  mutating func perform(_ step: DocumentStep) throws(StepRefusal) {
    guard let app = app.documents else { throw StepRefusal("the app has no documents") }
    guard world.cloud.isRunning else { throw StepRefusal("the cloud does not run") }
    let id = try observer.record(step.record)
    guard let name = DocumentName(recordName: id.recordName, in: .documents) else {
      throw StepRefusal("\(id.recordName) is no document")
    }
    let accounts = world.devices.compactMap(\.account)
    guard let account = accounts.first(where: { world.cloudRecord(id, of: $0) != nil }) else {
      throw StepRefusal("the cloud does not have it")
    }
    let key = RecordKey(account: account, id: id)
    let now = world.wall
    var isToRead = !world.plainClient.has(key)
    if case .read = step { isToRead = true }
    if isToRead {
      let answer = world.serve(world.plainClient.lookup(name, of: account), of: app)
      guard world.plainClient.read(answer, about: key, name, at: now) else {
        throw StepRefusal("the server does not show it: status \(answer.status)")
      }
    }
    switch step {
    case .read: break
    case .set(let member, _, let value): world.plainClient.set(member, value.json, of: key, at: now)
    case .dropItems: world.plainClient.set("items", .array([]), of: key, at: now)
    case .push: push(key, name, of: app)
    }
  }

  private mutating func push(_ key: RecordKey, _ name: DocumentName, of app: DocumentApp) {
    guard let account = key.account, let request = world.plainClient.push(key, name, of: account) else { return }
    world.edit(key.id, of: account, fromOutside: { $0.plainClient.pushed($0.serve(request, of: app)) })
    if let record = world.cloudRecord(key.id, of: account) {
      world.checkers.members.stored(RecordContent(inCloud: record), of: key)
    }
  }
}

extension ScenarioValue {
  /// The value as a member of a document.
  fileprivate var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .integer(let number): .integer(number)
    case .none: .null
    }
  }
}
