import Testing
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSimulator

/// Checkers of documents.
struct DocumentCheckerTests {
  private let key = RecordKey(account: "nanny", id: Sample.id)

  private func content(_ extra: String?) -> RecordContent {
    var fields = Fields()
    if let extra { fields["extra"] = .string(extra) }
    return RecordContent(fields: EncodedFields(fields))
  }

  @Test func `a member that devices do not know stays`() {
    var checker = NewerMemberChecker()
    #expect(checker.finding(content(nil), of: key) == nil)
    checker.stored(content(#"{"colour":"red"}"#), of: key)
    #expect(checker.finding(content(#"{"colour":"blue","size":1}"#), of: key) == nil)
    #expect(checker.finding(content(#"{"size":1}"#), of: key)?.rule == .lostEdit)
    #expect(checker.finding(content(nil), of: key)?.rule == .lostEdit)
    #expect(checker.finding(content(nil), of: RecordKey(account: "other", id: Sample.id)) == nil)
  }

  private func finding(token: String?, _ code: DocumentError.Code, isAfterLoss: Bool) -> Violation.Rule? {
    let query = ZoneChangesQuery(zoneID: Sample.zone, token: token.map { ChangeToken($0) })
    var error = CloudError(.changeTokenExpired, "no")
    error.isAfterLoss = isAfterLoss
    return DataSetChecker.finding(
      .refused(DocumentError(code, "no")), readAs: .zoneChanges([.failed(Sample.zone, error)]),
      on: .fetchZoneChanges([query]))?.rule
  }

  @Test func `a device with a cursor of another data set learns of a loss`() {
    #expect(finding(token: "t", .datasetChanged, isAfterLoss: true) == nil)
    #expect(finding(token: "t", .datasetChanged, isAfterLoss: false) == .lostEdit)
    #expect(finding(token: "t", .cursorExpired, isAfterLoss: false) == nil)
    #expect(finding(token: nil, .datasetChanged, isAfterLoss: false) == nil)
  }
}
