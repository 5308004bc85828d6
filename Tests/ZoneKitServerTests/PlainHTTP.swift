import Foundation
import Glibc

/// HTTP over a socket, a connection for each request, for tests of clients on Linux without another library.
enum PlainHTTP {
  struct NoAnswer: Error {
    var reason: String
  }

  /// Sends requests to that port of this machine.
  static func transport(to port: UInt16) -> Transport {
    { method, path, headers, body in
      var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
      for (name, value) in headers { head += "\(name): \(value)\r\n" }
      let bytes = Array((head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body
      return try answer(in: try exchange(bytes, with: port))
    }
  }

  private static func exchange(_ request: [UInt8], with port: UInt16) throws -> [UInt8] {
    let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard file >= 0 else { throw NoAnswer(reason: "no socket") }
    defer { close(file) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(file, $0, size) }
    }
    guard connected == 0 else { throw NoAnswer(reason: "nobody listens on port \(port)") }
    var sent = 0
    while sent < request.count {
      let count = request[sent...].withUnsafeBytes {
        send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw NoAnswer(reason: "the connection was closed") }
      sent += count
    }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = recv(file, &buffer, buffer.count, 0), count > 0 { received += buffer[..<count] }
    return received
  }

  private static func answer(in bytes: [UInt8]) throws -> (status: Int, headers: [String: String], body: [UInt8]) {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw NoAnswer(reason: "no answer came") }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count > 1, let status = Int(words[1]) else { throw NoAnswer(reason: "no HTTP: \(lines[0])") }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { headers[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces) }
    }
    return (status, headers, Array(bytes[end.upperBound...]))
  }
}
