import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitService
import ZoneKitSync

/// The commands of a device whose app's rows lie in the tables of a server.
extension DeviceSession {
  /// Carries out a command for the tables of a server.
  func performOnTables(_ command: TableCommand, _ line: String) throws {
    try checkApp()
    switch command {
    case .signUp(let email, let password): return try signIn(email, password, isNew: true, line)
    case .signIn(let email, let password): return try signIn(email, password, isNew: false, line)
    case .signOut(let discards):
      try tables?.signOut(discards: discards)
    case .pull: try sync()
    case .send(let word): try sendFirst(try client.find(word))
    case .retry(let word?):
      let recordID = try client.find(word)
      try tables?.retryPhotos(of: recordID)
      try sendFirst(recordID)
    case .retry(nil):
      let lines = try tables?.retry() ?? []
      waitsUntil = loop.now + Self.patience
      return printer.answer(line, [JSON.Member("lines", .array(lines.map { .string($0) }))], lines: lines)
    case .photo(let word, .shown):
      let place = try tables?.place(ofPhotoOf: try client.find(word)) ?? ""
      return printer.answer(line, [JSON.Member("photo", .string(place))], lines: [place])
    case .photo(let word, let choice): return try setPhoto(choice, of: word, line)
    case .migrate(.goOn):
      let lines = tables?.migrate() ?? []
      return printer.answer(line, [JSON.Member("lines", .array(lines.map { .string($0) }))], lines: lines)
    case .migrate(.rollBack(let isCloudMeant)): return rollBack(isCloudMeant: isCloudMeant, line)
    case .migrate(.verify):
      tables?.verify { [unowned self] lines, isClean in
        self.printer.answer(
          line, [JSON.Member("isClean", .bool(isClean)), JSON.Member("lines", .array(lines.map { .string($0) }))],
          lines: lines)
        self.pump()
      }
      return
    case .trace(let word):
      let recordID = try client.find(word)
      let report = try RecordReport.report(on: recordID, in: client.coordinator.store) ?? .null
      return printer.answer(line, [JSON.Member("trace", report)], lines: [report.text(.pretty)])
    }
    printer.answer(line, [], lines: [])
  }

  private func sendFirst(_ recordID: RecordID) throws(StoreError) {
    waitsUntil = loop.now + Self.patience
    try client.attempt { (coordinator, now, generator) throws(StoreError) in
      try coordinator.sendFirst(recordID, at: now, using: &generator)
    }
  }

  /// Gives a photo to a row or takes it away.
  private func setPhoto(_ choice: TableCommand.PhotoChoice, of word: String, _ line: String) throws {
    // The row is looked up before the file is copied.
    _ = try client.find(word)
    let photo = try tables?.photo(choice)
    let answer = try client.ask { app, view, _ throws(AppRefusal) in try app.setPhoto(photo, of: word, in: view) }
    try save(answer)
    printer.answer(line, { answer.members(in: self.client.view) }, lines: answer.lines)
  }

  /// Takes a migration back. The next command waits for the end.
  private func rollBack(isCloudMeant: Bool, _ line: String) {
    tables?.rollBack(isCloudMeant: isCloudMeant) { [unowned self] result in
      do {
        let lines = try result.get()
        self.printer.answer(line, [JSON.Member("lines", .array(lines.map { .string($0) }))], lines: lines)
      } catch {
        self.refuse(line, error)
      }
      self.pump()
    }
  }

  /// Signs an account in. The next command waits for the answer, and then for the first sync.
  private func signIn(_ email: String, _ password: String, isNew: Bool, _ line: String) throws {
    try tables?.signIn(email: email, password: password, isNew: isNew) { [unowned self] result in
      do {
        let session = try result.get()
        self.waitsUntil = self.loop.now + Self.patience
        let account = session.account.text
        self.printer.answer(
          line,
          [
            JSON.Member("account", .string(account)), JSON.Member("email", .string(session.email)),
            JSON.Member("deviceID", .string(client.coordinator.deviceID)),
          ],
          lines: ["signed in as \(session.email)"])
      } catch {
        self.refuse(line, error)
      }
      self.pump()
    }
  }
}
