import Foundation

@testable import ZoneKitWire

/// The cutter of forms: the same for every cut of the bytes, and a file within a form comes out as it went in.
enum FormProperties {
  private static let type = "multipart/form-data; boundary=b"
  private static let delimiter = Array("\r\n--b".utf8)

  /// Checks the properties for bytes as a form, and for bytes as the file in one.
  static func check(_ bytes: [UInt8]) throws {
    let whole = try cut(bytes, pieces: max(bytes.count, 1))
    for size in [1, 5] {
      let other = try cut(bytes, pieces: size)
      try Violation.unless(other == whole, "cut in pieces of \(size) bytes it is \(other), and whole \(whole)")
    }
    // A file that is complete is one of the parts that a reader of whole forms finds, if no boundary is within a head. There the
    // reader ends the part, and the cutter goes on to the end of the head.
    if let file = whole.file, whole.isComplete, hasWholeHeads(bytes) {
      let parts = MultipartReader(bytes, boundary: "b").parts
      let isFound = parts?.contains { Array($0.body) == file } ?? true
      try Violation.unless(isFound, "the file has \(file.count) bytes and equals no part of \(parts ?? [])")
    }
    let form = Array("--b\r\nContent-Disposition: form-data; name=\"files\"\r\n\r\n".utf8) + bytes + delimiter
    let end = (0...bytes.count).first { form.dropFirst(form.count - bytes.count - 5 + $0).starts(with: delimiter) }
    let made = try cut(form + Array("--\r\n".utf8), pieces: 3)
    try Violation.unless(
      made.file == Array(bytes[..<(end ?? 0)]) && made.isComplete, "a file of \(bytes.count) bytes comes out as \(made)"
    )
  }

  /// Whether the head of each part ends before the next boundary.
  private static func hasWholeHeads(_ form: [UInt8]) -> Bool {
    let text = form.map { Character(Unicode.Scalar($0)) }.map(String.init).joined(separator: "|") + "|"
    let parts = ("\r|\n|" + text).components(separatedBy: "\r|\n|-|-|b|")
    return parts.dropFirst().dropLast().allSatisfy { $0.contains("\r|\n|\r|\n|") }
  }

  private struct Cut: Equatable {
    /// The bytes of the file; nil if the form is malformed.
    var file: [UInt8]?
    var isComplete: Bool
  }

  private static func cut(_ form: [UInt8], pieces size: Int) throws -> Cut {
    guard var cutter = FormFileCutter(type) else { throw Violation("the media type has a boundary") }
    var file: [UInt8] = []
    do throws(HTTPError) {
      for start in stride(from: 0, to: form.count, by: size) {
        file += try cutter.take(Array(form[start..<min(start + size, form.count)]))
      }
    } catch {
      return Cut(file: nil, isComplete: false)
    }
    return Cut(file: file, isComplete: cutter.isComplete)
  }
}
