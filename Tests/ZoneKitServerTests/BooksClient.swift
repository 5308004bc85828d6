import Foundation

/// The client of an app with documents that syncs over REST, as somebody has it already.
struct BooksClient: Sendable {
  struct Book: Codable, Equatable {
    var title: String
    var pages: Int
  }

  struct Refused: Error, Equatable {
    var status: Int
  }

  private struct Change: Encodable {
    var collection = "books"
    var operation = "create"
    var documentId: String
    var timestamp: String
    var data: Book
  }

  private struct Push: Encodable {
    var deviceId: String
    var changes: [Change]
  }

  private struct Pushed: Decodable {
    struct Result: Decodable {
      var changed: Bool?
      var version: Int?
    }

    var results: [Result]
  }

  private struct Everything: Decodable {
    struct Collections: Decodable {
      var books: [Book]?
    }

    var data: Collections
  }

  let transport: Transport
  let user: String
  let device: String

  init(_ transport: @escaping Transport, user: String, device: String) {
    (self.transport, self.user, self.device) = (transport, user, device)
  }

  /// Sends a new book. A request without an answer is sent again, at most three times in all. Returns whether the last one
  /// changed anything.
  func push(_ book: Book, as id: String) async throws -> Bool? {
    let change = Change(documentId: id, timestamp: "2027-01-15T08:00:00Z", data: book)
    let body = try JSONEncoder().encode(Push(deviceId: device, changes: [change]))
    for attempt in 1... {
      do {
        let answer = try await ask("POST", "/sync/push", body)
        return try JSONDecoder().decode(Pushed.self, from: answer).results.first?.changed
      } catch  where !(error is Refused) && attempt < 3 {
        continue
      }
    }
    return nil
  }

  /// All books that the service has.
  func books() async throws -> [Book] {
    let answer = try await ask("POST", "/sync/full", Data("{}".utf8))
    return try JSONDecoder().decode(Everything.self, from: answer).data.books ?? []
  }

  private func ask(_ method: String, _ path: String, _ body: Data) async throws -> Data {
    let headers = ["Authorization": "Bearer user:\(user)", "Content-Type": "application/json"]
    let answer = try await transport(method, path, headers, Array(body))
    guard answer.status < 300 else { throw Refused(status: answer.status) }
    return Data(answer.body)
  }
}
