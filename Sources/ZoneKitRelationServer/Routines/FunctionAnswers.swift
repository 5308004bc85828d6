import ZoneKitCatalogue
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSchema
import ZoneKitTables

/// Fixed answers that stand for functions: a test double for `rpc`, and for functions that are not carried out.
///
///     {"functions": {"add": {"when": [{"with": {"a": 1, "b": 2}, "answer": 3}], "answer": 0},
///                    "fail": {"error": {"code": "P0001", "message": "no", "status": 400}},
///                    "*": {}}}
///
/// `*` stands for every other function of the schema that is not carried out; a call of it is refused by name.
package struct FunctionAnswers: Equatable, Sendable {
  /// What a call is answered with.
  package enum Answer: Equatable, Sendable {
    /// A value.
    case value(JSON)
    /// An error.
    case error(RowError)
  }

  /// The answers of a function.
  package struct Function: Equatable, Sendable {
    /// An answer to calls with certain arguments.
    package struct Case: Equatable, Sendable {
      /// The arguments that a call has, among others.
      package var arguments: [JSON.Member]
      /// The answer.
      package var answer: Answer
    }

    /// The answers to calls with certain arguments. The first that fits is given.
    package var cases: [Case]
    /// The answer to other calls; nil if they are refused.
    package var otherwise: Answer?

    /// The answer to a call with those arguments; nil if there is none.
    package func answer(to arguments: [JSON.Member]) -> Answer? {
      let fitting = cases.first { known in
        known.arguments.allSatisfy { wanted in
          arguments.contains { $0.key.utf8.elementsEqual(wanted.key.utf8) && $0.value.isSame(as: wanted.value) }
        }
      }
      return fitting?.answer ?? otherwise
    }
  }

  /// What is wrong with a file of answers: where, what was expected and what is there.
  package struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The words.
    package let description: String
  }

  /// The name that stands for every function.
  package static let everyOther = CatalogueBuilder.FixedAnswer.everyOther

  /// The answers by the names of the functions.
  package private(set) var functions: [String: Function] = [:]

  /// No answers.
  package init() {}

  /// The answers of a file's text. `file` is its name, for problems.
  package init(_ text: Span<UInt8>, file: String) throws(Problem) {
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: text)
    } catch {
      throw Problem(description: "\(file):\(TextPlace(error.offset, in: text)): \(error.message)")
    }
    let reader = Reader(file: file)
    for member in try reader.members(json, "", among: ["functions"]) {
      for function in try reader.members(member.value, member.key, among: nil) {
        functions[function.key] = try reader.function(function.value, "functions.\(function.key)")
      }
    }
    if let every = functions[Self.everyOther], every.otherwise != nil || !every.cases.isEmpty {
      throw Problem(
        description: "\(file): functions.*: expected {}, which refuses calls of every other function by name")
    }
  }

  /// What expressions of the schema use in place of the functions.
  package var ofExpressions: [String: CatalogueBuilder.FixedAnswer] {
    functions.mapValues { function in
      guard case .value(let json)? = function.otherwise else { return CatalogueBuilder.FixedAnswer(nil) }
      return CatalogueBuilder.FixedAnswer(json.constant)
    }
  }

  /// Reads the parts of a file.
  private struct Reader {
    let file: String

    func problem(_ path: String, _ expected: String, _ found: JSON?) -> Problem {
      let words = found.map { ", found \($0.kindWords)" } ?? ""
      return Problem(description: "\(file): \(path.isEmpty ? "the file" : path): expected \(expected)\(words)")
    }

    func members(_ json: JSON, _ path: String, among names: [String]?) throws(Problem) -> [JSON.Member] {
      guard let members = json.object else { throw problem(path, "an object", json) }
      var known: Set<Name> = []
      for member in members {
        let place = path.isEmpty ? member.key : "\(path).\(member.key)"
        guard known.insert(Name(member.key)).inserted else { throw problem(place, "each member once", nil) }
        guard let names, !names.contains(member.key) else { continue }
        let nearest = NearMiss.guess(for: member.key, among: names).map { "; perhaps \($0) is meant" } ?? ""
        throw Problem(
          description: "\(file): \(place): expected one of \(names.joined(separator: ", "))\(nearest)")
      }
      return members
    }

    func function(_ json: JSON, _ path: String) throws(Problem) -> Function {
      _ = try members(json, path, among: ["when", "answer", "error"])
      var cases: [Function.Case] = []
      if let list = json["when"] {
        guard let entries = list.array else { throw problem("\(path).when", "an array", list) }
        for (number, entry) in entries.enumerated() {
          let place = "\(path).when[\(number)]"
          _ = try members(entry, place, among: ["with", "answer", "error"])
          guard let answer = try answer(entry, place) else { throw problem(place, "answer or error", nil) }
          let arguments = try entry["with"].map { (with) throws(Problem) in
            try members(with, "\(place).with", among: nil)
          }
          guard let arguments else { throw problem("\(place).with", "the arguments", nil) }
          cases.append(Function.Case(arguments: arguments, answer: answer))
        }
      }
      return Function(cases: cases, otherwise: try answer(json, path))
    }

    private func answer(_ json: JSON, _ path: String) throws(Problem) -> Answer? {
      switch (json["answer"], json["error"]) {
      case (nil, nil): return nil
      case (let answer?, nil): return .value(answer)
      case (_?, _?): throw problem(path, "either answer or error", nil)
      case (nil, let error?):
        let place = "\(path).error"
        _ = try members(error, place, among: ["code", "message", "status", "details", "hint"])
        guard let code = error["code"]?.string else { throw problem("\(place).code", "a text", error["code"]) }
        guard let message = error["message"]?.string else {
          throw problem("\(place).message", "a text", error["message"])
        }
        let status = error["status"].map { $0.integer ?? 0 } ?? 400
        guard (400...599).contains(status) else {
          throw problem("\(place).status", "a number from 400 to 599", error["status"])
        }
        return .error(
          RowError(
            Int(status), code, message, details: error["details"]?.string, hint: error["hint"]?.string))
      }
    }
  }
}

extension JSON {
  /// The constant that SQL writes for the value; nil for an array or an object.
  fileprivate var constant: SQLConstant? {
    if let text = string { return .text(text) }
    switch self {
    case .null: return .null
    case .bool(let value): return .boolean(value)
    case .integer(let number): return .integer(number)
    case .number, .verbatim: return .number(text())
    case .string, .array, .object: return nil
    }
  }

  /// Whether both are the same value, however they are written.
  fileprivate func isSame(as other: JSON) -> Bool { JSONBValue(self) == JSONBValue(other) }

  /// What it is, in words.
  fileprivate var kindWords: String {
    if string != nil { return "a text" }
    if object != nil { return "an object" }
    if array != nil { return "an array" }
    switch self {
    case .null: return "null"
    case .bool: return "a truth value"
    default: return "a number"
    }
  }
}
