import Foundation

/// How a client of an app sends a request: method, path with query, header fields and body.
typealias Transport =
  @Sendable (_ method: String, _ path: String, _ headers: [String: String], _ body: [UInt8]) async throws -> (
    status: Int, headers: [String: String], body: [UInt8]
  )

/// The client of an app with notes in a Supabase project, as somebody has it already.
struct NotesClient: Sendable {
  struct Note: Codable, Equatable {
    var id: String?
    var text: String
    var isDone = false

    enum CodingKeys: String, CodingKey {
      case id, text
      case isDone = "is_done"
    }
  }

  struct Refused: Error, Equatable {
    var status: Int
    var message: String
  }

  private struct Session: Decodable {
    var access_token: String
  }

  private struct Problem: Decodable {
    var message: String?
    var msg: String?
  }

  let transport: Transport
  let key: String
  private var token: String?

  init(_ transport: @escaping Transport, key: String) { (self.transport, self.key) = (transport, key) }

  mutating func signUp(_ email: String, password: String) async throws {
    let body = try JSONEncoder().encode(["email": email, "password": password])
    token = try JSONDecoder().decode(Session.self, from: try await ask("POST", "/auth/v1/signup", body)).access_token
  }

  @discardableResult
  func add(_ note: Note) async throws -> Note? {
    let fields = ["Prefer": "return=representation"]
    let answer = try await ask("POST", "/rest/v1/notes", try JSONEncoder().encode(note), fields)
    return try JSONDecoder().decode([Note].self, from: answer).first
  }

  /// The notes that a filter of PostgREST finds, in the order of their texts.
  func notes(_ filter: String = "") async throws -> [Note] {
    let query = "select=id,text,is_done&order=text" + (filter.isEmpty ? "" : "&" + filter)
    return try JSONDecoder().decode([Note].self, from: try await ask("GET", "/rest/v1/notes?" + query))
  }

  private func ask(
    _ method: String, _ path: String, _ body: Data = Data(), _ fields: [String: String] = [:]
  ) async throws -> Data {
    var headers = fields
    headers["apikey"] = key
    headers["Authorization"] = "Bearer \(token ?? key)"
    headers["Content-Type"] = body.isEmpty ? nil : "application/json"
    let answer = try await transport(method, path, headers, Array(body))
    guard answer.status < 300 else {
      let problem = try JSONDecoder().decode(Problem.self, from: Data(answer.body))
      throw Refused(status: answer.status, message: problem.message ?? problem.msg ?? "")
    }
    return Data(answer.body)
  }
}
