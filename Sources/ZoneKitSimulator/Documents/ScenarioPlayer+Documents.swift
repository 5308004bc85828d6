import ZoneKitRecords
import ZoneKitScenarios

/// Performs the steps of a plain client.
extension ScenarioPlayer {
  mutating func perform(_ step: DocumentStep) throws(StepRefusal) {
    guard let app = app.documents else { throw StepRefusal("the app has no documents") }
    guard world.cloud.isRunning else { throw StepRefusal("the cloud does not run") }
    let id = try observer.record(step.record)
    let accounts = world.devices.compactMap(\.account)
    guard let account = accounts.first(where: { world.cloudRecord(id, of: $0) != nil }) else {
      throw StepRefusal("the cloud does not have it")
    }
    guard let target = PlainClient.Target(recordName: id.recordName, of: account) else {
      throw StepRefusal("\(id.recordName) is no document")
    }
    let now = world.wall
    if world.plainClient.reads(before: step, target) {
      let answer = world.serve(world.plainClient.lookup(target), of: app)
      guard world.plainClient.read(answer, about: target, at: now) else {
        throw StepRefusal("the server does not show it: status \(answer.status)")
      }
    }
    guard let request = world.plainClient.request(for: step, target) else {
      return world.plainClient.change(step, target, at: now)
    }
    var isAskedAgain = false
    let life = world.cloud.life
    world.edit(
      id, of: account,
      fromOutside: { isAskedAgain = $0.plainClient.pushed($0.serve(request, of: app), about: target) })
    // A cloud that was started again has forgotten what it asked.
    if isAskedAgain, life == world.plainClientLife {
      world.report(Finding(.storm, "a plain client is asked again to merge with the version that it has merged with"))
    }
    world.plainClientLife = life
    if let record = world.cloudRecord(id, of: account) {
      world.log(.documentStored(RecordContent(inCloud: record), RecordKey(account: account, id: id)))
    }
  }
}
