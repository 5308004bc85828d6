import ZoneKitRecords

/// Cuts the bytes of a file out of a form of the type `multipart/form-data` that arrives in pieces (RFC 7578; RFC 2046,
/// 5.1.1). The file is the first part that has a file name or is called `files`. The result does not depend on the pieces.
package struct FormFileCutter: Sendable {
  private enum State {
    /// Before the first boundary.
    case preamble
    /// Behind a boundary, up to the empty line that ends the part's head.
    case head
    /// In the bytes of a part. `isFile` is whether it is the file.
    case part(isFile: Bool)
    /// Behind the file, or behind the last part.
    case ended
  }

  /// The longest head of a part, and the longest preamble, in bytes.
  private static let headLimit = 16 << 10

  private let boundary: BytePattern
  private let delimiter: BytePattern
  private static let headEnd = BytePattern(Array("\r\n\r\n".utf8))
  private var state = State.preamble
  /// The bytes that may be the beginning of what is searched for.
  private var rest: [UInt8] = []
  /// Whether the form had the file, up to its end.
  package private(set) var isComplete = false

  /// A form of that media type; nil if it names no boundary.
  package init?(_ contentType: String) {
    guard let text = MultipartReader.boundary(of: contentType) else { return nil }
    boundary = BytePattern(Array("--\(text)".utf8))
    delimiter = BytePattern(Array("\r\n--\(text)".utf8))
  }

  /// Takes the next piece of the form. Returns the bytes of the file in it. Throws if the form is malformed.
  package mutating func take(_ piece: [UInt8]) throws(HTTPError) -> [UInt8] {
    var file: [UInt8] = []
    rest += piece
    var start = 0
    while try step(from: &start, into: &file) {}
    rest.removeFirst(start)
    return file
  }

  /// Goes on from a place of `rest`. Returns whether more can be done with it.
  private mutating func step(from start: inout Int, into file: inout [UInt8]) throws(HTTPError) -> Bool {
    switch state {
    case .preamble:
      guard let place = boundary.first(in: rest.span, from: start) else { return try wait(from: start) }
      let isLine = place == 0 || rest[..<place].suffix(2).elementsEqual([0x0D, 0x0A])
      guard isLine else { throw Self.malformed }
      start = place + boundary.bytes.count
      state = .head
      return true
    case .head:
      // The form ends if two hyphens follow a boundary.
      guard rest.count >= start + 2 else { return false }
      if rest[start...].starts(with: "--".utf8) {
        state = .ended
        return true
      }
      guard let end = Self.headEnd.first(in: rest.span, from: start) else { return try wait(from: start) }
      state = .part(isFile: MultipartReader.isFile(headedBy: rest[start..<end]))
      start = end + Self.headEnd.bytes.count
      return true
    case .part(let isFile):
      let place = delimiter.first(in: rest.span, from: start)
      let end = place ?? max(start, rest.count - delimiter.bytes.count + 1)
      if isFile { file += rest[start..<end] }
      start = end
      guard place != nil else { return false }
      start += delimiter.bytes.count
      isComplete = isFile
      state = isFile ? .ended : .head
      return true
    case .ended:
      start = rest.count
      return false
    }
  }

  /// The end of what is searched for has not arrived. Throws if it is too far away.
  private func wait(from start: Int) throws(HTTPError) -> Bool {
    guard rest.count - start <= Self.headLimit else { throw Self.malformed }
    return false
  }

  private static let malformed = HTTPError.malformed(
    "The body is no form with the boundary that its Content-Type names.")
}
