import ZoneKitCPage
import ZoneKitWire

/// The files of the live page, which are parts of the program.
enum PageFiles {
  /// The name of the file at the page's own address.
  static let index = "index.html"

  /// The header fields of all files. A page may only load what this server sends, and no other page may frame or read it.
  private static let fields = [
    HTTPField(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'; img-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
        + "trusted-types zonekit"),
    HTTPField("X-Content-Type-Options", "nosniff"), HTTPField("Referrer-Policy", "no-referrer"),
    HTTPField("Cross-Origin-Opener-Policy", "same-origin"), HTTPField("Cross-Origin-Resource-Policy", "same-origin"),
    HTTPField("Cache-Control", "no-store"),
  ]

  /// The replies with the files, by name.
  static let replies: [String: HTTPReply] = {
    var replies: [String: HTTPReply] = [:]
    for number in 0... {
      let file = zonekit_page_file(UInt32(number))
      guard let name = file.name, let type = file.type, let bytes = file.bytes else { break }
      replies[String(cString: name)] = HTTPReply(
        status: 200, fields: fields, contentType: String(cString: type),
        body: Array(UnsafeBufferPointer(start: bytes, count: Int(file.size))))
    }
    return replies
  }()
}
