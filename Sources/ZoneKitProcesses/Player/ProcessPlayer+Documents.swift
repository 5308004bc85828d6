import ZoneKitRecords
import ZoneKitScenarios

/// Performs the steps of a plain client of documents.
extension ProcessPlayer {
  func play(_ step: DocumentStep) throws(ProcessFailure) {
    let record = try name(of: step.record)
    guard let target = PlainClient.Target(recordName: Name(record), of: Name(try account(about: step.record))) else {
      throw .refused("\(record) is no document")
    }
    if plainClient.reads(before: step, target) {
      let answer = try world.admin.answer(to: plainClient.lookup(target), "a plain client that reads")
      guard plainClient.read(answer, about: target, at: wall) else {
        throw .refused("the server does not show \(record): status \(answer.status)")
      }
    }
    guard let request = plainClient.request(for: step, target) else {
      return plainClient.change(step, target, at: wall)
    }
    _ = plainClient.pushed(try world.admin.answer(to: request, "a plain client that pushes"), about: target)
  }
}
