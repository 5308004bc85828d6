/// The sockets that a service manager says it has passed to this process: their names, in the order of their descriptors.
struct SocketPassing: Equatable {
  /// The first descriptor of a passed socket (systemd: sd_listen_fds(3), SD_LISTEN_FDS_START).
  static let firstDescriptor: Int32 = 3
  /// The name of a socket to which none was given (the same page).
  static let unnamed = "unknown"

  /// The names, of which several may be equal; empty if this process was started without sockets.
  let names: [String]

  /// Reads the variables LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES. They count only if they are meant for that process: a
  /// child inherits them too.
  init(process: Int32, _ variable: (String) -> String?) {
    guard variable("LISTEN_PID").flatMap({ Int32($0) }) == process,
      let count = variable("LISTEN_FDS").flatMap({ Int($0) }), (1...1_024).contains(count)
    else {
      names = []
      return
    }
    let given = (variable("LISTEN_FDNAMES") ?? "").split(separator: ":", omittingEmptySubsequences: false).map(
      String.init)
    names = (0..<count).map { index in
      given.indices.contains(index) && !given[index].isEmpty ? given[index] : Self.unnamed
    }
  }

  /// The descriptor of the socket with that name. Throws if there is none, or more than one.
  func descriptor(named name: String) throws(AddressError) -> Int32 {
    let found = names.indices.filter { names[$0] == name }
    guard let index = found.first else {
      let known = names.isEmpty ? "without sockets" : "with the sockets \(names.joined(separator: ", "))"
      throw AddressError(
        text: "systemd:\(name)",
        problem: "this process was started \(known); a socket unit passes one, with FileDescriptorName=\(name)")
    }
    guard found.count == 1 else {
      throw AddressError(
        text: "systemd:\(name)",
        problem: "\(found.count) sockets have that name; give the socket unit one ListenStream= for it")
    }
    return Self.firstDescriptor + Int32(index)
  }
}
