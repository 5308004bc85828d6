import ZoneKitRecords
import ZoneKitTables

extension RowOutcome {
  /// What a client reads in the answer to a request for rows of that table. An answer that cannot be read counts as
  /// lost, because the service may have carried the request out.
  package init(_ answer: HTTPResponse, of table: Table) {
    guard (200..<300).contains(answer.status) else {
      self = .refused(ServiceRefusal(answer))
      return
    }
    do throws(RowError) {
      self = .done(try RowResult(answer, of: table))
    } catch {
      self = .unanswered(.answerLost("the answer cannot be read: \(error.message)"))
    }
  }
}

extension RowResult {
  fileprivate init(_ answer: HTTPResponse, of table: Table) throws(RowError) {
    self.init(.rows(try Self.rows(answer.body, of: table)))
    let total = answer.fields["Content-Range"]?.split(separator: "/").last
    self.total = total.flatMap { Int($0) }
    feed = answer.fields["ZoneKit-Feed"].flatMap { RowFeed($0, earlier: answer.fields["ZoneKit-Feed-Earlier"]) }
    let words = answer.fields["ZoneKit-Verdicts"]?.split(separator: ",").map { RowVerdict(rawValue: String($0)) } ?? []
    // The numbers of verdicts do not tell which row each is about.
    if !words.contains(nil) { verdicts = words.compactMap(\.self) }
  }

  /// The rows of an array, or the one of an object. Columns that the table does not have are ignored.
  private static func rows(_ body: [UInt8], of table: Table) throws(RowError) -> [Row] {
    guard !body.isEmpty else { return [] }
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: body)
    } catch {
      throw RowError(.unreadableBody, "\(error)")
    }
    var rows: [Row] = []
    for element in json.array ?? [json] {
      guard let members = element.object else {
        throw RowError(.unreadableBody, "expected an object, found \(element.kind)")
      }
      var row = Row(Array(repeating: .null, count: table.columns.count))
      var next = 0
      for member in members {
        guard let place = table.place(of: Name(member.key), probably: next) else { continue }
        next = place + 1
        row.values[place] = try RowValue(member.value, as: table.columns[place].type)
      }
      rows.append(row)
    }
    return rows
  }
}

extension RowFeed {
  /// Reads the fields `ZoneKit-Feed` and `ZoneKit-Feed-Earlier`; nil if the first one has any other text.
  init?(_ text: String, earlier: String?) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == 3, let incarnation = UInt64(parts[0], radix: 16), let newest = Int64(parts[1]),
      let horizon = Int64(parts[2])
    else { return nil }
    self.init(
      incarnation: incarnation, newest: WallTime(milliseconds: newest), horizon: WallTime(milliseconds: horizon),
      earlier: (earlier ?? "").split(separator: ";").compactMap { Life($0) })
  }
}

extension RowFeed.Life {
  /// Reads a life of `ZoneKit-Feed-Earlier`; nil for any other text.
  fileprivate init?(_ text: Substring) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count <= 2, let incarnation = UInt64(parts[0], radix: 16) else { return nil }
    self.init(incarnation)
    guard parts.count == 2 else { return }
    let end = parts[1].split(separator: "@", omittingEmptySubsequences: false)
    guard end.count == 2, let reason = ZoneDeletion(rawValue: String(end[0])), let time = Int64(end[1]) else {
      return nil
    }
    ending = ZoneEnding(reason, at: time == 0 ? nil : WallTime(milliseconds: time))
  }
}

extension ServiceRefusal {
  /// What a client reads in an answer that is an error, of any part of a service. Members of any kind, or none at all,
  /// are accepted, because the answer may come from something between client and service.
  package init(_ answer: HTTPResponse) {
    let json = (try? JSON(parsing: answer.body)) ?? .null
    func text(_ names: [String]) -> String? { names.lazy.compactMap { json[$0]?.string }.first }
    let message = text(["message", "msg", "error_description", "error"]) ?? "the service answered \(answer.status)"
    self.init(
      answer.status, code: text(["error_code", "code"]) ?? "",
      Self.sentence(message, text(["details"])), retryAfter: answer.fields["Retry-After"].flatMap { Int($0) })
  }
}
