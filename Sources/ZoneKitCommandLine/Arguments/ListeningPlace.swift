import ZoneKitEventLoop

/// Where a server is to listen: at an address, or on a socket that a service manager has opened.
struct ListeningPlace {
  /// The address; of a passed socket the one that it has.
  let address: Address
  /// The passed socket; nil if the server opens the address itself.
  let passed: PassedSocket?

  /// Reads the value of that option.
  init(_ text: String, of option: String) throws(ExitFailure) {
    guard text.hasPrefix(PassedSocket.prefix) else {
      passed = nil
      address = try ServeVerb.address(text, of: option)
      return
    }
    do throws(AddressError) {
      let socket = try PassedSocket(parsing: text)
      (passed, address) = (socket, socket.address)
    } catch {
      throw .usage("\(option): \(error)")
    }
  }

  /// The passed sockets of both places. Throws if they are the same one.
  static func passedSockets(_ http: ListeningPlace, _ push: ListeningPlace) throws(ExitFailure) -> [PassedSocket] {
    guard http.passed == nil || http.passed != push.passed else {
      throw .usage("--http and --push name the same socket; a socket unit for each passes two")
    }
    return [http.passed, push.passed].compactMap(\.self)
  }
}
