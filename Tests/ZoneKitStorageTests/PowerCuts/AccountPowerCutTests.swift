import Testing
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

@testable import ZoneKitStorage

@Suite struct `a power cut under the accounts` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: "story") }

  private static func store(in root: String) -> AccountFiles {
    let app = TableApp(
      name: "app", container: "com.example.app", environment: .development, zone: "App", schema: TableSchema([]))
    return AccountFiles(root: root + "/cloud", app: app)
  }

  /// Everything that changes a file of accounts, a list of changes for each opening of the file.
  private static var story: [[AccountTransition]] {
    func id(_ number: UInt64) -> UUID { UUID(high: 1, low: number) }
    func change(_ fill: (inout AccountTransition) -> Void) -> AccountTransition {
      var transition = AccountTransition()
      fill(&transition)
      return transition
    }
    func account(_ number: UInt64, bytes: Int = 5) -> StoredAccount {
      let time = WallTime(milliseconds: Int64(number))
      let metadata = [JSON.Member("text", .string(String(repeating: "x", count: bytes)))]
      return StoredAccount(
        Account(id: id(number), email: "a\(number)@b.test", metadata: metadata, createdAt: time, updatedAt: time),
        password: PasswordRecord(hash: "h", salt: "s"))
    }
    func session(_ number: UInt64, of account: UInt64) -> StoredSession {
      let time = WallTime(milliseconds: 1)
      return StoredSession(id: id(100 + number), account: id(account), createdAt: time, refreshedAt: time)
    }
    func token(_ text: String, of session: UInt64, replacedAt: Int64? = nil) -> StoredRefreshToken {
      StoredRefreshToken(
        hash: TokenHash(text), session: id(100 + session), number: 1,
        replacedAt: replacedAt.map { WallTime(milliseconds: $0) })
    }
    let signUps = ([1, 2, 3, 4] as [UInt64]).map { number in
      change {
        $0.accounts = [account(number)]
        $0.sessions = [session(number, of: number)]
        $0.tokens = [token("t\(number)", of: number)]
      }
    }
    return [
      signUps,
      [
        change { $0.tokens = [token("t1", of: 1, replacedAt: 5), token("u1", of: 1)] },
        change { $0.accounts = [account(2, bytes: 20_000)] },
        change { $0.claims = (0..<50).map { RowClaim(RowName(table: "persons", key: Name("\($0)")), by: id(1)) } },
        change { $0.removedSessions = [id(103)] },
        change { $0.removedAccounts = [id(1)] },
      ],
    ]
  }

  /// The number of the change that is one of claims alone.
  private static var claimStep: Int? {
    story.flatMap { $0 }.firstIndex { $0.accounts.isEmpty && $0.tokens.isEmpty && !$0.claims.isEmpty }
  }

  @Test func `at any sync leaves what was answered, and a file that takes more`() throws {
    let recorder = DiskRecorder(root: folder.path)
    var contents: [FileContent] = []
    try recorder.recording {
      for changes in Self.story {
        let store = Self.store(in: folder.path)
        for change in changes {
          store.stage(change)
          #expect(store.commit() == nil)
          contents.append(try FileContent(of: #require(store.file).connection))
          recorder.note(.acknowledged(contents.count - 1))
        }
        store.close()
      }
    }
    let report = try PowerCut.atEverySync(of: recorder, chances: PowerCut.chances(usual: 3)) { cut, root in
      try problem(of: root, after: contents, cut)
    }
    #expect(report.problems == [])
    #expect(report.points > 30)
    #expect(report.cuts > 40)
  }

  /// What is wrong with the accounts in that folder; nil if nothing is.
  private func problem(of root: String, after contents: [FileContent], _ cut: PowerCut) throws -> String? {
    let store = Self.store(in: root)
    _ = try store.accountCount()
    let content = try store.file.map { try FileContent(of: $0.connection) } ?? FileContent()
    // Claims alone do not wait for the disk. They follow from the rows, of which this story has none.
    let kept = cut.acknowledged == Self.claimStep ? cut.acknowledged - 1 : cut.acknowledged
    let allowed = kept...min(cut.acknowledged + 1, contents.count - 1)
    guard allowed.contains(where: { content == ($0 < 0 ? FileContent() : contents[$0]) }) else {
      let step = contents.firstIndex(of: content).map { "step \($0)" } ?? "no step"
      return "the content is that of \(step) instead of one of \(allowed)"
    }
    var claim = AccountTransition()
    claim.claims = [RowClaim(RowName(table: "persons", key: "after"), by: UUID(high: 0, low: 1))]
    store.stage(claim)
    if let error = store.commit() { return "\(error)" }
    store.close()
    return CloudCheck(root: root + "/cloud").faults.first.map { "\($0.place): \($0.message)" }
  }
}
