import ZoneKitCUV

/// An error of the operating system: its code, its text, the operation, and the object of the operation.
package struct LoopError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The code's name, such as `EADDRINUSE`.
  package let code: String
  /// The system's text for the code, such as "address already in use".
  package let message: String
  /// What was tried, such as "listen on".
  package let action: String
  /// The object of the operation: an address, a path or a file descriptor.
  package let subject: String

  /// The error for a negative libuv status.
  init(_ status: Int32, _ action: String, _ subject: String) {
    code = String(cString: uv_err_name(status))
    message = String(cString: uv_strerror(status))
    self.action = action
    self.subject = subject
  }

  /// The error for a positive `errno`.
  init(errno: Int32, _ action: String, _ subject: String) {
    self.init(uv_translate_sys_error(errno), action, subject)
  }

  /// One sentence: what failed, why and, where known, what helps.
  package var description: String {
    "cannot \(action) \(subject): \(message) (\(code))" + (remedy.map { "; \($0)" } ?? "")
  }

  private var remedy: String? {
    switch code {
    case "EADDRINUSE": "stop the process that listens there, or choose another address (port 0 takes any free port)"
    case "EADDRNOTAVAIL": "choose an address that this machine has"
    case "EACCES": "choose a place that this user may open (ports below 1024 are the administrator's)"
    case "ECONNREFUSED": "nothing listens there; start the server, or check the address"
    case "EEXIST": "remove the file, or choose another path"
    case "EMFILE", "ENFILE": "raise the limit of open files, or use fewer connections"
    case "ENOENT": "create the folder, or check the path"
    default: nil
    }
  }
}
